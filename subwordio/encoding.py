"""What `encode(text, offsets=True)` returns: the ids, and where in the original text each came from."""
from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from subwordio.ids import TokenIds
from subwordio.template import Piece, Special


class Encoding(NamedTuple):
    """Six sequences of one length, one entry a token.

    Offsets point into the *original* text: `text[starts[i]:ends[i]]` is what token i was made from, whatever was done
    to the text before it was tokenized. Tokens that a template adds stand for no text: their offsets are 0, 0 and their
    word is `NO_WORD`.

    >>> encoding = Encoding(*map(TokenIds, ([7, 9], [0, 3], [2, 6], [0, 3], [2, 7], [0, 1])))
    >>> ["is naïve"[start:end] for start, end in zip(encoding.starts, encoding.ends)]
    ['is', 'naï']
    """
    ids: TokenIds
    starts: TokenIds
    """characters (indices of a `str`; code points of `bytes`)"""
    ends: TokenIds
    byte_starts: TokenIds
    """bytes of the text's UTF-8"""
    byte_ends: TokenIds
    words: TokenIds
    """the number of the word (BPE: of the piece), counted from 0 in each text, that the token is part of"""


NO_WORD = 0xFFFFFFFF


def assemble(pieces: Sequence[Piece], parts: Sequence[TokenIds] | Sequence[Encoding]) -> TokenIds | Encoding:
    """One result of a template's pieces and the results for its texts, ids alone or with offsets."""
    rows: list[list[int]] = [[] for _ in Encoding._fields]
    for piece in pieces:
        if isinstance(piece, Special):
            n = len(piece.ids)
            part: Sequence[Sequence[int]] = (piece.ids, [0] * n, [0] * n, [0] * n, [0] * n, [NO_WORD] * n)
        else:
            found = parts[piece.sequence]
            part = found if isinstance(found, Encoding) else (found,)
        for row, values in zip(rows, part, strict=False):
            row.extend(values)
    if isinstance(parts[0], Encoding):
        return Encoding(*map(TokenIds, rows))
    return TokenIds(rows[0])
