"""θ of every prefix step by step: which tokens are tested, and why each is it or is not.          (Sections 3 to 5)

`Tracer.trace` follows a text symbol by symbol, by one of the searches: iterated it yields what is tested, `print` shows
it, `.table()` is for a notebook, and `.tokens()` is T of the text. The trace is an algorithm of its own, written for
reading, by the definitions alone: the tests hold it against `theta`.

Notation   s the text so far, of t symbols · k the longest canonical token that ends it · z a token that is tested ·
           w the last token before suc(z), which decides it (Definition 4.1) · c the token under pre(z) on the way to w
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Literal

from incbpe.automaton import SuffixAutomaton
from incbpe.bpe import rank_bpe
from incbpe.bytemap import byte_name
from incbpe.centroid import CentroidTree
from incbpe.dictionary import Dictionary, DictionaryError
from incbpe.normalize import Normalized
from incbpe.successor import SuccessorForest
from incbpe.sufsuc import SuffixSuccessorTree
from subwordio.steptable import Shown, StepTable

if TYPE_CHECKING:
    from incbpe.bytepair import BPE

__all__ = ["Step", "Test", "Trace", "Tracer", "named"]

Token = Any            # str, or bytes where the dictionary is of bytes
SearchName = Literal["longest", "root", "centroid", "pairs"]
Why = Literal["atom", "whole", "after pre", "later", "earlier", "elsewhere", "pair", "no pair"]

VALID = ("atom", "whole", "after pre", "later", "pair")


@dataclass(frozen=True, slots=True)
class Test:
    """One token z that is looked at, and why it is valid or not (Definition 4.1).

    atom            a single symbol is valid after any text
    after pre       w = pre(z)
    later           w is below pre(z), through c, whose rule is later than that of z
    earlier         so it is, but the rule of c is earlier, or the same: pre(z) was part of c before z could be made
    elsewhere       w is not below pre(z)
    whole           of pairs: z is the whole text, or all of it behind an unknown symbol
    pair, no pair   of pairs: w is the last token before z, and rank BPE of w z is [w, z], or is `made`
    """

    token: Token
    why: Why
    w: Token | None = None
    c: Token | None = None
    made: tuple[Token, ...] = ()

    @property
    def valid(self) -> bool:
        return self.why in VALID


@dataclass(frozen=True, slots=True)
class Step:
    """θ of the first t symbols. `longest` is k, None after a symbol that is no token."""

    t: int
    symbol: Token
    longest: Token | None
    tests: tuple[Test, ...]
    theta: Token


class Tracer:
    """The searches over one normalized dictionary, one token at a time.

    >>> from incbpe import Dictionary, normalize
    >>> N = normalize(Dictionary("a b ab bb abb".split(), [("a", "b"), ("b", "b"), ("ab", "b")]))
    >>> last = list(Tracer(N).trace("bbb"))[-1]
    >>> [(test.token, test.why, test.w, test.c) for test in last.tests], last.theta
    ([('bb', 'earlier', 'bb', 'bb'), ('b', 'atom', None, None)], 'b')
    """

    def __init__(self, N: Normalized, search: SearchName | None = None) -> None:
        pairs = N.form == "pairs"
        self.search: SearchName = ("pairs" if pairs else "longest") if search is None else search
        if self.search not in ("longest", "root", "centroid", "pairs"):
            raise ValueError(f"search: expected 'longest', 'root', 'centroid' or 'pairs', got {search!r}")
        if pairs != (self.search == "pairs"):
            raise DictionaryError(f"search {self.search!r}: the form {N.form!r} of this dictionary has another")
        self.N, self.automaton = N, SuffixAutomaton(N)
        self.forest = None if pairs else SuccessorForest(N)

    def trace(self, text: Token) -> Trace:
        """θ of each prefix of `text`, the empty one aside. By the longest-first search, O(t) tests a symbol."""
        return Trace(self, text)

    def steps(self, text: Token) -> Iterator[Step]:
        """What `Trace` iterates over."""
        history: list[Token | None] = [None]            # θ by length; None: nothing, or an unknown symbol
        for t, k in enumerate(self.automaton.longest(text), 1):
            symbol = text[t - 1:t]
            tests: list[Test] = []
            if k is not None:
                match self.search:
                    case "longest":
                        tests = self.down_the_chain(k, history)
                    case "pairs":
                        tests = self.by_pairs(k, history)
                    case "root":
                        tests = self.from_the_root(symbol, history)
                    case "centroid":
                        tests = self.by_centroids(k, history)
            theta = next((test.token for test in reversed(tests) if test.valid), None)
            history.append(theta)
            yield Step(t, symbol, k, tuple(tests), symbol if theta is None else theta)

    def test(self, z: Token, history: list[Token | None]) -> Test:
        """Whether z is valid after the text whose shorter prefixes have these last tokens (Definition 4.1)."""
        suc = self.N.suc(z)
        if suc is None:
            return Test(z, "atom")
        w, pre = history[-len(suc)], self.N.pre(z)
        assert w is not None        # it ends with the last symbol of pre(z), which is no unknown one
        c: Token | None = None
        above: Token | None = w
        while above is not None and above != pre:
            c, above = above, self.N.suc(above)
        if above is None:
            return Test(z, "elsewhere", w)
        if c is None:
            return Test(z, "after pre", w)
        return Test(z, "later" if self.prio(c) > self.prio(z) else "earlier", w, c)

    def prio(self, z: Token) -> int:
        """The place of the rule that makes z, which is no atom."""
        prio = self.N.prio(z)
        assert prio is not None
        return prio

    def down_the_chain(self, k: Token, history: list[Token | None]) -> list[Test]:
        """From the longest token on, to the first that is valid (Section 4.2)."""
        tests: list[Test] = []
        for z in self.automaton.chain(k):
            tests.append(self.test(z, history))
            if tests[-1].valid:
                break
        return tests

    def from_the_root(self, symbol: Token, history: list[Token | None]) -> list[Test]:
        """From the last symbol down the forest, by the one child that is valid, while there is one (Section 4.3)."""
        tests = [self.test(symbol, history)]
        while (child := self.valid_child(tests[-1].token, history)) is not None:
            tests.append(self.test(child, history))
        return tests

    def valid_child(self, z: Token, history: list[Token | None]) -> Token | None:
        """The child of z in the forest whose range holds the last token before z: all of them ask for that one."""
        assert self.forest is not None
        w = history[-len(z)]
        return None if w is None else next((c for c in self.forest.children(z) if self.forest.valid(c, w)), None)

    def by_centroids(self, k: Token, history: list[Token | None]) -> list[Test]:
        """k, then the centroids of the next shorter token's chain (Section 5.2)."""
        assert self.forest is not None
        tests = [self.test(k, history)]
        if tests[0].valid:
            return tests
        tree = SuffixSuccessorTree(self.forest, self.automaton, self.automaton.chain(k)[1])
        part: tuple[Token, Any, list[Any]] | None = CentroidTree(tree).outline()
        while part is not None:
            centroid, above, below = part
            tests.append(self.test(centroid, history))
            if not tests[-1].valid:
                part = above
                continue
            child = self.valid_child(centroid, history)
            part = next((each for each in below if child in nodes(each)), None)
        return tests

    def by_pairs(self, k: Token, history: list[Token | None]) -> list[Test]:
        """From the longest token on, to the first that rank BPE leaves whole after the token before it."""
        tests: list[Test] = []
        for z in self.automaton.chain(k):
            w = history[-len(z)]
            made = () if w is None else tuple(rank_bpe(self.N.dictionary, w + z))
            tests.append(Test(z, "whole" if w is None else "pair" if made == (w, z) else "no pair", w, None, made))
            if tests[-1].valid:
                break
        return tests


def nodes(outline: tuple[Token, Any, list[Any]]) -> set[Token]:
    """The tokens of a part of a centroid tree."""
    centroid, above, below = outline
    return {centroid}.union(*map(nodes, ([above] if above else []) + below))


class Trace(Shown):
    """θ of each prefix of one text. Each iteration searches anew.

    >>> from incbpe import Dictionary, normalize
    >>> N = normalize(Dictionary("a b ab bb abb".split(), [("a", "b"), ("b", "b"), ("ab", "b")]))
    >>> print(Tracer(N).trace("bbbab"))
    text bbbab
     t  s[t]  z   is it θ?
     1  b     b   yes: an atom
     2  b     bb  yes: before b stands b = pre(z)
     3  b     bb  no: before b stands bb, below pre(z) = b through bb, whose rule 1 is not later than 1
              b   yes: an atom
     4  a     a   yes: an atom
     5  b     ab  yes: before b stands a = pre(z)
    T    bb b ab
    """

    def __init__(self, tracer: Tracer, text: Token, whole: bool = False) -> None:
        self.tracer, self.text, self.whole = tracer, text, whole

    def __iter__(self) -> Iterator[Step]:
        return self.tracer.steps(self.text)

    def tokens(self) -> list[Token]:
        """T of the text: from its end, step back by θ (equation 2). All of it where it was looked up whole."""
        if self.whole:
            return [self.text]
        thetas = [step.theta for step in self]
        found: list[Token] = []
        t = len(thetas)
        while t:
            found.append(thetas[t - 1])
            t -= len(found[-1])
        return found[::-1]

    def table(self) -> StepTable:
        """A test a row, for a terminal or a notebook."""
        return StepTable(f"text {named(self.text)}", ("t", "s[t]", "z", "is it θ?"),
                       tuple(row for step in self for row in rows(self.tracer, step)),
                       ("looked up whole: " if self.whole else "T    ")
                       + (" ".join(map(named, self.tokens())) or "[]"))


def trace_text(bpe: BPE, text: str | bytes) -> list[Trace]:
    """What `BPE.trace` returns."""
    tracer, whole_piece = Tracer(bpe.normalized()), bpe.config.model.whole_piece
    added = {token.id for token in bpe.config.added_tokens if not token.special}
    encoding = bpe.encode(text, offsets=True)
    traces = []
    for _, group in groupby(zip(encoding.words, encoding.ids, strict=True), itemgetter(0)):
        ids = [id for _, id in group]
        if len(ids) == 1 and ids[0] in added:
            continue
        piece = b"".join(map(bpe.token_bytes, ids))
        traces.append(Trace(tracer, piece if bpe.binary else piece.decode(), whole_piece and len(ids) == 1))
    return traces


def rows(tracer: Tracer, step: Step) -> Iterator[tuple[str, str, str, str]]:
    """The tests of one step in words."""
    first = (str(step.t), named(step.symbol))
    if step.longest is None:
        yield (*first, "", "the symbol is no token: θ is the symbol itself")
    for test in step.tests:
        yes = "yes" if test.token == step.theta and test is step.tests[-1] else "valid" if test.valid else "no"
        yield (*first, named(test.token), f"{yes}: {reason(tracer, test)}")
        first = ("", "")
    if step.tests and step.tests[-1].token != step.theta:
        yield ("", "", named(step.theta), "yes: the last that was valid")


def reason(tracer: Tracer, test: Test) -> str:
    """Why a token is valid or not, in words."""
    N, z = tracer.N, test.token
    w = "nothing" if test.w is None else named(test.w)
    match test.why:
        case "atom":
            return "an atom"
        case "whole":
            return "no token stands before it"
        case "pair":
            return f"rank BPE leaves {w} and it as they are"
        case "no pair":
            return f"before it stands {w}, and rank BPE of both is {' '.join(map(named, test.made))}"
    before = f"before {named(N.suc(z))} stands {w}"
    pre = f"pre(z) = {named(N.pre(z))}"
    match test.why:
        case "after pre":
            return f"{before} = pre(z)"
        case "elsewhere":
            return f"{before}, which is not below {pre}"
    assert test.c is not None
    order = "later than" if test.why == "later" else "not later than"
    return (f"{before}, below {pre} through {named(test.c)}, whose rule {tracer.prio(test.c)} is {order} "
            f"{tracer.prio(z)}")


def named(token: Token) -> str:
    """A token as it is shown, without white space: bytes in GPT-2's byte alphabet.

    >>> named(b" a"), named("a b"), named("ab")
    ('Ġa', "'a b'", 'ab')
    """
    if isinstance(token, bytes):
        return byte_name(token)
    text: str = token
    return text if text.isprintable() and " " not in text and text else repr(text)


def dictionary_of(rules: list[str]) -> Dictionary:
    """The dictionary of rules such as "a b", of characters: their symbols, and what they make.

    DictionaryError for what is no rule, is there twice, or has a part that is neither a character nor made by a rule.

    >>> dictionary_of(["a b", "ab b"]).tokens
    ('a', 'b', 'ab', 'abb')
    """
    pairs: list[tuple[str, str]] = []
    for rule in rules:
        parts = rule.split(" ")
        if len(parts) != 2 or not all(parts):
            raise DictionaryError(f"rule {len(pairs)}: {rule!r}: expected two tokens with a space between")
        pairs.append((parts[0], parts[1]))
    names = dict.fromkeys("".join(x + y for x, y in pairs))
    names |= dict.fromkeys(x + y for x, y in pairs)
    for i, pair in enumerate(pairs):
        for token in pair:
            if token not in names:
                raise DictionaryError(f"rule {i}: {' '.join(pair)!r}: {token!r} is no character, and no rule makes it")
    return Dictionary(list(names), pairs)
