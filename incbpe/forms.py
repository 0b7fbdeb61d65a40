"""Unicode normalization forms with the way back: which character of the original each character comes from.

The result is that of `unicodedata`. The alignment is that of the tokenizers library 0.23.3, which counts for each new
character how many of the original it replaces: 0, one; +1, none, as it was inserted; -k, one and k more.

Cost  linear in the text; about a microsecond a character, so it is only done where a text changes and offsets are
      asked for.
"""
from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Literal

__all__ = ["aligned", "changes"]

Change = tuple[str, int]
Name = Literal["NFC", "NFD", "NFKC", "NFKD"]


def aligned(text: str, form: Name) -> list[tuple[str, int, int]]:
    """The characters of the normalized text, and of each where in `text` its source begins and ends.

    >>> aligned("e\\N{COMBINING ACUTE ACCENT}x", "NFC")
    [('é', 0, 1), ('x', 2, 3)]
    """
    result, at = [], 0
    for c, change in changes(text, form):
        source = max(at - 1, 0) if change > 0 else at
        result.append((c, source, source + 1))
        at += max(1 - change, 0) if change <= 0 else 0
    return result


def changes(text: str, form: Name) -> list[Change]:
    """The characters of the normalized text, and how many of the original each replaces.

    >>> changes("é", "NFD") == [("e", 0), ("\\N{COMBINING ACUTE ACCENT}", 1)]
    True
    """
    decomposed = list(ordered(text, "NFKD" if "K" in form else "NFD"))
    return list(composed(decomposed)) if form.endswith("C") else decomposed


def ordered(text: str, form: Name) -> Iterator[Change]:
    """Decomposed characters in canonical order."""
    marks: list[tuple[int, str, int]] = []
    for c in text:
        for i, d in enumerate(unicodedata.normalize(form, c)):
            mark = unicodedata.combining(d)
            if mark:
                marks.append((mark, d, min(i, 1)))
                continue
            yield from ((d, change) for _, d, change in sorted(marks, key=lambda entry: entry[0]))
            marks = []
            yield d, min(i, 1)
    yield from ((d, change) for _, d, change in sorted(marks, key=lambda entry: entry[0]))


def composed(characters: list[Change]) -> Iterator[Change]:
    """Characters put together with the starter before them, where nothing stands between that blocks it."""
    starter: Change | None = None
    behind: list[Change] = []           # the marks behind the starter that stay
    last = 0                            # the class of the last of them
    for c, change in characters:
        mark = unicodedata.combining(c)
        if starter is None:
            if mark:
                yield c, change
            else:
                starter = c, change
            continue
        whole = pair(starter[0], c) if not behind or last < mark else None
        if whole is not None:
            starter = whole, starter[1] + change - 1
        elif mark:
            behind.append((c, change))
            last = mark
        else:
            yield starter
            yield from behind
            starter, behind = (c, change), []
    if starter is not None:
        yield starter
        yield from behind


def pair(first: str, second: str) -> str | None:
    """The primary composite of two characters, or None."""
    whole = unicodedata.normalize("NFC", first + second)
    return whole if len(whole) == 1 else None
