"""The compiled tokenizer: what it is built from, what it takes, what it refuses, and the cases from the field."""
import hashlib
import json
import os
import pickle
import random
import re
import subprocess
import sys
import tracemalloc
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incbpe import BPE, Config, DictionaryError, Incremental, Model
from incbpe.model import Form, Prepend, Replace, Split
from incbpe.rewrite import Rewriter
from incbpe.tokens import TokenTable
from subwordio.added import AddedToken
from subwordio.encoding import NO_WORD
from subwordio.errors import TokenIdError
from subwordio.padding import Padding, Truncation
from subwordio.template import Template

BYTES = tuple(bytes((b,)) for b in range(256))
RANKED = Config(Model((*BYTES, b"ab", b"abc", b" a", b"bc"), None, whole_piece=True), "tiktoken", "gpt2")


def bytes_model(tokens, merges, **options) -> BPE:
    return BPE(Config(Model((*BYTES, *tokens), tuple(merges), **options), "tokenizers"))


def characters(tokens, merges, **options) -> BPE:
    fields = {name: options.pop(name) for name in list(options) if name not in Model.__dataclass_fields__}
    return BPE(Config(Model(tuple(tokens), tuple(merges), **options), "tokenizers", **fields))


@cache
def real(data: Path, name: str) -> BPE:
    files = {"gpt2": "gpt2", "cl100k": "cl100k_base", "o200k": "o200k_base"}
    return BPE.from_file(data / "vocabs" / f"{files[name]}.tiktoken", pattern=name, special_tokens=name)


# -- the kernel

def spaces(n: int) -> BPE:
    """a, aa, aaaa, … by doubling, and every length up to n: long chains, for the centroid trees."""
    tokens = [b"a" * k for k in range(2, n + 1)]
    merges = [(b"a" * (k - k // 2), b"a" * (k // 2)) for k in range(2, n + 1)]
    return bytes_model(tokens, merges)


@pytest.mark.parametrize("n", [1, 2, 7, 64, 250, 255, 256, 257, 2047, 2048, 2049, 40_000])
def test_pieces_of_any_length_are_merged_as_the_notation_layer_merges_them(n):
    bpe = spaces(40)
    piece = (b"a" * 97 + b"b") * (n // 98) + b"a" * (n % 98)
    bpe.pieces.check(bpe.normalized(), piece if n < 3000 else piece[:5000])
    inc = Incremental(bpe.normalized())
    inc.extend(piece)
    assert [bpe.token_bytes(id) for id in bpe.encode(piece)] == inc.tokens()


def repeating(rng: random.Random, period: bytes) -> bytes:
    """Runs of a period of many lengths, cut off anywhere, and what stands between."""
    parts = []
    for _ in range(6):
        n = rng.choice([3, 90, 1100, 2500, 6000, 40_000])
        parts += [(period * n)[:n], rng.choice([b"", b"b", b"ab", b"\xff", period[:1], b"ba" * 30])]
    return b"".join(parts)


@pytest.mark.parametrize("period", [b"a", b"ab", b"aaab", b"a" * 97 + b"b", b"\xff"])
def test_texts_that_repeat_are_merged_as_any_others(period):
    """θ is written down where it repeats (Proposition 25), within parts and beyond them."""
    rng = random.Random(period)
    improper = bytes_model([b"aa", b"aaa", b"aaaa"], [(b"aa", b"a"), (b"a", b"a"), (b"aaa", b"a")])
    for bpe in (spaces(40), spaces(300), improper):
        piece = repeating(rng, period)
        inc = Incremental(bpe.normalized())
        inc.extend(piece)
        assert [bpe.token_bytes(id) for id in bpe.encode_bytes(piece)] == inc.tokens()
        tail = piece[-5000:]
        bpe.pieces.check(bpe.normalized(), tail)


def test_a_character_is_taken_out_whole_where_only_some_of_its_bytes_are_tokens():
    fallback = [-1] * 256
    fallback[0xAA] = 1
    bpe = characters(["a", "<0xAA>", "aa"], [("a", "a")], byte_ids=tuple(fallback))
    assert bpe.encode("aêaêêx").tolist() == [2] and bpe.encode("êaêêa\u6aaaxa").tolist() == [2, 0]


def test_what_looks_like_a_repetition_until_one_looks_further_back():
    """θ is the same for 129 bytes and more, and the text for 256; but x, before it, makes another token in the end."""
    merges = [(b"a" * k, b"a" * k) for k in (1, 2, 4, 8, 16, 32, 64, 128)]
    merges += [(b"x", b"a" * 256), (b"x" + b"a" * 256, b"y")]
    bpe = bytes_model([x + y for x, y in merges], merges)
    for shift in range(0, 256, 16):
        piece = (b"a" * 100 + b"b") * 4 + b"a" * shift + b"b" + b"x" + b"a" * 256 + b"yw" + b"a" * 256 + b"y" * 300
        inc = Incremental(bpe.normalized())
        inc.extend(piece)
        assert [bpe.token_bytes(id) for id in bpe.encode(piece)] == inc.tokens()


def test_tokens_longer_than_a_part_of_a_piece():
    """Parts of long pieces are so long that a walk may begin anywhere in them."""
    long = b"abcdefgh" * 6000
    tokens, merges = [b"ab", b"cd", b"ef", b"gh", b"abcd", b"efgh", b"abcdefgh"], []
    for token in tokens[:4]:
        merges.append((token[:1], token[1:]))
    merges += [(b"ab", b"cd"), (b"ef", b"gh"), (b"abcd", b"efgh")]
    size = 8
    while 2 * size <= len(long):
        merges.append((long[:size], long[:size]))
        size *= 2
        tokens.append(long[:size])
    bpe = bytes_model(tokens, merges)
    for piece in (long * 9 + b"x" + long[5:] * 3, b"x" * 3 + long * 4 + b"abc"):
        inc = Incremental(bpe.normalized())
        inc.extend(piece)
        assert [bpe.token_bytes(id) for id in bpe.encode(piece)] == inc.tokens()


def test_the_layout_and_the_tables_keep_their_invariants(data):
    for bpe in (spaces(40), BPE(RANKED), real(data, "gpt2")):
        bpe.check()


RESIDENT = """
import gc, os, sys
from incbpe import BPE
path, corpus = sys.argv[1:]
text = open(corpus, encoding="utf-8").read(1 << 20)
held = lambda: int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
before = held()
bpe = BPE.from_file(path, pattern="o200k")
bpe.encode(text).tolist()
gc.collect()
facts = bpe.inspect()
kept = facts["cache"]["bytes"], facts["ints_bytes"]
assert min(kept) > 0
print(held() - before + (1 << 22) + 40 * facts["vocab_size"] - sum(kept))
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="asks Linux what is resident")
def test_o200k_takes_64_megabytes_at_most(data):
    """With a thread's table of chunks as large as it gets, and as if every id's int were made."""
    done = subprocess.run([sys.executable, "-c", RESIDENT, data / "vocabs/o200k_base.tiktoken",
                           data / "corpora/multilingual.txt"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert 20_000_000 < int(done.stdout) <= 64_000_000


def canonical(bpe):
    """The canonical tokens, as bytes."""
    N = bpe.normalized()
    tokens = [z for z in N.dictionary.tokens if z and N.is_canonical(z)]
    return [z if isinstance(z, bytes) else z.encode() for z in tokens]


def test_cells_are_nearly_all_in_use(data):
    from incbpe.places import Places
    from incbpe.spelt import Spelt
    from incbpe.tokentrie import TokenTrie
    for bpe in (spaces(40), real(data, "gpt2")):
        places = Places(TokenTrie(Spelt(canonical(bpe))))
        places.check()
        assert bpe.pieces.layout.n_cells == places.size < 1.3 * bpe.pieces.layout.states + 512


def test_states_with_the_same_many_children_find_places():
    """Every state of two bytes has the same 64 children, which no free cells of older blocks fit."""
    from incbpe.places import Places
    from incbpe.spelt import Spelt
    from incbpe.tokentrie import TokenTrie
    letters = [bytes((k,)) for k in range(64)]
    pairs = [a + b for a in letters[:40] for b in letters[:40]]
    triples = [pair + c for pair in pairs[::7] for c in letters]
    tokens = (*letters, *pairs, *triples)
    bpe = BPE(Config(Model(tokens, None, whole_piece=False), "tiktoken", "none"))
    places = Places(TokenTrie(Spelt(canonical(bpe))))
    places.check()
    assert places.size < 3 * len(tokens)


@pytest.mark.parametrize("pattern", ["gpt2", "none"])
def test_short_and_long_texts_of_a_batch_keep_their_bounds(data, pattern):
    """Short texts are encoded several at a time; here are more, and of more pieces; and empty and long ones."""
    bpe = BPE.from_file(data / "vocabs/gpt2.tiktoken", pattern=pattern)
    rng = random.Random(pattern)
    words = ["the", " of", "é", "日本", "\n\n", "   ", "xq", " 2024", "internationalization"]
    texts = ["".join(rng.choices(words, k=rng.choice([0, 0, 1, 2, 30, 700]))) for _ in range(3000)]
    texts[7], texts[8], texts[1500] = "a" * 1999 + "é", "x" * 5000, "ab" * 1000
    found = bpe.encode_batch(texts, threads=1)
    found.check()
    assert found == [bpe.encode(text) for text in texts]
    assert bpe.encode_batch(["", "", ""]) == [[], [], []]


@pytest.mark.parametrize("place", [0, 300, 1100])
def test_a_bad_text_among_short_ones_is_named(data, place):
    texts: list[str | bytes] = ["a b"] * 1200
    texts[place] = b"a\xff"
    with pytest.raises(ValueError, match=rf"^texts\[{place}\]: "):
        real(data, "gpt2").encode_batch(texts)


@st.composite
def models(draw):
    """Byte and character models with random rules, also improper ones and rules that lead nowhere."""
    alphabet = draw(st.sampled_from(["ab", "aé", "abc日"]))
    tokens, merges = list(alphabet), []
    for _ in range(draw(st.integers(0, 14))):
        x, y = draw(st.sampled_from(tokens)), draw(st.sampled_from(tokens))
        if len(x + y) <= 8 and (x, y) not in merges:
            merges.append((x, y))
            if x + y not in tokens:
                tokens.append(x + y)
    if draw(st.booleans()):
        merges = draw(st.permutations(merges))
    return tokens, merges, alphabet


@given(models(), st.data())
def test_whatever_the_rules_the_ids_are_those_of_rank_bpe(model, data):
    from incbpe import Dictionary, rank_bpe
    tokens, merges, alphabet = model
    bpe = characters(tokens, merges)
    text = data.draw(st.text(alphabet, max_size=40))
    assert [bpe.token(id) for id in bpe.encode(text)] == list(rank_bpe(Dictionary(tokens, merges), text))
    encoded = characters([*tokens, "?"], merges, unk_id=len(tokens))
    dirty = data.draw(st.text(alphabet + "xŷ", max_size=12))
    parts = [p for p in dirty.replace("x", "\0").replace("ŷ", "\0").split("\0")]
    wanted = []
    for part in parts:
        wanted += [*rank_bpe(Dictionary(tokens, merges), part), "?"]
    assert [encoded.token(id) for id in encoded.encode(dirty)] == wanted[:-1]


@given(st.lists(st.binary(min_size=1, max_size=20), unique=True, max_size=60), st.binary(max_size=24))
def test_the_table_finds_its_tokens_and_no_others(tokens, other):
    table = TokenTable([b"", *tokens])
    table.check()
    for i, token in enumerate(tokens):
        assert table.id(token) == i + 1 and table.bytes(i + 1) == token
    if other not in tokens:
        with pytest.raises(KeyError):
            table.id(other)


def test_tokens_that_agree_in_their_first_eight_bytes_and_length():
    tokens = [b"x" * 8 + bytes((a, b)) for a in range(40) for b in range(40)] + [b"x" * n for n in range(1, 40)]
    table = TokenTable(tokens)
    table.check()
    assert [table.id(token) for token in tokens] == list(range(len(tokens)))


def mixed(a: int, b: int) -> int:
    """The hash of lookup.h, of which two tokens are made that share a key."""
    a ^= b
    a = a * 0x9E3779B97F4A7C15 % 2**64
    a ^= a >> 29
    a = a * 0xBF58476D1CE4E5B9 % 2**64
    return a ^ a >> 32


@pytest.mark.skipif(sys.byteorder == "big", reason="the eight bytes are read the other way round")
def test_tokens_that_share_a_key_are_compared_byte_by_byte():
    first, second = b"internat", b"ionality"
    other = b"surprise"
    rest = mixed(0, int.from_bytes(first, "little")) ^ int.from_bytes(second, "little")
    rest ^= mixed(0, int.from_bytes(other, "little"))
    twin = other + rest.to_bytes(8, "little")
    table = TokenTable([first + second])
    with pytest.raises(KeyError):
        table.id(twin)
    both = TokenTable([first + second, twin])
    assert (both.id(first + second), both.id(twin)) == (0, 1)
    both.check()


def test_pieces_in_groups_are_merged_as_they_are_one_by_one():
    crossing = (b"c ", b"c a", b"b ", b"b a", b"x ", b"x c")    # in no piece: each walk must begin anew
    bpe = BPE(Config(Model((*RANKED.model.tokens, *crossing), None, whole_piece=True), "tiktoken", "gpt2"))
    rng = random.Random(3)
    pieces = ["x" * n for n in (1, 2047, 2048, 2049, 5000)]
    pieces += ["".join(rng.choices("abc", k=rng.randrange(1, 9))) for _ in range(5000)]
    rng.shuffle(pieces)
    text = " ".join(pieces)
    pieces = bpe.pipeline.splitter.split(text)
    assert list(bpe.encode(text)) == [id for piece in pieces for id in merged(bpe, piece.encode())]
    assert bpe.decode(bpe.encode(text)) == text


# -- unknown symbols

def test_unknown_characters():
    model = ["a", "u", "y"], []
    assert list(characters(*model, unk_id=1).encode("axxa")) == [0, 1, 1, 0]
    fused = characters(*model, unk_id=1, fuse_unk=True).encode("axxa", offsets=True)
    assert list(fused.ids) == [0, 1, 0] and list(zip(fused.starts, fused.ends, strict=True)) == [(0, 1), (1, 3), (3, 4)]
    assert list(characters(*model).encode("axya")) == [0, 2, 0]                     # it vanishes, as in the library
    assert list(characters(["a", "b", "ab"], [("a", "b")]).encode("axb")) == [2]    # and its neighbours meet


def test_byte_fallback_with_some_of_the_bytes():
    byte_ids = [-1] * 256
    byte_ids[0xC3], byte_ids[0xA9] = 2, 3
    bpe = characters(["a", "?", "<0xC3>", "<0xA9>"], [], byte_ids=tuple(byte_ids), unk_id=1)
    found = bpe.encode("aéêa", offsets=True)
    assert list(found.ids) == [0, 2, 3, 1, 0]
    assert list(zip(found.starts, found.ends, strict=True)) == [(0, 1), (1, 2), (1, 2), (2, 3), (3, 4)]
    assert bpe.token_bytes(2) == b"\xc3"


def test_a_rank_table_that_lacks_a_byte_says_so():
    bpe = BPE(Config(Model((b"a", b"b", b"ab"), None, whole_piece=True), "tiktoken", "none"))
    assert list(bpe.encode("abba")) == [2, 1, 0]
    with pytest.raises(ValueError, match=r"no token for b'x'"):
        bpe.encode("abx")
    merged = BPE(Config(Model((b"a", b"ab"), None), "tiktoken", "none"))    # b is an atom all the same (Proposition 2)
    assert list(merged.encode("aaba")) == [0, 1, 0]


# -- whole pieces (Proposition 3)

def test_whole_pieces():
    model = (b"abc", b"ab"), [(b"a", b"b")]
    on, off = bytes_model(*model, whole_piece=True), bytes_model(*model)
    assert [on.encode("abc"), on.encode("abcc")] == [[256], [257, 99, 99]]
    assert [off.encode("abc"), off.encode("abcc")] == [[257, 99], [257, 99, 99]]
    assert on.spans("abc") == [(0, 3)]                                              # it has a place


# -- rules

def test_the_place_of_a_repeated_rule():
    merges = [("a", "b"), ("b", "c"), ("ab", "c"), ("a", "b")]
    tokens = ["a", "b", "c", "ab", "bc", "abc"]
    with pytest.raises(DictionaryError):
        characters(tokens, merges)
    assert list(characters(tokens, merges, duplicates="last").encode("abc")) == [0, 4]


def test_a_rule_before_those_that_make_its_parts():
    bpe = characters(["a", "b", "c", "ab", "abc"], [("ab", "c"), ("a", "b")])
    assert [list(bpe.encode(text)) for text in ("abc", "abcab")] == [[4], [4, 3]]


def test_a_table_that_only_the_pair_test_serves():
    bpe = characters(["a", "aa", "aaa"], [("aa", "a"), ("a", "a")])
    assert bpe.inspect()["form"] == "pairs" and not bpe.inspect()["proper"]
    assert [list(bpe.encode("a" * n)) for n in range(6)] == [[], [0], [1], [2], [2, 0], [2, 1]]
    assert pickle.loads(pickle.dumps(bpe)).encode("aaaaa") == [2, 1]


# -- texts

def test_published_ids(data):
    cl100k, o200k, gpt2 = (real(data, name) for name in ("cl100k", "o200k", "gpt2"))
    rows = [
        (cl100k, "camelCaseHTTPServer", [94421, 4301, 9412, 5592]), (cl100k, "don't DON'T", [15357, 956, 45373, 17773]),
        (o200k, "camelCaseHTTPServer", [178067, 6187, 17893, 6444]), (o200k, "don't DON'T", [91418, 153384]),
        (cl100k, ".:.:", [13, 17406, 25]), (o200k, ".:.:", [22692, 22692]), (gpt2, "Hello,", [15496, 11]),
        (cl100k, "What's the weather like in San Francisco?", [3923, 596, 279, 9282, 1093, 304, 5960, 13175, 30]),
        (o200k, "What's the weather like in San Francisco?", [45350, 290, 11122, 1299, 306, 6610, 18826, 30]),
        (cl100k, "a\0b", [64, 188, 65]), (cl100k, "\ud83d\udc4d", [9468, 239, 235]), (cl100k, "\ud83d", [5809]),
        (cl100k, "<|endoftext|>", [27, 91, 8862, 728, 428, 91, 29]),
        (o200k, "<|endoftext|>", [27, 91, 419, 1440, 919, 91, 29]),
    ]
    for bpe, text, ids in rows:
        assert bpe.encode(text) == ids, text
        assert bpe.encode_batch([text])[0] == ids
        assert bpe.count(text) == len(ids)
        assert bpe.encode(text, offsets=True).ids == ids
        assert bpe.decode(ids) == text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert [cl100k.count(text) for text in ("internationa", "international", " unbeli", " unbelie")] == [3, 1, 3, 1]


def test_long_runs(data):
    cl100k, o200k = real(data, "cl100k"), real(data, "o200k")
    assert cl100k.count("a" * 100_000) == o200k.count("a" * 100_000) == 12_500
    assert cl100k.count("^" * 100_000) == 25_000
    for run in ("=" * 50_000, " " * 50_000, "\n" * 50_000, "0" * 50_000, "日本" * 20_000):
        assert cl100k.decode(cl100k.encode(run)) == run


def test_texts_of_other_types():
    bpe = BPE(RANKED)
    for wrong in (None, 3, ["a"], bytearray(b"a"), float("nan")):
        with pytest.raises(TypeError, match="expected str or bytes"):
            bpe.encode(wrong)
    with pytest.raises(TypeError, match=r"texts\[1\]"):
        bpe.encode_batch(["a", None])
    with pytest.raises(ValueError, match="ill-formed UTF-8 at byte 1"):
        bpe.encode(b"a\xff")
    with pytest.raises(TypeError, match="expected a Config"):
        BPE("cl100k_base.tiktoken")
    assert bpe.encode("") == [] and bpe.encode_batch([]) == [] and bpe.count("") == 0


def test_bytes_that_are_not_utf8(data):
    bpe = real(data, "cl100k")
    rng = random.Random(5)
    for _ in range(200):
        parts = [b"a", b" ", "é".encode(), b"\xff", b"\xe2\x82", b"\x80", "\ufffd".encode(), b"the", b"\n"]
        raw = b"".join(rng.choices(parts, k=rng.randrange(12)))
        assert bpe.decode_bytes(bpe.encode_bytes(raw)) == raw
        pieces = bpe.pipeline.splitter.split(raw)
        assert b"".join(pieces) == raw
        ids = [id for piece in pieces for id in merged(bpe, piece)]
        assert bpe.encode_bytes(raw) == ids
    with pytest.raises(TypeError):
        bpe.encode_bytes("text")


def merged(bpe: BPE, piece: bytes) -> list[int]:
    """A piece's ids, by the whole-piece look-up and rank BPE on the table."""
    try:
        return [bpe.tokens.id(piece)]
    except KeyError:
        parts = [bytes((b,)) for b in piece]
    while True:
        ranks = [(bpe.tokens.id(x + y), i) for i, (x, y) in enumerate(pairwise(parts)) if known(bpe, x + y)]
        if not ranks:
            return [bpe.tokens.id(part) for part in parts]
        _, i = min(ranks)
        parts[i:i + 2] = [parts[i] + parts[i + 1]]


def known(bpe: BPE, token: bytes) -> bool:
    try:
        return bpe.tokens.id(token) >= 0
    except KeyError:
        return False


def test_bytes_that_are_not_utf8_through_a_rewriter():
    byte_ids = tuple(range(3, 259))
    tokens = ["a", "▁", "▁a", *[f"<0x{b:02X}>" for b in range(256)]]
    bpe = characters(tokens, [("▁", "a")], byte_ids=byte_ids, normalizer=(Prepend("▁"), Replace(" ", "▁")))
    found = bpe.encode_bytes(b"a\xff\xfe \xef\xbf\xbda")
    wanted = ["▁a".encode(), b"\xff", b"\xfe", "▁".encode(), b"\xef", b"\xbf", b"\xbd", b"a"]
    assert [bpe.token_bytes(id) for id in found] == wanted


def test_counting_stops_early():
    bpe = BPE(RANKED)
    text = "abc ab " * 500
    n = len(bpe.encode(text))
    assert [bpe.count(text, limit) for limit in (None, 0, 7, n - 1, n, n + 1)] == [n, 1, 8, n, n, n]
    assert bpe.count("", 0) == 0
    for limit, error in ((-1, ValueError), (1.5, TypeError), (True, TypeError)):
        with pytest.raises(error):
            bpe.count(text, limit)
    assert bpe.count("ab" * 10**6, 10**3) == 1001


# -- added tokens

def with_added(*tokens: AddedToken, **fields) -> BPE:
    return BPE(Config(RANKED.model, "tiktoken", "gpt2", added_tokens=tokens, **fields))


def test_special_tokens_count_where_they_are_allowed():
    bpe = with_added(AddedToken("<e>", 300, special=True), AddedToken("<f>", 301, special=True), AddedToken("[m]", 400))
    text = "ab<e>[m]<f>"
    plain = bpe.encode(text)
    assert 400 in plain and 300 not in plain and bpe.decode(plain) == text
    assert bpe.encode(text, {"<e>"}) == [256, 300, 400, 60, 102, 62]
    assert bpe.encode(text, "all") == bpe.encode(text, ["<e>", "<f>"]) == [256, 300, 400, 301]
    assert bpe.encode_batch([text], allowed_special="all")[0] == [256, 300, 400, 301]
    assert bpe.count(text, allowed_special="all") == 4
    assert bpe.decode([256, 300, 400, 301], skip_special_tokens=True) == "ab[m]"
    with pytest.raises(ValueError, match="is no special token"):
        bpe.encode(text, {"[m]"})
    assert BPE(RANKED).encode("ab<e>", "all") == BPE(RANKED).encode("ab<e>")        # all that there are
    with pytest.raises(ValueError, match="no added tokens"):
        BPE(RANKED).encode(text, {"<e>"})
    assert (bpe.id("<e>"), bpe.token(300), bpe.token_bytes(300), bpe.vocab_size) == (300, "<e>", b"<e>", 401)


def test_added_tokens_that_do_not_fit():
    for tokens, message in (
        ([AddedToken("x", 300), AddedToken("x", 301)], "added twice"),
        ([AddedToken("x", 300), AddedToken("y", 300)], "is the id of 'x' already"),
        ([AddedToken("x", 2**31)], "not below the limit"),
    ):
        with pytest.raises(DictionaryError, match=message):
            with_added(*tokens)


def test_offsets_keep_their_place_beside_added_tokens():
    bpe = with_added(AddedToken("<e>", 300, special=True), add_prefix_space=True)
    found = bpe.encode("é<e>ab", "all", offsets=True)
    rows = zip(found.ids, found.starts, found.ends, found.byte_starts, found.byte_ends, found.words, strict=True)
    assert list(rows) == [
        (32, 0, 1, 0, 2, 0), (0xC3, 0, 1, 0, 2, 0), (0xA9, 0, 1, 0, 2, 0), (300, 1, 4, 2, 5, 1), (32, 4, 5, 5, 6, 2),
        (256, 4, 6, 5, 7, 2)]


# -- rewriting

@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_unicode_forms(form):
    import unicodedata
    rewriter = Rewriter([Form(form)])
    for text in ("", "plain", "e\u0301x", "é", "ﬁ½", "\u0301a", "q\u0323\u0307\u0323", "각\u1100\u1161\u11a8",
                 "Å\u0327z", "日本"):
        result, starts, ends = rewriter.rewrite(text)
        assert result == unicodedata.normalize(form, text)
        assert len(starts) == len(ends) == len(result.encode())
        assert all(0 <= start < end <= len(text.encode()) for start, end in zip(starts, ends, strict=True))
        if result == text:
            at = [len(text[:i].encode()) for i in range(len(text) + 1)]
            places = [(at[i], at[i + 1]) for i, c in enumerate(text) for _ in c.encode()]
            assert list(zip(starts, ends, strict=True)) == places


def test_replacing_finds_matches_one_after_the_other():
    assert Rewriter([Replace("aa", "b")]).rewrite("aaaxaa") == ("baxb", [1, 2, 3, 5], [2, 3, 4, 6])
    assert Rewriter([Replace("aa", "")]).rewrite("aaa")[0] == "a"
    for steps, error in (([Replace("", "x")], ValueError), ([object()], TypeError), ([Form("NFC")] * 17, ValueError)):
        with pytest.raises(error):
            Rewriter(steps)


@pytest.mark.parametrize("new", ["", "b", "\u2581", "0123456789abcdef", "0123456789abcdefg"])
def test_replacing_a_byte_is_what_str_replace_does(new):
    plain = BPE(Config(Model(tuple(bytes((b,)) for b in range(256)), None), "tiktoken", "none",
                       normalizer=(Replace(" ", new),)))
    texts = [" " * m + "x" * n + " " + "yz" * 50 for m in (0, 1, 2) for n in range(200)]
    texts += [" " * n for n in range(200)] + ["x" * n for n in range(200)] + ["x y\xe9 " * 1000]
    for text in texts:
        wanted = text.replace(" ", new)
        assert bytes(plain.encode(text).tolist()) == wanted.encode()
        assert bytes(list(plain.encode(text, offsets=True).ids)) == wanted.encode()


# -- patterns of one's own

def test_splits_one_after_the_other():
    text = "one two-three  four"
    cut = (Split("-", literal=True), Split(r"\w+|\W", behavior="isolated"))
    bpe = BPE(Config(RANKED.model, "tokenizers", splits=cut))
    assert b"".join(bpe.pieces_of(text)) == text.encode()
    assert bpe.pieces_of(text) == [b"one", b" ", b"two", b"-", b"three", b" ", b" ", b"four"]
    literal = BPE(Config(RANKED.model, "tokenizers", splits=(Split(r"\d", literal=True, behavior="removed"),)))
    assert literal.pieces_of("1\\d2") == [b"1", b"2"]
    assert bpe.encode_batch([text] * 3)[2] == bpe.encode(text)


@pytest.mark.parametrize(("behavior", "pieces"), [
    ("isolated", ["a", "-", "-", "b", "-"]), ("removed", ["a", "b"]), ("contiguous", ["a", "--", "b", "-"]),
    ("merged_with_previous", ["a-", "-", "b-"]), ("merged_with_next", ["a", "-", "-b", "-"])])
def test_what_becomes_of_matches(behavior, pieces):
    bpe = BPE(Config(RANKED.model, "tokenizers", splits=(Split("-", literal=True, behavior=behavior),)))
    assert bpe.pieces_of("a--b-") == [piece.encode() for piece in pieces]


def test_a_pattern_that_is_no_pattern():
    with pytest.raises(ValueError, match=r"pattern: .*\(a"):
        BPE(Config(RANKED.model, "tiktoken", "(a"))


# -- ids to text

def test_ids_that_name_no_token(data):
    bpe = real(data, "cl100k")
    for id in (100256, 100261, 100275, 100277, 2**31, 2**40, -1):
        for call in (bpe.decode, bpe.decode_bytes):
            with pytest.raises(TokenIdError, match=str(id)):
                call([9906, id])
    for call in (bpe.token, bpe.token_bytes):
        with pytest.raises(TokenIdError):
            call(100256)
    with pytest.raises(TypeError):
        bpe.decode(["a"])
    assert bpe.decode([100257]) == "<|endoftext|>" and bpe.decode_bytes([]) == b""
    assert bpe.decode([9468, 239]) == "�" and bpe.decode([9468, 239], "ignore") == ""
    with pytest.raises(UnicodeDecodeError):
        bpe.decode([9468], "strict")


def test_all_bytes_come_back(data):
    bpe = real(data, "gpt2")
    for b in range(256):
        assert bpe.decode_bytes(bpe.encode_bytes(bytes((b,)))) == bytes((b,))


def test_an_id_that_names_no_token_is_shown_with_the_range_of_ids(data):
    bpe, gpt2 = real(data, "cl100k"), BPE(RANKED)
    one = "{} names no token: it is one of the unused ids of 0 to 100276"
    beyond = "{} names no token: ids are 0 to {}"
    for call in (bpe.token, bpe.token_bytes, lambda id: bpe.decode([5, id]), lambda id: bpe.decode_bytes([5, id]),
                 lambda id: bpe.stream_decoder().feed([5, id])):
        for id, told in ((100256, one.format(100256)), (100277, beyond.format(100277, 100276))):
            with pytest.raises(TokenIdError) as found:
                call(id)
            assert str(found.value) in (told, f"ids[1]: {told}")
    for call in (gpt2.token, gpt2.token_bytes):
        for id in (260, -1):
            with pytest.raises(TokenIdError) as found:
                call(id)
            assert str(found.value) == beyond.format(id, 259)


@pytest.mark.parametrize("name", ["gpt2", "llama2"])
def test_many_lists_are_decoded_as_one_by_one(data, name):
    bpe = real(data, name) if name == "gpt2" else BPE.from_file(data / "vocabs" / "llama2-tokenizer.json")
    texts = (data / "corpora" / "sentences82.txt").read_text().split("\n")[:200]
    lists = bpe.encode_batch(texts)
    expected = [bpe.decode(ids) for ids in lists]
    assert bpe.decode_batch(lists) == bpe.decode_batch(iter(lists.tolist())) == expected
    assert bpe.decode_batch([]) == [] and bpe.decode_batch([[], ()]) == ["", ""]
    if name == "llama2":
        assert bpe.decode_batch([[1, 15043], [2]], skip_special_tokens=True) == [bpe.decode([15043]), ""]
        return
    assert expected == texts
    assert bpe.decode_batch([[447]], "ignore") == [""]
    with pytest.raises(UnicodeDecodeError, match=r"in lists\[1\]"):
        bpe.decode_batch([[64], [447]], errors="strict")
    with pytest.raises(TokenIdError, match=r"^lists\[1\]: ids\[2\]: 50257 names no token: ids are 0 to 50256$"):
        bpe.decode_batch([[1], [1, 2, 50257]])
    for wrong, told in (([[1], None], "1]: expected ids, got None"), (["a"], "0]: expected ids, got str"),
                        ([1], "0]: expected ids, got int: decode takes a single list"), ([["a"]], "0]: ids")):
        with pytest.raises(TypeError, match=re.escape(f"lists[{told}")):
            bpe.decode_batch(wrong)
    for call in (bpe.decode, bpe.decode_bytes, bpe.decode_batch):
        with pytest.raises(TypeError, match="expected an iterable of (ints|lists of ids), got int$"):
            call(5)


def test_ids_and_tokens():
    bpe = BPE(RANKED)
    assert (bpe.id(b"ab"), bpe.id("ab"), bpe.token(256), bpe.token_bytes(256)) == (256, 256, b"ab", b"ab")
    for wrong, error in ((b"zz", DictionaryError), (3, TypeError)):
        with pytest.raises(error):
            bpe.id(wrong)


# -- rows

def test_pairs_and_templates():
    bpe = with_added(AddedToken("<s>", 300, special=True), template=Template.bert(300, 300), truncation=Truncation(4))
    assert bpe.encode("ab", pair="abc", special_tokens=True) == [300, 256, 300, 257, 300]
    found = bpe.encode("ab", special_tokens=True, offsets=True)
    assert found.starts == [0, 0, 0] and found.words == [NO_WORD, 0, NO_WORD]
    ids, mask, _ = bpe.encode_padded(["ab a b", "ab"], padding=Padding(pad_id=0))
    assert ids.tolist() == [[300, 256, 258, 300], [300, 256, 300, 0]] and mask.tolist()[1] == [1, 1, 1, 0]
    assert bpe.encode_padded(["ab"], max_length=None, special_tokens=False)[0].tolist() == [[256]]


def test_rows_are_not_filled_and_nothing_is_put_around_without_being_told_with_what():
    bpe = BPE(RANKED)
    for call in (bpe.encode, bpe.encode_padded):
        with pytest.raises(ValueError, match="special_tokens=True: the tokenizer's file has no template"):
            call(["ab"] if call == bpe.encode_padded else "ab", special_tokens=True)
    assert bpe.encode_padded(["abc", "ab"])[0].tolist() == [[257], [256]]
    needs = r"^texts\[1\]: a row of 1 ids is to be filled up to 2, and no pad token is known: give padding=sub"
    for options in ({}, {"padding": None}, {"special_tokens": False}):
        with pytest.raises(ValueError, match=needs):
            bpe.encode_padded(["ab a", "ab"], **options)
    assert bpe.encode_padded(["ab a", "ab"], padding=Padding(pad_id=7))[0].tolist() == [[256, 258], [256, 7]]
    asked = BPE(replace(RANKED, padding=Padding(multiple_of=4, pad_id=9)))
    assert asked.encode_padded(["ab"])[0].tolist() == [[256, 9, 9, 9]]


# -- the object

def test_pickles_are_small_and_always_the_same(data):
    path = data / "vocabs" / "gpt2.tiktoken"
    bpe = BPE.from_file(path, pattern="gpt2", special_tokens="gpt2")
    packed = pickle.dumps(bpe)
    assert len(packed) < os.path.getsize(path)
    code = ("import pickle, sys; from incbpe import BPE; "
            f"b = BPE.from_file({str(path)!r}, pattern='gpt2', special_tokens='gpt2'); "
            "sys.stdout.buffer.write(pickle.dumps(b))")
    again = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True,
                           env=os.environ | {"PYTHONHASHSEED": "7"}).stdout
    assert again == packed
    copy = pickle.loads(packed)
    assert copy.fingerprint == bpe.fingerprint and copy.encode("Hello,") == bpe.encode("Hello,")
    assert pickle.dumps(copy) == packed


def test_every_kind_of_option_travels(data):
    llama = BPE.from_file(data / "vocabs" / "llama2-tokenizer.json")
    copy = pickle.loads(pickle.dumps(llama))
    assert copy.config == llama.config and copy.model == llama.model and copy.fingerprint == llama.fingerprint
    assert copy.encode("é <0x0A>\n", offsets=True) == llama.encode("é <0x0A>\n", offsets=True)


def test_by_path(data, tmp_path):
    source = data / "vocabs" / "gpt2.tiktoken"
    path = tmp_path / "here.tiktoken"
    path.write_bytes(source.read_bytes())
    stand_in = BPE.from_file(path, pattern="gpt2").by_path()
    packed = pickle.dumps(stand_in)
    assert len(packed) < 1000 and pickle.loads(packed).encode("Hello,") == [15496, 11]
    lines = source.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    with pytest.raises(ValueError, match="makes another tokenizer"):
        pickle.loads(packed)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        pickle.loads(packed)
    with pytest.raises(ValueError, match="not read from one file"):
        BPE(RANKED).by_path()


def test_equal_tokenizers_are_those_of_one_content(tmp_path):
    bpe = BPE(RANKED)
    bpe.save(tmp_path / "saved")
    same = [bpe, BPE(RANKED, cache=0), BPE.load(tmp_path / "saved"), pickle.loads(pickle.dumps(bpe))]
    assert all(a == b and hash(a) == hash(b) for a in same for b in same) and len(set(same)) == 1
    other = BPE(replace(RANKED, pattern="cl100k"))
    assert other != bpe and len({bpe, other}) == 2
    assert bpe not in (RANKED, bpe.fingerprint) and bpe.__eq__(3) is NotImplemented


def test_fingerprints_tell_options_apart():
    kinds = [RANKED, replace(RANKED, pattern="cl100k"), replace(RANKED, unicode="tokenizers"),
             replace(RANKED, model=replace(RANKED.model, whole_piece=False)),
             replace(RANKED, model=replace(RANKED.model, tokens=(*RANKED.model.tokens, b"zz")))]
    assert len({BPE(config).fingerprint for config in kinds}) == len(kinds)
    assert BPE(replace(RANKED, notes=("said",))).fingerprint == BPE(RANKED).fingerprint


def test_threads_share_one_tokenizer(data):
    from concurrent.futures import ThreadPoolExecutor
    bpe = real(data, "gpt2")
    text = (data / "corpora" / "sentences82.txt").read_bytes().decode()
    lines = text.split("\n")
    wanted = [list(bpe.encode(line)) for line in lines]
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: [list(bpe.encode(line)) for line in lines], range(16)):
            assert found == wanted
    assert bpe.encode_batch(lines * 20, threads=4) == bpe.encode_batch(lines * 20, threads=1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_after_a_batch(data):
    bpe = real(data, "gpt2")
    wanted = bpe.encode_batch(["Hello, world"] * 20_000, threads=2)[0]
    child = os.fork()
    if child == 0:
        os._exit(0 if bpe.encode("Hello, world") == wanted and bpe.encode_batch(["a"] * 9)[8] == bpe.encode("a") else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_what_is_inspected_is_plain(data):
    facts = real(data, "gpt2").inspect()
    assert (facts["tokens"], facts["rules"], facts["canonical"], facts["states"]) == (50256, 108299, 50256, 98024)
    assert facts["longest"] == 128 and facts["form"] == "rules" and facts["pattern"] == "gpt2"
    json.dumps(facts)


def test_the_fingerprint_is_of_what_a_pickle_holds_and_packs_nothing(data):
    bpe = real(data, "gpt2")
    [source] = bpe.__reduce__()[1]
    tracemalloc.start()
    assert bpe.fingerprint == hashlib.sha256(source).hexdigest()
    assert tracemalloc.get_traced_memory()[1] < 2.5 * len(source)       # with a list of the tokens, nine times
    tracemalloc.stop()
