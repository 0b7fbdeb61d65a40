"""Which hard kinds of worlds the random checks build, and how often: a kind that is never built shows.

Each world that a random check draws is sorted into the kinds below, and counted in the ledger under its statement's
file. `python -m proofs` says after its table how many of each there were, and a test asserts that a sample has them all.
"""
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from proofs import algorithms
from proofs.check import LEDGER
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary
from proofs.definitions.wordpiece import Vocabulary

KIND = "kind: "
"""How the kinds are marked in the ledger, beside the worlds and the strings."""

OF_VOCABULARIES = (
    "♯ empty", "♯ a token", "a part of ♯ a token", "♯ within a token", "♯ of letters", "tokens nest", "tokens overlap",
    "a letter repeated", "a letter missing", "no suffix tokens", "<unk> of letters", "F of several tokens",
    "f = ∅ at a node", "marks within tokens")
OF_WORDS = ("a word starts with ♯", "a word is ♯", "an unknown character", "an empty text", "a text with a space")
OF_DICTIONARIES = (
    "no rules", "improper", "a token not canonical", "a part that is not made", "several rules for a token",
    "a letter repeated", "tokens overlap themselves", "forest three deep", "four tokens end alike", "not in the order made")
OF_TEXTS = ("an unknown symbol", "longer than every token", "a run of one symbol")
OF_TABLES = ("an atom missing", "a token that is not made")


def of_vocabulary(V: Vocabulary) -> Iterator[str]:
    """The kinds of one vocabulary."""
    sharp, tokens = V.suffix_indicator, sorted(V.tokens - {V.unk_token})
    bodies = sorted({t.removeprefix(sharp) if t != sharp else t for t in tokens})
    letters = {c for b in bodies for c in b}
    tables = algorithms.algorithm_2(V)
    yield from (kind for kind, holds in {
        "♯ empty": sharp == "",
        "♯ a token": sharp != "" and sharp in tokens,
        "a part of ♯ a token": any(sharp.startswith(t) and t != sharp for t in tokens),
        "♯ within a token": sharp != "" and any(sharp in t[1:] for t in tokens),
        "♯ of letters": sharp != "" and set(sharp) <= letters,
        "tokens nest": any(x in y and x != y for x in bodies for y in bodies if x),
        "tokens overlap": any(x[-k:] == y[:k] for x in bodies for y in bodies for k in range(1, min(len(x), len(y)))),
        "a letter repeated": any(x == y for b in bodies for x, y in pairwise(b)),
        "a letter missing": not letters <= set(tokens),
        "no suffix tokens": not any(t.startswith(sharp) and t != sharp for t in tokens),
        "<unk> of letters": set(V.unk_token) <= letters,
        "F of several tokens": any(len(F) > 1 for F in tables.F.values()),
        "f = ∅ at a node": any(f is None and v not in ("", sharp) for v, f in tables.f.items()),
        "marks within tokens": any(len(b) > 1 and set(b) & set("#.-") for b in bodies)}.items() if holds)


def of_words(V: Vocabulary, words: list[str]) -> Iterator[str]:
    """The kinds of words and texts tried on a vocabulary."""
    sharp, letters = V.suffix_indicator, {c for t in V.tokens for c in t}
    yield from (kind for kind, holds in {
        "a word starts with ♯": any(sharp and w.startswith(sharp) and w != sharp for w in words),
        "a word is ♯": sharp != "" and sharp in words,
        "an unknown character": any(set(w) - letters for w in words),
        "an empty text": "" in words,
        "a text with a space": any(" " in w.strip() for w in words)}.items() if holds)


def of_dictionary(D: Dictionary) -> Iterator[str]:
    """The kinds of one list of rules."""
    made = [x + y for x, y in D.rules]
    canonical = bpe.canonical(D)
    yield from (kind for kind, holds in {
        "no rules": not made,
        "improper": not bpe.proper(D),
        "a token not canonical": len(canonical) < len(D.tokens),
        "a part that is not made": not D.tokens <= D.atoms | set(made),
        "several rules for a token": len(set(made)) < len(made),
        "a letter repeated": any(x == y for z in made for x, y in pairwise(z)),
        "tokens overlap themselves": any(z[:k] == z[-k:] for z in made for k in range(1, len(z))),
        "forest three deep": any(len(bpe.root_path(D, z)) > 2 for z in canonical),
        "four tokens end alike": any(len(bpe.chain(D, z)) > 3 for z in canonical),
        "not in the order made": any(part in made[i:] for i, rule in enumerate(D.rules) for part in rule),
    }.items() if holds)


def of_texts(D: Dictionary, texts: list[str]) -> Iterator[str]:
    """The kinds of texts tried on a list of rules."""
    longest = max(map(len, D.tokens), default=0)
    yield from (kind for kind, holds in {
        "an unknown symbol": any(set(s) - D.atoms for s in texts),
        "longer than every token": any(len(s) > longest for s in texts),
        "a run of one symbol": any(len(s) > 3 and len(set(s)) == 1 for s in texts)}.items() if holds)


def of_table(ranks: dict[str, int]) -> Iterator[str]:
    """The kinds of one rank table."""
    D = bpe.splits(ranks)
    yield from (kind for kind, holds in {
        "an atom missing": not D.atoms <= set(ranks),
        "a token that is not made": any(bpe.merge_by_rank(ranks, t) != [t] for t in ranks)}.items() if holds)


def of(world: Any) -> Iterator[str]:
    """The kinds of whatever a strategy drew: a vocabulary, a list of rules, a table, with texts or without."""
    world, texts = world if isinstance(world, tuple) and len(world) == 2 else (world, None)
    if isinstance(world, Vocabulary):
        yield from of_vocabulary(world)
        yield from of_words(world, texts or [])
    elif isinstance(world, Dictionary):
        yield from of_dictionary(world)
        yield from of_texts(world, texts or [])
    elif isinstance(world, dict):
        yield from of_table(world)


def note(statement: str, drawn: tuple[Any, ...]) -> None:
    """Count the kinds of what one random check was given."""
    for world in drawn:
        for kind in of(world):
            LEDGER[statement, KIND + kind] += 1


def lines(counts: dict[str, int]) -> list[str]:
    """How many random worlds of each kind there were, the kinds of a family in a paragraph; a kind of none says so."""
    families = (("vocabularies", OF_VOCABULARIES), ("words and texts", OF_WORDS), ("lists of rules", OF_DICTIONARIES),
                ("their texts", OF_TEXTS), ("rank tables", OF_TABLES))
    return [f"{name}: " + ", ".join(f"{kind} {counts.get(KIND + kind, 0):,}" for kind in kinds)
            for name, kinds in families]
