"""The same paper over a trie with two roots: literal spellings under r, bodies of suffix tokens under r♯.

What is left of a word is a `Rest`: whether a piece was already taken, and the characters to come. A node is a Rest
too. Literal spellings of all tokens (also `##a`) stand under r; a suffix token `##a` stands once more, as `a`, under
r♯. With ♯ = ε both roots are one. No word needs a special case in this form: M is the original WordPiece.
"""
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from proofs.definitions.wordpiece import Vocabulary, prefixes


class Rest(NamedTuple):
    """What is left of a word, or a node: under r♯ (`suffix`) or under r, and its characters without ♯."""

    suffix: bool
    text: str

    def __add__(self, c: str) -> "Rest":  # type: ignore[override]
        return Rest(self.suffix, self.text + c)


def rest(V: Vocabulary, suffix: bool, text: str) -> Rest:
    """The rest `text`, which follows a piece if `suffix`; with ♯ = ε that makes no difference."""
    return Rest(suffix and V.suffix_indicator != "", text)


def chi(V: Vocabulary, v: Rest) -> str:
    """χ_v as it is spelt in V: under r♯ it is ♯ and the body.

    >>> chi(Vocabulary(frozenset()), Rest(True, "a"))
    '##a'
    """
    return V.suffix_indicator + v.text if v.suffix else v.text


def length(V: Vocabulary, w: Rest) -> int:
    """|w|: the characters still to come."""
    return len(w.text)


def p(V: Vocabulary, w: Rest) -> str:
    """p_w: the longest token that spells a non-empty beginning of w, else ε."""
    begun = [chi(V, Rest(w.suffix, x)) for x in prefixes(w.text) if x != ""]
    return max((t for t in begun if t in V.tokens), key=len, default="")


def q(V: Vocabulary, w: Rest) -> Rest:
    """q_w: what is left of w after p_w, under r♯; w itself if p_w = ε."""
    taken = len(p(V, w)) - (len(V.suffix_indicator) if w.suffix else 0)
    return w if p(V, w) == "" else rest(V, True, w.text[taken:])


def M(V: Vocabulary, w: Rest) -> list[str]:
    """M(w): [] if nothing is left, <unk> if p_w = ε, else p_w and then M(q_w); any failure is one <unk>.

    >>> M(Vocabulary(frozenset({"#", "###b"})), Rest(False, "##b"))
    ['#', '###b']
    """
    pieces = every_step(V, w)
    return [V.unk_token] if pieces is None else pieces


def every_step(V: Vocabulary, w: Rest) -> list[str] | None:
    """M(w) while every step has a match, else None: a token may be spelt `<unk>`, so <unk> cannot tell."""
    if w.text == "":
        return []
    if p(V, w) == "":
        return None
    after = every_step(V, q(V, w))
    return None if after is None else [p(V, w), *after]


@cache
def nodes(V: Vocabulary) -> frozenset[Rest]:
    """The nodes: prefixes of every token under r, prefixes of every suffix token's body under r♯."""
    sharp = V.suffix_indicator
    literal = {Rest(False, x) for t in V.tokens | {""} for x in prefixes(t)}
    bodies = {t[len(sharp):] for t in V.tokens if t.startswith(sharp)} | {""}
    return frozenset(literal | {rest(V, True, x) for body in bodies for x in prefixes(body)})


def roots(V: Vocabulary) -> tuple[Rest, Rest]:
    """r and r♯."""
    return Rest(False, ""), rest(V, True, "")


def delta(V: Vocabulary, u: Rest, c: str) -> Rest | None:
    """δ(u, c): the child of u by c, or ∅."""
    return u + c if u + c in nodes(V) else None


def pops(V: Vocabulary, w: Rest) -> Iterator[tuple[list[str], Rest]]:
    """What is popped from w and what is left, after 0, 1, 2, … longest-matching prefixes."""
    popped: list[str] = []
    yield popped, w
    while p(V, w) != "":
        popped, w = [*popped, p(V, w)], q(V, w)
        yield popped, w


def minpop(V: Vocabulary, w: Rest) -> tuple[list[str], Rest | None]:
    """G(w) and g(w) together: the fewest pops from w that leave a node, and that node; [] and ∅ if none do."""
    return next(((popped, left) for popped, left in pops(V, w) if left in nodes(V)), ([], None))


def g(V: Vocabulary, w: Rest) -> Rest | None:
    """g(w): the node left when the fewest longest-matching prefixes are popped from w."""
    return minpop(V, w)[1]


def G(V: Vocabulary, w: Rest) -> list[str]:
    """G(w): the tokens popped on the way to g(w), in order."""
    return minpop(V, w)[0]


def h(V: Vocabulary, u: Rest, c: str) -> Rest | None:
    """h(u, c) = g(χ_u c): the node reached when c is read at node u."""
    return g(V, u + c)


def H(V: Vocabulary, u: Rest, c: str) -> list[str]:
    """H(u, c) = G(χ_u c): the tokens popped when c is read at node u."""
    return G(V, u + c)


def fewest_pops(V: Vocabulary, v: Rest) -> tuple[list[str], Rest | None]:
    """F(v) and f(v) together, Definition 1: as minpop of v, but at least one pop."""
    after = (step for step in pops(V, v) if step[0])
    return next(((popped, left) for popped, left in after if left in nodes(V)), ([], None))


def f(V: Vocabulary, v: Rest) -> Rest | None:
    """f(v), Definition 1, the failure link."""
    return fewest_pops(V, v)[1]


def F(V: Vocabulary, v: Rest) -> list[str]:
    """F(v), Definition 1, the failure pops."""
    return fewest_pops(V, v)[0]
