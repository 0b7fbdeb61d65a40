"""What a dictionary becomes, in figures: tokens, rules, canonical ones, chains, depth, states; and a tokenizer's facts.

Cost  that of one or two normalizations with automaton and forest, and the sum of all chains.
"""
from __future__ import annotations

from typing import Any

from incbpe.automaton import SuffixAutomaton
from incbpe.bytepair import BPE
from incbpe.normalize import Normalized, normalize
from incbpe.successor import SuccessorForest
from incbpe.trace import named
from subwordio.facts import added_facts, record, template_facts

__all__ = ["facts", "figures"]


def facts(bpe: BPE, N: Normalized) -> dict[str, dict[str, Any]]:
    """What the command inspect says of a tokenizer and its normalized dictionary: each fact once, in sections.

    >>> from incbpe.model import Config, Model
    >>> bpe = BPE(Config(Model((b"a", b"b", b"ab"), None), "tiktoken", "gpt2"))
    >>> found = facts(bpe, bpe.normalized())
    >>> list(found), found["tokenizer"]["ids"], found["dictionary"]["rules"]
    (['tokenizer', 'dictionary', 'memory_bytes'], 3, 1)
    """
    config, dictionary = bpe.config, figures(N)
    sizes: dict[str, Any] = bpe.inspect()
    improper = {"equation_1": dictionary.pop("equation_1")} if "equation_1" in dictionary else {}
    unk = config.model.unk_id
    patterns = [config.pattern or "", *(split.pattern for split in config.splits), "gpt2" * config.byte_level_regex]
    return {
        "tokenizer": {
            "ids": bpe.vocab_size, "atoms": "bytes" if bpe.binary else "characters",
            "pattern": sizes["pattern"] or [pattern for pattern in patterns if pattern] or "none",
            "unicode": config.unicode, "normalizer": list(map(str, config.normalizer)),
            "whole_piece": config.model.whole_piece, "byte_fallback": config.model.byte_ids is not None,
            "unk_token": None if unk is None else named(bpe.token(unk)),
            **added_facts(config.added_tokens),
            "template": template_facts(config.template, lambda id: named(bpe.token(id))),
            "truncation": record(config.truncation), "padding": record(config.padding),
            "fingerprint": bpe.fingerprint, "notes": list(config.notes)},
        **({"forms": sizes["forms"]} if sizes["forms"] else {}),
        "dictionary": dictionary, **improper,
        "memory_bytes": {name.removesuffix("_bytes"): sizes[name] or None
                   for name in ("automaton_bytes", "tokens_bytes", "rules_bytes")}}


def figures(N: Normalized) -> dict[str, Any]:
    """The figures of a dictionary under rank BPE; where it is improper, those under equation 1 beside them.

    >>> from incbpe import Dictionary
    >>> D = Dictionary("a b ab bb abb".split(), [("a", "b"), ("b", "b"), ("ab", "b")])
    >>> for name, value in figures(normalize(D, semantics="rank")).items():
    ...     print(name, value)
    tokens 5
    rules 3
    longest_token 3
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
    found = {"tokens": sum(map(bool, D.tokens)), "rules": len(D.merges),
             "longest_token": max(map(len, D.tokens), default=0), "proper": N.proper, "form": N.form,
             "reason": N.reason, **of_canonical(N)}
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
