"""Proposition 14: stretches of words matched side by side have the tokens that each word has alone.

Statement
    Where several stretches of words are matched a step of each in turn, each gets the tokens of its words, one word after
    the other, whatever the others are, however many there are, and whether a processor's vector instructions take the
    steps. All together take at most two steps for a byte, the space behind each word included.

Why
    A stretch's state, place and next token are its own, and a token has at least one byte, so that the tokens of a stretch
    have room where its bytes are and stand in no other's way. A step is an edge, a failure move or a word's end: for a
    word of n bytes at most n, n and one, and all stretches' steps are what each would take alone.
"""
from collections.abc import Callable
from itertools import pairwise, product
from typing import Any

import linmaxmatch as lmm
from linmaxmatch.lanes import side_by_side
from proofs import check, worlds
from proofs.definitions.wordpiece import Vocabulary, original_wordpiece
from proofs.proposition_8_tokenizer import SPELLINGS, respelt, spelt
from subwordio.vectors import ways

WORDS = worlds.strings("ab", 4, shortest=1)
SHARES = (1, 3, 30)
"""Words of a stretch: fewer stretches than are matched at once, about as many, and more."""
Given = tuple[list[list[str]], int]


def stretches(words: list[str], share: int) -> list[list[str]]:
    """The words in their order, so many in a stretch, and between these some without any."""
    return [stretch for i in range(0, len(words), share) for stretch in (words[i:i + share], [])]


# Predicate
def predicate(V: Vocabulary, words: list[list[str]], match: Callable[[list[list[str]]], Given]) -> Any:
    """None if `match` gives each stretch the tokens of its words in so few steps, else what is given and should be."""
    tokens, steps = match(words)
    expected = [[token for w in stretch for token in original_wordpiece(V, w)] for stretch in words]
    most = 2 * sum(len(w.encode()) + 1 for stretch in words for w in stretch)
    return None if tokens == expected and steps <= most else (*worlds.shown(V), words, (tokens, steps), (expected, most))


def compiled(V: Vocabulary, by: int) -> Callable[[list[list[str]]], Given]:
    tokenizer = lmm.WordPiece(sorted(V.tokens), V.suffix_indicator, V.unk_token, None, max_chars_per_word=None)

    def match(words: list[list[str]]) -> Given:
        given = ["".join(f"{w} " for w in stretch).encode() for stretch in words]
        ids, steps = side_by_side(tokenizer.layout, given, by, unk=tokenizer.vocabulary.unk_id)
        return [[tokenizer.token(i) for i in stretch] for stretch in ids], steps

    return match


def holds_compiled(V: Vocabulary, words: list[str]) -> Any:
    return next((witness for letters, share, by in product(SPELLINGS, SHARES, ways())
                 if (witness := predicate(respelt(V, letters), stretches([spelt(w, letters) for w in words], share),
                                          compiled(respelt(V, letters), by))) is not None), None)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 200 of the 9,827 small vocabularies, in four spellings: all 30 words up to length 4, in one stretch, in ten
    and in thirty, and in every way that the processor has.
    """
    return check.sweep(worlds.small_vocabularies(), lambda V: holds_compiled(V, WORDS), 9_827, 200 * every,
                       len(WORDS) * len(SPELLINGS) * len(SHARES))


def test_exhaustive() -> None:
    assert len(WORDS) == 30 and [len(stretches(WORDS, share)) for share in SHARES] == [60, 20, 2]
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(words=40))
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    V, words = world
    words = [w for w in words if w.isalnum()]
    check.hold(next((witness for share, by in product((1, 2, 5), ways())
                     if (witness := predicate(V, stretches(words, share), compiled(V, by))) is not None), None))


# Control
def in_turn(V: Vocabulary, words: list[list[str]]) -> Given:
    """Each stretch's words by the original WordPiece, and the bytes."""
    tokens = [[token for w in stretch for token in original_wordpiece(V, w)] for stretch in words]
    return tokens, sum(len(w.encode()) + 1 for stretch in words for w in stretch)


def found_by(match: Callable[[Vocabulary, list[list[str]]], Given]) -> Any:
    return check.first(worlds.longer_pieces(), lambda V: predicate(V, [["ab"], ["a"], ["b"]], lambda words: match(V, words)))


def test_control_in_the_order_in_which_stretches_end() -> None:
    def match(V: Vocabulary, words: list[list[str]]) -> Given:
        return in_turn(V, sorted(words, key=lambda stretch: len("".join(stretch))))[0], in_turn(V, words)[1]

    assert found_by(match) == (
        ("a",), "##", [["ab"], ["a"], ["b"]], ([["a"], ["?"], ["?"]], 7), ([["?"], ["a"], ["?"]], 14))


def test_control_an_unknown_word_keeps_what_was_popped() -> None:
    def match(V: Vocabulary, words: list[list[str]]) -> Given:
        tokens, steps = in_turn(V, words)
        return [["a", *each] if stretch == ["ab"] and each == ["?"] and "a" in V.tokens else each
                for stretch, each in zip(words, tokens, strict=True)], steps

    assert found_by(match) == (
        ("a",), "##", [["ab"], ["a"], ["b"]], ([["a", "?"], ["a"], ["?"]], 7), ([["?"], ["a"], ["?"]], 14))


def test_control_the_state_of_the_stretch_before() -> None:
    """A word that goes on where the one beside it stands."""
    def match(V: Vocabulary, words: list[list[str]]) -> Given:
        joined = ["".join(stretch) for stretch in words]
        return [original_wordpiece(V, before + w)[len(original_wordpiece(V, before)) if before else 0:]
                for before, w in pairwise(["", *joined])], in_turn(V, words)[1]

    assert found_by(match) == (
        (), "##", [["ab"], ["a"], ["b"]], ([["?"], [], []], 7), ([["?"], ["?"], ["?"]], 14))


def test_control_each_step_three_times() -> None:
    assert found_by(lambda V, words: (in_turn(V, words)[0], 3 * in_turn(V, words)[1])) == (
        (), "##", [["ab"], ["a"], ["b"]], ([["?"], ["?"], ["?"]], 21), ([["?"], ["?"], ["?"]], 14))


# Limits
#   The limit on a word's length, long texts and how they are shared out are in tests/test_lanes.py.

if __name__ == "__main__":
    check.alone(__file__)
