"""The shipped vocabulary: its form, that no ASCII text is unknown to it, and that the script makes it anew."""
import runpy
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import BertWordPieceTokenizer

from linmaxmatch.default import default_vocabulary_path
from linmaxmatch.wordpiece import WordPiece

SCRIPT = Path(__file__).parents[1] / "scripts" / "train_default_vocab.py"
PRINTABLE = [chr(c) for c in range(0x21, 0x7F)]
UNK = "[UNK]"
TEXT = st.text(st.sampled_from([*string.printable, *"\0\x1b\x7f"]), max_size=60)


@pytest.fixture(scope="module")
def tokens():
    return default_vocabulary_path().read_text(encoding="utf-8").split("\n")[:-1]


@pytest.fixture(scope="module")
def shipped():
    return WordPiece.from_file(default_vocabulary_path())


@pytest.fixture(scope="module")
def peer():
    return BertWordPieceTokenizer(str(default_vocabulary_path()), lowercase=True)


def test_its_form(tokens, shipped):
    assert len(tokens) == 8_000 == shipped.vocab_size
    assert tokens[:5] == ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    assert len(set(tokens)) == len(tokens)
    assert "" not in tokens
    assert not any(c.isspace() for token in tokens for c in token)
    assert default_vocabulary_path().read_bytes().endswith(b"\n")
    assert b"\r" not in default_vocabulary_path().read_bytes()


def test_every_character_has_a_suffix_form(tokens):
    known = set(tokens)
    assert known.issuperset(PRINTABLE)
    assert known.issuperset("##" + c for c in PRINTABLE)
    assert [c for c in tokens if len(c) == 1 and "##" + c not in known] == []


@pytest.mark.parametrize("options", [{}, {"lowercase": False}, {"normalizer": None, "max_chars_per_word": None}])
def test_every_printable_ascii_word_of_two_is_known(options):
    wordpiece = WordPiece.from_file(default_vocabulary_path(), **options)
    text = " ".join(a + b for a in PRINTABLE for b in PRINTABLE)
    assert UNK not in wordpiece.tokenize(text)


@given(TEXT)
def test_no_ascii_text_is_unknown(shipped, text):
    assert UNK not in shipped.tokenize(text)


@given(st.one_of(TEXT, st.text(max_size=60)))
def test_equal_to_the_tokenizers_library(shipped, peer, text):
    text = text.encode("utf-8", "replace").decode()
    expected = peer.encode(text, add_special_tokens=False)
    found = shipped.encode(text, offsets=True)
    assert list(found.ids) == expected.ids
    assert list(zip(found.starts, found.ends, strict=True)) == expected.offsets


def test_equal_to_the_tokenizers_library_on_real_text(shipped, peer, data):
    for name in ("english.txt", "code.txt", "multilingual.txt", "sentences82.txt"):
        lines = (data / "corpora" / name).read_text(encoding="utf-8").split("\n")[::10]
        expected = peer.encode_batch(lines, add_special_tokens=False)
        assert list(map(list, shipped.encode_batch(lines))) == [each.ids for each in expected]


def test_the_script_makes_it_anew(tokens, data):
    assert runpy.run_path(str(SCRIPT))["train"](data / "corpora") == tokens
