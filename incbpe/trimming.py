"""Offsets without the spaces at both ends of a token, as the post-processor ByteLevel of the tokenizers library 0.23.3.

Cost  O(1) a token, and the white space of added tokens
"""
from __future__ import annotations

from collections.abc import Collection

from incbpe.model import Trim
from incbpe.tokens import TokenTable
from subwordio.encoding import Encoding
from subwordio.ids import TokenIds

__all__ = ["trimmed"]


def trimmed(encoding: Encoding, text: str | bytes, trim: Trim, tokens: TokenTable, added: Collection[int]) -> Encoding:
    """The same tokens, whose places leave out spaces; of an added token, any white space.

    A token of spaces alone is at its end. With `prefix_space` the first token, or one at the text's beginning, keeps
    one space before it: it is the one that was put there.
    """
    starts, ends, byte_starts, byte_ends = (list(row) for row in encoding[1:5])
    spelt = text if isinstance(text, str) else text.decode()
    for i, id in enumerate(encoding.ids):
        if id in added:
            token = spelt[starts[i]:ends[i]]
            before, behind = len(token) - len(token.lstrip()), len(token) - len(token.rstrip())
        else:
            piece = tokens.bytes(id)
            before, behind = len(piece) - len(piece.lstrip(b" ")), len(piece) - len(piece.rstrip(b" "))
        if before and trim.prefix_space and (i == 0 or starts[i] == 0):
            before -= 1
        start, end = min(starts[i] + before, ends[i]), ends[i]
        if 0 < behind <= end:
            end = max(end - behind, start)
        byte_starts[i] += len(spelt[starts[i]:start].encode())
        byte_ends[i] -= len(spelt[end:ends[i]].encode())
        starts[i], ends[i] = start, end
    return Encoding(encoding.ids, TokenIds(starts), TokenIds(ends), TokenIds(byte_starts), TokenIds(byte_ends),
                    encoding.words)
