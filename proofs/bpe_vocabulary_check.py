"""The second paper's statements on one whole BPE vocabulary, as far as plain Python is fast enough for it.

The compiled modules, normalized for rank BPE as tokenizers use it, are held against plain Python on all tokens, and on
random texts made of them. Plain Python here merges as the definitions do, but looks a pair's rank up in a dict, since
real vocabularies have hundreds of thousands of rules.
"""
import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import log2
from typing import Any

import incbpe
from proofs.bpe_entries import lacking

TEXTS = 400
LONG_RUN = 5_000
SEED = 2605_30813
Token = Any
"""A token or a text: str, or bytes where the dictionary is of bytes."""
Witness = tuple[Any, ...] | None


class OnOne:
    """One vocabulary: its rules in plain Python, and the compiled normal form."""

    def __init__(self, tokenizer: incbpe.BPE) -> None:
        model = tokenizer.model
        self.tokenizer, self.whole_piece = tokenizer, model.whole_piece
        if model.merges is None:
            ranks = {token: rank for rank, token in enumerate(model.tokens) if token}
            self.D: Any = incbpe.Dictionary.from_ranks(ranks)       # type: ignore[arg-type]
        else:
            tokens: Any = [token for token in model.tokens if token]
            self.D = incbpe.Dictionary(tokens, model.merges, duplicates=model.duplicates)
        self.N: Any = incbpe.normalize(self.D, "rank")
        self.rules: tuple[tuple[Token, Token], ...] = self.D.merges      # made anew whenever it is asked for
        self.rank: dict[tuple[Token, Token], int] = {pair: i for i, pair in enumerate(self.rules)}
        self.empty: Token = b"" if self.D.binary else ""
        self.canonical = [z for z in self.D.tokens if self.N.is_canonical(z)]
        self.forest: Any = None if self.N.form == "pairs" else incbpe.SuccessorForest(self.N)
        self.automaton: Any = incbpe.SuffixAutomaton(self.N)
        self.chance = random.Random(SEED)

    def symbols(self, s: Token) -> list[Token]:
        return [s[i:i + 1] for i in range(len(s))]

    def PQ(self, s: Token, fired: list[int] | None = None, from_rank: bool = False) -> list[Token]:
        """Rank BPE; with `from_rank`, equation 1: no rule after a later one."""
        tokens, done = self.symbols(s), 0
        while True:
            ranked = [(i, k) for k, pair in enumerate(pairwise(tokens))
                      if (i := self.rank.get(pair, -1)) >= (done if from_rank else 0)]
            if not ranked:
                return tokens
            done, place = min(ranked)
            tokens[place:place + 2] = [tokens[place] + tokens[place + 1]]
            if fired is not None:
                fired.append(done)

    def texts(self, count: int, longest: int = 60) -> list[Token]:
        """Texts of tokens, some cut off at either end."""
        made = (self.empty.join(self.chance.choices(self.canonical, k=self.chance.randrange(1, 7)))
                for _ in range(count))
        return [s[self.chance.randrange(min(4, len(s))):][:longest] for s in made]


def section_3_3(one: OnOne) -> Iterator[Witness]:
    """The canonical tokens are those that rank BPE leaves whole, each with the rule that it merges last."""
    for z in one.D.tokens:
        fired: list[int] = []
        whole = one.PQ(z, fired) == [z]
        expected = one.rules[fired[-1]] if whole and fired else (None, None)
        found = one.N.pre(z), one.N.suc(z)
        yield None if (one.N.is_canonical(z), found) == (whole, expected) else (z, found, expected)


def proposition_1(one: OnOne) -> Iterator[Witness]:
    """Whether it is proper: rank BPE and equation 1 agree on every token."""
    agree = True
    for z in one.D.tokens:
        agree = agree and one.PQ(z) == one.PQ(z, from_rank=True)
        yield None
    yield None if agree == one.N.proper else ("proper", one.N.proper, agree)


def lemma_3_1(one: OnOne) -> Iterator[Witness]:
    """Infixes of what rank BPE makes of a text are what it makes of their own text."""
    for s in one.texts(TEXTS):
        tokens = incbpe.rank_bpe(one.D, s)
        i, j = sorted(one.chance.choices(range(len(tokens) + 1), k=2))
        again = incbpe.rank_bpe(one.D, one.empty.join(tokens[i:j]))
        yield None if tokens == one.PQ(s) and again == tokens[i:j] else (s, tokens[i:j], again)


def section_4_3(one: OnOne) -> Iterator[Witness]:
    """The ranges of siblings are disjoint, over the whole forest."""
    if one.forest is None:
        return
    for y in one.canonical:
        ranges = sorted((one.forest.valid_range(z), z) for z in one.forest.children(y))
        yield next(((y, z, x) for (first, z), (second, x) in pairwise(ranges) if second[0] < first[1]), None)


def theorem_4_2(one: OnOne) -> Iterator[Witness]:
    """The valid suffix tokens are the root path of θ."""
    if one.forest is None:
        return
    for s in one.texts(TEXTS):
        history = [None, *incbpe.theta(one.N, s)]
        found, path = [], []
        for z in one.automaton.chain(one.automaton.longest(s)[-1]):
            after = one.forest.parent(z)
            if after is None or one.forest.valid(z, history[len(s) - len(after)]):
                found.append(z)
        z = history[-1]
        while z is not None:
            path.append(z)
            z = one.forest.parent(z)
        yield None if found == path else (s, found, path)


def section_5(one: OnOne) -> Iterator[Witness]:
    """θ of every prefix, by every search that the form has, is the last token of rank BPE of the prefix."""
    searches = ["pairs"] if one.forest is None else ["centroid", "longest", "root"]
    for s in one.texts(TEXTS // 4):
        expected = [one.PQ(s[:t])[-1] for t in range(1, len(s) + 1)]
        for search in searches:
            inc: Any = incbpe.Incremental(one.N, search)        # type: ignore[arg-type]
            found = [inc.feed(c) for c in one.symbols(s)]
            yield None if found == expected else (s, search, found, expected)


def cost_1(one: OnOne) -> Iterator[Witness]:
    """A symbol takes at most 2 + ⌊log₂ |chain(k)|⌋ visits, on texts, long runs and runs of spaces too."""
    if one.forest is None:
        return
    chains: dict[Token, int] = {None: 1}
    runs = [s * LONG_RUN for s in ((b" ", b"a", b"\n") if one.D.binary else (" ", "a", "\n"))]
    for s in runs + one.texts(TEXTS):
        inc: Any = incbpe.Incremental(one.N, "centroid")
        before = 0
        for c, k in zip(one.symbols(s), one.automaton.longest(s), strict=True):
            inc.feed(c)
            chains[k] = chains.get(k) or len(one.automaton.chain(k))
            visits, before = inc.visits - before, inc.visits
            yield None if visits <= 2 + int(log2(chains[k])) else (s[:60], k, visits, chains[k])


def section_6(one: OnOne) -> Iterator[Witness]:
    """What is released stays, whatever follows, and comes to the tokens of the text in the end."""
    for s, more in zip(one.texts(TEXTS), one.texts(TEXTS), strict=True):
        whole = incbpe.rank_bpe(one.D, s + more)
        for criterion in ("window", "chain", "maximal"):
            e: Any = incbpe.EagerOutput(one.N, criterion)
            out = [z for c in one.symbols(s) for z in e.feed(c)]
            yield None if whole[:len(out)] == out else (s, more, criterion, out, whole)
            out += e.finish()
            yield None if out == incbpe.rank_bpe(one.D, s) else (s, criterion, out)


def equation_2(one: OnOne) -> Iterator[Witness]:
    """The last tokens of all prefixes, read backwards, are the tokens of the text."""
    for s in one.texts(TEXTS):
        history, tokens, end = incbpe.theta(one.N, s), [], len(s)
        while end:
            tokens.append(history[end - 1])
            end -= len(tokens[-1])
        yield None if tokens[::-1] == one.PQ(s) else (s, tokens[::-1], one.PQ(s))


def section_3_4(one: OnOne) -> Iterator[Witness]:
    """The parent of a token is what it ends with, its number lies in its parent's interval, no two have one number."""
    if one.forest is None:
        return
    numbers = set()
    for z in one.canonical:
        parent, interval = one.forest.parent(z), one.forest.interval(z)
        above = one.forest.interval(parent) if parent is not None else (0, len(one.canonical))
        right = parent == one.N.suc(z) and above[0] <= interval[0] < interval[1] <= above[1]
        right = right and interval[0] not in numbers
        numbers.add(interval[0])
        yield None if right else (z, (parent, interval), (one.N.suc(z), above))


def section_5_2(one: OnOne) -> Iterator[Witness]:
    """The automaton gives the longest canonical token that a prefix ends with."""
    canonical = set(one.canonical)
    longest = max(map(len, canonical), default=0)
    for s in one.texts(TEXTS):
        for t, k in enumerate(one.automaton.longest(s), 1):
            expected = next((s[b:t] for b in range(max(0, t - longest), t) if s[b:t] in canonical), None)
            yield None if k == expected else (s[:t], k, expected)


def proposition_17(one: OnOne) -> Iterator[Witness]:
    """The tokenizer gives each text the tokens of its pieces."""
    known, lacks = set(one.D.tokens), lacking(one.tokenizer.model)
    for s in one.texts(TEXTS):
        text = s.decode("utf-8", "ignore") if isinstance(s, bytes) else s
        if lacks and not lacks.isdisjoint(text.encode()):
            continue
        pieces = [piece if one.D.binary else piece.decode() for piece in one.tokenizer.pieces_of(text)]
        expected = [z for piece in pieces for z in ([piece] if one.whole_piece and piece in known else one.PQ(piece))]
        found = [one.tokenizer.token(i) for i in one.tokenizer.encode(text)]
        yield None if found == expected else (text, found, expected)


CHECKS: list[tuple[str, Callable[[OnOne], Iterator[Witness]]]] = [
    ("bpe_equation_2", equation_2), ("bpe_lemma_3_1", lemma_3_1), ("bpe_theorem_4_2", theorem_4_2),
    ("bpe_section_3_3", section_3_3), ("bpe_section_3_4", section_3_4), ("bpe_section_4_3_siblings", section_4_3),
    ("bpe_section_5_2_suffix_automaton", section_5_2), ("bpe_section_5_search", section_5),
    ("bpe_section_6", section_6), ("bpe_proposition_1", proposition_1), ("bpe_proposition_17", proposition_17),
    ("bpe_cost_1", cost_1)]
"""What is checked on the whole vocabulary, by how the statement's file begins."""
