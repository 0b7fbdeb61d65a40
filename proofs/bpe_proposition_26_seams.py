"""Proposition 26: at a seam, which no token reaches across, a text may be cut before it is merged.

Statement
    A seam is a place between two symbols that no canonical token has next to each other. If s = uv with a seam between u
    and v, then T(s) = T(u) ⊕ T(v), and so it is with PQ; so what lies between two seams has the same tokens in every
    text. Over characters, of which some are spelt with several bytes, the places between bytes that no token has next to
    each other are such seams, if the inside of a character is left out.

Why
    Every token of T(s) is canonical, so none of them lies across the seam, and the tokens before it are an infix of
    T(s), as are those behind it: each is T of its own text (Lemma 3.1).
"""
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_compiled import dictionary
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary

Function = Callable[[Dictionary, str], list[str]]
Seams = Callable[[Dictionary, str, Function], list[int]]


def seams(D: Dictionary, s: str, tokenize: Function) -> list[int]:
    """Where a text has them."""
    joined = {pair for z in bpe.canonical(D, tokenize) for pair in pairwise(z)}
    return [i for i in range(1, len(s)) if (s[i - 1], s[i]) not in joined]


# Predicate
def predicate(D: Dictionary, texts: list[str], found: Seams, tokenize: Function) -> Any:
    """None if each text's tokens are those of its parts between seams; else the text, the seams, and the tokens."""
    for s in texts:
        places = found(D, s, tokenize)
        parts = [s[i:k] for i, k in zip([0, *places], [*places, len(s)], strict=True)]
        merged = [z for part in parts for z in tokenize(D, part)]
        if merged != tokenize(D, s):
            return worlds.shown(D), s, places, merged, tokenize(D, s)
    return None


def encoded(D: Dictionary, text: str, encode: Callable[[str], list[str]]) -> Any:
    """None if the tokens of a text are those of rank BPE; else the first place where not, and what they are there."""
    found, wanted = encode(text), incbpe.rank_bpe(dictionary(D), text)
    if found != wanted:
        k = next(k for k in range(len(wanted) + 1) if found[:k + 1] != wanted[:k + 1])
        return worlds.shown(D), k, found[k:k + 1], wanted[k:k + 1]
    return None


def tokenizer(D: Dictionary, spelt: dict[str, str]) -> Callable[[str], list[str]]:
    """The compiled tokenizer over other characters, byte fallback and all, with a table of chunks."""
    table, names = str.maketrans(spelt), sorted(D.tokens)
    fallback = tuple(f"<0x{byte:02X}>" for byte in range(256))
    model = incbpe.Model((*(z.translate(table) for z in names), *fallback),
                         tuple((x.translate(table), y.translate(table)) for x, y in D.rules),
                         byte_ids=tuple(range(len(names), len(names) + 256)))
    made: Any = incbpe.BPE(incbpe.Config(model, "tokenizers", "none"), cache=1 << 14)

    def encode(s: str) -> list[str]:
        ids = made.encode(s.translate(table))
        made.check()
        return [names[i] for i in ids]

    return encode


def long_text(texts: list[str]) -> str:
    """All of them in a row, several times: so much that there is a table of chunks, and chunks are met again."""
    return "".join(texts) * 3


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    for tokenize in (bpe.T, bpe.PQ):
        witness = predicate(D, texts, seams, tokenize)
        if witness is not None:
            return witness
    for spelt in ({}, {"a": "é", "b": "è"}):
        witness = encoded(D, long_text(texts), tokenizer(D, spelt))
        if witness is not None:
            return witness
    return None


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 40 of the 9,198 small lists, with all their texts."""
    return check.sweep(worlds.every_world(), lambda D: holds_compiled(D, worlds.texts(D)), worlds.WORLDS, 40 * every,
                       len(worlds.WORDS))


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds())
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def test_control_the_first_rule_alone() -> None:
    """The pair that the first rule puts together, taken for all that tokens have."""
    def found(D: Dictionary, s: str, tokenize: Function) -> list[int]:
        joined = {(x[-1], y[0]) for x, y in D.rules[:1]}
        return [i for i in range(1, len(s)) if (s[i - 1], s[i]) not in joined]

    assert check.first(worlds.every_world(), lambda D: predicate(D, worlds.texts(D), found, bpe.T)) == (
        (("a", "a"), ("a", "b")), "ab", [1], ["a", "b"], ["ab"])


def test_control_the_ends_of_the_tokens_of_a_beginning() -> None:
    """As if a token that a beginning ends with stayed."""
    def found(D: Dictionary, s: str, tokenize: Function) -> list[int]:
        return [i for i in range(1, len(s)) if tokenize(D, s[:i])[-1] in {z for z in D.tokens if len(z) > 1}]

    assert check.first(worlds.every_world(), lambda D: predicate(D, worlds.texts(D), found, bpe.T)) == (
        (("a", "a"), ("b", "a")), "baa", [2], ["ba", "a"], ["b", "aa"])


def test_control_cut_before_each_b() -> None:
    """Its tokens, for those of the tokenizer."""
    def encode(D: Dictionary, s: str) -> list[str]:
        return [z for part in s.replace("b", " b").split() for z in incbpe.rank_bpe(dictionary(D), part)]

    assert check.first(worlds.pair_worlds(), lambda D: encoded(
        D, long_text(worlds.texts(D)), lambda s: encode(D, s))) == ((("a", "b"),), 0, ["a"], ["ab"])


# Limits
#   The pairs of real vocabularies, and whole texts, are in tests/.

if __name__ == "__main__":
    check.alone(__file__)
