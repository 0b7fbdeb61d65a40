"""Graphs as SVG: a forest from left to right, notes under its nodes, links dashed across.

Where a node stands is settled here, by its depth and by the leaves below it; Graphviz makes a picture of its own of the
same graph. What is written never overlaps: a label of an edge has the room before its lower end for itself, and what a
link means is a note under the node that it leaves.

Blue, orange and grey are told apart without seeing colours, the orange also by a thicker line; light or dark is as the
reader's settings ask.
"""
from __future__ import annotations

import shutil
import subprocess
import unicodedata
from html import escape
from pathlib import Path

from subwordio.graph import Edge, Graph, Key, Node, to_dot

CHARACTER = 7.3         # the width of one in the monospaced letters of 12 pixels
LINE = 15               # from a line of text to the next
PAD = 7                 # between a node's border and its text
GAP = 26                # between a label of an edge and the nodes on both sides, together
BETWEEN = 10            # between nodes, one above the other
MARGIN = 12
STYLE = """
.structure{--ink:#1b1b1b;--dim:#5f5f5f;--line:#8a8a8a;--paper:#fff;--blue:#0072b2;--bluefill:#d9ecf7;--orange:#b35900;--orangefill:#fde9cf}
@media(prefers-color-scheme:dark){
.structure{--ink:#ececec;--dim:#b4b4b4;--line:#8f8f8f;--paper:#161616;--blue:#56b4e9;--bluefill:#10374b;--orange:#e69f00;--orangefill:#4a3300}}
.structure rect{fill:var(--paper);stroke:var(--line)}.structure>rect{stroke:none}
.structure .token rect{fill:var(--bluefill);stroke:var(--blue);stroke-width:2}
.structure .marked rect{stroke:var(--orange);stroke-width:3}.structure .marked:not(.token) rect{fill:var(--orangefill)}
.structure .more rect{stroke:none}.structure .more text{fill:var(--dim)}
.structure text{font:12px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:var(--ink);white-space:pre}
.structure text.note,.structure text.edge{fill:var(--dim);paint-order:stroke;stroke:var(--paper);stroke-width:4px}
.structure text.edge{fill:var(--blue);font-weight:bold}
.structure path{fill:none;stroke:var(--line)}.structure .link{stroke:var(--orange);stroke-dasharray:4 3;opacity:.75}
.structure .head{fill:var(--orange);stroke:none}
""".strip().replace("\n", "")


class Drawing:
    """A picture: `svg` is its text, `dot` the same graph for Graphviz; notebooks show it.

    >>> Drawing(Graph("T", [Node(0, "ε")])).svg.startswith("<svg ")
    True
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.svg = svg(graph)

    @property
    def dot(self) -> str:
        return to_dot(self.graph)

    def save(self, path: str | Path) -> None:
        """Write it as .svg, or as .dot; as .pdf or .png where Graphviz is installed."""
        path = Path(path)
        if path.suffix == ".svg":
            path.write_text(self.svg, encoding="utf-8")
        elif path.suffix == ".dot":
            path.write_text(self.dot, encoding="utf-8")
        elif path.suffix in (".pdf", ".png"):
            path.write_bytes(graphviz(self.dot, path.suffix[1:]))
        else:
            raise ValueError(f"{path}: expected a name that ends in .svg, .dot, .pdf or .png")

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Drawing of {self.graph.title}: {len(self.graph.nodes)} nodes>"


def graphviz(dot: str, form: str) -> bytes:
    """What Graphviz makes of a graph: "svg", "pdf" or "png"."""
    program = shutil.which("dot")
    if program is None:
        raise FileNotFoundError("Graphviz (the program dot) is not installed")
    return subprocess.run([program, f"-T{form}"], input=dot.encode(), capture_output=True, check=True).stdout


def width(text: str) -> float:
    """In pixels; wide characters count twice and marks not at all.

    >>> width("ab"), width("東") == 2 * width("a"), width("e\\u0301") == width("e")
    (14.6, True, True)
    """
    return CHARACTER * sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
                           for c in text)


class Layout:
    """Where the nodes of a forest stand: x by depth, y by the leaves below."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.nodes = {node.key: node for node in graph.nodes}
        self.into = {edge.head: edge for edge in graph.edges}
        self.below: dict[Key, list[Key]] = {key: [] for key in self.nodes}
        for edge in graph.edges:
            self.below[edge.tail].append(edge.head)
        self.depth: dict[Key, int] = {}
        self.y: dict[Key, float] = {}
        roots = [key for key in self.nodes if key not in self.into]
        for root in roots:
            self.depth[root] = 0
        order = list(roots)
        for key in order:                               # breadth first: the list grows
            for child in self.below[key]:
                self.depth[child] = self.depth[key] + 1
                order.append(child)
        self.set_columns()
        self.bottom = float(MARGIN)
        for root in roots:
            self.set_rows(root)

    def box(self, key: Key) -> float:
        """The width of a node's frame."""
        return width(self.nodes[key].label) + 2 * PAD

    def set_columns(self) -> None:
        deepest = max(self.depth.values(), default=0)
        wide, lead = [0.0] * (deepest + 1), [0.0] * (deepest + 2)
        for key, d in self.depth.items():
            wide[d] = max(wide[d], self.box(key), *map(width, self.nodes[key].notes), 0)
            lead[d] = max(lead[d], width(self.into[key].label) + GAP if key in self.into else 0)
        self.x, self.right = [], float(MARGIN)
        for d in range(deepest + 1):
            self.x.append(self.right + lead[d])
            self.right = self.x[d] + wide[d]

    def height(self, key: Key) -> float:
        return LINE + 2 * PAD + LINE * len(self.nodes[key].notes)

    def set_rows(self, root: Key) -> None:
        """Leaves one below the other, every other node at the middle of its children, from the deepest up."""
        waiting = [(root, False)]
        while waiting:
            key, done = waiting.pop()
            children = self.below[key]
            if children and not done:
                waiting += [(key, True), *((child, False) for child in reversed(children))]
            elif children:
                self.y[key] = (self.y[children[0]] + self.y[children[-1]]) / 2
                # A tall node over a small subtree: what comes next stays clear of its notes.
                self.bottom = max(self.bottom, self.y[key] + self.height(key) + BETWEEN)
            else:
                self.y[key] = self.bottom
                self.bottom += self.height(key) + BETWEEN

    def left(self, key: Key) -> tuple[float, float]:
        """Where edges come in."""
        return self.x[self.depth[key]], self.y[key] + LINE / 2 + PAD

    def out(self, key: Key) -> tuple[float, float]:
        """Where edges go out."""
        x, y = self.left(key)
        return x + self.box(key), y


def svg(graph: Graph) -> str:
    """The graph as SVG text. O(nodes + edges)."""
    at = Layout(graph)
    top = LINE * (len(graph.legend) + 1) + BETWEEN
    w = max(at.right, *(width(line) for line in (graph.title, *graph.legend))) + 2 * MARGIN
    h = at.bottom + top + MARGIN
    title = escape(graph.title)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" class="structure" viewBox="0 0 {w:.0f} {h:.0f}" width="{w:.0f}" '
             f'height="{h:.0f}" role="img" aria-label="{title}"><title>{title}</title>'
             f'<style>{STYLE}</style><rect width="{w:.0f}" height="{h:.0f}"/>']
    parts += [text(MARGIN, MARGIN + LINE * (k + 0.5), line, "note")
              for k, line in enumerate((graph.title, *graph.legend))]
    parts.append(f'<g transform="translate(0 {top})">')
    parts += [link(at, edge) for edge in graph.links if edge.tail in at.nodes and edge.head in at.nodes]
    parts += [drawn_edge(at, edge) for edge in graph.edges]
    parts += [drawn_node(at, node) for node in graph.nodes]
    return "\n".join([*parts, "</g></svg>"])


def text(x: float, y: float, words: str, kind: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}"{f" class={chr(34)}{kind}{chr(34)}" if kind else ""}>{escape(words)}</text>'


def drawn_node(at: Layout, node: Node) -> str:
    x, y = at.left(node.key)
    y -= LINE / 2 + PAD
    notes = "".join(text(x + 1, y + 2 * PAD + LINE * (k + 2) - 4, note, "note") for k, note in enumerate(node.notes))
    title = f"<title>{escape(node.title)}</title>" if node.title else ""
    return (f'<g class="node {node.kind}">{title}<rect x="{x:.1f}" y="{y:.1f}" rx="6" width="{at.box(node.key):.1f}" '
            f'height="{LINE + 2 * PAD}"/>{text(x + PAD, y + PAD + LINE - 4, node.label)}{notes}</g>')


def drawn_edge(at: Layout, edge: Edge) -> str:
    (x0, y0), (x1, y1) = at.out(edge.tail), at.left(edge.head)
    turn = x1 - width(edge.label) - GAP / 2             # the label has the rest of the way for itself
    path = f'<path d="M{x0:.1f} {y0:.1f}C{turn:.1f} {y0:.1f} {x0:.1f} {y1:.1f} {turn:.1f} {y1:.1f}H{x1:.1f}"/>'
    return path + (text(turn + 2, y1 - 3, edge.label, "edge") if edge.label else "")


def link(at: Layout, edge: Edge) -> str:
    """From the lower side of a node to the lower side of another, or to the upper one of a node below it."""
    (x0, y0), (x1, y1) = at.left(edge.tail), at.left(edge.head)
    half = LINE / 2 + PAD
    down = y1 > y0
    x0, x1 = x0 + at.box(edge.tail) / 2, x1 + at.box(edge.head) / 2
    y0, y1 = (y0 + half, y1 - half) if down else (y0 - half, y1 + half)
    bend = max(24.0, abs(y1 - y0) / 3) * (1 if down else -1)
    tip = 5 if down else -5
    return (f'<path class="link" d="M{x0:.1f} {y0:.1f}C{x0:.1f} {y0 + bend:.1f} {x1:.1f} {y1 - bend:.1f} '
            f'{x1:.1f} {y1 - tip:.1f}"/><path class="head" d="M{x1:.1f} {y1:.1f}l-3.5 {-1.6 * tip:.1f}h7z"/>')
