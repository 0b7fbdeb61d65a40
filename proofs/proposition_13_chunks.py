"""Proposition 13: the tokens of a text are those of its chunks, and a table of chunks changes none of them.

Statement
    A *blank* is a tab, a line feed, a carriage return or a space, and the chunks of a text are its longest parts without
    one. Under every profile the words of a text are those of its chunks, one chunk after the other, and so are its
    tokens. WordPiece with a table of chunks gives them, whatever the size of the table, also where every chunk crowds
    another one out. It looks up each chunk once, reads at most eight slots beyond the chunk's first two, and computes no
    chunk that it has just seen, if that has at most 31 bytes and 14 tokens.

Why
    Nothing that a profile does to a character depends on what is beyond a blank: a run of marks ends there, and the
    sigma of `google` looks no further. So a chunk's ids depend on its bytes alone. A slot holds all of these and their
    number, and is found by comparing both; a chunk that is crowded out is only computed again.
"""
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import cycle, pairwise, product
from typing import Any

import linmaxmatch as lmm
from linmaxmatch.normalizer import Normalizer
from proofs import check, worlds
from proofs.definitions.wordpiece import Vocabulary, original_wordpiece
from proofs.proposition_8_tokenizer import SPELLINGS, respelt, spelt

BLANKS = "\t\n\r "
SIZES = (1, 1 << 16)
"""Bytes of a table: one that has two slots of either kind, and one that has room for all chunks."""
PROFILES = (("hf", True), ("hf", False), ("google", True), ("google", False), ("tf", True), (None, False))
"""Of the normalizer, and whether it makes letters lower case."""
KINDS = "aΣ\u0301\u0323'-\xad\0中ﬁ각İ"
"""Letters, the sigma, two marks of different combining classes, punctuation, what is dropped, and what becomes several."""
PARTS = worlds.strings(KINDS, 2)
Given = tuple[list[str], int, int, int]


def chunks(text: str) -> list[str]:
    return re.findall(f"[^{BLANKS}]+", text)


def texts(letters: str) -> list[str]:
    """All words up to length 3, some up to length 40 and one with a NUL, each three times; and all in one text."""
    words = [*worlds.strings("ab", 3, shortest=1), "a\0", "b" * 15, "ab" * 8, "ab" * 15 + "a", "b" * 40]
    words = [spelt(w, letters) for w in words]
    return [f"{w} {w}\n{w}" for w in words] + [
        "".join(f"{w}{blank * (i % 3 + 1)}" for i, (w, blank) in enumerate(zip(words + words, cycle(BLANKS))))]


# Predicate
def predicate(V: Vocabulary, texts: list[str], encode: Callable[[str], Given]) -> Any:
    """None if `encode` gives each text the tokens of its chunks with so little work, else the text, that and this."""
    for text in texts:
        these = chunks(text)
        each = {chunk: original_wordpiece(V, chunk) for chunk in these}
        tokens, looked_up, computed, read = encode(text)
        again = [chunk for before, chunk in pairwise(these)
                 if chunk == before and len(chunk.encode()) <= 31 and len(each[chunk]) <= 14]
        expected = [token for chunk in these for token in each[chunk]]
        if (tokens, looked_up) != (expected, len(these)) or computed > len(these) - len(again) or read > 8 * len(these):
            return *worlds.shown(V), text, (tokens, looked_up, computed, read), (expected, len(these), len(again))
    return None


def words_of_chunks(normalizer: Any, text: str, cut: Callable[[str], list[str]] = chunks) -> Any:
    """None if a text has the words of its chunks, one after the other, else the words of both."""
    words, expected = normalizer.words(text), [word for chunk in cut(text) for word in normalizer.words(chunk)]
    return None if words == expected else (normalizer.profile, normalizer.lowercase, text, words, expected)


def through_a_table(V: Vocabulary, texts: list[str], nbytes: int) -> Any:
    """The tokenizer with a table of so many bytes."""
    tokenizer = lmm.WordPiece(sorted(V.tokens), V.suffix_indicator, V.unk_token, None, max_chars_per_word=None,
                              cache=nbytes)
    tokenizer.encode(" " * (nbytes // 4 + 64))         # a table is made when some text has been seen

    def counted() -> Any:
        return tokenizer.inspect()["cache"]

    def encode(text: str) -> Given:
        before, ids, after = counted(), tokenizer.encode(text), counted()
        chunks, computed, read = (after[what] - before[what] for what in ("chunks", "missed", "slots_read"))
        return [tokenizer.token(i) for i in ids], chunks, computed, read

    return predicate(V, texts, encode)


def holds_compiled(V: Vocabulary) -> Any:
    return next((witness for letters, nbytes in product(SPELLINGS, SIZES)
                 if (witness := through_a_table(respelt(V, letters), texts(letters), nbytes)) is not None), None)


@cache
def normalizer(profile: Any, lowercase: bool) -> Normalizer:
    return Normalizer(profile, lowercase)


def divided() -> Iterator[tuple[Any, str]]:
    """Each profile, and all texts of two parts with a blank between them."""
    for (profile, x, y), blank in zip(product(PROFILES, PARTS, PARTS), cycle(BLANKS), strict=False):
        yield normalizer(*profile), x + blank + y


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 200 of the 9,827 small vocabularies, in four spellings and with two sizes of table, on 20 texts; and one in
    13 of all texts of two parts of at most two of twelve characters, six profiles.
    """
    return check.sweep(worlds.small_vocabularies(), holds_compiled, 9_827, 200 * every,
                       20 * len(SPELLINGS) * len(SIZES)) + check.sweep(
        divided(), lambda world: words_of_chunks(*world), 6 * 157**2, 13 * every)


def test_exhaustive() -> None:
    assert len(texts("ab")) == 20 and len(PARTS) == 157 and len(PROFILES) == 6
    exhaustive()


# Random
@worlds.given(worlds.random_worlds())
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    V, words = world
    words = [w for w in words if w.isalnum()]
    text = "".join(w + blank for w, blank in zip([*words, *words, *(w for w in words for _ in "ab")], cycle(BLANKS)))
    check.hold(next((witness for nbytes in SIZES
                     if (witness := through_a_table(V, [text], nbytes)) is not None), None))


# Control
class Table:
    """A table of one slot for each key, over chunks that are cut in this way."""

    def __init__(self, V: Vocabulary, key: Callable[[str], Any], cut: Callable[[str], list[str]] = chunks,
                 slots: int = 1_000, read: int = 0) -> None:
        self.V, self.key, self.cut, self.slots, self.read = V, key, cut, slots, read
        self.held: dict[Any, list[str]] = {}

    def __call__(self, text: str) -> Given:
        tokens: list[str] = []
        missed = 0
        for chunk in self.cut(text):
            key = self.key(chunk)
            if key not in self.held:
                missed += 1
                self.held[key] = original_wordpiece(self.V, chunk)
            tokens += self.held[key]
            if len(self.held) > self.slots:
                del self.held[next(iter(self.held))]
        return tokens, len(self.cut(text)), missed, self.read * len(self.cut(text))


def found_by(key: Callable[[str], Any], *more: Any) -> Any:
    return check.first(worlds.longer_pieces(), lambda V: predicate(V, texts("ab"), Table(V, key, *more)))


def test_control_a_key_without_its_length() -> None:
    """Padded by NULs, which stand in texts too."""
    assert found_by(lambda chunk: chunk.ljust(15, "\0")) == (
        ("a",), "##", "a\0 a\0\na\0", (["a", "a", "a"], 3, 0, 0), (["?", "?", "?"], 3, 2))


def test_control_a_key_of_the_first_bytes() -> None:
    assert found_by(lambda chunk: chunk[:2]) == (
        ("aa",), "##", "aaa aaa\naaa", (["aa", "aa", "aa"], 3, 0, 0), (["?", "?", "?"], 3, 2))


def test_control_a_hash_that_is_taken_for_the_chunk() -> None:
    assert found_by(len) == (("a",), "##", "b b\nb", (["a", "a", "a"], 3, 0, 0), (["?", "?", "?"], 3, 2))


def test_control_cut_after_so_many_bytes() -> None:
    """As if blocks of text were looked at alone."""
    assert found_by(str, lambda text: [part for at in range(0, len(text), 4) for part in chunks(text[at:at + 4])]) == (
        (), "##", "aa aa\naa", (["?", "?", "?", "?"], 4, 1, 0), (["?", "?", "?"], 3, 2))


def test_control_nothing_is_kept() -> None:
    assert found_by(str, chunks, 0) == ((), "##", "a a\na", (["?", "?", "?"], 3, 3, 0), (["?", "?", "?"], 3, 2))


def test_control_marks_cut_too() -> None:
    """The sigma of `google` looks on across a mark."""
    def cut(text: str) -> list[str]:
        return re.findall(r"'|[^\t\n\r ']+", text)

    found = check.first(product(PROFILES, PARTS, PARTS), lambda world: words_of_chunks(
        normalizer(*world[0]), f"{world[1]}'{world[2]}", cut))
    assert found == ("google", True, "a'Σ", ["a", "'", "ς"], ["a", "'", "σ"])


def test_control_every_slot_read() -> None:
    assert found_by(str, chunks, 1_000, 9) == ((), "##", "a a\na", (["?", "?", "?"], 3, 1, 27), (["?", "?", "?"], 3, 2))


# Limits
#   Added tokens, which are cut out before, long texts in blocks, threads, and all ways to find blanks are in
#   tests/test_chunks.py.

if __name__ == "__main__":
    check.alone(__file__)
