"""What the structures of the paper look like: the trie, Algorithm 2's tables and Algorithm 4's transducer.

A node shows its number and the string that leads to it, and is coloured where that is a token. Options of `draw`:

most    how many nodes at most
word    only the nodes that LinMaxMatch passes on this word, and those above them, the passed ones marked; with it a
        vocabulary of any size can be drawn
"""
from __future__ import annotations

from collections.abc import Callable

from linmaxmatch.failure import Tables, precompute
from linmaxmatch.trace import BLANK, EMPTY, NOTHING, spelling, trace
from linmaxmatch.transducer import Transducer
from linmaxmatch.trie import Trie
from subwordio.drawable import picture
from subwordio.graph import MOST_NODES, Edge, Graph, Node, forest

Notes = Callable[[int], tuple[str, ...]]


def no_notes(v: int) -> tuple[str, ...]:
    return ()


@picture.register
def trie_graph(T: Trie, most: int = MOST_NODES, word: str | None = None) -> Graph:
    """T: its nodes and edges δ(u, c), r and r♯ marked by their names.        (Section 3.1)"""
    only = passed(precompute(T), word) if word is not None else None
    return of_nodes(T, f"trie of {len(T)} nodes", most, only, no_notes)


@picture.register
def tables_graph(tables: Tables, most: int = MOST_NODES, word: str | None = None) -> Graph:
    """T with f as dashed links, and with f(v) and F(v) below each node.        (Definition 1, Algorithm 2)"""
    def notes(v: int) -> tuple[str, ...]:
        f = tables.f(v)
        return (f"⇢ {NOTHING}",) if f is None else (f"⇢ {f}  [{' '.join(tables.F(v))}]",)

    T = tables.trie
    only = passed(tables, word) if word is not None else None
    graph = of_nodes(T, f"failure links f and failure pops F of {len(T)} nodes", most, only, notes,
                     ("below each node: ⇢ f(v) [F(v)]",))
    graph.links = [Edge(node.key, f) for node in graph.nodes
                   if isinstance(node.key, int) and (f := tables.f(node.key)) is not None]
    return graph


@picture.register
def transducer_graph(D: Transducer, most: int = MOST_NODES, word: str | None = None) -> Graph:
    """T with, below each node, δ′ and σ′ for what is no edge of T.        (Algorithm 4)"""
    T = D.tables.trie
    letters = alphabet(T)

    def notes(u: int) -> tuple[str, ...]:
        written = []
        for c in [*letters, None]:
            if c is not None and T.delta(u, c) is not None:
                continue
            v = D.delta_prime(u, c)
            if v is not None:
                target = "end" if c is None else str(v)
                written.append(f"{BLANK if c is None else shown(c)} → {target}  [{' '.join(D.sigma_prime(u, c))}]")
        return tuple(written)

    only = passed(D.tables, word) if word is not None else None
    return of_nodes(T, f"transducer of {len(T)} nodes", most, only, notes,
                    ("below each node: c → δ′(u, c) [σ′(u, c)] where T has no edge",))


def of_nodes(T: Trie, title: str, most: int, only: set[int] | None, notes: Notes,
             legend: tuple[str, ...] = ()) -> Graph:
    """The trie with `notes` below its nodes; of the nodes, `only` those."""
    names = {T.suffix_root: "r♯", T.root: "r"}
    letters = alphabet(T)

    def node(v: int) -> Node:
        chi = spelling(T, v) or EMPTY
        label = f"{v} {names[v]} = {chi}" if v in names else f"{v} {chi}"
        token = T.token(v)
        kind = " ".join(["token"] * (token is not None) + ["marked"] * (only is not None and v in only))
        return Node(v, label, notes(v), kind, f"node {v}" if token is None else f"node {v}, the token {token}")

    above = with_those_above(T, only, letters) if only is not None else None

    def below(u: Node) -> tuple[list[tuple[str, Node]], int]:
        found = [(c, v) for c in letters if (v := T.delta(u.key, c)) is not None]
        drawn = [(shown(c), node(v)) for c, v in found if above is None or v in above]
        return drawn, len(found) - len(drawn)

    roots = [T.root] if T.roots == 1 or T.suffix_root == T.root else [T.root, T.suffix_root]
    return forest(title, map(node, roots), below, most, legend)


def alphabet(T: Trie) -> list[str | int]:
    """Every symbol that an edge of T has, in order."""
    V = T.vocabulary
    text = "".join([*V.tokens, V.suffix_indicator])
    return sorted(set(text.encode("utf-8", "surrogatepass"))) if T.symbols == "bytes" else sorted(set(text))


def shown(c: str | int) -> str:
    if isinstance(c, int):
        return chr(c) if 0x20 < c < 0x7F else f"{c:02x}"
    return c if c.isprintable() and c != " " else repr(c)[1:-1].replace(" ", "␠")


def passed(tables: Tables, word: str) -> set[int]:
    """The nodes at which Algorithm 1 stands on its way through a word."""
    nodes = {tables.trie.root}
    for step in trace(tables, word):
        nodes.add(step.node)
        if step.target is not None:
            nodes.add(step.target)
    return nodes


def with_those_above(T: Trie, nodes: set[int], letters: list[str | int]) -> set[int]:
    """`nodes`, and all on the way to them from a root."""
    found = set(nodes)
    for v in nodes:
        chi = T.chi(v)
        for root in (T.root, T.suffix_root):
            u: int | None = root
            way = []
            for k in range(0 if root == T.root else len(T.chi(root)), len(chi)):
                u = T.delta(u, chi[k]) if u is not None else None
                way.append(u)
            if v in way or u == v:
                found.update(node for node in way if node is not None)
    return found
