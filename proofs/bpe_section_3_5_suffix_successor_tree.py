"""Section 3.5: the suffix-successor tree of a token.

Statement
    The canonical suffixes of a canonical token k, with the edges of the successor forest among them, are a tree with
    one root, the atom that k ends with. By length they are chain(k). The compiled tree has these nodes and parents.

Why
    suc(z) is a suffix of z, so of k, and canonical (Section 3.3): the parent of every node is a node, and shorter. Only
    an atom has none, and k ends with one atom.
"""
from itertools import permutations
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary

Parents = dict[str, str | None]


# Predicate
def predicate(D: Dictionary, tree: Any) -> Any:
    """None if `tree` gives for each canonical k its suffixes with their right parts."""
    for k in bpe.preorder(D):
        expected: Parents = {z: bpe.suc(D, z) for z in bpe.chain(D, k)}
        found: Parents = tree(k)
        if list(found.items()) != list(expected.items()):
            return worlds.shown(D), k, found, expected
    return None


def one_root(D: Dictionary, tree: Any) -> Any:
    """None if in the tree of each canonical k one token has no parent, the last atom of k."""
    for k in bpe.preorder(D):
        roots = [z for z, parent in tree(k).items() if parent is None]
        if roots != [k[-1]]:
            return worlds.shown(D), k, roots, k[-1]
    return None


def by_range(D: Dictionary, children: Any) -> Any:
    """None if `children` gives a token's in the tree of each k, in the order of their valid ranges; else the first amiss.
    """
    for k in bpe.preorder(D):
        for z in bpe.chain(D, k):
            below = [c for c in bpe.chain(D, k) if bpe.suc(D, c) == z]
            expected = sorted(below, key=lambda c: bpe.valid_range(D, c))
            if children(k, z) != expected:
                return worlds.shown(D), k, z, children(k, z), expected
    return None


CROSSED = (("c", "a"), ("a", "b"), ("ca", "b"), ("ab", "d"), ("cab", "d"))
"""In this order the range of cabd comes before that of abd: the longer child first."""


def crossed_worlds() -> list[Dictionary]:
    """These five rules in every order."""
    return [worlds.dictionary(*rules) for rules in permutations(CROSSED)]


def holds_compiled(D: Dictionary) -> Any:
    layer = Compiled(D)

    def tree(k: str) -> Parents:
        of_k: Any = incbpe.SuffixSuccessorTree(layer.forest, layer.automaton, k)
        parents: Parents = {z: of_k.parent_of(z) for z in reversed(of_k.chain())}
        below: Parents = {c: z for z in parents for c in of_k.children(z)}
        return parents if below == {c: z for c, z in parents.items() if z is not None} else below

    def children(k: str, z: str) -> Any:
        return incbpe.SuffixSuccessorTree(layer.forest, layer.automaton, k).children(z)

    return predicate(D, tree) or one_root(D, tree) or by_range(D, children)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in three of the 9,198 lists, every canonical token; and five rules in their 120 orders."""
    return check.sweep(worlds.every_world(), holds_compiled, worlds.WORLDS, 3 * every) + check.sweep(
        crossed_worlds(), holds_compiled, 120, every)


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_dictionaries())
def test_random(D: Dictionary) -> None:
    check.hold(holds_compiled(D))


# Control
def test_control_the_next_shorter_suffix_as_parent() -> None:
    """A chain instead of a tree: one token may have several children that k ends with."""
    def next_shorter(D: Dictionary, k: str) -> Parents:
        nodes = bpe.chain(D, k)
        return dict(zip(nodes, [None, *nodes[:-1]], strict=True))

    found = check.first(worlds.every_world(), lambda D: predicate(D, lambda k: next_shorter(D, k)))
    assert found == ((("a", "a"), ("aa", "a")), "aaa", {"a": None, "aa": "a", "aaa": "aa"},
                     {"a": None, "aa": "a", "aaa": "a"})


def every_suffix(D: Dictionary, k: str) -> Parents:
    """Also those that are not canonical, which no T(s) has."""
    return {z: bpe.suc(D, z) for z in bpe.suffixes(k) if z in D.tokens}


def test_control_all_suffixes_that_are_tokens() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(D, lambda k: every_suffix(D, k)))
    assert found == ((("a", "a"), ("a", "ab"), ("aa", "b")), "aab", {"b": None, "ab": None, "aab": "b"},
                     {"b": None, "aab": "b"})


def test_control_children_by_length() -> None:
    found = check.first(crossed_worlds(), lambda D: by_range(D, lambda k, z: [
        c for c in bpe.chain(D, k) if bpe.suc(D, c) == z]))
    assert found == ((("c", "a"), ("a", "b"), ("ca", "b"), ("ab", "d"), ("cab", "d")), "cabd", "d", ["abd", "cabd"], ["cabd", "abd"])


def test_control_several_roots() -> None:
    found = check.first(worlds.every_world(), lambda D: one_root(D, lambda k: every_suffix(D, k)))
    assert found == ((("a", "a"), ("a", "ab"), ("aa", "b")), "aab", ["b", "ab"], "b")


# Limits
#   The forms with valid ranges only: a dictionary served by pairs has the chain, and no tree.

if __name__ == "__main__":
    check.alone(__file__)
