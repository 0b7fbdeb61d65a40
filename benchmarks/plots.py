"""Pictures of what was measured: time against length, both on logarithmic axes, an SVG for each picture.

    python -m benchmarks.plots [FILE ...]      of bpe_linear.json and bpe_rust.json in the results, beside them

repetitions     aⁿ as one piece: the paper's Figure 3
deep, chains    the dictionaries made to be hard: the paper's Appendix J

A picture has one run's figures only. A curve that rises by one decade a decade is linear; the grey lines are that.
"""
import argparse
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from benchmarks import report

Curve = list[tuple[int, float]]  # (bytes, seconds)
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 400, 60, 40, 30, 150
COLOURS = ("#000000", "#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf", "#8c564b", "#e377c2", "#7f7f7f")


def seconds(n: int, ns_per_byte: float) -> float:
    return n * ns_per_byte / 1e9


def curves_of_linear(content: Mapping[str, Any]) -> Iterator[tuple[str, str, Curve]]:
    """(picture, who, curve) of a run of bpe_linear.py: ours warm, the peers' first calls."""
    pictures = {"a, none": "repetitions", "a, cl100k": "repetitions, split by cl100k's pattern"}
    for result in content["results"]:
        case = result["case"]
        yield (pictures.get(case, case.partition(",")[0] if case[:1] in "dc" else case), "incbpe",
               [(int(n), seconds(int(n), ns)) for n, ns in result["ns_per_byte"].items()])
    for row in content["first_calls"]:
        if row.get("exact"):
            yield (pictures.get(row["case"], row["case"]), row["peer"],
                   [(int(n), seconds(int(n), ns)) for n, ns in row["ns_per_byte"].items()])


def curves_of_rust(content: Mapping[str, Any]) -> Iterator[tuple[str, str, Curve]]:
    """The same of a run of bpe_rust.py, in which every text has a length of its own."""
    for result in content["results"]:
        picture = {"none": "repetitions"}.get(result["setting"], result["setting"])
        if picture in ("deep", "chains") or (picture == "repetitions" and result["text"].startswith("a, ")):
            for who, ns in result["ns_per_byte"].items():
                if result["exact"].get(who, True):
                    yield picture, who, [(result["bytes"], seconds(result["bytes"], ns))]


def pictures(content: Mapping[str, Any]) -> dict[str, dict[str, Curve]]:
    """By picture, by who: the curve, by length."""
    found: dict[str, dict[str, Curve]] = {}
    curves = curves_of_linear if "first_calls" in content else curves_of_rust
    for picture, who, points in curves(content):
        curve = found.setdefault(picture, {}).setdefault(who, [])
        curve += points
        curve.sort()
    return found


def decades(values: Sequence[float]) -> tuple[int, int]:
    """The decades that hold all of them: from 10^a to 10^b, a < b.

    >>> decades([3, 40]), decades([100])
    ((0, 2), (2, 3))
    """
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def svg(title: str, curves: Mapping[str, Curve]) -> str:
    """One picture. O(points)."""
    x_low, x_high = decades([n for curve in curves.values() for n, _ in curve])
    y_low, y_high = decades([s for curve in curves.values() for _, s in curve])
    plot_width, plot_height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def x(n: float) -> float:
        return round(LEFT + plot_width * (math.log10(n) - x_low) / (x_high - x_low), 1)

    def y(s: float) -> float:
        return round(HEIGHT - BOTTOM - plot_height * (math.log10(s) - y_low) / (y_high - y_low), 1)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
             f'font-size="12">', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
             f'<text x="{LEFT}" y="18">{escape(title)}: time of a text, by its bytes</text>',
             f'<clipPath id="plot"><rect x="{LEFT}" y="{TOP}" width="{plot_width}" height="{plot_height}"/></clipPath>']
    for decade in range(x_low, x_high + 1):
        parts.append(f'<text x="{x(10.0**decade)}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">10^{decade}</text>')
    for decade in range(y_low, y_high + 1):
        parts.append(f'<text x="{LEFT - 6}" y="{y(10.0**decade) + 4}" text-anchor="end">{unit(decade)}</text>')
    for decade in range(y_low - (x_high - x_low), y_high + 1):
        parts.append(f'<line clip-path="url(#plot)" stroke="#ddd" x1="{x(10.0**x_low)}" y1="{y(10.0**decade)}" '
                     f'x2="{x(10.0**x_high)}" y2="{y(10.0**(decade + x_high - x_low))}"/>')
    parts.append(f'<rect x="{LEFT}" y="{TOP}" width="{plot_width}" height="{plot_height}" fill="none" stroke="#888"/>')
    for k, (who, curve) in enumerate(sorted(curves.items(), key=lambda item: -item[1][-1][1])):
        colour = COLOURS[0] if who.startswith("incbpe") else COLOURS[1 + k % (len(COLOURS) - 1)]
        points = " ".join(f"{x(n)},{y(s)}" for n, s in curve)
        parts += [f'<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{points}"/>',
                  *(f'<circle cx="{x(n)}" cy="{y(s)}" r="2.5" fill="{colour}"/>' for n, s in curve),
                  f'<text x="{WIDTH - RIGHT + 8}" y="{TOP + 12 + 16 * k}" fill="{colour}">{escape(who)}</text>']
    return "\n".join([*parts, "</svg>\n"])


def unit(decade: int) -> str:
    """10^decade seconds.

    >>> unit(-3), unit(0), unit(-5)
    ('1 ms', '1 s', '10 µs')
    """
    step = decade // 3
    return f"{10**(decade - 3 * step)} {('s', 'ms', 'µs', 'ns', 'ps')[-step]}" if -4 <= step <= 0 else f"10^{decade} s"


def draw(path: Path) -> list[Path]:
    """The pictures of one file of results, beside it."""
    drawn = []
    for picture, curves in pictures(json.loads(path.read_text())).items():
        target = path.with_name(f"{path.stem}-{picture.replace(', ', '-').replace(' ', '-')}.svg")
        target.write_text(svg(picture, curves), encoding="utf-8")
        drawn.append(target)
    return drawn


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.plots", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args(argv)
    files = options.files or [path for name in ("bpe_linear.json", "bpe_rust.json")
                              if (path := report.folder() / name).exists()]
    for path in files:
        for drawn in draw(path):
            print(drawn)


if __name__ == "__main__":
    main()
