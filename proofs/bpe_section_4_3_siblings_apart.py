"""Section 4.3: the ranges of siblings are disjoint.

Statement
    The valid ranges of the children of one node of the successor forest are pairwise disjoint, over the whole forest.
    So at most one child of a valid token is valid, and a binary search among their ranges finds it.

Why
    All children of y have the same w, θ of the text before y. Let it be in the ranges of z and z′, prio(z) < prio(z′),
    with left parts x ≠ x′, both on w's root path. If x is above x′, w and x′ lie below a child of x that is made later
    than z: on the text of z′ = x′y, z would take x and y before x′ is made. If x′ is above x, then x lies below a child
    of x′ that is made later than z′, so later than z; but x is made before z.
"""
from typing import Any

from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_algorithms import Normal, Ranges, overlapping
from proofs.bpe_compiled import Compiled
from proofs.definitions.bpe import Dictionary


# Predicate
def predicate(D: Dictionary, children: dict[str, list[str]], ranges: dict[str, tuple[int, int]]) -> Any:
    """None if no two children of one node have ranges that meet, else the first two."""
    for y in sorted(children, key=lambda y: (len(y), y)):
        two = overlapping(ranges, children[y])
        if two is not None:
            return worlds.shown(D), y, *((z, ranges[z]) for z in two)
    return None


def holds_compiled(D: Dictionary) -> Any:
    forest = Compiled(D).forest
    order = forest.preorder()
    return predicate(D, {y: forest.children(y) for y in order}, {z: forest.valid_range(z) for z in order})


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """All 9,198 lists, every node."""
    return check.sweep(worlds.every_world(), holds_compiled, worlds.WORLDS, every)


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_dictionaries())
def test_random(D: Dictionary) -> None:
    check.hold(holds_compiled(D))


# Control
def plain(fault: str) -> Any:
    def holds(D: Dictionary) -> Any:
        N = Normal(D)
        ranges = Ranges(N, fault)
        return predicate(D, N.children, {z: (ranges.lo[z], ranges.hi[z]) for z in N.suc})

    return check.first(worlds.every_world(), holds)


def test_control_the_whole_subtree_of_the_left_part() -> None:
    found = plain("hi = tout(pre)")
    assert found == ((("a", "a"), ("aa", "a")), "a", ("aa", (0, 3)), ("aaa", (2, 3)))


def test_control_children_earliest_first() -> None:
    found = plain("children earliest first")
    assert found == ((("a", "b"), ("ab", "b"), ("b", "b")), "b", ("bb", (1, 4)), ("abb", (2, 3)))


# Limits
#   Of the roots nothing is said: an atom is valid wherever it is the last symbol.

if __name__ == "__main__":
    check.alone(__file__)
