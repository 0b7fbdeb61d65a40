"""BPE files: .tiktoken, tokenizer.json, vocab.json with merges.txt, tekken.json, and everything that can be wrong."""
import base64
import hashlib
import itertools
import json
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import ByteLevelBPETokenizer, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from incbpe import BPE
from incbpe.bytemap import ALPHABET, byte_name, name_to_bytes, names_to_bytes
from incbpe.loading import load, load_pair
from incbpe.merges import read_rules
from incbpe.model import ByteFallback, ByteLevel, Form, Fuse, Model, Prepend, Replace, Split, Strip, Trim
from incbpe.rankfile import plain_ranks
from incbpe.special import RANKS, SPECIAL_TOKENS, special_tokens_of
from incbpe.spelling import plain_pairs
from incbpe.tekken import load_tekken
from incbpe.tiktoken_file import load_tiktoken, parse_tiktoken
from incbpe.tokenizer_json import load_tokenizer_json
from subwordio.added import AddedToken
from subwordio.errors import FormatError
from subwordio.padding import Padding, Truncation
from subwordio.template import Special, Template, Text

LLAMA3_PATTERN = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
                  r"|\s*[\r\n]+|\s+(?!\S)|\s+")


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """Nothing here ever opens a socket."""
    def refuse(*args, **kwargs):
        raise AssertionError("a socket was opened")
    monkeypatch.setattr(socket, "socket", refuse)


@pytest.fixture
def write(tmp_path):
    def write(name, content):
        path = tmp_path / name
        if isinstance(content, (dict, list)):
            content = json.dumps(content, ensure_ascii=False)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path
    return write


# The byte alphabet

def test_b23_the_alphabet_is_the_library_s():
    assert sorted(ALPHABET) == sorted(pre_tokenizers.ByteLevel.alphabet())
    library = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    for character in map(chr, [*range(0x80), 0xE9, 0x4E2D, 0x1F44D]):
        assert library.pre_tokenize_str(character)[0][0] == byte_name(character.encode())


def test_b23_all_256_bytes_go_there_and_back():
    assert len(set(ALPHABET)) == 256
    assert [name_to_bytes(byte_name(bytes([b]))) for b in range(256)] == [bytes([b]) for b in range(256)]
    assert name_to_bytes("ä¸Ń").decode() == "中"
    assert names_to_bytes(["Ġa", "", "Ċ"]) == [b" a", b"", b"\n"]
    assert names_to_bytes(["Ġa", "a b", "▁"]) == [b" a", None, None]


@given(st.lists(st.binary(max_size=8)))
def test_names_of_any_bytes_go_there_and_back(tokens):
    assert names_to_bytes(list(map(byte_name, tokens))) == tokens


# .tiktoken

def line(token, rank):
    return base64.b64encode(token) + b" %d\n" % rank


AB = line(b"a", 0) + line(b"b", 1) + line(b"ab", 2)


@pytest.mark.parametrize(("data", "expected"), [
    (AB, (b"a", b"b", b"ab")),
    (AB[:-1], (b"a", b"b", b"ab")),                                             # no final newline
    (AB.replace(b"\n", b"\r\n"), (b"a", b"b", b"ab")),                          # CRLF
    (AB.replace(b"\n", b"\n\n"), (b"a", b"b", b"ab")),
    (b"\xef\xbb\xbf" + AB, (b"a", b"b", b"ab")),
    (AB.replace(b" ", b"\t"), (b"a", b"b", b"ab")),
    (line(b"ab", 2) + line(b"b", 1) + line(b"a", 0), (b"a", b"b", b"ab")),      # in any order
    (line(b"a", 0) + line(b"b", 3), (b"a", b"", b"", b"b")),                    # gaps stay gaps
    (line(b"\0", 0) + line(bytes(range(256)), 1), (b"\0", bytes(range(256)))),
    (line(b"x" * 65536, 0), (b"x" * 65536,)),
])
def test_tiktoken(write, data, expected):
    path = write("x.tiktoken", data)
    assert load_tiktoken(path).tokens == expected
    config = load(path, pattern="none")
    assert config.model == Model(expected, None, whole_piece=True)
    assert (config.pattern, config.unicode, config.splits, config.decoder) == ("none", "tiktoken", (), (ByteLevel(),))
    assert config.model.binary
    assert config.model.size == len(expected)


def test_tiktoken_notes():
    assert parse_tiktoken(AB, "x").notes == ()
    assert parse_tiktoken(line(b"a", 0) + line(b"b", 3), "x").notes == ("2 ranks have no token",)
    assert "byte order mark" in parse_tiktoken(b"\xef\xbb\xbf" + AB, "x").notes[0]


@pytest.mark.parametrize(("data", "message"), [
    (b"YQ== 0\n!!! 5\n", r":2: '!!!' is not base64"),
    (b"YQ== 0\nYg 5\n", r":2: 'Yg' is not base64"),                             # padding left out
    (b"YQ== 0\nYg== 1\nYR== 2\n", r":3: 'YR==' is not base64"),                 # bits that no encoder leaves set
    (b"YQ== 0\nYQ==YQ== 1\n", r":2: 'YQ==YQ==' is not base64"),
    (b"YQ== 0\n==== 1\n", r":2: '====' is not base64"),
    (b"YQ== 0\nY-_= 1\n", r":2: 'Y-_=' is not base64"),
    (b"YQ== 0\n0\n", r":2: expected a token in base64 and its rank, got 1 field \('0'\)"),
    (b"YQ== 0\nYg== 1 2\n", r":2: expected a token in base64 and its rank, got 3 fields"),
    (b"YQ==\n0 Yg== 1\n", r":1: expected a token in base64 and its rank, got 1 field"),
    (b"YQ==\tYg== 0\nYw== 1\n", r":1: expected a token in base64 and its rank, got 3 fields"),
    (b"YQ==\t0 1111\n", r":1: expected a token in base64 and its rank, got 3 fields"),
    (b"YQ== 0\rYg== 1\r", r":1: expected a token in base64 and its rank, got 4 fields"),
    (b"YQ== 0\nYg== -1\n", r":2: expected a rank from 0 to 4194303, got '-1'"),
    (b"YQ== 0\nYg== 1_0\n", r":2: expected a rank from 0 to 4194303, got '1_0'"),
    (b"YQ== 0\nYg== +1\n", r":2: expected a rank"), (b"YQ== 0\nYg== 1.0\n", r":2: expected a rank"),
    (b"YQ== 0\nYg== \xd9\xa1\n", r":2: expected a rank"),
    (b"YQ== 0\nYg== 4194304\n", r":2: expected a rank from 0 to 4194303, got '4194304'"),
    (b"YQ== 0\nYg== " + b"9" * 5000 + b"\n", r":2: expected a rank"),
    (b"YQ== 0\nYg== 1\nYQ== 2\n", r":3: the token b'a' is already on line 1"),
    (b"YQ== 0\n\nYg== 0\n", r":3: the rank 0 is already on line 1"),
    (b"\n\n \n", "holds no token"),
    (b"[PAD]\n[UNK]\n", r":1: expected .*, got 1 field \('\[PAD\]'\); a token a line is a vocabulary of WordPiece"),
    (b"YQ== 0\nYg", r":2: expected a token in base64 and its rank, got 1 field"),     # cut short
    (line(b"a", 0) + line(b"x" * 65537, 1), r":2: a token of 65537 bytes, more than the limit of 65536"),
    (b"<!DOCTYPE html><html>", "is an HTML or XML page"), (b"<html>404</html>", "is an HTML or XML page"),
    (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "is a Git LFS pointer"),
    (b"", "is empty"), (b"\x1f\x8b\x08", "is gzip-compressed"), (b"PK\x03\x04", "is a zip archive"),
])
def test_b40_a_wrong_tiktoken_file_is_named_with_its_line(write, data, message):
    path = write("x.tiktoken", data)
    with pytest.raises(FormatError, match=f"x\\.tiktoken(: )?{message}"):
        load(path, pattern="gpt2")


def test_base64_of_every_end_is_read_as_it_is_written():
    """Plain lines are read by a decoder of our own: what it takes is what an encoder writes, digit by digit."""
    digits = [bytes((c,)) for c in base64.b64encode(bytes(range(256)))] + [b"-", b"_", b"=", b"\x80"]
    for spelt in map(b"".join, itertools.chain(itertools.product([b"Y"], digits, [b"="], [b"="]),
                                               itertools.product([b"Y"], [b"W"], digits, [b"="]),
                                               itertools.product([b"YWJ"], digits), itertools.product(digits, [b"WJj"]),
                                               itertools.product([b"YWJjYWJjY"], digits, [b"=", b"A"], [b"="]))):
        try:
            right = base64.b64decode(spelt, validate=True)
        except ValueError:
            right = None
        right = right if right and base64.b64encode(right) == spelt else None
        assert plain_ranks(spelt + b" 0\n", 9) == (None if right is None else [right]), spelt
    assert plain_ranks(b"YWI= 0\n", 1) is plain_ranks(b"YQ== 00\n", 9) is plain_ranks(b"YQ== 0", 9) is None
    assert plain_ranks(b"YQ== 0\nYg== 01\n", 9) is plain_ranks(b" 0\n", 9) is plain_ranks(b"YQ==  0\n", 9) is None


def test_tiktoken_limits(write):
    with pytest.raises(FormatError, match="larger than the limit of 10 bytes"):
        load_tiktoken(write("x.tiktoken", AB), limit=10)
    with pytest.raises(FileNotFoundError):
        load("nowhere.tiktoken", pattern="gpt2")


@given(st.lists(st.binary(min_size=1, max_size=5), unique=True, min_size=1),
       st.lists(st.tuples(st.integers(0), st.sampled_from(["!", "=", " ", "\n", "\r", "0", "A", ""])), max_size=2))
def test_a_damaged_tiktoken_file_loads_right_or_not_at_all(tokens, damage):
    data = bytearray(b"".join(itertools.starmap(line, zip(tokens, itertools.count(), strict=False))))
    for place, character in damage:
        data[place % len(data):place % len(data) + 1] = character.encode()
    try:
        found = parse_tiktoken(bytes(data), "x").tokens
    except FormatError as error:
        assert str(error).startswith("x")
    else:
        rows = [row.split() for row in bytes(data).split(b"\n") if row.split()]
        assert {(token, rank) for rank, token in enumerate(found) if token} == {
            (base64.b64decode(token, validate=True), int(rank)) for token, rank in rows}


def test_what_is_no_rank_table_is_not_asked_for_a_pattern(write, tmp_path):
    saved = tmp_path / "saved"
    BPE(load(write("x.tiktoken", AB), pattern="gpt2")).save(saved)
    for pattern in (None, "gpt2"):
        with pytest.raises(FormatError, match="saved: is a saved tokenizer, which BPE.load reads"):
            load(saved, pattern=pattern)
        with pytest.raises(FileNotFoundError):
            load(tmp_path / "absent", pattern=pattern)


def test_options_of_a_rank_table(write):
    path = write("x.tiktoken", AB)
    with pytest.raises(ValueError, match=r"does not say how texts are split; give pattern='gpt2', "):
        load(path)
    for name in ("gtp2", "GPT2", "cl100k_base", ""):
        with pytest.raises(ValueError, match=r"pattern=.*: expected 'gpt2', 'cl100k', "):
            load(path, pattern=name)
    with pytest.raises(TypeError, match="pattern: expected a name or a regex, got int"):
        load(path, pattern=1)
    with pytest.raises(ValueError, match="unicode='icu': expected 'tiktoken' or 'tokenizers'"):
        load(path, pattern="gpt2", unicode="icu")
    with pytest.raises(ValueError, match="duplicates='first'"):
        load(path, pattern="gpt2", duplicates="first")
    config = load(path, pattern=r"\S+|\s+", unicode="tokenizers", special_tokens={"<x>": 7, "ab": 2},
                  sha256=hashlib.sha256(AB).hexdigest())
    assert (config.pattern, config.unicode) == (r"\S+|\s+", "tokenizers")
    assert config.added_tokens == (AddedToken("<x>", 7, special=True), AddedToken("ab", 2, special=True))
    with pytest.raises(FormatError, match="SHA-256"):
        load(path, pattern="gpt2", sha256="0" * 64)


@pytest.mark.parametrize(("given", "error", "message"), [
    ("gpt3", ValueError, "special_tokens='gpt3': expected none, gpt2, "),
    (7, TypeError, "special_tokens: expected a name or a mapping, got int"),
    ({"<x>": 1}, ValueError, "'<x>' has the id 1, which .*x.tiktoken gives to b'b'"),
    ({"<x>": 7, "<y>": 7}, ValueError, "'<y>' and '<x>' have one id, 7"),
    ({"": 7}, ValueError, "the token with id 7 is empty"),
    ({"<x>": -1}, ValueError, "^special_tokens: '<x>': id=-1: expected 0 to"),
    ({"<x>": "7"}, TypeError, "^special_tokens: '<x>': id: expected int, got str"),
    ({7: 7}, TypeError, "^special_tokens: 7: content: expected str, got int"),
])
def test_wrong_special_tokens(write, given, error, message):
    with pytest.raises(error, match=message):
        load(write("x.tiktoken", AB), pattern="gpt2", special_tokens=given)


def test_published_special_tokens():
    from tiktoken_ext import openai_public

    assert SPECIAL_TOKENS["cl100k"]["<|endofprompt|>"] == 100276
    for name, made in (("gpt2", "gpt2"), ("r50k", "r50k_base"), ("p50k", "p50k_base"), ("p50k_edit", "p50k_edit"),
                       ("cl100k", "cl100k_base"), ("o200k", "o200k_base"), ("o200k_harmony", "o200k_harmony")):
        with pytest.MonkeyPatch.context() as patch:
            for reader in ("load_tiktoken_bpe", "data_gym_to_mergeable_bpe_ranks"):
                patch.setattr(openai_public, reader, lambda *args, **kwargs: {})
            theirs = getattr(openai_public, made)()["special_tokens"]
        ours = SPECIAL_TOKENS[name]
        missing = {token: i for token, i in theirs.items() if token not in ours}
        assert dict(ours) == {token: i for token, i in theirs.items() if token in ours}
        # There one id has two names; ours is the one that says something.
        assert missing == ({"<|reserved_200018|>": 200018} if name == "o200k_harmony" else {})
    assert len(SPECIAL_TOKENS["qwen"]) == 208
    assert SPECIAL_TOKENS["qwen"]["<|im_end|>"] == 151645
    for name in SPECIAL_TOKENS:
        assert len({token.id for token in special_tokens_of(name)}) == len(SPECIAL_TOKENS[name])


def test_llama3_special_tokens_are_those_of_the_published_file(data):
    config = load(data / "vocabs" / "llama3-tokenizer.json")
    assert {token.content: token.id for token in config.added_tokens} == SPECIAL_TOKENS["llama3"]
    assert all(token.special for token in config.added_tokens)


@pytest.mark.parametrize(("name", "size"), [
    ("gpt2", 50256), ("cl100k_base", 100256), ("o200k_base", 199998), ("qwen", 151643)])
def test_real_rank_tables(data, name, size):
    path = data / "vocabs" / f"{name}.tiktoken"
    kind = name.removesuffix("_base")
    config = load(path, pattern=kind, special_tokens=kind)
    rows = [row.split() for row in path.read_bytes().splitlines()]
    assert config.model.size == size == len(rows)
    assert config.model.tokens == tuple(base64.b64decode(token) for token, _ in rows)
    assert [int(rank) for _, rank in rows] == list(range(size))
    assert config.notes == ()
    assert config.model.merges is None      # nothing is invented
    assert config.model.whole_piece


# tokenizer.json

CHARACTERS = {"a": 0, "b": 1, "c": 2, "ab": 3, "abc": 4, "<unk>": 5}


def bpe(vocab=None, merges=(("a", "b"),), **model):
    return {"version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
            "pre_tokenizer": None, "post_processor": None, "decoder": None,
            "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                      "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
                      "vocab": CHARACTERS if vocab is None else vocab, "merges": [list(merge) for merge in merges],
                      **model}}


BYTE_LEVEL = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}


def with_(file, **sections):
    return {**file, **sections}


@pytest.fixture
def saved(tmp_path):
    """A tokenizer of the library, as its own file."""
    def saved(tokenizer):
        path = tmp_path / "tokenizer.json"
        tokenizer.save(str(path))
        return path
    return saved


def test_characters(write):
    config = load(write("tokenizer.json", bpe(merges=[("a", "b"), ("ab", "c")])))
    assert config.model == Model(("a", "b", "c", "ab", "abc", "<unk>"), (("a", "b"), ("ab", "c")))
    assert not config.model.binary
    assert (config.unicode, config.decoder, config.pattern, config.splits) == ("tokenizers", None, None, ())
    assert (config.template, config.truncation, config.padding, config.trim, config.added_tokens) == (
        None, None, None, None, ())
    assert config.notes == ()


def test_files_of_older_releases(write):
    file = bpe()
    file["model"] = {"dropout": 0.0, "unk_token": None, "continuing_subword_prefix": "", "end_of_word_suffix": "",
                     "vocab": CHARACTERS, "merges": ["a b"]}
    config = load(write("tokenizer.json", file))
    assert config.model == Model(tuple(CHARACTERS), (("a", "b"),))
    Tokenizer.from_str(json.dumps(file))        # which the library reads too


def test_b09_ignore_merges(write):
    assert load(write("a.json", bpe(ignore_merges=True))).model.whole_piece
    assert not load(write("b.json", bpe())).model.whole_piece


def test_b56_byte_fallback_with_few_byte_tokens_and_unknown(write):
    vocab = {"a": 0, "<unk>": 1, "<0xC3>": 2, "<0xA9>": 3, "<0xa9>": 4}
    config = load(write("x.json", bpe(vocab, (), byte_fallback=True, unk_token="<unk>", fuse_unk=True)))
    assert config.model.byte_ids is not None
    assert {b: i for b, i in enumerate(config.model.byte_ids) if i != -1} == {0xC3: 2, 0xA9: 3}
    assert len(config.model.byte_ids) == 256
    assert (config.model.unk_id, config.model.fuse_unk) == (1, True)
    assert load(write("y.json", bpe(vocab, ()))).model.byte_ids is None


def test_b56_nul_in_a_token(write):
    config = load(write("x.json", bpe({"a\0": 0, "\0": 1, "a": 2}, [("a", "\0")])))
    assert config.model.tokens == ("a\0", "\0", "a")


def test_gaps_and_an_empty_token_keep_the_ids(write):
    config = load(write("x.json", bpe({"a": 0, "b": 3, "": 2}, ())))
    assert config.model.tokens == ("a", "", "", "b")
    assert config.notes == ("1 ids of the model have no token",)


# Merges

SPACES = {"a": 0, "b": 1, "c": 2, "a b": 3, "b c": 4, "a bc": 5, "a b c": 6, " ": 7, "tok": 8, " tok": 9}


def test_b10_names_with_spaces(write):
    vocab = {"a": 0, "b": 1, "c": 2, "a b": 3, "a bc": 4, " ": 5}
    for merges in ([["a b", "c"]], ["a b c"]):
        if merges == ["a b c"]:
            vocab = {"a": 0, "b": 1, "c": 2, "a b": 3, "a bc": 4}
        file = bpe(vocab, ())
        file["model"]["merges"] = merges
        assert load(write("x.json", file)).model.merges == (("a b", "c"),)


def test_b10_where_the_vocabulary_allows_several_readings(write):
    file = bpe({"a": 0, "c": 1, "a b": 2, "b c": 3, "a bc": 4, "ab c": 5}, ())
    file["model"]["merges"] = ["a b c"]
    with pytest.raises(FormatError, match=r'model\.merges\[0\]: "a b c" is 2 pairs of tokens, among them '
                                          r'\["a", "b c"\] and \["a b", "c"\]'):
        load(write("x.json", file))
    del file["model"]["vocab"]["ab c"]
    assert load(write("x.json", file)).model.merges == (("a b", "c"),)


@pytest.mark.parametrize("rule", [" ab", "ab ", "a  b", "a\tb", "a\u00a0b", "ab", "", " ", "  ",
                                  "a b ", " a b", "a b c"])
def test_b12_a_space_too_many_or_too_few(write, rule):
    file = bpe()
    file["model"]["merges"] = ["a b", rule]
    with pytest.raises(FormatError, match=r"x\.json: model\.merges\[1\]: .* is no pair of tokens with a space between"):
        load(write("x.json", file))
    pair = [write("vocab.json", CHARACTERS), write("merges.txt", f"#version: 0.2\na b\n{rule}\n")]
    with pytest.raises(FormatError, match=r"merges\.txt:3: .* is no pair of tokens with a space between"):
        load_pair(*pair)


@pytest.mark.parametrize(("merges", "message"), [
    (["a b", ["a", "b"]], r'merges\[1\]: expected a string, as the first rule is, got \["a", "b"\]'),
    ([["a", "b"], "a b"], r'merges\[1\]: expected an array of two strings, got "a b"'),
    ([["a", "b", "c"]], r"merges\[0\]: expected an array of two strings"), ([["a"]], r"merges\[0\]: expected an array"),
    ([["a", 1]], r"merges\[0\]: expected an array"), ([1], r"merges\[0\]: expected an array"),
    ([None], r"merges\[0\]: expected an array"), ([["a", "b"], None], r"merges\[1\]: expected an array"),
    ([["a", ""]], r'merges\[0\]: a part of \["a", ""\] is empty'),
    ([["a", "x"]], r'merges\[0\]: "x" is not in the vocabulary'), (["x a"], r'merges\[0\]: "x" is not in the voc'),
    ([["a", "b"], ["b", "a"]], r'merges\[1\]: "ba", which \["b", "a"\] makes, is not in the vocabulary'),
    (["a b", "b c"], r'merges\[1\]: "bc", which \["b", "c"\] makes, is not in the vocabulary'),
    ({"a": "b"}, r"merges: expected an array, got"), ("a b", r"merges: expected an array"),
])
def test_wrong_merges_are_named_with_their_index(write, merges, message):
    file = bpe()
    file["model"]["merges"] = merges
    with pytest.raises(FormatError, match=r"x\.json: model\." + message):
        load(write("x.json", file))


def test_b15_a_repeated_merge(write):
    vocab = {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4, "abc": 5}
    merges = [("a", "b"), ("b", "c"), ("ab", "c"), ("a", "b")]
    file = bpe(vocab, merges)
    path = write("x.json", file)
    with pytest.raises(FormatError, match=r'model\.merges\[3\]: \["a", "b"\] is already at .*model\.merges\[0\]'):
        load(path)
    config = load(path, duplicates="last")
    assert (config.model.merges, config.model.duplicates) == (tuple(merges), "last")
    assert Tokenizer.from_file(str(path)).encode("abc").tokens == ["a", "bc"]       # as the last one asks
    pair = [write("vocab.json", vocab), write("merges.txt", "a b\nb c\nab c\na b\n")]
    with pytest.raises(FormatError, match=r'merges\.txt:4: \["a", "b"\] is already at .*merges\.txt:1'):
        load_pair(*pair)
    assert load_pair(*pair, duplicates="last").model.duplicates == "last"


def test_headers_among_the_merges_are_no_rules_as_in_the_library(write):
    file = bpe({**CHARACTERS, "#version": 6, "#versiona": 7}, ())
    file["model"]["merges"] = ["#version: 0.2", "a b", "#version a"]
    path = write("x.json", file)
    config = load(path)
    assert config.model.merges == (("a", "b"),)
    assert "model.merges[0]: what begins with '#version' is no rule" in config.notes[0]
    assert len(json.loads(Tokenizer.from_file(str(path)).to_str())["model"]["merges"]) == 1
    file["model"]["merges"] = ["#version: 0.2", "a b", "b a"]
    with pytest.raises(FormatError, match=r"model\.merges\[2\]"):
        load(write("y.json", file))
    # As an array it is a rule like all others.
    file["model"]["merges"] = [["#version", "a"]]
    assert load(write("z.json", file)).model.merges == (("#version", "a"),)


def test_rules_that_begin_with_the_number_sign_are_rules(write):
    file = bpe({"#": 0, "##": 1, "###": 2}, ())
    file["model"]["merges"] = ["# #", "## #"]
    assert load(write("x.json", file)).model.merges == (("#", "#"), ("##", "#"))


def test_a_rule_of_the_unknown_token_is_refused(write):
    vocab = {**CHARACTERS, "<unk>a": 6, "<0x41>": 7, "<0x41>a": 8}
    with pytest.raises(FormatError, match=r'merges\[0\]: a rule with "<unk>", which stands for symbols that are no'):
        load(write("x.json", bpe(vocab, [("<unk>", "a")], unk_token="<unk>")))
    assert load(write("y.json", bpe(vocab, [("<unk>", "a")]))).model.merges == (("<unk>", "a"),)
    with pytest.raises(FormatError, match=r'merges\[0\]: a rule with "<0x41>"'):
        load(write("z.json", bpe(vocab, [("<0x41>", "a")], byte_fallback=True)))


NAMES = st.text(st.sampled_from("ab #"), min_size=1, max_size=3)


@given(st.lists(NAMES, unique=True, min_size=1, max_size=8), st.lists(st.text(st.sampled_from("ab #"), max_size=6)))
def test_all_at_once_and_one_by_one_agree(names, rules):
    tokens = {name: name.encode() for name in names}
    plain = plain_pairs(rules, tokens)
    expected = []
    for rule in rules:
        readings = [(rule[:i], rule[i + 1:]) for i in range(len(rule)) if rule[i] == " "]
        good = [(x, y) for x, y in readings if x in tokens and y in tokens and x + y in tokens]
        if len(good) == 1:
            expected.append((tokens[good[0][0]], tokens[good[0][1]]))
    # Where every rule has exactly one reading that the vocabulary allows, and none is a repetition, it is taken.
    if len(expected) == len(rules) == len(set(expected)):
        try:
            assert read_rules(rules, tokens, "rule {}".format, "error").pairs == tuple(expected)
        except FormatError as error:
            # Not so where there is only one space: the names are then what stands on either side of it.
            raise AssertionError(rules) from error
    if plain is not None:
        assert plain == expected


# vocab.json and merges.txt

def pair_of(write, vocab, merges):
    return write("vocab.json", vocab), write("merges.txt", merges)


BYTES = {byte_name(bytes([b])): b for b in range(256)}


@pytest.mark.parametrize("merges", ["#version: 0.2\nĠ a\nĠa b\n", "Ġ a\nĠa b\n", "Ġ a\nĠa b",
                                    "#version: 0.2\r\nĠ a\r\nĠa b\r\n", "\ufeff#version: 0.2\nĠ a\nĠa b\n"])
def test_vocab_and_merges(write, merges):
    config = load_pair(*pair_of(write, {**BYTES, "Ġa": 256, "Ġab": 257, "<|endoftext|>": 258}, merges),
                       special_tokens={"<|endoftext|>": 258})
    assert config.model.merges == ((b" ", b"a"), (b" a", b"b"))
    assert config.model.tokens == (*(bytes([b]) for b in range(256)), b" a", b" ab", b"<|endoftext|>")
    assert (config.pattern, config.unicode, config.byte_level_regex) == ("gpt2", "tokenizers", False)
    assert config.added_tokens == (AddedToken("<|endoftext|>", 258, special=True),)
    assert len(config.notes) == merges.startswith("\ufeff")


def test_b14_an_empty_line_among_the_merges(write):
    vocab = {**BYTES, "ab": 256, "##": 257}
    with pytest.raises(FormatError, match=r"merges\.txt:2: \"\" is no pair"):
        load_pair(*pair_of(write, vocab, "a b\n\n# #"))
    with pytest.raises(FormatError, match=r"merges\.txt:2: \"\" is no pair"):
        load_pair(*pair_of(write, vocab, "a b\n\n"))
    config = load_pair(*pair_of(write, vocab, "a b\r\n# #"))
    assert config.model.merges == ((b"a", b"b"), (b"#", b"#"))


@pytest.mark.parametrize(("vocab", "merges", "message"), [
    ({"a": 0}, "a x\n", r'merges\.txt:1: "x" is not in the vocabulary'),
    ({"a": 0, "b": 1}, "#version: 0.2\na b\n", r'merges\.txt:2: "ab", which \["a", "b"\] makes, is not in the'),
    ({"a": 0, "b": 0}, "#version: 0.2\n", r"vocab\.json: vocab: 'b' and 'a' have one id, 0|'a' and 'b'"),
    ({"a": "0"}, "#version: 0.2\n", r"vocab\.json: vocab: 'a': expected an id from 0 to 4194303, got '0'"),
    ({"a": True}, "#version: 0.2\n", r"vocab\.json: vocab: 'a': expected an id"),
    ({"a": -1}, "#version: 0.2\n", r"vocab\.json: vocab: 'a': expected an id"),
    ({"a": 2**22}, "#version: 0.2\n", r"vocab\.json: vocab: 'a': expected an id"),
    ({}, "#version: 0.2\n", r"vocab\.json: holds no token"),
    (["a"], "#version: 0.2\n", r"vocab\.json: vocab: expected an object"),
    (b'{"a": 0, "a": 1}', "#version: 0.2\n", r"vocab\.json: the top level: key 'a' is given twice"),
    ({"a": 0}, b"\xff\n", r"merges\.txt:1: byte 1 of the line \(0xff, offset 0 of the file\) is not UTF-8"),
    ({"a": 0}, "<!doctype html>", r"merges\.txt: is an HTML or XML page"), ({"a": 0}, "", r"merges\.txt: is empty"),
])
def test_wrong_pairs_of_files(write, vocab, merges, message):
    with pytest.raises(FormatError, match=message):
        load_pair(*pair_of(write, vocab, merges))


def test_a_header_far_down_is_noted(write):
    config = load_pair(*pair_of(write, {**BYTES, "ab": 256}, "a b\n#version: 0.2\n"))
    assert config.model.merges == ((b"a", b"b"),)
    assert "merges.txt:2: what begins with '#version' is no rule" in config.notes[0]


def test_options_of_a_pair(write):
    files = pair_of(write, {**BYTES, "ab": 256}, "a b\n")
    assert load_pair(*files, pattern="cl100k", unicode="tiktoken").pattern == "cl100k"
    with pytest.raises(ValueError, match="special_tokens: '<x>' has the id 97, which .*vocab.json gives to b'a'"):
        load_pair(*files, special_tokens={"<x>": 97})
    with pytest.raises(FormatError, match="SHA-256"):
        load_pair(*files, merges_sha256="0" * 64)
    with pytest.raises(FormatError, match="is a vocab.json, whose merges.txt is another file"):
        load(files[0])


def test_a_pair_that_the_library_saved(tmp_path):
    theirs = ByteLevelBPETokenizer()
    theirs.train_from_iterator(["low lower lowest newer wider # # ## né né"] * 3, vocab_size=280, show_progress=False)
    theirs.save_model(str(tmp_path))
    config = load_pair(tmp_path / "vocab.json", tmp_path / "merges.txt")
    assert {byte_name(token): i for i, token in enumerate(config.model.tokens)} == theirs.get_vocab()
    assert len(config.model.merges) == theirs.get_vocab_size() - 256 > 10
    theirs.save(str(tmp_path / "tokenizer.json"))
    assert load(tmp_path / "tokenizer.json").model == config.model


# The sections of a tokenizer.json

def test_llama3(data):
    config = load(data / "vocabs" / "llama3-tokenizer.json")
    assert (config.model.size, len(config.model.merges)) == (128_000, 280_147)
    assert config.model.whole_piece
    assert config.splits == (Split(LLAMA3_PATTERN, False, "isolated", False),)
    assert not config.add_prefix_space
    assert not config.byte_level_regex
    assert (config.decoder, config.trim, config.template, config.notes) == ((ByteLevel(),), None, None, ())
    file = json.loads((data / "vocabs" / "llama3-tokenizer.json").read_text(encoding="utf-8"))["model"]
    names = list(file["vocab"])
    assert [byte_name(token) for token in config.model.tokens] == names
    assert [f"{byte_name(x)} {byte_name(y)}" for x, y in config.model.merges] == file["merges"]
    assert config.model.tokens[101798].decode() == " Việt"


def test_llama2(data):
    config = load(data / "vocabs" / "llama2-tokenizer.json")
    assert (config.model.size, len(config.model.merges), config.model.unk_id) == (32_000, 58_980, 0)
    assert config.model.byte_ids == tuple(range(3, 259))
    assert config.model.fuse_unk
    assert not config.model.binary
    assert config.normalizer == (Prepend("▁"), Replace(" ", "▁"))
    assert config.decoder == (Replace("▁", " "), ByteFallback(), Fuse(), Strip(" ", 1, 0))
    assert config.template == Template((Special((1,)), Text(0)), (Special((1,)), Text(0), Special((1,), 1), Text(1, 1)))
    assert [token.content for token in config.added_tokens] == ["<unk>", "<s>", "</s>"]
    assert (config.splits, config.byte_level_regex, config.notes) == ((), False, ())


def test_every_section_that_the_library_can_write(saved):
    theirs = Tokenizer(models.BPE({**BYTES, "ab": 256}, [("a", "b")], ignore_merges=True))
    theirs.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.NFKC(), normalizers.NFD(),
                                              normalizers.NFKD(), normalizers.Replace("x", "y")])
    theirs.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split("-", "removed"), pre_tokenizers.Split("\\d", "isolated", invert=True),
        pre_tokenizers.Split("1", "merged_with_previous"), pre_tokenizers.Split("2", "merged_with_next"),
        pre_tokenizers.Split("3", "contiguous"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)])
    theirs.add_special_tokens(["<s>"])
    theirs.add_tokens(["b24 token"])
    theirs.post_processor = processors.Sequence([
        processors.ByteLevel(trim_offsets=True, add_prefix_space=False),
        processors.TemplateProcessing("<s> $A", "<s> $A $B:1", [("<s>", 257)])])
    theirs.decoder = decoders.ByteLevel()
    theirs.enable_truncation(10, stride=2)
    theirs.enable_padding(pad_id=257, length=12)
    config = load(saved(theirs))
    assert config.normalizer == (Form("NFC"), Form("NFKC"), Form("NFD"), Form("NFKD"), Replace("x", "y"))
    # a literal pattern is literal
    assert config.splits == (Split("-", True, "removed"), Split("\\d", True, "isolated", True),
                             Split("1", True, "merged_with_previous"), Split("2", True, "merged_with_next"),
                             Split("3", True, "contiguous"))
    assert config.byte_level_regex
    assert config.added_tokens == (AddedToken("<s>", 257, special=True), AddedToken("b24 token", 258, normalized=True))
    assert config.trim == Trim(False)
    assert config.template == Template((Special((257,)), Text(0)), (Special((257,)), Text(0), Text(1, 1)))
    assert config.decoder == (ByteLevel(),)
    assert config.truncation == Truncation(10, "longest_first", 2)
    assert config.padding == Padding(12, pad_id=257)
    assert config.model.whole_piece


@pytest.mark.parametrize(("sections", "message"), [
    ({"version": "2.0"}, r'version: "2.0" is not supported'), ({"extra": 1}, r"extra: unknown field \(value 1\)"),
    ({"normalizer": {"type": "Lowercase"}}, r'normalizer\.type: "Lowercase" is not supported; expected "NFC" or'),
    ({"normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}, {"type": "StripAccents"}]}},
     r'normalizer\.normalizers\[1\]\.type: "StripAccents" is not supported'),
    ({"normalizer": {"type": "Replace", "pattern": {"Regex": "x"}, "content": "y"}},
     r"normalizer\.pattern\.Regex: a Replace of a regex is not supported"),
    ({"normalizer": {"type": "Replace", "pattern": {"String": ""}, "content": "y"}},
     r"normalizer\.pattern\.String: expected a string that is not empty"),
    ({"normalizer": {"type": "NFC", "x": 1}}, r"normalizer\.x: unknown field"),
    ({"pre_tokenizer": {"type": "Whitespace"}}, r'pre_tokenizer\.type: "Whitespace" is not supported'),
    ({"pre_tokenizer": {"type": "Metaspace", "replacement": "▁"}}, r'pre_tokenizer\.type: "Metaspace" is not'),
    ({"pre_tokenizer": {"type": "Sequence", "pretokenizers": [BYTE_LEVEL, BYTE_LEVEL]}},
     r"pre_tokenizer\.pretokenizers\[1\]: a ByteLevel after ByteLevel is not supported"),
    ({"pre_tokenizer": {"type": "Sequence", "pretokenizers": [
        {"type": "Split", "pattern": {"Regex": "x"}, "behavior": "Isolated", "invert": False},
        {**BYTE_LEVEL, "add_prefix_space": True}]}},
     r"pretokenizers\[1\]\.add_prefix_space: true after a Split is not"),
    ({"pre_tokenizer": {"type": "Split", "pattern": "x", "behavior": "Isolated", "invert": False}},
     r'pre_tokenizer\.pattern: expected an object, got "x"'),
    ({"pre_tokenizer": {"type": "Split", "pattern": {"Glob": "x"}, "behavior": "Isolated", "invert": False}},
     r"pre_tokenizer\.pattern: expected an object with String or Regex"),
    ({"pre_tokenizer": {"type": "Split", "pattern": {"Regex": ""}, "behavior": "Isolated", "invert": False}},
     r"pre_tokenizer\.pattern: expected a pattern that is not empty"),
    ({"pre_tokenizer": {"type": "Split", "pattern": {"Regex": "x"}, "behavior": "Kept", "invert": False}},
     r'pre_tokenizer\.behavior: "Kept" is not supported; expected "Removed" or "Isolated" or'),
    ({"post_processor": {"type": "RobertaProcessing"}}, r'post_processor\.type: "RobertaProcessing" is not supported'),
    ({"decoder": {"type": "BPEDecoder"}}, r'decoder\.type: "BPEDecoder" is not supported'),
    ({"decoder": {"type": "Sequence", "decoders": [{"type": "ByteLevel"}, {"type": "Fuse"}]}},
     r"decoder: ByteLevel beside other steps is not supported"),
    ({"decoder": {"type": "Strip", "content": "ab", "start": 1, "stop": 0}},
     r"decoder\.content: expected one character"),
    ({"added_tokens": [{"id": 9, "content": "<s>", "single_word": False, "lstrip": False, "rstrip": False,
                        "normalized": False, "special": True}]},
     r"added_tokens\[0\]\.id: '<s>' has the id 9 here, but 6"),
])
def test_what_is_not_done_is_named_by_its_field(write, sections, message):
    with pytest.raises(FormatError, match=r"tokenizer\.json: .*" + message):
        load(write("tokenizer.json", with_(bpe(), **sections)))


@pytest.mark.parametrize(("model", "message"), [
    ({"type": "WordPiece"}, r'model\.type: "WordPiece" is not supported; expected "BPE"'),
    ({"dropout": 0.1}, r"model\.dropout: 0.1: random merges are not supported"),
    ({"unk_token": "<x>"}, r'model\.unk_token: "<x>" is not in model\.vocab'),
    ({"continuing_subword_prefix": "##"}, r'model\.continuing_subword_prefix: "##" is not supported'),
    ({"end_of_word_suffix": "</w>"}, r'model\.end_of_word_suffix: "</w>" is not supported'),
    ({"fuse_unk": 1}, r"model\.fuse_unk: expected true or false, got 1"), ({"x": 1}, r"model\.x: unknown field"),
    ({"vocab": {"a": 1.0}}, r"model\.vocab: 'a': expected an id from 0 to 4194303, got 1.0"),
    ({"vocab": ["a"]}, r"model\.vocab: expected an object"),
    ({"vocab": {"a": 0, "b": 0}}, r"model\.vocab: .*one id, 0"),
    ({"vocab": {"x" * 65537: 0}}, r"model\.vocab: id 0: a token of 65537 bytes, more than the limit of 65536"),
])
def test_what_a_model_asks_for_and_we_do_not_do(write, model, message):
    with pytest.raises(FormatError, match=r"tokenizer\.json: " + message):
        load(write("tokenizer.json", bpe(merges=(), **model)))


def test_missing_fields(write):
    for missing in ("vocab", "merges"):
        file = bpe()
        del file["model"][missing]
        with pytest.raises(FormatError, match=rf"model\.{missing}: the field is missing"):
            load(write("tokenizer.json", file))
    with pytest.raises(FormatError, match="model: the field is missing"):
        load(write("tokenizer.json", {"version": "1.0"}))


def test_special_tokens_of_another_model(data):
    path = data / "vocabs" / "gpt2.tiktoken"
    with pytest.raises(ValueError, match=r"special_tokens='cl100k': they go with a table of 100256 ranks, "
                                         r".*gpt2\.tiktoken has 50256; a mapping"):
        load(path, pattern="gpt2", special_tokens="cl100k")
    assert load(path, pattern="gpt2", special_tokens={"<|endofprompt|>": 100276}).added_tokens[0].id == 100276
    assert set(RANKS) == set(SPECIAL_TOKENS) - {"none"}
    for name, ranks in RANKS.items():
        ids = set(SPECIAL_TOKENS[name].values())
        if name.startswith("p50k"):             # the end of text has an id in the middle
            assert min(ids) == 50256 < ranks == 50280 < min(ids - {50256}, default=50281)
        else:                                   # no special token has a rank, and they follow closely
            assert ranks <= min(ids) <= ranks + 1


def test_options_beside_a_json_file(write):
    path = write("tokenizer.json", bpe())
    with pytest.raises(TypeError, match=r"pattern: .*tokenizer\.json says it all, no option goes beside it"):
        load(path, pattern="gpt2")
    with pytest.raises(TypeError, match="special_tokens: .*tokenizer.json says it all"):
        load(path, special_tokens="gpt2")
    assert load(path, unicode="tiktoken").unicode == "tiktoken"
    assert load_tokenizer_json(path, unicode="tiktoken") == load(path, unicode="tiktoken")


def test_the_format_is_known_by_the_content(write, tmp_path):
    assert load(write("tokenizer.model", AB), pattern="none").model.tokens == (b"a", b"b", b"ab")
    assert load(write("noname", b" \n" + json.dumps(bpe()).encode())).model.tokens[0] == "a"
    with pytest.raises(FormatError, match="is a folder"):
        load(tmp_path, pattern="none")
    with pytest.raises(FormatError, match="expected a token in base64 and its rank"):
        load(write("merges", "#version: 0.2 x\na b\n"), pattern="gpt2")


def test_b24_and_names_that_no_text_has(write):
    # a fullwidth bar stands for no byte; neither does a space
    vocab = {**BYTES, "<｜x｜>": 256, "a b": 257, "ab": 258, "<｜x｜>a": 259}
    file = with_(bpe(vocab, [("a", "b"), ("<｜x｜>", "a")]), pre_tokenizer=BYTE_LEVEL, added_tokens=[
        {"id": 256, "content": "<｜x｜>", "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
         "special": True},
        {"id": 260, "content": "special token", "single_word": False, "lstrip": False, "rstrip": False,
         "normalized": False, "special": False}])
    config = load(write("tokenizer.json", file))
    assert config.model.tokens[256:] == (b"", b"", b"ab", b"")
    assert config.unmatched == ((257, "a b"), (259, "<｜x｜>a"))
    assert config.model.merges == ((b"a", b"b"),)
    assert [token.id for token in config.added_tokens] == [256, 260]
    assert "2 tokens hold characters that stand for no byte" in config.notes[0]
    assert "1 rules are left out" in config.notes[1]
    assert "has no decoder" in config.notes[2]
    assert config.decoder == (ByteLevel(),)


def test_b50_b52_ids_of_added_tokens_are_distinct(saved):
    theirs = Tokenizer(models.BPE(CHARACTERS, [("a", "b")]))
    theirs.add_tokens(["my1", "my12", "my123", "A", "BA", "ab"])
    config = load(saved(theirs))
    ids = [token.id for token in config.added_tokens]
    assert len(set(ids)) == 6
    assert {token.content: token.id for token in config.added_tokens} == {
        content: theirs.token_to_id(content) for content in ("my1", "my12", "my123", "A", "BA", "ab")}


# tekken.json, as the format is described: ranks after the special tokens, only the first so many of the vocabulary

def tekken(tokens=(b"ab", b"abc", b"zz"), special=3, size=None, version="v3", pattern=r"\S+|\s+", **sections):
    vocab = [*(bytes([b]) for b in range(256)), *tokens]
    return {"config": {"pattern": pattern, "num_vocab_tokens": len(vocab),
                       "default_vocab_size": special + len(vocab) if size is None else size,
                       "default_num_special_tokens": special, "version": version},
            "vocab": [{"rank": i, "token_bytes": base64.b64encode(token).decode(), "token_str": text(token)}
                      for i, token in enumerate(vocab)], **sections}


def text(token):
    try:
        return token.decode()
    except UnicodeDecodeError:
        return None


SPECIALS = [{"rank": 0, "token_str": "<unk>", "is_control": True}, {"rank": 1, "token_str": "<s>", "is_control": True},
            {"rank": 2, "token_str": "</s>", "is_control": True}]


def test_tekken(write):
    config = load(write("tekken.json", tekken(special=3, special_tokens=SPECIALS, version="v13")))
    assert config.model.tokens[:3] == (b"", b"", b"")
    assert config.model.tokens[3:259] == tuple(bytes([b]) for b in range(256))
    assert config.model.tokens[259:] == (b"ab", b"abc", b"zz")
    assert config.model.merges is None
    assert config.model.whole_piece
    assert (config.pattern, config.unicode, config.decoder) == (r"\S+|\s+", "tiktoken", (ByteLevel(),))
    assert config.added_tokens == tuple(AddedToken(s["token_str"], s["rank"], special=True) for s in SPECIALS)
    assert config.notes == ()
    assert load_tekken(write("t.json", tekken(special_tokens=SPECIALS, version="v13"))) == config


def test_only_the_first_entries_of_a_tekken_count(write):
    config = load(write("tekken.json", tekken(special=3, size=3 + 257)))
    assert config.model.size == 260
    assert config.model.tokens[-1] == b"ab"
    assert config.notes == ("2 tokens of the vocab are beyond default_vocab_size",)


def test_special_tokens_of_a_tekken_without_names(write):
    early = load(write("a.json", tekken(special=25))).added_tokens
    assert [token.content for token in early[:3]] == ["<unk>", "<s>", "</s>"]
    assert [token.content for token in early[-6:]] == ["[TOOL_CONTENT]", *(f"<SPECIAL_{i}>" for i in range(20, 25))]
    listed = load(write("b.json", tekken(special=5, special_tokens=SPECIALS[1:]))).added_tokens
    assert [token.content for token in listed] == ["<SPECIAL_0>", "<s>", "</s>", "<SPECIAL_3>", "<SPECIAL_4>"]
    assert [token.id for token in listed] == list(range(5))
    with pytest.raises(FormatError, match="special_tokens: the field is missing, in a file of version v11"):
        load(write("c.json", tekken(version="v11")))


def test_other_sections_of_a_tekken(write):
    config = load(write("tekken.json", tekken(image={"image_patch_size": 16}, audio={}, type="Tekken", version="v3")))
    assert config.notes == ("image is not about text, and not used", "audio is not about text, and not used")


def changed(file, change):
    change(file)
    return file


@pytest.mark.parametrize(("change", "message"), [
    (lambda f: f["config"].pop("pattern"), r"config\.pattern: the field is missing"),
    (lambda f: f["config"].update(pattern=""), r"config\.pattern: expected a pattern that is not empty"),
    (lambda f: f["config"].update(extra=1), r"config\.extra: unknown field"),
    (lambda f: f.update(extra=1), r"extra: unknown field"),
    (lambda f: f["config"].update(version="7"), r'config\.version: expected a version such as "v3", got "7"'),
    (lambda f: f["config"].update(num_vocab_tokens=5), r"config\.num_vocab_tokens: 5, but the vocab lists 259 tokens"),
    (lambda f: f["config"].update(default_vocab_size=2),
     r"config\.default_vocab_size: 2: expected 3 special tokens and"),
    (lambda f: f["config"].update(default_vocab_size=263),
     r"config\.default_vocab_size: 263: expected 3 special tokens"),
    (lambda f: f["vocab"][5].update(rank=6), r"vocab\[5\]\.rank: 6: expected 5, as ranks are listed in order"),
    (lambda f: f["vocab"][5].update(rank="5"), r'vocab\[5\]\.rank: expected an integer, got "5"'),
    (lambda f: f["vocab"][5].update(token_bytes="!!!"), r"vocab\[5\]\.token_bytes: '!!!' is not base64"),
    (lambda f: f["vocab"][5].update(token_bytes="BR=="), r"vocab\[5\]\.token_bytes: 'BR==' is not base64"),
    (lambda f: f["vocab"][5].update(token_bytes=""), r"vocab\[5\]\.token_bytes: '' is not base64"),
    (lambda f: f["vocab"][5].update(token_bytes="é"), r"vocab\[5\]\.token_bytes: .* is not base64"),
    (lambda f: f["vocab"][97].update(token_str="b"), r'vocab\[97\]\.token_str: "b" is not what token_bytes says'),
    (lambda f: f["vocab"][5].update(extra=1), r"vocab\[5\]\.extra: unknown field"),
    (lambda f: f["vocab"].__setitem__(5, 5), r"vocab\[5\]: expected an object, got 5"),
    (lambda f: f["vocab"][98].update(token_bytes="YQ==", token_str="a"), r"vocab: b'a' has the ranks 97 and 98"),
    (lambda f: f.update(special_tokens=[{"rank": 3, "token_str": "x", "is_control": True}]),
     r"special_tokens\[0\]\.rank: 3: expected less than default_num_special_tokens, 3"),
    (lambda f: f.update(special_tokens=[SPECIALS[0], SPECIALS[0]]),
     r'special_tokens\[1\]\.rank: 0 is the rank of "<unk>"'),
    (lambda f: f.update(special_tokens=[{**SPECIALS[0], "token_str": "<SPECIAL_1>"}]),
     r"special_tokens: .* is there twice"),
    (lambda f: f.update(special_tokens=[{**SPECIALS[0], "token_str": ""}]),
     r"special_tokens\[0\]\.token_str: expected a"),
    (lambda f: f.update(type="Other"), r'type: "Other" is not supported'),
    (lambda f: f.update(vocab={}), r"vocab: expected an array"),
])
def test_a_wrong_tekken_is_named_by_its_field(write, change, message):
    with pytest.raises(FormatError, match=r"tekken\.json: " + message):
        load(write("tekken.json", changed(tekken(), change)))


def test_options_beside_a_tekken(write):
    path = write("tekken.json", tekken())
    with pytest.raises(TypeError, match="pattern: .*tekken.json says it all"):
        load(path, pattern="gpt2")
    assert load(path, unicode="tokenizers").unicode == "tokenizers"


# Whole files of the library, in both encodings of merges

@given(st.lists(st.text(st.sampled_from("ab é▁"), min_size=1, max_size=6), min_size=1, max_size=30), st.booleans())
def test_trained_files_of_the_library(tmp_path_factory, texts, byte_level):
    from tokenizers import trainers

    theirs = Tokenizer(models.BPE())
    alphabet = pre_tokenizers.ByteLevel.alphabet() if byte_level else []
    if byte_level:
        theirs.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        theirs.decoder = decoders.ByteLevel()
    theirs.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=300, min_frequency=1, show_progress=False,
                                                          initial_alphabet=alphabet))
    file = json.loads(theirs.to_str())
    path = tmp_path_factory.mktemp("trained") / "tokenizer.json"
    path.write_text(json.dumps(file), encoding="utf-8")
    config = load(path)
    spell = byte_name if byte_level else str
    assert {spell(token): i for i, token in enumerate(config.model.tokens)} == theirs.get_vocab()
    assert [[spell(x), spell(y)] for x, y in config.model.merges] == file["model"]["merges"]
    if not any(" " in name for name in theirs.get_vocab()):
        file["model"]["merges"] = [" ".join(merge) for merge in file["model"]["merges"]]
        path.write_text(json.dumps(file), encoding="utf-8")
        assert load(path) == config
