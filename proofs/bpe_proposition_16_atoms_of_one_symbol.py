"""Proposition 16: atoms are single symbols, and no rule makes a token but by merging.

Statement
    Every text has exactly one decomposition into atoms, its symbols, because atoms have one symbol each. A token of two
    symbols or more that no rule makes is never produced, nor is one of which no rule's parts are; and a rule whose
    parts are never made never fires. With atoms of two symbols a text could be decomposed in two ways, with two results.

Why
    T_D begins with the symbols, and each rule only joins what is there. With atoms a, b, c, ab and rules (ab, c),
    (a, bc), the text abc is ab c or a b c: it is abc by one way, a b c by the other.
"""
from typing import Any

from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary


# Predicate
def predicate(D: Dictionary, texts: list[str], tokenize: Any) -> Any:
    """None if each text's tokens are its symbols, joined by rules that can fire alone; else the text and both."""
    made, rules = set(D.atoms), []
    for x, y in D.rules:            # T_D goes through the rules once, so parts that are made later count for nothing
        if {x, y} <= made:
            made.add(x + y)
            rules.append((x, y))
    able = Dictionary(D.atoms, tuple(rules))
    for s in texts:
        tokens = tokenize(s)
        if tokens != bpe.T(able, s):
            return worlds.shown(D), s, tokens, bpe.T(able, s)
    return None


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    return predicate(D, texts, Compiled(D).T)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in five of the 9,198 lists, whose parts mostly are not all made, and all their texts."""
    return check.sweep(worlds.every_world(), lambda D: holds_compiled(D, worlds.texts(D)), worlds.WORLDS, 5 * every,
                       len(worlds.WORDS))


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def from_the_longest(D: Dictionary, s: str) -> list[str]:
    """T with every token that no rule makes for an atom, a text being decomposed by the longest of them first."""
    atoms = D.tokens - {x + y for x, y in D.rules}
    tokens, i = [], 0
    while i < len(s):
        tokens.append(max((s[i:j] for j in range(i + 1, len(s) + 1) if s[i:j] in atoms or j == i + 1), key=len))
        i += len(tokens[-1])
    for rule in D.rules:
        tokens = bpe.apply_rule(rule, tokens)
    return tokens


def test_control_atoms_of_two_symbols() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda s: from_the_longest(D, s)))
    assert found == ((("a", "aa"),), "aa", ["aa"], ["a", "a"])


def test_control_two_decompositions() -> None:
    """The example of the text above."""
    D = worlds.dictionary(("ab", "c"), ("a", "bc"))
    assert predicate(D, ["abc"], lambda s: from_the_longest(D, s)) == (
        worlds.shown(D), "abc", ["abc"], ["a", "b", "c"])


def test_control_parts_that_are_made_later() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(D, worlds.texts(D), lambda s: bpe.PQ(D, s)))
    assert found == ((("a", "ab"), ("a", "b")), "aab", ["aab"], ["a", "ab"])


# Limits
#   Which entries of a real vocabulary can never be produced is told by `python -m proofs --vocab`.

if __name__ == "__main__":
    check.alone(__file__)
