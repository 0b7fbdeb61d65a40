"""Whole tokenizers from tokenizer.json files, added tokens of all kinds included, against the tokenizers library."""
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from linmaxmatch import WordPiece
from subwordio.errors import FormatError
from subwordio.padding import Padding, Truncation

UNK, CLS, SEP = "[UNK]", "[CLS]", "[SEP]"
MINILM = "all-minilm-l6-v2-tokenizer.json"
WORDS = ["ab", "##x", "my", "##1", "##2", "1", "2", "a", "b", "##a", "##b", "é", "e", "漢", "!", "-", "[", "]", "cls"]


def library(added=(), **clean):
    tokenizer = Tokenizer(models.WordPiece({t: i for i, t in enumerate([UNK, CLS, SEP, *WORDS])}, unk_token=UNK,
                                           max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer(**clean)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(cleanup=False)
    tokenizer.post_processor = processors.BertProcessing((SEP, 2), (CLS, 1))
    tokenizer.add_special_tokens([UNK, CLS, SEP])
    tokenizer.add_tokens(list(added))
    return tokenizer


def both(tmp_path, added=(), **clean):
    theirs = library(added, **clean)
    path = tmp_path / "tokenizer.json"
    theirs.save(str(path))
    return theirs, WordPiece.from_file(path)


def assert_equal(theirs, ours, text):
    expected = theirs.encode(text, add_special_tokens=False)
    full = ours.encode(text, offsets=True, allowed_special="all")
    assert ours.encode(text, allowed_special="all") == expected.ids, text
    assert full.ids == expected.ids
    assert list(zip(full.starts, full.ends, strict=True)) == expected.offsets, text
    assert full.words == expected.word_ids, text
    assert ours.count(text, allowed_special="all") == len(expected.ids)


def test_w29_special_tokens_in_text_count_only_where_allowed(tmp_path):
    theirs, ours = both(tmp_path)
    text = "[CLS] ab [SEP] [cls]"
    assert ours.tokenize(text) == ["[", "cls", "]", "ab", "[", UNK, "]", "[", "cls", "]"]
    assert_equal(theirs, ours, text)
    assert ours.encode(text, allowed_special={CLS})[:1] == [1]
    expected = theirs.encode(text, add_special_tokens=False).ids
    assert ours.encode_batch([text, "ab"], allowed_special="all")[0] == expected
    with pytest.raises(ValueError, match="nothing"):
        ours.encode(text, allowed_special={"nothing"})


def test_b50_the_longest_added_token_wins(tmp_path):
    theirs, ours = both(tmp_path, [AddedToken(t, normalized=False) for t in ("my1", "my12", "my123", "A", "B", "BA")])
    for text in ["my123my12my1", "ABA", "my1234", "xmy1 A", "a A B b"]:
        assert_equal(theirs, ours, text)


def test_b52_single_word_lstrip_rstrip(tmp_path):
    for flags in itertools.product([False, True], repeat=4):
        single, left, right, normalized = flags
        theirs, ours = both(tmp_path, [AddedToken("zq", single_word=single, lstrip=left, rstrip=right,
                                                  normalized=normalized)])
        for text in ["zq zqx xzq", " zq  ab zq", "zqzq", "ab  zq\t\nab", "ZQ zQ", "-zq-", "漢zq漢", "zq\u0301 zq"]:
            assert_equal(theirs, ours, text)


def test_tokens_looked_for_in_normalized_text(tmp_path):
    added = [AddedToken("Ünder Way"), AddedToken("x-y"), AddedToken("漢字"), AddedToken("don't", single_word=True)]
    for clean in ({}, {"lowercase": False}, {"strip_accents": False}, {"handle_chinese_chars": False}):
        theirs, ours = both(tmp_path, added, **clean)
        for text in ["we are under way", "we are ÜNDER WAY now", "UNDER  WAY", "x-y X-Y x - y", "漢字", "don't DON'T",
                     "a\u200bb x\u00ad-y", "[CLS] under way [SEP]", "é漢 字x-y!", ""]:
            assert_equal(theirs, ours, text)
        ids = theirs.encode("x-y ab", add_special_tokens=False).ids
        assert ours.decode(ids) == theirs.decode(ids)


parts = st.sampled_from(["my", "1", "2", "12", "ab", "x", " ", "  ", "é", "E\u0301", "漢", "-", "[CLS]", "[SEP]",
                         "\u00ad", "A"])


@given(st.lists(parts, max_size=12).map("".join), st.lists(
    st.tuples(st.sampled_from(["my1", "my12", "12", "1 2", "ab", "x-", "É", "漢", "- "]), st.booleans(), st.booleans(),
              st.booleans(), st.booleans()), max_size=4, unique_by=lambda row: row[0]))
def test_random_added_tokens(tmp_path_factory, text, rows):
    added = [AddedToken(content, single_word=a, lstrip=b, rstrip=c, normalized=d) for content, a, b, c, d in rows]
    theirs, ours = both(tmp_path_factory.mktemp("random"), added)
    assert_equal(theirs, ours, text)


# The whole of a published file

@pytest.fixture(scope="module")
def minilm(data):
    path = data / "vocabs" / MINILM
    return Tokenizer.from_file(str(path)), WordPiece.from_file(path)


@pytest.fixture(scope="module")
def lines(data):
    corpora = data / "corpora"
    return [line for name in ("english", "multilingual", "code", "sentences82")
            for line in (corpora / f"{name}.txt").read_text(encoding="utf-8").split("\n")[:250]]


def rows(encodings):
    return [e.ids for e in encodings], [e.attention_mask for e in encodings], [e.type_ids for e in encodings]


def test_encode_padded_as_the_file_asks(minilm, lines):
    theirs, ours = minilm
    ids, mask, types = ours.encode_padded(lines)
    assert (ids.tolist(), mask.tolist(), types.tolist()) == rows(theirs.encode_batch(lines))
    assert len(ids.tolist()[0]) == 128


def test_encode_padded_of_pairs(minilm, lines):
    theirs, ours = minilm
    firsts, seconds = lines[::2], lines[1::2]
    matrices = ours.encode_padded(firsts, seconds)
    assert tuple(m.tolist() for m in matrices) == rows(theirs.encode_batch(list(zip(firsts, seconds, strict=True))))


@pytest.mark.parametrize(("length", "stride"), [(16, 0), (16, 5), (16, 13), (3, 0)])
def test_w28_overflow(minilm, lines, length, stride):
    theirs, ours = minilm
    theirs.enable_truncation(length, stride=stride)
    theirs.enable_padding(length=length)
    try:
        expected, samples = [], []
        for i, e in enumerate(theirs.encode_batch(lines[:60])):
            expected += [e, *e.overflowing]
            samples += [i] * (1 + len(e.overflowing))
    finally:
        theirs.enable_truncation(128)
        theirs.enable_padding(length=128)
    padded = ours.encode_padded(lines[:60], max_length=length, stride=stride, padding=Padding(length),
                                return_overflow=True)
    assert tuple(m.tolist() for m in padded[:3]) == rows(expected)
    assert list(padded[3]) == samples
    with pytest.raises(ValueError, match="stride"):
        ours.encode_padded(lines[:2], max_length=length, stride=length)


def test_without_truncation_and_padding(minilm, lines):
    theirs, ours = minilm
    theirs.no_truncation()
    theirs.no_padding()
    try:
        expected = theirs.encode_batch(lines)
        plain = theirs.encode_batch(lines, add_special_tokens=False)
    finally:
        theirs.enable_truncation(128)
        theirs.enable_padding(length=128)
    for line, e, without in zip(lines, expected, plain, strict=True):
        full = ours.encode(line, special_tokens=True, offsets=True)
        assert full.ids == e.ids
        assert list(zip(full.starts, full.ends, strict=True)) == e.offsets
        assert ours.encode(line) == without.ids
        assert ours.decode(e.ids, skip_special_tokens=True) == theirs.decode(e.ids)
        assert ours.decode(e.ids) == theirs.decode(e.ids, skip_special_tokens=False)


def test_the_decoder_of_the_file(tmp_path):
    ids = [1, 3, 4, 12, 13, 2]
    for decoder in (None, decoders.WordPiece(cleanup=True), decoders.WordPiece(prefix="#", cleanup=False)):
        theirs = library()
        theirs.decoder = decoder
        theirs.save(str(tmp_path / "tokenizer.json"))
        ours = WordPiece.from_file(tmp_path / "tokenizer.json")
        assert ours.decode(ids) == theirs.decode(ids, skip_special_tokens=False)


def test_dtype_and_buffers(minilm):
    import numpy as np
    _, ours = minilm
    for dtype in ("int64", "int32"):
        ids, _, _ = ours.encode_padded(["hello world", "hi"], padding=None, truncation=None, dtype=dtype)
        array = np.asarray(ids)
        assert array.dtype == dtype and array.shape == (2, 4) and array.tolist() == ids.tolist()


def test_options_beside_a_tokenizer_json(data):
    with pytest.raises(TypeError, match="lowercase"):
        WordPiece.from_file(data / "vocabs" / MINILM, lowercase=False)
    with pytest.raises(FormatError, match="SHA-256"):
        WordPiece.from_file(data / "vocabs" / MINILM, sha256="0" * 64)
    assert WordPiece.from_file(data / "vocabs" / MINILM).options["truncation"] == Truncation(128)
