"""Proposition 7: three criteria of eager output, each exactly what it says, and the last one maximal.

Statement
    After s, the tokens in the common prefix of T(s[:b]) are released, for all b of window: [|s| - d, |s|]; chain: those
    of them where s[b:] is a proper prefix of a canonical token, and |s|; maximal: those where some canonical z properly
    extends s[b:] with θ(s[:b] z) = z, and |s|. reference ⊂ window ⊂ chain ⊂ maximal, each strictly, and maximal is all
    that every continuation agrees on. The streaming forms release exactly these, after every symbol; the same is true
    of rank BPE, of a stream of bytes that is one piece, and of all prefixes of a text that is known.

Why
    A token z of T(su) that begins at b < |s| and reaches over |s| properly extends s[b:], and θ(s[:b] z) = z by Lemma
    3.1; where that holds, what z has beyond s is a continuation u, and T(su) is T(s[:b]) ⊕ [z]. So what all
    continuations agree on is what maximal releases. Each set of b holds the next. Streaming: the prefixes of s are a
    tree, b below b - |θ_b|, and T(s[:b]) is the way to b: what all b share is the way from the root to the first branch
    or end.
"""
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import incbpe
from incbpe.pretokenize import Splitter
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_algorithms import EagerStream, Normal
from proofs.bpe_compiled import Compiled
from proofs.bpe_section_6_eager_output import CRITERIA, PQ, T, compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary, Tokenizer

Released = Callable[[str], list[list[str]]]
Ends = Callable[[str], list[list[int]]]


# Predicate
def predicate(D: Dictionary, texts: list[str], criterion: str, released: Released, tokenize: Tokenizer = T) -> Any:
    """None if after each prefix of each text exactly the criterion's tokens are out, else the first prefix, how many
    are out, and how many should be.
    """
    for s in texts:
        out: list[str] = []
        for x, more in zip(bpe.prefixes(s), released(s), strict=False):
            out = [*out, *more]
            expected = bpe.eager(D, x, criterion, tokenize)
            if out != expected:
                return worlds.shown(D), x, len(out), len(expected)
    return None


def nested_and_maximal(D: Dictionary, texts: list[str], tokenize: Tokenizer = T, eager: Any = bpe.eager) -> Any:
    """None if each criterion releases no more than the next, and the last what all continuations agree on."""
    longest = max(map(len, D.tokens), default=1)
    for s in texts:
        out = [eager(D, s, criterion, tokenize) for criterion in ("reference", *CRITERIA)]
        agreed = bpe.agreed(D, s, longest - 1, tokenize)
        if out[-1] != agreed or any(x != y[:len(x)] for x, y in pairwise(out)):
            return worlds.shown(D), s, out, agreed
    return None


def ends_of_prefixes(D: Dictionary, texts: list[str], ends: Ends, tokenize: Tokenizer = T) -> Any:
    """None if the b at which what is beyond each prefix of each text may begin are those of maximal, else the first
    prefix, what was found, and what should be.
    """
    for s in texts:
        for x, found in zip(bpe.prefixes(s), ends(s), strict=True):
            expected = bpe.maximal_ends(D, x, tokenize)
            if found != expected:
                return worlds.shown(D), x, found, expected
    return None


def ends_compiled(N: Any) -> Ends:
    """By the token prefix tree of the whole text."""
    def ends(s: str) -> list[list[int]]:
        P = incbpe.Prefixes(N, s)
        return [[b for b, _ in P.continuations(i)] for i in range(1, len(s) + 1)]

    return ends


def in_one_piece(D: Dictionary, semantics: Any, criterion: Any) -> Released:
    """Through a pre-tokenizer that splits nothing."""
    found = incbpe.Dictionary([z.encode() for z in sorted(D.tokens)], [(x.encode(), y.encode()) for x, y in D.rules])
    N, splitter = incbpe.normalize(found, semantics), Splitter("none")

    def released(s: str) -> list[list[str]]:
        out = incbpe.PieceOutput(N, splitter, criterion)
        return [[z.decode() for z in out.feed(c.encode())] for c in s]

    return released


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    layer = Compiled(D)
    for semantics, N, tokenize in (("equation", layer.N, T), ("rank", layer.rank, PQ)):
        witness = nested_and_maximal(D, texts, tokenize) or next(filter(None, (
            predicate(D, texts, criterion, released, tokenize) for criterion in CRITERIA
            for released in (compiled(N, criterion), in_one_piece(D, semantics, criterion)))), None)
        witness = witness or ends_of_prefixes(D, texts, ends_compiled(N), tokenize)
        if witness is not None:
            return witness
    return None


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in ten of the 1,957 lists of splits of a…aaaa on a…aaaaaaaaa, and one in 100 of 7,241 lists over {a, b}."""
    count = check.sweep(worlds.run_worlds(), lambda D: holds_compiled(D, worlds.RUNS[-1:]), worlds.RUN_WORLDS,
                        10 * every, 9)
    return count + check.sweep(worlds.pair_worlds(), lambda D: holds_compiled(D, worlds.WORDS[-32:]),
                               worlds.PAIR_WORLDS, 100 * every, len(worlds.WORDS))


def test_exhaustive() -> None:
    exhaustive()


def test_the_smallest_gaps() -> None:
    """Each criterion releases more than the one before it: the smallest worlds where it does."""
    def gap(less: str, more: str) -> Any:
        return check.first(worlds.worlds_and_texts(worlds.every_world()), lambda world: None if (
            counts := [len(bpe.eager(world[0], world[1], criterion)) for criterion in (less, more)])[0] == counts[1]
            else (world[0].rules, world[1]))

    assert gap("reference", "window") == ((), "aa")
    assert gap("window", "chain") == ((), "a")
    assert gap("chain", "maximal") == ((("a", "a"),), "aa")


# Random
@worlds.given(worlds.random_worlds(
    texts=1, longest=12, unknown=True,
    which=lambda D: len(D.atoms) ** max(map(len, D.tokens), default=0) <= 64))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def plain(criterion: str, fault: str | None) -> Any:
    def holds(D: Dictionary) -> Any:
        N = Normal(D)

        def released(s: str) -> list[list[str]]:
            e = EagerStream(N, criterion, fault)
            return [e.feed(c) for c in s]

        return predicate(D, worlds.texts(D), criterion, released)

    return check.first(worlds.every_world()[::1 if fault else 150], holds)


def test_the_plain_streams_are_right() -> None:
    assert plain("window", None) is None
    assert plain("chain", None) is None


def test_control_not_the_only_child() -> None:
    """The root advances to its latest living child, though others live."""
    found = plain("window", "not the only child")
    assert found == ((("a", "a"),), "aaa", 1, 0)


def test_control_the_root_may_still_be_an_end() -> None:
    """The root advances to its only child, though the last token may yet begin at the root."""
    found = plain("window", "the root may still be an end")
    assert found == ((), "a", 1, 0)


def test_control_whatever_extends_may_come() -> None:
    """Every b where a canonical token extends s[b:] is taken, though no such token may stand there."""
    def ends(D: Dictionary) -> Ends:
        return lambda s: [bpe.chain_ends(D, x) for x in bpe.prefixes(s)]

    found = check.first(worlds.every_world(), lambda D: ends_of_prefixes(D, worlds.texts(D), ends(D)))
    assert found == ((("a", "a"),), "aa", [1, 2], [2])


def test_control_an_interval_for_the_chain() -> None:
    """The positions of the chain criterion taken for all from the first on."""
    found = plain("chain", "an interval")
    assert found == ((("a", "b"), ("ab", "a")), "abab", 0, 1)


def test_control_the_chain_taken_for_maximal() -> None:
    def eager(D: Dictionary, s: str, criterion: str, tokenize: Tokenizer) -> list[str]:
        return bpe.eager(D, s, "chain" if criterion == "maximal" else criterion, tokenize)

    found = check.first(worlds.every_world(), lambda D: nested_and_maximal(D, worlds.texts(D), T, eager))
    assert found == ((("a", "a"),), "aa", [[], [], [], []], ["aa"])


def test_control_the_chain_before_the_window() -> None:
    """Nested the other way round."""
    def eager(D: Dictionary, s: str, criterion: str, tokenize: Tokenizer) -> list[str]:
        return bpe.eager(D, s, {"window": "chain", "chain": "window"}.get(criterion, criterion), tokenize)

    found = check.first(worlds.every_world(), lambda D: nested_and_maximal(D, worlds.texts(D), T, eager))
    assert found == ((), "a", [[], ["a"], [], ["a"]], ["a"])


# Limits
#   No delay is bounded by any safe criterion: rules (w, x), (v, w), …, (a, b) hold back all of ab…x. What a stream
#   costs is not counted here.

if __name__ == "__main__":
    check.alone(__file__)
