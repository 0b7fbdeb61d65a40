"""Proposition 1: Definition 5 is the original WordPiece, but for words that start with ♯.

Statement
    If w does not start with a non-empty ♯, M(w) is what the original WordPiece gives. For every non-empty ♯ there are
    V and a word that starts with ♯ for which it is not.

Why
    The first step looks for literal pieces unless w starts with ♯; each later step looks at ♯ and a rest, and takes
    only tokens that start with ♯ and go beyond it: that is the original's rule. But Definition 5 takes a ♯ that the
    word itself starts with for its own: with V = {a} and ♯ = a, the word a is [] instead of [a].
"""
from collections.abc import Callable
from typing import Any

import linmaxmatch as lmm
from proofs import check, worlds
from proofs.compiled import vocabulary
from proofs.definitions.wordpiece import Vocabulary, original_wordpiece

WORDS = worlds.strings("ab", 5)


# Predicate
def predicate(V: Vocabulary, words: list[str], M: Callable[[str], list[str]], all_words: bool = False) -> Any:
    """None if M is the original WordPiece on all words that do not start with a non-empty ♯."""
    sharp = V.suffix_indicator
    for w in words:
        if (all_words or sharp == "" or not w.startswith(sharp)) and M(w) != original_wordpiece(V, w):
            return *worlds.shown(V), w, M(w), original_wordpiece(V, w)
    return None


def of_compiled(V: Vocabulary) -> Callable[[str], list[str]]:
    compiled = vocabulary(V)
    return lambda w: lmm.M(compiled, w)


def holds_compiled(V: Vocabulary, words: list[str]) -> Any:
    """Also: the compiled original_wordpiece is that of the definitions on every word."""
    compiled = vocabulary(V)
    return check.ending(60, lambda: predicate(V, words, of_compiled(V))) or predicate(
        V, words, lambda w: lmm.original_wordpiece(compiled, w), all_words=True)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in two of the 9,827 small vocabularies, all 63 words over {a, b} up to length 5."""
    return check.sweep(worlds.small_vocabularies(), lambda V: holds_compiled(V, WORDS), 9_827, 2 * every, len(WORDS))


def test_exhaustive() -> None:
    assert len(WORDS) == 63
    exhaustive()


# Random
@worlds.given(worlds.random_worlds())
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def test_control_all_words() -> None:
    """Without the condition on w it fails, for every non-empty ♯: by the word ♯ itself, at the latest."""
    for sharp in ("a", "aa", "ab", "aaa"):
        assert check.first(worlds.every_string_vocabulary(sharp), lambda V: predicate(
            V, WORDS, of_compiled(V), all_words=True)) == ((), sharp, sharp, [], ["?"])


def test_control_all_words_but_sharp_itself() -> None:
    """The published special case covers the word ♯ only: longer words that start with ♯ still differ."""
    found = check.first(worlds.every_piece_vocabulary("ab"), lambda V: predicate(
        V, [w for w in WORDS if w != "ab"], of_compiled(V), all_words=True))
    assert found == (("a", "abba"), "ab", "aba", ["?"], ["a", "abba"])


# Limits
#   Vocabularies beyond the sizes named are sampled only.

if __name__ == "__main__":
    check.alone(__file__)
