"""Section 3.1: the trie T of V and ♯.

Statement
    The nodes of T are the prefixes of the strings of V ∪ {♯}; χ_v is the string of v, r the node of ε, r♯ that of ♯,
    and δ(u, c) the node of χ_u c, or ∅. So r♯ and the way to it exist also if V has no suffix token, and with ♯ = ε
    r♯ is r. Every node but the roots knows whether its string is in V. With two roots the spellings of all tokens stand
    under r, and the bodies of suffix tokens once more under r♯.

Why
    This is a definition; what is checked is that the compiled arrays, in which a node is a number, are such a trie:
    each node reached by exactly one way from its root, no node besides, and ∅ wherever the definition has no child.
"""
from typing import Any

from proofs import check, worlds
from proofs.compiled import Compiled, Defined, both
from proofs.definitions.wordpiece import Vocabulary

CHARACTERS = "ab#z"


# Predicate
def predicate(V: Vocabulary, layer: Any) -> Any:
    """None if the layer has the nodes of the definition, each with its string and its token, and its δ everywhere."""
    if layer.count() != len(layer.form.nodes(V)):
        return *worlds.shown(V), "nodes", layer.count(), len(layer.form.nodes(V))
    for v in sorted(layer.form.nodes(V)):
        spelt = layer.form.chi(V, v)
        expected = spelt, spelt if spelt in V and v not in layer.form.roots(V) else None
        if (layer.chi(v), layer.token(v)) != expected:
            return *worlds.shown(V), v, (layer.chi(v), layer.token(v)), expected
        for c in CHARACTERS:
            if layer.delta(v, c) != layer.form.delta(V, v, c):
                return *worlds.shown(V), v, c, layer.delta(v, c), layer.form.delta(V, v, c)
    return None


class Asked(Compiled):
    """The compiled trie under the names of the definition's nodes."""

    def count(self) -> int:
        return len(self.T)

    def chi(self, v: Any) -> Any:
        found: Any = None if self.number[v] is None else self.T.chi(self.number[v])
        return found

    def token(self, v: Any) -> str | None:
        found: str | None = None if self.number[v] is None else self.T.token(self.number[v])
        return found

    def delta(self, u: Any, c: str) -> Any:
        """By the child's number, so that one which is no node of the definition shows."""
        number = self.T.delta(self.number[u], c)
        return self.name.get(number, number)


def holds_compiled(V: Vocabulary) -> Any:
    return predicate(V, Asked(V, 1)) or predicate(V, Asked(V, 2))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in four of the 9,827 small vocabularies: every node, with a, b, # and z; one root and two."""
    return check.sweep(worlds.small_vocabularies(), holds_compiled, 9_827, 4 * every, len(CHARACTERS))


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_vocabularies())
def test_random(V: Vocabulary) -> None:
    for layer in both(V):
        layer.T.check()
    check.hold(holds_compiled(V))


# Control
class OfTokensOnly(Defined):
    """The trie of V alone: no way to r♯ unless a token makes it."""

    def nodes(self) -> set[str]:
        return {t[:k] for t in self.V.tokens for k in range(len(t) + 1)}

    def count(self) -> int:
        return len(self.nodes())

    def chi(self, v: str) -> str:
        return v

    def token(self, v: str) -> str | None:
        return v if v in self.V and v not in self.form.roots(self.V) else None

    def delta(self, u: str, c: str) -> str | None:
        return u + c if u + c in self.nodes() else None


class TokenAtSharp(OfTokensOnly):
    """All of the trie, but ♯ as a token, if it is one, has its data at r♯."""

    def nodes(self) -> set[str]:
        return super().nodes() | {self.V.suffix_indicator[:k] for k in range(len(self.V.suffix_indicator) + 1)}

    def token(self, v: str) -> str | None:
        return v if v in self.V and v else None


class Uncounted(TokenAtSharp):
    """A trie in which a character that no node reads leads on all the same."""

    def token(self, v: str) -> str | None:
        return OfTokensOnly.token(self, v)

    def delta(self, u: str, c: str) -> str | None:
        return super().delta(u, c) or ("" if c == "z" else None)


def test_control_no_way_to_sharp() -> None:
    found = check.first(worlds.small_vocabularies(), lambda V: predicate(V, OfTokensOnly(V, 1)))
    assert found == ((), "#", "nodes", 2, 3)


def test_control_sharp_as_a_token_at_its_root() -> None:
    found = check.first(worlds.small_vocabularies(), lambda V: predicate(V, TokenAtSharp(V, 1)))
    assert found == (("a",), "a", "a", ("a", "a"), ("a", None))


def test_control_an_unknown_character_leads_to_the_root() -> None:
    found = check.first(worlds.small_vocabularies(), lambda V: predicate(V, Uncounted(V, 1)))
    assert found == ((), "", "", "z", "", None)


# Limits
#   Nodes of characters. Tries of bytes, where a character is several nodes, are in tests/ and in proposition 8.

if __name__ == "__main__":
    check.alone(__file__)
