"""Algorithm 4: the transducer is Algorithm 1 without failure moves.

Statement
    With δ′(u, c) = h(u, c) and σ′(u, c) = H(u, c) in tables, the column ␣ over the trie augmented by ␣ and ♯␣ included,
    reading w␣ from r gives what LinMaxMatch gives, with exactly one look-up for each character and ␣.

Why
    Lemma 3 says that h and H carry g and G from w to wc; whether h and H are computed by failure moves when c is read
    or before, and kept, makes no difference. h(u, ␣) on the augmented trie is ∅ exactly where M is <unk> (Lemma 2).
"""
from collections.abc import Callable
from typing import Any

import linmaxmatch as lmm
from proofs import check, worlds
from proofs.algorithms import transducer
from proofs.compiled import both
from proofs.definitions import wordpiece
from proofs.definitions.wordpiece import Vocabulary, original_wordpiece

WORDS = worlds.strings("ab", 5)
CHARACTERS = "ab#z"


# Predicate
def predicate(V: Vocabulary, words: list[str], tokenize: Callable[[str], list[str]]) -> Any:
    """None if the transducer gives what the original WordPiece gives for all words."""
    for w in words:
        if tokenize(w) != original_wordpiece(V, w):
            return *worlds.shown(V), w, tokenize(w), original_wordpiece(V, w)
    return None


def entries(V: Vocabulary, characters: str, layer: Any, machine: Any) -> Any:
    """None if δ′ and σ′ are h and H of the definition, at every node and character."""
    for u in sorted(layer.form.nodes(V)):
        for c in characters:
            number = machine.delta_prime(layer.number[u], c)
            node, popped = layer.name[number], machine.sigma_prime(layer.number[u], c)
            expected = layer.form.h(V, u, c)
            if node != expected or (node is not None and popped != layer.form.H(V, u, c)):
                return *worlds.shown(V), u, c, (node, popped), (expected, layer.form.H(V, u, c))
    return None


def blanks(V: Vocabulary, layer: Any, machine: Any) -> Any:
    """None if δ′(u, ␣) and σ′(u, ␣) are what failure moves to r or r♯ give, at every node: ␣ and ♯␣ come after T's."""
    roots = layer.form.roots(V)
    for u in sorted(layer.form.nodes(V)):
        v: Any = u
        popped: list[str] = []
        while v is not None and v not in roots:
            popped += layer.form.F(V, v)
            v = layer.form.f(V, v)
        expected = (None, []) if v is None else (len(layer.form.nodes(V)) + (v != roots[0]), popped)
        found = machine.delta_prime(layer.number[u], None), machine.sigma_prime(layer.number[u], None)
        if found != expected:
            return *worlds.shown(V), u, found, expected
    return None


def holds_compiled(V: Vocabulary, words: list[str], characters: str = CHARACTERS) -> Any:
    for layer in both(V):
        machine = lmm.Transducer(layer.tables)
        witness = (predicate(V, words, machine.tokenize) or entries(V, characters, layer, machine)
                   or blanks(V, layer, machine))
        if witness is not None:
            return witness
    return None


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in five of the 9,827 small vocabularies: every node with a, b, # and z, and all 63 words up to length 5."""
    return check.sweep(worlds.small_vocabularies(), lambda V: holds_compiled(V, WORDS), 9_827, 5 * every, len(WORDS))


def test_exhaustive() -> None:
    assert len(WORDS) == 63
    exhaustive()


# Random
@worlds.given(worlds.random_worlds())
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    V, words = world
    check.hold(holds_compiled(V, words, "".join(sorted({*"az", *(c for t in V.tokens for c in t)}))))


# Control
def test_control_only_the_first_pops() -> None:
    """σ′(u, c) = F(u), whatever further failure moves c needs."""
    found = check.first(worlds.long_chains(), lambda V: predicate(
        V, WORDS, transducer(V, "ab", fault="only the first pops")))
    assert found == (("##a", "a", "aaaa"), "##", "aa", ["a"], ["a", "##a"])


def test_control_no_column_for_the_space() -> None:
    """The word's last pops are lost."""
    assert check.first(worlds.long_chains(), lambda V: predicate(
        V, WORDS, transducer(V, "ab", fault="no column ␣"))) == (("a",), "##", "a", [], ["a"])


class OneMove:
    """δ′ and σ′ with one failure move at most, and the definition's nodes for numbers."""

    form = wordpiece

    def __init__(self, V: Vocabulary) -> None:
        self.V = V
        self.number = {v: v for v in wordpiece.nodes(V)}
        self.name: dict[str | None, str | None] = {None: None} | {v: v for v in self.number}

    def delta_prime(self, u: str, c: str | None) -> str | int | None:
        if c is None:                       # ␣ from the roots alone
            roots = wordpiece.roots(self.V)
            return len(self.number) + (u != roots[0]) if u in roots else None
        link = wordpiece.f(self.V, u)
        here = wordpiece.delta(self.V, u, c)
        return here if here is not None or link is None else wordpiece.delta(self.V, link, c)

    def sigma_prime(self, u: str, c: str | None) -> list[str]:
        return [] if c is None or wordpiece.delta(self.V, u, c) is not None else wordpiece.F(self.V, u)


def test_control_one_failure_move_in_the_tables() -> None:
    found = check.first(worlds.longer_pieces(), lambda V: entries(V, CHARACTERS, OneMove(V), OneMove(V)))
    assert found == (("##a", "a", "aab"), "##", "aa", "a", (None, ["a"]), ("##a", ["a", "##a"]))


def test_control_no_failure_move_at_the_space() -> None:
    found = check.first(worlds.longer_pieces(), lambda V: blanks(V, OneMove(V), OneMove(V)))
    assert found == ((), '##', '?', (None, []), (5, ['?']))


class FirstPops(OneMove):
    """δ′ = h, with the pops of the first failure move alone."""

    def delta_prime(self, u: str, c: str | None) -> str | int | None:
        return super().delta_prime(u, c) if c is None else wordpiece.h(self.V, u, c)


def test_control_the_first_pops_in_the_tables() -> None:
    found = check.first(worlds.long_chains(), lambda V: entries(V, CHARACTERS, FirstPops(V), FirstPops(V)))
    assert found == (("##a", "a", "aaab"), "##", "aaa", "a", ("##a", ["a", "##a"]), ("##a", ["a", "##a", "##a"]))


# Limits
#   That no failure move is made is to be seen in the code: `tokenize` has no loop inside the one over characters.

if __name__ == "__main__":
    check.alone(__file__)
