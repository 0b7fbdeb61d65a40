"""Proposition 15: no safe output has a bounded delay.

Statement
    Let c_0, c_1, …, c_n be distinct symbols and D = [(c_{n-1}, c_n), …, (c_1, c_2), (c_0, c_1)]. On s = c_0 c_1 … c_n
    no token is final before all of s is read, and then all are: whatever n is, though no token has more than two
    symbols. So every safe output holds back all of s, and the maximal criterion holds back no more than that.

Why
    The last two symbols merge first, then the two before them, and so on: whether c_0 is a token by itself depends on
    whether the number of symbols is odd, and so on how far the text goes on.
"""
from collections.abc import Iterator
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary

LETTERS = "abcdefghijklmnopqrstuvwxyz"


# Predicate
def predicate(D: Dictionary, s: str, released: Any) -> Any:
    """None if nothing is out before the end of s, since the prefixes' tokens begin in two ways; and all at the end."""
    out: list[str] = []
    for x in bpe.prefixes(s):
        out = [*out, *released(x)]
        agreed = bpe.agreed(D, x, 1)
        expected = bpe.T(D, s) if x == s else []
        if out != agreed or agreed != expected:
            return len(s), len(x), out, agreed
    return None


def by_maximal(D: Dictionary) -> Any:
    """What the compiled maximal criterion releases after each prefix, one after the other."""
    e = incbpe.EagerOutput(Compiled(D).N, "maximal")
    return lambda x: e.feed(x[-1])


def latest_first(n: int) -> Dictionary:
    """The statement's D for n rules."""
    return worlds.dictionary(*((LETTERS[k], LETTERS[k + 1]) for k in reversed(range(n))), atoms=LETTERS[:n + 1])


def chains() -> Iterator[tuple[Dictionary, str]]:
    """D and s for n = 1, 2, …, 25."""
    return ((latest_first(n), LETTERS[:n + 1]) for n in range(1, len(LETTERS)))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """All n up to 25."""
    return check.sweep(chains(), lambda world: predicate(world[0], world[1], by_maximal(world[0])), 25, every)


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.st.permutations(LETTERS), worlds.st.integers(1, 12))
def test_random(letters: list[str], n: int) -> None:
    """Whatever the symbols are, and in whichever order they are sorted."""
    renamed = str.maketrans(LETTERS, "".join(letters))
    rules = tuple((x.translate(renamed), y.translate(renamed)) for x, y in latest_first(n).rules)
    D = worlds.dictionary(*rules)
    check.hold(predicate(D, LETTERS[:n + 1].translate(renamed), by_maximal(D)))


# Control
def test_control_the_other_order() -> None:
    """With the rules in the order of the text, what is decided never changes, and is out at once."""
    def in_order(s: str) -> Dictionary:
        return Dictionary(frozenset(s), latest_first(len(s) - 1).rules[::-1])

    found = check.first(chains(), lambda world: predicate(in_order(world[1]), world[1], by_maximal(in_order(world[1]))))
    assert found == (3, 2, ["ab"], ["ab"])


def test_control_delayed_by_twice_the_longest_token() -> None:
    """What ends four symbols before the end is taken to be final, and at the end of the text all of it."""
    def released(D: Dictionary, x: str) -> list[str]:
        before = bpe.T(D, x[:max(0, len(x) - 5)])
        return (bpe.T(D, x) if len(x) == len(D.atoms) else bpe.T(D, x[:max(0, len(x) - 4)]))[len(before):]

    found = check.first(chains(), lambda world: predicate(
        world[0], world[1], lambda x: released(world[0], x)))
    assert found == (6, 5, ["a"], [])


# Limits
#   One family. How long texts are held back in practice is for benchmarks/.

if __name__ == "__main__":
    check.alone(__file__)
