"""Proposition 8: the tokenizer is the notation layer.

Statement
    WordPiece, which lays the tables of two roots out over the bytes of UTF-8, gives for every word the ids of what the
    original WordPiece gives, within as many steps as the word has bytes; the spans of its tokens are the places where
    their characters stand; a batch gives what its texts give one by one. So it does where each character is several
    bytes, and tokens share parts of characters.

Why
    UTF-8 is a prefix code, so a token's bytes match where its characters do, and nowhere within a character. The byte
    trie is the character trie with each edge spelt out; its nodes within a character hold no token and add no pop.
"""
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import linmaxmatch as lmm
from proofs import check, worlds
from proofs.definitions.wordpiece import Vocabulary, original_wordpiece

WORDS = [w for w in worlds.strings("ab", 5) if w]
SPELLINGS = ("ab", "éè", "漢演", "😀😁")
"""What a and b are replaced by: characters of one to four bytes, the longer ones the same but for the last byte."""


def spelt(text: str, letters: str) -> str:
    """A text with a and b replaced."""
    return text.translate(str.maketrans("ab", letters))


# Predicate
def predicate(V: Vocabulary, words: list[str], letters: str, encode: Any) -> Any:
    """None if `encode` gives each word's tokens, spans and steps as stated, else the first word and what it gives."""
    for w in (spelt(w, letters) for w in words):
        expected = original_wordpiece(V, w)
        tokens, spans, steps = encode(w)
        known = expected != [V.unk_token] or w == V.unk_token
        if tokens != expected or (known and "".join(w[i:j] for i, j in spans) != w) or steps > len(w.encode()):
            return *worlds.shown(V), w, tokens, spans, steps
        if known and any(not t.endswith(w[i:j]) for t, (i, j) in zip(tokens, spans, strict=True)):
            return *worlds.shown(V), w, tokens, spans, steps
    return None


def respelt(V: Vocabulary, letters: str) -> Vocabulary:
    return Vocabulary(frozenset(spelt(t, letters) for t in V.tokens), spelt(V.suffix_indicator, letters), V.unk_token)


def compiled(V: Vocabulary) -> Callable[[str], tuple[list[str], list[tuple[int, int]], int]]:
    """The tokenizer without a normalizer and without a limit on words."""
    tokenizer = lmm.WordPiece(sorted(V.tokens), V.suffix_indicator, V.unk_token, None, max_chars_per_word=None)

    def encode(w: str) -> tuple[list[str], list[tuple[int, int]], int]:
        ids = list(tokenizer.encode_word(w))
        spans = tokenizer.spans(w)
        batch: Any = tokenizer.encode_batch([w, w])
        if list(tokenizer.encode(w)) != ids or [list(each) for each in batch] != [ids, ids]:
            return [], [], -1
        return [tokenizer.token(i) for i in ids], spans, max(tokenizer.steps(w))

    return encode


def holds_compiled(V: Vocabulary, words: list[str]) -> Any:
    for letters in SPELLINGS:
        this = respelt(V, letters)
        witness = predicate(this, words, letters, compiled(this))
        if witness is not None:
            return witness
    return None


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 40 of the 9,827 small vocabularies, in four spellings, the 62 words over {a, b} up to length 5."""
    return check.sweep(worlds.small_vocabularies(), lambda V: holds_compiled(V, WORDS), 9_827, 40 * every,
                       len(WORDS) * len(SPELLINGS))


def test_exhaustive() -> None:
    assert len(WORDS) == 62
    exhaustive()


# Random
@worlds.given(worlds.random_worlds())
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    V, words = world
    check.hold(holds_compiled(V, [w for w in words if w.isalnum()]))


# Control
def bytewise(V: Vocabulary) -> Any:
    """Pieces that may end within a character: tokens of bytes, cut anywhere."""
    def encode(w: str) -> Any:
        as_bytes = Vocabulary(frozenset(t.encode().decode("latin-1")[:2] for t in V.tokens),
                              V.suffix_indicator, V.unk_token)
        return original_wordpiece(as_bytes, w.encode().decode("latin-1")), [], 0

    return encode


def test_control_tokens_cut_within_a_character() -> None:
    found = check.first(worlds.longer_pieces(), lambda V: predicate(
        respelt(V, "漢演"), WORDS, "漢演", bytewise(respelt(V, "漢演"))))
    assert found == (("漢",), "##", "漢", ["?"], [], 0)


def test_control_spans_in_bytes() -> None:
    def encode(V: Vocabulary, w: str) -> Any:
        tokens = original_wordpiece(V, w)
        ends = [0]
        for t in tokens:
            ends.append(ends[-1] + len(t.removeprefix("##").encode()))
        return tokens, list(pairwise(ends)), 0

    found = check.first(worlds.longer_pieces(), lambda V: predicate(
        respelt(V, "éè"), WORDS, "éè", lambda w: encode(respelt(V, "éè"), w)))
    assert found == (("##é", "é"), "##", "éé", ["é", "##é"], [(0, 2), (2, 4)], 0)


def right(V: Vocabulary, w: str) -> tuple[list[str], list[tuple[int, int]], int]:
    """What should come, with the fewest steps."""
    tokens = original_wordpiece(V, w)
    ends = [0]
    for t in tokens:
        ends.append(ends[-1] + len(t.removeprefix(V.suffix_indicator)))
    return tokens, list(pairwise(ends)), len(w)


def test_control_what_was_read_of_an_unknown_word() -> None:
    def encode(V: Vocabulary, w: str) -> Any:
        tokens, spans, steps = right(V, w)
        return [w[0]] if tokens == [V.unk_token] and w[0] in V else tokens, spans, steps

    found = check.first(worlds.longer_pieces(), lambda V: predicate(V, WORDS, "ab", lambda w: encode(V, w)))
    assert found == (("a",), "##", "aa", ["a"], [(0, 1)], 2)


def test_control_spans_of_nothing() -> None:
    found = check.first(worlds.longer_pieces(), lambda V: predicate(
        V, WORDS, "ab", lambda w: (right(V, w)[0], [(0, 0) for _ in right(V, w)[0]], len(w))))
    assert found == (("a",), "##", "a", ["a"], [(0, 0)], 1)


def test_control_steps_of_backtracking() -> None:
    """Each piece looked for from the word's end back."""
    found = check.first(worlds.longer_pieces(), lambda V: predicate(
        V, WORDS, "ab", lambda w: (*right(V, w)[:2], sum(len(w) - i for i, _ in right(V, w)[1]))))
    assert found == (("##a", "a"), "##", "aa", ["a", "##a"], [(0, 1), (1, 2)], 3)


# Limits
#   Words of letters: normalizers, marks, added tokens and everything else around the words are in tests/.

if __name__ == "__main__":
    check.alone(__file__)
