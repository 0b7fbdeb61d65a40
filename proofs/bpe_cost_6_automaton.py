"""Cost 6: the automaton's states, and its failure moves.

Statement
    The automaton over the canonical tokens has a state for each distinct prefix of them, ε included: at most one more
    than the tokens have symbols. Reading n symbols by failure links takes at most n of these moves in all. Both bounds
    are met: by tokens that share no prefix, and by texts such as aⁿb.

Why
    Each symbol makes the state's depth at most one larger, and each failure move makes it smaller by one at least.
"""
from typing import Any

from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_algorithms import Automaton, Normal
from proofs.bpe_compiled import Compiled
from proofs.bpe_cost_1_centroid_visits import runs
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary


# Predicate
def predicate(D: Dictionary, texts: list[str], states: int, moves: Any) -> Any:
    """None if there are so many states as distinct prefixes, and each text takes no more moves than symbols."""
    expected = len({"", *(x for z in bpe.canonical(D) for x in bpe.prefixes(z))})
    if states > (most := 1 + sum(map(len, bpe.canonical(D)))):
        return worlds.shown(D), "at most", states, most
    if states != expected:
        return worlds.shown(D), "states", states, expected
    return next(((worlds.shown(D), s, moves(s)) for s in texts if moves(s) > len(s)), None)


def compiled(D: Dictionary) -> tuple[int, Any]:
    """The compiled automaton's states, and the failure moves by its links between the states that it steps through."""
    A = Compiled(D).automaton

    def moves(s: str) -> int:
        count, v = 0, 0
        for c in s:
            after = A.step_by(v, c)
            while v and A.symbols(after) != A.symbols(v) + 1:       # c was not read at v
                v, count = A.failure_link(v), count + 1
            v = after
        return count

    return A.states, moves


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    return predicate(D, texts, *compiled(D))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in five of the 9,198 lists, and all their texts."""
    return check.sweep(worlds.every_world(), lambda D: holds_compiled(D, worlds.texts(D)), worlds.WORLDS, 5 * every,
                       len(worlds.WORDS))


def test_exhaustive() -> None:
    exhaustive()


def test_the_bounds_are_met() -> None:
    assert compiled(worlds.dictionary(atoms="abcd"))[0] == 1 + 4
    for n in (1, 2, 8, 64):
        states, moves = compiled(runs(n))
        assert states == n + 2 and moves("a" * n + "b") == n      # ε, b and a, aa, …, aⁿ


# Random
@worlds.given(worlds.random_worlds(unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def plain(D: Dictionary, fault: str) -> tuple[int, Any]:
    A = Automaton(Normal(D))

    def moves(s: str) -> int:
        """Every suffix tried anew at each symbol, the longest first."""
        return sum(len(x) - len(state) for x in bpe.prefixes(s)
                   for state in [next((y for y in reversed(bpe.suffixes(x)) if y in A.states), "")])

    tokens = {z for z in D.tokens if fault == "every token"} | set(A.N.prio)
    return len({"", *(x for z in tokens for x in bpe.prefixes(z))}), (
        moves if fault == "anew" else compiled(D)[1])


def test_control_every_suffix_tried_anew() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(D, worlds.texts(D), *plain(D, "anew")))
    assert found == ((), "aaaa", 6)


def test_control_states_for_every_token() -> None:
    """Also for tokens that no T(s) has."""
    found = check.first(worlds.every_world(), lambda D: predicate(D, worlds.texts(D), *plain(D, "every token")))
    assert found == ((("a", "aa"),), "at most", 4, 2)


def test_control_a_state_for_each_end_too() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), 1 + sum(len(z) + 1 for z in bpe.canonical(D)), compiled(D)[1]))
    assert found == ((), "at most", 3, 2)


def test_control_prefixes_that_are_not_shared() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), 1 + sum(map(len, bpe.canonical(D))), compiled(D)[1]))
    assert found == ((("a", "a"),), "states", 4, 3)


# Limits
#   The compiled automaton takes no failure move: it has the step of every state and byte in two look-ups. The moves
#   here are those that its links would take.

if __name__ == "__main__":
    check.alone(__file__)
