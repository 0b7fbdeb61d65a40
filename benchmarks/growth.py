"""What a byte costs as texts grow, by bpe_linear.py and bpe_rust.py: a curve that is level is linear time.

repetitions     aⁿ as one piece: the paper's Figure 3; and split by cl100k's pattern
deep, chains    the dictionaries made to be hard: the paper's Appendix J
"""
from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.charts import Series

OURS = "incbpe"
TITLES = {"repetitions": "aⁿ under cl100k, as one piece", "repetitions-split": "aⁿ under cl100k, split by its pattern",
          "deep": "Each token made of the one before it", "chains": "Every run of a's a token"}
Point = tuple[str, str, float, float]       # (picture, who, bytes, nanoseconds a byte)
Json = dict[str, Any]


def of_linear(content: Json) -> Iterator[Point]:
    """Of bpe_linear.py: ours warm, the peers' first calls."""
    named = {"a, none": "repetitions", "a, cl100k": "repetitions-split"}
    rows = [(result, OURS) for result in content["results"]]
    rows += [(row, row["peer"].split()[0]) for row in content["first_calls"] if row.get("exact")]
    for row, who in rows:
        picture = named.get(row["case"], row["case"].partition(", ")[0])
        for n, ns in row["ns_per_byte"].items():
            yield picture, who, float(n), ns


def of_rust(content: Json) -> Iterator[Point]:
    """Of bpe_rust.py, in which every text has a length of its own."""
    for result in content["results"]:
        picture = {"none": "repetitions"}.get(result["setting"], result["setting"])
        if picture != "repetitions" or result["text"].startswith("a, "):
            for who, ns in result["ns_per_byte"].items():
                if result["exact"].get(who, True):
                    yield picture, who, float(result["bytes"]), ns


def curves(content: Json) -> Mapping[str, list[Series]]:
    """By picture, the curves, ours first."""
    found: dict[str, dict[str, list[tuple[float, float]]]] = {}
    for picture, who, n, ns in of_linear(content) if "first_calls" in content else of_rust(content):
        if picture in TITLES:
            found.setdefault(picture, {}).setdefault(who, []).append((n, ns))
    return {picture: [Series(who, tuple(sorted(points)), who == OURS)
                      for who, points in sorted(curves.items(), key=lambda item: item[0] != OURS)]
            for picture, curves in found.items()}
