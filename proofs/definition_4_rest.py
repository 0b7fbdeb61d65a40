"""Definition 4: q_w, what is left when p_w is popped.

Statement
    q_w is w with p_w replaced by ♯; if p_w = ε, q_w = w. With V = {a, ab, ##c}: p_abcd = ab and q_abcd = ##cd.

Why
    The ♯ in front says that a piece was taken, so that the next longest-matching prefix is a suffix token. Then p_w and
    q_w together still spell w: p_w, and q_w without its ♯.
"""
from collections.abc import Callable
from typing import Any

import linmaxmatch as lmm
from proofs import check, worlds
from proofs.compiled import vocabulary
from proofs.definitions import wordpiece
from proofs.definitions.wordpiece import Vocabulary

STRINGS = worlds.strings("ab", 4)


# Predicate
def predicate(V: Vocabulary, words: list[str], q: Callable[[str], str], p: Any = wordpiece.p) -> Any:
    """None if q is the definition's on all words and p_w with the rest spells w, else the first word that differs."""
    for w in words:
        if q(w) != wordpiece.q(V, w):
            return *worlds.shown(V), w, q(w), wordpiece.q(V, w)
        taken = p(V, w)
        if taken and taken + q(w)[len(V.suffix_indicator):] != w:
            return *worlds.shown(V), w, "does not spell w", taken, q(w)
    return None


def compiled_agrees(V: Vocabulary, words: list[str]) -> Any:
    compiled = vocabulary(V)
    return predicate(V, words, lambda w: lmm.q(compiled, w))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in two of the 9,827 small vocabularies, the 31 strings over {a, b} up to length 4, alone and behind ♯."""
    return check.sweep(
        worlds.small_vocabularies(), lambda V: compiled_agrees(V, STRINGS + [V.suffix_indicator + w for w in STRINGS]),
        9_827, 2 * every, 2 * len(STRINGS))


def test_exhaustive() -> None:
    assert len(STRINGS) == 31
    exhaustive()


# Random
@worlds.given(worlds.random_worlds())
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    check.hold(compiled_agrees(*world))


# Control
def test_control_without_the_indicator() -> None:
    """Taking p_w away without putting ♯ in its place."""
    assert check.first(worlds.longer_pieces(), lambda V: predicate(
        V, STRINGS, lambda w: w[len(wordpiece.p(V, w)):])) == (("a",), "##", "a", "", "##")


def test_control_the_rest_of_another_prefix() -> None:
    """The shortest prefix that is a token beside the rest behind the longest."""
    def shortest(V: Vocabulary, w: str) -> str:
        return next((w[:k] for k in range(1, len(w) + 1) if w[:k] in V), "")

    found = check.first(worlds.longer_pieces(), lambda V: predicate(
        V, STRINGS, lambda w: wordpiece.q(V, w), shortest))
    assert found == (("a", "aa"), "##", "aa", "does not spell w", "a", "##")


# Limits
#   Vocabularies beyond the sizes named are sampled only.

if __name__ == "__main__":
    check.alone(__file__)
