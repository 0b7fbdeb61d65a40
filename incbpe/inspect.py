"""What a dictionary becomes, in figures: tokens, rules, canonical ones, chains, depth, states.

Cost  that of one or two normalizations with automaton and forest, and the sum of all chains.
"""
from __future__ import annotations

from typing import Any

from incbpe.automaton import SuffixAutomaton
from incbpe.normalize import Normalized, normalize
from incbpe.successor import SuccessorForest

__all__ = ["figures"]


def figures(N: Normalized) -> dict[str, Any]:
    """The figures of a dictionary under rank BPE; where it is improper, those under equation 1 beside them.

    >>> from incbpe import Dictionary
    >>> D = Dictionary("a b ab bb abb".split(), [("a", "b"), ("b", "b"), ("ab", "b")])
    >>> for name, value in figures(normalize(D, semantics="rank")).items():
    ...     print(name, value)
    tokens 5
    rules 3
    longest 3
    proper True
    form rules
    reason the dictionary is proper: its rules in their order give what rank BPE gives
    canonical 5
    chain_max 3
    chain_mean 1.8
    forest_depth 1
    automaton_states 6
    """
    D = N.dictionary
    found = {"tokens": sum(map(bool, D.tokens)), "rules": len(D.merges), "longest": max(map(len, D.tokens), default=0),
             "proper": N.proper, "form": N.form, "reason": N.reason, **of_canonical(N)}
    return found if N.proper else {**found, "equation_1": of_canonical(normalize(D))}


def of_canonical(N: Normalized) -> dict[str, Any]:
    """How many tokens are canonical; how many canonical suffixes one has, itself among them; the most tokens above one
    in the successor forest, which the form "pairs" has not; the states of the automaton."""
    automaton = SuffixAutomaton(N)
    chains = [len(automaton.chain(token)) for token in N.dictionary.tokens if token and N.is_canonical(token)]
    return {"canonical": N.n, "chain_max": max(chains, default=0),
            "chain_mean": round(sum(chains) / max(len(chains), 1), 2),
            "forest_depth": None if N.form == "pairs" else SuccessorForest(N).depth(),
            "automaton_states": automaton.states}
