"""Proposition 20: long texts by a heap are what the definitions give, with the rules in the order of time.

Statement
    T_D(s), PQ(s), and the rules by which either merged, in their order, are the definitions' also where s is too long
    for all its pairs to be looked at again after each merge, and a heap of pairs is kept instead: the lowest rule first,
    of one rule the leftmost pair. Unknown symbols stand between.

Why
    An entry of the heap is a pair when it is pushed; a pair changes only by a merge of one of its two tokens, after
    which it is pushed anew. So a pair that is there is in the heap, and an entry that is none any more is told by its
    two tokens. For T_D a pair of a rule that is over is not pushed.
"""
import heapq
from itertools import zip_longest
from typing import Any

from incbpe.bpe import trace
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary

SHORT = 64
"""Texts of more symbols go through the heap."""


def grown_text(length: int) -> str:
    """Fibonacci's word, in which nothing comes periodically: a, ab, aba, abaab, …

    >>> grown_text(8)
    'abaababa'
    """
    one, two = "b", "a"
    while len(two) < length:
        one, two = two, two + one
    return two[:length]


ONE_LETTER = ["a" * (SHORT + 1), "a" * (2 * SHORT + 5)]
TWO_LETTERS = [grown_text(SHORT + 1), "ab" * SHORT, grown_text(90) + worlds.UNKNOWN + grown_text(70)[::-1]]


def texts(D: Dictionary) -> list[str]:
    """The long texts of a world of the two families."""
    return ONE_LETTER if len(D.atoms) == 1 else TWO_LETTERS


# Predicate
def predicate(D: Dictionary, texts: list[str], layer: Any) -> Any:
    """None if the tokens and the rules in their order are the definitions', under equation 1 and under rank BPE."""
    for s in texts:
        for semantics, tokens, rules in (("equation", bpe.T, bpe.rules_fired), ("rank", bpe.PQ, bpe.rules_merged)):
            found = layer(s, semantics)
            compared: list[tuple[str, Any, Any]] = [("token", found[0], tokens(D, s)), ("rule", found[1], rules(D, s))]
            for what, one, two in compared:
                for place, (x, y) in enumerate(zip_longest(one, two)):
                    if x != y:
                        return worlds.shown(D), len(s), semantics, what, place, x, y
    return None


def compiled(D: Dictionary) -> Any:
    """The compiled trace, whose tokens are those of T and rank_bpe."""
    made = Compiled(D)

    def layer(s: str, semantics: Any) -> Any:
        tokens, fired = trace(made.dictionary, s, semantics)
        assert tokens == (made.T(s) if semantics == "equation" else made.PQ(s)) and len(tokens) + len(fired) == len(s)
        return tokens, list(dict.fromkeys(fired)) if semantics == "equation" else fired

    return layer


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    return predicate(D, texts, compiled(D))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 20 of the 1,957 lists of splits of a…aaaa, and of the 7,241 lists over {a, b}, on texts of 65 and more."""
    count = check.sweep(worlds.run_worlds(), lambda D: holds_compiled(D, ONE_LETTER), worlds.RUN_WORLDS, 20 * every,
                        len(ONE_LETTER))
    return count + check.sweep(worlds.pair_worlds(), lambda D: holds_compiled(D, TWO_LETTERS), worlds.PAIR_WORLDS,
                               20 * every, len(TWO_LETTERS))


def test_exhaustive() -> None:
    assert min(map(len, ONE_LETTER + TWO_LETTERS)) == SHORT + 1
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(texts=2, unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    D, texts = world
    check.hold(holds_compiled(D, [(s * SHORT)[:SHORT + 1 + 7 * len(s)] for s in texts]))


# Control
def by_heap(D: Dictionary, fault: str) -> Any:
    """A heap of pairs in plain Python, with a fault, for rank BPE; the definitions for equation 1."""
    rule: dict[Any, int] = {pair: i for i, pair in enumerate(D.rules)}

    def layer(s: str, semantics: str) -> Any:
        if semantics == "equation":
            return bpe.T(D, s), bpe.rules_fired(D, s)
        tokens: list[str | None] = list(s)
        heap: list[Any] = []
        fired = []

        def following(k: int, step: int) -> int | None:
            return next((j for j in range(k + step, len(s) if step > 0 else -1, step) if tokens[j] is not None), None)

        def push(k: int | None) -> None:
            right = None if k is None else following(k, 1)
            if k is not None and right is not None and (tokens[k], tokens[right]) in rule:
                i = rule[tokens[k], tokens[right]]
                heapq.heappush(heap, (i, -k if fault == "at a tie the rightmost" else k, k))

        for k in range(len(s)):
            push(k)
        while heap:
            i, _, k = heapq.heappop(heap)
            right = following(k, 1)
            x, y = D.rules[i]
            if right is None or (fault != "entries taken for pairs" and (tokens[k], tokens[right]) != (x, y)):
                continue
            fired.append(i)
            tokens[k], tokens[right] = x + y, None
            push(k)
            push(following(k, -1))
        return [z for z in tokens if z is not None], fired

    return layer


def wrong(fault: str) -> Any:
    return check.first(worlds.every_world(), lambda D: predicate(D, texts(D)[:1], by_heap(D, fault)))


def test_control_entries_taken_for_pairs() -> None:
    assert wrong("entries taken for pairs") == ((("a", "a"),), 65, "rank", "token", 32, "aa", "a")


def test_control_at_a_tie_the_rightmost() -> None:
    assert wrong("at a tie the rightmost") == ((("a", "a"),), 65, "rank", "token", 0, "a", "aa")


# Limits
#   Texts of up to about 400 symbols; longer ones, and what they cost, are in tests/ and benchmarks/.

if __name__ == "__main__":
    check.alone(__file__)
