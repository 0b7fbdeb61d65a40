"""Chunks and the table of their ids: blanks cut a text into parts that depend on nothing else, no table changes ids."""
import itertools
import os
import pickle
import random
import re

import pytest

from linmaxmatch import WordPiece
from linmaxmatch.chunks import edges, use_way
from linmaxmatch.normalizer import Normalizer
from subwordio.added import AddedToken
from subwordio.vectors import ways
from tests.sharing import agree_after_a_fork, agree_in_sixteen_threads

BLANKS = "\t\n\r "
NORMALIZERS = [("hf", {}), ("hf", {"lowercase": False}), ("hf", {"clean_text": False, "handle_chinese_chars": False}),
               ("hf", {"lowercase": False, "strip_accents": True}), ("google", {}), ("google", {"lowercase": False}),
               ("google", {"strip_accents": False}), ("tf", {}), ("tf", {"lowercase": False}), (None, {})]
# Characters of every kind that a normalizer tells apart: letters of both cases, and marks that are case-ignorable;
# marks of several combining classes, kept and stripped; what becomes several characters; syllables, ideographs,
# controls, joiners, other spaces, punctuation, sigma.
KINDS = [*"aA'.:^!\0\v\f\x1c\x7f", "\x85", "\xa0", "\xad", "\xb7", "\xc5", "\u0301", "\u0323", "\u0338",
         "\u0345", "\u0903", "\u3099", "\ufb01", "\xbd", "\u212b", "\u0130", "\u03a3", "\u1100", "\uac01",
         "\u4e2d", "\uf900", "\u200b", "\u200d", "\u2028", "\u3000", "\ufffd", "\U0001d15e", "\ud800"]
LETTERS = "abcdefgh"
TOKENS = ["[UNK]", *LETTERS, *(f"##{c}" for c in LETTERS[:7]), "abc", "##cde", "##efgab", "!", ",", "\u0434",
          "##\u0434", "\u4e2d", "#"]
WIDE = [*TOKENS, *(f"w{i}" for i in range(70_000 - len(TOKENS))), "fed", "##fed"]
TINY, SMALL, MEDIUM, DEFAULT = 1, 2000, 1 << 16, 1 << 22


@pytest.fixture(params=ways())
def way(request):
    use_way(request.param)
    yield request.param
    use_way(ways()[-1])


def chunks_of(text: bytes) -> list[int]:
    return [place for found in re.finditer(rb"[^\t\n\r ]+", text) for place in found.span()]


def test_every_way_finds_the_edges():
    draw = random.Random(7)
    near = bytes({*b"\t\n\r ", *(b ^ 1 << i for b in b"\t\n\r " for i in range(8)), 0, 0xFF})
    texts = [draw.choice([near, b" a", b"\t\n\r ab"]) for _ in range(300)]
    sizes = [*range(130), 1000, 2047, 2048, 2049, 5000]
    texts = [bytes(draw.choices(letters, k=draw.choice(sizes))) for letters in texts]
    texts += [b" " * n + b"a" * m + b" " * k
              for n in (0, 1, 63, 64) for m in (0, 1, 63, 64, 65, 2048) for k in (0, 1, 64)]
    for text, by, block in itertools.product(texts, ways(), (64, 128, 2048)):
        assert edges(text, by, block) == chunks_of(text)
    assert all(edges(bytes([b]), by) == chunks_of(bytes([b])) for b in range(256) for by in ways())


def test_an_unknown_way():
    for call in (lambda: edges(b"a", 9), lambda: edges(b"a", -1), lambda: edges(b"a", 0, 100), lambda: use_way(9)):
        with pytest.raises(ValueError, match="way"):
            call()
    assert ways()[0] == 0


@pytest.mark.parametrize(("profile", "options"), NORMALIZERS)
def test_a_blank_cuts_all_dependences(profile, options):
    """words(x + blank + y) = words(x) + words(y) for all x and y of at most two kinds."""
    normalizer = Normalizer(profile, **options)
    parts = ["".join(kinds) for n in range(3) for kinds in itertools.product(KINDS, repeat=n)]
    words = {part: normalizer.words(part) for part in parts}
    for i, x in enumerate(parts):
        blank = BLANKS[i % 4]
        ys = parts[i % 5::5]
        text = blank.join(x + blank + y for y in ys)
        assert normalizer.words(text) == [word for y in ys for word in words[x] + words[y]], (x, blank)


def test_other_marks_do_not_cut_all_dependences():
    """Why blanks and not, say, apostrophes, which also end words: a sigma looks on across them."""
    google = Normalizer("google")
    assert google.words("A\u03a3'A") != google.words("A\u03a3") + google.words("'") + google.words("A")


def pair(cache: int, tokens=TOKENS, **options) -> tuple[WordPiece, WordPiece]:
    return WordPiece(tokens, cache=cache, **options), WordPiece(tokens, cache=0, **options)


def make_table(tokenizer: WordPiece) -> None:
    """It is there once a quarter of its bytes was encoded without."""
    tokenizer.encode(" " * (DEFAULT // 4))
    tokenizer.encode(" ")
    assert tokenizer.inspect()["cache"]["tables"] == 1


def some_text(seed: int, size: int = 400) -> str:
    """Chunks of 1 to 70 bytes, often seen before, of 0 to 70 ids, between one blank or more."""
    draw = random.Random(seed)
    letters = [LETTERS, LETTERS, "abc", "ab!,", "\u0434", "\u4e2da", "w123\u0434", "\0", "fed", "".join(KINDS), "#a"]
    sizes = [1, 2, 3, 5, 8, 14, 15, 16, 17, 23, 31, 32, 33, 64, 70]
    pool = ["".join(draw.choices(draw.choice(letters), k=draw.choice(sizes))) for _ in range(60)]
    blanks = [" ", " ", " ", "\n", "\t", "\r\n", "   ", " " * 70]
    text = "".join(draw.choice(pool) + draw.choice(blanks) for _ in range(size))
    return draw.choice(["", " "]) + text[:len(text) - draw.choice([0, 1, 2])]


@pytest.mark.parametrize("cache", [TINY, SMALL, DEFAULT])
@pytest.mark.parametrize("tokens", [TOKENS, WIDE], ids=["narrow", "wide"])
@pytest.mark.parametrize("profile", ["hf", "google", "tf", None])
def test_a_table_changes_no_id(cache, tokens, profile):
    cached, plain = pair(cache, tokens, normalizer=profile)
    if cache == DEFAULT:
        make_table(cached)
    for seed in range(30):
        text = some_text(seed)
        expected = plain.encode(text)
        assert cached.encode(text) == expected == cached.encode(text)
        assert cached.count(text) == len(expected) and cached.count(text, 3) == min(len(expected), 4)
        assert cached.encode_batch([text, text[5:], ""] * 3, threads=2) == plain.encode_batch([text, text[5:], ""] * 3)
    cached.check()
    counts = cached.inspect()["cache"]
    assert counts["tables"] > 0 and counts["missed"] < counts["chunks"]
    assert plain.inspect()["cache"] == {"tables": 0, "bytes": 0, "chunks": 0, "missed": 0, "slots_read": 0}


def test_every_way_gives_the_same_ids(way):
    cached, plain = pair(SMALL)
    for seed in range(40):
        assert cached.encode(some_text(seed, 50)) == plain.encode(some_text(seed, 50))
    cached.check()


@pytest.mark.parametrize("n", [*range(1, 34), 63, 64, 65, 2047, 2048, 2049, 5000])
def test_chunks_of_every_length(n):
    """At the start, in the middle and at the end of a text: keys are read from it and from the copy of its end."""
    cached, plain = pair(DEFAULT)
    make_table(cached)
    for first in "ah":
        chunk = first + "abcdefg"[n % 7:] * n
        for text in (chunk[:n], f"{chunk[:n]} b", f"b {chunk[:n]}", f"{'a' * 80} {chunk[:n]} {'b' * 80} {chunk[:n]}"):
            for _ in range(3):
                assert cached.encode(text) == plain.encode(text)
    cached.check()


@pytest.mark.parametrize("cache", [TINY, DEFAULT])
def test_keys_that_differ_in_one_place(cache):
    """Of all chunks that share all but one byte, or are each other's beginnings, none takes another's ids."""
    cached, plain = pair(cache, [*TOKENS, "abcdefg", "##abcdefg"])
    make_table(cached)
    texts = [("abcdefg" * 10)[:n] for n in range(1, 65)]
    texts += [text[:i] + c + text[i + 1:] for text in (texts[14], texts[30], texts[62]) for i in range(len(text))
              for c in "agh"]
    for _ in range(2):
        assert cached.encode(" ".join(texts)) == plain.encode(" ".join(texts))
        for text in texts:
            assert cached.encode(text) == plain.encode(text)
    cached.check()


@pytest.mark.parametrize("options", [{"split_unknown": True}, {"max_chars_per_word": 3}, {"max_chars_per_word": None},
                                     {"suffix_indicator": ""}, {"normalizer": "google", "nfc": True},
                                     {"lowercase": False}])
def test_options(options):
    cached, plain = pair(SMALL, **options)
    for seed in range(20):
        assert cached.encode(some_text(seed)) == plain.encode(some_text(seed))
    cached.check()


def test_added_tokens():
    added = [AddedToken("ab!", 100, special=True), AddedToken("bcd", 101, normalized=True), AddedToken("a b", 102)]
    cached, plain = pair(SMALL, added_tokens=added)
    for seed in range(20):
        for text in (some_text(seed), some_text(seed) + " ab! Bcd a b ab!ab! xbcdx"):
            for allowed in ((), "all"):
                assert cached.encode(text, allowed_special=allowed) == plain.encode(text, allowed_special=allowed)
    cached.check()


def test_the_work_is_linear():
    """No text makes more chunks than bytes, or looks at more than ten slots for one."""
    for text in ("a" * 50_000, " " * 50_000, "a " * 25_000, "ab!" * 10_000, "\u0434" * 20_000, some_text(3, 5000),
                 " ".join(f"{i:020}" for i in range(3000)), ("a" * 65 + " ") * 700, ("a" * 31 + " ") * 1500):
        for cache in (TINY, DEFAULT):
            cached = WordPiece(TOKENS, cache=cache)
            make_table(cached)
            cached.encode(text)
            cached.encode(text)
            counts = cached.inspect()["cache"]
            assert counts["chunks"] <= 2 * (len(text.split()) + 1) and counts["slots_read"] <= 14 * counts["chunks"]
            assert counts["missed"] <= counts["chunks"]


def test_memory_is_bounded_and_counted():
    """The table begins with a quarter, and is never larger than asked for."""
    cached = WordPiece(TOKENS)
    assert cached.inspect()["cache"]["bytes"] == 0
    make_table(cached)
    sizes = []
    for n in range(18):
        cached.encode(" ".join(f"{'w' * (14 * (n % 2))}{n}x{i}" for i in range(2000)))
        sizes.append(cached.inspect()["cache"]["bytes"])
    assert sizes == sorted(sizes) and sizes[0] < 0.33 * DEFAULT and cached.inspect()["cache"]["tables"] == 1
    assert 0.98 * DEFAULT < sizes[-1] <= DEFAULT
    cached.check()


def test_the_option():
    tokenizer = WordPiece(TOKENS, cache=SMALL)
    assert tokenizer.fingerprint == WordPiece(TOKENS).fingerprint == WordPiece(TOKENS, cache=0).fingerprint
    assert "cache" not in tokenizer.options
    tokenizer.encode(some_text(1))
    size = len(pickle.dumps(tokenizer))
    assert size == len(pickle.dumps(WordPiece(TOKENS)))
    assert pickle.loads(pickle.dumps(tokenizer)).encode(some_text(1)) == tokenizer.encode(some_text(1))
    for wrong in (-1, 1 << 40):
        with pytest.raises(ValueError, match=rf"cache={wrong}: expected from 0 to"):
            WordPiece(TOKENS, cache=wrong)
    for odd in (1.5, "1", None, True):
        with pytest.raises(TypeError, match="cache: expected an int"):
            WordPiece(TOKENS, cache=odd)


@pytest.mark.parametrize("tokens", [TOKENS, WIDE])
def test_long_chunks_and_many_ids_are_kept(tokens):
    """Of up to 63 bytes, and of more ids than the slots of shorter ones have room for."""
    cached, plain = pair(DEFAULT, tokens)
    texts = [letter * n for n in (15, 16, 31, 32, 63, 64, 65) for letter in "abcd"]
    texts += ["abcdeabcde" * (n // 10) + "ab," * 3 for n in (10, 20, 40)] + ["\0" * 40]
    make_table(cached)
    for _ in range(2):
        missed = cached.inspect()["cache"]["missed"]
        assert [cached.encode(text) for text in texts] == [plain.encode(text) for text in texts]
        cached.check()
    computed = cached.inspect()["cache"]["missed"] - missed
    shorter = 14 if tokens is TOKENS else 7             # ids in a slot of the table of shorter chunks
    sizes = [(len(text), len(plain.encode(text))) for text in texts]
    assert 8 < computed == sum(n > 63 or ids > (shorter if n <= 15 else 15) for n, ids in sizes) < len(texts)


@pytest.mark.parametrize("cache", [TINY, SMALL, DEFAULT])
@pytest.mark.parametrize("options", [{}, {"added_tokens": [AddedToken("a\nb", 100), AddedToken("c", 3)]}])
def test_texts_of_a_batch_are_apart(cache, options):
    """Short texts are encoded together, with a blank between them."""
    cached, plain = WordPiece(TOKENS, cache=cache, **options), WordPiece(TOKENS, cache=0, **options)
    draw = random.Random(3)
    for _ in range(12):
        texts = ["".join(draw.choices("abcdefg \n!,\u0301\u4e2d", k=draw.choice([0, 0, 1, 2, 20, 80, 400, 3000])))
                 for _ in range(draw.choice([1, 2, 50, 700]))]
        expected = [plain.encode(text) for text in texts]
        assert cached.encode_batch(texts, threads=1) == expected
        assert cached.encode_batch([text.encode() for text in texts], threads=2) == expected
    cached.check()
    assert cached.inspect()["cache"]["tables"] > 0


@pytest.mark.parametrize("cache", [TINY, MEDIUM])
def test_sixteen_threads_share_a_tokenizer(cache):
    cached, plain = pair(cache)
    texts = [some_text(seed, 300) for seed in range(12)]
    expected = [plain.encode(text) for text in texts]
    agree_in_sixteen_threads(cached, texts, expected)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork_after_use():
    cached, plain = pair(MEDIUM)
    texts = [some_text(seed) for seed in range(20)]
    expected = [plain.encode(text) for text in texts]
    agree_after_a_fork(cached, texts, expected)
