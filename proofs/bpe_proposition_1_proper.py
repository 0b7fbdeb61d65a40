"""Proposition 1: D is proper iff rank BPE and equation 1 agree on its own tokens, and then they agree everywhere.

Statement
    Call D proper if PQ(z) = T_D(z) for every token z. Then PQ(s) = T_D(s) for every string s. So an improper D, on
    which the two differ somewhere, differs on one of its own tokens.

Why
    While the ranks by which PQ merges do not decrease, it does what T_D does. Take the first merge of a rule i after
    one of a rule j > i. It was not possible before, so j made one of its parts x, y. What happened inside xy is what PQ
    does on xy alone (Lemma 3.1), by ranks that do not decrease; so T_D on xy has come to [x, y] after rule j, and rule
    i is past. Hence PQ(xy) = [xy], T_D(xy) = [x, y], and D is improper. Without such a merge the two are the same.
"""
from collections.abc import Callable
from typing import Any

from proofs import bpe_algorithms as algorithms
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary


# Predicate
def predicate(D: Dictionary, texts: list[str], layer: Any, verdict: Callable[[Dictionary], bool]) -> Any:
    """None if the verdict is whether the layer's PQ and T agree on all texts and all tokens, else where they differ."""
    differ = next((s for s in [*texts, *sorted(D.tokens)] if layer.PQ(s) != layer.T(s)), None)
    return None if verdict(D) == (differ is None) else (worlds.shown(D), verdict(D), differ)


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    layer = Compiled(D)
    return predicate(D, texts, layer, lambda D: layer.rank.proper)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """All 1,957 lists of splits of a…aaaa on a…aaaaaaaaa, one in three of the 7,241 lists over {a, b}, and one in
    500 of the 116,280 of four rules.
    """
    more = check.sweep(worlds.larger_worlds(), lambda D: holds_compiled(D, worlds.WORDS), worlds.LARGER_WORLDS,
                       500 * every, len(worlds.WORDS))
    count = check.sweep(worlds.run_worlds(), lambda D: holds_compiled(D, worlds.RUNS), worlds.RUN_WORLDS, every,
                        len(worlds.RUNS))
    return more + count + check.sweep(worlds.pair_worlds(), lambda D: holds_compiled(D, worlds.WORDS), worlds.PAIR_WORLDS,
                               3 * every, len(worlds.WORDS))


def test_exhaustive() -> None:
    assert {verdict: len(these) for verdict, these in worlds.by_properness().items()} == {True: 7_504, False: 1_694}
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def test_control_tokens_with_one_rule_untested() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), Compiled(D), lambda D: algorithms.proper(D, "tokens with one rule untested")))
    assert found == ((("a", "ab"), ("a", "b")), True, "aab")


def test_control_canonical_tokens_only() -> None:
    """Tokens that equation 1 does not make left out: there the two may differ most."""
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), Compiled(D), lambda D: all(bpe.PQ(D, z) == [z] for z in bpe.canonical(D))))
    assert found == ((("a", "ab"), ("a", "b")), True, "aab")


# Limits
#   Agreement on every string is checked on strings up to a length, and on random ones made of tokens.

if __name__ == "__main__":
    check.alone(__file__)
