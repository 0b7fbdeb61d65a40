"""Lemma 4: one step by way of failure links.

Statement
    h(u, c) = δ(u, c) if that child exists; else ∅ if f(u) = ∅; else h(f(u), c).
    H(u, c) = [] in the first two cases; else F(u) + H(f(u), c). H matters only where h is not ∅.

Why
    If the child exists nothing need be popped. If not, something must be, and no pop before the rest is a node can
    help: with x not a node, xc is none. The shortest non-empty list of pops that leads from χ_u to a node is F(u), by
    Definition 1, and by Lemma 1 it is popped from χ_u c just as well. Then c is read at f(u).
"""
from typing import Any

from proofs import check, worlds
from proofs.compiled import Defined, both
from proofs.definitions.wordpiece import Vocabulary

CHARACTERS = "ab#z"


# Predicate
def predicate(V: Vocabulary, characters: str, layer: Any) -> Any:
    """None if h and H of the definition follow from the layer's f and F as the lemma says, at every node and character.
    """
    popped: list[str]
    for u in sorted(layer.form.nodes(V)):
        for c in characters:
            if layer.delta(u, c) is not None:
                node, popped = layer.delta(u, c), []
            elif layer.f(u) is None:
                node, popped = None, []
            else:
                node, popped = layer.form.h(V, layer.f(u), c), layer.F(u) + layer.form.H(V, layer.f(u), c)
            expected = layer.form.h(V, u, c), layer.form.H(V, u, c)
            if node != expected[0] or (node is not None and popped != expected[1]):
                return *worlds.shown(V), u, c, (node, popped), expected
    return None


def holds_compiled(V: Vocabulary, characters: str = CHARACTERS) -> Any:
    return next(filter(None, (predicate(V, characters, layer) for layer in both(V))), None)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in five of the 9,827 small vocabularies: every node, with a, b, # and z."""
    return check.sweep(worlds.small_vocabularies(), holds_compiled, 9_827, 5 * every, len(CHARACTERS))


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_vocabularies())
def test_random(V: Vocabulary) -> None:
    check.hold(holds_compiled(V, "".join(sorted({*"az", *(c for t in V.tokens for c in t)}))))


# Control
class LastToken(Defined):
    """F(u) is only the last token popped on the way to f(u)."""

    def F(self, v: Any) -> Any:
        return self.form.F(self.V, v)[-1:]


def test_control_only_the_last_token_of_the_pops() -> None:
    found = check.first(worlds.long_chains(), lambda V: predicate(V, CHARACTERS, LastToken(V, 1)))
    assert found == (("##a", "a", "aaab"), "##", "aaa", "a", ("##a", ["##a", "##a"]), ("##a", ["a", "##a", "##a"]))


class DeepestSuffix(Defined):
    """f(v) as Aho and Corasick have it: the longest proper suffix that is a node, whatever was popped."""

    def f(self, v: Any) -> Any:
        rest = [self.V.suffix_indicator + v[k:] for k in range(1, len(v) + 1)]
        return next((x for x in rest if x in self.form.nodes(self.V)), None) if v and self.form.p(self.V, v) else None


def test_control_the_failure_link_of_aho_and_corasick() -> None:
    found = check.first(worlds.longer_pieces(), lambda V: predicate(V, CHARACTERS, DeepestSuffix(V, 1)))
    assert found == (("##a",), "##", "##a", "a", ("##a", ["##a", "##a"]), ("##a", ["##a"]))


class NoLinks(Defined):
    """f is ∅ everywhere: what has no edge is lost."""

    def f(self, v: Any) -> Any:
        return None


def test_control_no_failure_links() -> None:
    found = check.first(worlds.longer_pieces(), lambda V: predicate(V, CHARACTERS, NoLinks(V, 1)))
    assert found == (("##a",), "##", "##a", "a", (None, []), ("##a", ["##a"]))


# Limits
#   Vocabularies beyond the sizes named are sampled only.

if __name__ == "__main__":
    check.alone(__file__)
