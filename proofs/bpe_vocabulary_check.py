"""The statements on one BPE vocabulary of your own: `python -m proofs --vocab cl100k_base.tiktoken`.

The compiled modules, normalized for rank BPE as tokenizers use it, are held against plain Python on all tokens, and on
random texts made of them. Plain Python here merges as the definitions do, but looks a pair's rank up in a dict, since
real vocabularies have hundreds of thousands of rules.
"""
import random
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from math import log2
from typing import Any

import incbpe
from incbpe.loading import load
from incbpe.model import Model

TEXTS = 400
LONG_RUN = 5_000
SEED = 2605_30813
Token = Any
"""A token or a text: str, or bytes where the dictionary is of bytes."""
Witness = tuple[Any, ...] | None


class OnOne:
    """One vocabulary: its rules in plain Python, and the compiled normal form."""

    def __init__(self, model: Model) -> None:
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


CHECKS: list[tuple[str, Callable[[OnOne], Iterator[Witness]]]] = [
    ("Section 3.3", section_3_3), ("Proposition 1", proposition_1), ("Lemma 3.1", lemma_3_1),
    ("Section 4.3", section_4_3), ("Theorem 4.2", theorem_4_2), ("Section 5", section_5), ("Cost 1", cost_1),
    ("Section 6", section_6)]


def check_model(model: Model) -> Iterator[tuple[bool, str]]:
    """Run all checks: whether each holds, and a line that says so."""
    one = OnOne(model)
    yield True, (f"{len(one.D.tokens):,} tokens, {len(one.rules):,} rules, {len(one.canonical):,} canonical tokens, "
                 f"{one.automaton.states:,} states, {'proper' if one.N.proper else 'improper'}")
    yield True, f"form {one.N.form!r}: {one.N.reason}"
    for title, predicate in CHECKS:
        began = time.perf_counter()
        cases, witness = 0, None
        for witness in predicate(one):
            cases += 1
            if witness is not None:
                break
        if cases:
            verdict = "holds" if witness is None else f"FAILS: {witness}"
            meaning = (predicate.__doc__ or "").splitlines()[0].rstrip(".")
            yield witness is None, (f"  {title:<15}{verdict}  ({meaning}; {cases:,} cases, "
                                    f"{time.perf_counter() - began:.1f} s)")


def main(path: str) -> int:
    """Print the verdicts on a tokenizer file; 1 if anything fails or the file is bad."""
    try:
        config = load(path, pattern=None if path.endswith(".json") else "none")
        failed = False
        for holds, line in check_model(config.model):
            failed |= not holds
            print(line, flush=True)
    except (OSError, ValueError) as error:
        print(error)
        return 1
    print("something FAILS" if failed else "all hold")
    return 1 if failed else 0
