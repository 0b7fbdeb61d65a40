"""Cost 4: the window's stream retires and releases each position once.

Statement
    Reading n symbols by the window criterion, at most n + 1 positions are closed, at most n retire and at most n are
    passed by the root: amortised O(1) a symbol, though one symbol may retire many. With no rules all bounds are met but
    for the positions that are still open.

Why
    A position is pushed once. |s| - d never falls, so a position that left the window does not come back; a position
    that retired or was passed is gone. What is done at a symbol is one of these for each position that goes.
"""
from typing import Any

from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_algorithms import EagerStream, Normal
from proofs.bpe_compiled import Compiled
from proofs.bpe_section_6_eager_output import compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary

Counts = tuple[int, int, int]


# Predicate
def predicate(D: Dictionary, texts: list[str], count: Any) -> Any:
    """None if after each text the closed, retired and passed positions are at most n + 1, n and n, else the three."""
    for s in texts:
        closed, retired, passed = count(s)
        if closed > len(s) + 1 or retired > len(s) or passed > len(s):
            return worlds.shown(D), s, (closed, retired, passed)
    return None


def counted(D: Dictionary, s: str) -> Counts:
    """What the plain stream does, all in all."""
    e = EagerStream(Normal(D), "window")
    for c in s:
        e.feed(c)
    return e.closed, e.retired, e.passed


def window_moves_on(D: Dictionary, s: str, released: Any, window: Any = bpe.window) -> Any:
    """None if |s| - d never falls along s, and what is released is what the plain stream does; else where not."""
    begins = [min(window(D, x)) for x in bpe.prefixes(s)]
    if begins != sorted(begins):
        return worlds.shown(D), s, begins
    plain = EagerStream(Normal(D), "window")
    lists = [plain.feed(c) for c in s]
    return None if released(s)[:-1] == lists else (worlds.shown(D), s, released(s), lists)


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    return predicate(D, texts, lambda s: counted(D, s)) or next(
        filter(None, (window_moves_on(D, s, compiled(Compiled(D).N, "window")) for s in texts)), None)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 40 of the 9,198 lists, one in five of their texts."""
    return check.sweep(worlds.every_world(), lambda D: holds_compiled(D, worlds.texts(D)[::-5]), worlds.WORLDS,
                       40 * every, 12)


def test_exhaustive() -> None:
    exhaustive()


def test_the_bounds_are_met() -> None:
    """Without rules aⁿ closes and passes all but the last position: its d is one."""
    for n in (1, 2, 10, 50):
        assert counted(worlds.dictionary(atoms="a"), "a" * n) == (n - 1, 0, n - 1)


# Random
@worlds.given(worlds.random_worlds(texts=1, longest=12, unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def test_control_the_window_gone_through_again() -> None:
    """Comparing all of the window at each symbol, as the criterion is written."""
    def afresh(D: Dictionary, s: str) -> Counts:
        return sum(len(bpe.window(D, x)) for x in bpe.prefixes(s)), 0, 0

    found = check.first(worlds.every_world(), lambda D: predicate(D, worlds.texts(D), lambda s: afresh(D, s)))
    assert found == ((), "aa", (4, 0, 0))


def test_control_one_for_each_symbol() -> None:
    """Amortised: one symbol may retire more than one position."""
    def most_at_once(D: Dictionary, s: str) -> Counts:
        e, most = EagerStream(Normal(D), "window"), 0
        for c in s:
            before = e.retired
            e.feed(c)
            most = max(most, e.retired - before)
        return 0, most * len(s), 0

    found = check.first(worlds.every_world(), lambda D: predicate(D, worlds.texts(D), lambda s: most_at_once(D, s)))
    assert found == ((("a", "a"), ("aa", "a")), "aaab", (0, 8, 0))


def test_control_the_streams_of_another_criterion() -> None:
    found = check.first(worlds.worlds_and_texts(worlds.every_world()), lambda world: window_moves_on(
        world[0], world[1], compiled(Compiled(world[0]).N, "chain")))
    assert found == ((), "a", [["a"], []], [[]])


def test_control_the_root_moved_over_again() -> None:
    """From the text's beginning at each symbol."""
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda s: (0, 0, sum(range(1, len(s) + 1)))))
    assert found == ((), "aa", (0, 0, 3))


def test_control_the_last_token_for_the_window() -> None:
    found = check.first(worlds.worlds_and_texts(worlds.every_world()), lambda world: window_moves_on(
        world[0], world[1], compiled(Compiled(world[0]).N, "window"), lambda D, x: [len(x) - len(bpe.T(D, x)[-1])]))
    assert found == ((("a", "a"), ("b", "aa")), "baa", [0, 1, 0])


# Limits
#   The counts are those of the plain stream, which releases what the compiled one does, symbol by symbol.

if __name__ == "__main__":
    check.alone(__file__)
