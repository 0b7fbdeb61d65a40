"""Proposition 10: over the bytes of UTF-8 everything is as over characters.

Statement
    The trie over bytes has a node for each prefix of the UTF-8 of V ∪ {♯}, cut anywhere, with that string and, where it
    is all of a token, the token. LinMaxMatch and the transducer on it give for every word what the original WordPiece
    gives; a symbol of no token, also a lone surrogate, is unknown there too.

Why
    UTF-8 is a prefix code: a token's bytes match where its characters do, and nowhere within a character. A node within
    a character holds no token, and no edge leads there from a word's characters but along one that shares its bytes.
"""
from collections.abc import Callable
from functools import partial
from typing import Any

import linmaxmatch as lmm
from proofs import check, worlds
from proofs.compiled import FORMS, vocabulary
from proofs.definitions import two_roots, wordpiece
from proofs.definitions.wordpiece import Vocabulary, original_wordpiece

WORDS = worlds.strings("éè", 4)
LETTERS = str.maketrans({"a": "é", "b": "è", "?": "€"})
"""Two letters that share their first byte, and <unk> of three bytes."""


def encoded(V: Vocabulary) -> Vocabulary:
    """A world of the enumerations with letters of two bytes."""
    return Vocabulary(frozenset(token.translate(LETTERS) for token in V.tokens),
                      V.suffix_indicator.translate(LETTERS), V.unk_token.translate(LETTERS))


# Predicate
def predicate(V: Vocabulary, words: list[str], tokenize: Callable[[str], list[str]]) -> Any:
    """None if a tokenizer gives what the original WordPiece gives for all words."""
    for w in words:
        if tokenize(w) != original_wordpiece(V, w):
            return *worlds.shown(V), w, tokenize(w), original_wordpiece(V, w)
    return None


def spelt(V: Vocabulary, form: Any) -> set[bytes]:
    """χ of the nodes: what the nodes over characters spell, their last character cut anywhere."""
    found = {form.chi(V, v).encode() for v in form.nodes(V)}
    for v in form.nodes(V):
        text = form.chi(V, v)
        if text and not (form is two_roots and v in form.roots(V)):
            before, last = text[:-1].encode(), text[-1].encode()
            found |= {before + last[:k] for k in range(len(last))}
    return found


def nodes_of_bytes(V: Vocabulary, T: Any, form: Any) -> Any:
    """None if the nodes spell what they must, and hold their tokens."""
    found = sorted({T.chi(v) for v in range(len(T))})
    if found != sorted(spelt(V, form)):
        return *worlds.shown(V), found, sorted(spelt(V, form))
    tokens = {token.encode(): token for token in V.tokens}
    for v in range(len(T)):
        expected = tokens.get(T.chi(v)) if v not in (T.root, T.suffix_root) else None
        if T.token(v) != expected:
            return *worlds.shown(V), T.chi(v), T.token(v), expected
    return None


def holds_compiled(V: Vocabulary, words: list[str]) -> Any:
    for roots, form in FORMS.items():
        T = lmm.Trie(vocabulary(V), roots=roots, symbols="bytes")
        tables = lmm.precompute(T)
        witness = (nodes_of_bytes(V, T, form) or predicate(V, words, partial(lmm.lin_max_match, tables))
                   or predicate(V, words, lmm.Transducer(tables).tokenize))
        if witness is not None:
            return witness
    return None


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in five of the 9,827 small vocabularies, spelt with é and è: all 31 words up to length 4; every node."""
    return check.sweep((encoded(V) for V in worlds.small_vocabularies()), lambda V: holds_compiled(V, WORDS), 9_827,
                       5 * every, len(WORDS))


def test_exhaustive() -> None:
    assert len(WORDS) == 31 and "é".encode()[0] == "è".encode()[0]
    exhaustive()


# Random
@worlds.given(worlds.random_worlds())
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    V, words = world
    check.hold(holds_compiled(V, [*words, *(w + "\ud800" for w in words)]))


# Control
def test_control_bytes_read_as_characters() -> None:
    """A trie over characters, read with the bytes of a word."""
    def careless(V: Vocabulary) -> Any:
        tables = lmm.precompute(lmm.Trie(vocabulary(V)))
        return predicate(V, WORDS, lambda w: lmm.lin_max_match(tables, w.encode().decode("latin-1")))

    found = check.first((encoded(V) for V in worlds.small_vocabularies()), careless)
    assert found == (("é",), "", "é", ["€"], ["é"])


class WholeCharacters:
    """A trie over bytes whose nodes are those over characters: none within a character."""

    root, suffix_root = 0, 1

    def __init__(self, V: Vocabulary) -> None:
        self.V, self.strings = V, sorted(wordpiece.nodes(V), key=lambda v: (v not in wordpiece.roots(V), v))

    def __len__(self) -> int:
        return len(self.strings)

    def chi(self, v: int) -> bytes:
        return self.strings[v].encode()

    def token(self, v: int) -> str | None:
        return self.strings[v] if v > 1 and self.strings[v] in self.V else None


def test_control_no_node_within_a_character() -> None:
    found = check.first((encoded(V) for V in worlds.small_vocabularies()),
                        lambda V: nodes_of_bytes(V, WholeCharacters(V), wordpiece))
    assert found == ((), '', [b'', b'\xe2\x82\xac'], [b'', b'\xe2', b'\xe2\x82', b'\xe2\x82\xac'])


class NoTokens(WholeCharacters):
    """Nodes cut anywhere, without what they hold."""

    def __init__(self, V: Vocabulary) -> None:
        self.V, self.spelt = V, sorted(spelt(V, wordpiece))

    def __len__(self) -> int:
        return len(self.spelt)

    def chi(self, v: int) -> bytes:
        return self.spelt[v]

    def token(self, v: int) -> str | None:
        return None


def test_control_no_token_at_its_node() -> None:
    found = check.first((encoded(V) for V in worlds.small_vocabularies()),
                        lambda V: nodes_of_bytes(V, NoTokens(V), wordpiece))
    assert found == ((), "", b"\xe2\x82\xac", None, "€")


# Limits
#   The tokenizer's own layout of these tables is in proposition 8.

if __name__ == "__main__":
    check.alone(__file__)
