"""Definition 2: the length |w| of a string.

Statement
    |w| is the number of characters of w, a leading ♯ not counted: |abc| = 3, |##d| = 1, |ε| = |##| = 0.

Why
    ♯ stands for what was taken already; it is never read. So |w| is what is left to do, and popping a longest-matching
    prefix makes it smaller by at least one: |q_w| < |w| wherever p_w is not ε. All that is recursive in the paper ends
    for this reason.
"""
from collections.abc import Callable
from typing import Any

import linmaxmatch as lmm
from proofs import check, worlds
from proofs.compiled import vocabulary
from proofs.definitions import wordpiece
from proofs.definitions.wordpiece import Vocabulary

Length = Callable[[str], int]
STRINGS = worlds.strings("ab#", 4)


# Predicate
def predicate(V: Vocabulary, words: list[str], length: Length, q: Any = wordpiece.q) -> Any:
    """None if `length` is the definition's and popping makes it smaller, else the first word for which it is not."""
    for w in words:
        if length(w) != wordpiece.length(V, w):
            return *worlds.shown(V), w, length(w), wordpiece.length(V, w)
        if wordpiece.p(V, w) != "" and not length(q(V, w)) < length(w):
            return *worlds.shown(V), w, "popping does not shorten", length(q(V, w))
    return None


def compiled_agrees(V: Vocabulary, words: list[str]) -> Any:
    compiled = vocabulary(V)
    return predicate(V, words, lambda w: lmm.length(compiled, w))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """All 2,424 vocabularies of at most two tokens, all 121 strings over {a, b, #} up to length 4."""
    return check.sweep(worlds.small_vocabularies(2), lambda V: compiled_agrees(V, STRINGS), 2_424, every, len(STRINGS))


def test_exhaustive() -> None:
    assert len(STRINGS) == 121
    exhaustive()


# Random
@worlds.given(worlds.random_worlds())
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    check.hold(compiled_agrees(*world))


# Control
def test_control_the_indicator_counted() -> None:
    """|♯| would be 1, and popping b from ♯b would not make it shorter by what was taken."""
    assert check.first(worlds.small_vocabularies(2), lambda V: predicate(V, STRINGS, len)) == ((), "#", "#", 1, 0)


def test_control_a_piece_that_is_not_taken_away() -> None:
    """The rest taken for all of w behind ♯."""
    found = check.first(worlds.small_vocabularies(2), lambda V: predicate(
        V, STRINGS, lambda w: wordpiece.length(V, w), lambda V, w: V.suffix_indicator + w))
    assert found == (("a",), "", "a", "popping does not shorten", 1)


# Limits
#   Only strings over three characters are enumerated; the definition looks at nothing but ♯ and the number of
#   characters.

if __name__ == "__main__":
    check.alone(__file__)
