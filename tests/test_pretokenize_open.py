"""Splitting a text that is still coming, and all prefixes of one, against brute force over what may follow."""
import copy
import itertools
import random

import pytest

from incbpe.openpiece import PieceStream
from incbpe.patterns import NAMES
from incbpe.pieceprefixes import PiecePrefixes
from incbpe.pretokenize import Splitter

# One character of each class, of one to three bytes each.
EACH = ["!", "/", "'", "\u0301", " ", "\u3000", "\n", "5", "Ж", "б", "日", "s", "l", "v", "e", "S", "L", "R", "E", "ſ"]
ILL_FORMED = [b"\xff", b"\xe6", b"\xe6\x97", b"\xf0\x9f", b"\xf0\x9f\x98", b"\x80", b"\xed\xa0", b"\xc0"]
# Two characters decide whatever is open: the longest undecided beginning, "'l" after a word, needs one.
FOLLOWING = ["".join(text) for k in (0, 1, 2) for text in itertools.product(EACH, repeat=k)]
LONGER = ["\u3000 \n", "  \nx", "ЖЖЖб", "ЖЖ日!", "llama", "s's", "'ll!", "\n \n ", "555"]


def ends_of(splitter: Splitter, text: bytes) -> list[int]:
    return list(itertools.accumulate(map(len, splitter.split(text))))


def fed(splitter: Splitter, text: str) -> tuple[PieceStream, list[int]]:
    """A stream fed byte by byte, and what it closed. Inside a character nothing changes."""
    stream, closed = PieceStream(splitter), []
    for c in text:
        *first, last = c.encode()
        for byte in first:
            before = stream.start, stream.now, stream.ends(), stream.later
            assert stream.feed(bytes([byte])) == []
            assert (stream.start, stream.now, stream.ends(), stream.later) == before
        closed += stream.feed(bytes([last]))
    return stream, closed


def check_against_all_continuations(splitter: Splitter, text: str, following: list[str]) -> None:
    stream, closed = fed(splitter, text)
    data = text.encode()
    assert stream.now == len(data) and stream.start == (closed or [0])[-1]
    next_ends, later = set(), False
    for more in following:
        ends = ends_of(splitter, data + more.encode())
        assert ends[:len(closed)] == closed, "a closed piece is taken back"
        if stream.start < stream.now:
            later |= ends[len(closed)] > stream.now
            next_ends |= {ends[len(closed)]} - set(range(stream.now + 1, len(data + more.encode()) + 1))
    assert stream.ends() == sorted(next_ends) and stream.later == later
    assert len(next_ends) + later != 1, "the next piece is decided, but not closed"
    rest = copy.copy(stream)
    assert closed + rest.finish() == ends_of(splitter, data)
    assert rest.ends() == [] and not rest.later


@pytest.mark.parametrize("name", NAMES)
def test_every_short_text_against_all_that_may_follow(name, deep):
    splitter = Splitter(name)
    PieceStream(splitter).check()
    for k in range(4 if deep else 3):
        for text in itertools.product(EACH, repeat=k):
            check_against_all_continuations(splitter, "".join(text), FOLLOWING + LONGER)


@pytest.mark.parametrize("name", NAMES)
def test_random_texts_against_all_that_may_follow(name, deep):
    rng, splitter = random.Random(name), Splitter(name)
    for _ in range(20_000 if deep else 150):
        few = rng.choices(EACH, k=rng.randint(1, 4))
        check_against_all_continuations(splitter, "".join(rng.choices(few, k=rng.randint(3, 12))), FOLLOWING + LONGER)


@pytest.mark.parametrize("name", NAMES)
def test_any_bytes_in_any_parts(name, deep):
    rng, splitter = random.Random(name), Splitter(name)
    for _ in range(50_000 if deep else 1_000):
        few = [c.encode() for c in rng.choices(EACH, k=rng.randint(1, 5))]
        data = b"".join(rng.choice(ILL_FORMED if rng.random() < 0.15 else few) for _ in range(rng.randint(0, 14)))
        stream, closed, i = PieceStream(splitter), [], 0
        while i < len(data):
            step = rng.randint(0, 4)
            closed += stream.feed(data[i:i + step])
            i += step
        assert closed + stream.finish() == ends_of(splitter, data)


@pytest.mark.parametrize("name", NAMES)
def test_a_stream_may_go_on_after_its_end(name):
    stream = PieceStream(Splitter(name))
    first = stream.feed(b"a 'l") + stream.finish()
    second = stream.feed("\n  x日".encode()) + stream.finish()
    assert first == ends_of(stream.splitter, b"a 'l")
    assert second == [4 + end for end in ends_of(stream.splitter, "\n  x日".encode())]


@pytest.mark.parametrize(("name", "text", "start", "ends", "later"), [
    ("gpt2", "a  ", 1, [2, 3], True),               # the last white space may begin the next piece
    ("gpt2", "'l", 0, [1], True),                   # a quote and a word, or a contraction
    ("cl100k", "'l", 0, [2], True),
    ("cl100k", "\n  ", 0, [1, 3], True),            # at the text's end one piece, before a letter three
    ("llama3", "\n  ", 0, [1], True),
    ("llama3", "\n  \n", 0, [4], True),
    ("o200k", "don'", 0, [3], True),
    ("o200k", "日AAAAAAAA", 0, [3], True),           # the present place is no end of this piece, whatever follows
    ("o200k", "AAAA", 0, [4], True),
    ("qwen", "12", 2, [], False),                   # nothing is open
    ("none", "a b", 0, [3], True),
])
def test_what_may_still_happen(name, text, start, ends, later):
    stream, _ = fed(Splitter(name), text)
    assert (stream.start, stream.ends(), stream.later) == (start, ends, later)


def test_the_held_mark_has_the_bounds_that_are_stated():
    """How far the mark lies back: a character, a contraction's letter, or without bound in the two stated cases."""
    rng = random.Random(3)
    unbounded = {"indent", "capitals after both"}
    widest: dict[str, int] = {}
    for name in NAMES:
        for _ in range(400):
            text = "".join(rng.choices(rng.choices(EACH, k=3), k=30))
            stream = PieceStream(Splitter(name))
            for byte in text.encode():
                stream.feed(bytes([byte]))
                back = [stream.now - end for end in stream.ends()]
                if back:
                    widest[stream.state] = max(widest.get(stream.state, 0), *back)
    assert {state for state, width in widest.items() if width > 3} == unbounded
    assert all(width <= 3 for state, width in widest.items() if state not in unbounded)


# Prefixes ----------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("name", NAMES)
def test_the_pieces_of_every_prefix(name, deep):
    rng, splitter = random.Random(name), Splitter(name)
    for k in range(4 if deep else 3):
        for text in itertools.product([*EACH, "😀"], repeat=k):
            PiecePrefixes(splitter, "".join(text)).check()
    for _ in range(20_000 if deep else 400):
        few = [c.encode() for c in rng.choices([*EACH, "😀"], k=rng.randint(1, 4))]
        data = b"".join(rng.choice(ILL_FORMED if rng.random() < 0.05 else few) for _ in range(rng.randint(0, 20)))
        prefixes = PiecePrefixes(splitter, data)
        prefixes.check()
        assert prefixes.pieces() == splitter.split(data) and len(prefixes) == len(data) + 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", ["\n" + "\u3000" * 20_000, "日" + "Ж" * 20_000, "a" * 50_000, "\n" + " " * 50_000,
                                  "a'" * 20_000, "日A" * 10_000, " \u3000\n" * 10_000])
def test_the_tree_of_prefixes_is_linear(name, text):
    prefixes = PiecePrefixes(Splitter(name), text)
    assert prefixes.nodes <= 4 * prefixes.n + 1
    for i in (0, 1, 2, prefixes.n // 2, prefixes.n - 1, prefixes.n):
        assert prefixes.pieces(i) == prefixes.splitter.split(prefixes.text[:i])


def test_prefixes_of_real_text(data):
    text = (data / "corpora" / "multilingual.txt").read_text(encoding="utf-8")[:400]
    for name in NAMES:
        PiecePrefixes(Splitter(name), text).check()


def test_wrong_places_and_texts():
    prefixes = PiecePrefixes(Splitter("gpt2"), "ab")
    for i in (-1, 3):
        with pytest.raises(IndexError, match="from 0 to 2"):
            prefixes.pieces(i)
    with pytest.raises(TypeError):
        PiecePrefixes(Splitter("gpt2"), 5)          # type: ignore[arg-type]
    with pytest.raises(TypeError):
        PieceStream(None)                           # type: ignore[arg-type]
    with pytest.raises(TypeError):
        PieceStream(Splitter("gpt2")).feed("a")     # type: ignore[arg-type]
