"""Section 6: what the window releases is safe.

Statement
    Let d be the automaton's depth after s. For every continuation u, T(su) begins with T(s[:b]) for some b in [|s| - d,
    |s|]. So the longest common prefix of these T(s[:b]) is a prefix of every T(su): emitted at once it is never taken
    back, and with the rest at the end of the input it is T(s). Alike for the smaller sets of b of proposition 7, and
    for rank BPE, on any list of rules.

Why
    Take the token of T(su) that begins at or before |s| and ends behind it, or, if there is none, b = |s|. It begins at
    some b, it is canonical, and s[b:] is a prefix of it, so that |s| - b ≤ d. What is before it is T(s[:b]), by Lemma
    3.1.
"""
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import incbpe
from proofs import bpe_algorithms as algorithms
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary, Tokenizer

KEPT = 100_000
T = lru_cache(KEPT)(bpe.T)
PQ = lru_cache(KEPT)(bpe.PQ)
"""The tokenizers, which remember: the same prefixes and continuations come again and again."""

CRITERIA = ("window", "chain", "maximal")


# Predicate
def predicate(D: Dictionary, texts: list[str], released: Callable[[str], list[list[str]]], tokenize: Tokenizer) -> Any:
    """None if what is released after each prefix of a text, one list a symbol and the rest at the end, is never taken
    back, is a prefix of T of the prefix with any continuation, and comes to T in the end; else the first text amiss.
    """
    longest = max(map(len, D.tokens), default=1)
    for s in texts:
        out: list[str] = []
        for x, more in zip(bpe.prefixes(s), released(s), strict=False):
            out = [*out, *more]
            agreed = bpe.agreed(D, x, longest - 1, tokenize)
            if out != agreed[:len(out)]:
                return worlds.shown(D), x, out, agreed
        if [z for more in released(s) for z in more] != tokenize(D, s):
            return worlds.shown(D), s, released(s), tokenize(D, s)
    return None


def begins_in_the_window(D: Dictionary, texts: list[str], tokenize: Tokenizer) -> Any:
    """None if T of each text with any continuation begins with T of the text up to some b of the window."""
    for s in texts:
        begun = [tokenize(D, s[:b]) for b in bpe.window(D, s, tokenize)]
        for u in bpe.continuations(D, max(map(len, D.tokens)) - 1):
            if not any(tokenize(D, s + u)[:len(tokens)] == tokens for tokens in begun):
                return worlds.shown(D), s, u, tokenize(D, s + u), begun
    return None


def compiled(N: Any, criterion: Any) -> Callable[[str], list[list[str]]]:
    """What the compiled form releases, a list a symbol, and the rest at the end."""
    def released(s: str) -> list[list[str]]:
        e: Any = incbpe.EagerOutput(N, criterion)
        return [*(e.feed(c) for c in s), e.finish()]

    return released


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    layer = Compiled(D)
    for N, tokenize in ((layer.N, T), (layer.rank, PQ)):
        witness = begins_in_the_window(D, texts, tokenize) or next(filter(None, (
            predicate(D, texts, compiled(N, criterion), tokenize) for criterion in CRITERIA)), None)
        if witness is not None:
            return witness
    return None


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in ten of the 1,957 lists of splits of a…aaaa, and one in 200 of the 7,241 lists over {a, b}: every text,
    every continuation up to the longest token, three criteria, equation 1 and rank BPE.
    """
    count = check.sweep(worlds.run_worlds(), lambda D: holds_compiled(D, worlds.RUNS), worlds.RUN_WORLDS, 10 * every,
                        len(worlds.RUNS))
    return count + check.sweep(worlds.pair_worlds(), lambda D: holds_compiled(D, worlds.WORDS), worlds.PAIR_WORLDS,
                               200 * every, len(worlds.WORDS))


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(
    texts=1, longest=10, unknown=True,
    which=lambda D: len(D.atoms) ** max(map(len, D.tokens), default=0) <= 64))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def wrong(fault: str) -> Any:
    """The first text on which a wrong criterion releases too much."""
    def released(D: Dictionary, s: str) -> list[list[str]]:
        out: list[list[str]] = []
        for x in bpe.prefixes(s):
            out.append(algorithms.released(D, x, fault)[sum(map(len, out)):])
        return [*out, T(D, s)[sum(map(len, out)):]]

    return check.first(worlds.every_world(), lambda D: predicate(D, worlds.texts(D), lambda s: released(D, s), T))


def whole_or_not(D: Dictionary, s: str) -> list[str]:
    """With the whole-piece shortcut, which no longer text keeps to."""
    return bpe.piece(D.tokens, s, bpe.T(D, s))


def test_control_the_window_one_symbol_short() -> None:
    found = wrong("one symbol short")
    assert found == ((("a", "a"),), "a", ["a"], [])


def test_control_the_window_by_the_longest_token() -> None:
    found = wrong("by the longest token")
    assert found == ((("a", "a"),), "a", ["a"], [])


def test_control_all_but_the_last_token() -> None:
    found = wrong("all but the last token")
    assert found == ((("a", "a"), ("b", "aa")), "ba", ["b"], [])


def test_control_a_tokenizer_without_lemma_3_1() -> None:
    found = check.first(worlds.every_world(), lambda D: begins_in_the_window(D, worlds.texts(D), whole_or_not))
    assert found == ((("a", "a"), ("a", "ab")), "aba", "a", ["a", "b", "aa"], [["ab"], ["a", "b", "a"]])


def test_control_the_rest_kept_at_the_end() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda s: [[] for _ in s], T))
    assert found == ((), "a", [[]], ["a"])


# Limits
#   Continuations up to one symbol less than the longest token: what comes later cannot reach back over s. Further
#   positions that a caller holds, where a piece of text may end, are in tests/.

if __name__ == "__main__":
    check.alone(__file__)
