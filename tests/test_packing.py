"""Lines without objects, and ids as the bytes of flat files."""
import random

import pytest

from linmaxmatch import WordPiece
from linmaxmatch.default import default_vocabulary_path
from subwordio import TokenLists
from subwordio.packing import largest, numbers, pack, places
from subwordio.textlines import TextLines


@pytest.fixture(scope="module")
def tokenizer():
    return WordPiece.from_file(default_vocabulary_path())


@pytest.mark.parametrize("data", [b"", b"\n", b"a", b"a\n", b"a\n\n", b"\n\nb", b"x" * 9 + b"\n" * 3000])
def test_lines_are_those_of_split(data):
    lines = TextLines(data)
    lines.check()
    expected = data.split(b"\n")
    assert list(lines) == (expected if expected[-1] else expected[:-1])
    assert len(lines) == len(list(lines))


def test_lines_of_the_beginning_of_a_text():
    assert list(TextLines(b"one\ntwo\nthree", 8)) == [b"one", b"two"]
    assert list(TextLines(b"one\ntwo", 5)) == [b"one", b"t"]
    for size in (-1, 8):
        with pytest.raises(ValueError, match=f"size={size}: expected 0 to 7"):
            TextLines(b"one\ntwo", size)
    with pytest.raises(TypeError):
        TextLines("one")


def test_lines_have_indices():
    lines = TextLines(b"one\ntwo")
    assert (lines[0], lines[1], lines[-1], lines[-2]) == (b"one", b"two", b"two", b"one")
    for index in (2, -3):
        with pytest.raises(IndexError, match=f"line {index} of 2"):
            lines[index]


@pytest.mark.parametrize("threads", [1, 3])
def test_a_batch_of_lines_is_the_batch_of_their_bytes(tokenizer, threads):
    chance = random.Random(5)
    words = ["hello", "naïve", "unaffable", "", "東京", "!", "x" * 300]
    text = "\n".join(" ".join(chance.choices(words, k=chance.randrange(12))) for _ in range(20_000)).encode()
    assert tokenizer.encode_batch(TextLines(text), threads=threads) == tokenizer.encode_batch(text.split(b"\n"))


def test_the_last_line_of_a_batch_ends_where_the_text_is_cut(tokenizer):
    assert tokenizer.encode_batch(TextLines(b"one\ntwo", 5)) == tokenizer.encode_batch(["one", "t"])


def test_a_line_that_is_not_utf8_is_named(tokenizer):
    with pytest.raises(ValueError, match=r"texts\[1\]: .*UTF-8"):
        tokenizer.encode_batch(TextLines(b"one\n\xff\ntwo"))


@pytest.mark.parametrize(("width", "code"), [(2, "H"), (4, "I")])
@pytest.mark.parametrize("end", [None, 7])
def test_packed_lists(width, code, end):
    chance = random.Random(3)
    lists = [[chance.randrange(1 << 16) for _ in range(chance.randrange(5))] for _ in range(400)]
    ended = [ids + ([] if end is None else [end]) for ids in lists]
    for packed, expected in ((TokenLists(lists), ended), (TokenLists(lists)[7:90], ended[7:90])):
        packed_ids, sizes = pack(packed, width, end)
        assert memoryview(packed_ids).cast(code).tolist() == [id for ids in expected for id in ids]
        assert memoryview(sizes).cast("i").tolist() == list(map(len, expected))
        starts = memoryview(places(memoryview(sizes).cast("i"), 100, width)).cast("q").tolist()
        assert starts == [100 + width * sum(map(len, expected[:i])) for i in range(len(expected))]


def test_what_does_not_fit_is_refused():
    with pytest.raises(OverflowError, match="more than 16 bits"):
        pack(TokenLists([[1], [1 << 16]]), 2)
    with pytest.raises(OverflowError, match="more than 16 bits"):
        pack(TokenLists([[1], [1 << 16]]), 2, end=0)
    with pytest.raises(OverflowError, match="more than 16 bits"):
        pack(TokenLists([[1]]), 2, end=1 << 16)
    with pytest.raises(OverflowError, match="end=-1"):
        pack(TokenLists([[1]]), 4, end=-1)
    with pytest.raises(ValueError, match="width=3"):
        pack(TokenLists([[1]]), 3)


def test_numbers_and_the_largest():
    assert memoryview(numbers(3, 0)).nbytes == 0
    assert memoryview(numbers(1 << 40, 2)).cast("q").tolist() == [1 << 40, (1 << 40) + 1]
    assert largest(memoryview(b"").cast("H")) == -1
    assert largest(memoryview(bytes([1, 0, 0, 0, 0, 0, 0, 128])).cast("I")) == 1 << 31
