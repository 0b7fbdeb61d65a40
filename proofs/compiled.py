"""The compiled notation layer under the names of the definitions: nodes are named by their strings again.

A `Layer` has p, q, M, g, G, h, H, f, F, table_f, table_F of one vocabulary, all over the definitions' nodes. `Compiled`
asks linmaxmatch, `Defined` asks `definitions` (and Algorithm 2 in plain Python, faulty if so asked), so that one
predicate serves both.
"""
from functools import cached_property, partial
from typing import Any, Literal

import linmaxmatch as lmm
from proofs.algorithms import Tables, algorithm_2
from proofs.definitions import two_roots, wordpiece
from proofs.definitions.two_roots import Rest
from proofs.definitions.wordpiece import Vocabulary

Roots = Literal[1, 2]
FORMS: dict[Roots, Any] = {1: wordpiece, 2: two_roots}
"""The paper's one trie, and the two roots."""

Node = Any


def word(form: Any, w: str) -> Any:
    """A word as the form's functions take it."""
    return w if form is wordpiece else Rest(False, w)


class Defined:
    """The definitions themselves, and Algorithm 2 in plain Python."""

    def __init__(self, V: Vocabulary, roots: Roots, fault: str | None = None) -> None:
        self.V, self.form, self.fault = V, FORMS[roots], fault
        for name in ("p", "q", "M", "g", "G", "h", "H", "f", "F", "delta"):
            if not hasattr(self, name):  # a faulty form overrides its own
                setattr(self, name, partial(getattr(self.form, name), V))

    @cached_property
    def tables(self) -> Tables:
        return algorithm_2(self.V, self.form, self.fault)

    def table_f(self, v: Node) -> Node | None:
        return self.tables.f[v]

    def table_F(self, v: Node) -> list[str]:
        return self.tables.F[v]


class Compiled:
    """linmaxmatch's notation layer, over a trie with one or two roots."""

    def __init__(self, V: Vocabulary, roots: Roots) -> None:
        self.V, self.form = V, FORMS[roots]
        self.vocabulary = vocabulary(V)
        self.T = lmm.Trie(self.vocabulary, roots=roots)

    @cached_property
    def tables(self) -> Any:
        return lmm.precompute(self.T)

    @cached_property
    def number(self) -> dict[Node, Any]:
        """The number of every node of the definitions: found by walking δ from its root."""
        numbers: dict[Node, Any] = {None: None}
        if self.form is two_roots:
            for root, start in zip(two_roots.roots(self.V), (self.T.root, self.T.suffix_root), strict=True):
                numbers |= {v: self.walk(start, v.text) for v in self.form.nodes(self.V) if v.suffix == root.suffix}
        else:
            numbers |= {v: self.walk(self.T.root, v) for v in self.form.nodes(self.V)}
        return numbers

    @cached_property
    def name(self) -> dict[int | None, Node]:
        """The definitions' name of every node number."""
        return {number: name for name, number in self.number.items()}

    def walk(self, u: int | None, text: str) -> int | None:
        for c in text:
            u = None if u is None else self.T.delta(u, c)
        return u

    def p(self, w: str) -> str:
        return lmm.p(self.vocabulary, w)

    def q(self, w: str) -> str:
        return lmm.q(self.vocabulary, w)

    def M(self, w: str) -> list[str]:
        return lmm.M(self.vocabulary, w)

    def g(self, w: Any) -> Node | None:
        return self.name[lmm.g(self.T, w if self.form is wordpiece else w.text)]

    def G(self, w: Any) -> list[str]:
        return lmm.G(self.T, w if self.form is wordpiece else w.text)

    def delta(self, u: Node, c: str) -> Node | None:
        return self.name[self.T.delta(self.number[u], c)]

    def h(self, u: Node, c: str) -> Node | None:
        return self.name[lmm.h(self.T, self.number[u], c)]

    def H(self, u: Node, c: str) -> list[str]:
        return lmm.H(self.T, self.number[u], c)

    def f(self, v: Node) -> Node | None:
        return self.name[lmm.f(self.T, self.number[v])]

    def F(self, v: Node) -> list[str]:
        return lmm.F(self.T, self.number[v])

    def table_f(self, v: Node) -> Node | None:
        return self.name[self.tables.f(self.number[v])]

    def table_F(self, v: Node) -> list[str]:
        pops: list[str] = self.tables.F(self.number[v])
        return pops


def vocabulary(V: Vocabulary) -> Any:
    """The compiled vocabulary of the same tokens, in alphabetical order."""
    return lmm.Vocabulary(sorted(V.tokens), V.suffix_indicator, V.unk_token)


def both(V: Vocabulary) -> tuple[Compiled, Compiled]:
    """The compiled layer in the paper's form and with two roots."""
    return Compiled(V, 1), Compiled(V, 2)
