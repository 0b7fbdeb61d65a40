"""Algorithm 1, MatchLoop: what the loop holds, wherever it begins and stops.

Statement
    Started at position i of s␣, MatchLoop reads to the first j where g(s[i:j + 1]) is ∅, or to the ␣. From g(s[i:j]) it
    follows failure links until there is none. It returns j, the last node on that way, and G(s[i:j]) with all pops on
    it, so that the tokens and what the node spells behind ♯ are s[i:j].

Why
    Before each character the loop is at g with G emitted: (r, []) for ε, and Lemma 4 says that failure moves and then
    an edge lead to h and H, which are g and G of one character more (Lemma 3). It can only stop where f is ∅, and then
    h is ∅, and by Lemma 3 g of all longer prefixes.
"""
from collections.abc import Callable
from typing import Any

import linmaxmatch as lmm
from proofs import check, worlds
from proofs.algorithms import SPACE, algorithm_2, match_loop
from proofs.compiled import FORMS, Compiled, word
from proofs.definitions import wordpiece
from proofs.definitions.wordpiece import Vocabulary

STRINGS = worlds.strings("ab", 4)
Loop = Callable[[str, int], tuple[list[str], Any, int]]


# Predicate
def predicate(V: Vocabulary, texts: list[str], loop: Loop, form: Any = wordpiece) -> Any:
    """None if the loop returns what the statement says, from every position of each text, else the first it does not.
    """
    for s in texts:
        for i in range(len(s) + 1):
            expected = by_definition(V, s, i, form)
            if loop(s, i) != expected:
                return *worlds.shown(V), s, i, loop(s, i), expected
    return None


def by_definition(V: Vocabulary, s: str, i: int, form: Any) -> tuple[list[str], Any, int]:
    """The statement's right side."""
    j = next((j for j in range(i, len(s)) if form.g(V, word(form, s[i:j + 1])) is None), len(s))
    at_nodes = [step for step in form.pops(V, word(form, s[i:j])) if step[1] in form.nodes(V)]
    return *at_nodes[-1], j


def compiled(layer: Compiled) -> Loop:
    def loop(s: str, i: int) -> tuple[list[str], Any, int]:
        tokens, u, j = lmm.match_loop(layer.tables, s, i)
        return tokens, layer.name[u], j

    return loop


def holds_compiled(V: Vocabulary, texts: list[str]) -> Any:
    return next(filter(None, (predicate(V, texts, compiled(Compiled(V, roots)), form)
                              for roots, form in FORMS.items())), None)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 16 of the 9,827 small vocabularies, the 31 strings over {a, b} up to length 4 from every position."""
    return check.sweep(worlds.small_vocabularies(), lambda V: holds_compiled(V, STRINGS), 9_827, 16 * every,
                       len(STRINGS))


def test_exhaustive() -> None:
    assert len(STRINGS) == 31
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(words=3))
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    V, words = world
    check.hold(holds_compiled(V, [w[:12] for w in words]))


# Control
def test_control_from_the_beginning_of_the_text() -> None:
    found = check.first(worlds.longer_pieces(), lambda V: predicate(
        V, STRINGS, lambda s, i: match_loop(algorithm_2(V), s + SPACE, 0)))
    assert found == ((), "##", "a", 1, ([], "", 0), ([], "", 1))


def test_control_no_pops_for_the_character_that_stops() -> None:
    """Looked up first whether the character can be read, and stopped without a move if not."""
    def loop(V: Vocabulary, s: str, i: int) -> Any:
        j = by_definition(V, s, i, wordpiece)[2]
        return wordpiece.G(V, s[i:j]), wordpiece.g(V, s[i:j]), j

    found = check.first(worlds.longer_pieces(), lambda V: predicate(V, STRINGS, lambda s, i: loop(V, s, i)))
    assert found == (("a",), "##", "a", 0, ([], "a", 1), (["a"], "##", 1))


def test_control_the_parents_pops_dropped() -> None:
    found = check.first(worlds.long_chains(), lambda V: predicate(
        V, STRINGS, lambda s, i: match_loop(algorithm_2(V, fault="F(u) dropped from F(v)"), s + SPACE, i)))
    assert found == (("##a", "a", "aaaa"), "##", "aa", 0, (["##a"], "##", 2), (["a", "##a"], "##", 2))


# Limits
#   Characters here; the end-to-end loop, which stops at boundaries, is algorithm 3.

if __name__ == "__main__":
    check.alone(__file__)
