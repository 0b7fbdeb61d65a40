"""Section 3.4: the successor forest and its preorder.

Statement
    parent(z) = suc(z) makes a forest of the canonical tokens, whose roots are the atoms. In depth-first preorder, roots
    in sorted order and the children of a node latest rule first, tin(z) is the place of z, and [tin(z), tout(z)) are
    the places of z and all below it. The compiled forest has these parents, this order and these numbers.

Why
    suc(z) is canonical (Section 3.3) and shorter than z, so every way up ends at an atom.
"""
from typing import Any

from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_algorithms import Normal
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary

Numbers = dict[str, tuple[int, int]]


# Predicate
def predicate(D: Dictionary, parents: dict[str, str | None], numbers: Numbers) -> Any:
    """None if the parents are the right parts, and the numbers those of the preorder; else the first token amiss."""
    for place, z in enumerate(bpe.preorder(D)):
        expected = bpe.suc(D, z), (place, bpe.tout(D, z))
        if (parents.get(z), numbers.get(z)) != expected:
            return worlds.shown(D), z, (parents.get(z), numbers.get(z)), expected
    return None if len(numbers) == len(bpe.canonical(D)) else (worlds.shown(D), numbers)


def families(D: Dictionary, children: Any) -> Any:
    """None if `children` gives each canonical token's, latest rule first, else the first token's."""
    return next(((worlds.shown(D), y, children(y), bpe.children(D, y)) for y in bpe.preorder(D)
                 if children(y) != bpe.children(D, y)), None)


def holds_compiled(D: Dictionary) -> Any:
    forest = Compiled(D).forest
    order = forest.preorder()
    assert forest.depth() == max(len(bpe.root_path(D, z)) for z in order) - 1
    return families(D, forest.children) or predicate(D, {z: forest.parent(z) for z in order}, {z: forest.interval(z) for z in order})


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in two of the 9,198 lists, every canonical token."""
    return check.sweep(worlds.every_world(), holds_compiled, worlds.WORLDS, 2 * every)


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_dictionaries())
def test_random(D: Dictionary) -> None:
    check.hold(holds_compiled(D))


# Control
def plain(D: Dictionary, parent: str = "suc", earliest_first: bool = False) -> Any:
    N = Normal(D)
    tin, tout = N.numbered(earliest_first)
    return predicate(D, {z: getattr(N, parent).get(z) for z in N.prio}, {z: (tin[z], tout[z]) for z in N.prio})


def test_control_children_earliest_first() -> None:
    found = check.first(worlds.every_world(), lambda D: plain(D, earliest_first=True))
    assert found == ((("a", "a"), ("b", "a")), "ba", ("a", (2, 3)), ("a", (1, 2)))


def test_control_the_left_part_as_parent() -> None:
    found = check.first(worlds.every_world(), lambda D: plain(D, parent="pre"))
    assert found == ((("a", "b"),), "ab", ("a", (2, 3)), ("b", (2, 3)))


def test_control_children_by_their_length() -> None:
    found = check.first(worlds.every_world(), lambda D: families(D, lambda y: sorted(bpe.children(D, y), key=len)))
    assert found == ((("a", "a"), ("aa", "a")), "a", ["aa", "aaa"], ["aaa", "aa"])


# Limits
#   The order of the roots is that of code points; the order among children is what section 4.3 needs.

if __name__ == "__main__":
    check.alone(__file__)
