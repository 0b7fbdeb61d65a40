"""Proposition 17: the tokenizer, its prefixes and its streams are rank BPE, whatever the symbols are.

Statement
    Rename the atoms of D, and the symbols of the texts with them, to bytes or to characters: T and PQ are renamed, and
    no more. So BPE gives for every text what PQ gives, over bytes of which two make one character or none, and over
    characters of several bytes; the spans of its tokens are where they stand; the tokens of all prefixes are those of
    `prefixes`, and a stream, fed in any way, gives the same tokens, never taken back.

Why
    No definition looks into a symbol. Over bytes an atom is a byte, valid UTF-8 or not; over characters the automaton
    reads bytes, and the prefix code sees to it that tokens match at characters only (as in proposition 8 of the first
    paper).
"""
from itertools import pairwise
from typing import Any

import incbpe
from incbpe.pretokenize import Splitter
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.definitions import bpe
from proofs.definitions.bpe import PQ, Dictionary

BYTES = (b"ab", b"\xc3\xa9", b"\xff\x00")
"""Two letters; the two bytes of one character, of which no other order is one; two bytes of no character at all."""
CHARACTERS = ("ab", "éè", "漢a", "😀é")


# Predicate
def predicate(D: Dictionary, texts: list[str], encode: Any) -> Any:
    """None if each text's tokens, spans, prefixes' tokens and stream are PQ's; else the text and what they are."""
    for s in texts:
        tokens = PQ(D, s)
        ends = [len("".join(tokens[:k])) for k in range(len(tokens) + 1)]
        expected = (tokens, list(pairwise(ends)), [PQ(D, x) for x in ["", *bpe.prefixes(s)]], tokens)
        found = encode(s)
        if found != expected:
            return worlds.shown(D), s, found, expected
    return None


class OfBytes:
    """The compiled tokenizer over two bytes for a and b; prefixes and streams by the notation layer of its rules, since
    the tokenizer's own are of characters.
    """

    def __init__(self, D: Dictionary, pair: bytes) -> None:
        self.code = dict(zip("ab", (pair[:1], pair[1:]), strict=True))
        self.names = sorted(D.tokens)
        self.tokenizer = tokenizer([self.spelt(z) for z in self.names],
                                   [(self.spelt(x), self.spelt(y)) for x, y in D.rules])
        self.N = self.tokenizer.normalized()

    def spelt(self, s: str) -> bytes:
        return b"".join(self.code[c] for c in s)

    def __call__(self, s: str) -> Any:
        data = self.spelt(s)
        P: Any = incbpe.Prefixes(self.N, data)
        stream = incbpe.PieceOutput(self.N, Splitter("none"))
        streamed = [z for k in range(len(data)) for z in stream.feed(data[k:k + 1])] + stream.finish()
        tokens = [self.tokenizer.token_bytes(i) for i in self.tokenizer.encode_bytes(data)]
        ends = [len(b"".join(tokens[:k])) for k in range(len(tokens) + 1)]
        return (list(map(self.named, tokens)), list(pairwise(ends)),
                [list(map(self.named, P.tokens(i))) for i in range(len(data) + 1)], list(map(self.named, streamed)))

    def named(self, token: bytes) -> str:
        return next("".join(s) for s in [[c for b in token for c, code in self.code.items() if code == bytes((b,))]])


class OfCharacters:
    """The compiled tokenizer over two characters for a and b."""

    def __init__(self, D: Dictionary, pair: str) -> None:
        self.table = str.maketrans("ab", pair)
        self.names = sorted(D.tokens)
        self.tokenizer = tokenizer([z.translate(self.table) for z in self.names],
                                   [(x.translate(self.table), y.translate(self.table)) for x, y in D.rules])

    def __call__(self, s: str) -> Any:
        text, t = s.translate(self.table), self.tokenizer
        P, stream = t.prefixes(text), t.stream()
        streamed = [i for c in text for i in stream.feed(c)] + list(stream.finish())
        if [*map(list, t.encode_batch([text, text]))] != 2 * [list(t.encode(text))] or t.count(text) != P.count():
            return "a batch, or a count", t.count(text)
        return (self.named(t.encode(text)), t.spans(text),
                [self.named(P.tokens(P.at_char(k))) for k in range(len(text) + 1)], self.named(streamed))

    def named(self, ids: Any) -> list[str]:
        return [self.names[i] for i in ids]


def tokenizer(tokens: Any, merges: Any) -> Any:
    return incbpe.BPE(incbpe.Config(incbpe.Model(tuple(tokens), tuple(merges)), "tokenizers", "none"))


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    return next(filter(None, (predicate(D, texts, encode) for encode in (
        *(OfBytes(D, pair) for pair in BYTES), *(OfCharacters(D, pair) for pair in CHARACTERS)))), None)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 80 of the 9,198 lists, in three spellings by bytes and four by characters; one in nine of their texts."""
    return check.sweep(worlds.every_world(), lambda D: holds_compiled(D, worlds.texts(D)[::-9]), worlds.WORLDS,
                       80 * every, 7)


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(texts=2, longest=12, which=lambda D: D.atoms <= set("ab")))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def plain(D: Dictionary, s: str, fault: str) -> Any:
    """The definitions, with a fault, over two-byte characters."""
    tokens = bpe.T(D, s) if fault == "equation 1" else PQ(D, s)
    width = 2 if fault == "spans in bytes" else 1
    ends = [width * len("".join(tokens[:k])) for k in range(len(tokens) + 1)]
    of_prefixes = [PQ(D, x) for x in ["", *bpe.prefixes(s)]]
    if fault == "cut tokens":
        of_prefixes = [[z for k, z in enumerate(tokens) if len("".join(tokens[:k + 1])) <= i] for i in range(len(s) + 1)]
    streamed = [z for c in s for z in PQ(D, c)] if fault == "a symbol at a time" else tokens
    return tokens, list(pairwise(ends)), of_prefixes, streamed


def control(fault: str) -> Any:
    return check.first(worlds.every_world(), lambda D: predicate(D, worlds.texts(D), lambda s: plain(D, s, fault)))


def test_control_equation_1() -> None:
    assert control("equation 1") == ((("a", "ab"), ("a", "b")), "aab", (["a", "ab"], [(0, 1), (1, 3)], [[], ["a"], ["a", "a"], ["aab"]], ["a", "ab"]), (["aab"], [(0, 3)], [[], ["a"], ["a", "a"], ["aab"]], ["aab"]))


def test_control_spans_in_bytes() -> None:
    assert control("spans in bytes") == ((), "a", (["a"], [(0, 2)], [[], ["a"]], ["a"]), (["a"], [(0, 1)], [[], ["a"]], ["a"]))


def test_control_prefixes_by_the_tokens_of_the_text() -> None:
    assert control("cut tokens") == ((("a", "a"),), "aa", (["aa"], [(0, 2)], [[], [], ["aa"]], ["aa"]), (["aa"], [(0, 2)], [[], ["a"], ["aa"]], ["aa"]))


def test_control_a_stream_of_single_symbols() -> None:
    assert control("a symbol at a time") == ((("a", "a"),), "aa", (["aa"], [(0, 2)], [[], ["a"], ["aa"]], ["a", "a"]), (["aa"], [(0, 2)], [[], ["a"], ["aa"]], ["aa"]))


# Limits
#   One piece of text. Patterns, normalizers, added tokens and byte fallback are in tests/.

if __name__ == "__main__":
    check.alone(__file__)
