"""Lemma 3.1: every infix of T(s) is T of its own text.

Statement
    Let [z_1, …, z_n] be T_D(s) for any dictionary D, proper or not. Then T_D(z_i … z_j) = [z_i, …, z_j] for all i ≤ j;
    so every token is canonical, and every prefix and suffix of T(s) is a tokenization. The same is true of rank BPE.

Why
    No merge crosses a boundary that is left in the end, so what happens between two such boundaries depends on nothing
    beyond them: the pass of each rule starts anew behind a boundary, since a merge that ends later than the boundary
    would have crossed it. So each rule does to the infix alone what it did to it inside s.
"""
from collections.abc import Callable
from functools import cache
from typing import Any

from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_algorithms import tokenize
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary

Function = Callable[[str], list[str]]


# Predicate
def predicate(D: Dictionary, texts: list[str], whole: Function, again: Function) -> Any:
    """None if `again` gives each infix of what `whole` makes of each text, else the first infix that it does not."""
    for s in texts:
        tokens = whole(s)
        for i in range(len(tokens)):
            for j in range(i + 1, len(tokens) + 1):
                if again("".join(tokens[i:j])) != tokens[i:j]:
                    return worlds.shown(D), s, tokens, tokens[i:j], again("".join(tokens[i:j]))
    return None


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    layer = Compiled(D)
    tokenize, rank = cache(layer.T), cache(layer.PQ)
    return predicate(D, texts, tokenize, tokenize) or predicate(D, texts, rank, rank)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """All 1,957 lists of splits of a…aaaa on a…aaaaaaaaa, and one in five of the 7,241 lists over {a, b}."""
    count = check.sweep(worlds.run_worlds(), lambda D: holds_compiled(D, worlds.RUNS), worlds.RUN_WORLDS, every,
                        len(worlds.RUNS))
    return count + check.sweep(worlds.pair_worlds(), lambda D: holds_compiled(D, worlds.WORDS), worlds.PAIR_WORLDS,
                               5 * every, len(worlds.WORDS))


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def test_control_right_to_left() -> None:
    """Either direction has infixes that agree with itself; they do not agree with the other's."""
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda s: tokenize(D, s, "right to left"), lambda s: bpe.T(D, s)))
    assert found == ((("a", "a"),), "aaa", ["a", "aa"], ["a", "aa"], ["aa", "a"])


def test_control_the_whole_piece_shortcut() -> None:
    """A text that is a token taken for that token, though T would not make it: no infix of anything longer."""
    def shortcut(D: Dictionary, s: str) -> list[str]:
        return bpe.piece(D.tokens, s, bpe.T(D, s))

    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda s: bpe.T(D, s), lambda s: shortcut(D, s)))
    assert found == ((("a", "aa"),), "aa", ["a", "a"], ["a", "a"], ["aa"])


def test_control_rank_order_of_an_equation_1_result() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda s: bpe.T(D, s), lambda s: bpe.PQ(D, s)))
    assert found == ((("a", "ab"), ("a", "b")), "aab", ["a", "ab"], ["a", "ab"], ["aab"])


# Limits
#   Distinct rules only, as in equation 1. Texts longer than nine symbols are sampled only.

if __name__ == "__main__":
    check.alone(__file__)
