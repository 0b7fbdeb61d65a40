"""The small worlds of the second paper: everything up to a size, and random dictionaries beyond it.

A world is a dictionary and the strings to try on it. Repeated letters are essential: only where a token may overlap
itself do left and right, earlier and later matter. Enumerations are ordered by size: by the total length of the rules'
products, then by the number of rules, then alphabetically; strings by length, then alphabetically. So the first
counterexample that a sweep meets is a smallest one, and always the same one.
"""
import os
from collections.abc import Callable, Iterator
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import incbpe
from incbpe.default import default_tokenizer_path
from proofs.definitions.bpe import PQ, Dictionary, Ranks, Rule, canonical, proper, splits
from proofs.worlds import given, st, strings

__all__ = ["given", "st", "strings"]  # the statements take them from here

UNKNOWN = "?"
"""A symbol that is no atom of any world."""


def dictionary(*rules: Rule, atoms: str = "") -> Dictionary:
    """D with these rules; its atoms are all their symbols.

    >>> sorted(dictionary(("a", "b"), atoms="c").tokens)
    ['a', 'ab', 'b', 'c']
    """
    return Dictionary(frozenset("".join(x + y for x, y in rules) + atoms), rules)


def splits_of(text: str) -> list[Rule]:
    """All rules that make a text.

    >>> splits_of("aab")
    [('a', 'ab'), ('aa', 'b')]
    """
    return [(text[:k], text[k:]) for k in range(1, len(text))]


def size(rules: tuple[Rule, ...]) -> tuple[Any, ...]:
    """What the enumerations are ordered by."""
    return sum(len(x + y) for x, y in rules), len(rules), rules


@cache
def ordered_lists(candidates: tuple[Rule, ...], most: int, atoms: str) -> list[Dictionary]:
    """A dictionary from each ordered list of at most `most` of the candidates, smallest first."""
    lists = [rules for length in range(most + 1) for rules in permutations(candidates, length)]
    return [dictionary(*rules, atoms=atoms) for rules in sorted(lists, key=size)]


# --------------------------------------------------------------------------------- the two exhaustive families

RUN_RULES = tuple(rule for length in (2, 3, 4) for rule in splits_of("a" * length))
RUN_WORLDS = 1_957
RUNS = strings("a", 9, shortest=1)
"""a, aa, …, aaaaaaaaa."""


def run_worlds() -> list[Dictionary]:
    """All ordered sublists of the six splits of aa, aaa and aaaa."""
    return ordered_lists(RUN_RULES, len(RUN_RULES), "a")


PAIR_RULES = tuple(rule for text in strings("ab", 3, shortest=2) for rule in splits_of(text))
PAIR_WORLDS = 7_241
WORDS = strings("ab", 5, shortest=1)
"""All words over {a, b} up to length 5, ε left out."""


def pair_worlds() -> list[Dictionary]:
    """All ordered lists of at most three of the 20 rules over {a, b} that make a token of length 2 or 3."""
    return ordered_lists(PAIR_RULES, 3, "ab")


WORLDS = RUN_WORLDS + PAIR_WORLDS
"""Both families: 9,198 dictionaries, of which 1,694 are improper."""


LARGER_WORLDS = 20 * 19 * 18 * 17
"""116,280, which only the deep form takes whole."""


def larger_worlds() -> Iterator[Dictionary]:
    """All ordered lists of exactly four of the 20 rules over {a, b}."""
    return (dictionary(*rules, atoms="ab") for rules in permutations(PAIR_RULES, 4))


def texts(D: Dictionary) -> list[str]:
    """The strings to try on a world of the two families."""
    return RUNS if len(D.atoms) == 1 else WORDS


@cache
def every_world() -> list[Dictionary]:
    """Both families, smallest first."""
    return sorted([*run_worlds(), *pair_worlds()], key=lambda D: size(D.rules))


@cache
def by_properness() -> dict[bool, list[Dictionary]]:
    """The worlds of both families, the proper ones and the improper ones apart."""
    return {wanted: [D for D in every_world() if proper(D) is wanted] for wanted in (True, False)}


# ------------------------------------------------------------------------------------------ longer tokens, grown

GROWN_WORLDS = 1 + 4 + 4 * 8 + 4 * 8 * 14
LONGER_WORDS = strings("ab", 7, shortest=1)
"""All words over {a, b} up to length 7, ε left out."""


@cache
def grown_worlds() -> list[Dictionary]:
    """All lists of at most three rules over {a, b} whose parts are atoms or products of earlier rules."""
    lists: list[tuple[Rule, ...]] = [()]
    for rules in lists:
        if len(rules) < 3:
            tokens = sorted(dictionary(*rules, atoms="ab").tokens)
            lists += [(*rules, (x, y)) for x in tokens for y in tokens if (x, y) not in rules]
    return [dictionary(*rules, atoms="ab") for rules in sorted(lists, key=size)]


# ------------------------------------------------------------------------------------- rules twice, rules with spaces

REPEATED_WORLDS = 20 + 20 * 19 * 3 + 6 + 6 * 5 * 3


@cache
def repeated_worlds() -> list[Dictionary]:
    """All lists of one rule twice, alone or with one other rule anywhere, of the rules of each of the two families."""
    lists = [(rules, atoms) for candidates, atoms in ((RUN_RULES, "a"), (PAIR_RULES, "ab")) for once in candidates
             for rules in [(once, once), *((other, once, once) for other in candidates if other != once),
                           *((once, other, once) for other in candidates if other != once),
                           *((once, once, other) for other in candidates if other != once)]]
    return [dictionary(*rules, atoms=atoms) for rules, atoms in sorted(lists, key=lambda world: size(world[0]))]


SPACED_RULES = ((" ", "a"), (" ", " "), ("a", "a"), ("'", "a"), ("a", "'"), (" ", "'"), (" ", " a"), ("  ", "a"),
                ("\n", "\n"), ("\n", " "))
"""Rules that a pre-tokenizer keeps from firing here and there."""


# --------------------------------------------------------------------------------------- rank tables (P2 and P3)

TABLE_WORLDS = 7 * 6 * 5 * 4 + 7 * 6 * 5 + 7 * 6 + 7 + 1
TABLE_TOKENS = ("a", "aa", "aaa", "aaaa", "ab", "aab", "abab")


@cache
def table_worlds() -> list[Ranks]:
    """All rank tables of at most four of seven tokens, in every order: most of them lack the atom b, or a."""
    tables = [order for length in range(5) for order in permutations(TABLE_TOKENS, length)]
    ordered = sorted(tables, key=lambda order: (len("".join(order)), len(order), order))
    return [{token: rank for rank, token in enumerate(order)} for order in ordered]


# --------------------------------------------------------------------------------------------------- random worlds

OWN: dict[str, Any] = {}
"""Strategies that stand in for the random ones below while a vocabulary of one's own is checked."""

ALPHABETS = ("a", "ab", "ab", "abc", "abcd")


@st.composite
def grown_rules(draw: st.DrawFn, alphabet: str, most: int = 9, longest: int = 12) -> list[Rule]:
    """Distinct rules whose parts are atoms or products of rules drawn before."""
    tokens, rules = list(alphabet), []
    for _ in range(draw(st.integers(0, most))):
        rule = draw(st.sampled_from(tokens)), draw(st.sampled_from(tokens))
        if rule not in rules and len("".join(rule)) <= longest:
            rules.append(rule)
            tokens.append("".join(rule))
    return rules


@st.composite
def random_tables(draw: st.DrawFn) -> Ranks:
    """Rank tables of nested tokens in any order, with or without their atoms."""
    if OWN:
        return draw(OWN["tables"])
    alphabet = draw(st.sampled_from(ALPHABETS))
    made = [x + y for x, y in draw(grown_rules(alphabet))]
    stray = draw(st.lists(st.text(st.sampled_from(alphabet), min_size=1, max_size=5), max_size=3))
    atoms = list(alphabet) if draw(st.booleans()) else []
    order = draw(st.permutations(list(dict.fromkeys([*atoms, *made, *stray]))))
    return {token: rank for rank, token in enumerate(order)}


@st.composite
def random_dictionaries(draw: st.DrawFn) -> Dictionary:
    """Dictionaries grown in order, the same shuffled, with unmakeable parts, or all splits of a rank table."""
    if OWN:
        return draw(OWN["dictionaries"])  # type: ignore[no-any-return]
    kind = draw(st.sampled_from(["grown", "shuffled", "unmakeable", "splits"]))
    if kind == "splits":
        return splits(draw(random_tables().filter(bool)))
    alphabet = draw(st.sampled_from(ALPHABETS))
    rules = draw(grown_rules(alphabet))
    if kind == "unmakeable":
        text = st.text(st.sampled_from(alphabet), min_size=2, max_size=5)
        at = [(x, draw(st.integers(1, len(x) - 1))) for x in draw(st.lists(text, max_size=4))]
        rules = list(dict.fromkeys([*rules, *((x[:k], x[k:]) for x, k in at)]))
    if kind != "grown":
        rules = draw(st.permutations(rules))
    return dictionary(*rules, atoms=alphabet)


@st.composite
def random_texts(draw: st.DrawFn, D: Dictionary, longest: int = 24, unknown: bool = False) -> str:
    """Texts of D's tokens, of parts of them and of single symbols: much merges, and much nearly does."""
    tokens = sorted(D.tokens) + ([UNKNOWN] if unknown else [])
    part = st.one_of(st.sampled_from(tokens), st.sampled_from(sorted(D.atoms)))
    text = "".join(draw(st.lists(part, min_size=1, max_size=10)))
    return text[draw(st.integers(0, min(3, len(text) - 1))):][:longest]


@st.composite
def random_worlds(draw: st.DrawFn, texts: int = 3, longest: int = 24, unknown: bool = False,
                  which: Callable[[Dictionary], bool] | None = None) -> tuple[Dictionary, list[str]]:
    """A random dictionary and random texts for it."""
    D = draw(random_dictionaries() if which is None else random_dictionaries().filter(which))
    return D, draw(st.lists(random_texts(D, longest, unknown), min_size=1, max_size=texts))


@cache
def real_ranks() -> dict[str, int]:
    """GPT-2's rank table where it is at hand, else the tokens of the tokenizer that comes with the package by their
    ids; bytes as the characters of the same numbers.
    """
    file = Path(os.environ.get("TOKENIZER_DATA", ""), "vocabs", "gpt2.tiktoken")
    tokenizer = (incbpe.BPE.from_file(file, pattern="gpt2") if file.exists()
                 else incbpe.BPE.from_file(default_tokenizer_path()))
    return {tokenizer.token_bytes(i).decode("latin-1"): i for i in range(tokenizer.vocab_size)}


@st.composite
def real_worlds(draw: st.DrawFn, texts: int = 3) -> tuple[Dictionary, list[str]]:
    """All splits of the real tokens that are parts of one or two of them, by rank, a few left out; texts of them."""
    if OWN:
        return draw(random_worlds(texts))
    ranks = real_ranks()
    names = sorted(z for z in ranks if 2 < len(z) < 6)
    whole = "".join(draw(st.lists(st.sampled_from(names), min_size=1, max_size=2)))
    parts = {whole[i:j] for i in range(len(whole)) for j in range(i + 1, len(whole) + 1)}
    kept = {z: ranks[z] for z in sorted(parts & set(ranks)) if len(z) == 1 or draw(st.integers(0, 9))}
    D = splits(kept)
    return D, [whole, *draw(st.lists(random_texts(D), min_size=1, max_size=texts))]


@st.composite
def with_texts(draw: st.DrawFn, ranks: Ranks, D: Dictionary, texts: int = 4) -> tuple[Ranks, list[str]]:
    """A rank table and random texts of its tokens."""
    return ranks, draw(st.lists(random_texts(D), min_size=1, max_size=texts)) if D.atoms else []


# ---------------------------------------------------------------------------------------------- how worlds are shown

Shown = tuple[Rule, ...]


def shown(D: Dictionary) -> Shown:
    """A dictionary as a witness shows it: its rules in order."""
    return D.rules


def rank_canonical(D: Dictionary) -> frozenset[str]:
    """The canonical tokens of rank BPE."""
    return canonical(D, PQ)


def worlds_and_texts(worlds: list[Dictionary]) -> Iterator[tuple[Dictionary, str]]:
    """Every world with every one of its strings, one at a time."""
    return ((D, s) for D in worlds for s in texts(D))
