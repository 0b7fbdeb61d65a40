"""Proposition 27: behind the tokens that are out a text is as good as a new one.

Statement
    Let a criterion, window, chain or maximal, have released the tokens R after x, and let x = r q, R being the tokens of
    r. Then after any y that begins with x = r q it has released R and what it releases, of q and what follows it alone,
    a text that begins there. Where x = r q with a seam between r and q, which no token reaches across, all tokens of r
    are out after x by each criterion. So a stream may forget what is out, and whatever has come before a seam, and find
    what is certain behind it from the θ of that alone: the deepest position that all open ones descend from, open at the
    end of what has come. The tokenizer's streams, by the engine, give what eager output gives that reads symbol by symbol.

Why
    T(xu) begins with R for every u, since what is released is safe, so that the rest of it is T of q u (Lemma 3.1). For
    the positions b that the criterion counts after y, T(y[:b]) begins with R, which is what they have in common after x
    and keep; so b is in q u, where the same b are counted: the suffixes from there are the same, and by maximal a token
    that stands behind q's beginning stands behind R, for it and what is before it is a text that begins with x. No suffix
    from before a seam is the beginning of a token, so that none of these b is.
"""
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_proposition_26_seams import seams
from proofs.bpe_section_6_eager_output import CRITERIA, PQ, T
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary, Tokenizer

Out = Callable[[Dictionary, str, str, Tokenizer], list[str]]
Counts = Callable[[list[str]], list[int]]


# Predicate
def predicate(D: Dictionary, texts: list[str], criterion: str, tokenize: Tokenizer, out: Out = bpe.eager) -> Any:
    """None if after all that follows each prefix of each text what is out is what was, and that of the rest; else both
    texts, and the two.
    """
    for s in texts:
        for x in bpe.prefixes(s):
            released = out(D, x, criterion, tokenize)
            r = len("".join(released))
            for y in bpe.prefixes(s)[len(x) - 1:]:
                found = released + (bpe.eager(D, y[r:], criterion, tokenize) if y[r:] else [])
                expected = bpe.eager(D, y, criterion, tokenize)
                if found != expected:
                    return worlds.shown(D), x, y, found, expected
    return None


def before_a_seam(D: Dictionary, texts: list[str], criterion: str, tokenize: Tokenizer, found: Any = seams) -> Any:
    """None if all tokens before each text's last seam are out after the text; else the text, what is, and what should be."""
    for s in texts:
        for i in found(D, s, tokenize)[-1:]:
            released = bpe.eager(D, s, criterion, tokenize)
            if released[:len(tokenize(D, s[:i]))] != tokenize(D, s[:i]):
                return worlds.shown(D), s, i, released, tokenize(D, s[:i])
    return None


def in_time(N: Any, parts: list[bytes], criterion: Any, feed: Counts) -> Any:
    """None if so many bytes are out after each part as eager output has out; else after how many bytes not, and both."""
    e: Any = incbpe.EagerOutput(N, criterion)
    came = 0
    for part, count in zip(parts, feed([part.decode() for part in parts]), strict=True):
        e.extend(part)
        came += len(part)
        if count != e.final:
            return criterion, came, count, e.final
    return None


def tokenizer(D: Dictionary, pattern: str) -> Any:
    """The compiled tokenizer, over bytes."""
    atoms = [bytes((byte,)) for byte in range(256)]
    names = [*atoms, *sorted(z.encode() for z in D.tokens if len(z) > 1)]
    rules = tuple((x.encode(), y.encode()) for x, y in D.rules)
    return incbpe.BPE(incbpe.Config(incbpe.Model(tuple(names), rules), "tokenizers", pattern))


def by_stream(made: Any, criterion: str) -> Counts:
    def counts(parts: list[str]) -> list[int]:
        stream, covered, found = made.stream(criterion=criterion), 0, []
        for part in parts:
            covered += sum(len(made.token_bytes(i)) for i in stream.feed(part))
            stream.check()
            found.append(covered)
        return found

    return counts


def parts_of(texts: list[str]) -> list[bytes]:
    """A text in parts, some of so many bytes that the engine reads them, some of few."""
    text = "".join(texts)
    long = (text * (600 // len(text) + 1)).encode()
    return [long[i:k] for i, k in pairwise((0, 3, 310, 311, 330, 600))]


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    for tokenize in (T, PQ):
        for criterion in CRITERIA:
            witness = predicate(D, texts, criterion, tokenize) or before_a_seam(D, texts, criterion, tokenize)
            if witness is not None:
                return witness
    for pattern in ("none", "gpt2"):
        made = tokenizer(D, pattern)
        for criterion in CRITERIA:
            witness = in_time(made.normalized(), parts_of(texts), criterion, by_stream(made, criterion))
            if witness is not None:
                return worlds.shown(D), pattern, *witness
    return None


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 40 of the 1,957 lists of splits of a…aaaa, and one in 300 of the 7,241 lists over {a, b}."""
    count = check.sweep(worlds.run_worlds(), lambda D: holds_compiled(D, worlds.RUNS[-1:]), worlds.RUN_WORLDS, 40 * every)
    return count + check.sweep(worlds.pair_worlds(), lambda D: holds_compiled(D, worlds.WORDS[-32:]), worlds.PAIR_WORLDS,
                               300 * every, 32)


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(
    texts=1, longest=9, which=lambda D: len(D.atoms) ** max(map(len, D.tokens), default=0) <= 64))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    D, texts = world
    check.hold(holds_compiled(D, [s for s in texts if s] or ["a"]))


# Control
def wrong(criterion: str, out: Out) -> Any:
    return check.first(worlds.every_world(), lambda D: predicate(D, worlds.texts(D), criterion, T, out))


def test_control_behind_the_last_token_but_one() -> None:
    """As if all tokens but the last were certain."""
    found = wrong("chain", lambda D, x, criterion, tokenize: tokenize(D, x)[:-1])
    assert found == ((("a", "a"), ("b", "a")), "baa", "baa", ["b"], [])


def test_control_behind_the_last_token() -> None:
    found = wrong("maximal", lambda D, x, criterion, tokenize: tokenize(D, x))
    assert found == ((("a", "a"),), "a", "a", ["a"], [])


def test_control_any_boundary_for_a_seam() -> None:
    def found(D: Dictionary, s: str, tokenize: Tokenizer) -> list[int]:
        return [len(s) - len(z) for z in tokenize(D, s)[-1:] if z != s]

    assert check.first(worlds.every_world(), lambda D: before_a_seam(D, worlds.texts(D), "chain", T, found)) == (
        (("a", "a"), ("b", "a")), "baa", 1, [], ["b"])


def test_control_all_held_back() -> None:
    """A stream that gives nothing before the end, for one that is in time."""
    found = check.first(worlds.every_world(), lambda D: in_time(
        tokenizer(D, "none").normalized(), parts_of(worlds.texts(D)), "chain", lambda parts: [0 for _ in parts]))
    assert found == ("chain", 3, 0, 3)


# Limits
#   Real vocabularies, and pieces that may end at a mark, are in tests/.

if __name__ == "__main__":
    check.alone(__file__)
