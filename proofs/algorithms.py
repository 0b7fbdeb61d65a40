"""Algorithms 1 to 4 in plain Python, each with the faults that its check must catch.

They are held against `definitions` just as the compiled modules are, so that a check which passes on the compiled code
and fails on a faulty form here is known to look where the fault is. `fault=None` is the right algorithm; the names of
the faults are in `FAULTS`. Every loop that a fault could make endless counts down `PATIENCE` and raises `EndlessError`.
"""
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from proofs.definitions import two_roots, wordpiece
from proofs.definitions.wordpiece import CharacterClass, Vocabulary, original_wordpiece

Node = Any
"""A node as the form names it: a string in the one trie, a Rest with two roots."""

SPACE = "\N{OPEN BOX}"
"""␣, a character of no token."""

PATIENCE = 10_000

FAULTS = {
    "algorithm 1": ("no special case", "special case only for the word ♯", "the node at the end is not looked at"),
    "algorithm 2": ("F(u) dropped from F(v)", "no case χ_v in V", "♯ in V taken as a token at r♯",
                    "only one failure move in h"),
    "algorithm 3": ("edge along ♯ not cut", "the edge into the mark cut always", "boundary where i > 0",
                    "suffix tokens with marks kept", "literals with marks kept", "tokens with white space kept",
                    "one trie where ♯ is a mark", "no special case at a word's start"),
    "algorithm 4": ("only the first pops", "no column ␣"),
}


class EndlessError(AssertionError):
    """A loop went on for far longer than the input allows."""


@dataclass
class Tables:
    """What Algorithm 2 computes: f and F of every node, over a trie in one of the two forms."""

    V: Vocabulary
    form: Any
    f: dict[Node, Node | None] = field(default_factory=dict)
    F: dict[Node, list[str]] = field(default_factory=dict)
    cut: set[Node] = field(default_factory=set)
    """Nodes whose edge was cut (Algorithm 3)."""
    dead: Node | None = None
    """r_p (Algorithm 3)."""

    def delta(self, u: Node, c: str) -> Node | None:
        """δ(u, c) without the cut edges."""
        v = None if u == self.dead else self.form.delta(self.V, u, c)
        return None if v in self.cut else v


def breadth_first(tables: Tables, roots: list[Node]) -> Iterator[tuple[Node, str, Node]]:
    """All edges u, c, v = δ(u, c), nearest to the roots first, without the one into r♯."""
    letters = sorted({c for t in {*tables.V.tokens, tables.V.suffix_indicator} for c in t})
    queue = list(dict.fromkeys(roots))
    for u in queue:
        for c in letters:
            v = tables.delta(u, c)
            if v is not None and v not in roots:
                queue.append(v)
                yield u, c, v


def algorithm_2(V: Vocabulary, form: Any = wordpiece, fault: str | None = None, tables: Tables | None = None) -> Tables:
    """Algorithm 2, PRECOMPUTE: f and F of every node, breadth first from r and r♯ (Lemma 5)."""
    tables = tables or Tables(V, form)
    f, F = tables.f, tables.F
    roots = form.roots(V)
    for root in roots:
        f[root], F[root] = None, []
    if fault == "♯ in V taken as a token at r♯" and V.suffix_indicator in V.tokens:
        f[roots[1]], F[roots[1]] = roots[1], [V.suffix_indicator]
    for u, c, v in breadth_first(tables, list(roots)):
        if v in f:
            continue
        if form.chi(V, v) in V.tokens and fault != "no case χ_v in V":
            f[v], F[v] = roots[1], [form.chi(V, v)]
            continue
        f[v], F[v] = None, []
        if f[u] is None:
            continue
        node, popped = read(tables, f[u], c, fault)
        if node is not None:
            f[v], F[v] = node, popped if fault == "F(u) dropped from F(v)" else F[u] + popped
    return tables


def read(tables: Tables, u: Node, c: str, fault: str | None = None) -> tuple[Node | None, list[str]]:
    """h(u, c) and H(u, c) by Lemma 4: follow failure links until c can be read."""
    popped: list[str] = []
    for _ in range(PATIENCE):
        v = tables.delta(u, c)
        if v is not None:
            return v, popped
        if tables.f[u] is None or (popped and fault == "only one failure move in h"):
            return None, []
        popped, u = popped + tables.F[u], tables.f[u]
    raise EndlessError("h")


@dataclass
class Steps:
    """Edges followed and failure moves made."""

    edges: int = 0
    moves: int = 0


def match_loop(tables: Tables, s: str, i: int = 0, steps: Steps | None = None) -> tuple[list[str], Node, int]:
    """MatchLoop(s, i) of Algorithm 1: the tokens popped, the node, and where it stopped."""
    steps = steps or Steps()
    u = tables.form.roots(tables.V)[0]
    tokens: list[str] = []
    while i < len(s):
        while tables.delta(u, s[i]) is None:
            if tables.f[u] is None:
                return tokens, u, i
            steps.moves += 1
            if steps.moves > PATIENCE:
                raise EndlessError("MatchLoop")
            tokens += tables.F[u]
            u = tables.f[u]
        steps.edges += 1
        u = tables.delta(u, s[i])
        i += 1
    return tokens, u, i


def lin_max_match(tables: Tables, w: str, fault: str | None = None, steps: Steps | None = None) -> list[str]:
    """Algorithm 1, LinMaxMatch. In the one trie a word that starts with a non-empty ♯ runs the original."""
    V, sharp = tables.V, tables.V.suffix_indicator
    starts = w.startswith(sharp) and sharp != "" and tables.form is wordpiece
    special = {None: starts, "no special case": False, "special case only for the word ♯": starts and w == sharp}
    if special.get(fault, starts):
        return original_wordpiece(V, w)
    tokens, u, i = match_loop(tables, w + SPACE, 0, steps)
    if i < len(w) or (u not in tables.form.roots(V) and fault != "the node at the end is not looked at"):
        return [V.unk_token]
    return tokens


# --------------------------------------------------------------------------------------------- Algorithm 3, end to end

def precompute_e2e(V: Vocabulary, punctuation: CharacterClass, whitespace: CharacterClass,
                   marks: str, fault: str | None = None) -> Tables:
    """Algorithm 2 on the trie that Algorithm 3 runs on: no token that a split text cannot hold, a node for each mark,
    no edge along ♯ from or into a mark."""
    sharp = V.suffix_indicator

    def usable(t: str) -> bool:
        body = t.removeprefix(sharp)
        marked = fault != "suffix tokens with marks kept" and any(punctuation(c) for c in body)
        spaced = fault != "tokens with white space kept" and any(map(whitespace, t))
        if t.startswith(sharp) and body and not marked and not (spaced and any(map(whitespace, body))):
            return True
        mixed = fault != "literals with marks kept" and any(map(punctuation, t))
        return not spaced and (not mixed or len(t) == 1)

    one_mark = len(sharp) == 1 and punctuation(sharp)
    form = two_roots if one_mark and fault != "one trie where ♯ is a mark" else wordpiece
    kept = Vocabulary(frozenset({t for t in V.tokens if usable(t)} | set(marks)), sharp, V.unk_token)
    # <unk> is in every Vocabulary; as a piece of text it must obey the same rule
    object.__setattr__(kept, "tokens", kept.tokens if usable(V.unk_token) else kept.tokens - {V.unk_token})
    tables = Tables(kept, form)
    first = next((k for k, c in enumerate(sharp) if punctuation(c)), None)
    if form is wordpiece and not one_mark and first is not None and fault != "edge along ♯ not cut":
        leaves = first == 0 and fault != "the edge into the mark cut always"
        tables.cut.add(sharp[:2] if leaves else sharp[:first + 1])
    if form is two_roots:  # suffix tokens stand under r♯ only, not spelt out behind the mark ♯
        tables.cut |= {two_roots.Rest(False, t[:2]) for t in kept.tokens if t.startswith(sharp) and t != sharp}
    tables.dead = "r_p"
    tables.f[tables.dead], tables.F[tables.dead] = None, []
    for mark in marks:
        node = form.roots(V)[0] + mark
        tables.f[node], tables.F[node] = tables.dead, [mark if mark in V.tokens else V.unk_token]
    return algorithm_2(kept, form, None, tables)


def e2e_wordpiece(V: Vocabulary, punctuation: CharacterClass, whitespace: CharacterClass, marks: str,
                  fault: str | None = None) -> Callable[[str], list[str]]:
    """Algorithm 3, E2EWORDPIECE, in one pass over text + ␣."""
    tables = precompute_e2e(V, punctuation, whitespace, marks, fault)
    sharp = V.suffix_indicator
    cautious = (sharp != "" and not any(map(punctuation, sharp)) and fault != "no special case at a word's start")
    ends = {*tables.form.roots(V), tables.dead}

    def boundary(s: str, start: int, i: int) -> bool:
        after_mark = i > (0 if fault == "boundary where i > 0" else start) and punctuation(s[i - 1])
        return i >= len(s) or after_mark or whitespace(s[i]) or punctuation(s[i])

    def tokenize(text: str) -> list[str]:
        s = text + " "
        result: list[str] = []
        i = 0
        for _ in range(PATIENCE):
            while i < len(s) and whitespace(s[i]):
                i += 1
            if i >= len(s):
                return result
            start = i
            if cautious and s.startswith(sharp, i):
                i = next(k for k in range(i, len(s)) if whitespace(s[k]) or punctuation(s[k]))
                result += original_wordpiece(V, s[start:i])
                continue
            tokens, u, i = match_loop(tables, s, i)
            result += tokens if boundary(s, start, i) and u in ends else [V.unk_token]
            while not boundary(s, start, i):
                i += 1
        raise EndlessError("E2EWordPiece")

    return tokenize


# ------------------------------------------------------------------------------------------ Algorithm 4, the transducer

def transducer(V: Vocabulary, alphabet: str, form: Any = wordpiece,
               fault: str | None = None) -> Callable[[str], list[str]]:
    """Algorithm 4: δ′ = h and σ′ = H tabulated over an alphabet and ␣, and no failure move when a word is read."""
    columns = alphabet if fault == "no column ␣" else alphabet + SPACE
    augmented = Tables(V, AugmentedForm(form))
    algorithm_2(V, augmented.form, None, augmented)
    delta, sigma = {}, {}
    for u in form.nodes(V):
        for c in columns:
            node, popped = read(augmented, u, c)
            delta[u, c] = node
            sigma[u, c] = (augmented.F[u] if augmented.delta(u, c) is None and node is not None else []) \
                if fault == "only the first pops" else popped

    def tokenize(w: str) -> list[str]:
        if form is wordpiece and V.suffix_indicator and w.startswith(V.suffix_indicator):
            return original_wordpiece(V, w)
        u, result = form.roots(V)[0], []
        for c in w if fault == "no column ␣" else w + SPACE:
            if delta.get((u, c)) is None:
                return [V.unk_token]
            result += sigma[u, c]
            u = delta[u, c]
        return result

    return tokenize


class AugmentedForm:
    """A form whose trie is augmented by ␣ and ♯␣ (Lemma 2: M(w) = G(w␣) there)."""

    def __init__(self, form: Any) -> None:
        self.form = form
        self.roots, self.chi, self.nodes = form.roots, form.chi, form.nodes

    def delta(self, V: Vocabulary, u: Node, c: str) -> Node | None:
        """δ(u, c), with the two further edges by ␣."""
        if c == SPACE:
            return u + SPACE if u in self.roots(V) else None
        return self.form.delta(V, u, c)
