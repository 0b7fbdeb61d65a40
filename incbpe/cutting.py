"""Cutting a text into pieces by any patterns, one stage after the other, as the tokenizers library's `Split` does.

A stage that is a published pattern is run by our own splitter, a literal string is searched for, and any other regular
expression runs through the `regex` package, the extra `incbpe[regex]`: with what it takes of time, and its classes
(those of its own version of Unicode; `\\w` and `\\b` see no joiner of zero width). What it does not match is kept, as a
piece.

Cost  that of the patterns; a stage of ours and a literal: linear
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module

from incbpe.dialect import translated
from incbpe.model import Split, Unicode
from incbpe.patterns import named
from incbpe.pretokenize import Splitter

__all__ = ["Cutter"]

Span = tuple[int, int]
Stage = Callable[[str], Iterator[Span]]


class Cutter:
    """The pieces of a text: `splits`, each stage on the pieces of the one before.

    >>> Cutter([Split("-", literal=True, behavior="removed")], "tokenizers")("a-bc-")
    [(0, 1), (2, 4)]
    """

    def __init__(self, splits: list[Split], unicode: Unicode) -> None:
        self.stages = [stage_of(split, unicode) for split in splits]

    def __call__(self, text: str) -> list[Span]:
        spans = [(0, len(text))] if text else []
        for stage in self.stages:
            spans = [(begin + a, begin + b) for begin, end in spans for a, b in stage(text[begin:end])]
        return spans


def stage_of(split: Split, unicode: Unicode) -> Stage:
    """One stage: from a text to its pieces."""
    name = None if split.literal else named(split.pattern, unicode)
    if name is not None and is_plain(split):
        splitter = Splitter(name, unicode)
        return lambda text: ours(splitter, text)
    matches = finder(split, unicode)
    return lambda text: behave(list(covered(matches(text), len(text), split.invert)), split.behavior)


def is_plain(split: Split) -> bool:
    """Whether a pattern that matches everything cuts a text into its matches."""
    if split.invert:
        return split.behavior in ("removed", "isolated", "merged_with_previous", "merged_with_next")
    return split.behavior in ("isolated", "merged_with_previous", "merged_with_next")


def ours(splitter: Splitter, text: str) -> Iterator[Span]:
    end = 0
    for piece in splitter.split(text):
        begin, end = end, end + len(piece)
        yield begin, end


def finder(split: Split, unicode: Unicode) -> Stage:
    """The matches of a literal string or a regular expression."""
    if split.literal:
        return lambda text: literals(split.pattern, text)
    try:
        regex = import_module("regex")
    except ImportError:
        raise ImportError(f"the pattern {split.pattern!r} is none of the published ones, and needs the package regex: "
                          "pip install 'linmaxmatch-incbpe[regex]'") from None
    try:
        compiled = regex.compile(translated(split.pattern, unicode))
    except regex.error as error:
        raise ValueError(f"pattern: {error}: {split.pattern!r}") from None
    return lambda text: (match.span() for match in compiled.finditer(text) if match.end() > match.start())


def literals(wanted: str, text: str) -> Iterator[Span]:
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        yield at, at + len(wanted)
        at = text.find(wanted, at + len(wanted))


def covered(matches: Iterator[Span], n: int, invert: bool) -> Iterator[tuple[int, int, bool]]:
    """The matches and what is between them; with `invert`, what is between them are the matches."""
    done = 0
    for begin, end in matches:
        if begin > done:
            yield done, begin, invert
        yield begin, end, not invert
        done = end
    if done < n:
        yield done, n, invert


def behave(parts: list[tuple[int, int, bool]], behavior: str) -> Iterator[Span]:
    """What becomes of the matches."""
    if behavior == "removed":
        return iter([(begin, end) for begin, end, match in parts if not match])
    if behavior == "merged_with_next":
        return iter([(-end, -begin) for begin, end in
                     reversed(list(merged([(-end, -begin, match) for begin, end, match in reversed(parts)])))])
    if behavior == "merged_with_previous":
        return iter(merged(parts))
    spans: list[Span] = []
    before: bool | None = None
    for begin, end, match in parts:
        if behavior == "contiguous" and match == before:
            spans[-1] = spans[-1][0], end
        else:
            spans.append((begin, end))
        before = match
    return iter(spans)


def merged(parts: list[tuple[int, int, bool]]) -> list[Span]:
    """Each match is part of the piece before it, unless that is a match too."""
    spans: list[Span] = []
    before = False
    for begin, end, match in parts:
        if match and not before and spans:
            spans[-1] = spans[-1][0], end
        else:
            spans.append((begin, end))
        before = match
    return spans
