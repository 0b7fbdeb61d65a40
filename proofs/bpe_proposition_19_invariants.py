"""Proposition 19: what is built keeps its numbered invariants.

Statement
    In every world, each structure of the notation layer fulfils the invariants I1, I2, … that its module states:
    dictionary, normal form (equation 1 and rank BPE), the pair and boundary tests, the successor forest, the suffix
    automaton, the suffix-successor and centroid trees of every canonical token, the token prefix tree and the unstable
    end, and, after every symbol of a text, the incremental form and the eager output. `check()` derives them anew.

Why
    Each statement about the tables is read off by way of these invariants. Right answers do not need them all: a
    structure can be damaged where no text of a small world leads.
"""
import pickle
from collections.abc import Iterator
from typing import Any

import incbpe
from incbpe.boundary import Boundary
from incbpe.pairs import Pairs
from incbpe.pretokenize import Splitter
from incbpe.unstable import Unstable
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_algorithms import Normal, Ranges
from proofs.bpe_compiled import dictionary
from proofs.definitions.bpe import Dictionary

SPLITTER = Splitter("gpt2")


def structures(D: Dictionary, texts: list[str]) -> Iterator[Any]:
    """Everything that is built of a dictionary, and what is fed, once more after each symbol."""
    made = dictionary(D)
    parts = (made, Pairs(made), Boundary(made))
    yield from (*parts, *pickle.loads(pickle.dumps(parts)))
    for semantics in ("equation", "rank"):
        N = incbpe.normalize(made, semantics)
        yield from (N, incbpe.SuffixAutomaton(N), Unstable(N))
        if N.form != "pairs":
            forest, automaton = incbpe.SuccessorForest(N), incbpe.SuffixAutomaton(N)
            yield forest
            for z in sorted(D.tokens):
                if N.is_canonical(z):
                    tree = incbpe.SuffixSuccessorTree(forest, automaton, z)
                    yield from (tree, incbpe.CentroidTree(tree))
        for s in texts:
            yield incbpe.Prefixes(N, s)
            yield from fed([incbpe.Incremental(N), *(incbpe.EagerOutput(N, name) for name in ("window", "chain", "maximal"))], s)
    of_bytes = incbpe.Dictionary([z.encode() for z in sorted(D.tokens)], [(x.encode(), y.encode()) for x, y in D.rules])
    yield of_bytes
    for s in texts:
        yield from fed([incbpe.PieceOutput(incbpe.normalize(of_bytes, "rank"), SPLITTER, whole_piece=True)], s.encode())


def fed(readers: list[Any], s: str | bytes) -> Iterator[Any]:
    """Each reader, after each symbol of a text, and after its end."""
    for reader in readers:
        for k in range(len(s)):
            reader.feed(s[k:k + 1])
            yield reader
        if hasattr(reader, "finish"):
            reader.finish()
            yield reader


# Predicate
def predicate(D: Dictionary, made: Iterator[Any]) -> Any:
    """None if each structure's check holds, else which it is and what the check says."""
    for structure in made:
        try:
            structure.check()
        except AssertionError as error:
            return worlds.shown(D), type(structure).__name__, str(error)
    return None


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    return predicate(D, structures(D, texts))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 20 of the 9,198 small dictionaries, and one in ten of the 485 grown ones, with their longest text."""
    return check.sweep(worlds.every_world(), lambda D: holds_compiled(D, worlds.texts(D)[-1:]), worlds.WORLDS, 20 * every
                       ) + check.sweep(worlds.grown_worlds(), lambda D: holds_compiled(D, ["abaabab"]),
                                       worlds.GROWN_WORLDS, 10 * every)


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(texts=1, longest=12, unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
class Plain:
    """The forest's ranges in plain Python, with I4 of the compiled forest: siblings' ranges lie apart, half-open."""

    def __init__(self, D: Dictionary, fault: str) -> None:
        self.N = Normal(D)
        self.ranges = Ranges(self.N, fault)

    def check(self) -> None:
        for z, y in ((z, y) for z in sorted(self.N.suc) for y in sorted(self.N.suc)):
            if z < y and self.N.suc[z] == self.N.suc[y]:
                (low, high), (begin, end) = sorted((self.ranges.lo[x], self.ranges.hi[x]) for x in (z, y))
                if begin < high:
                    raise AssertionError(f"I4 does not hold: {z, y, (low, high), (begin, end)}")


def test_control_ranges_up_to_the_end_of_the_subtree() -> None:
    found = check.first(worlds.grown_worlds(), lambda D: predicate(D, iter([Plain(D, "hi = tout(pre)")])))
    assert found == ((('a', 'a'), ('aa', 'a')), 'Plain',
                     "I4 does not hold: ('aa', 'aaa', (0, 3), (2, 3))")


# Limits
#   The invariants are read by the code whose work they describe; what they mean is in the other statements.

if __name__ == "__main__":
    check.alone(__file__)
