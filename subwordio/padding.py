"""Truncation, overflow and padding: from lists of ids to the arrays that an encoder is fed.

A text longer than its room is cut into windows of that room, each beginning `stride` ids before the end of the one
before it; the first window is the text's row, the others are its overflow. The rows are then filled up to one width.
The rules are those of the tokenizers library 0.23.3; where it would panic, wrap around or give rows of unequal width,
there is a `ValueError`.

Cost  linear in the size of the result.
"""
from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from subwordio.matrix import Matrix
from subwordio.rows import Plan, gather
from subwordio.template import PLAIN, Template

__all__ = ["Padded", "Padding", "Truncation", "pad_and_truncate"]

Direction = Literal["left", "right"]
Strategy = Literal["longest_first", "only_first", "only_second"]
Ids = Iterable[int]

STRATEGIES = ("longest_first", "only_first", "only_second")
DIRECTIONS = ("left", "right")
LENGTH_LIMIT = 2**31 - 1    # ids in a row
ID_LIMIT = 2**32 - 1


@dataclass(frozen=True)
class Truncation:
    """How a row is kept to `max_length` ids, its special tokens included.

    `strategy` says which of two texts gives way; `direction` which end is cut off; `stride` how many ids an overflowing
    window repeats of the one before it.
    """

    max_length: int
    strategy: Strategy = "longest_first"
    stride: int = 0
    direction: Direction = "right"

    def __post_init__(self) -> None:
        check_integer("max_length", self.max_length)
        check_integer("stride", self.stride)
        check_choice("strategy", self.strategy, STRATEGIES)
        check_choice("direction", self.direction, DIRECTIONS)


@dataclass(frozen=True)
class Padding:
    """How rows are filled up: to `length` (None: the longest row), and from there to a multiple of `multiple_of`.

    `pad_id` is what with (None: the tokenizer's pad token, and where it has none, a row to fill up is an error).
    """

    length: int | None = None
    direction: Direction = "right"
    pad_id: int | None = None
    pad_type_id: int = 0
    multiple_of: int | None = None

    def __post_init__(self) -> None:
        if self.length is not None:
            check_integer("length", self.length)
        if self.multiple_of is not None:
            check_integer("multiple_of", self.multiple_of)
        if self.pad_id is not None:
            check_integer("pad_id", self.pad_id, ID_LIMIT)
        check_integer("pad_type_id", self.pad_type_id, ID_LIMIT)
        check_choice("direction", self.direction, DIRECTIONS)


class Padded(NamedTuple):
    """Three matrices of one shape, and for each row the index of the text (or pair) it came from."""

    ids: Matrix
    attention_mask: Matrix
    type_ids: Matrix
    samples: array[int]


def check_integer(name: str, value: object, highest: int = LENGTH_LIMIT) -> None:
    if type(value) is not int:
        raise TypeError(f"{name}: expected an int, got {type(value).__name__}")
    if not 0 <= value <= highest:
        raise ValueError(f"{name}={value}: expected 0 to {highest}")


def check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name}={value!r}: expected {', '.join(choices)}")


def pad_and_truncate(first: Iterable[Ids], second: Iterable[Ids] | None = None, *, template: Template = PLAIN,
                     special_tokens: bool = True, truncation: Truncation | None = None, padding: Padding | None = None,
                     return_overflow: bool = False, dtype: Literal["int64", "int32"] = "int64") -> Padded:
    """The rows of `first` (and `second`, of as many) as matrices of ids, attention mask and type ids.

    With `return_overflow` every window of a text is a row; of a pair, every window of either text with every window of
    the other, so many rows as the library gives. Without `padding` rows are filled up to the longest, with 0.

    >>> rows = pad_and_truncate([[7, 8, 9], [5]], template=Template.bert(1, 2), truncation=Truncation(4),
    ...                         return_overflow=True)
    >>> rows.ids.tolist()
    [[1, 7, 8, 2], [1, 9, 2, 0], [1, 5, 2, 0]]
    >>> rows.samples.tolist()
    [0, 0, 1]
    """
    for name, given, kind in (("truncation", truncation, Truncation), ("padding", padding, Padding)):
        if given is not None and not isinstance(given, kind):
            raise TypeError(f"{name}: expected a {kind.__name__} or None, got {type(given).__name__}")
    padding = Padding(pad_id=0) if padding is None else padding
    texts, lengths = gather(first, "texts")
    pair_texts, pair_lengths = (None, None) if second is None else gather(second, "pairs")
    pair = pair_lengths is not None
    if pair_lengths is not None and len(pair_lengths) != len(lengths):
        raise ValueError(f"pairs: {len(pair_lengths) - 1} for {len(lengths) - 1} texts")
    added = template.num_added(pair) if special_tokens else 0
    room = None
    if truncation is not None:
        room = truncation.max_length - added
        if room < 0:
            raise ValueError(f"max_length={truncation.max_length}: too short for the {added} special tokens of a row")
        if room == 0 and return_overflow:
            raise ValueError(f"max_length={truncation.max_length}: no room for text beside the {added} special tokens, "
                             "so overflow would not end")
        if truncation.stride >= max(room, 1):
            raise ValueError(f"stride={truncation.stride}: must be less than {room}, which is "
                             f"max_length={truncation.max_length} without {added} special tokens")
    plan = Plan(texts, lengths, pair_texts, pair_lengths, template.pieces(pair, special_tokens), added, room,
                truncation, return_overflow)
    width = plan.longest if padding.length is None else padding.length
    if padding.multiple_of:
        width += -width % padding.multiple_of
    if plan.longest > width:
        raise ValueError(f"texts[{plan.longest_sample}]: a row of {plan.longest} ids, more than the {width} that rows "
                         "are padded to; truncate to at most that")
    if padding.pad_id is None:
        if plan.rows > 0 and plan.shortest < width:
            raise ValueError(f"texts[{plan.shortest_sample}]: a row of {plan.shortest} ids is to be filled up to "
                             f"{width}, and no pad token is known: give padding=subwordio.Padding(pad_id=...)")
        padding = replace(padding, pad_id=0)        # which nothing is filled with
    ids, mask, types = (Matrix(plan.rows, width, dtype) for _ in range(3))
    plan.fill(ids, mask, types, padding)
    return Padded(ids, mask, types, plan.samples)
