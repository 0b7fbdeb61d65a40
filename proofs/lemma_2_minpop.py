"""Lemma 2: MaxMatch is MinPop (g and G).

Statement
    g(w) is the node left when the fewest longest-matching prefixes are popped from w so that what is left is a node,
    and ∅ if none can be; G(w) are the tokens popped. On the trie augmented by the strings ␣ and ♯␣, ␣ a character of
    no token: M(w) = G(w␣) if g(w␣) is not ∅, else [<unk>].

Why
    w␣ pops what w pops, one for one, since no token holds ␣ (Lemma 1). Of what is left on the way only ␣ and ♯␣ hold ␣
    and are nodes, so popping stops when exactly the ␣ is left (behind ♯ if anything was popped), that is, when M is
    through with w; and it gets stuck where M does.
"""
from typing import Any

from proofs import check, worlds
from proofs.algorithms import SPACE
from proofs.compiled import Defined, both, word
from proofs.definitions import two_roots
from proofs.definitions.wordpiece import Vocabulary

STRINGS = worlds.strings("ab", 4)


def augmented(V: Vocabulary) -> Vocabulary:
    """V with the strings ␣ and ♯␣. They are never popped: where one is left it is a node already."""
    return Vocabulary(V.tokens | {SPACE, V.suffix_indicator + SPACE}, V.suffix_indicator, V.unk_token)


# Predicate
def predicate(V: Vocabulary, words: list[str], layer: Any) -> Any:
    """None if the layer's G(w␣) gives M(w) of the definition, for all words, else the first where it does not.

    The layer is over the augmented trie.
    """
    for w in words:
        if layer.form is two_roots and w == V.suffix_indicator != "":
            continue  # V is augmented by tokens, so that the string ♯␣ stands under r too
        end = word(layer.form, w + SPACE)
        given_by_g = [V.unk_token] if layer.g(end) is None else layer.G(end)
        expected = layer.form.M(V, word(layer.form, w))
        if given_by_g != expected:
            return *worlds.shown(V), w, given_by_g, expected
    return None


def agrees(V: Vocabulary, words: list[str], layer: Any) -> Any:
    """None if the layer's g and G are those of the definition."""
    for w in words:
        w = word(layer.form, w)
        if (layer.g(w), layer.G(w)) != (layer.form.g(V, w), layer.form.G(V, w)):
            return *worlds.shown(V), w, layer.g(w), layer.G(w), layer.form.g(V, w), layer.form.G(V, w)
    return None


def holds_compiled(V: Vocabulary, words: list[str]) -> Any:
    witnesses = [agrees(V, words, layer) for layer in both(V)]
    witnesses += [predicate(V, words, layer) for layer in both(augmented(V))]
    return next(filter(None, witnesses), None)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in five of the 9,827 small vocabularies, the 31 strings over {a, b} up to length 4, one root and two."""
    return check.sweep(
        worlds.small_vocabularies(), lambda V: holds_compiled(V, STRINGS), 9_827, 5 * every, len(STRINGS))


def test_exhaustive() -> None:
    assert len(STRINGS) == 31
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(words=3))
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def test_control_augmented_by_the_space_alone() -> None:
    """Without ♯␣ nothing that pops a token can end at a node."""

    def half(V: Vocabulary) -> Vocabulary:
        return Vocabulary(V.tokens | {SPACE}, V.suffix_indicator, V.unk_token)

    found = check.first(worlds.longer_pieces(), lambda V: predicate(V, STRINGS, Defined(half(V), 1)))
    assert found == (("a",), "##", "a", ["?"], ["a"])


def test_control_not_augmented_and_without_the_space() -> None:
    """G(w) itself: what is left may be a node although M has not taken it yet."""

    class Unfinished(Defined):
        def g(self, w: str) -> Any:
            return self.form.g(self.V, w.removesuffix(SPACE))

        def G(self, w: str) -> Any:
            return self.form.G(self.V, w.removesuffix(SPACE))

    found = check.first(worlds.longer_pieces(), lambda V: predicate(V, STRINGS, Unfinished(V, 1)))
    assert found == (("a",), "##", "a", [], ["a"])


class Backwards(Defined):
    """The tokens popped in the opposite order."""

    def G(self, w: str) -> Any:
        return self.form.G(self.V, w)[::-1]


def test_control_the_pops_backwards() -> None:
    found = check.first(worlds.longer_pieces(), lambda V: agrees(V, STRINGS, Backwards(V, 1)))
    assert found == (("##a", "a"), "##", "aaa", "##a", ["##a", "a"], "##a", ["a", "##a"])


# Limits
#   With two roots the compiled g reads from r only; strings behind r♯ are reached through h (lemma 3).

if __name__ == "__main__":
    check.alone(__file__)
