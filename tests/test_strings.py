"""Strings kept as one UTF-8 text: what they are, how lines become them, their order, and where one is found."""
import random
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from subwordio.strings import Strings

CHARACTERS = st.characters(exclude_categories=["Cs"])
TEXTS = st.one_of(st.text(CHARACTERS), st.text("ab"), st.text("\0a"),
                  st.text("a").map(lambda s: "prefix of 19 bytes " + s))


@given(st.lists(TEXTS))
@example(["", "\0", "\0\0", "a", "a\0", "a" * 8, "a" * 8 + "\0", "a" * 7 + "\0"])
def test_a_sequence_in_order(given):
    strings = Strings(given)
    strings.check()
    assert list(strings) == given == [strings[i] for i in range(len(strings))]
    assert strings.text == "".join(given).encode() and strings.distinct == (len(set(given)) == len(given))
    for string in given:
        assert strings.index(string) == max(i for i, other in enumerate(given) if other == string)
    for string in ("no such string", "prefix of 19 bytes b", "\ud800", "\0" * 99):
        with pytest.raises(ValueError, match="is not among the"):
            strings.index(string)


@pytest.mark.parametrize("alphabet", ["ab", "a\0", "aé☃😀"])
@pytest.mark.parametrize("prefix", ["", "1234567", "12345678", "☃" * 30])
@pytest.mark.parametrize("number", [3_000, 6_000])
def test_many_that_begin_alike(alphabet, prefix, number):
    """Enough to be sorted by counting, at every depth; of both numbers, by digits of another width."""
    chosen = random.Random(7)
    given = [prefix + "".join(chosen.choices(alphabet, k=chosen.randrange(12))) for _ in range(number)]
    Strings(given).check()
    Strings(sorted(set(given), reverse=True)).check()
    assert Strings(sorted(set(given))).distinct
    assert not Strings([*sorted(set(given)), given[1_234]]).distinct


def test_strings_that_are_all_alike():
    strings = Strings(["a" * 40] * 1_000)
    strings.check()
    assert strings.index("a" * 40) == 999 and not strings.distinct


def lines_of(text: str) -> list[str]:
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


@given(st.lists(st.text(st.sampled_from("a\n\r\t \x85\xa0\u1680\u2009\u2028\u205f\u3000\u3001é"))))
def test_lines(parts):
    text = "".join(parts)
    strings = Strings.of_lines(text.encode())
    strings.check()
    assert list(strings) == [line.rstrip() for line in lines_of(text)]
    assert list(Strings.of_lines(b"BOM" + text.encode(), 3)) == list(strings)


def test_every_character_at_the_end_of_a_line():
    """White_Space goes, as str.rstrip has it but for U+001C to U+001F; a line may be nothing else."""
    every = [chr(c) for c in range(sys.maxunicode + 1) if c != 10 and not 0xD800 <= c < 0xE000]
    kept = dict.fromkeys("\x1c\x1d\x1e\x1f", True)
    for before in ("", "a", "é", "\u3000"):
        found = Strings.of_lines("\n".join(before + c for c in every).encode())
        expected = [before + c if kept.get(c) else (before + c).rstrip() for c in every]
        assert list(found) == expected[:len(found)] and all(not line for line in expected[len(found):])


def test_errors():
    with pytest.raises(UnicodeEncodeError):
        Strings(["a", "\ud800"])
    with pytest.raises(TypeError):
        Strings.of_lines("a")
    for start in (-1, 4):
        with pytest.raises(OverflowError, match=f"start={start}: expected 0 to 3"):
            Strings.of_lines(b"abc", start)
    for i in (-1, 2):
        with pytest.raises(IndexError, match=f"{i}: expected 0 to 1"):
            Strings(["a", "b"])[i]
    with pytest.raises(AttributeError):
        Strings().text = b""
