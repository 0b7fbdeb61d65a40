"""Charts as SVG: lines over two axes, dots in rows, and bars.

Each series has a colour that is told apart without seeing colours well, a mark of its own shape, and its name beside
it; ours is the thick one. Light or dark is as the reader's settings ask.
"""
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

WIDTH = 800
LEFT, RIGHT, TOP = 60, 240, 34
LINE = 16               # from a row of text to the next
CHARACTER = 7.3         # the width of one in letters of 12 pixels
COLOURS = ("--blue", "--orange", "--green", "--red", "--purple", "--yellow", "--ink", "--dim")
STYLE = """
.chart{--paper:#fff;--ink:#1b1b1b;--dim:#5f5f5f;--line:#d4d4d4;--blue:#0072b2;--orange:#b35900;--green:#00795a;--red:#c8365c;--purple:#8a4fa3;--yellow:#8a7400}
@media(prefers-color-scheme:dark){
.chart{--paper:#161616;--ink:#ececec;--dim:#b4b4b4;--line:#3c3c3c;--blue:#56b4e9;--orange:#e69f00;--green:#2fc79a;--red:#ff7d9d;--purple:#cf9ae0;--yellow:#e4d54a}}
.chart text{font:12px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--ink)}
.chart .paper{fill:var(--paper)}.chart .dim{fill:var(--dim)}.chart .end{text-anchor:end}.chart .middle{text-anchor:middle}
.chart .grid{stroke:var(--line)}.chart polyline{fill:none}
""".strip().replace("\n", "")      # noqa: E501
Point = tuple[float, float]


@dataclass(frozen=True)
class Series:
    """The points of one name; ours is drawn thick."""

    name: str
    points: tuple[Point, ...]
    ours: bool = False


def text(x: float, y: float, content: str, kind: str = "ink") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(content)}</text>'


def mark(x: float, y: float, number: int, size: float = 4) -> str:
    """A dot, a square, a diamond, a triangle: each series' own, by its number."""
    shapes: tuple[Sequence[Point], ...] = (
        (), ((-1, -1), (1, -1), (1, 1), (-1, 1)), ((0, -1.4), (1.4, 0), (0, 1.4), (-1.4, 0)),
        ((0, -1.3), (1.3, 1), (-1.3, 1)), ((0, 1.3), (1.3, -1), (-1.3, -1)))
    shape, colour = shapes[number % len(shapes)], COLOURS[number % len(COLOURS)]
    if not shape:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}" style="fill:var({colour})"/>'
    corners = " ".join(f"{x + size * dx:.1f},{y + size * dy:.1f}" for dx, dy in shape)
    return f'<polygon points="{corners}" style="fill:var({colour})"/>'


def frame(title: str, height: float, parts: Sequence[str]) -> str:
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img" viewBox="0 0 {WIDTH} {height:.0f}" '
        f'width="{WIDTH}" height="{height:.0f}">',
        f"<title>{escape(title)}</title><style>{STYLE}</style>",
        f'<rect class="paper" width="{WIDTH}" height="{height:.0f}"/>', text(12, 20, title), *parts, "</svg>"]) + "\n"


def decades(low: float, high: float) -> list[float]:
    """1, 2 and 5 times the powers of ten from low to high, both within."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    every = [step * 10.0**power for power in range(first, last + 1) for step in (1, 2, 5)]
    begin = max(i for i, value in enumerate(every) if value <= low)
    end = min(i for i, value in enumerate(every) if value >= high)
    return every[begin:end + 1]


def logarithmic(ticks: Sequence[float], begin: float, end: float) -> Callable[[float], float]:
    """The place between `begin` and `end` of a value between the first tick and the last."""
    low, high = math.log(ticks[0]), math.log(ticks[-1])
    return lambda value: begin + (end - begin) * (math.log(value) - low) / (high - low)


def proportional(ticks: Sequence[float], begin: float, end: float) -> Callable[[float], float]:
    """The place between `begin` and `end` of a value between the first tick and the last, all steps alike."""
    return lambda value: begin + (end - begin) * (value - ticks[0]) / (ticks[-1] - ticks[0])


def apart(wanted: Mapping[str, float], least: float) -> dict[str, float]:
    """The heights of names, moved down as far as it takes for none to cover another."""
    placed: dict[str, float] = {}
    lowest = -math.inf
    for name in sorted(wanted, key=lambda name: wanted[name]):
        placed[name] = lowest = max(wanted[name], lowest + least)
    return placed


def lines(title: str, across: str, series: Sequence[Series], height: float = 380, *, decades_across: bool = False
          ) -> str:
    """Values (the y axis, logarithmic) over numbers (the x axis, logarithmic on request)."""
    bottom, right = height - 44, WIDTH - RIGHT
    values = [y for each in series for _, y in each.points]
    ticks = decades(min(values), max(values))
    y_of = logarithmic(ticks, bottom, TOP + 8)
    places = sorted({x for each in series for x, _ in each.points})
    ends = places if len(places) > 1 else [places[0], 2 * places[0]]
    along = logarithmic(ends, LEFT, right) if decades_across else proportional(ends, LEFT, right)
    parts = []
    for tick in ticks:
        parts += [f'<line class="grid" x1="{LEFT}" x2="{right}" y1="{y_of(tick):.1f}" y2="{y_of(tick):.1f}"/>',
                  text(LEFT - 8, y_of(tick) + 4, f"{tick:,.0f}", "dim end")]
    shown = -math.inf           # where the last name ends
    for x in places:
        half = CHARACTER * (len(f"{x:,.0f}") + 1) / 2
        if along(x) - half > shown:
            shown = along(x) + half
            parts.append(text(along(x), bottom + 18, f"{x:,.0f}", "dim middle"))
    parts.append(text((LEFT + right) / 2, bottom + 36, across, "dim middle"))
    names = apart({each.name: y_of(each.points[-1][1]) + 4 for each in series}, LINE - 2)
    for number, each in enumerate(series):
        path = " ".join(f"{along(x):.1f},{y_of(y):.1f}" for x, y in each.points)
        colour, thick = COLOURS[number % len(COLOURS)], 3.5 if each.ours else 1.5
        parts.append(f'<polyline points="{path}" style="stroke:var({colour});stroke-width:{thick}"/>')
        parts += [mark(along(x), y_of(y), number, 3.5) for x, y in each.points]
        parts += [mark(right + 14, names[each.name] - 4, number), text(right + 24, names[each.name], each.name)]
    return frame(title, height, parts)


def dots(title: str, across: str, rows: Sequence[tuple[str, Mapping[str, float]]], names: Sequence[str]) -> str:
    """A row a line: a dot for each name's value (logarithmic)."""
    values = [value for _, row in rows for value in row.values()]
    left, right, top = 12 + CHARACTER * max(len(label) for label, _ in rows) + 14, WIDTH - RIGHT, TOP + 8
    bottom = top + LINE * len(rows)
    ticks = decades(min(values), max(values))
    x_of = logarithmic(ticks, left, right)
    parts = []
    for tick in ticks:
        parts += [f'<line class="grid" x1="{x_of(tick):.1f}" x2="{x_of(tick):.1f}" y1="{top}" y2="{bottom}"/>',
                  text(x_of(tick), bottom + 18, f"{tick:,g}", "dim middle")]
    parts.append(text((left + right) / 2, bottom + 36, across, "dim middle"))
    for i, (label, row) in enumerate(rows):
        y = top + LINE * (i + 0.5)
        parts += [text(left - 12, y + 4, label, "end"),
                  f'<line class="grid" x1="{left:.1f}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}"/>']
        parts += [mark(x_of(row[name]), y, number) for number, name in reversed(list(enumerate(names))) if name in row]
    for number, name in enumerate(names):
        y = top + LINE * (number + 0.5)
        parts += [mark(right + 20, y, number), text(right + 32, y + 4, name)]
    return frame(title, bottom + 48, parts)


def bars(title: str, rows: Sequence[tuple[str, float, str]]) -> str:
    """(name, value, what is written behind the bar), the first is ours."""
    left = 12 + CHARACTER * max(len(name) for name, _, _ in rows) + 12
    room = WIDTH - left - CHARACTER * max(len(note) for _, _, note in rows) - 24
    most = max(value for _, value, _ in rows)
    parts = []
    for i, (name, value, note) in enumerate(rows):
        y, long, colour = TOP + 8 + 24 * i, room * value / most, COLOURS[int(i > 0)]
        parts += [text(left - 10, y + 13, name, "end"),
                  f'<rect x="{left:.1f}" y="{y}" width="{long:.1f}" height="17" style="fill:var({colour})"/>',
                  text(left + long + 8, y + 13, note)]
    return frame(title, TOP + 16 + 24 * len(rows), parts)
