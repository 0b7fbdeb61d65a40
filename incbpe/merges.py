"""Merge rules as files spell them, two names with a space between or an array of two, against the vocabulary.

A string that is not exactly two names with one space between is read as the one pair of names in it that the
vocabulary allows (both, and what they make together); where there is none, or several, it is an error that names the
place. So `a b c` is (`a b`, `c`) exactly where `a`, `b c` are not also tokens, and a space too many is an error.

Cost  linear in the size of the rules; quadratic in one string that holds many spaces.
"""
from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from incbpe.model import Duplicates
from incbpe.spelling import HEADER, plain_pairs
from subwordio.errors import FormatError
from subwordio.fields import shown

__all__ = ["Place", "Rules", "pairs_of_arrays", "pairs_of_strings", "read_rules"]

Pair = tuple[str, str]
Place = Callable[[int], str]    # of the i-th rule of the file: how messages name it


class Rules(NamedTuple):
    """The rules as pairs of tokens, and what was left out, to be noted."""

    pairs: tuple[tuple[Any, Any], ...]
    notes: tuple[str, ...]


def read_rules(rules: list[Any], tokens: Mapping[str, bytes | str | None], place: Place,
               duplicates: Duplicates, never: Collection[str] = (), headers_from: int = 0) -> Rules:
    """The rules of a file. `tokens` gives for each name its token; None: it is in no text, nor is what it makes.

    No rule may have a name in `never`: those stand for symbols that are not in the text. A header is noted where it is
    not before the rule `headers_from`.
    """
    parts = {name: token for name, token in tokens.items() if name not in never} if never else dict(tokens)
    plain = plain_pairs(rules, parts)
    if plain is not None:
        return Rules(tuple(plain), ())
    notes: tuple[str, ...] = ()
    # Where something is not plain, one by one.
    where: Sequence[int] = range(len(rules))
    if rules and isinstance(rules[0], str):
        strings = [(i, rule) for i, rule in enumerate(rules) if not (isinstance(rule, str) and rule.startswith(HEADER))]
        headers = sorted(set(where).difference(i for i, _ in strings))
        if headers and headers[-1] >= headers_from:
            first = next(i for i in headers if i >= headers_from)
            notes = (f"{place(first)}: what begins with {HEADER!r} is no rule, as in the tokenizers library",)
        where = [i for i, _ in strings]
        pairs = pairs_of_strings([rule for _, rule in strings], tokens, lambda i: place(where[i]))
    else:
        pairs = pairs_of_arrays(rules, place)
    check_pairs(pairs, tokens, lambda i: place(where[i]), duplicates, never)
    live = tuple((tokens[x], tokens[y]) for x, y in pairs if tokens[x] and tokens[y])
    if len(live) < len(pairs):
        notes = (*notes, f"{len(pairs) - len(live)} rules are left out: no text has what they merge")
    return Rules(live, notes)


def pairs_of_strings(rules: Sequence[Any], vocab: Collection[str], place: Place) -> list[Pair]:
    """The pairs of names that strings spell.

    >>> pairs_of_strings(["a b", "a b c"], {"a", "b", "c", "a b", "a bc"}, "rule {}".format)
    [('a', 'b'), ('a b', 'c')]
    """
    pairs: list[Pair] = []
    for i, rule in enumerate(rules):
        if not isinstance(rule, str):
            raise FormatError(f"{place(i)}: expected a string, as the first rule is, got {shown(rule)}")
        parts = rule.split(" ")
        pairs.append((parts[0], parts[1]) if len(parts) == 2 and all(parts) else only_reading(rule, vocab, place(i)))
    return pairs


def only_reading(rule: str, vocab: Collection[str], place: str) -> Pair:
    """The one way to read a string with several spaces, or with one at its end."""
    spaces = [i for i, c in enumerate(rule) if c == " "]
    found = [(x, y) for x, y in ((rule[:i], rule[i + 1:]) for i in spaces)
             if x and y and x in vocab and y in vocab and x + y in vocab]
    if len(found) == 1:
        return found[0]
    why = "no pair of tokens with a space between" if not found else (
        f"{len(found)} pairs of tokens, among them {shown(found[0])} and {shown(found[1])}")
    raise FormatError(f"{place}: {shown(rule)} is {why}; expected two tokens with one space between")


def pairs_of_arrays(rules: Sequence[Any], place: Place) -> list[Pair]:
    """The pairs of names that arrays of two strings give.

    >>> pairs_of_arrays([["a b", "c"]], "rule {}".format)
    [('a b', 'c')]
    """
    pairs: list[Pair] = []
    for i, rule in enumerate(rules):
        if not isinstance(rule, list) or len(rule) != 2 or type(rule[0]) is not str or type(rule[1]) is not str:
            raise FormatError(f"{place(i)}: expected an array of two strings, got {shown(rule)}")
        pairs.append((rule[0], rule[1]))
    return pairs


def check_pairs(pairs: Sequence[Pair], vocab: Collection[str], place: Place, duplicates: Duplicates,
                never: Collection[str]) -> None:
    """A `FormatError` that names the first rule with an unknown or empty name, or the second of two that are the same.
    """
    first: dict[Pair, int] = {}
    for i, pair in enumerate(pairs):
        for name in pair:
            if not name:
                raise FormatError(f"{place(i)}: a part of {shown(pair)} is empty")
            if name not in vocab:
                raise FormatError(f"{place(i)}: {shown(name)} is not in the vocabulary")
            if name in never:
                raise FormatError(f"{place(i)}: a rule with {shown(name)}, which stands for symbols that are no "
                                  "tokens, is not supported")
        if "".join(pair) not in vocab:
            raise FormatError(f"{place(i)}: {shown(''.join(pair))}, which {shown(pair)} makes, is not in the "
                              "vocabulary")
        if first.setdefault(pair, i) != i and duplicates == "error":
            raise FormatError(f"{place(i)}: {shown(pair)} is already at {place(first[pair])} "
                              '(duplicates="last" lets the last one win)')
