"""Proposition 14: a symbol that is no atom is its own token, and a wall.

Statement
    For a text with symbols that are no atoms, T and θ of every prefix are those of the dictionary that has these symbols
    for atoms too, in no rule: each is a token by itself, and nothing before it matters behind it. All that is before it
    is final once it is read.

Why
    No rule has such a symbol, so no merge crosses it, and Lemma 3.1 splits the text at it. The automaton is at its root
    after it, since no token holds it, and its number is outside all ranges.
"""
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary, Tokenizer

UNKNOWN = worlds.UNKNOWN


# Predicate
def predicate(D: Dictionary, texts: list[str], layer: Any) -> Any:
    """None if the layer does on each text what the statement says, else the first text with both."""
    for s in texts:
        known = Dictionary(D.atoms | set(s), D.rules)
        expected = bpe.T(known, s), [bpe.θ(known, x) for x in bpe.prefixes(s)], bpe.T(known, s[:max(0, s.rfind(UNKNOWN))])
        found = layer.tokens(s), layer.thetas(s), layer.released(s)[:len(expected[2])]
        if found != expected:
            return worlds.shown(D), s, found, expected
    return None


def walls(D: Dictionary, texts: list[str], tokenize: Tokenizer = bpe.T) -> Any:
    """None if each text's tokens are those of its parts between unknown symbols, and these symbols, else both."""
    for s in texts:
        parts = [z for k, part in enumerate(s.split(UNKNOWN)) for z in ([UNKNOWN] if k else []) + bpe.T(D, part)]
        if tokenize(D, s) != parts:
            return worlds.shown(D), s, tokenize(D, s), parts
    return None


class Asked:
    """The compiled layer, asked for tokens, θ of every prefix, and what the window releases."""

    def __init__(self, D: Dictionary, extra: str = "") -> None:
        self.layer = Compiled(Dictionary(D.atoms | set(extra), D.rules))

    def tokens(self, s: str) -> list[str]:
        return self.layer.T(s)

    def thetas(self, s: str) -> list[str]:
        found: Any = incbpe.theta(self.layer.N, s)
        return [*found]

    def released(self, s: str) -> list[str]:
        found: Any = incbpe.EagerOutput(self.layer.N).extend(s)
        return [*found]


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    """Also with the unknown symbols for atoms."""
    return predicate(D, texts, Asked(D)) or predicate(D, texts, Asked(D, UNKNOWN)) or walls(D, texts)


def with_unknown(texts: list[str]) -> list[str]:
    """Each text with an unknown symbol in it, at one place or another."""
    return [s[:k] + UNKNOWN + s[k:] for n, s in enumerate(texts) for k in [n % (len(s) + 1)]]


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 15 of the 9,198 lists, every text with an unknown symbol in it."""
    return check.sweep(worlds.every_world(), lambda D: holds_compiled(D, with_unknown(worlds.texts(D))[::-3]),
                       worlds.WORLDS, 15 * every, 20)


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    D, texts = world
    check.hold(holds_compiled(D, texts + with_unknown(texts)))


# Control
class Plain:
    """The definitions, with a fault in what an unknown symbol is."""

    def __init__(self, D: Dictionary, fault: str) -> None:
        self.D, self.fault = D, fault

    def tokens(self, s: str) -> list[str]:
        if self.fault == "vanishes":
            return bpe.T(self.D, s.replace(UNKNOWN, ""))
        return bpe.T(self.D, s)

    def thetas(self, s: str) -> list[str]:
        """θ by the text without the symbol: what was before it is still seen behind it."""
        if self.fault == "no wall":
            return [UNKNOWN if x[-1] == UNKNOWN else bpe.T(self.D, x.replace(UNKNOWN, ""))[-1]
                    for x in bpe.prefixes(s)]
        return [bpe.T(self.D, x)[-1] for x in bpe.prefixes(s)]

    def released(self, s: str) -> list[str]:
        """With nothing final that the longest token could reach."""
        if self.fault == "held back":
            return bpe.T(self.D, s[:max(0, len(s) - max(map(len, self.D.tokens)))])
        return bpe.eager(self.D, s, "window")


def plain(fault: str) -> Any:
    return check.first(worlds.every_world(), lambda D: predicate(
        D, with_unknown(worlds.texts(D)), Plain(D, fault)))


def test_control_it_vanishes() -> None:
    found = plain("vanishes")
    assert found == ((), "?a", (["a"], ["?", "a"], []), (["?", "a"], ["?", "a"], []))


def test_control_what_was_before_it_still_seen() -> None:
    found = plain("no wall")
    assert found == ((("a", "a"),), "a?a", (["a", "?", "a"], ["a", "?", "aa"], ["a"]), (["a", "?", "a"], ["a", "?", "a"], ["a"]))


def test_control_what_is_before_it_held_back() -> None:
    found = plain("held back")
    assert found == ((("a", "a"),), "b?", (["b", "?"], ["b", "?"], []), (["b", "?"], ["b", "?"], ["b"]))


def test_control_seen_through() -> None:
    """The tokens of the text without the symbol."""
    found = check.first(worlds.every_world(), lambda D: walls(
        D, with_unknown(worlds.texts(D)), lambda D, s: bpe.T(D, s.replace(UNKNOWN, ""))))
    assert found == ((), "?a", ["a"], ["?", "a"])


# Limits
#   One symbol that is no atom. What a tokenizer makes of unknown symbols (an unknown token, bytes, nothing) is in tests/.

if __name__ == "__main__":
    check.alone(__file__)
