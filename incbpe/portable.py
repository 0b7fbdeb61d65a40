"""A tokenizer as bytes that are the same on every host and in every run: options as JSON, tokens and rules as arrays.

    8 bytes         the length of the JSON, little-endian, as all numbers are
    JSON            the `Config` without the model's tokens and merges, and without notes: each dataclass an object
                    whose member "" is the class's name; the numbers of tokens and of rules, or null for a rank
                    table; and whether tokens are bytes or UTF-8
    4 bytes each    the tokens' lengths in bytes
    the tokens      end to end
    4 bytes each    by rule the ids of its left parts, then those of its right parts
"""
from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from incbpe import model
from incbpe.model import Config
from subwordio.added import AddedToken
from subwordio.padding import Padding, Truncation
from subwordio.template import Special, Template, Text

__all__ = ["packed", "unpack"]

KINDS: dict[str, Any] = {kind.__name__: kind for kind in (
    model.ByteFallback, model.ByteLevel, model.Config, model.Form, model.Fuse, model.Model, model.Prepend,
    model.Replace, model.Split, model.Strip, model.Trim, AddedToken, Padding, Special, Template, Text, Truncation)}


def packed(config: Config, lengths: Sequence[int], spelt: bytes, binary: bool,
           parts: tuple[Sequence[int], Sequence[int]] | None) -> Iterator[bytes]:
    """A `Config` part by part, to be read by `unpack` end to end. Its model's tokens, their lengths and the tokens end
    to end, and the ids of the rules' parts are given apart."""
    header = [plain(replace(config, notes=())), binary, len(lengths), None if parts is None else len(parts[0])]
    text = json.dumps(header, ensure_ascii=True, separators=(",", ":"), sort_keys=True).encode()
    yield len(text).to_bytes(8, "little")
    yield text
    yield numbers(lengths)
    yield spelt
    for row in parts or ():
        yield numbers(row)


def unpack(source: bytes) -> Config:
    """The `Config` that `packed` was given, whole."""
    at = 8 + int.from_bytes(source[:8], "little")
    options, binary, n, rules = json.loads(source[8:at])
    config = back(options)
    lengths, at = array_of(source, at, n)
    tokens: list[Any] = []
    for length in lengths:
        tokens.append(source[at:at + length])
        at += length
    if not binary:
        tokens = [token.decode("utf-8", "surrogatepass") for token in tokens]
    merges = None
    if rules is not None:
        left, at = array_of(source, at, rules)
        right, at = array_of(source, at, rules)
        merges = tuple([(tokens[x], tokens[y]) for x, y in zip(left, right, strict=True)])
    found: Config = replace(config, model=replace(config.model, tokens=tuple(tokens), merges=merges))
    return found


def numbers(values: Iterable[int]) -> bytes:
    """32 bits each, little-endian whatever the machine."""
    row = array("i", values)
    if sys.byteorder == "big":
        row.byteswap()
    return row.tobytes()


def array_of(source: bytes, at: int, n: int) -> tuple[array[int], int]:
    """n numbers from a place on, and the place behind them."""
    row = array("i", source[at:at + 4 * n])
    if sys.byteorder == "big":
        row.byteswap()
    return row, at + 4 * n


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if is_dataclass(value) and not isinstance(value, type):
        return {"": type(value).__name__} | {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Text | Special):
        return {"": type(value).__name__} | {name: plain(member) for name, member in value._asdict().items()}
    return [plain(member) for member in value] if isinstance(value, tuple) else value


def back(value: Any) -> Any:
    """What `plain` was given."""
    if isinstance(value, dict):
        return KINDS[value[""]](**{name: back(member) for name, member in value.items() if name})
    return tuple(map(back, value)) if isinstance(value, list) else value
