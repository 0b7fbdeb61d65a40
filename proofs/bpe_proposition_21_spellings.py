"""Proposition 21: what a symbol is spelt with changes nothing.

Statement
    A dictionary of characters whose UTF-8 has several bytes, and a dictionary of bytes, give for a text spelt so what
    the definitions give for its letters: T, PQ, the last tokens of all prefixes by every search, prefixes with their
    tokens, numbers of tokens and indices, and eager output by every criterion. Unknown symbols of two, three and four
    bytes come back as they are.

Why
    The automaton reads bytes, and counts a symbol where its last byte is read. UTF-8 is a prefix code, so a canonical
    token ends where a symbol does, and no state within a symbol has a token.
"""
from collections.abc import Callable
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.definitions import bpe
from proofs.definitions.bpe import PQ, Dictionary, T, Tokenizer

Spelling = Callable[[str], Any]
LETTERS = str.maketrans({"a": "é", "b": "è", "c": "漢", "d": "字"})
UNKNOWNS = ("ê", "€", "😀")
"""They begin as é does, or as no letter."""


def accented(unknown: str) -> Spelling:
    """Letters of two and three bytes that share bytes, and an unknown symbol."""
    return lambda s: s.replace(worlds.UNKNOWN, unknown).translate(LETTERS)


SPELLINGS: dict[str, Spelling] = {"bytes": lambda s: s.encode()} | {unknown: accented(unknown) for unknown in UNKNOWNS}


def answers(D: Dictionary, s: str, tokenize: Tokenizer) -> dict[str, Any]:
    """What is to be known of a text, by the definitions."""
    prefixes = ["", *bpe.prefixes(s)]
    tokens = [tokenize(D, x) for x in prefixes]
    order = sorted(D.tokens)
    return {
        "tokens": tokens[-1], "θ": [z[-1] for z in tokens[1:]], "prefixes": tokens, "counts": [len(z) for z in tokens],
        "ids": [order.index(z[-1]) if z and z[-1] in order else -1 for z in tokens],
        **{criterion: bpe.eager(D, s, criterion, tokenize) for criterion in ("window", "chain", "maximal")}}


def compiled(made: Any, s: Any, semantics: Any) -> dict[str, Any]:
    """The same by the compiled layer, of a spelt text."""
    N = incbpe.normalize(made, semantics)
    P: Any = incbpe.Prefixes(N, s)
    ways: list[Any] = ["pairs"] if N.form == "pairs" else ["longest", "root", "centroid"]
    readers: list[Any] = [incbpe.Incremental(N, way) for way in ways]
    thetas = [[reader.feed(s[k:k + 1]) for k in range(len(s))] for reader in readers]
    assert thetas[1:] == thetas[:-1] and thetas[0] == incbpe.theta(N, s)
    assert all(reader.thetas() == thetas[0] and reader.tokens() == P.tokens() for reader in readers)
    out: dict[str, list[Any]] = {}
    for criterion in ("window", "chain", "maximal"):
        e: Any = incbpe.EagerOutput(N, criterion)
        out[criterion] = [z for k in range(len(s)) for z in e.feed(s[k:k + 1])]
        assert out[criterion] + e.finish() == P.tokens()
    return {"tokens": (incbpe.T if semantics == "equation" else incbpe.rank_bpe)(made, s), "θ": thetas[0],
            "prefixes": [P.tokens(i) for i in range(len(s) + 1)], "counts": [P.count(i) for i in range(len(s) + 1)],
            "ids": P.ids, **out}


def spelt(value: Any, spell: Spelling) -> Any:
    """An answer with every text in it spelt."""
    if isinstance(value, str):
        return spell(value)
    return [spelt(part, spell) for part in value] if isinstance(value, list) else value


# Predicate
def predicate(D: Dictionary, texts: list[str], name: str, answer: Callable[[Any, Any, Any], dict[str, Any]]) -> Any:
    """None if for each text spelt by one of SPELLINGS the answers are the definitions', spelt; else what is not."""
    spell = SPELLINGS[name]
    made = incbpe.Dictionary([spell(z) for z in sorted(D.tokens)], [(spell(x), spell(y)) for x, y in D.rules])
    for s in texts:
        for semantics, tokenize in (("equation", T), ("rank", PQ)):
            found = answer(made, spell(s), semantics)
            for what, expected in answers(D, s, tokenize).items():
                if found[what] != spelt(expected, spell):
                    return worlds.shown(D), s, name, semantics, what, found[what], spelt(expected, spell)
    return None


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    return next(filter(None, (predicate(D, texts, name, compiled) for name in SPELLINGS)), None)


WITH_UNKNOWNS = ["ab?aab", "?abb?", "bab"]


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 40 of the 7,241 lists over {a, b}, and one in ten of the 485 grown ones, each spelt in four ways."""
    return check.sweep(worlds.pair_worlds(), lambda D: holds_compiled(D, WITH_UNKNOWNS), worlds.PAIR_WORLDS, 40 * every,
                       len(WITH_UNKNOWNS)) + check.sweep(
        worlds.grown_worlds(), lambda D: holds_compiled(D, WITH_UNKNOWNS), worlds.GROWN_WORLDS, 10 * every,
        len(WITH_UNKNOWNS))


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(texts=1, longest=16, unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def test_control_an_unknown_symbol_byte_by_byte() -> None:
    def careless(made: Any, s: Any, semantics: Any) -> dict[str, Any]:
        found = compiled(made, s, semantics)
        return found | {"counts": [count + x.count("€") * 2 for count, x in zip(
            found["counts"], ["", *bpe.prefixes(s)], strict=True)]}

    found = check.first(worlds.pair_worlds(), lambda D: predicate(D, ["a?"], "€", careless))
    assert found == ((), "a?", "€", "equation", "counts", [0, 1, 4], [0, 1, 2])


# Limits
#   Bytes that are no UTF-8 are in proposition 17, which reads them through the tokenizer.

if __name__ == "__main__":
    check.alone(__file__)
