"""Theorem 4.2: the valid suffix tokens are the path from θ(s) to its root.

Statement
    For any dictionary and any s that ends with an atom, the canonical suffix tokens of s that are valid are exactly
    θ(s), suc(θ(s)), suc(suc(θ(s))), … down to the atom. So θ(s) is the longest valid suffix token: trying the longest
    first and stopping at the first valid one is right, and so is walking down from the atom as long as a child is
    valid.

Why
    As the rules run, the last token of s grows from the atom to θ(s), each time by a canonical rule (Section 3.3) of
    which it was the right part: all that it ever was is the root path. Let z be on it and u the text before suc(z):
    rule prio(z) found x = pre(z) last in u, and what grows x in u alone comes later, so z is valid. Let z be valid: x
    is last in u when rule prio(z) comes, so up to there the end of u was treated as x is alone (Lemma 3.1), and suc(z)
    too; nothing merged across the boundary between them, since nothing does inside z. So that rule makes z, last in s.
"""
from typing import Any

from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_algorithms import Normal, Ranges, follows
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary


# Predicate
def predicate(D: Dictionary, texts: list[str], valid: Any) -> Any:
    """None if on each text the chain's tokens that `valid` admits are the root path of θ(s), else both lists."""
    for s in texts:
        if s[-1] in D.atoms:
            found = [z for z in bpe.chain(D, s)
                     if (after := bpe.suc(D, z)) is None or valid(z, bpe.θ(D, s[:-len(after)]))]
            path = bpe.root_path(D, bpe.T(D, s)[-1])[::-1]
            if found != path:
                return worlds.shown(D), s, found, path
    return None


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    return predicate(D, texts, Compiled(D).valid)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """All 1,957 lists of splits of a…aaaa on a…aaaaaaaaa, and one in five of the 7,241 lists over {a, b}."""
    count = check.sweep(worlds.run_worlds(), lambda D: holds_compiled(D, worlds.RUNS), worlds.RUN_WORLDS, every,
                        len(worlds.RUNS))
    return count + check.sweep(worlds.pair_worlds(), lambda D: holds_compiled(D, worlds.WORDS), worlds.PAIR_WORLDS,
                               5 * every, len(worlds.WORDS))


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def plain(fault: str) -> Any:
    def holds(D: Dictionary) -> Any:
        N = Normal(D)
        return predicate(D, worlds.texts(D), lambda z, w: follows(N, z, w, fault))

    return check.first(worlds.every_world(), holds)


def test_control_equal_priorities() -> None:
    found = plain("≥ for >")
    assert found == ((("a", "a"),), "aaa", ["a", "aa"], ["a"])


def test_control_no_priority_test() -> None:
    found = plain("no priority test")
    assert found == ((("a", "a"),), "aaa", ["a", "aa"], ["a"])


def test_control_only_the_left_part_itself() -> None:
    found = plain("w must be pre")
    assert found == ((("a", "a"), ("b", "a")), "baa", ["a"], ["a", "aa"])


def test_control_ranges_without_their_end() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), Ranges(Normal(D), "hi = tout(pre)").holds))
    assert found == ((("a", "a"),), "aaa", ["a", "aa"], ["a"])


# Limits
#   Neither properness nor prefix-closed V is assumed. A text that ends with an unknown symbol has no suffix token.

if __name__ == "__main__":
    check.alone(__file__)
