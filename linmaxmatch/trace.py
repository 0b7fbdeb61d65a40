"""LinMaxMatch step by step, and f and F of every node, to be read beside the paper.        (Algorithm 1, Table 1)

`trace` runs Algorithm 1 on one word: iterated it yields what it does, `print` shows it, `.table()` is for a notebook,
and `.tokens()` is what comes out. `table` and `show_table` do the same for Algorithm 2's result. The trace is an
algorithm of its own, written for reading: the tests hold it against `lin_max_match`.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from linmaxmatch.failure import Tables, precompute
from linmaxmatch.trie import Trie
from subwordio.steptable import Shown, StepTable

if TYPE_CHECKING:
    from linmaxmatch.wordpiece import WordPiece

BLANK = "␣"        # stands for the character of no token that the paper writes after the word
EMPTY = "ε"        # χ of the root
NOTHING = "∅"

Kind = Literal["edge", "failure", "boundary", "unknown", "literal", "capped"]


@dataclass(frozen=True, slots=True)
class Step:
    """One move of Algorithm 1 at position `index` of the word and node `node`.

    edge      δ(node, character) is `target`; the position moves on
    failure   there is no such edge: `pops` is F(node), `target` is f(node); the position stays
    boundary  the word is over and `node` is r or r♯: the tokens popped so far are the answer
    unknown   no edge and f(node) = ∅, or the word is over elsewhere: the answer is the unknown token
    literal   the word starts with ♯, which one trie would read as a later piece: the first piece is looked up as a
              literal, `pops` is that token, `target` is r♯, and the position moves behind it (`lin_max_match`, repair)
    capped    a tokenizer's word that is longer than its cap: it is not looked at, the answer is the unknown token
    """

    kind: Kind
    index: int
    character: str                      # BLANK at the end of the word
    node: int
    chi: str                            # χ of the node
    pops: tuple[str, ...] = ()
    target: int | None = None
    target_chi: str = ""


class Trace(Shown):
    """LinMaxMatch on one word. Each iteration runs it anew."""

    def __init__(self, tables: Tables, word: str, capped: bool = False) -> None:
        if tables.trie.symbols == "bytes":
            raise ValueError("a trace needs a trie of characters, this one is of bytes")
        self.tables, self.word, self.capped = tables, word, capped

    def __iter__(self) -> Iterator[Step]:
        if self.capped:
            return iter([Step("capped", 0, self.word[0], self.tables.trie.root, "")])
        return steps(self.tables, self.word)

    def tokens(self) -> list[str]:
        """What the run returns: all that was popped, or the unknown token alone."""
        tokens: list[str] = []
        for step in self:
            if step.kind in ("unknown", "capped"):
                return [self.tables.trie.vocabulary.unk_token]
            tokens += step.pops
        return tokens

    def table(self) -> StepTable:
        """A move a row, for a terminal or a notebook."""
        return StepTable(f"word {self.word}        {roots(self.tables)}", ("i", "s[i]", "at node", "move"),
                       tuple((str(step.index), step.character, named(step.node, step.chi), move(step))
                             for step in self),
                       "result  " + (" ".join(self.tokens()) or "[]"))


def trace(tables: Tables, word: str) -> Trace:
    """The moves of LinMaxMatch on `word`.        (Algorithm 1)    O(|word|) steps.

    ValueError for a trie of bytes.

    >>> from linmaxmatch import Trie, Vocabulary, precompute
    >>> V = Vocabulary(["a", "##b", "<unk>"])
    >>> moves = trace(precompute(Trie(V)), "ab")
    >>> [step.kind for step in moves], moves.tokens()
    (['edge', 'failure', 'edge', 'failure', 'boundary'], ['a', '##b'])
    >>> print(moves)
    word ab        r = 0, r♯ = 2
     i  s[i]  at node  move
     0  a     0 ε      edge to 3 a
     1  b     3 a      failure to 2 ##, pops a
     1  b     2 ##     edge to 4 ##b
     2  ␣     4 ##b    failure to 2 ##, pops ##b
     2  ␣     2 ##     boundary
    result  a ##b
    """
    return Trace(tables, word)


def trace_text(wp: WordPiece, text: str | bytes) -> list[Trace]:
    """What `WordPiece.trace` returns."""
    cap, split_unknown = wp.options["max_chars_per_word"], wp.options["split_unknown"]
    if split_unknown:
        raise ValueError("split_unknown=True: Algorithm 1 makes one unknown token of a word, and has no other trace")
    tables = precompute(Trie(wp.vocabulary))
    in_bytes = wp.options["normalizer"] == "tf"
    return [Trace(tables, word, cap is not None and len(word.encode() if in_bytes else word) > cap)
            for word in wp.normalizer.words(text)]


def steps(tables: Tables, word: str) -> Iterator[Step]:
    """Algorithm 1, written for reading."""
    T = tables.trie
    V = T.vocabulary
    sharp = V.suffix_indicator
    u, i = T.root, 0

    def step(kind: Kind, pops: Iterable[str] = (), target: int | None = None) -> Step:
        return Step(kind, i, word[i] if i < len(word) else BLANK, u, spelling(T, u), tuple(pops), target,
                    "" if target is None else spelling(T, target))

    if T.roots == 1 and sharp and word.startswith(sharp):
        end = next((end for end in range(len(word), 0, -1) if word[:end] in V), None)
        if end is None:
            yield step("unknown")
            return
        yield step("literal", [word[:end]], T.suffix_root)
        u, i = T.suffix_root, end
    while True:
        v = T.delta(u, word[i]) if i < len(word) else None
        if v is not None:
            yield step("edge", target=v)
            u, i = v, i + 1
            continue
        if i == len(word) and u in (T.root, T.suffix_root):
            yield step("boundary")
            return
        v = tables.f(u)
        if v is None:
            yield step("unknown")
            return
        yield step("failure", tables.F(u), v)
        u = v


def spelling(T: Trie, v: int) -> str:
    """χ_v, of a trie of bytes too."""
    chi = T.chi(v)
    return chi if isinstance(chi, str) else chi.decode("utf-8", "backslashreplace")


def roots(tables: Tables) -> str:
    return f"r = {tables.trie.root}, r♯ = {tables.trie.suffix_root}"


def named(node: int, chi: str) -> str:
    return f"{node} {chi or EMPTY}"


def move(step: Step) -> str:
    target = named(step.target or 0, step.target_chi)
    match step.kind:
        case "edge":
            return f"edge to {target}"
        case "failure":
            return f"failure to {target}, pops {' '.join(step.pops)}"
        case "boundary":
            return "boundary"
        case "unknown" if step.character == BLANK:
            return "no failure link, and the word ends at no root: unknown"
        case "unknown":
            return "no edge and no failure link: unknown"
        case "capped":
            return "longer than the cap on words: unknown"
        case "literal":
            return f"a word that starts with ♯: its first piece is {' '.join(step.pops)}; to {target}"


@dataclass(frozen=True, slots=True)
class Row:
    """One node of the table: χ, and f and F as Algorithm 2 leaves them."""

    node: int
    chi: str
    f: int | None
    F: tuple[str, ...]


def table(tables: Tables) -> Iterator[Row]:
    """f and F of every node.        (Algorithm 2, Table 1)

    >>> from linmaxmatch import Trie, Vocabulary, precompute
    >>> V = Vocabulary(["a", "##b", "<unk>"])
    >>> next(row for row in table(precompute(Trie(V))) if row.chi == "a")
    Row(node=3, chi='a', f=2, F=('a',))
    """
    T = tables.trie
    for v in range(len(T)):
        yield Row(v, spelling(T, v), tables.f(v), tuple(tables.F(v)))


def show_table(tables: Tables) -> Iterator[str]:
    """The table as lines of text.

    >>> from linmaxmatch import Trie, Vocabulary, precompute
    >>> print(*show_table(precompute(Trie(Vocabulary(["a", "##b", "<unk>"])))), sep="\\n")
    r = 0, r♯ = 2
    v  χ(v)   f(v)  F(v)
    0  ε         ∅  []
    1  #         ∅  []
    2  ##        ∅  []
    3  a         2  [a]
    4  ##b       2  [##b]
    5  <         ∅  []
    6  <u        ∅  []
    7  <un       ∅  []
    8  <unk      ∅  []
    9  <unk>     2  [<unk>]
    """
    rows = list(table(tables))
    number = len(str(len(rows) - 1))
    chi = max(len("χ(v)"), *(len(row.chi) for row in rows))
    yield roots(tables)
    yield f"{'v':>{number}}  {'χ(v)':{chi}}  {'f(v)':>{max(number, 4)}}  F(v)"
    for row in rows:
        f = NOTHING if row.f is None else str(row.f)
        yield f"{row.node:>{number}}  {row.chi or EMPTY:{chi}}  {f:>{max(number, 4)}}  [{', '.join(row.F)}]"
