"""GPT-2's byte alphabet: the characters under which JSON files spell bytes.

A byte that is a visible Latin-1 character stands as that character; the 68 others, in their order, as U+0100 … U+0143.
So a space is Ġ, a line end Ċ, and no name holds white space.

Cost  `names_to_bytes` is linear in the characters.
"""
from __future__ import annotations

import codecs
from collections.abc import Collection
from itertools import accumulate, chain, pairwise

__all__ = ["ALPHABET", "byte_name", "name_to_bytes", "names_to_bytes"]

VISIBLE = (*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100))
HIDDEN = tuple(b for b in range(256) if b not in VISIBLE)

# by byte: its character
ALPHABET = "".join(chr(b) if b in VISIBLE else chr(0x100 + HIDDEN.index(b)) for b in range(256))

BYTE_OF = {ord(c): b for b, c in enumerate(ALPHABET)}


def byte_name(token: bytes) -> str:
    """The name of a token of bytes.

    >>> byte_name(" né\\n".encode())
    'ĠnÃ©Ċ'
    """
    return "".join(map(ALPHABET.__getitem__, token))


def name_to_bytes(name: str) -> bytes | None:
    """The bytes that a name spells; None where a character of it stands for no byte.

    >>> name_to_bytes("ä¸Ń").decode(), name_to_bytes("a b")
    ('中', None)
    """
    try:
        return codecs.charmap_encode(name, "strict", BYTE_OF)[0]
    except UnicodeEncodeError:
        return None


def names_to_bytes(names: Collection[str]) -> list[bytes | None]:
    """The bytes of each name, None where it spells none; in one go, which is several times quicker than one by one.

    >>> names_to_bytes(["Ġa", "a b"])
    [b' a', None]
    """
    try:
        spelt = codecs.charmap_encode("".join(names), "strict", BYTE_OF)[0]
    except UnicodeEncodeError:
        return list(map(name_to_bytes, names))
    ends = accumulate(chain((0,), map(len, names)))
    return [spelt[begin:end] for begin, end in pairwise(ends)]
