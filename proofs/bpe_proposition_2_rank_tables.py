"""Proposition 2: a rank table is rank BPE on the list of all splits of each of its tokens.

Statement
    A table from tokens to ranks joins the leftmost adjacent two tokens that make the token of lowest rank, again and
    again. That is PQ on the list of all splits (x, y) of each token, by rank, where x and y are tokens of the table or
    single symbols: every symbol is an atom, also if the table lacks it. The order among the splits of one token does
    not matter, and one rule a token is enough: the one that PQ merges last on it, where PQ leaves it whole.

Why
    A join of rank r is the merge by some split of the token of rank r, and all its splits stand together; two of them
    never compete for the same place, since their products have the same length. Whatever is made is, by Lemma 3.1, left
    whole by PQ, and made by the rule that PQ merges last on it.
"""
from typing import Any

import incbpe
from proofs import bpe_algorithms as algorithms
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.definitions import bpe
from proofs.definitions.bpe import PQ, Dictionary, Ranks, Tokenizer

TEXTS = worlds.WORDS + worlds.strings("a", 9, shortest=6) + ["abab", "aabaab", "abababab", "aaaab", "baaaa"]


# Predicate
def predicate(ranks: Ranks, texts: list[str], tokenize: Any) -> Any:
    """None if `tokenize` is what the table does to each text, else the first text and both results."""
    return next(((ranks, s, tokenize(s), bpe.merge_by_rank(ranks, s)) for s in texts
                 if tokenize(s) != bpe.merge_by_rank(ranks, s)), None)


def compiled(ranks: Ranks) -> Any:
    """Rank BPE of the compiled table."""
    D = incbpe.Dictionary.from_ranks({token.encode(): rank for token, rank in ranks.items()})
    return lambda s: [token.decode() for token in incbpe.rank_bpe(D, s.encode())]


def splits_backwards(ranks: Ranks) -> Dictionary:
    """All splits, those of each token in the opposite order."""
    D = bpe.splits(ranks)
    return Dictionary(D.atoms, tuple(sorted(reversed(D.rules), key=lambda rule: ranks["".join(rule)])))


def one_rule_each(ranks: Ranks, tokenize: Tokenizer) -> Dictionary:
    """Of all splits, those that one tokenizer or the other applies last to the tokens that it leaves whole."""
    D = bpe.splits(ranks)
    kept = {i for z in bpe.canonical(D, tokenize) if (i := bpe.prio(D, z, tokenize)) is not None}
    return Dictionary(D.atoms, tuple(D.rules[i] for i in sorted(kept)))


def holds_compiled(ranks: Ranks, texts: list[str]) -> Any:
    forms = [compiled(ranks), lambda s: PQ(splits_backwards(ranks), s), lambda s: PQ(one_rule_each(ranks, PQ), s)]
    return next(filter(None, (predicate(ranks, texts, tokenize) for tokenize in forms)), None)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in four of the 1,100 tables of at most four of seven tokens: most lack an atom or a token's part."""
    return check.sweep(worlds.table_worlds(), lambda ranks: holds_compiled(ranks, TEXTS), worlds.TABLE_WORLDS,
                       4 * every, len(TEXTS))


def test_exhaustive() -> None:
    assert (worlds.TABLE_WORLDS, len(TEXTS)) == (1_100, 71)
    exhaustive()


# Random
@worlds.given(worlds.random_tables().flatmap(lambda ranks: worlds.with_texts(ranks, bpe.splits(ranks))))
def test_random(world: tuple[Ranks, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def test_control_splits_over_the_table_only() -> None:
    """A table without its atoms: {ab} merges a and b all the same."""
    found = check.first(worlds.table_worlds(), lambda ranks: predicate(
        ranks, TEXTS, lambda s: PQ(algorithms.splits(ranks, "over V only"), s)))
    assert found == ({"aa": 0}, "aa", ["a", "a"], ["aa"])


def test_control_the_rules_that_equation_1_would_keep() -> None:
    found = check.first(worlds.table_worlds(), lambda ranks: predicate(
        ranks, TEXTS, lambda s: PQ(one_rule_each(ranks, bpe.T), s)))
    assert found == ({"aaa": 0, "aa": 1}, "aaa", ["aa", "a"], ["aaa"])


# Limits
#   The symbols here are bytes below 128; the compiled table's atoms are all 256. Real tables are compared with tiktoken
#   in tests/.

if __name__ == "__main__":
    check.alone(__file__)
