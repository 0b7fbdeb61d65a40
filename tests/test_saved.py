"""Saved tokenizers: equal in all they do after loading, used in place, and every damage has a message."""
import itertools
import json
import os
import pickle
import random
from functools import partial

import pytest

from linmaxmatch import WordPiece, default_vocabulary_path
from subwordio import container
from subwordio.added import AddedToken
from subwordio.container import Container
from subwordio.errors import FormatError
from subwordio.padding import Padding, Truncation
from subwordio.template import Template
from tests.savedfiles import collected_in_a_cycle, mapped_and_not_copied
from tests.savedfiles import refused as refused_by

TEXTS = ("", "Unaffable people say: naïve 東京 1234 times!", "##ing [MASK] <b> ☃", "ὈΔΥΣΣΕΎΣ \u0301\u0327 한국어 \0",
         "a" * 300)
SMALL = ["[UNK]", "[CLS]", "[SEP]", "a", "##b", "##ing", "play", "東", "☃", "##", "", "a b"]
ADDED = (AddedToken("[MASK]", 12, special=True), AddedToken("<b>", 20, normalized=True, lstrip=True))
OPTIONS = {
    "plain": {}, "cased": {"lowercase": False}, "google": {"normalizer": "google", "nfc": True},
    "tf": {"normalizer": "tf"}, "bare": {"normalizer": None, "suffix_indicator": ""},
    "split": {"split_unknown": True, "max_chars_per_word": 3, "cleanup": True, "decoder_prefix": None},
    "added": {"added_tokens": ADDED, "template": Template.bert(2, 1), "truncation": Truncation(8, stride=2),
              "padding": Padding(length=16)},
}


def assert_equal(one: WordPiece, other: WordPiece, texts=TEXTS) -> None:
    assert one.options == other.options and one.notes == other.notes and one.template == other.template
    assert one.tokens == other.tokens and one.vocab_size == other.vocab_size
    assert one.fingerprint == other.fingerprint and pickle.dumps(one) == pickle.dumps(other)
    special = {"allowed_special": "all"} if one.options["added_tokens"] else {}
    for text in texts:
        assert one.encode(text, **special) == other.encode(text, **special)
        assert one.tokenize(text) == other.tokenize(text) and one.count(text) == other.count(text)
        if not one.options["nfc"]:
            assert one.encode(text, offsets=True) == other.encode(text, offsets=True)
        assert one.encode_word(text) == other.encode_word(text) and one.steps(text) == other.steps(text)
        assert one.decode(one.encode(text)) == other.decode(other.encode(text))
    assert one.encode_batch(texts, threads=2) == other.encode_batch(texts, threads=2)
    for token in one.tokens:
        assert not token or one.id(token) == other.id(token)


@pytest.mark.parametrize("name", OPTIONS)
def test_loaded_equals_saved(name, tmp_path):
    tokenizer = WordPiece(SMALL, **OPTIONS[name])
    tokenizer.save(tmp_path / "saved")
    for verify in (True, False):
        loaded = WordPiece.load(tmp_path / "saved", verify=verify)
        loaded.check()
        assert_equal(tokenizer, loaded)
    sizes = [{key: value for key, value in one.inspect().items() if key not in ("normalizer_bytes", "cache")}
             for one in (tokenizer, loaded)]
    assert sizes[0] == sizes[1]
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "saved").read_bytes()
    pickle.loads(pickle.dumps(loaded)).save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "saved").read_bytes()


def test_the_default_vocabulary_and_its_notes(tmp_path):
    text = default_vocabulary_path().read_bytes()
    (tmp_path / "vocab.txt").write_bytes(b"\xef\xbb\xbf" + text)
    tokenizer = WordPiece.from_file(tmp_path / "vocab.txt")
    tokenizer.save(tmp_path / "saved")
    loaded = WordPiece.load(tmp_path / "saved")
    assert loaded.notes and all("byte order mark" in note for note in loaded.notes)
    assert_equal(tokenizer, loaded, text.decode().split("\n")[:3_000])


@pytest.mark.parametrize("vocabulary, lowercase", [
    ("bert-base-uncased-vocab.txt", True), ("multilingual-cased-wordpiece.txt", False)])
def test_real_vocabularies(vocabulary, lowercase, data, tmp_path):
    tokenizer = WordPiece.from_file(data / "vocabs" / vocabulary, lowercase=lowercase)
    tokenizer.save(tmp_path / "saved")
    loaded = WordPiece.load(tmp_path / "saved")
    for corpus in ("english", "multilingual", "code", "sentences82"):
        text = (data / "corpora" / f"{corpus}.txt").read_bytes()[:300_000].decode(errors="ignore")
        assert tokenizer.encode(text, offsets=True) == loaded.encode(text, offsets=True)
    assert tokenizer.fingerprint == loaded.fingerprint


def test_a_stand_in_by_path(tmp_path):
    WordPiece(SMALL).save(tmp_path / "saved")
    stand_in = WordPiece.load(tmp_path / "saved").by_path()
    travelled = pickle.loads(pickle.dumps(stand_in))
    assert travelled.encode("playing") == WordPiece(SMALL).encode("playing") and len(pickle.dumps(stand_in)) < 1_000
    WordPiece(SMALL[:8]).save(tmp_path / "saved")
    with pytest.raises(ValueError, match="another tokenizer"):
        pickle.loads(pickle.dumps(stand_in))


def test_a_loaded_tokenizer_outlives_its_file(tmp_path):
    path = tmp_path / "saved"
    tokenizer = WordPiece(SMALL)
    tokenizer.save(path)
    loaded = WordPiece.load(path)
    WordPiece(["[UNK]", "other"]).save(path)            # another file takes the name; the mapped one stays as it was
    assert_equal(tokenizer, loaded)
    path.unlink()
    assert_equal(tokenizer, loaded)


def test_a_loaded_tokenizer_in_a_cycle_is_collected(tmp_path):
    WordPiece(SMALL, **OPTIONS["added"]).save(tmp_path / "saved")
    collected_in_a_cycle(WordPiece, tmp_path / "saved")


@pytest.mark.skipif(not os.path.exists("/proc/self/smaps"), reason="asks Linux what is mapped")
def test_the_tables_are_shared_and_not_copied(tmp_path):
    WordPiece.from_file(default_vocabulary_path()).save(tmp_path / "saved")
    mapped_and_not_copied(WordPiece, tmp_path / "saved", TEXTS[1])


refused = partial(refused_by, WordPiece)


@pytest.fixture
def saved(tmp_path):
    WordPiece(SMALL, **OPTIONS["added"]).save(tmp_path / "saved")
    return tmp_path / "saved"


def test_files_that_are_something_else(tmp_path):
    path = tmp_path / "file"
    for content, word in ((b"", "is empty"), (b"[UNK]\na\n", "too short"), (b"[UNK]\n" * 99, "read by from_file"),
                          (b"<html>" + b" " * 99, "not a saved tokenizer"),
                          (b"PK\x03\x04" * 99, "not a saved tokenizer"),
                          (pickle.dumps(list(range(99))), "not a saved tokenizer")):
        path.write_bytes(content)
        refused(path, word)
    refused(tmp_path, "no ordinary file")
    with pytest.raises(FileNotFoundError):
        WordPiece.load(tmp_path / "none")
    container.write(path, "BPE", {"head": b"{}"})
    refused(path, "holds a BPE, not a WordPiece")


def test_versions_and_byte_orders(saved):
    whole = saved.read_bytes()
    assert whole[:8] == container.MAGIC and int.from_bytes(whole[8:12], "little") == container.VERSION
    saved.write_bytes(whole[:8] + (7).to_bytes(4, "little") + whole[12:])
    refused(saved, "is of version 7", "reads version 1")
    saved.write_bytes(whole[:8] + whole[11:7:-1] + whole[15:11:-1] + whole[16:])
    refused(saved, "another byte order", "0x04030201")
    saved.write_bytes(whole.replace(b"\r\n", b"\n", 1))
    refused(saved, "not a saved tokenizer")


def test_every_byte_of_the_header_counts(saved):
    whole = bytearray(saved.read_bytes())
    for verify, i in itertools.product((True, False), range(64)):
        for bit in (1, 128):
            whole[i] ^= bit
            saved.write_bytes(whole)
            if verify or not 24 <= i < 32:
                refused(saved, verify=verify)
            whole[i] ^= bit


def test_every_byte_of_the_body_counts(saved):
    whole = bytearray(saved.read_bytes())
    for i in random.Random(5).sample(range(64, len(whole)), 300):
        whole[i] ^= 1 << i % 8
        saved.write_bytes(whole)
        refused(saved, "is damaged: its content is not what was written")
        whole[i] ^= 1 << i % 8
    saved.write_bytes(whole)
    WordPiece.load(saved)


def test_files_that_are_too_short_or_too_long(saved):
    whole = saved.read_bytes()
    for verify in (True, False):
        for length in (*range(1, 200), *range(200, len(whole), 997), len(whole) - 1):
            saved.write_bytes(whole[:length])
            refused(saved, *(["cut short", f"has {length} bytes"] if length >= 64 else ["too short"]), verify=verify)
        saved.write_bytes(whole + b"\0")
        refused(saved, f"has {len(whole) + 1} bytes, but {len(whole)} were written", verify=verify)


def sections_of(path) -> dict[str, bytes]:
    whole = path.read_bytes()
    return {name: whole[begin:begin + size] for name, (begin, size) in Container(path, "WordPiece").sections.items()}


def test_sections_that_do_not_fit(saved):
    right = sections_of(saved)
    for name in right:
        container.write(saved, "WordPiece", {key: value for key, value in right.items() if key != name})
        refused(saved, f"has no section '{name}'")
    for name, value, word in (
            ("cells", right["cells"] + b"1", "no whole number"), ("cells", right["cells"][:80], "no size that"),
            ("failures", b"", "no size that"), ("pops", b"", "no size that"),
            ("sizes", right["sizes"][:8], "no size that"),
            ("begin", right["begin"][:-4], "do not fill"), ("text", right["text"][:-1], "do not fill"),
            ("order", right["order"] + bytes(4), "do not fill"), ("strings", right["strings"][:8], "do not fill"),
            ("map.shared", right["map.shared"][:-1], "no size that a map"),
            ("map.index", right["map.index"] * 2, "no size that a map"),
            ("head", b"{", "section 'head'"), ("head", b"[]", "section 'head'"), ("head", b"\xff", "section 'head'"),
            ("head", json.dumps({"notes": [], "options": {"padding": {"no": 1}}}).encode(), "section 'head'")):
        container.write(saved, "WordPiece", right | {name: value})
        refused(saved, word)
    container.write(saved, "WordPiece", right)
    assert_equal(WordPiece(SMALL, **OPTIONS["added"]), WordPiece.load(saved))


def test_a_directory_that_points_out_of_the_file(saved):
    whole = bytearray(saved.read_bytes())
    for at, value in ((64 + 16, len(whole) + 64), (64 + 24, len(whole)), (64 + 16, 129), (64 + 16, 2**64 - 64)):
        damaged = bytearray(whole)
        damaged[at:at + 8] = value.to_bytes(8, "little")
        saved.write_bytes(damaged)
        refused(saved, "are not in the file", verify=False)
        refused(saved, "is damaged")


def test_saving_is_all_or_nothing(saved):
    before = saved.read_bytes()
    for name, value, error in (("a name that is too long", b"", ValueError), ("", b"", ValueError),
                               ("x", 7, TypeError)):
        with pytest.raises(error):
            container.write(saved, "WordPiece", {name: value})
        assert saved.read_bytes() == before and os.listdir(saved.parent) == ["saved"]
    with pytest.raises(OSError, match="none"):
        WordPiece(SMALL).save(saved.parent / "none" / "saved")
    with pytest.raises(TypeError):
        WordPiece(SMALL).save(None)
    with pytest.raises(TypeError):
        WordPiece.load(None)


def test_a_digest_of_any_length(tmp_path):
    """Words and their rest: every length, and every bit of it."""
    path = tmp_path / "file"
    for n in (*range(70), 127, 128, 129, 1_000):
        container.write(path, "Example", {"x": bytes(n)})
        assert Container(path, "Example").sections == {"x": (128, n)}
        whole = bytearray(path.read_bytes())
        for i in range(128, len(whole)):
            whole[i] ^= 16
            path.write_bytes(whole)
            with pytest.raises(FormatError, match="is damaged"):
                Container(path, "Example")
            whole[i] ^= 16
