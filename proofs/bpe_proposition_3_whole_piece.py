"""Proposition 3: a piece that is a token is looked up before, and apart from, merging.

Statement
    Rank tables are run with a shortcut, and some lists of rules are (`ignore_merges`): a piece that is a token of V is
    that token, whatever merging would make of it. The two differ exactly on the tokens that are not canonical, and only
    where such a token is the whole piece. So the look-up is exact in front of any form of BPE, and no part of it.

Why
    On a canonical token PQ gives that token, and on a text that is no token the shortcut says nothing. With it infixes
    are no longer tokenized as inside (Lemma 3.1), so that no incremental form can have it built in.
"""
from collections.abc import Callable
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.definitions import bpe
from proofs.definitions.bpe import PQ, Ranks, T, Tokenizer

TEXTS = [*worlds.WORDS[:30], *worlds.RUNS[4:], "aab", "abab", "aabab", "ababab", "aaaaab"]
Encode = Callable[[str], list[str]]


# Predicate
def predicate(ranks: Ranks, texts: list[str], encode: Encode) -> Any:
    """None if `encode` gives each text that is a token as that token, and merges all others; else the first not."""
    for s in texts:
        merged = bpe.merge_by_rank(ranks, s)
        expected = bpe.piece(frozenset(ranks), s, merged)
        if encode(s) != expected:
            return ranks, s, encode(s), expected
    return None


def differs(ranks: Ranks, texts: list[str], tokenize: Tokenizer = PQ) -> Any:
    """None if merging gives another result just for the tokens that are not canonical, else the first text amiss."""
    canonical = bpe.canonical(bpe.splits(ranks), tokenize)
    for s in texts:
        merged = bpe.merge_by_rank(ranks, s)
        if (bpe.piece(frozenset(ranks), s, merged) != merged) != (s in ranks and s not in canonical):
            return ranks, s, merged, s in canonical
    return None


def with_atoms(ranks: Ranks) -> Ranks:
    """The table with the atoms a and b behind its tokens, where it lacks them: the tokenizer needs ids for them."""
    missing = sorted({"a", "b", *(c for t in ranks for c in t)} - set(ranks))
    return ranks | {c: len(ranks) + k for k, c in enumerate(missing)}


def compiled(ranks: Ranks) -> Encode:
    """The compiled tokenizer of the table, with texts that are not split."""
    tokens = tuple(token.encode() for token in sorted(ranks, key=lambda token: ranks[token]))
    tokenizer = incbpe.BPE(incbpe.Config(incbpe.Model(tokens, None, whole_piece=True), "tiktoken", "none"))
    return lambda s: [tokens[i].decode() for i in tokenizer.encode(s)]


def holds_compiled(ranks: Ranks, texts: list[str]) -> Any:
    ranks = with_atoms(ranks)
    texts = [s for s in texts if s]
    return predicate(ranks, texts, compiled(ranks)) or differs(ranks, texts)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in four of the 1,100 tables of at most four of seven tokens, with their atoms."""
    return check.sweep(worlds.table_worlds(), lambda ranks: holds_compiled(ranks, TEXTS), worlds.TABLE_WORLDS,
                       4 * every, len(TEXTS))


def test_exhaustive() -> None:
    assert len(TEXTS) == 40
    exhaustive()


# Random
@worlds.given(worlds.random_tables().flatmap(lambda ranks: worlds.with_texts(ranks, bpe.splits(ranks))))
def test_random(world: tuple[Ranks, list[str]]) -> None:
    ranks, texts = world
    check.hold(holds_compiled(ranks, [*texts, *ranks]))


# Control
def test_control_skipped() -> None:
    found = check.first(worlds.table_worlds(), lambda ranks: predicate(
        with_atoms(ranks), TEXTS, lambda s: bpe.merge_by_rank(with_atoms(ranks), s)))
    assert found == ({"aaa": 0, "a": 1, "b": 2}, "aaa", ["a", "a", "a"], ["aaa"])


def test_control_inside_a_piece_too() -> None:
    """The longest token that a rest begins with, again and again: also where it is not the whole piece."""
    def greedy(tokens: Ranks, s: str) -> list[str]:
        first = max((x for x in bpe.prefixes(s) if x in tokens), key=len, default="")
        return [first, *greedy(tokens, s[len(first):])] if s else []

    found = check.first(worlds.table_worlds(), lambda ranks: predicate(
        with_atoms(ranks), TEXTS, lambda s: greedy(with_atoms(ranks), s)))
    assert found == ({"aaa": 0, "a": 1, "b": 2}, "aaaa", ["aaa", "a"], ["a", "a", "a", "a"])


def test_control_the_canonical_tokens_of_equation_1() -> None:
    found = check.first(worlds.table_worlds(), lambda ranks: differs(with_atoms(ranks), TEXTS, T))
    assert found == ({"aaa": 0, "aa": 1, "a": 2, "b": 3}, "aaa", ["aaa"], False)


# Limits
#   One piece here: what a text's pieces are is the pattern's business. A list of rules with `ignore_merges` is in
#   tests/.

if __name__ == "__main__":
    check.alone(__file__)
