"""Defaults that are not values: they stand in a signature for what is found elsewhere, and show their name there."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

from subwordio.padding import Truncation

__all__ = ["FILE", "Default", "truncation_of"]


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
