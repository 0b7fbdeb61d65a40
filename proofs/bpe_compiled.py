"""The compiled notation layer of the second paper beside the definitions, under the same names.

A layer has apply_rule, T, PQ, canonical, prio, pre, suc of one dictionary. `Compiled` asks incbpe, `Defined` asks
`definitions`, so that one predicate serves both, and a faulty form overrides what is at fault.
"""
from functools import cache, cached_property, partial
from typing import Any

import incbpe
from proofs.bpe_algorithms import ATOM
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary


def dictionary(D: Dictionary) -> incbpe.Dictionary:
    """The compiled dictionary of the same tokens, in alphabetical order."""
    return incbpe.Dictionary(sorted(D.tokens), D.rules)


class Defined:
    """The definitions themselves; what they give for a text is kept, since the predicates ask for it again."""

    def __init__(self, D: Dictionary) -> None:
        self.D = D
        for name in ("T", "PQ"):
            if not hasattr(self, name):  # a faulty form overrides its own
                setattr(self, name, cache(partial(getattr(bpe, name), D)))

    def apply_rule(self, i: int, tokens: list[str]) -> list[str]:
        return bpe.apply_rule(self.D.rules[i], tokens)

    @property
    def canonical(self) -> frozenset[str]:
        return bpe.canonical(self.D)

    def prio(self, z: str) -> int | None:
        return bpe.prio(self.D, z)

    def pre(self, z: str) -> str | None:
        return bpe.pre(self.D, z)

    def suc(self, z: str) -> str | None:
        return bpe.suc(self.D, z)


class Compiled:
    """incbpe's notation layer."""

    def __init__(self, D: Dictionary) -> None:
        self.D = D
        self.dictionary = dictionary(D)

    def apply_rule(self, i: int, tokens: list[str]) -> list[str]:
        return incbpe.apply_rule(self.dictionary, i, tokens)

    def T(self, s: str) -> list[str]:
        return incbpe.T(self.dictionary, s)

    def PQ(self, s: str) -> list[str]:
        return incbpe.rank_bpe(self.dictionary, s)

    @cached_property
    def N(self) -> Any:
        return incbpe.normalize(self.dictionary)

    @cached_property
    def rank(self) -> Any:
        """D normalized for rank BPE."""
        return incbpe.normalize(self.dictionary, "rank")

    @cached_property
    def canonical(self) -> frozenset[str]:
        return frozenset(z for z in self.D.tokens if self.N.is_canonical(z))

    def prio(self, z: str) -> int | None:
        found: int | None = self.N.prio(z)
        return found

    def pre(self, z: str) -> str | None:
        found: str | None = self.N.pre(z)
        return found

    def suc(self, z: str) -> str | None:
        found: str | None = self.N.suc(z)
        return found


    # -------------------------------------------------------------------------- the forest, the ranges, the automaton

    @cached_property
    def forest(self) -> Any:
        return incbpe.SuccessorForest(self.N)

    def valid(self, z: str, w: str | None) -> bool:
        """Definition 4.1 by the range; an unknown symbol is no token of the compiled forest, so it is none."""
        found: bool = self.forest.valid(z, w if w in self.D.tokens else None)
        return found

    def valid_by_walking(self, z: str, w: str | None) -> bool:
        found: bool = self.forest.valid_by_walking(z, w if w in self.D.tokens else None)
        return found

    @cached_property
    def automaton(self) -> Any:
        return incbpe.SuffixAutomaton(self.N)


class Plain:
    """`bpe_algorithms`' normal form, with a fault, as a layer."""

    def __init__(self, N: Any) -> None:
        self.D, self.N = N.D, N
        self.canonical = frozenset(N.prio)

    def prio(self, z: str) -> int | None:
        found: int = self.N.prio[z]
        return None if found == ATOM else found

    def pre(self, z: str) -> str | None:
        found: str | None = self.N.pre.get(z)
        return found

    def suc(self, z: str) -> str | None:
        found: str | None = self.N.suc.get(z)
        return found
