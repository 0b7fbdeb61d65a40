"""What the structures of the paper look like: the successor forest, the trees of one token, the automaton, and the
token prefix tree.

Options of `draw`: `most`, how many nodes at most; `token` of a forest and of an automaton, only what lies on the way to
the tokens of its chain; `criterion` of a token prefix tree, by which criterion of eager output its frontier is marked,
None: it is not.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from incbpe.automaton import SuffixAutomaton
from incbpe.centroid import CentroidTree
from incbpe.normalize import Normalized
from incbpe.prefixes import Prefixes
from incbpe.successor import SuccessorForest
from incbpe.sufsuc import SuffixSuccessorTree
from incbpe.table import range_of, tokens_of
from incbpe.theta import theta
from incbpe.trace import named
from subwordio.drawable import picture
from subwordio.graph import MOST_NODES, Edge, Graph, Node, forest

Token = Any            # str, or bytes where the dictionary is of bytes
RANGES = ("below each token: [tin, tout), its number and those of what is below it;", "the numbers of the tokens w "
          "that may stand before its right part; an edge: the rule")
AUTOMATON = ("in a node: the string of the state; below: ⇢ its failure link, and the longest token that ends it",)
PREFIXES = ("a node is a prefix, by its length; an edge, the last token of the prefix",)
FRONTIER = (*PREFIXES,
            "orange border: the frontier, where a continuation may leave; blue: common to all of it, so final")


@picture.register
def forest_graph(forest_of: SuccessorForest, most: int = MOST_NODES, token: Token | None = None) -> Graph:
    """All canonical tokens, each below its right part, latest rule first, with the ranges.    (Sections 3.4 and 4.3)"""
    N = forest_of.N
    only = set(chain_and_above(forest_of, SuffixAutomaton(N).chain(token))) if token is not None else None

    def node(z: Token) -> Node:
        (tin, tout), parent = forest_of.interval(z), forest_of.parent(z)
        notes = [f"[{tin}, {tout})"]
        if parent is not None:
            notes += [f"{named(N.pre(z))} before {named(parent)}", f"valid: {range_of(forest_of, z)}"]
        return Node(z, named(z), tuple(notes), "token")

    def below(u: Node) -> tuple[list[tuple[str, Node]], int]:
        children = forest_of.children(u.key)
        drawn = [z for z in children if only is None or z in only]
        return [(str(N.prio(z)), node(z)) for z in drawn], len(children) - len(drawn)

    roots = [z for z in forest_of.preorder() if forest_of.parent(z) is None and (only is None or z in only)]
    return forest(f"successor forest of {len(forest_of)} tokens", map(node, roots), below, most, RANGES)


def chain_and_above(forest_of: SuccessorForest, tokens: Iterable[Token]) -> Iterable[Token]:
    for z in tokens:
        above: Token | None = z
        while above is not None:
            yield above
            above = forest_of.parent(above)


@picture.register
def suffix_successor_graph(tree: SuffixSuccessorTree, most: int = MOST_NODES) -> Graph:
    """The canonical suffixes of k, each below its right part.        (Section 3.5)"""
    def node(z: Token) -> Node:
        notes = (f"number {tree.forest.interval(z)[0]}", f"valid: {range_of(tree.forest, z)}")
        return Node(z, named(z), notes, "token marked" if z == tree.k else "token")

    def below(u: Node) -> tuple[list[tuple[str, Node]], int]:
        return [(str(tree.forest.N.prio(z)), node(z)) for z in tree.children(u.key)], 0

    return forest(f"suffix-successor tree of {named(tree.k)}", [node(tree.chain()[-1])], below, most,
                  ("below each token: its number in the forest, and its valid range; an edge: the rule",))


@picture.register
def centroid_graph(centroids: CentroidTree, most: int = MOST_NODES) -> Graph:
    """Which token is tested first, and which after it.        (Section 5.2)"""
    tree = centroids.tree

    def node(outline: tuple[Token, Any, list[Any]]) -> Node:
        return Node(outline[0], named(outline[0]), (), "token")

    outlines: dict[Token, tuple[Token, Any, list[Any]]] = {}

    def below(u: Node) -> tuple[list[tuple[str, Node]], int]:
        centroid, above, under = outlines[u.key]
        parts = [("not valid", above)] if above is not None else []
        for part in under:
            root = next(child for child in tree.children(centroid) if child in tokens_of(part))
            parts.append((f"valid, and {named(root)} too", part))
        outlines.update((part[0], part) for _, part in parts)
        return [(label, node(part)) for label, part in parts], 0

    top = centroids.outline()
    outlines[top[0]] = top
    return forest(f"centroid tree of {named(tree.k)}", [node(top)], below, most)


@picture.register
def automaton_graph(automaton: SuffixAutomaton, most: int = MOST_NODES, token: Token | None = None) -> Graph:
    """The states that are reached symbol by symbol, with their failure links.        (Section 5.2)"""
    N = automaton.N
    letters = atoms(N)
    spelt: dict[int, Token] = {0: N.dictionary.tokens[0][:0]}
    ends = automaton.chain(token) if token is not None else None

    def node(v: int) -> Node:
        k = automaton.longest_at(v)
        notes = [] if v == 0 else [f"⇢ {string(automaton.failure_link(v))}"]
        if k is not None:
            notes.append(f"longest: {named(k)}")
        return Node(v, string(v), tuple(notes), "token" if k is not None and len(k) == automaton.symbols(v) else "")

    def string(v: int) -> str:
        return named(spelt[v]) if v else "ε"

    def below(u: Node) -> tuple[list[tuple[str, Node]], int]:
        found = []
        for c in letters:
            v = automaton.step_by(u.key, c)
            if automaton.symbols(v) == automaton.symbols(u.key) + 1:
                spelt[v] = spelt[u.key] + c
                found.append((named(c), v))
        drawn = [(label, v) for label, v in found
                 if ends is None or any(z.startswith(spelt[v]) for z in ends)]
        return [(label, node(v)) for label, v in drawn], len(found) - len(drawn)

    graph = forest(f"suffix automaton of {automaton.states} states", [node(0)], below, most, AUTOMATON)
    graph.links = [Edge(node.key, automaton.failure_link(node.key)) for node in graph.nodes
                   if isinstance(node.key, int) and node.key != 0]
    return graph


def atoms(N: Normalized) -> list[Token]:
    return sorted({z for z in N.dictionary.tokens if len(z) == 1})


@picture.register
def prefixes_graph(P: Prefixes, most: int = MOST_NODES,
                   criterion: Literal["window", "chain", "maximal"] | None = "window") -> Graph:
    """The token prefix tree of a text, its frontier marked.        (Equation 2, Section 6)"""
    n = len(P.text)
    leaving = set() if criterion is None else set(frontier(P.N, P.text, criterion))
    final = common_path(P.parents, leaving) if leaving else set()
    children: dict[int, list[int]] = {i: [] for i in range(n + 1)}
    for i in range(1, n + 1):
        children[P.parents[i]].append(i)

    def node(i: int) -> Node:
        kind = " ".join(["token"] * (i in final) + ["marked"] * (i in leaving))
        return Node(i, str(i) if i else "ε", (), kind, " ".join(map(named, P.tokens(i))))

    def below(u: Node) -> tuple[list[tuple[str, Node]], int]:
        return [(named(P.theta(i)), node(i)) for i in children[u.key]], 0

    return forest(f"tokens of all prefixes of {named(P.text)}", [node(0)], below, most,
                  PREFIXES if criterion is None else FRONTIER)


def frontier(N: Normalized, s: Token, criterion: str) -> list[int]:
    """The lengths b after which the tokens of some text that goes on from s may part from those of s, as the criterion
    has them. For texts and dictionaries that one draws: `maximal` runs θ for each token and each b.
    """
    automaton = SuffixAutomaton(N)
    v = 0
    for k in range(len(s)):
        v = automaton.step_by(v, s[k:k + 1])
    d = automaton.symbols(v)
    if criterion == "window":
        return list(range(len(s) - d, len(s) + 1))
    if criterion not in ("chain", "maximal"):
        raise ValueError(f"criterion: expected 'window', 'chain' or 'maximal', got {criterion!r}")
    tokens = [z for z in N.dictionary.tokens if N.is_canonical(z)]
    found = []
    for b in range(len(s) - d, len(s)):
        longer = [z for z in tokens if z.startswith(s[b:]) and z != s[b:]]
        if criterion == "maximal":
            longer = [z for z in longer if theta(N, s[:b] + z)[-1] == z]
        if longer:
            found.append(b)
    return [*found, len(s)]


def common_path(parents: Sequence[int], ends: Iterable[int]) -> set[int]:
    """The prefixes on the way from ε to every one of `ends`."""
    ways = []
    for i in ends:
        way = [i]
        while way[0]:
            way.insert(0, parents[way[0]])
        ways.append(way)
    shared = set(ways[0]).intersection(*ways)
    return shared - {0}
