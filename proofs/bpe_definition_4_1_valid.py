"""Definition 4.1: valid(z, s), the prefix last-token condition.

Statement
    Let z = pre(z) suc(z) be a canonical token that s ends with, and w = θ(s without suc(z)). z is valid iff w is x =
    pre(z), or w lies properly below x in the successor forest and the child c of x on the way to w has prio(c) >
    prio(z). Atoms are valid. This says whether rule prio(z) finds x in front of suc(z): when its pass over s is done, z
    is the last token iff z is valid. The compiled walk decides as the definition does.

Why
    The last token of the text before suc(z) goes through the forest from an atom to w as the rules run (theorem 4.2).
    It is x when rule prio(z) comes iff x is on that way and the next one, c, is made later. Equality fails: if c is z
    itself, the pass has taken x already, as on aaa with z = aa, w = aa.
"""
from collections.abc import Callable
from typing import Any

from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_algorithms import Normal, follows
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary

Follows = Callable[[str, str | None], bool]


# Predicate
def predicate(D: Dictionary, texts: list[str], valid: Follows, passes: int = 1) -> Any:
    """None if `valid`, given z and w, says for every z on each text's chain what the definition says, and whether z is
    the last token after the pass of rule prio(z), or so many more; else the first text, z and w.
    """
    for s in texts:
        for z in bpe.chain(D, s):
            i = bpe.prio(D, z)
            if i is not None:
                w, last = bpe.w(D, z, s), bpe.T(Dictionary(D.atoms, D.rules[:i + passes]), s)[-1]
                if not valid(z, w) == bpe.valid(D, z, s) == (last == z):
                    return worlds.shown(D), s, z, w, valid(z, w), bpe.valid(D, z, s), last
    return None


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    return predicate(D, texts, Compiled(D).valid_by_walking)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """All 1,957 lists of splits of a…aaaa on a…aaaaaaaaa, and one in ten of the 7,241 lists over {a, b}."""
    count = check.sweep(worlds.run_worlds(), lambda D: holds_compiled(D, worlds.RUNS), worlds.RUN_WORLDS, every,
                        len(worlds.RUNS))
    return count + check.sweep(worlds.pair_worlds(), lambda D: holds_compiled(D, worlds.WORDS), worlds.PAIR_WORLDS,
                               10 * every, len(worlds.WORDS))


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds())
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
    assert found == ((("a", "a"),), "aaa", "aa", "aa", True, False, "a")


def test_control_no_priority_test() -> None:
    found = plain("no priority test")
    assert found == ((("a", "a"),), "aaa", "aa", "aa", True, False, "a")


def test_control_only_the_left_part_itself() -> None:
    found = plain("w must be pre")
    assert found == ((("a", "a"), ("b", "a")), "baa", "aa", "ba", False, True, "aa")


def test_control_a_pass_later() -> None:
    """When the next rule has passed, z may have been taken."""
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda z, w: bpe.follows(D, z, w), 2))
    assert found == ((("a", "a"), ("b", "aa")), "baa", "aa", "a", True, True, "baa")


# Limits
#   w is θ by the definition here; that the search has the right w at hand is section 5.

if __name__ == "__main__":
    check.alone(__file__)
