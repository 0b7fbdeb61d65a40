"""Lemma 5: f and F of a node from its parent's.

Statement
    Let v = δ(u, c), v ≠ r♯. If χ_v is in V: f(v) = r♯ and F(v) = [χ_v]. Otherwise f(v) = h(f(u), c) and
    F(v) = F(u) + H(f(u), c), where f(u) and that h are not ∅; if one is, f(v) = ∅ and F(v) = [].

Why
    If χ_v is a token it is its own longest-matching prefix, and what is left is ♯. If not, by Lemma 1 χ_v = χ_u c pops
    what χ_u pops: F(u) leads to the string of f(u) and c, and from there it is MinPop of that string, which is h and H.
    Nothing shorter will do, since no rest on the way to f(u) is a node.
"""
from typing import Any

from proofs import check, worlds
from proofs.compiled import Defined, both
from proofs.definitions.wordpiece import Vocabulary


# Predicate
def predicate(V: Vocabulary, layer: Any) -> Any:
    """None if Algorithm 2's tables in the layer satisfy the lemma at every edge, h and H being the definition's."""
    form = layer.form
    r, sharp = form.roots(V)
    for root in (r, sharp):
        if (layer.table_f(root), layer.table_F(root)) != (None, []):
            return *worlds.shown(V), root, (layer.table_f(root), layer.table_F(root)), (None, [])
    for v in sorted(form.nodes(V) - {r, sharp}):
        u, c = parent(v)
        link = layer.table_f(u)
        if form.chi(V, v) in V:
            expected = sharp, [form.chi(V, v)]
        elif link is None or form.h(V, link, c) is None:
            expected = None, []
        else:
            expected = form.h(V, link, c), layer.table_F(u) + form.H(V, link, c)
        if (layer.table_f(v), layer.table_F(v)) != expected:
            return *worlds.shown(V), v, (layer.table_f(v), layer.table_F(v)), expected
    return None


def parent(v: Any) -> tuple[Any, str]:
    """u and c of the edge into v."""
    return (v[:-1], v[-1]) if isinstance(v, str) else (v._replace(text=v.text[:-1]), v.text[-1])


def holds_compiled(V: Vocabulary) -> Any:
    return next(filter(None, (predicate(V, layer) for layer in both(V))), None)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """All 9,827 small vocabularies, every edge."""
    return check.sweep(worlds.small_vocabularies(), holds_compiled, 9_827, every)


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_vocabularies())
def test_random(V: Vocabulary) -> None:
    check.hold(holds_compiled(V))


# Control
def test_control_the_parents_pops_dropped() -> None:
    found = check.first(worlds.longer_pieces(), lambda V: predicate(V, Defined(V, 1, "F(u) dropped from F(v)")))
    assert found == (("##a", "a", "aaa"), "##", "aa", ("##a", []), ("##a", ["a"]))


def test_control_no_case_for_tokens() -> None:
    found = check.first(worlds.longer_pieces(), lambda V: predicate(V, Defined(V, 1, "no case χ_v in V")))
    assert found == ((), "##", "?", (None, []), ("##", ["?"]))


def test_control_only_one_failure_move() -> None:
    found = check.first(worlds.long_chains(), lambda V: predicate(V, Defined(V, 1, "only one failure move in h")))
    assert found == (("##a", "##aaa", "##b", "a", "aaabb"), "##", "aaab", (None, []), ("##b", ["a", "##a", "##a"]))


class RootsLinked(Defined):
    """f(r) is r♯, as if r held a token of no characters."""

    def table_f(self, v: Any) -> Any:
        r, sharp = self.form.roots(self.V)
        return sharp if v == r else super().table_f(v)


def test_control_a_link_from_the_root() -> None:
    found = check.first(worlds.longer_pieces(), lambda V: predicate(V, RootsLinked(V, 1)))
    assert found == ((), "##", "", ("##", []), (None, []))


# Limits
#   This holds the tables against the recursion; algorithm 2 holds them against Definition 1.

if __name__ == "__main__":
    check.alone(__file__)
