"""Proposition 11: what may come of the unstable end of a text.

Statement
    Tokens w and z stand side by side, T(wz) = [w, z], or they do not; for canonical w and z a walk along their boundary
    tells (proposition 6). However s goes on, T(su) is T(s[:b]) and then a token that goes beyond s, for one of these
    pairs: b, and a canonical z that properly extends s[b:] and stands behind θ(s[:b]); or it has T(s) for a beginning.
    Every such z comes of some u. `stable` tokens, those that all these share, are what the maximal criterion releases.

Why
    A token that begins at b and goes beyond s extends s[b:], and stands behind what is before it (Lemma 3.1). If z does,
    each two neighbours of T(s[:b]) ⊕ [z] stand side by side, so that this is T of its text (as in proposition 5).
"""
from typing import Any

import incbpe
from incbpe.unstable import Unstable
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary, Tokenizer

Ends = list[tuple[int, list[str]]]


# Predicate
def predicate(D: Dictionary, texts: list[str], continuations: Any, stable: Any, tokenize: Tokenizer = bpe.T) -> Any:
    """None if for each text the pairs and the number of stable tokens are as defined, else the text and both."""
    for s in texts:
        expected: Ends = [(b, [z for z in bpe.extended(D, s[b:], tokenize) if bpe.θ(D, s[:b] + z, tokenize) == z])
                          for b in range(len(s))]
        expected = [pair for pair in expected if pair[1]] + [(len(s), [])]
        if continuations(s) != expected:
            return worlds.shown(D), s, continuations(s), expected
        if stable(s) != len(bpe.eager(D, s, "maximal", tokenize)):
            return worlds.shown(D), s, stable(s), len(bpe.eager(D, s, "maximal", tokenize))
    return None


def side_by_side(D: Dictionary, pair: Any, tokenize: Tokenizer = bpe.T) -> Any:
    """None if `pair` says of every two canonical tokens whether they stay so side by side, else the first two."""
    tokens = sorted(bpe.canonical(D, tokenize), key=lambda z: (len(z), z))
    return next(((worlds.shown(D), w, z, pair(w, z)) for w in tokens for z in tokens
                 if pair(w, z) != bpe.pairs_with(D, w, z, tokenize)), None)


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    layer = Compiled(D)
    return next(filter(None, (
        side_by_side(D, Unstable(N).pair, tokenize) or predicate(
            D, texts, lambda s, N=N: incbpe.Prefixes(N, s).continuations(),
            lambda s, N=N: incbpe.Prefixes(N, s).stable(), tokenize)
        for N, tokenize in ((layer.N, bpe.T), (layer.rank, bpe.PQ)))), None)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 20 of the 9,198 lists: every two tokens, and one in five of their texts."""
    return check.sweep(worlds.every_world(), lambda D: holds_compiled(D, worlds.texts(D)[::-5]), worlds.WORLDS,
                       20 * every, 12)


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(texts=1, longest=12, unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    D, texts = world
    check.hold(holds_compiled(D, [s for s in texts if worlds.UNKNOWN not in s[-12:]]))


# Control
def test_control_no_rule_for_the_two() -> None:
    """Two tokens of which no rule is made may still fall: parts of them merge earlier."""
    found = check.first(worlds.every_world(), lambda D: side_by_side(D, lambda w, z: (w, z) not in D.rules))
    assert found == ((("a", "a"),), "a", "aa", True)


def test_control_all_that_extend() -> None:
    """Whatever extends the end of the text, whether it stands behind what is before or not."""
    def ends(D: Dictionary, s: str) -> Ends:
        return [(b, found) for b in range(len(s)) if (found := bpe.extended(D, s[b:]))] + [(len(s), [])]

    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda s: ends(D, s), lambda s: len(bpe.eager(D, s, "maximal"))))
    assert found == ((("a", "a"),), "aa", [(1, ["aa"]), (2, [])], [(2, [])])


def test_control_stable_by_the_chain() -> None:
    def right(D: Dictionary, s: str) -> Ends:
        return [(b, found) for b in range(len(s)) if (found := [
            z for z in bpe.extended(D, s[b:]) if bpe.θ(D, s[:b] + z) == z])] + [(len(s), [])]

    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda s: right(D, s), lambda s: len(bpe.eager(D, s, "chain"))))
    assert found == ((("a", "a"),), "aa", 0, 1)


# Limits
#   What may follow by a pre-tokenizer's pattern is proposition 12.

if __name__ == "__main__":
    check.alone(__file__)
