"""Proposition 9: the longest prefix within a number of tokens, and a text split by it.

Statement
    longest_within(m) is the largest i for which T(s[:i]) has at most m tokens. As i grows the number may fall, so that
    the first prefix with more than m tokens does not say where to stop. split(m) takes the longest such prefix again
    and again, of what is left, read by itself; the parts together are the text, and every one has at most m tokens.

Why
    By definition; all counts are known from the token prefix tree (proposition 8). They fall where one token takes the
    place of several: aab is one token by rules (a, b), (a, ab), and aa is two.
"""
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary, Tokenizer


# Predicate
def predicate(D: Dictionary, texts: list[str], within: Any, split: Any, tokenize: Tokenizer = bpe.T) -> Any:
    """None if for each text and limit both are as defined, else the text, the limit and both answers."""
    for s in texts:
        for m in range(len(s) + 1):
            if within(s, m) != longest_within(D, s, m, tokenize):
                return worlds.shown(D), s, m, within(s, m), longest_within(D, s, m, tokenize)
            if m and split(s, m) != parts(D, s, m, tokenize):
                return worlds.shown(D), s, m, split(s, m), parts(D, s, m, tokenize)
    return None


def longest_within(D: Dictionary, s: str, m: int, tokenize: Tokenizer = bpe.T) -> int:
    return max(i for i in range(len(s) + 1) if len(tokenize(D, s[:i])) <= m)


def parts(D: Dictionary, s: str, m: int, tokenize: Tokenizer = bpe.T) -> list[str]:
    end = longest_within(D, s, m, tokenize)
    return [s[:end], *parts(D, s[end:], m, tokenize)] if s else []


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    layer = Compiled(D)
    return next(filter(None, (predicate(
        D, texts, lambda s, m, N=N: incbpe.Prefixes(N, s).longest_within(m),
        lambda s, m, N=N: incbpe.Prefixes(N, s).split(m), tokenize)
        for N, tokenize in ((layer.N, bpe.T), (layer.rank, bpe.PQ)))), None)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 40 of the 9,198 lists, one in three of their texts, every limit."""
    return check.sweep(worlds.every_world(), lambda D: holds_compiled(D, worlds.texts(D)[::-3]), worlds.WORLDS,
                       40 * every, 20)


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(texts=1, longest=16, unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def first_beyond(D: Dictionary, s: str, m: int) -> int:
    """Where the first prefix with more tokens than m begins to have them."""
    return next((i - 1 for i in range(len(s) + 1) if len(bpe.T(D, s[:i])) > m), len(s))


def test_control_stopped_at_the_first_prefix_with_more() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda s, m: first_beyond(D, s, m), lambda s, m: parts(D, s, m)))
    assert found == ((("a", "a"), ("b", "aa")), "baa", 1, 1, 3)


def test_control_so_many_tokens_of_the_text() -> None:
    """The tokens of the whole text, m at a time: within the limit, and shorter than need be."""
    def chunks(D: Dictionary, s: str, m: int) -> list[str]:
        tokens = bpe.T(D, s)
        return ["".join(tokens[k:k + m]) for k in range(0, len(tokens), m)]

    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda s, m: longest_within(D, s, m), lambda s, m: chunks(D, s, m)))
    assert found == ((("a", "a"), ("b", "a")), "baa", 1, ["b", "aa"], ["ba", "a"])


# Limits
#   That the parts be cut at characters, and limits on texts that are split into pieces first, are in tests/.

if __name__ == "__main__":
    check.alone(__file__)
