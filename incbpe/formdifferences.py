"""Where this Python's Unicode normalization differs from the tokenizers library's, code point by code point.

Texts are normalized by `unicodedata`, which follows the Unicode version of the Python that runs; the library has tables
of its own, of an older version. Unicode never changes how a character that it has is normalized. So the two differ only
in characters that one of them does not know: those that one decomposes and the other keeps, those that have a combining
class, by which marks are put in order, only in one, and the parts of what only one puts together. A text that has none
of these characters is normalized alike.

Cost  a quarter of a second for the first form, a look at every code point; then nothing
"""
from __future__ import annotations

import unicodedata
from functools import cache
from itertools import groupby

from incbpe.forms import Name
from incbpe.formtable import CANONICAL, COMPATIBLE, LIBRARY, MARKS
from incbpe.model import Step

__all__ = ["differing", "form_facts", "spelt"]

HANGUL = range(0xAC00, 0xD7A4)          # decomposed by arithmetic
SCALARS = (range(0xD800), range(0xE000, 0x110000))


def form_facts(steps: tuple[Step, ...]) -> dict[str, object]:
    """For each form of Unicode normalization among the steps: the versions compared, and where they differ."""
    forms = sorted({step.form for step in steps if hasattr(step, "form")})
    return {form: {"tokenizers": LIBRARY, "unicodedata": unicodedata.unidata_version, "differ": spelt(differing(form))}
            for form in forms}


@cache
def differing(form: Name) -> list[int]:
    """The code points that make a difference in NFC, NFD, NFKC or NFKD, ascending.

    >>> differing("NFD") == sorted({*differing("NFD")}) and set(differing("NFD")) <= set(differing("NFKD"))
    True
    """
    theirs = points(CANONICAL) | (points(COMPATIBLE) if "K" in form else set())
    ours, marks = changed("NFKD" if "K" in form else "NFD")
    found = points(MARKS) ^ marks
    for c in theirs ^ ours:
        if c in theirs or unicodedata.normalize(form, chr(c)) != chr(c):
            found.add(c)
        else:                           # it is kept, being put together again; by the other its parts stay apart
            found.update(map(ord, unicodedata.normalize("NFD", chr(c))))
    return sorted(found)


@cache
def changed(form: Name) -> tuple[set[int], set[int]]:
    """What this Python's NFD or NFKD changes, and what NFD keeps and orders by a combining class."""
    normalize, combining = unicodedata.normalize, unicodedata.combining
    found, marks = set(), set()
    for part in SCALARS:
        for c in part:
            character = chr(c)
            if normalize(form, character) != character:
                found.add(c)
            if combining(character) and normalize("NFD", character) == character:
                marks.add(c)
    return found - set(HANGUL), marks


def points(table: str) -> set[int]:
    """The code points of a table.

    >>> sorted(points("41-43 61"))
    [65, 66, 67, 97]
    """
    found: set[int] = set()
    for entry in table.split():
        first, _, last = entry.partition("-")
        found.update(range(int(first, 16), int(last or first, 16) + 1))
    return found


def spelt(found: list[int]) -> list[str]:
    """Code points, neighbours together.

    >>> spelt([0x32FF, 0xA7F2, 0xA7F3, 0xA7F4])
    ['U+32FF', 'U+A7F2..U+A7F4']
    """
    runs = [[c for _, c in run] for _, run in groupby(enumerate(found), lambda entry: entry[1] - entry[0])]
    return [f"U+{run[0]:04X}" + (f"..U+{run[-1]:04X}" if len(run) > 1 else "") for run in runs]
