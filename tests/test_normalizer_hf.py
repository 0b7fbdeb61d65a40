"""Profile `hf` against tokenizers 0.23.3: words and offsets, over every code point and over mixed and real text.

Code points are asked about in bulk, many to a text, with a newline between: white space is of combining class 0, so no
reordering passes it, and all else in the model is done character by character. `test_bulk_…` holds the bulk answers of
both sides against those for texts of their own.
"""
import random
import unicodedata
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import PreTokenizedString
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer

from linmaxmatch.normalizer import Normalizer

SCALARS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
COMBINING = [c for c in SCALARS if unicodedata.combining(chr(c))]
OPTIONS = ("lowercase", "strip_accents", "clean_text", "handle_chinese_chars")
ALL_OPTIONS = [dict(zip(OPTIONS, values, strict=True))
               for values in product((True, False), (None, True, False), (True, False), (True, False))]
MODELS = [ALL_OPTIONS[0], next(o for o in ALL_OPTIONS if o == ALL_OPTIONS[0] | {"lowercase": False})]
SPLIT = BertPreTokenizer()


class Pair:
    """The model and ours, under the same options; None: the pre-tokenizer alone."""

    def __init__(self, options: dict | None) -> None:
        self.model = None if options is None else BertNormalizer(**options)
        self.ours = Normalizer(None) if options is None else Normalizer("hf", **options)

    def expected(self, text: str) -> list[tuple[str, int, int]]:
        pieces = PreTokenizedString(text)
        if self.model is not None:
            pieces.normalize(self.model.normalize)
        SPLIT.pre_tokenize(pieces)
        return [(word, *span) for word, span, _ in pieces.get_splits("original", "char")]

    def check(self, text: str) -> None:
        want = self.expected(text)
        assert self.ours.words_with_offsets(text) == want, ascii(text)
        assert self.ours.words(text) == [word for word, _, _ in want], ascii(text)


def contexts(c: int) -> list[str]:
    return [chr(c), f"x{chr(c)}y", chr(c) * 2]


def check_all(pair: Pair, points: list[int], size: int = 512) -> None:
    for i in range(0, len(points), size):
        chunk = points[i:i + size]
        text = "".join(f"{text}\n" for c in chunk for text in contexts(c))
        want = pair.expected(text)
        if pair.ours.words_with_offsets(text) != want or pair.ours.words(text) != [word for word, _, _ in want]:
            for single in (single for c in chunk for single in contexts(c)):
                pair.check(single)              # names the first that differs
            pair.check(text)


def edges() -> list[int]:
    """Code points beside which some property changes, where a table may be off by one."""
    kinds = [(unicodedata.category(chr(c)), unicodedata.combining(chr(c)), chr(c).lower() == chr(c),
              unicodedata.decomposition(chr(c)) == "") for c in SCALARS]
    at = [k for k in range(1, len(SCALARS)) if kinds[k] != kinds[k - 1]]
    return sorted({SCALARS[j] for k in at for j in (k - 1, k)} | {*range(0x3000)})


@pytest.mark.parametrize("options", MODELS, ids=["uncased", "cased"])
def test_every_code_point_alone_between_letters_and_twice(options):
    check_all(Pair(options), SCALARS)


def test_every_code_point_under_all_options(deep):
    points = SCALARS if deep else edges()
    for options in [*ALL_OPTIONS, None]:
        check_all(Pair(options), points)


def test_bulk_answers_are_those_of_texts_of_their_own(deep):
    """For all that order or context could touch, and a sample of the rest; at the deep level for every code point."""
    pair = Pair(MODELS[0])
    sample = SCALARS if deep else sorted({*COMBINING, *random.Random(1).sample(SCALARS, 8000)})
    for i in range(0, len(sample), 64):
        texts = [text for c in sample[i:i + 64] for text in contexts(c)]
        for split in (pair.expected, pair.ours.words_with_offsets):
            whole = split("".join(f"{text}\n" for text in texts))
            single, shift = [], 0
            for text in texts:
                single += [(word, start + shift, end + shift) for word, start, end in split(text)]
                shift += len(text) + 1
            assert whole == single


def test_every_mark_beside_a_kept_one_of_each_class():
    """Only marks that stay show where the others were sorted; these six are one of each class that some have."""
    pair = Pair(MODELS[0])
    for kept in map(chr, (0x08D4, 0x1B44, 0x302E, 0x11446, 0x1D165, 0x1D16D)):
        for i in range(0, len(COMBINING), 64):
            pair.check("".join(f"a{chr(c)}{kept}\na{kept}{chr(c)}\n" for c in COMBINING[i:i + 64]))


def test_every_ascii_text_of_two_characters_or_three():
    pair, texts = Pair(MODELS[0]), [a + b for a, b in product(map(chr, range(128)), repeat=2)]
    for text in texts + [f"{a}{b}{c}" for a, b, c in product("aZ \n\x00.\u0301", repeat=3)]:
        pair.check(text)


HARD = st.one_of(
    st.sampled_from(COMBINING), st.sampled_from([c for c in COMBINING if unicodedata.category(chr(c)) != "Mn"]),
    st.sampled_from([0x08D4, 0x1DFA, 0x11938, 0x1734, 0x1D165, 0x1D16D, 0x302E, 0x16FF0, 0x0344, 0x0F73, 0x0F75, 0x0F81,
                     0x1D15E, 0x0CCB, 0x1E08A]),
    st.sampled_from([c for c in SCALARS if unicodedata.decomposition(chr(c))[:1] not in ("", "<")]),
    st.integers(0xAC00, 0xD7A3), st.integers(0x1100, 0x11FF),
    st.sampled_from([*map(ord, "İΣσςßẞĲaZ.,!_ \n\t\u3000\u2028中")]),
    st.sampled_from([0, 0xFFFD, 0x200B, 0xAD, 0x85, 0x1C, 0xE000, 0xF0000, 0x0378, 0x0890, 0x2B820, 0xF900, 0x2F800]),
    st.sampled_from(SCALARS)).map(chr)
SOME_OPTIONS = st.one_of(st.sampled_from(MODELS), st.sampled_from([*ALL_OPTIONS, None]))
PAIRS = [(options, Pair(options)) for options in [*ALL_OPTIONS, None]]


@given(st.lists(HARD, max_size=40).map("".join), SOME_OPTIONS)
def test_mixed_texts(text, options):
    next(pair for key, pair in PAIRS if key == options).check(text)


def test_many_mixed_texts_of_marks():
    rng, pair = random.Random(2), Pair(MODELS[0])
    pools = [COMBINING, [0x08D4, 0x1D165, 0x1D16D, 0x302E, 0x0344, 0x0F73, 0x1D15E], [*map(ord, "ae.\u200b\0 ")]]
    for size in [1, 2, 3, 5, 16, 17, 18, 40, 300] * 60:
        pair.check("".join(chr(rng.choice(rng.choice(pools))) for _ in range(size)))


@pytest.mark.parametrize("name", ["english", "multilingual", "code", "sentences82"])
def test_lines_of_real_text(data, deep, name):
    lines = (data / "corpora" / f"{name}.txt").read_text(encoding="utf-8").split("\n")
    if not deep:
        lines = random.Random(3).sample(lines, min(len(lines), 600))
    for options in MODELS:
        pair = Pair(options)
        for line in lines:
            pair.check(line)
