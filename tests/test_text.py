"""Every text as UTF-8: the verdict on bytes is Python's own, a str is converted, offsets lead back to it."""
import ctypes
import itertools
import random
import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from subwordio.text import char_offsets, use_way, utf8
from subwordio.vectors import ways

EDGES = [0, 0x41, 0x7F, 0x80, 0xFF, 0x100, 0x7FF, 0x800, 0xFFF, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFD,
         0xFFFF, 0x10000, 0x1F44D, 0x10FFFF]
PAIRS = ["\ud83d\udc4d", "\ud800\udc00", "\udbff\udfff"]
pieces = st.sampled_from([*map(chr, EDGES), *PAIRS]) | st.characters()
strings = st.lists(pieces, max_size=40).map("".join)


def first_bad_byte(data: bytes) -> int | None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return None


def ours(data: bytes) -> int | None:
    try:
        assert utf8(data) == data
    except ValueError as error:
        return int(re.match(r"ill-formed UTF-8 at byte (\d+): \w", str(error))[1])
    return None


def characters(text: str) -> list[tuple[str, int]]:
    """The characters that we read in a str, and how many of its units each takes."""
    result = []
    i = 0
    while i < len(text):
        pair = text[i:i + 2]
        if re.fullmatch("[\ud800-\udbff][\udc00-\udfff]", pair):
            result.append((pair.encode("utf-16", "surrogatepass").decode("utf-16"), 2))
        else:
            result.append(("\ufffd" if "\ud800" <= text[i] <= "\udfff" else text[i], 1))
        i += result[-1][1]
    return result


@pytest.mark.parametrize("length", [1, 2])
def test_all_short_bytes(length):
    for data in map(bytes, itertools.product(range(256), repeat=length)):
        assert ours(data) == first_bad_byte(data), data


def test_three_bytes_from_each_lead(deep):
    second = range(256) if deep else [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xFF]
    for data in map(bytes, itertools.product(range(0xC0, 0x100), second, [0, 0x7F, 0x80, 0xBF, 0xC0, 0xFF])):
        assert ours(data) == first_bad_byte(data), data
        assert ours(data + b"\x80") == first_bad_byte(data + b"\x80"), data


def test_random_bytes(deep):
    draw = random.Random(1)
    hard = [0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEE, 0xF0, 0xF1, 0xF4,
            0xF5]
    for _ in range(500_000 if deep else 20_000):
        data = bytes(draw.choice(hard) for _ in range(draw.randrange(3, 9)))
        data = b"a" * draw.randrange(20) + data
        assert ours(data) == first_bad_byte(data), data


def test_a_bad_byte_anywhere_in_a_long_text():
    for good in (b"a", "\xe9".encode(), "\u65e5".encode(), "\U0001f600".encode()):
        for n in range(40):
            for bad in (b"\xff", b"\x80", good[:-1] or b"\xc3"):
                data = good * n + bad + b"a" * 20
                assert ours(data) == first_bad_byte(data) == len(good) * n


@pytest.mark.parametrize("by", ways())
def test_every_way_sees_every_fault(by, deep):
    """Two and three bytes of every kind, wherever 64 bytes end, and at the end of the text or not."""
    edges = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
             0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF]
    draw = random.Random(by)
    use_way(by)
    try:
        for data in map(bytes, itertools.product(edges, repeat=3)):
            before = draw.choice([59, 60, 61, 62, 63, 64, 124, 125, 126, 127, 190])
            for tail in (b"", b"\x80", b"\x80" + b"a" * draw.randrange(130), "\u65e5\xe9\U0001f600".encode() * 9):
                for wide in ("\xe9", "\u65e5"):
                    text = wide * (before // len(wide.encode())) + "a" * (before % len(wide.encode()))
                    if deep or draw.random() < 0.1:
                        whole = text.encode() + data + tail
                        assert ours(whole) == first_bad_byte(whole), whole
    finally:
        use_way(ways()[-1])


@pytest.mark.parametrize(("data", "reason"), [
    (b"\x80", "a continuation byte that continues nothing"),
    (b"\xc0\x80", "an overlong form"), (b"\xc1\xbf", "an overlong form"), (b"\xe0\x9f\xbf", "an overlong form"),
    (b"\xf0\x8f\xbf\xbf", "an overlong form"),
    (b"\xed\xa0\x80", "a surrogate, which UTF-8 does not encode"), (b"\xed\xbf", "a surrogate"),
    (b"\xf4\x90\x80\x80", r"a code point above U\+10FFFF"), (b"\xf5", r"a code point above U\+10FFFF"),
    (b"\xf8", "a byte that UTF-8 does not use"), (b"\xff", "a byte that UTF-8 does not use"),
    (b"\xe2\x82", "the text ends inside a character"), (b"\xf0\x9f\x98", "the text ends inside a character"),
    (b"\xe2\x82a", "byte 0x61 where a continuation byte belongs"), (b"\xc3\xc3", "byte 0xc3 where a continuation"),
])
def test_the_error_says_what_is_wrong(data, reason):
    with pytest.raises(ValueError, match=f"^ill-formed UTF-8 at byte 2: {reason}"):
        utf8(b"ok" + data)


@given(strings)
def test_a_str(text):
    assert utf8(text) == "".join(character for character, _ in characters(text)).encode()


@pytest.mark.parametrize("unit", ["a", "\xe9", "\u65e5", "\U0001f600", "\ud83d\ude00", "\ud83d", "\ude00"])
@pytest.mark.parametrize("width", ["", "\xe9", "\u65e5", "\U0001f600"])
def test_a_long_str(unit, width):
    """Around the end of each block that is converted at a time, in strings of each width."""
    for n in (0, 1, 4093, 4094, 4095, 4096, 4097, 8191, 8192):
        text = "a" * n + unit * 3 + "b" + unit + width
        assert utf8(text) == "".join(character for character, _ in characters(text)).encode()
    assert utf8(unit * 30_000 + width) == "".join(c for c, _ in characters(unit * 30_000 + width)).encode()


@pytest.mark.parametrize("by", ways())
def test_every_way_spells_every_character(by):
    use_way(by)
    try:
        everything = [*range(0xD800), *range(0xE000, 0x110000)]
        for first, last in ((0, 0x100), (0, 0x10000), (0, 0x110000)):
            text = "".join(map(chr, (c for c in everything if first <= c < last)))
            assert utf8(text) == text.encode()
            assert utf8("x" + text + "y") == f"x{text}y".encode()
        draw = random.Random(8)
        for most in (0x80, 0xFF, 0xFFFF, 0x10FFFF):     # in a str of one, two or four bytes a character
            kinds = [c for c in EDGES if c <= most] + [0x20] * 5
            for _ in range(500):
                text = "".join(map(chr, draw.choices(kinds, k=draw.randrange(70)))) + chr(most)
                assert utf8(text) == "".join(character for character, _ in characters(text)).encode()
    finally:
        use_way(ways()[-1])


def test_an_unknown_way():
    for by in (-1, 9):
        with pytest.raises(ValueError, match="way"):
            use_way(by)


def test_surrogates():
    assert utf8("\ud83d\udc4d") == "\N{THUMBS UP SIGN}".encode()
    assert utf8("\ud83d") == utf8("\udc4d") == "\ufffd".encode()
    assert utf8("\udc4d\ud83d") == utf8("\ud83d\ud83d") == "\ufffd\ufffd".encode()
    assert utf8("\U0001f600\ud83d\udc4d") == "\U0001f600\N{THUMBS UP SIGN}".encode()


def test_a_str_does_not_grow():
    for text in ("ascii" * 100, "\xe9" * 100, "\u65e5" * 100, "\U0001f600" * 100):
        before = sys.getsizeof(text)
        utf8(text)
        assert sys.getsizeof(text) == before        # PyUnicode_AsUTF8 would have kept a copy in it


def test_subclasses_are_texts():
    assert utf8(type("S", (str,), {})("h\xe9")) == utf8(type("B", (bytes,), {})("h\xe9".encode())) == "h\xe9".encode()


@pytest.mark.parametrize("text", [None, 1.5, float("nan"), 3, ["a"], bytearray(b"a"), memoryview(b"a"), object()])
def test_other_types_are_named(text):
    with pytest.raises(TypeError, match=f"^expected str or bytes, got {type(text).__name__}$"):
        utf8(text)


def test_a_text_over_4_gib_is_refused():
    with pytest.raises(ValueError, match=r"at least 4294967296 bytes of UTF-8, but at most 4294967295 \(4 GiB\)"):
        utf8(bytes(2**32))      # zeros that the system need not even hold: refused before they are read


@given(strings, st.data())
def test_offsets_of_a_str(text, data):
    ends = [(0, 0)]     # (byte, unit) after each character
    for character, units in characters(text):
        ends.append((ends[-1][0] + len(character.encode()), ends[-1][1] + units))
    chosen = sorted(data.draw(st.lists(st.sampled_from(ends), max_size=20)))
    assert char_offsets(text, [byte for byte, _ in chosen]) == [unit for _, unit in chosen]


@given(strings, st.data())
def test_offsets_of_bytes(text, data):
    raw = utf8(text)
    chosen = sorted(data.draw(st.lists(st.integers(0, len(raw)), max_size=20)))
    assert char_offsets(raw, chosen) == [sum(byte & 0xC0 != 0x80 for byte in raw[:end]) for end in chosen]


def test_offsets_among_pairs_and_astral_characters():
    text = "\ud83d\ude00\U0001f600a\U0001f600\ud83d\ude00\u65e5\ud83db"
    assert char_offsets(text, [0, 4, 8, 9, 13, 17, 20, 23, 24]) == [0, 2, 3, 4, 5, 7, 8, 9, 10]


def test_an_offset_inside_a_character_counts_it():
    assert char_offsets("\u65e5a", [0, 1, 2, 3, 4]) == [0, 1, 1, 1, 2]
    assert char_offsets("\ud83d\ude00a", range(6)) == [0, 2, 2, 2, 2, 3]


def test_offsets_are_ints():
    with pytest.raises(TypeError):
        char_offsets("abc", [1.5])


@pytest.mark.parametrize("offsets", [[-1], [5], [3, 2], [0, 2**32], [2**70]])
def test_offsets_that_are_none_are_refused(offsets):
    with pytest.raises(ValueError, match=r"byte_offsets\[\d\]: expected an offset from \d to 4, got"):
        char_offsets("\u65e5a", offsets)


@pytest.mark.parametrize("text", ["caf\xe9", "\u65e5\u672c x", "\U0001f600", "a\xe9\u65e5\U0001f600" * 100])
def test_a_str_that_keeps_its_utf8(text):
    """Asked for before, so that the str keeps it: it is the same UTF-8, with the same offsets."""
    fresh = utf8(text)
    size = ctypes.c_ssize_t()
    keep = ctypes.pythonapi.PyUnicode_AsUTF8AndSize
    keep.restype = ctypes.c_void_p
    places = list(range(len(fresh) + 1))
    before = char_offsets(text, places)
    assert keep(ctypes.py_object(text), ctypes.byref(size)) and size.value == len(fresh)
    assert utf8(text) == fresh == text.encode() and char_offsets(text, places) == before
