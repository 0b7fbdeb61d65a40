"""Cost 7: what each search counts, exactly.

Statement
    For every symbol, with the canonical suffix tokens chain(k), longest first, and θ among them:
    longest first looks at the tokens down to θ and tests each; pairs likewise, but tests no token that has nothing, or
    an unknown symbol, before it; from the root down one looks at θ's root path, and tests all but the root; by centroids
    one looks at k and tests it, then, of no more than three shorter ones, at each down to θ; of more, at the centroids on
    the way, where only one with something above it is tested, and a part of one token has none.

Why
    This is what the searches do, said for their counters: the bounds of costs 1 and 2 are about these numbers, and a
    counter that is off would show them met by a search that does not.
"""
from itertools import pairwise
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_compiled import Compiled
from proofs.bpe_cost_1_centroid_visits import LONGEST, run_worlds
from proofs.definitions import bpe
from proofs.definitions.bpe import PQ, Dictionary, T

WALK = 3
Counts = tuple[int, int]


def down_the_chain(D: Dictionary, x: str, tokenize: Any = T) -> int:
    """How many tokens of the chain, from the longest one, there are down to θ."""
    return list(reversed(bpe.chain(D, x, tokenize))).index(tokenize(D, x)[-1]) + 1


def in_the_tree(outline: Any, path: list[str]) -> Counts:
    """The centroids on the way to the end of a root path, and those of them with something above."""
    c, above, below = outline
    if above is None and not below:
        return 0, 0
    tested = above is not None
    parts = [above] if tested and c not in path else [part for part in below if tokens_of(part) & {*path}]
    visits, tests = in_the_tree(parts[0], path) if parts else (0, 0)
    return visits + 1, tests + tested


def tokens_of(part: Any) -> set[str]:
    """The tokens of a part."""
    c, above, below = part
    return {c}.union(*map(tokens_of, [above] if above else []), *map(tokens_of, below))


def expected(D: Dictionary, x: str, way: str, trees: Any) -> Counts:
    """(visits, tests) for the last symbol of x."""
    tokenize = PQ if way == "pairs" else T
    chain = bpe.chain(D, x, tokenize)
    if not chain:
        return 0, 0
    last = tokenize(D, x)[-1]
    if way == "root":
        return len(bpe.root_path(D, last)), len(bpe.root_path(D, last)) - 1
    walked = down_the_chain(D, x, tokenize)
    if way == "pairs":
        before = x[:len(x) - len(last)]
        return walked, walked - (not before or before[-1] not in D.atoms)
    if way == "longest" or len(chain) <= 1 + WALK or walked == 1:
        return walked, walked
    visits, tests = in_the_tree(trees(chain[-2]), bpe.root_path(D, last))
    return visits + 1, tests + 1


# Predicate
def predicate(D: Dictionary, texts: list[str], way: str, counts: Any, trees: Any) -> Any:
    """None if (visits, tests) of each symbol of the texts are the expected ones, else the first text where not."""
    for s in texts:
        for x, found in zip(bpe.prefixes(s), counts(s), strict=True):
            if found != expected(D, x, way, trees):
                return len(D.rules), x, way, found, expected(D, x, way, trees)
    return None


def searched(D: Dictionary, s: str, forest: Any, search: Any) -> Any:
    """None if the tree of the longest token finds θ of each prefix of s, with just the visits that its outline says."""
    history: list[str | None] = [None]
    for x in bpe.prefixes(s):
        last = T(D, x)[-1]
        chain = bpe.chain(D, x)
        if chain:
            tree = tree_of(forest, chain[-1])
            expected = last, in_the_tree(tree.outline(), bpe.root_path(D, last))[0]
            if search(tree, history) != expected:
                return len(D.rules), x, search(tree, history), expected
        history.append(last if chain else None)
    return None


def tree_of(forest: Any, k: str) -> Any:
    return incbpe.CentroidTree(incbpe.SuffixSuccessorTree(forest, incbpe.SuffixAutomaton(forest.N), k))


def counted(N: Any, way: Any) -> Any:
    """The counters of the compiled search, a symbol at a time."""
    def counts(s: str) -> list[Counts]:
        inc = incbpe.Incremental(N, way)
        totals = [(0, 0)]
        for c in s:
            inc.feed(c)
            totals.append((inc.visits, inc.tests))
        return [(v - u, t - r) for (u, r), (v, t) in pairwise(totals)]

    return counts


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    layer = Compiled(D)
    forest = incbpe.SuccessorForest(layer.N)

    def trees(k: str) -> Any:
        return tree_of(forest, k).outline()

    for s in texts[-1:]:
        witness = searched(D, s, forest, lambda tree, history: tree.search(history))
        if witness is not None:
            return witness

    for way in ("longest", "root", "centroid"):
        witness = predicate(D, texts, way, counted(layer.N, way), trees)
        if witness is not None:
            return witness
    return predicate(D, texts, "pairs", counted(layer.rank, "pairs"), trees) if layer.rank.form == "pairs" else None


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """Half of the runs with chains of up to 64 tokens, and one in 20 of the 9,198 lists with some of their texts."""
    count = check.sweep(run_worlds(), lambda world: holds_compiled(*world), LONGEST, 2 * every)
    return count + check.sweep(worlds.every_world(), lambda D: holds_compiled(D, worlds.texts(D)[::7]), worlds.WORLDS,
                               20 * every, len(worlds.WORDS) // 7)


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(longest=30, unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def test_control_a_token_looked_at_twice() -> None:
    def twice(D: Dictionary) -> Any:
        counts = counted(Compiled(D).N, "longest")
        return predicate(D, worlds.texts(D), "longest", lambda s: [
            (visits + (visits > 1), tests) for visits, tests in counts(s)], None)

    assert check.first(worlds.every_world(), twice) == (1, "aaa", "longest", (3, 2), (2, 2))


def test_control_one_visit_too_many() -> None:
    def off(D: Dictionary) -> Any:
        forest = incbpe.SuccessorForest(Compiled(D).N)
        return searched(D, worlds.texts(D)[-1], forest, lambda tree, history: (
            tree.search(history)[0], tree.search(history)[1] + 1))

    assert check.first(worlds.every_world(), off) == (0, "a", ("a", 1), ("a", 0))


# Limits
#   The steps of a binary search are not counted.

if __name__ == "__main__":
    check.alone(__file__)
