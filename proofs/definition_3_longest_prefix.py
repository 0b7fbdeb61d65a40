"""Definition 3: the longest-matching prefix p_w.

Statement
    p_w is the longest non-empty prefix of w that is in V, or ε if there is none. Where w starts with ♯, the prefix
    must start with ♯ too and be longer than ♯.

Why
    A string that starts with ♯ is the rest of a word after a piece was taken, and only suffix tokens may continue it:
    a literal token that happens to be a beginning of ♯ must not match there, nor ♯ itself, which takes nothing.
"""
from collections.abc import Callable
from typing import Any

import linmaxmatch as lmm
from proofs import check, worlds
from proofs.compiled import vocabulary
from proofs.definitions import wordpiece
from proofs.definitions.wordpiece import Vocabulary

STRINGS = worlds.strings("ab", 4)
MARKED = ["#" * marks + body for marks in (1, 2, 3, 4) for body in worlds.strings("ab", 2)]


# Predicate
def predicate(V: Vocabulary, words: list[str], p: Callable[[str], str]) -> Any:
    """None if p is the definition's on all words, else the first word for which it is not."""
    return next(((*worlds.shown(V), w, p(w), wordpiece.p(V, w)) for w in words if p(w) != wordpiece.p(V, w)), None)


def compiled_agrees(V: Vocabulary, words: list[str]) -> Any:
    compiled = vocabulary(V)
    return predicate(V, words, lambda w: lmm.p(compiled, w))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """All 9,827 small vocabularies, the 31 strings over {a, b} up to length 4, and 28 more behind one to four #."""
    strings = STRINGS + MARKED
    return check.sweep(worlds.small_vocabularies(), lambda V: compiled_agrees(V, strings), 9_827, every, len(strings))


def test_exhaustive() -> None:
    assert (len(STRINGS), len(MARKED)) == (31, 28)
    exhaustive()


# Random
@worlds.given(worlds.random_worlds())
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    check.hold(compiled_agrees(*world))


# Control
def any_prefix(V: Vocabulary, w: str) -> str:
    """Without the condition on strings that start with ♯."""
    return max((x for x in wordpiece.prefixes(w) if x and x in V), key=len, default="")


def shortest(V: Vocabulary, w: str) -> str:
    """The shortest matching prefix."""
    sharp = V.suffix_indicator
    return next((x for x in wordpiece.prefixes(w) if x and x in V
                 and (not w.startswith(sharp) or (x.startswith(sharp) and x != sharp))), "")


def test_control_a_literal_taken_inside_the_indicator() -> None:
    found = check.first(worlds.small_vocabularies(), lambda V: predicate(V, STRINGS, lambda w: any_prefix(V, w)))
    assert found == (("a",), "a", "a", "a", "")


def test_control_the_shortest_prefix() -> None:
    found = check.first(worlds.small_vocabularies(), lambda V: predicate(V, STRINGS, lambda w: shortest(V, w)))
    assert found == (("a", "aa"), "", "aa", "a", "aa")


# Limits
#   Vocabularies beyond the sizes named are sampled only.

if __name__ == "__main__":
    check.alone(__file__)
