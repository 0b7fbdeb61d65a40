"""Fast WordPiece Tokenization (arXiv 2012.15524), read aloud.

A node of the paper's one trie *is* its string here, so χ is the identity; ∅ is None. Every symbol is a function of
exactly the paper's arguments and is as slow as its definition.

Notation   V vocabulary · ♯ V.suffix_indicator · <unk> V.unk_token · w a string · u, v nodes · c a character
"""
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

CharacterClass = Callable[[str], bool]


@dataclass(frozen=True)
class Vocabulary:
    """V: a set of strings, the suffix indicator ♯, and the token that stands for a word without a tokenization.

    >>> "<unk>" in Vocabulary(frozenset({"a", "##b"}))
    True
    """

    tokens: frozenset[str]
    suffix_indicator: str = "##"
    unk_token: str = "<unk>"

    def __post_init__(self) -> None:
        object.__setattr__(self, "tokens", frozenset(self.tokens) | {self.unk_token})

    def __contains__(self, w: str) -> bool:
        return w in self.tokens

    def __hash__(self) -> int:
        return hash((self.tokens, self.suffix_indicator))


def prefixes(w: str) -> list[str]:
    """All prefixes of w, ε and w included, shortest first."""
    return [w[:k] for k in range(len(w) + 1)]


# ------------------------------------------------------------------------------------- the definition of record

def original_wordpiece(V: Vocabulary, w: str) -> list[str]:
    """What BERT's WordPiece does: the longest literal piece, then the longest ♯-piece again and again.

    One piece that cannot be found makes the whole word a single <unk>.

    >>> original_wordpiece(Vocabulary(frozenset({"a", "abcd", "##b", "##bc", "##z"})), "abcz")
    ['a', '##bc', '##z']
    """
    pieces: list[str] = []
    start = 0
    while start < len(w):
        spelt = [(w[start:end] if start == 0 else V.suffix_indicator + w[start:end], end)
                 for end in range(len(w), start, -1)]
        found = next(((piece, end) for piece, end in spelt if piece in V.tokens), None)
        if found is None:
            return [V.unk_token]
        piece, start = found
        pieces.append(piece)
    return pieces


def split(text: str, punctuation: CharacterClass, whitespace: CharacterClass) -> list[str]:
    """The words of a text: white space separates them, and each punctuation character is a word of its own.

    >>> split("it's  me.", "'.".__contains__, str.isspace)
    ['it', "'", 's', 'me', '.']
    """
    spaced = "".join(" " if whitespace(c) else f" {c} " if punctuation(c) else c for c in text)
    return [word for word in spaced.split(" ") if word]


def split_then_match(V: Vocabulary, text: str, punctuation: CharacterClass, whitespace: CharacterClass) -> list[str]:
    """End-to-end WordPiece as two passes: split, then the original WordPiece on every word."""
    return [piece for word in split(text, punctuation, whitespace) for piece in original_wordpiece(V, word)]


# ----------------------------------------------------------------------------------------- Definitions 2 to 5

def length(V: Vocabulary, w: str) -> int:
    """|w|, Definition 2: the characters of w, a leading ♯ not counted.

    >>> V = Vocabulary(frozenset())
    >>> [length(V, w) for w in ("abc", "##d", "", "##")]
    [3, 1, 0, 0]
    """
    return len(w) - len(V.suffix_indicator) if w.startswith(V.suffix_indicator) else len(w)


def p(V: Vocabulary, w: str) -> str:
    """p_w, Definition 3: the longest non-empty prefix of w in V, else ε.

    Where w starts with ♯, so must the prefix, and it must be longer than ♯.

    >>> p(Vocabulary(frozenset({"a", "ab", "##c"})), "abcd")
    'ab'
    """
    sharp = V.suffix_indicator
    matching = [x for x in prefixes(w) if x != "" and x in V.tokens
                and (not w.startswith(sharp) or (x.startswith(sharp) and len(x) > len(sharp)))]
    return max(matching, key=len, default="")


def q(V: Vocabulary, w: str) -> str:
    """q_w, Definition 4: w with p_w replaced by ♯; w itself if p_w = ε.

    >>> q(Vocabulary(frozenset({"a", "ab", "##c"})), "abcd")
    '##cd'
    """
    first = p(V, w)
    return w if first == "" else V.suffix_indicator + w[len(first):]


def M(V: Vocabulary, w: str) -> list[str]:
    """M(w), MaxMatch, Definition 5: [] if w is ε or ♯, <unk> if p_w = ε, else p_w and then M(q_w).

    Any step without a match makes the whole <unk>.

    >>> M(Vocabulary(frozenset({"a", "ab", "##c"})), "abc")
    ['ab', '##c']
    """
    pieces = every_step(V, w)
    return [V.unk_token] if pieces is None else pieces


def every_step(V: Vocabulary, w: str) -> list[str] | None:
    """M(w) while every step has a match, else None: a token may be spelt `<unk>`, so <unk> cannot tell."""
    if w in ("", V.suffix_indicator):
        return []
    if p(V, w) == "":
        return None
    rest = every_step(V, q(V, w))
    return None if rest is None else [p(V, w), *rest]


# -------------------------------------------------------------------------------------------------- the trie T

@cache
def nodes(V: Vocabulary) -> frozenset[str]:
    """The nodes of T, the trie of V ∪ {♯}: all prefixes of its strings."""
    return frozenset(x for t in V.tokens | {V.suffix_indicator} for x in prefixes(t))


def roots(V: Vocabulary) -> tuple[str, str]:
    """r and r♯: the nodes of ε and of ♯."""
    return "", V.suffix_indicator


def delta(V: Vocabulary, u: str, c: str) -> str | None:
    """δ(u, c): the child of u by c, or ∅."""
    return u + c if u + c in nodes(V) else None


def chi(V: Vocabulary, v: str) -> str:
    """χ_v: the string of node v. In the one trie a node is its string."""
    return v


# ------------------------------------------------------------- MinPop, one step, failure links: Definitions 1, 6

def pops(V: Vocabulary, w: str) -> Iterator[tuple[list[str], str]]:
    """What is popped from w and what is left, after 0, 1, 2, … longest-matching prefixes."""
    popped: list[str] = []
    yield popped, w
    while p(V, w) != "":
        popped, w = [*popped, p(V, w)], q(V, w)
        yield popped, w


def minpop(V: Vocabulary, w: str) -> tuple[list[str], str | None]:
    """G(w) and g(w) together: the fewest pops from w that leave a node, and that node; [] and ∅ if none do."""
    return next(((popped, rest) for popped, rest in pops(V, w) if rest in nodes(V)), ([], None))


def g(V: Vocabulary, w: str) -> str | None:
    """g(w): the node left when the fewest longest-matching prefixes are popped from w; ∅ if no node can be left."""
    return minpop(V, w)[1]


def G(V: Vocabulary, w: str) -> list[str]:
    """G(w): the tokens popped on the way to g(w), in order."""
    return minpop(V, w)[0]


def h(V: Vocabulary, u: str, c: str) -> str | None:
    """h(u, c) = g(χ_u c): the node reached when c is read at node u."""
    return g(V, u + c)


def H(V: Vocabulary, u: str, c: str) -> list[str]:
    """H(u, c) = G(χ_u c): the tokens popped when c is read at node u."""
    return G(V, u + c)


def fewest_pops(V: Vocabulary, v: str) -> tuple[list[str], str | None]:
    """F(v) and f(v) together, Definition 1: as minpop of χ_v, but at least one pop."""
    after = (step for step in pops(V, v) if step[0])
    return next(((popped, rest) for popped, rest in after if rest in nodes(V)), ([], None))


def f(V: Vocabulary, v: str) -> str | None:
    """f(v), Definition 1, the failure link: the node left after F(v) is popped from χ_v; ∅ if there is none."""
    return fewest_pops(V, v)[1]


def F(V: Vocabulary, v: str) -> list[str]:
    """F(v), Definition 1, the failure pops: the shortest non-empty list of longest-matching prefixes of χ_v
    whose removal leaves a node; [] if there is none."""
    return fewest_pops(V, v)[0]
