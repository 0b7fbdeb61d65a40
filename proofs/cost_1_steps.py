"""Cost 1: LinMaxMatch makes at most n edges and n failure moves.

Statement
    For a word of n characters MatchLoop follows at most n edges and makes at most n failure moves, those at ␣ included.
    Both bounds are met, by aⁿ with V = {a, ##a}.

Why
    Each edge reads a character, and no character is read twice. Each failure move pops at least one token (F is not
    empty where f is not ∅), each token holds at least one character, and no character is popped that was not read.
"""
from collections.abc import Callable
from typing import Any

import linmaxmatch as lmm
from proofs import check, worlds
from proofs.compiled import FORMS, Compiled, Roots, vocabulary
from proofs.definitions.wordpiece import Vocabulary, prefixes

WORDS = worlds.strings("ab", 6)
Count = Callable[[str], tuple[int, int]]


# Predicate
def predicate(V: Vocabulary, words: list[str], count: Count) -> Any:
    """None if a counter of edges and moves stays within n of each for all words, else the first word beyond."""
    return next(((*worlds.shown(V), w, count(w)) for w in words if max(count(w)) > len(w)), None)


def counted(V: Vocabulary, roots: Roots) -> Count:
    """The edges and moves that the compiled MatchLoop counts when it reads a word from r."""
    tables = lmm.precompute(lmm.Trie(vocabulary(V), roots=roots))

    def count(w: str) -> tuple[int, int]:
        steps = lmm.Steps()
        lmm.match_loop(tables, w, 0, steps)
        return steps.edges, steps.moves

    return count


def recounted(V: Vocabulary, roots: Roots) -> Count:
    """The same, walked here along the compiled δ and f: so that the compiled counter is not taken at its word."""
    layer = Compiled(V, roots)
    T, tables = layer.T, layer.tables

    def count(w: str) -> tuple[int, int]:
        u: Any = T.root
        edges = moves = 0
        for c in [*w, None]:
            while (c is None or T.delta(u, c) is None) and tables.f(u) is not None:
                u, moves = tables.f(u), moves + 1
            if c is None or T.delta(u, c) is None:
                break
            u, edges = T.delta(u, c), edges + 1
        return edges, moves

    return count


def counts_agree(V: Vocabulary, words: list[str], count: Count, again: Count) -> Any:
    """None if both count the same for every word, else the first word and both."""
    return next(((*worlds.shown(V), w, count(w), again(w)) for w in words if count(w) != again(w)), None)


def holds_compiled(V: Vocabulary, words: list[str]) -> Any:
    for roots in FORMS:
        count = counted(V, roots)
        witness = predicate(V, words, count) or counts_agree(V, words, count, recounted(V, roots))
        if witness is not None:
            return witness
    return None


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in four of the 9,827 small vocabularies, all 127 words over {a, b} up to length 6, one root and two."""
    return check.sweep(worlds.small_vocabularies(), lambda V: holds_compiled(V, WORDS), 9_827, 4 * every, len(WORDS))


def test_exhaustive() -> None:
    assert len(WORDS) == 127
    exhaustive()


def test_both_bounds_are_met() -> None:
    V = Vocabulary(frozenset({"a", "##a"}))
    for n in (1, 2, 3, 10, 1_000, 100_000):
        assert counted(V, 1)("a" * n) == (n, n)


def test_linear_where_backtracking_is_not() -> None:
    """aⁿ with V = {a, ##a, a²⁰b, ##a²⁰b}: every start promises a longer token that never comes."""
    V = Vocabulary(frozenset({"a", "##a", "a" * 20 + "b", "##" + "a" * 20 + "b"}))
    assert counted(V, 1)("a" * 1_000) == (1_000, 1_000)
    assert backtracking(V)("a" * 1_000)[0] == 19_810


# Random
@worlds.given(worlds.random_worlds())
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def backtracking(V: Vocabulary) -> Count:
    """MaxMatch with a trie: from each piece's end it reads on as far as the trie goes, and goes back to the last token.
    """
    begun = {x for t in V.tokens for x in prefixes(t)}

    def count(w: str) -> tuple[int, int]:
        start = edges = backs = 0
        while start < len(w):
            sharp = V.suffix_indicator if start else ""
            end, best = start, start
            while end < len(w) and sharp + w[start:end + 1] in begun:
                end, edges = end + 1, edges + 1
                best = end if sharp + w[start:end] in V else best
            backs += end > best
            if best == start:
                break
            start = best
        return edges, backs

    return count


def test_control_backtracking_reads_again() -> None:
    found = check.first(worlds.long_chains(), lambda V: predicate(V, WORDS, backtracking(V)))
    assert found == (("##a", "a", "aaaa"), "##", "aa", (3, 1))


def test_control_the_moves_of_the_end_not_counted() -> None:
    def read_only(V: Vocabulary) -> Count:
        count = recounted(V, 1)
        return lambda w: (count(w)[0], max(0, count(w)[1] - 1))

    found = check.first(worlds.longer_pieces(), lambda V: counts_agree(V, WORDS, counted(V, 1), read_only(V)))
    assert found == (("a",), "##", "a", (1, 1), (1, 0))


# Limits
#   With one root, a word that starts with a non-empty ♯ has its first piece read once more (at most n further edges);
#   the count here is MatchLoop's. Steps are counted, not seconds: time is for benchmarks/.

if __name__ == "__main__":
    check.alone(__file__)
