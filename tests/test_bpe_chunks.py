"""Chunks of BPE and the table of their ids: every way finds the cuts, and no table changes an id."""
import itertools
import os
import pickle
import random
import re

import pytest

from incbpe import BPE
from incbpe.chunks import cuts, use_way
from incbpe.cutrules import rules
from incbpe.model import Config, Model
from incbpe.patterns import ENGINES, NAMES
from incbpe.pretokenize import Splitter
from subwordio.added import AddedToken
from subwordio.vectors import ways
from tests.sharing import agree_after_a_fork, agree_in_sixteen_threads

PATTERNS = [name for name in NAMES if name != "none"]
TINY, SMALL, GROWING, DEFAULT = 1, 2000, 100_000, 1 << 22
BYTES = tuple(bytes((b,)) for b in range(256))
MERGED = (b" a", b"al", b"\n\n", b"  ", b"   ", b" s", b"'s", b"'ll", b"re", b" re", "\u4e2d\u6587".encode(),
          "\xe9".encode(), b"\r\n", b"  \n", b"...", b"/\n", " \u0434".encode(), b"aa", b"aaaa", b"s ", b"\n ", b"\n/",
          b".\n")
# One character or more of every class of the patterns, white space of all kinds, what contractions are made of, and
# what begins in UTF-8 as white space does.
KINDS = [*"aestlrvdmAESLRZ129'/.,!_-\x1c\0", *"    \n\n\r\t\v\f", "\xa0", "\x85", "\u1680", "\u2003", "\u2028",
         "\u3000", "\u202f", "\u205f", "\xe9", "\xc9", "\xdf", "\u017f", "\u02b0", "\u4e2d", "\u6587", "\u0e01",
         "\u0e31", "\u0301", "\u0663", "\xbd", "\u3002", "\u201c", "\u2019", "\xab", "\u1e00", "\U0001F600",
         "\U0001D400", "\xf6", "\u0434"]
FORMS = {"16 bits": MERGED, "18 bits": (*(b"",) * 70_000, *MERGED), "32 bits": (*(b"",) * 263_000, *MERGED)}
INDENT = re.compile(rb"[ \t\v\f]*")


@pytest.fixture(params=ways())
def way(request):
    use_way(request.param)
    yield request.param
    use_way(ways()[-1])


def tokenizer(pattern: str, cache: int, unicode: str = "tiktoken", merged=MERGED, **options) -> BPE:
    return BPE(Config(Model((*BYTES, *merged), None, whole_piece=True), unicode, pattern, **options), cache=cache)


def some_text(draw: random.Random) -> str:
    kinds = draw.choices(KINDS, k=draw.choice([2, 4, 8])) if draw.random() < 0.7 else KINDS
    if draw.random() < 0.5:
        kinds = [*kinds, " ", "\n"]
    texts = [draw.choice(kinds) * (1 if draw.random() < 0.95 else draw.choice([2, 3, 16, 31, 32, 70]))
             for _ in range(draw.choice([1, 3, 8, 20, 60, 130, 400]))]
    return "".join(texts)


def defined(text: bytes, lines: bool, slash: bool, apart: bool) -> list[int]:
    """The certain cuts of well-formed UTF-8, window by window."""
    solid = [byte < 0x80 and byte not in b" \t\n\v\f\r" for byte in text]
    alnum = [byte < 0x80 and chr(byte).isalnum() for byte in text]
    kinds = "".join("a" if byte < 0x80 and chr(byte).isalpha() else "0" if byte in b"0123456789" else
                    " " if byte >= 0x80 or byte in b" \t\n\v\f\r'" else "." for byte in text)

    def other(i: int) -> bool:                  # a character that is no white space begins at i
        if i >= len(text) or text[i] in b" \t\n\v\f\r":
            return False
        character = text[i:i + 4].decode(errors="ignore")[0]
        return not character.isspace() or "\x1c" <= character <= "\x1f"

    found = []
    for i in range(1, len(text)):
        last_blank = text[i] == 0x20 and other(i + 1)
        white = solid[i - 1] and text[i] in b" \t\v\f"
        line_end = alnum[i - 1] and text[i] in b"\r\n"
        run = INDENT.match(text, i)
        assert run is not None
        begin = lines and text[i - 1] in b"\r\n" and other(run.end()) and not (slash and text[i] == 0x2F)
        turn = kinds[i - 1:i + 1] in ("a0", "a.", "0a", "0.", ".0")
        turn |= apart and kinds[i - 1] == "." and (kinds[i] == "a" or text[i] in b"\r\n")
        if last_blank or white or line_end or begin or turn:
            found.append(i)
    return found


@pytest.mark.parametrize("pattern", ["gpt2", "cl100k", "o200k"])
def test_every_way_finds_the_cuts(pattern):
    splitter, draw = Splitter(pattern), random.Random(7)
    texts = [some_text(draw).encode() for _ in range(120)]
    texts += [b" " * n + b"a" * m + b"\n" * k for n in (0, 1, 63, 64) for m in (0, 1, 62, 63, 64) for k in (0, 1, 64)]
    for text, by in itertools.product(texts, ways()):
        right = defined(text, splitter.pattern != "gpt2", splitter.pattern == "o200k", splitter.pattern == "gpt2")
        for block in (64, 128, 2048):
            assert cuts(text, splitter, by, block) == right
    assert all(cuts(bytes([b]) + b" x", splitter, by) == defined(bytes([b]) + b" x", True, False, False)
               for b in range(128) for by in ways())


def test_an_unknown_way():
    splitter = Splitter("cl100k")
    for call in (lambda: cuts(b"a", splitter, 9), lambda: cuts(b"a", splitter, -1), lambda: use_way(9),
                 lambda: cuts(b"a", splitter, 0, 100), lambda: cuts(b"a", Splitter("none"), 0)):
        with pytest.raises(ValueError, match="way"):
            call()
    assert ways()[0] == 0 and rules("none") is None


@pytest.mark.parametrize("unicode", ENGINES)
@pytest.mark.parametrize("cache", [TINY, SMALL, GROWING, DEFAULT])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_table_changes_no_id(pattern, cache, unicode, deep):
    cached, plain = tokenizer(pattern, cache, unicode), tokenizer(pattern, 0, unicode)
    draw = random.Random(f"{pattern} {cache} {unicode}")
    cached.encode("a " * 3000)
    for _ in range(5000 if deep else 25):
        texts = [some_text(draw) for _ in range(draw.choice([1, 3, 30]))]
        right = [plain.encode(text) for text in texts]
        assert [cached.encode(text) for text in texts] == right
        assert [cached.count(text) for text in texts] == [len(ids) for ids in right]
        assert [cached.count(text, 3) for text in texts] == [min(len(ids), 4) for ids in right]
        assert cached.encode_batch(texts, threads=2) == right
    cached.check()
    assert cached.inspect()["cache"]["missed"] > 0
    assert plain.inspect()["cache"] == {"tables": 0, "bytes": 0, "chunks": 0, "missed": 0, "slots_read": 0}


@pytest.mark.parametrize("form", FORMS)
def test_every_way_and_every_form_of_ids(way, form):
    draw = random.Random(form)
    cached, plain = tokenizer("cl100k", SMALL, merged=FORMS[form]), tokenizer("cl100k", 0, merged=FORMS[form])
    cached.encode("a " * 3000)
    for _ in range(40):
        text = some_text(draw)
        right = plain.encode(text)
        assert cached.encode(text) == right == cached.encode(text)
    cached.check()


def test_every_way_finds_the_seams(way):
    """Without a splitter: between any two bytes that no token has side by side."""
    merges = ((b" ", b"a"), (b"l", b"s"), (b" a", b"ls"), (b".", b"\n"), (b"r", b"e"), (b"\xe4", b"\xb8"), (b" ", b" "))
    model = Model((*BYTES, *(x + y for x, y in merges)), merges)
    cached, plain = (BPE(Config(model, "tiktoken", "none"), cache=cache) for cache in (GROWING, 0))
    cached.encode("a " * 3000)
    draw = random.Random(26)
    texts = ["".join(draw.choices(" alsre.\u4e2d\u6587\xe9\n'", k=k)) for k in (*range(1, 200), 5000)]
    texts += [before + "z" * k for before in ("aa", "al. ", "z") for k in range(50, 140)]       # seams everywhere
    for text in texts:
        assert cached.encode(text) == plain.encode(text)
    cached.check()
    assert cached.inspect()["cache"]["chunks"] > 10_000


def test_texts_of_all_lengths():
    """Where a text ends, nothing behind it is read; the last chunks come from a copy."""
    cached, plain = tokenizer("llama3", DEFAULT), tokenizer("llama3", 0)
    cached.encode("a " * 3000)
    letters = "abc def\n  ghi. \u4e2d\u6587 " * 20
    for n in range(300):
        assert cached.encode(letters[:n]) == plain.encode(letters[:n])
    texts = [letters[i:j] for i in range(0, 150, 7) for j in range(i, i + 90, 9)]
    assert cached.encode_batch([*texts, "", *texts]) == plain.encode_batch([*texts, "", *texts])


def test_the_end_of_a_text_in_white_space():
    """With cl100k's pattern white space at the end is one piece, whatever the table knows of it."""
    cached, plain = tokenizer("cl100k", DEFAULT), tokenizer("cl100k", 0)
    cached.encode("a\n  b\n\xa0 c" * 3000)
    for text in ("a\n  ", "a\n ", "a\n\xa0", "a \n\t", "\n  ", "a\n", "a  ", "\u4e2d\n\u3000", "a\n  b"):
        assert cached.encode(text) == plain.encode(text)
        assert cached.encode_batch([text, text]) == plain.encode_batch([text, text])


@pytest.mark.parametrize("pattern", PATTERNS)
def test_slashes_after_signs(pattern):
    """With o200k's pattern signs take line breaks and slashes with them."""
    cached, plain = tokenizer(pattern, DEFAULT), tokenizer(pattern, 0)
    cached.encode("a " * 3000)
    for text in (".\n/", "a.\n/b", "a\n/b", ".\n/\n/ a", ".\n\n//.\n", " .\r\n /a", ". \n/"):
        assert cached.encode(text) == plain.encode(text)


def test_long_pieces_and_ill_formed_bytes():
    cached, plain = tokenizer("qwen", SMALL), tokenizer("qwen", 0)
    for text in ("a" * 5000, "a " * 3000 + "\u4e2d" * 3000, " " * 5000, "x" * 2047 + " " + "y" * 2048,
                 "." * 40 + "a" * 40, "\n" * 3000 + " " * 3000 + "b", ("\u4e2d" * 700 + "\u3002") * 5):
        assert cached.encode(text) == plain.encode(text)
    draw = random.Random(3)
    for _ in range(200):
        text = bytes(draw.choices(b"a \n.\xe4\xb8\xad\xff\xc2\xa0", k=40))
        assert cached.encode_bytes(text) == plain.encode_bytes(text)
    cached.check()


def test_added_tokens_and_prefix_spaces():
    added = [AddedToken("<s>", 300, special=True), AddedToken("\nb", 301), AddedToken("  ", 302, normalized=True)]
    draw = random.Random(5)
    for options in ({"added_tokens": tuple(added)}, {"add_prefix_space": True},
                    {"added_tokens": tuple(added), "add_prefix_space": True}):
        cached, plain = tokenizer("gpt2", SMALL, **options), tokenizer("gpt2", 0, **options)
        cached.encode("a " * 3000)
        for _ in range(100):
            text = some_text(draw).replace("!", "<s>").replace("-", "\nb")
            for allowed in ((), {"<s>"}) if "added_tokens" in options else ((),):
                assert cached.encode(text, allowed) == plain.encode(text, allowed)
        cached.check()


def test_the_work_is_linear():
    """No text makes more chunks than bytes, looks at more than 24 slots for one, or merges one twice."""
    draw = random.Random(11)
    for text in ("a" * 50_000, " " * 50_000, "a " * 25_000, "ab!" * 10_000, "\u0434" * 20_000, "\n " * 20_000 + "a",
                 "".join(some_text(draw) for _ in range(100)), " ".join(f"{i:020}" for i in range(3000)),
                 ("a" * 65 + " ") * 700, ("a" * 31 + " ") * 1500):
        for cache in (TINY, DEFAULT):
            cached = tokenizer("o200k", cache)
            cached.encode(text)
            cached.encode(text)
            counts = cached.inspect()["cache"]
            assert counts["chunks"] <= 2 * len(text) and counts["slots_read"] <= 24 * counts["chunks"]
            assert counts["missed"] <= counts["chunks"]


def test_memory_is_bounded_and_counted():
    """The table begins with a quarter, grows where half of that is in use, and is never larger than asked for."""
    cached, plain = tokenizer("cl100k", DEFAULT), tokenizer("cl100k", 0)
    cached.encode("a few words")
    assert cached.inspect()["cache"]["bytes"] == 0                  # not yet worth a table
    words = ["".join(letters) for letters in itertools.product("bcdefghijk", repeat=4)]
    kinds = itertools.product("lmnopqrst", ("", "a" * 12))
    texts = [" ".join(f"{start}{last}{word}" for word in words[::5]) for last, start in kinds]
    sizes = []
    for text in texts:
        assert cached.encode(text) == plain.encode(text) == cached.encode(text)
        sizes.append(cached.inspect()["cache"]["bytes"])
    assert sizes == sorted(sizes) and len(set(sizes)) == 3 and cached.inspect()["cache"]["tables"] == 1
    table = DEFAULT * 7 / 8         # the rest is for chunks that have no room there
    assert 0.24 * table < sizes[0] < 0.26 * table and 0.98 * table < sizes[-1] <= table
    assert cached.encode("\u4e2d" * 18) == plain.encode("\u4e2d" * 18)
    assert 0.98 * DEFAULT < cached.inspect()["cache"]["bytes"] <= DEFAULT
    cached.check()
    missed = cached.inspect()["cache"]["missed"]
    assert cached.encode(texts[-1]) == plain.encode(texts[-1])
    assert cached.inspect()["cache"]["missed"] - missed < 200       # what it knew it knows


def missed(tokenizer: BPE, text: str) -> int:
    """How many chunks of a text had to be computed."""
    before = tokenizer.inspect()["cache"]["missed"]
    tokenizer.encode(text)
    return tokenizer.inspect()["cache"]["missed"] - before


@pytest.mark.parametrize("form", FORMS)
def test_chunks_that_a_slot_has_no_room_for(form):
    """Of many ids, or of up to 55 bytes: they are known when they come again, and others in their places too."""
    cached, plain = tokenizer("cl100k", DEFAULT, merged=FORMS[form]), tokenizer("cl100k", 0, merged=FORMS[form])
    cached.encode("a " * 3000)
    texts = [f" {letter * n}" for letter in "qu\u4e2d" for n in range(1, 80) if len((letter * n).encode()) < 80]
    for text in texts:
        size = len(text.encode())
        assert (missed(cached, text), missed(cached, text)) == (1, size > 55)
        assert cached.encode(text) == plain.encode(text)
    draw = random.Random(form)
    many = ["".join(draw.choices("bcdfghjkq", k=draw.randrange(16, 56))) for _ in range(20_000)]
    for k in range(0, len(many), 500):
        text = " ".join(many[k:k + 500])
        assert cached.encode(text) == plain.encode(text) == cached.encode(text)
    assert missed(cached, " ".join(many[-200:])) < 20 and missed(cached, " ".join(many[:500])) > 200
    cached.check()


def test_a_chunk_that_comes_again_before_its_ids_are_known():
    """It is merged once, and its ids are written wherever it was; texts end among them where they should."""
    cached, plain = tokenizer("cl100k", DEFAULT), tokenizer("cl100k", 0)
    cached.encode("a " * 3000)
    draw = random.Random(13)
    for k in range(60):
        words = [f" {chr(98 + k % 20)}{'bcdfg'[k // 20]}{n}" for n in "hjklmnpqrs"]
        texts = ["".join(draw.choices(words, k=draw.randrange(12))) for _ in range(40)]
        new = {part for text in texts for part in re.findall(r"[^ ]+", text)}
        before = cached.inspect()["cache"]["missed"]
        assert cached.encode_batch(texts) == plain.encode_batch(texts)
        assert cached.inspect()["cache"]["missed"] - before == len(new)
    cached.check()


def test_after_a_refusal_the_table_is_right():
    """A chunk that has no ids, of a vocabulary without some bytes, leaves nothing behind in the table."""
    model = Model(tuple(bytes((b,)) for b in range(0x20, 0x7F)) + (b"ab", b" a"), None, whole_piece=True)
    cached, plain = (BPE(Config(model, "tiktoken", "cl100k"), cache=cache) for cache in (DEFAULT, 0))
    right = "ab a b " * 1000
    for _ in range(3):
        assert cached.encode(right) == plain.encode(right)
        with pytest.raises(ValueError, match="the vocabulary has no token for"):
            cached.encode("xy zx yz " * 3 + "\n xy")
        cached.check()
        with pytest.raises(ValueError, match="the vocabulary has no token for"):
            cached.encode_batch([right, "zz zz " * 3 + "\n"])
        cached.check()
        assert cached.encode("xy zx yz zz") == plain.encode("xy zx yz zz")


def test_the_option():
    plain, cached = tokenizer("gpt2", 0), tokenizer("gpt2", SMALL)
    assert cached.fingerprint == plain.fingerprint
    cached.encode("some words " * 1000)
    assert pickle.dumps(cached) == pickle.dumps(plain)
    assert pickle.loads(pickle.dumps(cached)).encode("a  b") == plain.encode("a  b")
    for wrong in (-1, 1 << 40):
        with pytest.raises(ValueError, match=rf"cache={wrong}: expected from 0 to"):
            tokenizer("gpt2", wrong)
    for odd in (1.5, "1", None, True):
        with pytest.raises(TypeError, match="cache: expected an int"):
            tokenizer("gpt2", odd)


def test_the_option_of_files(tmp_path):
    tokenizer("gpt2", 0).save(tmp_path / "saved")
    for cache, tables in ((0, 0), (SMALL, 1)):
        loaded = BPE.load(tmp_path / "saved", cache=cache)
        loaded.encode("some words " * 1000)
        assert loaded.inspect()["cache"]["tables"] == tables


@pytest.mark.parametrize("cache", [TINY, DEFAULT])
def test_sixteen_threads_share_a_tokenizer(cache):
    cached, plain = tokenizer("llama3", cache), tokenizer("llama3", 0)
    draw = random.Random(1)
    texts = ["".join(some_text(draw) for _ in range(30)) for _ in range(12)]
    right = [plain.encode(text) for text in texts]
    agree_in_sixteen_threads(cached, texts, right)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork_after_use():
    cached, plain = tokenizer("cl100k", DEFAULT), tokenizer("cl100k", 0)
    draw = random.Random(2)
    texts = ["".join(some_text(draw) for _ in range(30)) for _ in range(10)]
    right = [plain.encode(text) for text in texts]
    agree_after_a_fork(cached, texts, right)


def changed(lines: list[str], draw: random.Random) -> str:
    """Some lines, cut, joined and changed in case at random."""
    parts = []
    for _ in range(draw.choice([1, 3, 20])):
        line = draw.choice(lines)
        begin, end = sorted(draw.choices(range(len(line) + 1), k=2)) if draw.random() < 0.3 else (0, len(line))
        line = line[begin:end]
        parts.append(draw.choice([str, str, str, str.upper, str.lower, str.swapcase])(line))
    return draw.choice(["\n", "\n", " ", "", "  "]).join(parts)


def test_real_text(data, deep):
    """A small vocabulary of real pieces, so that most chunks have several ids."""
    draw = random.Random(4)
    corpora = [(data / "corpora" / f"{name}.txt").read_text("utf-8").split("\n")
               for name in ("english", "multilingual", "code", "sentences82")]
    words = {word.encode() for lines in corpora for line in lines[:60] for word in re.findall(r" ?\S+", line)}
    merged = sorted({word[:k] for word in words for k in (2, 3, 4)} - set(BYTES))
    for pattern in PATTERNS:
        cached, plain = tokenizer(pattern, DEFAULT, merged=tuple(merged)), tokenizer(pattern, 0, merged=tuple(merged))
        for _ in range(20_000 if deep else 100):
            text = changed(draw.choice(corpora), draw)
            assert cached.encode(text) == plain.encode(text)
        cached.check()
