"""The first paper's statements on one whole WordPiece vocabulary, as far as the definitions are fast enough for it.

The compiled tables are held against the definitions at every node of the vocabulary's trie, with one root and with two,
and what runs on words against the original WordPiece, on the vocabulary's own tokens and on random words made of them.
"""
import random
from collections.abc import Callable, Iterator
from typing import Any

import linmaxmatch as lmm
from proofs.compiled import FORMS, Roots, word
from proofs.definitions import wordpiece
from proofs.definitions.wordpiece import Vocabulary, original_wordpiece, split_then_match

WORDS = 20_000
TEXTS = 2_000
SEED = 2012_15524
Node = Any
Witness = tuple[Any, ...] | None


class OnOne:
    """One vocabulary in one form: the definitions, the compiled trie and tables, and the names of the nodes."""

    def __init__(self, V: Vocabulary, wordpiece: lmm.WordPiece, roots: Roots) -> None:
        self.V, self.form, self.roots, self.tokenizer = V, FORMS[roots], roots, wordpiece
        self.compiled = compiled = wordpiece.vocabulary
        self.T = lmm.Trie(compiled, roots=roots)
        self.tables = lmm.precompute(self.T)
        self.number: dict[Node, int] = {}
        self.edges: dict[Node, tuple[Node, str]] = {}
        starts = dict(zip(self.form.roots(V), (self.T.root, self.T.suffix_root), strict=True))
        self.number |= starts
        for v in sorted(self.form.nodes(V), key=lambda v: (len(v if isinstance(v, str) else v.text), v)):
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
    """What failure links lead to is MinPop of χ_u c, for a character at each node."""
    letters = random.Random(SEED)
    for u, number in one.number.items():
        for c in letters.sample(one.letters, 1):
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


def on_words(by_definition: Callable[[Vocabulary, str], Any], compiled: Callable[[Any, str], Any],
             forms: tuple[Roots, ...], meaning: str) -> Callable[[OnOne], Iterator[Witness]]:
    """A check that two functions of a word agree on all words, in some forms only."""
    def check(one: OnOne) -> Iterator[Witness]:
        for w in words(one.V) if one.roots in forms else ():
            found, expected = compiled(one, w), by_definition(one.V, w)
            yield None if found == expected else (w, found, expected)

    check.__doc__ = meaning
    return check


def cost_1(one: OnOne) -> Iterator[Witness]:
    """MatchLoop stays within n edges and n failure moves."""
    for w in words(one.V):
        steps = lmm.Steps()
        lmm.match_loop(one.tables, w, 0, steps)
        yield None if max(steps.edges, steps.moves) <= len(w) else (w, (steps.edges, steps.moves), len(w))


def cost_2(one: OnOne) -> Iterator[Witness]:
    """No F(v) holds more tokens than v has characters, and all together hold no more than Mm."""
    total = 0
    for v, number in one.number.items():
        size, length = len(one.tables.F(number)), one.form.length(one.V, v)
        total += size
        yield None if size <= length else (v, size, length)
    lengths = [len(t) for t in one.V.tokens]
    bound = sum(lengths) * max(lengths) * one.roots
    yield None if total <= bound else ("all F", total, bound)


def algorithm_3(one: OnOne) -> Iterator[Witness]:
    """One pass over a text is splitting and then the original WordPiece."""
    if one.form is not wordpiece:
        return
    E = lmm.precompute_e2e(one.compiled)
    for text in texts(one.V):
        expected = split_then_match(one.V, text, lmm.is_punctuation, lmm.is_whitespace)
        found = lmm.e2e_wordpiece(E, text)
        yield None if found == expected else (text, found, expected)


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


def proposition_8(one: OnOne) -> Iterator[Witness]:
    """The tokenizer gives each word that is not too long what the original WordPiece gives it."""
    if one.form is not wordpiece:
        return
    longest = one.tokenizer.options.get("max_chars_per_word")
    for w in words(one.V):
        if not isinstance(longest, int) or len(w) <= longest:
            found = [one.tokenizer.token(i) for i in one.tokenizer.encode_word(w)]
            expected = original_wordpiece(one.V, w)
            yield None if found == expected else (w, found, expected)


def texts(V: Vocabulary) -> list[str]:
    """Words, marks and spaces, one after another."""
    chance, some = random.Random(SEED), words(V)
    return ["".join(part for _ in range(chance.randrange(1, 8)) for part in (
        chance.choice(some), chance.choice([" ", " ", "", ".", "#", " ##", "##"]))) for _ in range(TEXTS)]


CHECKS: list[tuple[str, Callable[[OnOne], Iterator[Witness]]]] = [
    ("definition_1", definition_1),
    ("definition_3", on_words(wordpiece.p, lambda one, w: lmm.p(one.compiled, w), (1,), "p of every word")),
    ("definition_4", on_words(wordpiece.q, lambda one, w: lmm.q(one.compiled, w), (1,), "q of every word")),
    ("definition_5", on_words(wordpiece.M, lambda one, w: lmm.M(one.compiled, w), (1,), "M of every word")),
    ("lemma_1", lemma_1), ("lemma_3", lemma_3), ("lemma_4", lemma_4), ("lemma_5", lemma_5),
    ("algorithm_1", on_words(original_wordpiece, lambda one, w: lmm.lin_max_match(one.tables, w), (1,),
                             "LinMaxMatch of every word is the original WordPiece")),
    ("section_3_1_trie", nodes_of_the_trie), ("algorithm_3", algorithm_3),
    ("proposition_2", on_words(original_wordpiece, lambda one, w: lmm.lin_max_match(one.tables, w), (2,),
                               "LinMaxMatch with two roots is the original WordPiece")),
    ("proposition_8", proposition_8),
    ("cost_1", cost_1), ("cost_2", cost_2)]
"""What is checked on the whole vocabulary, by how the statement's file begins."""


def forms(V: Vocabulary, tokenizer: lmm.WordPiece) -> list[OnOne]:
    """The vocabulary with the paper's one trie, and with two roots."""
    return [OnOne(V, tokenizer, 1), OnOne(V, tokenizer, 2)]
