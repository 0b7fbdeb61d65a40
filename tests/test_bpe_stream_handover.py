"""Between the batch and eager output: whatever size the parts of a stream have, what comes is right and in time."""
import random
import unicodedata
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from incbpe import BPE, Config, Model
from incbpe.eager import EagerOutput
from incbpe.model import Form
from incbpe.pieceoutput import PieceOutput
from incbpe.pretokenize import Splitter
from subwordio.added import AddedToken
from tests.test_bpe_stream import BYTES, CRITERIA, DEEP, MODELS, model, streamed

SIZES = (1, 2, 7, 64, 127, 128, 129, 700, 4_096, 65_535, 65_537)
PATTERNS = ("gpt2", "cl100k", "o200k", "llama3", "qwen", "tekken")
WORDS = ("the", " token", "izations", " ", "  ", "\n", "\n    ", "\r\n", "'", "'ll", "12", "3", "!?", "日本", "語", "é",
         "AB", "ß", "\u0301", "x" * 40, "ab" * 70, "a " * 90, "日本語" * 50, " " * 130, "\n\n  " * 40)


@cache
def mixed(data: Path, n: int) -> str:
    """Lines of all corpora, shuffled, with some things between that splitters look at."""
    rng = random.Random(n)
    lines = [line for corpus in ("english", "code", "multilingual", "sentences82")
             for line in (data / "corpora" / f"{corpus}.txt").read_bytes().decode()[:n].split("\n")]
    rng.shuffle(lines)
    return "\n".join(line + rng.choice(("", "", rng.choice(WORDS))) for line in lines)[:n]


def parts_of(text, rng, sizes):
    """A text in parts of these sizes and some less."""
    i = 0
    while i < len(text):
        k = rng.choice(sizes)
        k = rng.randint(max(1, k - 3), k)
        yield text[i:i + k]
        i += k


@pytest.mark.parametrize("name", MODELS)
def test_parts_of_any_size(data, name):
    """Of one byte to all of it: cut in characters, special tokens and white space, sizes mixed in one text too."""
    bpe, rng = model(data, name), random.Random(name)
    text = mixed(data, 2_000_000 if DEEP else 12_000)
    special = next((token.content for token in bpe.config.added_tokens if token.special), "")
    text = text[:5_000] + special + text[5_000:5_010] + special * 2 + text[5_010:]
    wanted, spelt = list(bpe.encode(text, "all")), text.encode()
    stream = bpe.stream("all")
    for sizes, kind in (((4_096,), text), ((2**20,), spelt), (SIZES, text), (SIZES[:8], spelt)):
        early = streamed(stream, parts_of(kind, rng, sizes), wanted)
        assert len(wanted) - early < 20
    assert list(stream.feed(text)) + list(stream.finish()) == wanted


def with_tokens(pattern, cache=2**22, **options):
    """Merges that leave many words in several tokens, and tokens that only a whole piece can be."""
    tokens = [b"  ", b" t", b"he", b"the", b" the", b"12", b"'l", "日".encode(), "日本".encode(), b"AA", b"ab", b"abab",
              b"xx", b"xxxx", b" to", b"ken", b"iza", b"\n\n", b"    ", b"izationz"]
    return BPE(Config(Model((*BYTES, *tokens), None, whole_piece=True), "tiktoken", pattern, **options), cache=cache)


def agree_with_eager_output(name: str, parts: list[str], criterion: str) -> None:
    """After each part a stream has given the tokens that `PieceOutput` has, which reads byte for byte."""
    bpe, splitter = with_tokens(name), Splitter(name)
    stream, out = bpe.stream(criterion=criterion), PieceOutput(bpe.normalized(), splitter, criterion, True)
    for part in parts:
        came = [bpe.token_bytes(id) for id in stream.feed(part)]
        stream.check()
        assert came == out.feed(part.encode()), part
    assert [bpe.token_bytes(id) for id in stream.finish()] == out.finish()


@pytest.mark.parametrize("name", PATTERNS)
@given(parts=st.lists(st.sampled_from(WORDS) | st.text("tokenizas he\n'l12日A", min_size=1, max_size=4), max_size=14),
       order=st.permutations(CRITERIA))
def test_tokens_come_when_eager_output_has_them(name, parts, order):
    """After each part the stream has given the tokens that `PieceOutput` has, which reads byte for byte."""
    agree_with_eager_output(name, parts, order[0])


OPTIONS = ({"normalizer": (Form("NFC"),)}, {"add_prefix_space": True}, {"cache": 0},
           {"added_tokens": (AddedToken("<a>", 300), AddedToken("  ", 301), AddedToken("the", 302, single_word=True),
                             AddedToken("12", 303, lstrip=True))})


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: next(iter(options)))
@given(words=st.lists(st.sampled_from((*WORDS, "<a>", "<a", "e\u0301")), max_size=40), seed=st.integers(0, 2**32))
def test_with_all_that_comes_before_pieces(options, words, seed):
    rng = random.Random(seed)
    bpe = with_tokens(rng.choice(PATTERNS), **options)
    text = unicodedata.normalize(rng.choice(("NFC", "NFD")), "".join(words))
    stream = bpe.stream(criterion=rng.choice(CRITERIA))
    for sizes in ((1,), (1, 3, 200), (200, 900)):
        streamed(stream, parts_of(text, rng, sizes), list(bpe.encode(text)))


LETTERS = "ab é日x"
CHARACTERS = ("a", "b", " ", "é", "ab", "ba", "aé", "bab", "日é", "abab", "<unk>")


def characters(complete):
    """A model of characters, with all bytes to fall back on, or with x as unknown."""
    byte_ids = tuple(len(CHARACTERS) + k for k in range(256)) if complete else None
    tokens = CHARACTERS + (tuple(f"<{k}>" for k in range(256)) if complete else ())
    merges = (("a", "b"), ("b", "a"), ("a", "é"), ("b", "ab"), ("ab", "ab"))
    return BPE(Config(Model(tokens, merges, False, byte_ids, 10, True), "tokenizers"))


@pytest.mark.parametrize("kind", ["bytes", "characters", "unknown"])
@given(text=st.text(LETTERS, min_size=1, max_size=40), times=st.integers(1, 40), seed=st.integers(0, 2**32),
       criterion=st.sampled_from(CRITERIA))
def test_one_piece_is_read_by_the_engine_and_by_eager_output(kind, text, times, seed, criterion):
    """After each part, of some bytes or many, all that eager output has is out, which reads symbol by symbol."""
    bpe = with_tokens("none") if kind == "bytes" else characters(kind == "characters")
    rng, N, text = random.Random(seed), bpe.normalized(), text * times
    stream, out = bpe.stream(criterion=criterion), EagerOutput(N, criterion)
    whole, came = list(bpe.encode(text)), []
    for part in parts_of(text, rng, rng.choice([(1, 5), (400, 1_000), (2, 300, 700)])):
        came += stream.feed(part)
        stream.check()
        out.extend(part.encode() if kind == "bytes" else part)
        assert came == whole[:len(came)]
        if kind == "bytes":
            assert len(b"".join(map(bpe.token_bytes, came))) == out.final or not came
        elif kind == "characters":
            assert len(b"".join(map(bpe.token_bytes, came)).decode()) == out.final
    assert came + list(stream.finish()) == whole
    assert list(stream.feed(text)) + list(stream.finish()) == whole


@pytest.mark.parametrize("pattern", ["cl100k", "none"])
def test_more_at_once_than_a_stream_takes_at_a_time(pattern):
    """Which it does in blocks that end with characters; then what is left is a word, and a long one."""
    bpe = with_tokens(pattern)
    for text in ("日本 é the tokenizations, 語\n" * 4_000, "日本 é\n" * 10_000 + "日本語" * 8_000):
        for kind in (text, text.encode()):
            streamed(bpe.stream(), [kind], list(bpe.encode(text)))


LONG_WORDS = ("a" * 700, "ab" * 900, " " * 600, "日本語" * 200, "\n" * 400, "\n" + " " * 500,
              "xx" * 300 + "!", "é" + "A" * 900, "the", " ", "izationz", "7", "\n", "'l", "b")


@pytest.mark.parametrize("name", [*PATTERNS, "none"])
@given(parts=st.lists(st.sampled_from(LONG_WORDS), min_size=1, max_size=7), order=st.permutations(CRITERIA))
def test_tokens_of_long_pieces_come_when_eager_output_has_them(name, parts, order):
    """The engine reads what comes at once of a piece, and what stays is the same as if that were read byte by byte."""
    agree_with_eager_output(name, parts, order[0])


def test_a_stream_without_a_splitter_uses_the_tokenizers_table():
    """Of chunks between seams; and what comes of a text is what comes without a table."""
    tokens = [b" t", b"he", b" the", b"12", b"ab", b"abab", b" to", b"ken", "日本".encode()]
    bpe, plain = (BPE(Config(Model((*BYTES, *tokens), None), "tiktoken", "none"), cache=cache) for cache in (2**22, 0))
    text = "the tokens of 12 words, 日本 é\n" * 400
    for sizes in ((700,), (65, 130), (3,)):
        stream, other = bpe.stream(), plain.stream()
        for part in parts_of(text, random.Random(7), sizes):
            assert list(stream.feed(part)) == list(other.feed(part))
        assert list(stream.finish()) == list(other.finish())
        for way in (bpe, plain):
            streamed(way.stream(), parts_of(text, random.Random(8), sizes), list(plain.encode(text)))
    counts = bpe.inspect()["cache"]
    assert counts["tables"] == 1 and counts["chunks"] > 5_000 and counts["missed"] < 1_000


def test_a_stream_uses_the_tokenizers_table():
    """Of chunks, which text of a stream fills as well; and a stream has no such table of its own."""
    bpe = with_tokens("cl100k")
    stream = bpe.stream()
    for _ in range(4):
        stream.feed("the tokens of 12 words\n" * 400)
    counts = bpe.inspect()["cache"]
    assert counts["tables"] == 1 and counts["chunks"] > 1_000 and counts["missed"] < 1_000
    assert stream.nbytes < 400_000


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize("pattern", ["gpt2", "none"])
def test_nothing_of_a_text_is_left_for_the_next(pattern, criterion):
    bpe = with_tokens(pattern)
    stream, text = bpe.stream(criterion=criterion), "abab a" * 5
    small = stream.nbytes
    for leave in (stream.reset, stream.finish):
        for more in ("a", "ab" * 300_000):
            for byte in ("b" * 9 + "a" * 9):                        # eager output has the piece
                stream.feed(byte)
            stream.feed(more)
            leave()
            stream.check()
            assert stream.nbytes < small + 1_200_000
            assert [*stream.feed(text), *stream.finish()] == list(bpe.encode(text))
