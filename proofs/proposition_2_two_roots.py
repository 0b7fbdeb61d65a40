"""Proposition 2: with two roots no word is special.

Statement
    Put literal spellings of all tokens (also ##a) under r, and bodies of suffix tokens under a separate r♯. Then
    MaxMatch, and LinMaxMatch without any special case, are the original WordPiece on every word and for every ♯.

Why
    A string under r can then never be taken for the rest behind ♯: what is left of a word says by its root, not by its
    spelling, whether a piece was taken. So the first step is literal and later ones are not, as in the original.
"""
from collections.abc import Callable
from typing import Any

import linmaxmatch as lmm
from proofs import check, worlds
from proofs.algorithms import algorithm_2, lin_max_match
from proofs.compiled import Compiled
from proofs.definitions import two_roots, wordpiece
from proofs.definitions.two_roots import Rest
from proofs.definitions.wordpiece import Vocabulary, original_wordpiece

WORDS = worlds.strings("ab", 5)
MARKED = [mark + w for mark in ("#", "##", "###") for w in worlds.strings("ab#", 2)]


# Predicate
def predicate(V: Vocabulary, words: list[str], tokenize: Callable[[str], list[str]]) -> Any:
    """None if `tokenize` is the original WordPiece on all words."""
    return next(((*worlds.shown(V), w, tokenize(w), original_wordpiece(V, w)) for w in words
                 if tokenize(w) != original_wordpiece(V, w)), None)


def by_match_loop(layer: Compiled) -> Callable[[str], list[str]]:
    """LinMaxMatch written over the compiled MatchLoop, so that it can have no special case."""

    def tokenize(w: str) -> list[str]:
        tokens, u, i = lmm.match_loop(layer.tables, w, 0)
        return tokens if i == len(w) and u in (layer.T.root, layer.T.suffix_root) else [layer.V.unk_token]

    return tokenize


def holds_compiled(V: Vocabulary, words: list[str]) -> Any:
    return predicate(V, words, by_match_loop(Compiled(V, 2))) or predicate(
        V, words, lambda w: two_roots.M(V, Rest(False, w)))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in five of the 9,827 small vocabularies, 63 words over {a, b} up to length 5 and 39 that start with #."""
    words = WORDS + MARKED
    return check.sweep(worlds.small_vocabularies(), lambda V: holds_compiled(V, words), 9_827, 5 * every, len(words))


def test_exhaustive() -> None:
    assert (len(WORDS), len(MARKED)) == (63, 39)
    exhaustive()


def test_marks() -> None:
    """Every V of marks and letters up to length 4 that matter around ##, and the words of them."""
    candidates = ["#", "##", "###", "####", "#a", "##a", "###a", "a"]
    words = worlds.strings("a#", 6)
    check.sweep(worlds.vocabularies(candidates, "##"), lambda V: holds_compiled(V, words), 256, 1, len(words))


# Random
@worlds.given(worlds.random_worlds())
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def test_control_one_trie_without_a_special_case() -> None:
    """V = {#, ###b}, word ##b: its first piece is never found behind r♯."""

    def one_trie(V: Vocabulary) -> Callable[[str], list[str]]:
        tables = algorithm_2(V, wordpiece)
        return lambda w: lin_max_match(tables, w, "special case only for the word ♯")

    candidates = ["#", "##", "###", "####", "#b", "##b", "###b", "b"]
    assert check.first(worlds.vocabularies(candidates, "##"), lambda V: predicate(
        V, worlds.strings("b#", 6), one_trie(V))) == (("#", "####"), "##", "###", ["?"], ["#", "####"])


# Limits
#   Vocabularies beyond the sizes named are sampled only.

if __name__ == "__main__":
    check.alone(__file__)
