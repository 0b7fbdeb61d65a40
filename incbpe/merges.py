"""Merge rules as files spell them, two names with a space between or an array of two, against the vocabulary.

A string that is not exactly two names with one space between is read as the one pair of names in it that the
vocabulary allows (both, and what they make together); where there is none, or several, it is an error that names the
place. So `a b c` is (`a b`, `c`) exactly where `a`, `b c` are not also tokens, and a space too many is an error.

Cost  linear in the size of the rules; quadratic in one string that holds many spaces.
"""
from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from operator import add

from incbpe.model import Duplicates
from subwordio.errors import FormatError
from subwordio.fields import shown

__all__ = ["HEADER", "Place", "check_merges", "pairs_of_arrays", "pairs_of_strings"]

Pair = tuple[str, str]
Place = Callable[[int], str]    # of the i-th rule of the file: how messages name it

HEADER = "#version"             # what begins so is no rule, in the library, wherever it stands


def pairs_of_strings(rules: Sequence[str], vocab: Collection[str], place: Place) -> list[Pair]:
    """The pairs of names that strings spell.

    >>> pairs_of_strings(["a b", "a b c"], {"a", "b", "c", "a b", "a b c"}, "rule {}".format)
    [('a', 'b'), ('a b', 'c')]
    """
    split = [rule.split(" ") for rule in rules]
    if set(map(len, split)) <= {2} and all(map(all, split)):
        return [(x, y) for x, y in split]
    return [(parts[0], parts[1]) if len(parts) == 2 and all(parts) else only_reading(rule, vocab, place(i))
            for i, (rule, parts) in enumerate(zip(rules, split, strict=True))]


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


def pairs_of_arrays(rules: Sequence[object], place: Place) -> list[Pair]:
    """The pairs of names that arrays of two strings give.

    >>> pairs_of_arrays([["a b", "c"]], "rule {}".format)
    [('a b', 'c')]
    """
    pairs: list[Pair] = []
    for i, rule in enumerate(rules):
        if not isinstance(rule, list) or len(rule) != 2 or type(rule[0]) is not str or type(rule[1]) is not str:
            raise FormatError(f"{place(i)}: expected an array of two strings, as the first rule is, got {shown(rule)}")
        pairs.append((rule[0], rule[1]))
    return pairs


def check_merges(pairs: Sequence[Pair], vocab: Collection[str], place: Place, duplicates: Duplicates,
                 never: Collection[str] = ()) -> None:
    """A `FormatError` that names the first rule with an unknown or empty name, or the second of two that are the same.

    No rule may have a name in `never`: those stand for symbols that are not in the text.
    """
    if not pairs:
        return
    left, right = zip(*pairs, strict=True)
    # All at once; where something is wrong, once more one by one to find it.
    names = {*left, *right}
    if (names.issubset(vocab) and "" not in names and names.isdisjoint(never) and all(map(vocab.__contains__, map(
            add, left, right))) and (duplicates == "last" or len(set(pairs)) == len(pairs))):
        return
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
        if duplicates == "error" and first.setdefault(pair, i) != i:
            raise FormatError(f"{place(i)}: {shown(pair)} is already {place(first[pair])} "
                              '(duplicates="last" lets the last one win)')
    raise AssertionError("every rule is well-formed")
