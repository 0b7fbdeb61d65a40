"""Proposition 12: what is punctuation and what is white space unless one says otherwise.

Statement
    For every character, `is_punctuation` is BERT's: the four ranges of ASCII that are no letter, digit, blank or
    control, whatever their category, and all of the Unicode categories P*. `is_whitespace` is str.isspace. A text is
    split by them where E is made without functions of one's own.

Why
    A definition. In ASCII, `$ + < = > ^ ` | ~` are symbols and no punctuation by category; beyond it, symbols such as
    `°` are no marks.
"""
import unicodedata
from collections.abc import Callable
from typing import Any

import linmaxmatch as lmm
from proofs import check, worlds
from proofs.compiled import vocabulary
from proofs.definitions.wordpiece import Vocabulary, split_then_match

CHARACTERS = 0x110000
ASCII_RANGES = ((33, 47), (58, 64), (91, 96), (123, 126))
MARKS = "$+.a «°"


def mark(c: str) -> bool:
    """Punctuation as BERT's basic tokenizer has it."""
    return any(low <= ord(c) <= high for low, high in ASCII_RANGES) or unicodedata.category(c).startswith("P")


# Predicate
def predicate(c: str, is_punctuation: Callable[[str], bool]) -> Any:
    """None if a character is punctuation where BERT says so, else the character and what it was taken for."""
    found = is_punctuation(c)
    return None if found is mark(c) else (c, found)


def holds_compiled(c: str) -> Any:
    return predicate(c, lmm.is_punctuation) or (None if lmm.is_whitespace(c) is c.isspace() else (c, "white space"))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 20 of the 1,114,112 code points, and all of ASCII."""
    return check.sweep(map(chr, range(128)), holds_compiled, 128) + check.sweep(
        map(chr, range(CHARACTERS)), holds_compiled, CHARACTERS, 20 * every)


def test_exhaustive() -> None:
    exhaustive()
    V = Vocabulary(frozenset({"a", "##a", "$", "##°", ".", "°"}), "##", "<unk>")
    E = lmm.precompute_e2e(vocabulary(V))
    for text in worlds.strings(MARKS, 4):
        assert lmm.e2e_wordpiece(E, text) == split_then_match(V, text, mark, str.isspace)


# Random
@worlds.given(worlds.st.characters())
def test_random(c: str) -> None:
    check.hold(holds_compiled(c))


# Control
def test_control_only_the_categories() -> None:
    assert check.first(map(chr, range(CHARACTERS)), lambda c: predicate(
        c, lambda c: unicodedata.category(c).startswith("P"))) == ("$", False)


def test_control_symbols_too() -> None:
    assert check.first(map(chr, range(CHARACTERS)), lambda c: predicate(
        c, lambda c: unicodedata.category(c)[0] in "PS")) == ("¢", True)


# Limits
#   The categories are those of this Python's Unicode tables. The tokenizer's profiles have rules of their own.

if __name__ == "__main__":
    check.alone(__file__)
