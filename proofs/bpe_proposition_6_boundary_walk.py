"""Proposition 6: a walk along one boundary tells whether a rule is canonical.

Statement
    Rule i = (x, y) is canonical for z = xy iff z has no canonical rule yet, x and y have theirs (or are atoms), and
    this walk meets no conflict. (u, v) are the tokens that touch the boundary x|y, first (x, y); each step undoes the
    one with the larger prio, u to suc(u) or v to pre(v), the right one if they are equal, and that prio is `end`. If
    (u, v) is then the canonical rule m of a token, m < end is a conflict, and m = end is one iff the right one was
    undone.

Why
    Read forwards, the walk lists the pairs that meet at the boundary while x and y are made, each until `end`. A rule
    that joins such a pair and whose turn comes before would merge across the boundary. At `end` itself a pass goes from
    left to right: it takes (u, pre(v)) before it can make v, but has made u before it could take (suc(u), v). Two
    tokens of equal prio are made in one pass, the right one later.
"""
from typing import Any

from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_algorithms import Normal
from proofs.bpe_compiled import Compiled, Plain
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary


# Predicate
def predicate(D: Dictionary, layer: Any) -> Any:
    """None if the layer's canonical tokens are those that T leaves whole, each with the rule that fired last on it."""
    for z in sorted(D.tokens, key=lambda z: (len(z), z)):
        expected = (bpe.prio(D, z), bpe.pre(D, z), bpe.suc(D, z)) if z in bpe.canonical(D) else None
        found = (layer.prio(z), layer.pre(z), layer.suc(z)) if z in layer.canonical else None
        if found != expected:
            return worlds.shown(D), z, found, expected
    return None


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """All 9,198 lists, every token."""
    return check.sweep(worlds.every_world(), lambda D: predicate(D, Compiled(D)), worlds.WORLDS, every)


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_dictionaries())
def test_random(D: Dictionary) -> None:
    check.hold(predicate(D, Compiled(D)) or predicate(D, Plain(Normal(D))))


# Control
def plain(fault: str) -> Any:
    return check.first(worlds.every_world(), lambda D: predicate(D, Plain(Normal(D, fault))))


def test_control_the_tie_flipped() -> None:
    found = plain("tie direction flipped")
    assert found == ((("a", "a"), ("aa", "aa")), "aaaa", None, (1, "aa", "aa"))


def test_control_the_first_rule_with_known_parts() -> None:
    found = plain("no walk")
    assert found == ((("a", "a"), ("a", "aa")), "aaa", (1, "a", "aa"), None)


def test_control_the_walk_ended_after_one_step() -> None:
    found = plain("only the parts looked at")
    assert found == ((("a", "a"), ("aa", "a"), ("a", "aaa")), "aaaa", (2, "a", "aaa"), None)


def test_control_the_canonical_tokens_of_rank_order() -> None:
    found = plain("the PQ canonical set")
    assert found == ((("a", "ab"), ("a", "b")), "aab", (0, "a", "ab"), None)


# Limits
#   Distinct rules only. The cost, O(depth of x + depth of y) look-ups a rule, is not counted here.

if __name__ == "__main__":
    check.alone(__file__)
