"""Definition 1: failure links f(v) and failure pops F(v).

Statement
    For a node v, F(v) is the shortest non-empty list of longest-matching prefixes which, popped from χ_v one after the
    other, leave a node; f(v) is that node. If no list does, f(v) = ∅ and F(v) = [].

Why
    Popping is forced: what is popped from a string is its longest-matching prefix, and what is left is that prefix
    replaced by ♯. So the lists to try are the beginnings of one sequence, and "shortest" is "the first that works".
    It must be non-empty, or every node would be its own failure link and reading would never move on.
"""
from collections.abc import Callable
from typing import Any

from proofs import check, worlds
from proofs.compiled import FORMS, both
from proofs.definitions.wordpiece import Vocabulary


# Predicate
def predicate(V: Vocabulary, form: Any, f: Callable[[Any], Any], F: Callable[[Any], list[str]]) -> Any:
    """None if f and F are those of the definition at every node, else the first node where they are not."""
    for v in sorted(form.nodes(V)):
        expected = form.f(V, v), form.F(V, v)
        if (f(v), F(v)) != expected:
            return *worlds.shown(V), v, (f(v), F(v)), expected
    return None


def compiled_agrees(V: Vocabulary) -> Any:
    """The compiled f(T, v) and F(T, v), with one root and with two."""
    return next(filter(None, (predicate(V, layer.form, layer.f, layer.F) for layer in both(V))), None)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """All 9,827 small vocabularies, every node."""
    return check.sweep(worlds.small_vocabularies(), compiled_agrees, 9_827, every)


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_vocabularies())
def test_random(V: Vocabulary) -> None:
    check.hold(compiled_agrees(V))


# Control
def test_control_the_list_may_be_empty() -> None:
    one = FORMS[1]
    assert check.first(worlds.small_vocabularies(), lambda V: predicate(
        V, one, lambda v: one.g(V, v), lambda v: one.G(V, v))) == ((), "", "", ("", []), (None, []))


def test_control_the_longest_list() -> None:
    one = FORMS[1]

    def longest(V: Vocabulary, v: str) -> tuple[list[str], str | None]:
        steps: list[tuple[list[str], str | None]] = [([], None), *one.pops(V, v)]
        return [step for step in steps if step[1] is None or (step[0] and step[1] in one.nodes(V))][-1]

    found = check.first(worlds.longer_pieces(), lambda V: predicate(
        V, one, lambda v: longest(V, v)[1], lambda v: longest(V, v)[0]))
    assert found == (("##a", "a", "aaa"), "##", "aa", ("##", ["a", "##a"]), ("##a", ["a"]))


# Limits
#   Vocabularies beyond the sizes named are sampled only. That the lists tried are all there are rests on the argument
#   above, not on a search over all lists.

if __name__ == "__main__":
    check.alone(__file__)
