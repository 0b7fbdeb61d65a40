"""Proposition 13: a rule that stands twice.

Statement
    If a pair stands twice in D, equation 1 lets it fire at both places, and rank BPE at the first alone. Libraries keep
    one place, most of them the last. The three differ: so a dictionary with such a list is refused, unless one place is
    asked for; T and PQ are then those of the list without the other.

Why
    Between the two places a rule may make a part of the pair, which the first place did not see, and which the last one
    alone would leave to the rules in between.
"""
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary


# Predicate
def predicate(D: Dictionary, texts: list[str], kept: Dictionary, tokenize: Any, rank: Any) -> Any:
    """None if both tokenizers are those of the list that is kept, on all texts, else the first text and both results.
    """
    for s in texts:
        for found, expected in ((tokenize(s), bpe.T(kept, s)), (rank(s), bpe.PQ(kept, s))):
            if found != expected:
                return worlds.shown(D), s, found, expected
    return None


def keeping(D: Dictionary, place: str) -> Dictionary:
    """D with each rule at its first place only, or at its last."""
    rules = tuple(dict.fromkeys(D.rules)) if place == "first" else tuple(dict.fromkeys(D.rules[::-1]))[::-1]
    return Dictionary(D.atoms, rules)


def refuses(D: Dictionary) -> Any:
    """None if the compiled dictionary refuses the list, else the list."""
    try:
        incbpe.Dictionary(sorted(D.tokens), D.rules)
    except incbpe.DictionaryError:
        return None
    return worlds.shown(D), "not refused"


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    """None for lists without duplicates too: they are as they were."""
    witness = refuses(D) if len(set(D.rules)) < len(D.rules) else None
    places: tuple[Any, Any] = ("first", "last")
    for place in places:
        compiled = incbpe.Dictionary(sorted(D.tokens), D.rules, duplicates=place)
        witness = witness or predicate(D, texts, keeping(D, place), lambda s, C=compiled: incbpe.T(C, s),
                                       lambda s, C=compiled: incbpe.rank_bpe(C, s))
    return witness


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """All 1,256 lists of two or three places with one rule of 20 over {a, b}, or of six over {a}, twice."""
    return check.sweep(worlds.repeated_worlds(), lambda D: holds_compiled(D, worlds.texts(D)),
                       worlds.REPEATED_WORLDS, every, len(worlds.WORDS))


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(), worlds.st.integers(0, 8), worlds.st.integers(0, 8))
def test_random(world: tuple[Dictionary, list[str]], which: int, at: int) -> None:
    D, texts = world
    rules = list(D.rules)
    if rules:
        rules.insert(at % (len(rules) + 1), rules[which % len(rules)])
    check.hold(holds_compiled(Dictionary(D.atoms, tuple(rules)), texts))


# Control
def test_control_both_places_of_equation_1() -> None:
    found = check.first(worlds.repeated_worlds(), lambda D: predicate(
        D, worlds.texts(D), keeping(D, "last"), lambda s: bpe.T(D, s), lambda s: bpe.PQ(keeping(D, "last"), s)))
    assert found == ((("a", "a"), ("a", "b"), ("a", "a")), "aab", ["aa", "b"], ["a", "ab"])


def test_control_both_places_are_not_the_first() -> None:
    found = check.first(worlds.repeated_worlds(), lambda D: predicate(
        D, worlds.texts(D), keeping(D, "first"), lambda s: bpe.T(D, s), lambda s: bpe.PQ(keeping(D, "first"), s)))
    assert found == ((("a", "ab"), ("a", "b"), ("a", "ab")), "aab", ["aab"], ["a", "ab"])


def test_control_the_first_place_for_the_last() -> None:
    found = check.first(worlds.repeated_worlds(), lambda D: predicate(
        D, worlds.texts(D), keeping(D, "last"), lambda s: bpe.T(keeping(D, "last"), s), lambda s: bpe.PQ(D, s)))
    assert found == ((("a", "a"), ("a", "b"), ("a", "a")), "aab", ["aa", "b"], ["a", "ab"])


def test_control_distinct_rules_are_not_refused() -> None:
    assert check.first(worlds.run_worlds(), refuses) == ((), "not refused")


# Limits
#   A token that stands twice among the tokens is refused alike, and is in tests/.

if __name__ == "__main__":
    check.alone(__file__)
