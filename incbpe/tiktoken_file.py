"""`.tiktoken`: a rank table, a token of base64 and its rank a line; the rank is id and order of merges (Proposition 2).

The file says neither how texts are split nor which tokens are special: the caller does.

Cost  linear in the size of the file.
"""
from __future__ import annotations

from binascii import Error, a2b_base64, b2a_base64
from typing import NamedTuple

from incbpe.rankfile import plain_ranks
from incbpe.spelt import Spelt
from subwordio.errors import FormatError
from subwordio.files import StrPath, name_of, read_bytes_file

__all__ = ["RankTable", "load_tiktoken", "parse_tiktoken", "strict_base64"]

TOKEN_LIMIT = 2**22             # ranks reach no higher
TOKEN_BYTES_LIMIT = 2**16       # bytes of a token
TIKTOKEN_LIMIT = 2**28          # bytes of a file

NO_SEPARATORS = bytes(set(range(256)).difference(b" \t\n\v\f\r"))
BOM = b"\xef\xbb\xbf"
WHAT = "a .tiktoken file (a token in base64, a space and its rank a line)"


class RankTable(NamedTuple):
    """The tokens by rank, b"" where no token has the rank; and what was changed on the way."""

    tokens: tuple[bytes, ...] | Spelt
    notes: tuple[str, ...]


def load_tiktoken(path: StrPath, *, sha256: str | None = None, limit: int = TIKTOKEN_LIMIT) -> RankTable:
    """The tokens of a .tiktoken file by rank.

    Lines end at "\\n" or "\\r\\n"; empty ones are passed over. A line that is not a token and a rank, base64 that is
    not exactly what encoding the token gives, a token or a rank given twice: a `FormatError` that names the line.
    Ranks may leave gaps. Limits: `limit` bytes, ranks below 2²², 65,536 bytes a token.
    """
    return parse_tiktoken(read_bytes_file(path, what=WHAT, limit=limit, sha256=sha256), name_of(path))


def parse_tiktoken(data: bytes, name: str) -> RankTable:
    """The same of the bytes of a file, which messages call `name`.

    >>> parse_tiktoken(b"YQ== 0\\nYWI= 2\\n", "ab.tiktoken").tokens
    (b'a', b'', b'ab')
    """
    notes: tuple[str, ...] = ()
    if data.startswith(BOM):
        data, notes = data[len(BOM):], ("a byte order mark was removed from the beginning of the file",)
    plain = plain_ranks(data, TOKEN_BYTES_LIMIT)
    if plain and len(plain) <= TOKEN_LIMIT and plain.repeated() is None:
        return RankTable(plain, notes)
    spelt, digits = columns(data, name)
    # All lines at once, also those that are not plain; where one is wrong, once more line by line to find it.
    try:
        tokens = list(map(a2b_base64, spelt))
    except Error:
        raise fault(data, name) from None
    if (not b"".join(digits).isdigit() or max(map(len, digits)) > len(str(TOKEN_LIMIT))
            or [b2a_base64(token, newline=False) for token in tokens] != spelt
            or max(map(len, tokens)) > TOKEN_BYTES_LIMIT):
        raise fault(data, name)
    ranks = list(map(int, digits))
    if max(ranks) >= TOKEN_LIMIT or len(set(ranks)) < len(ranks) or len(set(tokens)) < len(tokens):
        raise fault(data, name)
    if ranks != list(range(len(ranks))):
        by_rank = [b""] * (max(ranks) + 1)
        for token, rank in zip(tokens, ranks, strict=True):
            by_rank[rank] = token
        if len(by_rank) > len(ranks):
            notes = (*notes, f"{len(by_rank) - len(ranks)} ranks have no token")
        tokens = by_rank
    return RankTable(tuple(tokens), notes)


def columns(data: bytes, name: str) -> tuple[list[bytes], list[bytes]]:
    """The first and the second fields of the lines, of which each that is not empty has two."""
    fields = data.split()
    separators = data.replace(b"\r\n", b"\n").rstrip(b"\n").translate(None, NO_SEPARATORS) + b"\n"
    if not fields:
        raise FormatError(f"{name}: holds no token; expected {WHAT}")
    if separators != b" \n" * (len(fields) // 2) and not {0, 2} >= set(map(len, map(bytes.split, data.split(b"\n")))):
        raise fault(data, name)
    return fields[0::2], fields[1::2]


def fault(data: bytes, name: str) -> FormatError:
    """What is wrong with the first wrong line."""
    line_of_token: dict[bytes, int] = {}
    line_of_rank: dict[int, int] = {}
    for line, row in enumerate(map(bytes.split, data.split(b"\n")), 1):
        if not row:
            continue
        place = f"{name}:{line}"
        if len(row) != 2:
            hint = "; a token a line is a vocabulary of WordPiece, for linmaxmatch" if line == len(row) == 1 else ""
            return FormatError(f"{place}: expected a token in base64 and its rank, got {len(row)} "
                               f"field{'s' * (len(row) != 1)} ({shown(b' '.join(row))}){hint}")
        try:
            token = strict_base64(row[0])
        except ValueError as error:
            return FormatError(f"{place}: {error}")
        if len(token) > TOKEN_BYTES_LIMIT:
            return FormatError(f"{place}: a token of {len(token)} bytes, more than the limit of {TOKEN_BYTES_LIMIT}")
        if not row[1].isdigit() or len(row[1]) > len(str(TOKEN_LIMIT)) or int(row[1]) >= TOKEN_LIMIT:
            return FormatError(f"{place}: expected a rank from 0 to {TOKEN_LIMIT - 1}, got {shown(row[1])}")
        rank = int(row[1])
        if line_of_token.setdefault(token, line) != line:
            return FormatError(f"{place}: the token {token!r} is already on line {line_of_token[token]}")
        if line_of_rank.setdefault(rank, line) != line:
            return FormatError(f"{place}: the rank {rank} is already on line {line_of_rank[rank]}")
    raise AssertionError("every line is well-formed")


def strict_base64(spelt: bytes) -> bytes:
    """The bytes that base64 spells, not empty; a ValueError where it is not exactly what encoding them gives.

    >>> strict_base64(b"YWI="), b"YWJ=" == b2a_base64(a2b_base64(b"YWJ="), newline=False)
    (b'ab', False)
    """
    try:
        token = a2b_base64(spelt)
    except Error as error:
        raise ValueError(f"{shown(spelt)} is not base64: {error}") from None
    if not token or b2a_base64(token, newline=False) != spelt:
        raise ValueError(f"{shown(spelt)} is not base64")
    return token


def shown(field: bytes) -> str:
    """A field as messages show it, cut short."""
    text = repr(field.decode("ascii", "backslashreplace"))
    return text if len(text) <= 60 else text[:57] + "..."
