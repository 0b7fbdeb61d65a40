"""From ids back to text: the WordPiece decoder of the tokenizers library 0.23.3.

Cost  linear in the ids and their spellings.
"""
from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol

from subwordio.errors import no_token

__all__ = ["clean_up", "decode", "join_tokens", "tokens_of"]

# In this order, each over the whole of a token with the space before it.
CLOSED_UP = ((" .", "."), (" ?", "?"), (" !", "!"), (" ,", ","), (" ' ", "'"), (" n't", "n't"), (" 'm", "'m"),
             (" do not", " don't"), (" 's", "'s"), (" 've", "'ve"), (" 're", "'re"))


class Decodable(Protocol):
    """What `decode` reads of a tokenizer."""

    @property
    def tokens(self) -> Sequence[str]: ...

    @property
    def options(self) -> Mapping[str, Any]: ...


def decode(tokenizer: Decodable, ids: Iterable[int], *, skip_special_tokens: bool = False,
           cleanup: bool = False) -> str:
    """The text of `ids`, as `join_tokens` makes it; with `skip_special_tokens` without the special added tokens."""
    special = [t.content for t in tokenizer.options["added_tokens"] if t.special] if skip_special_tokens else ()
    return join_tokens(tokens_of(tokenizer.tokens, ids, special), tokenizer.options["decoder_prefix"], cleanup)


def tokens_of(tokens: Sequence[str], ids: Iterable[int], skip: Collection[str] = ()) -> list[str]:
    """The tokens of ids, without those in `skip`. An id that names no token, or an empty one, is a `TokenIdError`.

    >>> tokens_of(["a", "##b"], [1, 0])
    ['##b', 'a']
    """
    if isinstance(ids, (str, bytes)) or not isinstance(ids, Iterable):
        raise TypeError(f"expected an iterable of ints, got {type(ids).__name__}")
    skipped = frozenset(skip)
    found = []
    for position, i in enumerate(ids):
        try:
            index = i.__index__()
        except AttributeError:
            raise TypeError(f"ids[{position}]: expected int, got {type(i).__name__}") from None
        if not 0 <= index < len(tokens) or not tokens[index]:
            raise no_token(f"ids[{position}]: ", index, len(tokens))
        if tokens[index] not in skipped:
            found.append(tokens[index])
    return found


def join_tokens(tokens: Sequence[str], prefix: str | None = "##", cleanup: bool = False) -> str:
    """One text: a space before each token but the first; where one begins with `prefix`, neither prefix nor space.

    Without a prefix (None) tokens are joined by spaces as they are.

    Added tokens are tokens like all others: their characters are not changed.

    >>> join_tokens(["##en", "tok", "##en", "."]), join_tokens(["i", "do", "not", "."], cleanup=True)
    ('##en token .', 'i do not.')
    """
    if prefix is None:
        return " ".join(tokens)
    parts = []
    for i, token in enumerate(tokens):
        part = token
        if i:
            part = token[len(prefix):] if token.startswith(prefix) else f" {token}"
        parts.append(clean_up(part) if cleanup else part)
    return "".join(parts)


def clean_up(part: str) -> str:
    """Close up English punctuation within one token and the space before it, as the library's decoder does."""
    for spaced, closed in CLOSED_UP:
        if spaced in part:
            part = part.replace(spaced, closed)
    return part
