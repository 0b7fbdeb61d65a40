"""Saved BPE tokenizers: equal in all they do after loading, used in place, and every damage has a message."""
import json
import os
import pickle
import random
import re
from functools import partial

import pytest

from incbpe import BPE
from incbpe.default import default_tokenizer_path
from incbpe.model import (
    ByteFallback,
    Config,
    Form,
    Fuse,
    Model,
    Prepend,
    Replace,
    Split,
    Strip,
    Trim,
)
from linmaxmatch import WordPiece
from subwordio import container
from subwordio.added import AddedToken
from subwordio.container import Container
from subwordio.padding import Padding, Truncation
from subwordio.template import Template
from tests.savedfiles import collected_in_a_cycle, mapped_and_not_copied
from tests.savedfiles import refused as refused_by

TEXTS = ("", "low lower lowest", "I'll say: naïve 東京 1234  times!\n\n", "<x> a<y>b ☃ \0", "abab" * 50,
         "aaab" * 9 + "a", "ὈΔΥΣΣΕΎΣ \u0301 한국어")
BYTES = tuple(bytes((b,)) for b in range(256))
RANKS = Model((*BYTES, b"lo", b"low", b"er", b" l", b"  ", b"ab", b"abab"), None, whole_piece=True)
LETTERS = ("a", "b", "ab", "aa", "aaa", "ba", "aab", "abab")
FALLBACK = tuple(f"<0x{b:02X}>" for b in range(256))
# Improper: another order of the first one's rules serves, of the second one's none.
REORDERED = Model(("a", "b", "ba", "baa"), (("ba", "a"), ("b", "a")))
PAIRED = Model(("a", "b", "bb", "bbb"), (("bb", "b"), ("b", "b")))
CONFIGS = {
    "ranks": Config(RANKS, "tiktoken", "gpt2"),
    "added": Config(RANKS, "tiktoken", "cl100k", added_tokens=(
        AddedToken("<x>", 300, special=True), AddedToken("<y>", 301, lstrip=True)), template=Template.bert(1, 2),
        truncation=Truncation(8, stride=2), padding=Padding(length=16), notes=("a note", "another: ☃")),
    "few": Config(Model((b"a", b"b", b"", b"ab"), None, whole_piece=True), "tiktoken", "none"),
    "characters": Config(
        Model(("<unk>", *FALLBACK, "▁", *LETTERS), (("a", "b"), ("a", "a"), ("aa", "a"), ("b", "a"), ("a", "ab"),
                                                     ("ab", "ab")),
              byte_ids=tuple(range(1, 257)), unk_id=0, fuse_unk=True), "tokenizers", None,
        normalizer=(Prepend("▁"), Replace(" ", "▁"), Form("NFC")),
        decoder=(Replace("▁", " "), ByteFallback(), Fuse(), Strip(" ", 1, 0))),
    "trimmed": Config(Model((*BYTES, b"ab", b" a"), ((b"a", b"b"), (b" ", b"a"))), "tokenizers", None,
                      byte_level_regex=True, add_prefix_space=True, trim=Trim(True)),
    "vanishing": Config(Model(("a", "b", "ab"), (("a", "b"),)), "tokenizers", None, unmatched=((7, "é"),),
                        splits=(Split("b", literal=True, behavior="merged_with_next"),)),
    "nothing": Config(Model((), None), "tiktoken", "none"),
    "reordered": Config(REORDERED, "tokenizers", None), "pairs": Config(PAIRED, "tokenizers", None),
}


def outcome(call, *arguments, **options):
    """What a call gives, or the type and message of its error."""
    try:
        return call(*arguments, **options)
    except ValueError as error:
        return type(error), str(error)


def assert_equal(one: BPE, other: BPE, texts=TEXTS) -> None:
    assert one.config == other.config and one.vocab_size == other.vocab_size and one.facts == other.facts
    assert one.fingerprint == other.fingerprint and pickle.dumps(one) == pickle.dumps(other)
    assert one.model == other.model and repr(one) == repr(other)
    special = {"allowed_special": "all"} if one.config.added_tokens else {}
    for text in texts:
        for name, arguments, options in (
                ("encode", (text,), special), ("encode", (text,), {"offsets": True}), ("count", (text, 3), {}),
                ("encode_bytes", (text.encode() + b"\xff",), {}), ("truncate", (text, 2), {})):
            assert outcome(getattr(one, name), *arguments, **options) == outcome(
                getattr(other, name), *arguments, **options), (name, text)
        ids = outcome(one.encode, text)
        if not isinstance(ids, tuple):
            assert one.decode(ids) == other.decode(ids) and one.decode_bytes(ids) == other.decode_bytes(ids)
            assert [one.token(id) for id in ids] == [other.token(id) for id in ids]
    assert outcome(one.encode_batch, texts, threads=2) == outcome(other.encode_batch, texts, threads=2)


def assert_prefixes_and_streams_equal(one: BPE, other: BPE, text: str) -> None:
    P, Q = one.prefixes(text), other.prefixes(text)
    n = len(text.encode())
    assert [outcome(P.tokens, i) for i in range(n + 1)] == [outcome(Q.tokens, i) for i in range(n + 1)]
    for chunk in (1, 7):
        chunks = [text[i:i + chunk] for i in range(0, len(text), chunk)]
        fed = []
        for tokenizer in (one, other):
            stream = tokenizer.stream()
            fed.append([*(list(stream.feed(part)) for part in chunks), list(stream.finish())])
        assert fed[0] == fed[1]


@pytest.mark.parametrize("name", CONFIGS)
def test_loaded_equals_saved(name, tmp_path):
    tokenizer = BPE(CONFIGS[name])
    assert name not in ("reordered", "pairs") or tokenizer.facts["form"] == name
    tokenizer.save(tmp_path / "saved")
    for verify in (True, False):
        loaded = BPE.load(tmp_path / "saved", verify=verify)
        loaded.check()
        assert_equal(tokenizer, loaded)
    sizes = [{key: value for key, value in one.inspect().items() if key != "cache"} for one in (tokenizer, loaded)]
    assert sizes[0] == sizes[1]
    if name in ("added", "trimmed", "pairs", "characters"):
        assert_prefixes_and_streams_equal(tokenizer, loaded, "abab aaab")
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "saved").read_bytes()
    pickle.loads(pickle.dumps(loaded)).save(tmp_path / "again")
    if not tokenizer.config.notes:          # which a pickle leaves out
        assert (tmp_path / "again").read_bytes() == (tmp_path / "saved").read_bytes()


def test_small_worlds(tmp_path):
    """Random rules over two letters, proper or not, with texts of every length."""
    choose, forms = random.Random(7), set()
    for _ in range(60):
        tokens, merges = ["a", "b"], []
        for _ in range(choose.randrange(2, 8)):
            pair = choose.choice(tokens), choose.choice(tokens)
            if pair not in merges and len(pair[0] + pair[1]) < 7:
                merges.append(pair)
                tokens = list(dict.fromkeys([*tokens, pair[0] + pair[1]]))
        choose.shuffle(merges)
        tokenizer = BPE(Config(Model(tuple(tokens), tuple(merges)), "tokenizers", None))
        tokenizer.save(tmp_path / "saved")
        loaded = BPE.load(tmp_path / "saved")
        loaded.check()
        forms.add(loaded.facts["form"])
        assert_equal(tokenizer, loaded, ["".join(choose.choices("ab", k=n)) for n in range(1, 40, 3)])
    assert forms == {"rules", "reordered", "pairs"}


REAL = [("gpt2.tiktoken", "gpt2"), ("llama2-tokenizer.json", None)]
MORE = [("cl100k_base.tiktoken", "cl100k"), ("o200k_base.tiktoken", "o200k"), ("qwen.tiktoken", "qwen"),
        ("llama3-tokenizer.json", None)]


@pytest.mark.parametrize("vocabulary, pattern", REAL + MORE * (os.environ.get("HYPOTHESIS_PROFILE") == "deep"))
def test_real_vocabularies(vocabulary, pattern, data, tmp_path):
    tokenizer = BPE.from_file(data / "vocabs" / vocabulary, pattern=pattern)
    tokenizer.save(tmp_path / "saved")
    loaded = BPE.load(tmp_path / "saved")
    assert tokenizer.fingerprint == loaded.fingerprint and tokenizer.config == loaded.config
    for corpus in ("english", "multilingual", "code"):
        text = (data / "corpora" / f"{corpus}.txt").read_bytes()[:100_000].decode(errors="ignore")
        ids = tokenizer.encode(text)
        assert loaded.encode(text) == ids and loaded.encode(text, offsets=True) == tokenizer.encode(text, offsets=True)
        assert loaded.decode(ids) == tokenizer.decode(ids)
        P, Q = tokenizer.prefixes(text[:2_000]), loaded.prefixes(text[:2_000])
        assert all(P.tokens(i) == Q.tokens(i) for i in range(0, 2_000, 37))


def test_the_default_tokenizer_and_its_streams(tmp_path):
    tokenizer = BPE.from_file(default_tokenizer_path())
    tokenizer.save(tmp_path / "saved")
    loaded = BPE.load(tmp_path / "saved")
    loaded.check()
    assert_equal(tokenizer, loaded)
    assert_prefixes_and_streams_equal(tokenizer, loaded, "".join(TEXTS))


def test_a_stand_in_by_path(tmp_path):
    BPE(CONFIGS["added"]).save(tmp_path / "saved")
    stand_in = BPE.load(tmp_path / "saved").by_path()
    travelled = pickle.loads(pickle.dumps(stand_in))
    assert travelled.encode("lower") == BPE(CONFIGS["added"]).encode("lower") and len(pickle.dumps(stand_in)) < 1_000
    BPE(CONFIGS["few"]).save(tmp_path / "saved")
    with pytest.raises(ValueError, match="another tokenizer"):
        pickle.loads(pickle.dumps(stand_in))


def test_a_loaded_tokenizer_outlives_its_file(tmp_path):
    path = tmp_path / "saved"
    tokenizer = BPE(CONFIGS["pairs"])
    tokenizer.save(path)
    loaded = BPE.load(path)
    BPE(CONFIGS["ranks"]).save(path)            # another file takes the name; the mapped one stays as it was
    assert_equal(tokenizer, loaded)
    path.unlink()
    assert_equal(tokenizer, loaded)


@pytest.mark.parametrize("name", ["pairs", "trimmed"])
def test_a_loaded_tokenizer_in_a_cycle_is_collected(name, tmp_path):
    BPE(CONFIGS[name]).save(tmp_path / "saved")
    collected_in_a_cycle(BPE, tmp_path / "saved")


@pytest.mark.skipif(not os.path.exists("/proc/self/smaps"), reason="asks Linux what is mapped")
def test_the_tables_are_shared_and_not_copied(tmp_path):
    BPE.from_file(default_tokenizer_path()).save(tmp_path / "saved")
    mapped_and_not_copied(BPE, tmp_path / "saved", TEXTS[2].replace("\0", ""))


refused = partial(refused_by, BPE)


def test_files_that_are_something_else(tmp_path):
    path = tmp_path / "file"
    for content, word in ((b"", "is empty"), (b"YQ== 0\n" * 99, "read by from_file"), (b"{}" * 99, "read by from_file"),
                          (pickle.dumps(list(range(99))), "not a saved tokenizer")):
        path.write_bytes(content)
        refused(path, word)
    WordPiece(["[UNK]", "a"]).save(path)
    refused(path, "holds a WordPiece, not a BPE")
    with pytest.raises(FileNotFoundError):
        BPE.load(tmp_path / "none")


@pytest.mark.parametrize("name", ["added", "pairs", "trimmed"])
def test_damage(name, tmp_path):
    path = tmp_path / "saved"
    BPE(CONFIGS[name]).save(path)
    whole = bytearray(path.read_bytes())
    path.write_bytes(whole[:8] + (7).to_bytes(4, "little") + whole[12:])
    refused(path, "is of version 7", f"reads version {container.VERSION}")
    path.write_bytes(whole[:8] + whole[11:7:-1] + whole[15:11:-1] + whole[16:])
    refused(path, "another byte order")
    for i in [*range(64), *random.Random(5).sample(range(64, len(whole)), 60)]:
        whole[i] ^= 1 << i % 8
        path.write_bytes(whole)
        refused(path)
        whole[i] ^= 1 << i % 8
    for verify in (True, False):
        for length in (*range(1, 130, 7), *range(130, len(whole), 1 + len(whole) // 20), len(whole) - 1):
            path.write_bytes(whole[:length])
            refused(path, "too short" if length < 64 else "cut short", verify=verify)
        path.write_bytes(whole + b"\0")
        refused(path, f"but {len(whole)} were written", verify=verify)


def sections_of(path) -> dict[str, bytes]:
    whole = path.read_bytes()
    return {name: whole[begin:begin + size] for name, (begin, size) in Container(path, "BPE").sections.items()}


@pytest.mark.parametrize("name", ["characters", "pairs", "trimmed"])
def test_sections_that_do_not_fit(name, tmp_path):
    path = tmp_path / "saved"
    BPE(CONFIGS[name]).save(path)
    right = sections_of(path)
    for section in right:
        container.write(path, "BPE", {key: value for key, value in right.items() if key != section})
        refused(path, f"has no section '{section}'")
    head = json.loads(right["head"])
    for section, value, word in (
            ("cells", right["cells"] + b"1", "no whole number"), ("cells", right["cells"][:-8], "no size that"),
            ("cells", b"", "no size that"), ("sizes", right["sizes"][:8], "no size that"),
            ("records", right["records"][:-16], "no size that"), ("shorter", right["shorter"] * 2, "no size that"),
            ("token.text", right["token.text"][:-1], "do not fill"), ("token.begin", b"", "do not fill"),
            ("token.slots", b"", "no size that"), ("token.slots", right["token.slots"] * 3, "no size that"),
            ("left", right["left"][:-4], "its merges are not"), ("right", b"", "its merges are not"),
            *([("pairs.made", b"", "no size that"), ("pairs.rules", right["pairs.rules"] * 3, "no size that")]
              if name == "pairs" else []),
            *([("trim.before", b"", "of 258 tokens")] if name == "trimmed" else []),
            ("head", b"{", "section 'head'"), ("head", b"[]", "section 'head'"), ("head", b"\xff", "section 'head'"),
            ("head", json.dumps(head | {"config": {"": "Trim", "prefix_space": True}}).encode(), "section 'head'"),
            ("head", json.dumps(head | {"config": {"": "Nothing"}}).encode(), "section 'head'"),
            ("head", json.dumps(head | {"form": 99}).encode(), "in form 99; this release reads form")):
        container.write(path, "BPE", right | {section: value})
        refused(path, word)
    container.write(path, "BPE", right)
    assert_equal(BPE(CONFIGS[name]), BPE.load(path))


def test_arguments(tmp_path):
    bpe = BPE(CONFIGS["few"])
    for call in (bpe.save, BPE.load):
        with pytest.raises(TypeError):
            call(None)
    with pytest.raises(OSError, match="none"):
        bpe.save(tmp_path / "none" / "saved")
    bpe.save(tmp_path / "saved")
    with pytest.raises(OSError, match=re.escape(str(tmp_path))):
        bpe.save(tmp_path / "saved" / "below")
