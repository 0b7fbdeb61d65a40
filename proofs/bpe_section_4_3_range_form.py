"""Section 4.3: validity as one range of preorder numbers.

Statement
    Let x = pre(z), lo = tin(x), and hi = tin(c) for the first child c of x, latest rule first, with prio(c) ≤ prio(z),
    or tout(x) if there is none. Then z is valid iff lo ≤ tin(w) < hi. "None" and unknown symbols have a number outside
    all ranges but those of the atoms, which hold every number.

Why
    x comes first in its subtree, then the subtrees of its children, latest rule first. Those w that make z valid are x
    itself and all that lies below a child with prio(c) > prio(z): a beginning of that list.
"""
from typing import Any

from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_algorithms import Normal, Ranges
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary


# Predicate
def predicate(D: Dictionary, valid: Any) -> Any:
    """None if `valid` decides by ranges what Definition 4.1 does by walking, for every z and every w, or none."""
    order: list[str | None] = [*bpe.preorder(D), None, worlds.UNKNOWN]
    for z in bpe.preorder(D):
        for w in order:
            if valid(z, w) != bpe.follows(D, z, w):
                return worlds.shown(D), z, w, valid(z, w), bpe.follows(D, z, w)
    return None


def the_ranges(D: Dictionary, valid_range: Any) -> Any:
    """None if `valid_range` gives lo and hi of the statement for each canonical token, else the first token's."""
    return next(((worlds.shown(D), z, valid_range(z), bpe.valid_range(D, z)) for z in bpe.preorder(D)
                 if valid_range(z) != bpe.valid_range(D, z)), None)


def holds_compiled(D: Dictionary) -> Any:
    layer = Compiled(D)
    return the_ranges(D, layer.forest.valid_range) or predicate(D, layer.valid) or predicate(D, layer.valid_by_walking)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in two of the 9,198 lists, every two canonical tokens."""
    return check.sweep(worlds.every_world(), holds_compiled, worlds.WORLDS, 2 * every)


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_dictionaries())
def test_random(D: Dictionary) -> None:
    check.hold(holds_compiled(D))


# Control
def plain(fault: str) -> Any:
    return check.first(worlds.every_world(), lambda D: predicate(D, Ranges(Normal(D), fault).holds))


def test_control_children_earliest_first() -> None:
    found = plain("children earliest first")
    assert found == ((("a", "a"), ("b", "a")), "aa", "ba", False, True)


def test_control_the_whole_subtree_of_the_left_part() -> None:
    found = plain("hi = tout(pre)")
    assert found == ((("a", "a"),), "aa", "aa", True, False)


def test_control_the_range_of_the_subtree() -> None:
    found = check.first(worlds.every_world(), lambda D: the_ranges(D, lambda z: (bpe.tin(D, z), bpe.tout(D, z))))
    assert found == ((), "a", (0, 1), (0, 2))


# Limits
#   Distinct rules only.

if __name__ == "__main__":
    check.alone(__file__)
