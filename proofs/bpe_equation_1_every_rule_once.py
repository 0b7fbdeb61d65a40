"""Equation 1: T_D applies every rule once, in order; rank BPE merges again and again.

Statement
    T_D(s) = (T_{r_k} ∘ … ∘ T_{r_1})(φ₀): each rule, earliest first, makes one pass from left to right over the symbols
    of s. A rule whose parts are made later never sees them. PQ(s) merges the leftmost pair of lowest rank until none is
    left. The compiled T_r, T and rank_bpe are these, for any list of rules and with symbols that are no atoms.

Why
    This is a definition; what is checked is that the compiled forms, which look only at pairs that can merge, give the
    same. A pair that arises after its rule's pass must not merge in T_D, and must merge in PQ.
"""
from typing import Any

from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_algorithms import apply_rule, tokenize
from proofs.bpe_compiled import Compiled, Defined
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary


# Predicate
def predicate(D: Dictionary, texts: list[str], layer: Any) -> Any:
    """None if T_r after T_r on each text is as defined, and T and PQ too; else the first text and both results."""
    for s in texts:
        tokens = list(s)
        for i, rule in enumerate(D.rules):
            if layer.apply_rule(i, tokens) != bpe.apply_rule(rule, tokens):
                return worlds.shown(D), tokens, layer.apply_rule(i, tokens), bpe.apply_rule(rule, tokens)
            tokens = bpe.apply_rule(rule, tokens)
        for found, expected in ((layer.T(s), tokens), (layer.PQ(s), bpe.PQ(D, s))):
            if found != expected:
                return worlds.shown(D), s, found, expected
    return None


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """All 1,957 lists of splits of a…aaaa on a…aaaaaaaaa, and one in five of the 7,241 lists over {a, b}."""
    count = check.sweep(worlds.run_worlds(), lambda D: predicate(D, worlds.RUNS, Compiled(D)),
                        worlds.RUN_WORLDS, every, len(worlds.RUNS))
    return count + check.sweep(worlds.pair_worlds(), lambda D: predicate(D, worlds.WORDS, Compiled(D)),
                               worlds.PAIR_WORLDS, 5 * every, len(worlds.WORDS))


def test_exhaustive() -> None:
    assert (len(worlds.RUNS), len(worlds.WORDS), worlds.WORLDS) == (9, 62, 9_198)
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    D, texts = world
    check.hold(predicate(D, texts, Compiled(D)))


# Control
class RightToLeft(Defined):
    """Each pass goes from right to left."""

    def apply_rule(self, i: int, tokens: list[str]) -> list[str]:
        return apply_rule(self.D.rules[i], tokens, "right to left")


def test_control_right_to_left() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(D, worlds.texts(D), RightToLeft(D)))
    assert found == ((("a", "a"),), ["a", "a", "a"], ["a", "aa"], ["aa", "a"])


class Again(Defined):
    """The rules are gone through again until nothing changes, so that early rules see what later ones make."""

    def T(self, s: str) -> list[str]:
        return tokenize(self.D, s, "again until nothing changes")


def test_control_the_rules_gone_through_again() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(D, worlds.texts(D), Again(D)))
    assert found == ((("a", "ab"), ("a", "b")), "aab", ["aab"], ["a", "ab"])


class Once(Defined):
    """Rank BPE taken for equation 1."""

    def PQ(self, s: str) -> list[str]:
        return bpe.T(self.D, s)


def test_control_rank_order_taken_for_equation_1() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(D, worlds.texts(D), Once(D)))
    assert found == ((("a", "ab"), ("a", "b")), "aab", ["a", "ab"], ["aab"])


# Limits
#   Distinct rules only: a pair that stands twice in D fires at both places, which tests/ checks by the `duplicates`
#   policies. Longer texts and larger alphabets are sampled only.

if __name__ == "__main__":
    check.alone(__file__)
