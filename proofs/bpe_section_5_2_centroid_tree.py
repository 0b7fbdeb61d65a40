"""Section 5.2: the centroid search tree.

Statement
    The centroid search tree of a canonical token k has each canonical suffix of k once. The tree below a centroid of a
    component of n nodes is of components of at most n/2 nodes, so that it is ⌊log₂ n⌋ + 1 centroids deep at most. A
    search goes, from a centroid that is not valid, to its parent's side, and from a valid one to the only child that
    can be valid; it finds θ(s) for every s whose longest canonical suffix token is k.

Why
    Every tree has a centroid: a node without which no part has more than half of the nodes. The valid nodes are the way
    from the root to θ(s) (Theorem 4.2), so that one look says on which side it goes on.
"""
from math import log2
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_algorithms import Normal, centroid, subtree
from proofs.bpe_compiled import Compiled
from proofs.bpe_cost_1_centroid_visits import runs
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary

Outline = tuple[str, Any, list[Any]]


# Predicate
def predicate(D: Dictionary, k: str, outline: Outline) -> Any:
    """None if the outline has the canonical suffixes of k, each once, and every component within half of its own."""
    if sorted(nodes(outline)) != sorted(bpe.chain(D, k)):
        return worlds.shown(D), k, sorted(nodes(outline)), sorted(bpe.chain(D, k))
    parts = [outline]
    for c, above, below in parts:
        inside = [part for part in (above, *below) if part is not None]
        size = 1 + sum(len(nodes(part)) for part in inside)
        if any(len(nodes(part)) > size // 2 for part in inside):
            return worlds.shown(D), k, c, [len(nodes(part)) for part in inside], size
        if any(bpe.suc(D, top(D, part)) != c for part in below):
            return worlds.shown(D), k, c, [top(D, part) for part in below]
        parts += inside
    return None if depth(outline) <= 1 + int(log2(len(bpe.chain(D, k)))) else (worlds.shown(D), k, depth(outline))


def nodes(outline: Outline) -> list[str]:
    c, above, below = outline
    return [c, *(z for part in (above, *below) if part is not None for z in nodes(part))]


def top(D: Dictionary, outline: Outline) -> str:
    """The node of a component that is nearest to the root: the shortest."""
    return min(nodes(outline), key=len)


def depth(outline: Outline) -> int:
    _, above, below = outline
    return 1 + max((depth(part) for part in (above, *below) if part is not None), default=0)


def finds(D: Dictionary, texts: list[str], search: Any) -> Any:
    """None if the search finds θ of each text that is longer than its longest canonical suffix, in so many looks as the
    tree is deep at most; else the text, what is found and θ.
    """
    for s in texts:
        chain = bpe.chain(D, s)
        if chain and chain[-1] != s:
            θ, looks = search(chain[-1], [None, *(bpe.θ(D, x) for x in bpe.prefixes(s)[:-1])])
            if θ != bpe.θ(D, s) or looks > 1 + int(log2(len(chain))):
                return worlds.shown(D), s, (θ, looks), bpe.θ(D, s)
    return None


def compiled(D: Dictionary) -> dict[str, Any]:
    """The compiled tree of each canonical token."""
    layer = Compiled(D)
    return {k: incbpe.CentroidTree(incbpe.SuffixSuccessorTree(layer.forest, layer.automaton, k))
            for k in sorted(layer.canonical)}


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    trees = compiled(D)
    return next(filter(None, (predicate(D, k, trees[k].outline()) for k in trees)), None) or finds(
        D, texts, lambda k, history: trees[k].search(history))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """The dictionaries of runs with chains of up to 20; and one in 20 of the 9,198 lists: every canonical token, and
    one in three of their texts.
    """
    count = check.sweep(map(runs, range(1, 21)), lambda D: holds_compiled(D, ["a" * n for n in (7, 23, 41)]), 20, every)
    return count + check.sweep(worlds.every_world(), lambda D: holds_compiled(D, worlds.texts(D)[::-3]),
                               worlds.WORLDS, 20 * every, 20)


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(texts=2))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    D, texts = world
    for tree in compiled(D).values():
        tree.check()
    check.hold(holds_compiled(D, texts))


# Control
def plain(D: Dictionary, k: str, fault: str | None) -> Outline:
    """The tree by the plain centroids."""
    N = Normal(D)

    def of(component: set[str]) -> Outline:
        c = centroid(component, N.suc, fault)
        under = subtree(component, N.suc, c)
        below = [subtree(component, N.suc, z) for z in sorted(component) if N.suc.get(z) == c]
        return c, of(component - under) if component - under else None, [of(part) for part in below]

    return of(set(bpe.chain(D, k)))


def test_the_plain_tree_is_one() -> None:
    D = runs(20)
    assert all(predicate(D, k, plain(D, k, None)) is None for k in bpe.canonical(D))


def test_control_any_vertex_for_the_centroid() -> None:
    found = check.first(map(runs, range(1, 21)), lambda D: predicate(
        D, max(bpe.canonical(D), key=len), plain(D, max(bpe.canonical(D), key=len), "any vertex")))
    assert found == ((("a", "a"), ("aa", "a")), "aaa", "aaa", [2], 3)


def test_control_a_node_left_out() -> None:
    found = check.first(map(runs, range(1, 21)), lambda D: predicate(
        D, max(bpe.canonical(D), key=len), (max(bpe.canonical(D), key=len), None, [])))
    assert found == ((("a", "a"),), "aa", ["aa"], ["a", "aa"])


def test_control_the_longest_without_a_search() -> None:
    found = check.first(worlds.every_world(), lambda D: finds(D, worlds.texts(D), lambda k, history: (k, 1)))
    assert found == ((("a", "a"),), "aaa", ("aa", 1), "a")


def test_control_what_is_above_put_below() -> None:
    def only_below(outline: Outline) -> Outline:
        c, above, below = outline
        return c, None, [only_below(part) for part in (above, *below) if part is not None]

    found = check.first(worlds.every_world(), lambda D: predicate(
        D, max(bpe.canonical(D), key=len), only_below(plain(D, max(bpe.canonical(D), key=len), None))))
    assert found == ((("a", "a"), ("b", "aa")), "baa", "aa", ["a", "baa"])


def test_control_one_after_the_other() -> None:
    """θ found from the longest suffix down."""
    def search(D: Dictionary, s: str, k: str) -> Any:
        return bpe.θ(D, s), sum(len(z) >= len(bpe.θ(D, s) or "") for z in bpe.chain(D, k))

    found = check.first(worlds.every_world(), lambda D: next(filter(None, (
        finds(D, [s], lambda k, history, s=s: search(D, s, k)) for s in worlds.texts(D))), None))
    assert found == ((("a", "a"), ("aa", "aa")), "aaaaa", ("a", 3), "a")


# Limits
#   Short chains are walked and have no tree in the search of section 5; here every token has one.

if __name__ == "__main__":
    check.alone(__file__)
