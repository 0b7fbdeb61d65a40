"""The engine against the tokenizers library on real text and real vocabularies: ids, offsets and words.

Of the lines every seventh, but all of them where EVERY_LINE=1 or HYPOTHESIS_PROFILE=deep asks for it: `make package`
does, for the release build. The library takes most of the time.
"""
import os
from functools import cache
from pathlib import Path

import pytest
import tokenizers
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from linmaxmatch import WordPiece

EVERY_LINE = os.environ.get("EVERY_LINE") == "1" or os.environ.get("HYPOTHESIS_PROFILE") == "deep"
CORPORA = ["english", "multilingual", "code", "sentences82"]
VOCABULARIES = ["bert-base-uncased-vocab.txt", "multilingual-cased-wordpiece.txt"]


@cache
def reference(path: Path, lowercase: bool, clean: bool = True) -> Tokenizer:
    vocabulary = {token: i for i, token in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    if clean:
        tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


@cache
def ours(path: Path, lowercase: bool, clean: bool = True) -> WordPiece:
    if clean:
        return WordPiece.from_file(path, lowercase=lowercase)
    return WordPiece.from_file(path, normalizer=None, max_chars_per_word=100)


@pytest.fixture(scope="module", params=CORPORA)
def corpus(request, data):
    text = (data / "corpora" / f"{request.param}.txt").read_bytes().decode("utf-8")
    return text, text.split("\n")


def test_the_reference_is_the_release_that_we_are_exact_to():
    assert tokenizers.__version__ == "0.23.3"


@pytest.mark.parametrize("lowercase", [True, False], ids=["uncased", "cased"])
@pytest.mark.parametrize("vocabulary", VOCABULARIES)
def test_line_by_line(data, corpus, vocabulary, lowercase):
    path = data / "vocabs" / vocabulary
    mine = ours(path, lowercase)
    lines = corpus[1] if EVERY_LINE else corpus[1][::7]
    batch = mine.encode_batch(lines)
    for start in range(0, len(lines), 4096):
        part = range(start, min(len(lines), start + 4096))
        expected = reference(path, lowercase).encode_batch([lines[i] for i in part], add_special_tokens=False)
        for i, e in zip(part, expected, strict=True):
            assert mine.encode(lines[i]) == e.ids, lines[i]
            assert batch[i] == e.ids
            full = mine.encode(lines[i], offsets=True)
            assert full.ids == e.ids
            assert list(zip(full.starts, full.ends, strict=True)) == e.offsets, lines[i]
            assert full.words == e.word_ids, lines[i]


@pytest.mark.parametrize("lowercase", [True, False], ids=["uncased", "cased"])
def test_as_one_document(data, corpus, lowercase):
    path = data / "vocabs" / VOCABULARIES[0]
    text, _ = corpus
    expected = reference(path, lowercase).encode(text, add_special_tokens=False)
    full = ours(path, lowercase).encode(text, offsets=True)
    assert ours(path, lowercase).encode(text) == expected.ids
    assert ours(path, lowercase).encode(text.encode("utf-8")) == expected.ids
    assert full.ids == expected.ids
    assert list(zip(full.starts, full.ends, strict=True)) == expected.offsets
    assert ours(path, lowercase).count(text) == len(expected.ids)


def test_without_a_normalizer(data, corpus):
    path = data / "vocabs" / VOCABULARIES[1]
    text, lines = corpus
    mine = ours(path, False, clean=False)
    for line, e in zip(lines, reference(path, False, clean=False).encode_batch_fast(lines, add_special_tokens=False),
                       strict=True):
        assert mine.encode(line) == e.ids, line
    assert mine.encode(text) == reference(path, False, clean=False).encode(text, add_special_tokens=False).ids


def test_byte_offsets_are_those_of_the_utf8(data, corpus):
    mine = ours(data / "vocabs" / VOCABULARIES[0], True)
    _, lines = corpus
    for line in lines[::37]:
        raw, full = line.encode("utf-8"), mine.encode(line, offsets=True)
        assert mine.encode(raw, offsets=True) == full
        for start, end, first, last in zip(full.starts, full.ends, full.byte_starts, full.byte_ends, strict=True):
            assert raw[first:last].decode("utf-8") == line[start:end]
