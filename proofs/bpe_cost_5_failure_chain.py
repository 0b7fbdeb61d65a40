"""Cost 5: what the criteria chain and maximal look at.

Statement
    For each symbol the criterion chain looks at the states of the automaton's failure chain: at most d of them, d the
    depth, so at most as many as the longest token has symbols; aⁿ meets that where a, aa, …, aⁿ are all tokens. For
    maximal each of those states with a child is one question (w, state), w = θ(s[:b]), whose answer depends on these
    two alone: over a whole text there are no more to be answered than different pairs.

Why
    Each failure link leads to a shorter suffix. Whether some z that extends the state stands behind w is said by w and
    z (proposition 11), and z ranges over what the state alone determines.
"""
from typing import Any

from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_compiled import Compiled
from proofs.bpe_cost_1_centroid_visits import runs
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary


# Predicate
def predicate(D: Dictionary, texts: list[str], looked_at: Any, answer: Any, question: Any = lambda *both: both) -> Any:
    """None if after each prefix no more states are looked at than d, just those with which tokens begin, and each
    question about (w, state) has one answer, the definition's; else the first prefix and what is found.
    """
    answers: dict[Any, bool] = {}
    for s in texts:
        for x in bpe.prefixes(s):
            states = looked_at(x)
            expected = [y for y in reversed(bpe.suffixes(x)) if any(z.startswith(y) for z in bpe.canonical(D))]
            if len(states) > bpe.depth(D, x):
                return worlds.shown(D), x, len(states), bpe.depth(D, x)
            if states != expected:
                return worlds.shown(D), x, states, expected
            for state in states:
                w = bpe.θ(D, x[:len(x) - len(state)])
                found = any(bpe.θ(D, x[:len(x) - len(state)] + z) == z for z in bpe.extended(D, state))
                if answer(w, state) != found or answers.setdefault(question(w, state), found) != found:
                    return worlds.shown(D), x, w, state, found
    return None


def compiled(D: Dictionary) -> Any:
    """The failure chain of the compiled automaton, as strings."""
    A = Compiled(D).automaton

    def looked_at(x: str) -> list[str]:
        v, found = A.step_by(0, x), []
        while v:
            found.append(x[len(x) - A.symbols(v):])
            v = A.failure_link(v)
        return found

    return looked_at


def by_unstable(D: Dictionary) -> Any:
    """Whether some token that properly extends a state stands behind w, by the compiled pair test."""
    from incbpe.unstable import Unstable
    U = Unstable(Compiled(D).N)
    return lambda w, state: bool(U.extensions(state, w if w in D.tokens else None))


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    return predicate(D, texts, compiled(D), by_unstable(D))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 20 of the 9,198 lists, one in five of their texts and all prefixes of these."""
    return check.sweep(worlds.every_world(), lambda D: holds_compiled(D, worlds.texts(D)[::-5]), worlds.WORLDS,
                       20 * every, 12)


def test_exhaustive() -> None:
    exhaustive()


def test_the_bound_is_met() -> None:
    """All of a, aa, …, aⁿ tokens: after a longer run n states, and at any place of a text no more."""
    for n in (1, 2, 5, 20):
        assert len(compiled(runs(n))("a" * (n + 3))) == n


def test_the_answers_are_few() -> None:
    """A run of n a's has n(n + 1)/2 states on its chains, and no more questions than pairs: O(longest token)."""
    D, asked, states = runs(6), set(), 0
    for x in bpe.prefixes("a" * 40):
        for state in compiled(D)(x):
            states += 1
            asked.add((bpe.θ(D, x[:len(x) - len(state)]), state))
    assert (states, len(asked)) == (225, 42)


# Random
@worlds.given(worlds.random_worlds(texts=1, longest=12))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def test_control_one_state_for_each_symbol() -> None:
    """Only the automaton's own state, and not the shorter ones on its chain."""
    def first(D: Dictionary, x: str) -> list[str]:
        states: list[str] = compiled(D)(x)
        return states[:1]

    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda x: first(D, x), by_unstable(D)))
    assert found == ((("a", "a"),), "aa", ["aa"], ["aa", "a"])


def test_control_answers_kept_by_the_state_alone() -> None:
    def make(D: Dictionary) -> Any:
        kept: dict[str, bool] = {}
        right = by_unstable(D)
        return lambda w, state: kept.setdefault(state, right(w, state))

    found = check.first(worlds.every_world(), lambda D: predicate(D, worlds.texts(D), compiled(D), make(D)))
    assert found == ((("a", "a"),), "aa", "a", "a", False)


def test_control_every_suffix_looked_at() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda x: bpe.suffixes(x)[::-1], by_unstable(D)))
    assert found == ((), "aa", 2, 1)


def test_control_one_question_for_each_state() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), compiled(D), by_unstable(D), lambda w, state: state))
    assert found == ((("a", "a"),), "aa", "a", "a", False)


# Limits
#   How many tokens a question tries until one stands is not bounded here.

if __name__ == "__main__":
    check.alone(__file__)
