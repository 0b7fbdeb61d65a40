"""What users of BPE libraries have reported in public, each by its right outcome and by its whole kind, on the engine.

The faults, in words:
    crash, time   backtracking that gives up on a long run · quadratic merging of repeats · memory many times the text
    merging       the whole-piece look-up not honoured · a pair twice in the merges · a merge before those that make its
                  parts · merges guessed from ranks · a symbol that is no token
    patterns      the wrong one of two families · a literal string run as a regex · several stages that repeat text
    text          surrogates taken by one call and refused by another · NUL · escapes · nothing, and what is no text
    special       text that looks like a special token · added tokens that overlap, by the thousand, with every option
    offsets       of bytes of one character · of a whole piece · behind a special token, an added space · trimmed
    decoding      an id without a token · added tokens that are no byte names
    sharing       pickles and fingerprints · many threads with options of their own · small batches
"""
import base64
import gc
import hashlib
import json
import multiprocessing
import pickle
import socket
import subprocess
import sys
import threading
import time
from functools import cache
from operator import methodcaller

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incbpe import BPE, Config, DictionaryError, Model, rank_bpe
from incbpe.cutting import Cutter
from incbpe.default import default_tokenizer_path
from incbpe.dictionary import Dictionary
from incbpe.model import Prepend, Split, Trim
from proofs.definitions import bpe as definition
from subwordio.added import AddedToken
from subwordio.errors import TokenIdError
from subwordio.padding import Padding
from tests.published import RANKS, ours

BYTES = tuple(bytes((b,)) for b in range(256))


def model(*merges: str, more=(), **options) -> Model:
    """Of characters: a, b, c, the products of the merges "x y", and more tokens."""
    pairs = tuple((x, y) for x, y in map(str.split, merges))
    tokens = dict.fromkeys(["a", "b", "c", *(part for x, y in pairs for part in (x, y, x + y)), *more])
    return Model(tuple(tokens), pairs, **options)


def bpe(*merges: str, more=(), **options) -> BPE:
    return BPE(Config(model(*merges, more=more, **options), "tokenizers", "none", decoder=None))


def tokens(tokenizer: BPE, text: str, *allowed) -> list:
    return [tokenizer.token(id) for id in tokenizer.encode(text, *allowed)]


@cache
def of_bytes(**options) -> BPE:
    """All bytes, and a few longer tokens, by rank."""
    longer = (b"ab", b" a", b"abc", b"\xc3\xa9", b"  ", b"aa", b"aaaa")
    return BPE(Config(Model(BYTES + longer, None, whole_piece=True), "tiktoken", "cl100k", **options))


# The vectors, by the engine

@pytest.mark.parametrize("binary", [False, True])
@pytest.mark.parametrize(("name", "expected"), [
    ("bpe_final.json", "expected_priority_queue"), ("bpe_rank.json", "expected_rank_tokens")])
def test_vectors_of_rules(vectors, name, expected, binary):
    cases = json.loads((vectors / name).read_text(encoding="utf-8"))["cases"]
    for case in cases:
        spelt = str.encode if binary else str
        rules = tuple((spelt(x), spelt(y)) for x, y in case["rules"])
        names = dict.fromkeys([*map(spelt, case["atoms"]), *(part for x, y in rules for part in (x, y, x + y))])
        unknown = spelt("<unk>")
        tokenizer = BPE(Config(Model((*names, unknown), rules, unk_id=len(names)), "tokenizers", "none", decoder=None))
        found = [tokenizer.token(id) for id in tokenizer.encode(case["input"])]
        wanted = [spelt(token if spelt(token) in names else "<unk>") for token in case[expected]]
        assert found == wanted, case


def test_vectors_of_rank_tables(vectors):
    cases = json.loads((vectors / "bpe_tiktoken_rank.json").read_text(encoding="utf-8"))["cases"]
    for case in cases:
        ranked = sorted(case["rank"], key=case["rank"].get)
        table = tuple(token.encode() for token in ranked)
        for whole, expected in ((True, "expected_piece"), (False, "expected_merge_only")):
            tokenizer = BPE(Config(Model(table, None, whole_piece=whole), "tiktoken", "none"))
            assert [tokenizer.token(id).decode() for id in tokenizer.encode(case["input"])] == case[expected], case


def test_vectors_of_the_criterion_of_the_authors_code(vectors):
    cases = json.loads((vectors / "bpe_eager.json").read_text(encoding="utf-8"))["cases"]
    for case in cases:
        D = definition.Dictionary(frozenset(case["atoms"]), tuple(map(tuple, case["rules"])))
        s = case["input"]
        found = [len(definition.eager(D, s[:n], "reference")) for n in range(1, len(s) + 1)]
        assert found == case["released_reference"], case
        assert all(a <= b for a, b in zip(found, case["released_window"], strict=True))


# Crashes, time, memory

@pytest.mark.parametrize(("name", "n", "count"), [("cl100k", 100_000, 25_000), ("gpt2", 1_000_000, 250_000)])
def test_long_runs_are_no_trouble(data, name, n, count):
    ids = ours(data, name).encode("^" * n)
    assert len(ids) == count == ours(data, name).count("^" * n)
    assert ours(data, name).decode(ids) == "^" * n


@pytest.mark.parametrize("c", "A-")
def test_a_million_letters_or_signs(data, c):
    for name in RANKS:
        ids = ours(data, name).encode(c * 1_000_000)
        assert ours(data, name).decode(ids) == c * 1_000_000
        assert len(ids) == ours(data, name).count(c * 1_000_000) <= 250_000


@pytest.mark.parametrize("c", ["A", "-", " ", "\n", "0", "é", "\u3000", "👍", "\u0301", "'"])
@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k", "qwen", "llama3"])
def test_any_long_run_comes_back(data, name, c):
    ids = ours(data, name).encode(c * 50_000)
    assert ours(data, name).decode(ids) == c * 50_000


@pytest.mark.parametrize("name", ["cl100k", "o200k"])
def test_repeats_are_merged_in_linear_time(data, name):
    tokenizer = ours(data, name)
    assert len(tokenizer.encode("a" * 100_000)) == 12_500

    def best(n: int) -> float:
        times = []
        for _ in range(5):
            begin = time.process_time()
            tokenizer.count("a" * n)
            times.append(time.process_time() - begin)
        return min(times)
    assert min(best(800_000) / best(100_000) for _ in range(3)) < 20       # linear: 8; with a queue's logarithm 10


def test_ids_take_four_bytes_each(data):
    """The peak of a process that encodes 16 MB, against that of one that only makes the text."""
    program = (
        "import resource, sys\n"
        "from incbpe import BPE\n"
        f"bpe = BPE.from_file({str(data / 'vocabs' / 'gpt2.tiktoken')!r}, pattern='gpt2')\n"
        "text = 'the quick brown fox; ' * 800_000\n"
        "bpe.encode(text[:1000])\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "ids = bpe.encode(text)\n"
        "after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "assert memoryview(ids).nbytes == 4 * len(ids)\n"
        "print(1024 * (after - before) / len(ids), len(text) / len(ids))\n")
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    taken, size = map(float, run.stdout.split())
    assert taken <= 4 * 1.5 + size + 0.5, run.stdout        # the buffer grows by half


def test_a_hundred_million_bytes_in_one_call():
    tokenizer, part = BPE.from_file(default_tokenizer_path()), "the quick brown fox\n"
    times = 5_000_000
    assert len(part) * times == 10**8
    ids = tokenizer.encode(part)
    assert len(tokenizer.encode(part * 3)) == 3 * len(ids)
    found = tokenizer.encode(part * times)
    assert tokenizer.count(part * times) == len(found) == len(ids) * times
    step = len(ids) * 1000
    assert {bytes(found[i:i + step]) for i in range(0, len(found), step)} == {bytes(memoryview(ids)) * 1000}


def test_a_million_feeds_of_one_byte():
    tokenizer, part = BPE.from_file(default_tokenizer_path()), b"the quick brown fox, naive? \xc3\xa9\n"
    data = part * (10**6 // len(part) + 1)
    stream, out = tokenizer.stream(), []
    for i in range(10**6):
        out.extend(stream.feed(data[i:i + 1]))
    out.extend(stream.finish())
    assert out == tokenizer.encode_bytes(data[:10**6]).tolist()


# Merging

def test_the_whole_piece_look_up_is_as_asked_for(data):
    off, on = bpe("a b", more=["abc"]), bpe("a b", more=["abc"], whole_piece=True)
    assert tokens(on, "abc") == ["abc"]
    assert tokens(on, "abcc") == ["ab", "c", "c"]
    assert tokens(off, "abc") == ["ab", "c"]
    assert list(ours(data, "llama3").encode(" Việt")) == [101798]


@given(st.lists(st.text("abc", min_size=1, max_size=4), max_size=5), st.text("abc", max_size=6), st.booleans())
def test_a_token_that_no_merge_makes_is_found_whole_or_not_at_all(more, text, whole):
    tokenizer = bpe("a b", "ab a", more=more, whole_piece=whole)
    made = model("a b", "ab a", more=more)
    merged = rank_bpe(Dictionary(made.tokens, made.merges), text)
    assert tokens(tokenizer, text) == ([text] if whole and text in tokenizer.model.tokens else merged)


def test_a_pair_twice_in_the_merges():
    merges = ("a b", "b c", "ab c", "a b")
    assert tokens(bpe(*merges, duplicates="last"), "abc") == ["a", "bc"]
    with pytest.raises(DictionaryError, match="twice|repeated|again|duplicate"):
        bpe(*merges)


def test_a_merge_before_those_that_make_its_parts():
    tokenizer = bpe("ab c", "a b")
    assert tokens(tokenizer, "abc") == ["abc"]
    assert tokens(tokenizer, "abcab") == ["abc", "ab"]
    assert tokenizer.inspect()["proper"] is False
    assert tokenizer.inspect()["reason"]


@pytest.mark.parametrize(("name", "text", "ids"), [
    ("cl100k", ".:.:", [13, 17406, 25]), ("o200k", ".:.:", [22692, 22692]),     # merges are not guessed from ranks
    ("gpt2", "Hello,", [15496, 11]),                                            # a comma is its own piece
    ("cl100k", "camelCaseHTTPServer", [94421, 4301, 9412, 5592]),
    ("cl100k", "don't DON'T", [15357, 956, 45373, 17773]),
    ("o200k", "camelCaseHTTPServer", [178067, 6187, 17893, 6444]), ("o200k", "don't DON'T", [91418, 153384]),
    ("cl100k", "What's the weather like in San Francisco?", [3923, 596, 279, 9282, 1093, 304, 5960, 13175, 30]),
    ("o200k", "What's the weather like in San Francisco?", [45350, 290, 11122, 1299, 306, 6610, 18826, 30]),
    ("cl100k", "a\x00b", [64, 188, 65]),
    ("cl100k", "<|endoftext|>", [27, 91, 8862, 728, 428, 91, 29]),
    ("o200k", "<|endoftext|>", [27, 91, 419, 1440, 919, 91, 29]),
    ("cl100k", "\ud83d\udc4d", [9468, 239, 235]), ("cl100k", "👍", [9468, 239, 235]), ("cl100k", "\ud83d", [5809]),
])
def test_published_ids(data, name, text, ids):
    tokenizer = ours(data, name)
    assert list(tokenizer.encode(text)) == ids == list(tokenizer.encode(text, offsets=True).ids)
    assert [list(row) for row in tokenizer.encode_batch([text, text])] == [ids, ids]
    assert tokenizer.count(text) == len(ids)


def test_counts_of_prefixes_may_fall(data):
    texts = ("internationa", "international", " unbeli", " unbelie")
    counts = {text: ours(data, "cl100k").count(text) for text in texts}
    assert counts == {"internationa": 3, "international": 1, " unbeli": 3, " unbelie": 1}


# Symbols that are no tokens

@pytest.mark.parametrize(("options", "text", "expected", "spans"), [
    ({}, "axya", "a u u a", [(0, 1), (1, 2), (2, 3), (3, 4)]),
    ({"fuse_unk": True}, "axya", "a u a", [(0, 1), (1, 3), (3, 4)]),
    ({"fuse_unk": True}, "xaxxb", "u a u b", [(0, 1), (1, 2), (2, 4), (4, 5)]),
    ({"fallback": b"\xc3\xa9"}, "aéêa", "a <0xC3> <0xA9> u a", [(0, 1), (1, 2), (1, 2), (2, 3), (3, 4)]),
    # byte tokens go before the unknown token that waits, and have the places of what it stands for
    ({"fallback": b"\xc3\xa9"}, "êéb", "<0xC3> <0xA9> u b", [(0, 1), (0, 1), (1, 2), (2, 3)]),
    ({"fallback": b"\xc3\xa9"}, "êêé", "u <0xC3> <0xA9> u", [(0, 1), (1, 2), (1, 2), (2, 3)]),
    ({"fallback": b"\xc3\xa9", "fuse_unk": True}, "êéê", "<0xC3> <0xA9> u", [(0, 1), (0, 1), (1, 3)]),
    ({"fallback": b"\xc3\xa9", "unk": False}, "aéêb", "a <0xC3> <0xA9> b", None),
    ({"fallback": b"\xc3\xa9", "unk": False}, "aêb", "ab", None),
    ({"unk": False}, "xaxbx", "ab", None),
])
def test_unknown_symbols(options, text, expected, spans):
    options = dict(options)
    unk, fallback = options.pop("unk", True), options.pop("fallback", None)
    names = [f"<0x{b:02X}>" for b in fallback or b""] + ["u"] * unk
    made = model("a b", more=names)
    ids = {name: i for i, name in enumerate(made.tokens)}
    tokenizer = bpe("a b", more=names, unk_id=ids["u"] if unk else None, **options,
                    byte_ids=None if fallback is None else tuple(ids.get(f"<0x{b:02X}>", -1) for b in range(256)))
    assert tokens(tokenizer, text) == expected.split()
    if spans is not None:
        assert tokenizer.spans(text) == spans


def test_a_piece_may_have_no_tokens():
    tokenizer = bpe("a b")
    assert list(tokenizer.encode("xyz")) == []
    assert tokenizer.spans("x") == []
    assert tokenizer.count("xyz") == 0


# Patterns

def test_a_literal_string_is_no_regex():
    cut = Cutter([Split(r"\d", literal=True)], "tokenizers")
    assert cut("1234") == [(0, 4)]
    assert cut(r"1\d2") == [(0, 1), (1, 3), (3, 4)]


@given(st.lists(st.sampled_from(["ab", " ", "1", "\n", "-", "é", "'s", "  "]), max_size=20).map("".join),
       st.lists(st.sampled_from([
           Split(r"\d|b+"), Split(" ", literal=True, behavior="merged_with_next"), Split(r"\s+"),
           Split("ab", literal=True, behavior="contiguous"),
           Split("'", literal=True, behavior="merged_with_previous", invert=True)]), max_size=3))
def test_stages_neither_repeat_nor_lose_text(text, splits):
    spans = Cutter(splits, "tokenizers")(text)
    assert "".join(text[begin:end] for begin, end in spans) == text
    table = Model(BYTES, None, whole_piece=True)
    tokenizer = BPE(Config(table, "tokenizers", splits=tuple(splits)))
    assert tokenizer.decode(tokenizer.encode(text)) == text
    assert b"".join(tokenizer.pieces_of(text)) == text.encode()


# Texts

SURROGATES = st.text(st.characters(categories=["Cs"]) | st.sampled_from("a 👍é"), max_size=8)


@given(SURROGATES)
def test_surrogates_mean_the_same_to_every_call(text):
    """A pair is its character, a lone one U+FFFD, whatever is called."""
    tokenizer = of_bytes()
    plain = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    ids = tokenizer.encode(plain)
    assert tokenizer.encode(text) == ids == tokenizer.encode(text, offsets=True).ids
    assert tokenizer.encode_batch([text])[0] == ids == tokenizer.encode_padded([text], special_tokens=False)[0][0]
    assert tokenizer.count(text) == len(ids)
    assert tokenizer.decode(ids) == plain


def test_escapes_and_nul_are_text():
    tokenizer = of_bytes()
    for text in (r"\n", r"\u0041", "\0", "a\0b", "\0\0"):
        assert tokenizer.decode(tokenizer.encode(text)) == text
        assert tokenizer.decode_bytes(tokenizer.encode_bytes(text.encode())) == text.encode()


def test_no_text_has_no_tokens(data):
    for name in ("cl100k", "llama2", "llama3"):
        tokenizer = ours(data, name)
        assert list(tokenizer.encode("")) == list(tokenizer.encode_batch([])) == []
        assert tokenizer.encode("", offsets=True).ids == []
        assert [list(row) for row in tokenizer.encode_batch(["", "a", ""])][::2] == [[], []]
        assert (tokenizer.count(""), tokenizer.decode([]), tokenizer.decode_bytes([])) == (0, "", b"")
    alone = ours(data, "llama2").encode("a", special_tokens=True)
    assert len(ours(data, "llama2").encode("a", pair="", special_tokens=True)) > len(alone)    # the pair is there


@pytest.mark.parametrize("bad", [None, float("nan"), 7, ["a"], ("a",), {"a": 1}, object()])
def test_what_is_no_text_is_named_with_its_place(bad):
    tokenizer = of_bytes()
    for call in (tokenizer.encode, tokenizer.count, tokenizer.spans):
        with pytest.raises(TypeError, match=type(bad).__name__):
            call(bad)
    with pytest.raises(TypeError, match=rf"1\b.*{type(bad).__name__}"):
        tokenizer.encode_batch(["a", bad])


def test_one_text_and_a_batch_of_it_agree():
    tokenizer = of_bytes()
    for text in ("greatest", "", "ab abé"):
        assert tokenizer.encode_batch([text])[0] == tokenizer.encode(text) == tokenizer.encode(text.encode())


def test_the_vocabulary_is_not_the_callers():
    names = [b"ab", *map(bytes, BYTES)]
    tokenizer = BPE(Config(Model(tuple(names), None, whole_piece=True), "tiktoken", "gpt2"))
    names.clear()
    gc.collect()
    assert tokenizer.decode_bytes(tokenizer.encode("ab\xe9b")) == "abéb".encode()
    tokenizer.check()


@pytest.mark.parametrize("stride", [0, 1, 4])
def test_overflow_with_any_stride(stride):
    tokenizer = of_bytes()
    wanted = tokenizer.encode("1-2-3-4-5")
    options = {"max_length": 4, "stride": stride, "return_overflow": True, "padding": Padding(pad_id=0)}
    if stride == 4:
        with pytest.raises(ValueError, match="stride"):
            tokenizer.encode_padded(["1-2-3-4-5"], **options)
        return
    ids, mask, _, texts = tokenizer.encode_padded(["1-2-3-4-5"], **options)
    rows = [[id for id, here in zip(row, seen, strict=True) if here] for row, seen in zip(ids, mask, strict=True)]
    whole = rows[0]
    for row in rows[1:]:
        assert len(row) > stride
        whole += row[stride:]
    assert whole == list(wanted)
    assert set(texts) == {0}


# Special and added tokens

def added(*contents: str, at: int = 256, **flags) -> BPE:
    return BPE(Config(Model(BYTES, None, whole_piece=True), "tiktoken", "gpt2",
                      added_tokens=tuple(AddedToken(content, at + i, **flags) for i, content in enumerate(contents))))


def spelt(tokenizer: BPE, text: str, *allowed) -> list[str]:
    return [tokenizer.token_bytes(id).decode() for id in tokenizer.encode(text, *allowed)]


def test_text_that_looks_like_a_special_token_is_text_unless_allowed():
    tokenizer = added("<s>", "</s>", special=True)
    text = "<s>x</s>"
    assert len(tokenizer.encode(text)) == tokenizer.count(text) == len(text)
    assert list(tokenizer.encode(text)) == list(text.encode())
    assert list(tokenizer.encode(text, "all")) == [256, ord("x"), 257]
    assert list(tokenizer.encode(text, {"<s>"})) == [256, ord("x"), *b"</s>"]
    assert list(tokenizer.encode("<S>", "all")) == list(b"<S>")
    with pytest.raises(ValueError, match="<x>"):
        tokenizer.encode(text, {"<x>"})


def test_the_longest_of_overlapping_added_tokens():
    assert spelt(added("my1", "my12", "my123"), "my123my12my1") == ["my123", "my12", "my1"]
    assert spelt(added("A", "B", "BA"), "ABA") == ["A", "BA"]
    assert spelt(added("<s>", "</s>", special=True), "</s><s>", "all") == ["</s>", "<s>"]
    with pytest.raises(DictionaryError, match="twice"):
        added("<s>", "<s>")


def test_fifty_thousand_added_tokens():
    contents = [f"aaa{i}" for i in range(50_000)]
    begin = time.process_time()
    tokenizer = added(*contents)
    assert time.process_time() - begin < 10     # with every check of the build on; quadratic: minutes
    text = " ".join(contents[::50])
    assert [id for id in tokenizer.encode(text) if id >= 256] == list(range(256, 50_256, 50))

    def best(n: int) -> float:
        times = []
        for _ in range(3):
            begin = time.process_time()
            tokenizer.count("aaa" * n)
            times.append(time.process_time() - begin)
        return min(times)
    assert min(best(400_000) / best(50_000) for _ in range(3)) < 20


def test_a_word_by_itself_only():
    assert spelt(added("ab", single_word=True), "ab abx xab") == ["ab", " ", "a", "b", "x", " ", "x", "a", "b"]


# Offsets

def test_bytes_of_one_character_have_its_place():
    assert of_bytes().spans("i 👍 é") == [(0, 1), (1, 2), *[(2, 3)] * 4, (3, 4), (4, 5)]
    table = BPE(Config(Model(BYTES, None, whole_piece=True), "tiktoken", "gpt2"))
    assert table.spans("i 👍 é") == [(0, 1), (1, 2), *[(2, 3)] * 4, (3, 4), (4, 5), (4, 5)]


def test_a_whole_piece_has_its_place(data):
    assert ours(data, "llama3").spans("Sample input") == [(0, 6), (6, 12)]


def test_places_behind_an_added_space_and_a_special_token():
    made = Model((*BYTES, b" hello", b"hello"), None, whole_piece=True)
    tokenizer = BPE(Config(made, "tokenizers", "gpt2", add_prefix_space=True,
                           added_tokens=(AddedToken("<s>", 300, special=True),)))
    assert tokenizer.spans("hello hello") == [(0, 5), (5, 11)]
    assert tokenizer.spans("<s>hello hello", allowed_special="all") == [(0, 3), (3, 8), (8, 14)]


@pytest.mark.parametrize(("prefix_space", "text", "spans"), [
    (False, " a", [(1, 2)]), (True, " a", [(0, 2)]), (True, "  a", [(2, 3)]), (True, "a a", [(0, 1), (2, 3)]),
    (False, " ", [(1, 1)]), (True, " ", [(0, 0)]), (False, "é é", [(0, 1), (2, 3)]),
    (False, "👍 a", [(0, 1), (2, 3)]),
])
def test_trimmed_offsets(prefix_space, text, spans):
    longer = (b" a", b"  a", b" \xc3\xa9", b"\xc3\xa9", "👍".encode())
    pieces = BPE(Config(Model((*BYTES, *longer), None, whole_piece=True), "tokenizers",
                        splits=(Split(r"[^ ]+| +[^ ]*"),), trim=Trim(prefix_space)))
    encoding = pieces.encode(text, offsets=True)
    assert list(zip(encoding.starts, encoding.ends, strict=True)) == spans
    for start, end, begin, stop in zip(*encoding[1:5], strict=True):
        assert (len(text[:start].encode()), len(text[:end].encode())) == (begin, stop)
    again = pickle.loads(pickle.dumps(pieces)).encode(text, offsets=True)
    assert again == encoding


# Decoding

def test_an_id_without_a_token_is_named(data):
    tokenizer = ours(data, "cl100k")
    for id in (100256, *range(100261, 100276), 100277, 2**31):
        for call in (tokenizer.decode, tokenizer.decode_bytes):
            with pytest.raises(TokenIdError, match=str(id)):
                call([13, id])
        with pytest.raises(TokenIdError, match=str(id)):
            tokenizer.token(id)
    assert issubclass(TokenIdError, ValueError)
    assert tokenizer.decode([100257]) == "<|endoftext|>"


def test_added_tokens_are_no_byte_names():
    tokenizer = added("special token", "é中", "Ġx", "\n")
    assert tokenizer.decode([256, 97, 257, 258, 259]) == "special tokenaé中Ġx\n"
    assert tokenizer.token(256) == "special token"
    # nor does a normalizer change how they are read back
    rewritten = BPE(Config(model(), "tokenizers", "none", normalizer=(Prepend("--"),), decoder=None,
                           added_tokens=(AddedToken("Ab", 3),)))
    assert rewritten.decode([3]) == "Ab"


@pytest.mark.parametrize("name", ["gpt2", "cl100k", "o200k", "qwen"])
def test_every_byte_comes_back(data, name):
    tokenizer = ours(data, name)
    every = bytes(range(256))
    assert tokenizer.decode_bytes(tokenizer.encode_bytes(every)) == every
    for b in range(256):
        assert tokenizer.decode_bytes(tokenizer.encode_bytes(bytes((b,)))) == bytes((b,))


# One object for many

def test_a_pickle_is_the_same_in_every_process(data):
    path = data / "vocabs" / "gpt2.tiktoken"
    tokenizer = ours(data, "gpt2")
    program = ("import hashlib, pickle, sys\n"
               "from incbpe import BPE\n"
               f"bpe = BPE.from_file({str(path)!r}, pattern='gpt2', special_tokens='gpt2')\n"
               "print(bpe.fingerprint, hashlib.sha256(pickle.dumps(bpe)).hexdigest())\n")
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    pickled = pickle.dumps(tokenizer)
    assert run.stdout.split() == [tokenizer.fingerprint, hashlib.sha256(pickled).hexdigest()]
    assert len(pickled) < path.stat().st_size
    again = pickle.loads(pickled)
    text = "Hello, world! <|endoftext|> é👍"
    assert again.encode(text, "all") == tokenizer.encode(text, "all")
    assert len(pickle.dumps(tokenizer.by_path())) < 1000


def test_a_process_that_is_spawned_gets_the_same():
    tokenizer, text = of_bytes(), "ab abé"
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply(methodcaller("encode", text), (tokenizer,)) == tokenizer.encode(text)


def test_sixteen_threads_with_options_of_their_own():
    tokenizer = added("<s>", "</s>", special=True)
    texts = ["ab <s> é</s>" * k for k in range(1, 9)]
    chosen = [(), "all", {"<s>"}, {"</s>"}]
    expected = {(k, i): list(tokenizer.encode(text, allowed)) for k, text in enumerate(texts)
                for i, allowed in enumerate(chosen)}
    wrong = []

    def work(seed: int) -> None:
        for step in range(200):
            k, i = (seed + step) % len(texts), (seed * 7 + step) % len(chosen)
            if list(tokenizer.encode(texts[k], chosen[i])) != expected[k, i]:
                wrong.append((k, i))
            length = 1 + (seed + step) % 5
            if len(tokenizer.encode_padded([texts[k]], max_length=length, special_tokens=False)[0][0]) != length:
                wrong.append(length)
    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_small_batch_is_no_slower_than_a_loop():
    tokenizer = of_bytes()
    texts = ["ab", "a b c", "é"]

    def best(run) -> float:
        times = []
        for _ in range(200):
            begin = time.process_time()
            run()
            times.append(time.process_time() - begin)
        return min(times)
    loop = best(lambda: [tokenizer.encode(text) for text in texts])
    assert min(best(lambda: tokenizer.encode_batch(texts)) for _ in range(3)) <= 2 * loop + 5e-6


def test_no_file_is_looked_for_elsewhere(tmp_path, monkeypatch):
    """A table with CR LF is read, and never is a socket opened."""
    def refuse(*args, **kwargs):
        raise AssertionError("a socket was opened")
    monkeypatch.setattr(socket, "socket", refuse)
    path = tmp_path / "x.tiktoken"
    lines = [b"%s %d" % (base64.b64encode(b), i) for i, b in enumerate(BYTES)]
    path.write_bytes(b"\r\n".join(lines) + b"\r\n")
    assert list(BPE.from_file(path, pattern="gpt2").encode("ab")) == [97, 98]
    with pytest.raises(OSError, match="nowhere"):
        BPE.from_file(tmp_path / "nowhere.tiktoken", pattern="gpt2")
