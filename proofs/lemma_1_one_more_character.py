"""Lemma 1: one more character leaves the longest-matching prefix alone.

Statement
    If wc is not in V and wc ≠ ♯, then p_wc = p_w; and if p_w ≠ ε, then q_wc = q_w c.
    The hypothesis wc ≠ ♯ is needed.

Why
    The prefixes of wc are those of w and wc itself, and wc is not in V; so the candidates are the same, as long as the
    rule for strings that start with ♯ treats w and wc alike. It does unless wc is the first to start with ♯: then
    wc = ♯ exactly, which is the case left out. q only replaces the common prefix, and c stays at the end.
"""
from collections.abc import Callable
from typing import Any

import linmaxmatch as lmm
from proofs import check, worlds
from proofs.compiled import vocabulary
from proofs.definitions import wordpiece
from proofs.definitions.wordpiece import Vocabulary

STRINGS = worlds.strings("ab", 4)
MARKED = ["#" * marks + body for marks in (1, 2, 3) for body in worlds.strings("ab", 2)]
CHARACTERS = "ab#z"


# Predicate
def predicate(V: Vocabulary, words: list[str], characters: str, p: Callable[[str], str],
              q: Callable[[str], str], *, but_for_sharp: bool = True, but_for_tokens: bool = True) -> Any:
    """None if the lemma holds for these p and q, else the first w and c for which it does not."""
    for w in words:
        for c in characters:
            if (but_for_tokens and w + c in V) or (but_for_sharp and w + c == V.suffix_indicator):
                continue
            if p(w + c) != p(w):
                return *worlds.shown(V), w, c, "p", p(w), p(w + c)
            if p(w) and q(w + c) != q(w) + c:
                return *worlds.shown(V), w, c, "q", q(w), q(w + c)
    return None


def holds_compiled(V: Vocabulary, words: list[str], characters: str = CHARACTERS) -> Any:
    compiled = vocabulary(V)
    return predicate(V, words, characters, lambda w: lmm.p(compiled, w), lambda w: lmm.q(compiled, w))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in two of the 9,827 small vocabularies, 31 strings over {a, b} and 21 behind one to three #, each with a, b, # and z."""
    strings = STRINGS + MARKED
    return check.sweep(worlds.small_vocabularies(), lambda V: holds_compiled(V, strings), 9_827, 2 * every,
                       len(strings) * len(CHARACTERS))


def test_exhaustive() -> None:
    assert (len(STRINGS), len(MARKED)) == (31, 21)
    exhaustive()


# Random
@worlds.given(worlds.random_worlds())
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    V, words = world
    check.hold(holds_compiled(V, words, "".join(sorted({*"az", *V.suffix_indicator}))))


# Control
def test_control_without_the_hypothesis_on_sharp() -> None:
    """V = {#}, ♯ = ##, w = #, c = #: p_# = #, but p_## = ε."""
    marks = worlds.vocabularies(["#", "##", "###"], "##")
    assert check.first(marks, lambda V: predicate(
        V, STRINGS + MARKED, CHARACTERS, lambda w: wordpiece.p(V, w), lambda w: wordpiece.q(V, w),
        but_for_sharp=False)) == (("#",), "##", "#", "#", "p", "#", "")


def test_control_without_the_hypothesis_on_v() -> None:
    """Where wc is in V it is itself the longest match."""
    assert check.first(worlds.longer_pieces(), lambda V: predicate(
        V, STRINGS, CHARACTERS, lambda w: wordpiece.p(V, w), lambda w: wordpiece.q(V, w),
        but_for_tokens=False)) == (("a",), "##", "", "a", "p", "", "a")


def test_control_a_rest_cut_short() -> None:
    """q as far as one character behind ♯, where the next longest prefix might end."""
    found = check.first(worlds.longer_pieces(), lambda V: predicate(
        V, STRINGS, CHARACTERS, lambda w: wordpiece.p(V, w), lambda w: wordpiece.q(V, w)[:3]))
    assert found == (("a",), "##", "aa", "a", "q", "##a", "##a")


# Limits
#   Strings longer than four characters are sampled only.

if __name__ == "__main__":
    check.alone(__file__)
