"""The lemmas on one vocabulary of your own: `python -m proofs --vocab vocab.txt`.

The compiled tables are held against the definitions at every node of that vocabulary's trie, with one root and with
two, and LinMaxMatch against the original WordPiece on its own tokens and on random words made of them.
"""
import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import linmaxmatch as lmm
from linmaxmatch.vocab_txt import load_vocab_txt
from proofs.compiled import FORMS, Roots, word
from proofs.definitions import wordpiece
from proofs.definitions.wordpiece import Vocabulary, original_wordpiece

WORDS = 20_000
CHARACTERS_PER_NODE = 2
SEED = 2012_15524
Node = Any
Witness = tuple[Any, ...] | None


class OnOne:
    """One vocabulary in one form: the definitions, the compiled trie and tables, and the names of the nodes."""

    def __init__(self, V: Vocabulary, compiled: lmm.Vocabulary, roots: Roots) -> None:
        self.V, self.form, self.roots = V, FORMS[roots], roots
        self.T = lmm.Trie(compiled, roots=roots)
        self.tables = lmm.precompute(self.T)
        self.number: dict[Node, int] = {}
        self.edges: dict[Node, tuple[Node, str]] = {}
        starts = dict(zip(self.form.roots(V), (self.T.root, self.T.suffix_root), strict=True))
        self.number |= starts
        for v in sorted(self.form.nodes(V), key=lambda v: len(v if isinstance(v, str) else v.text)):
            if v not in starts:
                u, c = (v[:-1], v[-1]) if isinstance(v, str) else (v._replace(text=v.text[:-1]), v.text[-1])
                self.edges[v] = u, c
                number = self.T.delta(self.number[u], c)
                self.number[v] = -1 if number is None else number
        self.name: dict[int | None, Node] = {number: v for v, number in self.number.items()} | {None: None}
        self.letters = [*sorted({c for t in V.tokens for c in t}), "\0"]

    def read(self, u: int, c: str) -> tuple[int | None, list[str]]:
        """h and H by the compiled tables (Lemma 4)."""
        popped: list[str] = []
        while (v := self.T.delta(u, c)) is None:
            link = self.tables.f(u)
            if link is None:
                return None, []
            popped += self.tables.F(u)
            u = link
        return v, popped


def nodes_of_the_trie(one: OnOne) -> Iterator[Witness]:
    """The compiled trie has exactly the nodes of the definition."""
    yield None if len(one.T) == len(one.form.nodes(one.V)) else (len(one.T), len(one.form.nodes(one.V)))
    yield from ((v, "no such node") if number < 0 else None for v, number in one.number.items())


def definition_1(one: OnOne) -> Iterator[Witness]:
    """f and F of Algorithm 2 are those of Definition 1."""
    for v, number in one.number.items():
        popped, rest = one.form.fewest_pops(one.V, v)
        found = one.tables.F(number), one.name[one.tables.f(number)]
        yield None if found == (popped, rest) else (v, found, (popped, rest))


def lemma_1(one: OnOne) -> Iterator[Witness]:
    """One more character leaves the longest-matching prefix alone, unless the string becomes a token."""
    for v, (u, _) in one.edges.items():
        if one.form.chi(one.V, v) not in one.V.tokens:
            before, after = one.form.p(one.V, u), one.form.p(one.V, v)
            yield None if before == after else (v, before, after)


def lemma_4(one: OnOne) -> Iterator[Witness]:
    """What failure links lead to is MinPop of χ_u c, for some characters at each node."""
    letters = random.Random(SEED)
    for u, number in one.number.items():
        for c in letters.sample(one.letters, min(CHARACTERS_PER_NODE, len(one.letters))):
            popped, rest = one.form.minpop(one.V, u + c)
            found, tokens = one.read(number, c)
            yield None if (one.name[found], tokens) == (rest, popped) else (u, c, (tokens, found), (popped, rest))


def lemma_5(one: OnOne) -> Iterator[Witness]:
    """f and F of a node from its parent's."""
    sharp = one.T.suffix_root
    for v, (u, c) in one.edges.items():
        token, link = one.T.token(one.number[v]), one.tables.f(one.number[u])
        node, popped = (None, []) if link is None else one.read(link, c)
        expected: tuple[int | None, list[str]] = (sharp, [token]) if token is not None else (
            (None, []) if node is None else (node, one.tables.F(one.number[u]) + popped))
        found = one.tables.f(one.number[v]), one.tables.F(one.number[v])
        yield None if found == expected else (v, found, expected)


def algorithm_1(one: OnOne) -> Iterator[Witness]:
    """LinMaxMatch is the original WordPiece, and stays within n edges and n moves."""
    for w in words(one.V):
        steps = lmm.Steps()
        lmm.match_loop(one.tables, w, 0, steps)
        found, expected = lmm.lin_max_match(one.tables, w), original_wordpiece(one.V, w)
        if found != expected:
            yield w, found, expected
        yield None if max(steps.edges, steps.moves) <= len(w) else (w, steps.edges, steps.moves)


def lemma_3(one: OnOne) -> Iterator[Witness]:
    """MinPop of a word, character by character, is g and G of each of its prefixes."""
    if one.form is not wordpiece:
        return
    for w in random.Random(SEED).sample(words(one.V), 500):
        u: int | None = one.T.root
        popped: list[str] = []
        for k, c in enumerate(w):
            if w[:k + 1] == one.V.suffix_indicator or u is None:
                break
            u, more = one.read(u, c)
            popped = [] if u is None else popped + more
            tokens, rest = one.form.minpop(one.V, word(one.form, w[:k + 1]))
            yield None if (popped, one.name[u]) == (tokens, rest) else (w[:k + 1], popped, tokens)


def words(V: Vocabulary) -> list[str]:
    """The tokens, their bodies, and random words: a token, bodies of suffix tokens, now and then a stray character."""
    chance, sharp = random.Random(SEED), V.suffix_indicator
    tokens = sorted(V.tokens - {""})
    later = [t[len(sharp):] for t in tokens if t.startswith(sharp) and t != sharp] or [""]
    made = []
    for _ in range(WORDS):
        parts = [chance.choice(tokens), *chance.choices(later, k=chance.randrange(6))]
        if chance.random() < 0.1:
            parts.insert(chance.randrange(len(parts) + 1), chance.choice(["\0", sharp, parts[0][:1]]))
        made.append("".join(parts))
    return tokens + later + made


CHECKS: list[tuple[str, Callable[[OnOne], Iterator[Witness]]]] = [
    ("the trie T", nodes_of_the_trie), ("Definition 1", definition_1), ("Lemma 1", lemma_1), ("Lemma 3", lemma_3),
    ("Lemma 4", lemma_4), ("Lemma 5", lemma_5), ("Algorithm 1", algorithm_1)]


def check_vocabulary(tokens: list[str], indicator: str, unk_token: str) -> Iterator[tuple[bool, str]]:
    """Run all checks: whether each holds, and a line that says so."""
    V = Vocabulary(frozenset(tokens) - {""}, indicator, unk_token)
    compiled = lmm.Vocabulary(tokens, indicator, unk_token, duplicates="last")
    yield True, f"{len(tokens):,} tokens, ♯ = {indicator or 'ε'}, longest token {max(map(len, tokens))} characters"
    forms: list[tuple[Roots, str]] = [(1, "one trie, as in the paper"), (2, "two roots")]
    for roots, heading in forms:
        one = OnOne(V, compiled, roots)
        sizes = [len(one.tables.F(v)) for v in range(len(one.T))]
        stuck = sum(one.tables.f(v) is None for v in range(len(one.T)))
        yield True, (f"{heading}: {len(one.T):,} nodes, Σ|F| {sum(sizes):,}, max |F| {max(sizes)}, "
                     f"f = ∅ at {stuck:,} nodes")
        for title, predicate in CHECKS:
            began = time.perf_counter()
            cases, witness = 0, None
            for witness in predicate(one):
                cases += 1
                if witness is not None:
                    break
            verdict = "holds" if witness is None else f"FAILS: {witness}"
            if cases:
                meaning = (predicate.__doc__ or "").splitlines()[0].rstrip(".")
                yield witness is None, (f"  {title:<13}{verdict}  ({meaning}; {cases:,} cases, "
                                        f"{time.perf_counter() - began:.1f} s)")


def main(path: str, indicator: str, unk_token: str) -> int:
    """Print the verdicts on a vocabulary file; 1 if anything fails or the file is bad."""
    try:
        loaded = load_vocab_txt(path, duplicates="last", unk_token=unk_token)
    except (OSError, ValueError) as error:
        print(error)
        return 1
    for note in loaded.notes:
        print(note)
    failed = False
    for holds, line in check_vocabulary(list(loaded.tokens), indicator, unk_token):
        failed |= not holds
        print(line, flush=True)
    print("something FAILS" if failed else "all hold")
    return 1 if failed else 0
