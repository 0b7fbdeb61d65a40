"""A picture before it is drawn: nodes, edges that make a forest of them, and links that do not.

A structure says what it looks like as a `Graph`; `subwordio.drawing` lays that out as SVG, and `to_dot` writes it for
Graphviz.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

MOST_NODES = 60
"""Above this a picture is no longer read: what is left out is said at the node where it would hang."""

Key = Any              # what a structure calls the node; hashable


@dataclass(frozen=True, slots=True)
class Node:
    """`label` is written in the node and `notes` below it, a line each; `kind` chooses the colour: words among
    "token", "marked" and "more". `title` is what a pointer that rests on it shows."""

    key: Key
    label: str
    notes: tuple[str, ...] = ()
    kind: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """From a node to the node below it. `label` is written at the lower end."""

    tail: Key
    head: Key
    label: str = ""
    kind: str = ""


@dataclass
class Graph:
    """`nodes` in the order in which siblings are drawn; every node is the head of one edge, or a root; `links` are
    dashed, and their meaning stands in the notes of their tails."""

    title: str
    nodes: list[Node] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    links: list[Edge] = field(default_factory=list)
    legend: tuple[str, ...] = ()


def forest(title: str, roots: Iterable[Node], below: Callable[[Node], tuple[Sequence[tuple[str, Node]], int]],
           most: int = MOST_NODES, legend: tuple[str, ...] = ()) -> Graph:
    """The first `most` nodes, nearest to the roots first; where children are left out, a node says how many.

    `below` gives, for a node, the label of each edge and the child, and how many children more it has that are not to
    be drawn. At most `most` calls of it.

    >>> def below(u): return [("", Node(2 * u.key + k, str(2 * u.key + k))) for k in (0, 1)], 0
    >>> [node.label for node in forest("", [Node(1, "1")], below, 2).nodes]
    ['1', '2', '+ 1', '+ 2']
    """
    first = list(roots)
    graph = Graph(title, first[:most], legend=legend)
    cut: list[Edge] = []
    for u in graph.nodes:                               # breadth first: the list grows
        children, hidden = below(u)
        room = max(0, most - len(graph.nodes))
        graph.nodes += [child for _, child in children[:room]]
        graph.edges += [Edge(u.key, child.key, label) for label, child in children[:room]]
        hidden += max(0, len(children) - room)
        if hidden:
            cut.append(Edge(u.key, ("more", u.key), f"+ {hidden}"))
    graph.nodes += [Node(edge.head, edge.label, kind="more") for edge in cut]
    graph.edges += [Edge(edge.tail, edge.head) for edge in cut]
    if len(first) > most:
        graph.nodes.append(Node("more", f"+ {len(first) - most}", kind="more"))
    return graph


def to_dot(graph: Graph) -> str:
    """The graph in Graphviz's language.

    >>> print(to_dot(Graph("T", [Node(0, "ε"), Node(1, "a", kind="token")], [Edge(0, 1, "a")], [Edge(1, 0)])))
    digraph "T" {
      rankdir=LR
      node [shape=box, style=rounded, fontname=monospace]
      edge [fontname=monospace]
      n0 [label="ε"]
      n1 [label="a", penwidth=2]
      n0 -> n1 [label="a"]
      n1 -> n0 [style=dashed, constraint=false]
    }
    """
    number = {node.key: f"n{k}" for k, node in enumerate(graph.nodes)}
    lines = [f"digraph {quoted(graph.title)} {{", "  rankdir=LR",
             "  node [shape=box, style=rounded, fontname=monospace]", "  edge [fontname=monospace]"]
    for node in graph.nodes:
        label = quoted("\n".join((node.label, *node.notes)))
        wide = ", penwidth=2" if node.kind not in ("", "more") else ""
        lines.append(f"  {number[node.key]} [label={label}{wide}]")
    for edge in graph.edges:
        label = f" [label={quoted(edge.label)}]" if edge.label else ""
        lines.append(f"  {number[edge.tail]} -> {number[edge.head]}{label}")
    for link in graph.links:
        lines.append(f"  {number[link.tail]} -> {number[link.head]} [style=dashed, constraint=false]")
    return "\n".join([*lines, "}"])


def quoted(text: str) -> str:
    """Text as Graphviz reads it.

    >>> quoted('a "b"')
    '"a \\\\"b\\\\""'
    """
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
