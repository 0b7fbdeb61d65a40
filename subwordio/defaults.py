"""Defaults that are not values: they stand in a signature for what is found elsewhere, and show their name there."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

from subwordio.padding import Padding, Truncation

__all__ = ["FILE", "Default", "padding_of", "truncation_of"]


class Default:
    """A default that depends on other arguments, shown by its name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


FILE = Default("FILE")          # what the tokenizer's file asks for


def truncation_of(files: Truncation | None, truncation: Any, max_length: Any, stride: Any) -> Truncation | None:
    """The truncation of one call: the file's unless `truncation` is given, with its `max_length` and `stride` if given.

    >>> truncation_of(Truncation(8), FILE, 4, 1)
    Truncation(max_length=4, strategy='longest_first', stride=1, direction='right')
    >>> print(truncation_of(Truncation(8), FILE, None, FILE))
    None
    """
    chosen = files if truncation is FILE else truncation
    if chosen is not None and not isinstance(chosen, Truncation):
        raise TypeError(f"truncation: expected a Truncation or None, got {type(chosen).__name__}")
    if max_length is not FILE:
        if max_length is None:
            chosen = None
        else:
            chosen = Truncation(max_length) if chosen is None else replace(chosen, max_length=max_length)
    if stride is not FILE:
        if chosen is None:
            raise ValueError(f"stride={stride!r}: nothing is cut off without max_length")
        chosen = replace(chosen, stride=stride)
    return chosen


def padding_of(files: Padding | None, padding: Any, pad_id: int | None = None) -> Padding:
    """The padding of one call: the file's unless `padding` is given, with the id of the tokenizer's own pad token where
    neither says one.

    >>> padding_of(Padding(8, pad_id=1), FILE), padding_of(Padding(8), None, 3).pad_id
    (Padding(length=8, direction='right', pad_id=1, pad_type_id=0, multiple_of=None), 3)
    """
    chosen = files if padding is FILE else padding
    if chosen is None:
        chosen = Padding()
    if not isinstance(chosen, Padding):
        raise TypeError(f"padding: expected a Padding or None, got {type(chosen).__name__}")
    return replace(chosen, pad_id=pad_id) if chosen.pad_id is None else chosen
