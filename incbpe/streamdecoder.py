"""From ids that come in parts back to text: whole characters only, and never anything that is taken back.

What is held back: of plain bytes, an incomplete character; in a run of byte tokens (byte fallback), the run, since one
that is not UTF-8 as a whole becomes U+FFFD byte by byte; behind `Fuse`, a beginning of what is replaced, and what may
yet be stripped from the end. A step that this does not know behind `Fuse` has its text when the ids end.

Cost  amortised O(1) a byte of the tokens.
"""
from __future__ import annotations

import codecs
from collections.abc import Iterable
from typing import Any, Protocol

from incbpe.bytemap import byte_name
from incbpe.decoding import BYTE, Decoder, fall_back, run, strip
from incbpe.model import ByteFallback, ByteLevel, DecodeStep, Fuse, Replace, Strip

__all__ = ["StreamDecoder"]


class Part(Protocol):
    """One step of decoding: tokens in, tokens out; behind `Fuse`, strings that are parts of one token."""

    def feed(self, tokens: list[Any]) -> list[Any]: ...
    def finish(self) -> list[Any]: ...


class StreamDecoder:
    """The text of ids that come in parts; made by `BPE.stream_decoder`.

    All that `feed` and `finish` return, joined, is `decode` of all the ids. Not to be shared by threads.

    >>> from incbpe import BPE, Config, Model
    >>> bpe = BPE(Config(Model(tuple(bytes((b,)) for b in range(256)), None, whole_piece=True), "tiktoken", "gpt2"))
    >>> decoder = bpe.stream_decoder()
    >>> decoder.feed([0x61, 0xC3]), decoder.feed([0xA9, 0xC3]), decoder.finish()
    ('a', 'é', '\\ufffd')
    """

    def __init__(self, decoder: Decoder, skip_special_tokens: bool = False) -> None:
        self.decoder, self.skip = decoder, skip_special_tokens
        self.parts = parts_of(decoder.steps)

    def feed(self, ids: Iterable[int]) -> str:
        """The text that is certain now that some ids more have come.

        TokenIdError for an id that names no token; the decoder is then as it was. Otherwise it never raises.
        """
        if self.skip:
            ids = [id for id in ids if id not in self.decoder.special]
        tokens: list[Any]
        if self.decoder.steps == (ByteLevel(),):
            tokens = [self.decoder.tokens.join(ids, self.decoder.spelt)]
        else:
            split = self.decoder.tokens.split(ids, self.decoder.others)
            tokens = list(split) if self.decoder.binary else [self.decoder.piece(token) for token in split]
        for part in self.parts:
            tokens = part.feed(tokens)
        return "".join(tokens)

    def finish(self) -> str:
        """No more ids: the rest of the text. The decoder is then new."""
        tokens: list[Any] = []
        for part in self.parts:
            tokens = part.feed(tokens) + part.finish()
        self.parts = parts_of(self.decoder.steps)
        return "".join(tokens)


def parts_of(steps: tuple[DecodeStep, ...] | None) -> list[Part]:
    """The parts that do the steps of a decoder."""
    if steps is None:
        return [Spaced()]
    parts: list[Part] = []
    fused = False
    for i, step in enumerate(steps):
        if isinstance(step, ByteLevel):
            parts.append(Bytes())
            fused = True
        elif isinstance(step, Fuse):
            fused = True
        elif not fused:
            parts.append(ByteRuns() if isinstance(step, ByteFallback) else Each(step))
        elif isinstance(step, Replace):
            parts.append(Replaced(step))
        elif isinstance(step, Strip):
            parts.append(Stripped(step))
        else:
            parts.append(Whole(steps[i:]))
            break
    return parts


class Spaced:
    """No decoder: the tokens with a space between."""

    def __init__(self) -> None:
        self.lead = ""

    def feed(self, tokens: list[Any]) -> list[Any]:
        found = []
        for token in tokens:
            found.append(self.lead + (token if isinstance(token, str) else byte_name(token)))
            self.lead = " "
        return found

    def finish(self) -> list[Any]:
        return []


class Bytes:
    """Tokens of bytes as the characters of their UTF-8."""

    def __init__(self) -> None:
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def feed(self, tokens: list[Any]) -> list[Any]:
        return [self.decoder.decode(b"".join(token.encode() if isinstance(token, str) else token for token in tokens))]

    def finish(self) -> list[Any]:
        return [self.decoder.decode(b"", True)]


class ByteRuns:
    """Byte fallback: a run of byte tokens is held until it ends."""

    def __init__(self) -> None:
        self.held: list[str] = []

    def feed(self, tokens: list[Any]) -> list[Any]:
        last = len(tokens)
        while last and BYTE.fullmatch(tokens[last - 1]):
            last -= 1
        if not last:
            self.held += tokens
            return []
        found = fall_back(self.held + tokens[:last], "replace")
        self.held = tokens[last:]
        return found

    def finish(self) -> list[Any]:
        return fall_back(self.held, "replace")


class Each:
    """A step on each token by itself."""

    def __init__(self, step: Replace | Strip) -> None:
        self.step = step

    def feed(self, tokens: list[Any]) -> list[Any]:
        if isinstance(self.step, Replace):
            return [token.replace(self.step.old, self.step.new) for token in tokens]
        return [strip(token, self.step) for token in tokens]

    def finish(self) -> list[Any]:
        return []


class Replaced:
    """`Replace` in one token that comes in parts."""

    def __init__(self, step: Replace) -> None:
        self.old, self.new, self.held = step.old, step.new, ""

    def feed(self, tokens: list[Any]) -> list[Any]:
        parts = (self.held + "".join(tokens)).split(self.old)
        last = parts.pop()
        keep = min(len(last), len(self.old) - 1)
        while keep and not self.old.startswith(last[len(last) - keep:]):
            keep -= 1
        self.held = last[len(last) - keep:]
        return [self.new.join([*parts, last[:len(last) - keep]])]

    def finish(self) -> list[Any]:
        return [self.held]


class Stripped:
    """`Strip` in one token that comes in parts: what may be stripped from the end is held."""

    def __init__(self, step: Strip) -> None:
        self.step, self.left, self.held = step, step.start, ""

    def feed(self, tokens: list[Any]) -> list[Any]:
        text = "".join(tokens)
        if self.left and text:
            kept = strip(text, Strip(self.step.content, self.left, 0))
            self.left = 0 if kept else self.left - len(text)
            text = kept
        text = self.held + text
        keep = 0
        while keep < min(self.step.stop, len(text)) and text[len(text) - 1 - keep] == self.step.content:
            keep += 1
        self.held = text[len(text) - keep:]
        return [text[:len(text) - keep]]

    def finish(self) -> list[Any]:
        return []


class Whole:
    """Steps that need the whole of one token."""

    def __init__(self, steps: tuple[DecodeStep, ...]) -> None:
        self.steps = steps
        self.held: list[str] = []

    def feed(self, tokens: list[Any]) -> list[Any]:
        self.held += tokens
        return []

    def finish(self) -> list[Any]:
        return [run(self.steps, ["".join(self.held)], "replace")]
