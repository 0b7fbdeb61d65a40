"""Section 5: θ of every prefix, one symbol at a time, by three searches.

Statement
    Given θ of every shorter prefix, θ of the first t symbols is found among the canonical suffixes of the automaton's
    longest one, k: the longest that is valid, w_z being θ of the first t - |suc(z)|. Longest first, from the root down,
    and by centroids give the same; an unknown symbol is its own θ. So incbpe's incremental form gives θ of every
    prefix.

Why
    θ(s) is a canonical suffix (Section 3.3), so it is on chain(k) (Section 5.2), and it is the longest valid one
    (Theorem 4.2). Downwards at most one child is valid (Section 4.3). At a centroid: the valid tokens are a path from
    the root, so if the centroid is off it, its whole subtree is; if it is on it, θ(s) is it or below its only valid
    child.
"""
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_algorithms import Normal, Search
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary

SEARCHES = ("longest", "root", "centroid")


# Predicate
def predicate(D: Dictionary, texts: list[str], thetas: Any) -> Any:
    """None if `thetas` gives θ of every prefix of each text, else the first text and both lists."""
    for s in texts:
        expected = [bpe.θ(D, x) for x in bpe.prefixes(s)]
        if thetas(s) != expected:
            return worlds.shown(D), s, thetas(s), expected
    return None


def compiled(N: Any, search: Any = None) -> Any:
    """θ of every prefix by the compiled incremental form, and what it says of the tokens held to it."""
    def thetas(s: str) -> list[str]:
        inc: Any = incbpe.Incremental(N, search)
        fed: list[str] = [inc.feed(c) for c in s]
        assert inc.thetas() == fed and "".join(inc.tokens()) == s and inc.tokens()[-1:] == fed[-1:]
        return fed

    return thetas


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    N = Compiled(D).N
    found = predicate(D, texts, lambda s: incbpe.theta(N, s))
    return found or next(filter(None, (predicate(D, texts[-16:], compiled(N, way)) for way in SEARCHES)), None)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """All 1,957 lists of splits of a…aaaa on a…aaaaaaaaa, one in ten of the 7,241 lists over {a, b}, one in 500 of the
    116,280 of four rules, and one in two of the 485 grown lists, with tokens up to length 8, on one in five words of
    length 7 and all their prefixes.
    """
    count = check.sweep(worlds.run_worlds(), lambda D: holds_compiled(D, worlds.RUNS[-1:]), worlds.RUN_WORLDS, every, 9)
    count += check.sweep(worlds.pair_worlds(), lambda D: holds_compiled(D, worlds.WORDS[-32:]), worlds.PAIR_WORLDS,
                         10 * every, len(worlds.WORDS))
    count += check.sweep(worlds.larger_worlds(), lambda D: holds_compiled(D, worlds.WORDS[-32:]), worlds.LARGER_WORLDS,
                         500 * every, len(worlds.WORDS))
    return count + check.sweep(worlds.grown_worlds(), lambda D: holds_compiled(D, worlds.LONGER_WORDS[-128::5]),
                               worlds.GROWN_WORLDS, 2 * every, len(worlds.LONGER_WORDS) // 5)


def test_exhaustive() -> None:
    assert {x for s in worlds.WORDS[-32:] for x in bpe.prefixes(s)} == set(worlds.WORDS)
    exhaustive()


# Random
@worlds.given(worlds.st.one_of(worlds.random_worlds(longest=30, unknown=True), worlds.real_worlds()))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def plain(fault: str | None, among: list[Dictionary]) -> Any:
    def holds(D: Dictionary) -> Any:
        search = Search(Normal(D), "longest", fault)
        return predicate(D, worlds.texts(D), lambda s: search.history(s)[1:])

    return check.first(among, holds)


def test_control_w_at_the_left_part() -> None:
    found = plain("w at |pre|", worlds.every_world())
    assert found == ((("a", "a"), ("aa", "a")), "aaaa", ["a", "aa", "aaa", "aaa"], ["a", "aa", "aaa", "aa"])


def test_control_longest_not_inherited() -> None:
    found = plain("longest not inherited", worlds.grown_worlds())
    assert found == ((("a", "a"), ("a", "b"), ("aa", "ab")), "aaaa", ["a", "aa", "a", "a"], ["a", "aa", "a", "aa"])


def test_control_no_validity_test() -> None:
    found = plain("no validity test", worlds.every_world())
    assert found == ((("a", "a"),), "aaa", ["a", "aa", "aa"], ["a", "aa", "a"])


# Limits
#   Equation 1 here; rank BPE's forms are in propositions 4 and 5. Going back (`pop`, checkpoints) is in tests/.

if __name__ == "__main__":
    check.alone(__file__)
