"""A tokenizer as bytes that are the same on every host and in every run: its tokens and options as JSON."""
from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from subwordio.added import AddedToken
from subwordio.padding import Padding, Truncation
from subwordio.template import Piece, Special, Template, Text


def pack(tokens: Sequence[str], options: Mapping[str, Any]) -> bytes:
    """Tokens and options, to be read by `unpack`."""
    return dump([tokens, plain_of(options)])


def unpack(packed: bytes) -> tuple[list[str], dict[str, Any]]:
    """What `pack` was given."""
    tokens, plain = json.loads(packed)
    return tokens, options_of(plain)


def dump(value: object) -> bytes:
    """A plain value as JSON of one form."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def plain_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options as JSON has them."""
    plain = dict(options)
    plain["added_tokens"] = [asdict(token) for token in options["added_tokens"]]
    for name in ("truncation", "padding"):
        plain[name] = None if options[name] is None else asdict(options[name])
    if options["template"] is not None:
        plain["template"] = {name: [piece_to(piece) for piece in getattr(options["template"], name)]
                             for name in ("single", "pair")}
    return plain


def options_of(plain: Mapping[str, Any]) -> dict[str, Any]:
    """What `plain_of` was given."""
    options = dict(plain)
    options["added_tokens"] = tuple(AddedToken(**token) for token in options["added_tokens"])
    for name, kind in (("truncation", Truncation), ("padding", Padding)):
        options[name] = None if options[name] is None else kind(**options[name])
    if options["template"] is not None:
        single, pair = (tuple(map(piece_from, options["template"][name])) for name in ("single", "pair"))
        options["template"] = Template(single, pair)
    return options


def piece_to(piece: Piece) -> list[Any]:
    return [list(piece.ids) if isinstance(piece, Special) else piece.sequence, piece.type_id]


def piece_from(plain: list[Any]) -> Piece:
    what, type_id = plain
    return Special(tuple(what), type_id) if isinstance(what, list) else Text(what, type_id)
