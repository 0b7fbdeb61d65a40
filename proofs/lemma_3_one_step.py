"""Lemma 3: MinPop one character at a time (h and H).

Statement
    h(u, c) = g(χ_u c) and H(u, c) = G(χ_u c): node and pops when c is read at node u. Then g(wc) = h(g(w), c) and
    G(wc) = G(w) + H(g(w), c) wherever g(w) and g(wc) are not ∅, and g(wc) = ∅ where g(w) is; g(ε) = r, g(♯) = r♯.

Why
    Until g(w) is reached, no rest x of w is a node, so no xc is in V or is ♯: by Lemma 1, w and wc pop the same, and
    what is left of wc is then χ_u c with u = g(w). From there on it is g and G of that string, by definition.
"""
from typing import Any

from proofs import check, worlds
from proofs.compiled import Defined, both, word
from proofs.definitions.wordpiece import Vocabulary

STRINGS = worlds.strings("ab", 3)
CHARACTERS = "ab#z"


# Predicate
def predicate(V: Vocabulary, words: list[str], characters: str, layer: Any) -> Any:
    """None if the layer's g, G, h and H go together as the lemma says, else the first w and c where they do not."""
    for w in words:
        w = word(layer.form, w)
        u = layer.g(w)
        for c in characters:
            node = None if u is None else layer.h(u, c)
            popped = [] if node is None else layer.G(w) + layer.H(u, c)
            if (layer.g(w + c), layer.G(w + c)) != (node, popped):
                return *worlds.shown(V), w, c, (layer.g(w + c), layer.G(w + c)), (node, popped)
    return None


def agrees(V: Vocabulary, characters: str, layer: Any) -> Any:
    """None if h is that of the definition at every node and character, and H wherever h is not ∅."""
    for u in sorted(layer.form.nodes(V)):
        for c in characters:
            node = layer.h(u, c)
            if node != layer.form.h(V, u, c) or (node is not None and layer.H(u, c) != layer.form.H(V, u, c)):
                return *worlds.shown(V), u, c, node, layer.H(u, c), layer.form.h(V, u, c), layer.form.H(V, u, c)
    return None


def holds_compiled(V: Vocabulary, words: list[str], characters: str = CHARACTERS) -> Any:
    witnesses = [predicate(V, words, characters, layer) or agrees(V, characters, layer) for layer in both(V)]
    return next(filter(None, witnesses), None)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in three of the 9,827 small vocabularies: every node, and the 15 strings up to length 3, with a, b, #, z."""
    return check.sweep(worlds.small_vocabularies(), lambda V: holds_compiled(V, STRINGS), 9_827, 3 * every,
                       len(STRINGS) * len(CHARACTERS))


def test_exhaustive() -> None:
    assert len(STRINGS) == 15
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(words=3))
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    V, words = world
    check.hold(holds_compiled(V, words, "".join(sorted({*"az", *V.suffix_indicator}))))


# Control
class Greedy(Defined):
    """Pops a token as soon as it is read, without waiting for a longer one."""

    def popped(self, w: str) -> tuple[list[str], str | None]:
        steps = self.form.pops(self.V, w)
        return next(((tokens, rest) for tokens, rest in steps
                     if rest in self.form.nodes(self.V) and rest not in self.V), ([], None))

    def g(self, w: str) -> str | None:
        return self.popped(w)[1]

    def G(self, w: str) -> list[str]:
        return self.popped(w)[0]


def test_control_a_token_popped_at_once() -> None:
    found = check.first(worlds.longer_pieces(), lambda V: predicate(V, STRINGS, CHARACTERS, Greedy(V, 1)))
    assert found == (("a",), "##", "", "a", ("##", ["a"]), ("a", []))


class Forgetful(Defined):
    """H without the pops of the first failure link."""

    def H(self, u: str, c: str) -> Any:
        return self.form.H(self.V, u, c)[1:]


def test_control_a_pop_lost() -> None:
    found = check.first(worlds.longer_pieces(), lambda V: predicate(V, STRINGS, CHARACTERS, Forgetful(V, 1)))
    assert found == (("##a", "a"), "##", "a", "a", ("##a", ["a"]), ("##a", []))


class NoPops(Defined):
    """h as δ alone: where there is no child nothing is popped."""

    def h(self, u: str, c: str) -> Any:
        return self.form.delta(self.V, u, c)


def test_control_no_pops_at_a_node_without_the_child() -> None:
    found = check.first(worlds.longer_pieces(), lambda V: agrees(V, CHARACTERS, NoPops(V, 1)))
    assert found == (("##a",), "##", "##a", "a", None, ["##a"], "##a", ["##a"])


def test_control_a_pop_lost_at_a_node() -> None:
    found = check.first(worlds.longer_pieces(), lambda V: agrees(V, CHARACTERS, Forgetful(V, 1)))
    assert found == (("##a",), "##", "##a", "a", "##a", [], "##a", ["##a"])


# Limits
#   H(u, c) is compared only where h(u, c) is not ∅: elsewhere the paper gives it no meaning that matters.

if __name__ == "__main__":
    check.alone(__file__)
