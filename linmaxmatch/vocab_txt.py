"""`vocab.txt`: the vocabulary of a WordPiece model, one token a line.

Cost  linear in the size of the file.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from linmaxmatch.vocabulary import VocabularyError
from subwordio.errors import FormatError
from subwordio.files import StrPath, name_of, read_utf8_file
from subwordio.strings import Strings

__all__ = ["VocabFile", "check_lengths", "load_vocab_txt"]

TOKEN_LIMIT = 2**22             # tokens in a vocabulary
TOKEN_BYTES_LIMIT = 2**16       # bytes of UTF-8 in a token
VOCAB_TXT_LIMIT = 2**28         # bytes of a vocab.txt


class VocabFile(NamedTuple):
    """The tokens of a vocab.txt by id, and what was changed on the way."""

    tokens: tuple[str, ...]
    notes: tuple[str, ...]


def load_vocab_txt(path: StrPath, *, duplicates: Literal["error", "last"] = "error", sha256: str | None = None,
                   unk_token: str | None = None, limit: int = VOCAB_TXT_LIMIT) -> VocabFile:
    """The tokens of a vocabulary file of one token a line; the line number, from 0, is the id.

    Lines end at "\\n" and nowhere else; white space at the end of a line, "\\r" too, is trimmed. A line left empty
    keeps its id and names no token. A token given twice is a `VocabularyError` that names both lines, or with
    duplicates="last" stays, and its last line is its id. With `unk_token` its absence is a `VocabularyError`.

    Limits: `limit` bytes, 2²² lines, 65,536 bytes a token.
    """
    if duplicates not in ("error", "last"):
        raise ValueError(f"duplicates={duplicates!r}: expected 'error' or 'last'")
    strings, notes = read_vocab_txt(path, sha256=sha256, limit=limit)
    file = VocabFile(tuple(strings), notes)
    check_tokens(file.tokens, name_of(path), duplicates, unk_token)
    return file


def read_vocab_txt(path: StrPath, *, sha256: str | None = None, limit: int = VOCAB_TXT_LIMIT
                   ) -> tuple[Strings, tuple[str, ...]]:
    """The same, whatever the tokens are: for a caller who finds that out anyway, and then asks `check_tokens`."""
    name = name_of(path)
    data, start, notes = read_utf8_file(path, what="a vocabulary of one token a line", limit=limit, sha256=sha256)
    tokens = Strings.of_lines(data, start)
    if len(tokens) > TOKEN_LIMIT:
        raise FormatError(f"{name}: {len(tokens)} lines, more than the limit of {TOKEN_LIMIT} tokens")
    if tokens.longest > TOKEN_BYTES_LIMIT:
        check_lengths(tuple(tokens), lambda i: f"{name}:{i + 1}")
    return tokens, notes


def check_tokens(tokens: Sequence[str], name: str, duplicates: str, unk_token: str | None) -> None:
    """A VocabularyError that names the file, and both lines of a token given twice."""
    if duplicates == "error" and len(set(tokens)) < len(tokens):
        first: dict[str, int] = {}
        for i, token in enumerate(tokens):
            if token and first.setdefault(token, i) != i:
                raise VocabularyError(f"{name}:{i + 1}: {token!r} is already on line {first[token] + 1} "
                                      '(duplicates="last" lets the last one win)')
    if unk_token is not None and unk_token not in tokens:
        raise VocabularyError(f"{name}: the unknown token {unk_token!r} is not among the {len(tokens)} tokens")


def check_lengths(tokens: Sequence[str], place: Callable[[int], str]) -> None:
    """Refuse a token of more bytes than the limit."""
    longest = max(map(len, tokens), default=0)
    if longest * 4 <= TOKEN_BYTES_LIMIT:
        return
    for i, token in enumerate(tokens):
        if len(token.encode()) > TOKEN_BYTES_LIMIT:
            raise FormatError(f"{place(i)}: a token of {len(token.encode())} bytes, more than the limit of "
                              f"{TOKEN_BYTES_LIMIT}")
