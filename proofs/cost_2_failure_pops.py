"""Cost 2: the failure pops of all nodes together are O(Mm).

Statement
    |F(v)| ≤ |χ_v| for every node, so the F of all nodes hold at most M·m tokens, M the sum and m the largest of the
    lengths of the strings in the trie. The order is met: with V = {a, ##a, aᵐ} they
    are (m − 1)(m − 2)/2 and one for each of the tokens.

Why
    Each pop takes at least one character of χ_v, ♯ not counted. There are at most M nodes besides the roots, one for
    each character of each string, and no |χ_v| exceeds m.
"""
from collections.abc import Callable
from typing import Any

from proofs import check, worlds
from proofs.compiled import FORMS, Compiled, both
from proofs.definitions.wordpiece import Vocabulary


# Predicate
def predicate(V: Vocabulary, form: Any, F: Callable[[Any], list[str]]) -> Any:
    """None if no F(v) has more tokens than v has characters."""
    return next(((*worlds.shown(V), v, F(v)) for v in sorted(form.nodes(V)) if len(F(v)) > form.length(V, v)), None)


def all_together(V: Vocabulary, form: Any, F: Callable[[Any], list[str]]) -> Any:
    """None if all F together have at most M·m tokens (twice that, two roots), else how many and the bound."""
    most = form.length(V, max(form.nodes(V), key=lambda v: form.length(V, v)))
    bound = sum(map(len, [*V.tokens, V.suffix_indicator])) * most * (1 if form is FORMS[1] else 2)
    total = sum(len(F(v)) for v in form.nodes(V))
    return None if total <= bound else (*worlds.shown(V), total, bound)


def holds_compiled(V: Vocabulary) -> Any:
    return next(filter(None, (witness(V, layer.form, layer.table_F) for layer in both(V) for witness in (predicate, all_together))), None)


def total(V: Vocabulary) -> int:
    """The tokens of all F of the compiled tables."""
    layer = Compiled(V, 1)
    return sum(len(layer.tables.F(v)) for v in range(len(layer.T)))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in two of the 9,827 small vocabularies, every node, one root and two."""
    return check.sweep(worlds.small_vocabularies(), holds_compiled, 9_827, 2 * every)


def test_exhaustive() -> None:
    exhaustive()


def test_the_order_is_met() -> None:
    for m in (3, 4, 10, 100):
        V = Vocabulary(frozenset({"a", "##a", "a" * m}), "##", worlds.UNK)
        # F(a), F(##a), F(?) and F(aᵐ) hold one token, F(aᵏ) holds k − 1
        assert total(V) == 4 + (m - 1) * (m - 2) // 2


# Random
@worlds.given(worlds.random_vocabularies())
def test_random(V: Vocabulary) -> None:
    check.hold(holds_compiled(V))


# Control
def test_control_linear_in_m_alone() -> None:
    """All F together are not O(M): with V = {a, ##a, aᵐ} they outgrow M, first at m = 7."""

    def beyond(m: int) -> Any:
        V = Vocabulary(frozenset({"a", "##a", "a" * m}), "##", worlds.UNK)
        return (m, total(V), sum(map(len, V.tokens))) if total(V) > sum(map(len, V.tokens)) else None

    assert check.first(range(2, 20), beyond) == (6, 14, 11)


def test_control_f_kept_with_its_whole_chain() -> None:
    """If F(v) held the pops of all failure links after it twice over, it could outgrow χ_v."""
    one = FORMS[1]

    def chain(V: Vocabulary, v: str | None) -> list[str]:
        return [] if v is None else one.F(V, v) + 2 * chain(V, one.f(V, v))

    found = check.first(worlds.long_chains(), lambda V: predicate(V, one, lambda v: chain(V, v)))
    assert found == (("##a", "##aaa"), "##", "##aa", ["##a", "##a", "##a"])


def test_control_the_longest_list_at_every_node() -> None:
    """As many tokens as m at r too, and at the nodes of ♯."""
    one = FORMS[1]
    found = check.first(worlds.longer_pieces(), lambda V: all_together(
        V, one, lambda v: ["a"] * max(one.length(V, u) for u in one.nodes(V))))
    assert found == ((), "##", 4, 3)


# Limits
#   The bound is on the tokens of all F. The compiled pool may be smaller, since a node that pops what its parent pops
#   shares its place. With two roots a suffix token stands twice, so that the bound is twice M·m.

if __name__ == "__main__":
    check.alone(__file__)
