"""The pictures of the results: from the content of a JSON file an SVG for each name.

Peers stand in one order everywhere, so that each has the same colour and mark wherever it is.
"""
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks import charts, growth
from benchmarks.charts import Series
from benchmarks.linear import PEER_LENGTHS

Json = dict[str, Any]
ORDER = {"wordpiece": ("linmaxmatch", "nanotoken", "splintr", "tokie", "tokenizers", "tensorflow-text"),
         "bpe": ("incbpe", "gigatoken", "toktok", "quicktok", "fastokens", "iree", "tiktoken", "tokenizers")}
OURS = {order[0] for order in ORDER.values()}


def named(peers: Iterable[str]) -> list[str]:
    """WordPiece's: ours first, then the peers in their order, each array before its list."""
    order = ORDER["wordpiece"]
    return sorted(peers, key=lambda peer: (order.index(peer.split()[0]), "table" in peer, "list" in peer))


def words(content: Json) -> dict[str, str]:
    """Figure 2: nanoseconds a word by its length."""
    rows: list[Json] = content["results"]
    series = [Series(name, tuple((row["length"], row["ns"][name]) for row in rows), name.split()[0] in OURS)
              for name in named(rows[0]["ns"]) if not name.endswith("list") or name == "nanotoken list"]
    title = "Nanoseconds a word, by its length; 119,547 entries, no clean-up, warm"
    return {"words": charts.lines(title, "characters of the word", series)}


def throughput(title: str, results: Sequence[Json], order: Sequence[str]) -> str:
    """MB/s, a row for the arrays of each cell and one for its lists; only who is exact."""
    rows: list[tuple[str, Mapping[str, float]]] = []
    for result in results:
        cell = result["cell"]
        for kind in ("array", "list"):
            found = {name.split()[0]: timing["mb_per_s"] for name, timing in result["peers"].items()
                     if timing["kind"] == kind and timing["exact"]}
            rows.append((f"{cell['corpus']}, {cell['call']}, {kind}s", found))
    there = [name for name in order if any(name in row for _, row in rows)]
    return charts.dots(title, "MB/s of UTF-8", rows, there)


def cells_of(content: Json, setting: str, state: str) -> list[Json]:
    return [result for result in content["results"] if result["cell"]["call"] in ("line", "batch", "document")
            and (result["cell"]["setting"], result["cell"]["state"]) == (setting, state)]


def texts(content: Json) -> dict[str, str]:
    """Every warm cell of the uncased vocabulary, arrays and lists apart."""
    title = "Megabytes a second, uncased BERT with full clean-up, warm"
    return {"texts": throughput(title, cells_of(content, "uncased", "warm"), ORDER["wordpiece"])}


def bpe_texts(content: Json) -> dict[str, str]:
    """The cells of cl100k, warm and first passes, and those without splitting."""
    whole = next((each["cell"]["setting"] for each in content["results"] if "without" in each["cell"]["setting"]), "")
    every = {"bpe-texts": ("Megabytes a second, cl100k, warm", cells_of(content, "cl100k", "warm")),
             "bpe-first": ("Megabytes a second, cl100k, the first pass", cells_of(content, "cl100k", "cold")),
             "bpe-whole": ("Megabytes a second, cl100k, each text one piece, warm", cells_of(content, whole, "warm"))}
    return {name: throughput(title, cells, ORDER["bpe"]) for name, (title, cells) in every.items() if cells}


def rewind(content: Json) -> dict[str, str]:
    """How many times as dear aⁿ is where each letter might begin the long token, against a … a⁸."""
    length = str(PEER_LENGTHS[-1])
    found = {(row["peer"], row["case"]): row["ns_per_letter"].get(length)
             for row in content["first_calls"] if row["exact"]}
    rows = []
    for peer in named({peer for peer, _ in found}):
        chain, long = found[peer, "chain"], found.get((peer, "almost a long token"))
        if chain is not None and long is not None:
            note = f"× {long / chain:.1f}: {long:.1f} ns a letter, not {chain:.1f}"
            rows.append((peer.split()[0], long / chain, note))
    title = "{a, ##a, a⁶⁴b, ##a⁶⁴b} and aⁿ, against {a … a⁸, ##a … ##a⁸}: the first call, n = 2¹⁹"
    return {"rewind": charts.bars(title, rows)} if rows else {}         # a run without --peers has none


def worst(prefix: str, content: Json) -> dict[str, str]:
    """A picture for each text and dictionary made to be hard: nanoseconds a byte by the text's length."""
    return {f"{prefix}{picture}": charts.lines(
        f"Nanoseconds a byte, by the text's length. {growth.TITLES[picture]}", "bytes of the text", series,
        decades_across=True) for picture, series in growth.curves(content).items()}


def bpe_linear(content: Json) -> dict[str, str]:
    return worst("bpe-", content)


def bpe_rust(content: Json) -> dict[str, str]:
    return worst("crates-", content)
