"""Cost 2: what the other two searches look at.

Statement
    For a symbol, longest first tests at most |chain(k)| tokens, and as many as that on some texts, so O(t) at worst.
    From the root down, exactly the root path of θ is looked at: as many tokens as θ is deep in the successor forest.

Why
    The chain is walked from k to the first valid token, at the latest its atom. Downwards each step is to a valid
    child, and the valid tokens are the root path of θ (Theorem 4.2).
"""
from itertools import pairwise
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_compiled import Compiled
from proofs.bpe_cost_1_centroid_visits import LONGEST, run_worlds, runs
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary


# Predicate
def predicate(D: Dictionary, texts: list[str], tests: Any, visits: Any) -> Any:
    """None if at each symbol of a text the tests of longest first stay within the chain, and the visits from the root
    down are the root path; else the length of the text up to the first symbol where not, and the four numbers.
    """
    for s in texts:
        for x, tested, visited in zip(bpe.prefixes(s), tests(s), visits(s), strict=True):
            chain = bpe.chain(D, x)
            path = bpe.root_path(D, bpe.T(D, x)[-1]) if chain else []
            if tested > len(chain) or visited != len(path):
                return len(D.rules), len(x), (tested, len(chain)), (visited, len(path))
    return None


def counted(D: Dictionary, search: Any, name: str) -> Any:
    """A counter of the compiled search, a symbol at a time."""
    N = Compiled(D).N

    def counts(s: str) -> list[int]:
        inc = incbpe.Incremental(N, search)
        found = [0]
        for c in s:
            inc.feed(c)
            found.append(getattr(inc, name))
        return [after - before for before, after in pairwise(found)]

    return counts


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    return predicate(D, texts, counted(D, "longest", "tests"), counted(D, "root", "visits"))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in four of the runs with chains of up to 64 tokens, and one in 20 of the 9,198 lists with all their texts."""
    count = check.sweep(run_worlds(), lambda world: holds_compiled(*world), LONGEST, 4 * every)
    return count + check.sweep(worlds.every_world(), lambda D: holds_compiled(D, worlds.texts(D)), worlds.WORLDS,
                               20 * every, len(worlds.WORDS))


def test_exhaustive() -> None:
    exhaustive()


def test_the_bound_of_longest_first_is_met() -> None:
    """One a more than the longest run: everything longer than one a is tried in vain."""
    for n in (1, 2, 4, 16, 64):
        assert counted(runs(n), "longest", "tests")("a" * (n + 1))[-1] == n


# Random
@worlds.given(worlds.random_worlds(longest=30, unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def test_control_no_more_than_the_centroids() -> None:
    """Longest first held to the bound of cost 1."""
    def holds(D: Dictionary, texts: list[str]) -> Any:
        tests = counted(D, "longest", "tests")
        return next(((len(D.rules), len(x), count) for s in texts for x, count in zip(
            bpe.prefixes(s), tests(s), strict=True) if count > 1 + len(bpe.chain(D, x)).bit_length()), None)

    found = check.first(run_worlds(), lambda world: holds(*world))
    assert found == (7, 10, 8)


def test_control_the_chain_for_the_path() -> None:
    """The canonical suffixes up to θ are not all on its root path."""
    def up_to_theta(D: Dictionary, s: str) -> list[int]:
        return [len([z for z in bpe.chain(D, x) if len(z) <= len(bpe.T(D, x)[-1])]) for x in bpe.prefixes(s)]

    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), counted(D, "longest", "tests"), lambda s: up_to_theta(D, s)))
    assert found == (2, 3, (1, 3), (3, 2))


def test_control_the_symbol_itself_tested_too() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda s: [1 + len(bpe.chain(D, x)) for x in bpe.prefixes(s)], counted(D, "root", "visits")))
    assert found == (0, 1, (2, 1), (1, 1))


# Limits
#   How many tests real text takes is for benchmarks/.

if __name__ == "__main__":
    check.alone(__file__)
