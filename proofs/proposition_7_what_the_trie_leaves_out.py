"""Proposition 7: which tokens the end-to-end trie leaves out.

Statement
    The body of a suffix token is left out if it holds a mark or white space, even if it is exactly one mark; a literal
    if it holds white space, or a mark and more. All else stands, each mark has its node, and the result is that of two
    passes on V as it is.

Why
    A word of a split text is a mark, or holds neither marks nor white space; a later piece is part of a word of two
    characters or more. So what is left out can never be a piece. Kept, it would be read across a boundary.
"""
from collections.abc import Callable
from typing import Any

from proofs import check, worlds
from proofs.algorithm_3_end_to_end import compiled, plain
from proofs.algorithms import EndlessError
from proofs.definitions.wordpiece import Vocabulary, split_then_match

TEXTS = worlds.strings("a# ", 5)


# Predicate
def predicate(V: Vocabulary, texts: list[str], tokenize: Callable[[str], list[str]]) -> Any:
    """None if each text comes out as in two passes, else the first that does not."""
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
    """Every V of at most three of eleven tokens with marks and spaces in them, ♯ = ##; all 364 texts up to length 5."""
    return check.sweep(worlds.spaced_vocabularies(), lambda V: holds_compiled(V, TEXTS), 232, every, len(TEXTS))


def test_exhaustive() -> None:
    assert len(TEXTS) == 364
    exhaustive()


# Random
@worlds.given(worlds.random_text_worlds())
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    V, texts = world
    check.hold(holds_compiled(V, texts[:1]))


# Control
def plainly(fault: str) -> Any:
    return check.first(worlds.spaced_vocabularies(), lambda V: predicate(V, TEXTS, plain(V, fault)))


def test_control_suffix_tokens_with_marks_kept() -> None:
    assert plainly("suffix tokens with marks kept") == (("###", "a"), "##", "a#", ["a", "###"], ["a", "?"])


def test_control_literals_with_marks_kept() -> None:
    assert plainly("literals with marks kept") == (("#a",), "##", "#a", ["#a"], ["?", "?"])


def test_control_tokens_with_white_space_kept() -> None:
    assert plainly("tokens with white space kept") == (("a a",), "##", "a a", ["a a"], ["?", "?"])


# Limits
#   The random worlds have marks in their tokens, and no white space.

if __name__ == "__main__":
    check.alone(__file__)
