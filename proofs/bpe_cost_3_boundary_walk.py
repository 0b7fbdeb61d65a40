"""Cost 3: the walk along a boundary takes a step for each merge that it undoes.

Statement
    The walk of proposition 6 for the rule (x, y) takes at most as many steps as suc(x), suc(suc(x)), … and pre(y),
    pre(pre(y)), … are together: exactly so many where it meets no conflict. So normalizing costs O(depth of x + depth
    of y) look-ups a rule, and never a run of T.

Why
    Each step undoes the side that was made last, on the left to its right part, on the right to its left part, until
    both are atoms. A conflict ends it sooner.
"""
from typing import Any

from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_algorithms import ATOM, Normal
from proofs.bpe_compiled import Compiled
from proofs.definitions.bpe import Dictionary

RUNS = 6


# Predicate
def predicate(N: Any, steps: Any, bound: Any) -> Any:
    """None if for each rule of known parts the walk takes no more steps than the bound says, and just so many where it
    meets no conflict; else the first rule with both.
    """
    for i, (x, y) in enumerate(N.D.rules):
        if x in N.prio and y in N.prio:
            taken, canonical = steps(N, i), (x, y) in N.rule
            if taken > bound(N, x, y) or (canonical and taken != bound(N, x, y)):
                return worlds.shown(N.D), (x, y), taken, bound(N, x, y)
    return None


def depths(N: Any, x: str, y: str) -> int:
    """How often the right part of x can be taken, and the left part of y."""
    return (1 + depths(N, N.suc[x], y) if x in N.suc else 1 + depths(N, x, N.pre[y]) if y in N.pre else 0)


def steps(N: Any, i: int) -> int:
    """The steps of the walk of rule i over canonical tokens, by which it ends in two atoms or in a conflict."""
    (u, v), taken = N.D.rules[i], 0
    while N.prio[u] != ATOM or N.prio[v] != ATOM:
        right = N.prio[v] >= N.prio[u]
        end = max(N.prio[u], N.prio[v])
        u, v = (u, N.pre[v]) if right else (N.suc[u], v)
        taken += 1
        merged = N.rule.get((u, v))
        if merged is not None and (merged < end or (merged == end and right)):
            break
    return taken


class OfCompiled:
    """What the walks need, of the compiled normal form."""

    def __init__(self, D: Dictionary) -> None:
        self.D, layer = D, Compiled(D)
        known = sorted(layer.canonical)
        self.prio = {z: ATOM if layer.prio(z) is None else layer.prio(z) for z in known}
        self.pre = {z: x for z in known if (x := layer.pre(z)) is not None}
        self.suc = {z: y for z in known if (y := layer.suc(z)) is not None}
        self.rule = {(self.pre[z], self.suc[z]): self.prio[z] for z in self.pre}


def holds_compiled(D: Dictionary) -> Any:
    return predicate(OfCompiled(D), steps, depths)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in two of the 9,198 lists, every rule."""
    return check.sweep(worlds.every_world(), holds_compiled, worlds.WORLDS, 2 * every)


def test_exhaustive() -> None:
    exhaustive()


def test_the_bound_is_met() -> None:
    """Powers of two: a rule (aⁿ, aⁿ) walks down both sides, by turns."""
    N = Normal(worlds.dictionary(*(("a" * 2**k, "a" * 2**k) for k in range(RUNS))))
    assert [steps(N, k) for k in range(RUNS)] == [2 * k for k in range(RUNS)]


# Random
@worlds.given(worlds.random_dictionaries())
def test_random(D: Dictionary) -> None:
    check.hold(holds_compiled(D) or predicate(Normal(D), steps, depths))


# Control
def test_control_the_deeper_side_alone() -> None:
    def deeper(N: Any, x: str, y: str) -> int:
        left, right = depths(N, x, min(N.D.atoms)), depths(N, min(N.D.atoms), y)
        return max(left, right)

    found = check.first(worlds.every_world(), lambda D: predicate(Normal(D), steps, deeper))
    assert found == ((("a", "a"), ("aa", "aa")), ("aa", "aa"), 2, 1)


def test_control_a_pass_of_every_rule() -> None:
    """T run on each token: as many passes as there are rules."""
    found = check.first(worlds.every_world(), lambda D: predicate(Normal(D), lambda N, i: len(N.D.rules), depths))
    assert found == ((("a", "a"),), ("a", "a"), 1, 0)


def test_control_a_step_beyond_the_conflict() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(
        Normal(D), lambda N, i: steps(N, i) + (N.D.rules[i] not in N.rule), depths))
    assert found == ((("a", "a"), ("a", "aa")), ("a", "aa"), 2, 1)


def test_control_a_walk_that_ends_a_step_early() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(
        Normal(D), lambda N, i: max(0, steps(N, i) - 1), depths))
    assert found == ((("a", "a"), ("aa", "a")), ("aa", "a"), 0, 1)


# Limits
#   The steps are taken here, over the compiled pre, suc and prio: the compiled walk itself is not counted.

if __name__ == "__main__":
    check.alone(__file__)
