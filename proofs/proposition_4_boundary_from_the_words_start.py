"""Proposition 4: where a word ends is relative to where it began.

Statement
    Algorithm 3's boundary after a mark is: i > start and s[i - 1] is a mark, start being where the word began. With
    i > 0 in place of i > start, as published, the mark before a word of which nothing can be read is taken for the end
    of that word, and the loop stays there for ever: .z with z unknown.

Why
    At start nothing of the word was read, so what is before start is no part of it. If the loop cannot read s[start],
    it must go on to a boundary behind start, and the word is <unk>. Each turn of the outer loop so moves i on by one
    at least: a mark by itself is a word of one character, and any other word ends at a boundary behind its start.
"""
from collections.abc import Callable
from typing import Any

from proofs import check, worlds
from proofs.algorithm_3_end_to_end import compiled, plain
from proofs.algorithms import EndlessError
from proofs.definitions.wordpiece import Vocabulary, original_wordpiece, split_then_match

TEXTS = worlds.strings("az. ", 4)


# Predicate
def predicate(V: Vocabulary, texts: list[str], tokenize: Callable[[str], list[str]]) -> Any:
    """None if each text is split and matched, in an end, as in two passes; else the first text that is not."""
    for text in texts:
        expected = split_then_match(V, text, worlds.is_punctuation, worlds.is_whitespace)
        try:
            found = tokenize(text)
        except EndlessError:
            return *worlds.shown(V), text, "endless", expected
        if found != expected:
            return *worlds.shown(V), text, found, expected
    return None


def holds_compiled(V: Vocabulary, texts: list[str]) -> Any:
    """An endless loop is given a minute."""
    return check.ending(60, lambda: predicate(V, texts, compiled(V)))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in six of the 2,405 vocabularies of at most three tokens with marks; all 341 texts up to length 4 over a,
    z, which no token has, a mark and a space.
    """
    return check.sweep(
        (V for indicator in worlds.TEXT_INDICATORS for V in worlds.every_text_vocabulary(indicator)),
        lambda V: holds_compiled(V, TEXTS), 2_405, 6 * every, len(TEXTS))


def test_exhaustive() -> None:
    assert len(TEXTS) == 341
    exhaustive()


# Random
@worlds.given(worlds.random_text_worlds())
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    V, texts = world
    check.hold(holds_compiled(V, texts[:1]))


# Control
def test_control_boundary_where_i_is_positive() -> None:
    found = check.first(worlds.every_text_vocabulary("##"), lambda V: predicate(
        V, TEXTS, plain(V, "boundary where i > 0")))
    assert found == ((), "##", ".a", "endless", ["?", "?"])


def test_control_marks_within_words() -> None:
    """Cut at spaces alone."""
    found = check.first(worlds.every_text_vocabulary("##"), lambda V: predicate(
        V, TEXTS, lambda text: [token for word in text.split() for token in original_wordpiece(V, word)]))
    assert found == ((), "##", "a.", ["?"], ["?", "?"])


# Limits
#   That the loop ends is seen by a count of steps in the plain form, and by a time in the compiled one.

if __name__ == "__main__":
    check.alone(__file__)
