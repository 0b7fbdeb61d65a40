"""From ids back to text: the decoders of the tokenizers library 0.23.3, and the plain bytes of byte-level models.

Cost  linear in the ids and their spellings.
"""
from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from incbpe.bytemap import byte_name
from incbpe.model import ByteFallback, ByteLevel, Config, DecodeStep, Fuse, Replace, Strip
from incbpe.tokens import TokenTable

__all__ = ["Decoder"]

Token = bytes | str

BYTE = re.compile("<0x[0-9A-Fa-f]{2}>")


class Decoder:
    """From ids to text or bytes.

    tokens   the model's, by id · others   by id, what is not the model's, or spelt otherwise
    A model whose atoms are bytes has tokens of bytes, and others are `str`.
    """

    def __init__(self, tokens: TokenTable, others: Mapping[int, str], config: Config, binary: bool) -> None:
        self.tokens, self.others, self.binary = tokens, others, binary
        self.steps = config.decoder
        self.special = frozenset(token.id for token in config.added_tokens if token.special)
        self.byte_of = {} if config.model.byte_ids is None else {
            id: bytes((b,)) for b, id in enumerate(config.model.byte_ids) if id >= 0}
        self.spelt = {id: other.encode("utf-8", "surrogatepass") for id, other in others.items()}

    def token_bytes(self, id: int) -> bytes:
        """The bytes that one token stands for."""
        if id in self.spelt:
            return self.spelt[id]
        return self.byte_of[id] if id in self.byte_of else self.tokens.bytes(id, self.spelt)

    def bytes(self, ids: Iterable[int]) -> bytes:
        """The bytes of ids."""
        if self.steps == (ByteLevel(),):
            return self.tokens.join(ids, self.spelt)
        return self.text(ids, "surrogateescape", False).encode("utf-8", "surrogateescape")

    def text(self, ids: Iterable[int], errors: str, skip_special: bool) -> str:
        """The text of ids."""
        if skip_special:
            ids = [id for id in ids if id not in self.special]
        if self.steps == (ByteLevel(),):
            return self.tokens.join(ids, self.spelt).decode("utf-8", errors)
        tokens: list[Token] = self.tokens.split(ids, self.others)
        if not self.binary:
            tokens = [self.piece(token) for token in tokens]
        if self.steps is None:
            return " ".join(token if isinstance(token, str) else byte_name(token) for token in tokens)
        return run(self.steps, tokens, errors)

    def piece(self, token: Token) -> str:
        return token if isinstance(token, str) else token.decode("utf-8", "surrogatepass")


def run(steps: Sequence[DecodeStep], tokens: list[Any], errors: str) -> str:
    """The decoders one after the other, each on the tokens that the one before it leaves."""
    for step in steps:
        if isinstance(step, ByteLevel):
            tokens = [b"".join(t.encode() if isinstance(t, str) else t for t in tokens).decode("utf-8", errors)]
        elif isinstance(step, Replace):
            tokens = [token.replace(step.old, step.new) for token in tokens]
        elif isinstance(step, ByteFallback):
            tokens = fall_back(tokens, errors)
        elif isinstance(step, Fuse):
            tokens = ["".join(tokens)]
        elif isinstance(step, Strip):
            tokens = [strip(token, step) for token in tokens]
    return "".join(tokens)


def fall_back(tokens: list[str], errors: str) -> list[str]:
    """Each run of tokens <0x..> as the text of its bytes; where that is none, U+FFFD for each byte ("replace").

    >>> fall_back(["a", "<0xC3>", "<0xA9>", "<0xC3>", "b"], "replace")
    ['a', '\\ufffd', '\\ufffd', '\\ufffd', 'b']
    """
    result: list[str] = []
    run: list[int] = []
    for token in [*tokens, ""]:
        if BYTE.fullmatch(token):
            run.append(int(token[3:5], 16))
            continue
        if run:
            try:
                result.append(bytes(run).decode())
            except UnicodeDecodeError:
                result += ["\ufffd"] * len(run) if errors == "replace" else [bytes(run).decode("utf-8", errors)]
            run = []
        result.append(token)
    return result[:-1]


def strip(token: str, step: Strip) -> str:
    """Up to so many of one character from both ends."""
    begin, end = 0, len(token)
    while begin < min(step.start, end) and token[begin] == step.content:
        begin += 1
    while end > begin and len(token) - end < step.stop and token[end - 1] == step.content:
        end -= 1
    return token[begin:end]
