"""What a vocabulary becomes, in figures, and a tokenizer's facts.

Cost  that of Algorithm 2 on one root and on two.
"""
from __future__ import annotations

from typing import Any

from linmaxmatch.failure import Tables, precompute
from linmaxmatch.trie import Trie
from linmaxmatch.wordpiece import WordPiece
from subwordio.facts import added_facts, record, template_facts

__all__ = ["facts", "figures"]

CLEANING = ("normalizer", "lowercase", "strip_accents", "clean_text", "handle_chinese_chars", "nfc")
MATCHING = ("max_chars_per_word", "split_unknown", "suffix_indicator", "unk_token", "duplicates")
DECODING = ("cleanup", "decoder_prefix")


def facts(wp: WordPiece) -> dict[str, dict[str, Any]]:
    """What the command inspect says of a tokenizer: each fact once, in sections.

    >>> found = facts(WordPiece(["[UNK]", "play", "##ing"]))
    >>> list(found), found["tokenizer"]["ids"], found["one_root"]["depth"]
    (['tokenizer', 'cleaning', 'decoding', 'one_root', 'two_roots', 'automaton', 'memory_bytes'], 3, 5)
    """
    options = wp.options
    sizes: dict[str, Any] = wp.inspect()
    return {
        "tokenizer": {
            "ids": wp.vocab_size, **{name: options[name] for name in MATCHING}, **added_facts(options["added_tokens"]),
            "template": template_facts(wp.template, wp.token),
            "truncation": record(options["truncation"]), "padding": record(options["padding"]),
            "fingerprint": wp.fingerprint, "notes": list(wp.notes)},
        "cleaning": {**{name: options[name] for name in CLEANING}, "unicode": list(sizes["unicode"].values())},
        "decoding": {name: options[name] for name in DECODING},
        "one_root": figures(precompute(Trie(wp.vocabulary))),
        "two_roots": figures(precompute(Trie(wp.vocabulary, roots=2))),
        "automaton": {name: sizes[name] for name in ("states", "cells", "sum_F", "depth")},
        "memory_bytes": {name.removesuffix("_bytes"): sizes[name]
                   for name in ("automaton_bytes", "normalizer_bytes", "vocabulary_bytes")}}


def figures(tables: Tables) -> dict[str, int]:
    """The sizes of Algorithm 2's result."""
    nodes = range(len(tables.trie))
    pops = [len(tables.F(v)) for v in nodes]
    return {"nodes": len(nodes), "depth": max(len(tables.trie.chi(v)) for v in nodes), "sum_F": sum(pops),
            "max_F": max(pops), "nodes_without_f": sum(tables.f(v) is None for v in nodes)}
