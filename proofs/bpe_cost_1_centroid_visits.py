"""Cost 1: a search by centroids looks at 2 + ⌊log₂ |chain(k)|⌋ tokens at most.

Statement
    For each symbol the search looks at k, the longest suffix token, and at no more than 1 + ⌊log₂ |chain(k)|⌋ centroids
    besides, each with one range test and one binary search among the ranges of its children. So a symbol costs O(log²
    t), whatever the dictionary and the text.

Why
    A centroid leaves components of half the nodes at most, and the search goes into one of them: n nodes are used up by
    1 + ⌊log₂ n⌋ centroids.
"""
from collections.abc import Iterator
from itertools import pairwise
from math import log2
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_algorithms import Normal, Search
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary, T

LONGEST = 64


# Predicate
def predicate(D: Dictionary, texts: list[str], visits: Any) -> Any:
    """None if at no symbol of a text more tokens were looked at than the bound says, else the first that had more."""
    for s in texts:
        for x, count in zip(bpe.prefixes(s), visits(s), strict=True):
            chain = len(bpe.chain(D, x))
            bound = 2 + int(log2(chain)) if chain else 0
            if count > bound:
                return len(D.rules), len(x), count, bound
    return None


def compiled(D: Dictionary) -> Any:
    """The visits that the compiled search counts, a symbol at a time."""
    N = Compiled(D).N

    def visits(s: str) -> list[int]:
        inc = incbpe.Incremental(N, "centroid")
        counts = [0]
        for c in s:
            inc.feed(c)
            counts.append(inc.visits)
        return [after - before for before, after in pairwise(counts)]

    return visits


def runs(longest: int) -> Dictionary:
    """All of a, aa, …, aⁿ canonical, as the runs of spaces in real vocabularies are: powers of two first, from halves,
    and then each other one from the largest power of two in it and the rest.
    """
    powers = [2**k for k in range(1, longest.bit_length()) if 2**k <= longest]
    halves = [(n // 2, n // 2) for n in powers]
    rests = [(power := 2**(n.bit_length() - 1), n - power) for n in range(3, longest + 1) if n not in powers]
    return worlds.dictionary(*(("a" * left, "a" * right) for left, right in halves + rests), atoms="ab")


def run_worlds() -> Iterator[tuple[Dictionary, list[str]]]:
    """Dictionaries of runs, shortest first, each with a text of one long run."""
    return ((runs(longest), ["b" + "a" * (2 * longest + 3)]) for longest in range(1, LONGEST + 1))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """Runs with chains of up to 64 tokens; and one in 20 of the 9,198 lists with all their texts."""
    count = check.sweep(run_worlds(), lambda world: predicate(world[0], world[1], compiled(world[0])), LONGEST, every)
    return count + check.sweep(worlds.every_world(), lambda D: predicate(D, worlds.texts(D), compiled(D)),
                               worlds.WORLDS, 20 * every, len(worlds.WORDS))


def test_exhaustive() -> None:
    D = runs(LONGEST)
    assert len(bpe.chain(D, "a" * LONGEST)) == LONGEST
    assert max(compiled(D)("a" * 2 * LONGEST)) in range(5, 9)       # 8 is the bound, and the chain is searched
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(longest=30, unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    D, texts = world
    check.hold(predicate(D, texts, compiled(D)))


# Control
def plain(D: Dictionary, way: str, fault: str | None = None) -> Any:
    """The visits, or the tests of a search that has no centroids, of the plain search."""
    def visits(s: str) -> list[int]:
        counts = []
        for x in bpe.prefixes(s):
            search = Search(Normal(D), way, fault)
            history: list[str | None] = [None, *(T(D, y)[-1] for y in bpe.prefixes(x)[:-1])]
            k = bpe.chain(D, x)[-1]
            if k != x:
                search.search(k, history, len(x))
            counts.append(search.counts.visits if way == "centroid" else search.counts.tests)
        return counts

    return visits


def test_the_plain_centroids_stay_within_the_bound() -> None:
    some = [world for world in run_worlds() if len(world[0].rules) in (3, 7, 12)]
    assert check.first(some, lambda world: predicate(world[0], world[1], plain(world[0], "centroid"))) is None


def test_control_any_vertex_for_the_centroid() -> None:
    found = check.first(run_worlds(), lambda world: predicate(
        world[0], world[1], plain(world[0], "centroid", "any vertex")))
    assert found == (3, 6, 5, 4)


def test_control_longest_first() -> None:
    found = check.first(run_worlds(), lambda world: predicate(world[0], world[1], plain(world[0], "longest")))
    assert found == (7, 10, 8, 5)


# Limits
#   What a binary search costs is not counted. Real vocabularies, with chains of up to 86 tokens, are checked by
#   `python -m proofs --vocab` and in tests/. Visits are counted, not seconds: time is for benchmarks/.

if __name__ == "__main__":
    check.alone(__file__)
