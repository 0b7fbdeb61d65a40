"""Regular expressions as the libraries read them, run by the `regex` package: what both mean alike, and no more.

tiktoken's patterns are those of the Rust crate fancy-regex, the tokenizers library's those of Oniguruma. Both have sets
within sets and intersections, `[a-z&&[^aeiou]]`, which `regex` has in its version 1 only; and some of what they have
means another thing here, or none. That is refused, by name and place, rather than run into other ids.
"""
from __future__ import annotations

from incbpe.model import Unicode

OTHER = {"h": "a hexadecimal digit there, a space here", "H": "no hexadecimal digit there, no space here",
         "N": "not a line end there, a named character here", "K": "not what both mean alike"}
OPERATIONS = {"tiktoken": ("&&", "--", "~~"), "tokenizers": ("&&",)}


def translated(pattern: str, unicode: Unicode) -> str:
    """The pattern as `regex` takes it; ValueError names what it does not mean alike, and where. O(|pattern|).

    >>> translated(r"[a-z]+", "tiktoken"), translated(r"[a-z&&[^aeiou]]+", "tiktoken")
    ('[a-z]+', '(?V1)[a-z&&[^aeiou]]+')
    >>> translated(r"x\\h", "tokenizers")
    Traceback (most recent call last):
    ValueError: pattern: \\h at 1: a hexadecimal digit there, a space here: 'x\\\\h'
    """
    i = depth = 0
    sets = False

    def refuse(what: str, why: str) -> None:
        raise ValueError(f"pattern: {what} at {i}: {why}: {pattern!r}")

    while i < len(pattern):
        two = pattern[i:i + 2]
        if two[0] == "\\":
            if two[1:] in OTHER:
                refuse(two, OTHER[two[1:]])
            i += 2
            continue
        if depth and two in ("&&", "--", "~~", "||"):
            if two not in OPERATIONS[unicode]:
                refuse(two, "not an operation on sets there")
            sets = True
            i += 2
            continue
        if two[0] == "[":
            if depth:
                if two in ("[:", "[.", "[="):
                    refuse(two, "a class of ASCII there, of Unicode here")
                sets = True
            depth += 1
            if pattern[i + 1:i + 2] == "^":
                i += 1
            if pattern[i + 1:i + 2] == "]":         # first in a set it is itself
                i += 1
        elif two[0] == "]" and depth:
            depth -= 1
        i += 1
    return "(?V1)" + pattern if sets else pattern
