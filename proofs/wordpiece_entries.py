"""Which entries of a WordPiece vocabulary no text is given, and why; and for each other entry a word that reaches it.

An entry is among the tokens of some word iff it is among the tokens of a word that ends with it: what follows changes
nothing before it. Such a word is found on the trie with two roots. A node is *reached* by a word if MatchLoop stands
there when it has read it: r by ε, and from a node reached every child of it, and every child of the nodes that its
failure links lead to, whose character none before it has. A reached node is a word, and its tokens are what it pops at
the word's end, if that leads to r♯. The search goes by length, so each entry gets a shortest word.

Only characters that can stand inside a word are read: what the normalizer lets through, which is told by running it
over all of Unicode, less what it makes a word of its own.
"""
import sys
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from proofs.vocabulary_check import OnOne

ALONE, NEVER, INSIDE = "alone", "never", "inside"
MARKS = "a mark inside: the text is cut there before it is looked up"
LONGER = "longer entries always take its characters first, or none that can stand before it leaves it whole"
REASONS = {
    "brackets": "a name in brackets: special or spare, the brackets are cut off where a text spells it",
    "space": "white space inside: the text is cut there before it is looked up",
    "mark": MARKS,
    "ideograph": "a Chinese character inside: it always stands alone",
    "character": "a character that the clean-up removes or changes (capitals, accents, controls)",
    "long": "longer than the longest word that is looked up",
    "shadowed": LONGER,
}


class Characters:
    """What becomes of a character in a text: it stands inside a word, alone, or never."""

    def __init__(self, normalizer: Any) -> None:
        self.normalizer = normalizer
        everything = " ".join(chr(c) for c in range(sys.maxunicode + 1) if not 0xD800 <= c <= 0xDFFF)
        self.left = {c for word in normalizer.words(everything) for c in word}
        self.kinds: dict[str, str] = {}

    def kind(self, c: str) -> str:
        if c not in self.kinds:
            words = self.normalizer.words(f"a{c}a")
            self.kinds[c] = NEVER if c not in self.left else ALONE if words == ["a", c, "a"] else INSIDE
        return self.kinds[c]


def shortest_words(one: OnOne, characters: Characters, longest: int | None) -> dict[str, str]:
    """A shortest word for each entry that some word of at most so many characters has among its tokens."""
    children: dict[int, dict[str, int]] = defaultdict(dict)
    for v, (u, c) in one.edges.items():
        children[one.number[u]][c] = one.number[v]
    left = {u: {c for c in below if characters.kind(c) == INSIDE} for u, below in children.items()}
    word = {one.T.root: ""}
    found: dict[str, str] = {}
    layer = [one.T.root]
    while layer and (longest is None or len(word[layer[0]]) < longest):
        below = []
        for v in layer:
            for u, c in to_read(one, v, children, left):
                child = children[u][c]
                left[u].discard(c)
                word[child] = word[v] + c
                below.append(child)
        for v in below:
            for token in popped_at_the_end(one, v):
                found.setdefault(token, word[v])
        layer = below
    for token in one.V.tokens:
        if len(token) == 1 and characters.kind(token) == ALONE:
            found.setdefault(token, token)
    return found


def to_read(one: OnOne, v: int, children: dict[int, dict[str, int]], left: dict[int, set[str]]
            ) -> Iterator[tuple[int, str]]:
    """The nodes on v's failure chain with the characters that lead on from there, to nodes not reached yet."""
    chain: list[int] = []
    u: int | None = v
    while u is not None:
        for c in sorted(left.get(u, ())):
            if not any(c in children[before] for before in chain if before in children):
                yield u, c
        chain.append(u)
        u = one.tables.f(u)


def popped_at_the_end(one: OnOne, v: int) -> list[str]:
    """The tokens of a word that leads to v; none if the word is unknown."""
    tokens: list[str] = []
    while v != one.T.suffix_root:
        link = one.tables.f(v)
        if link is None:
            return []
        tokens += one.tables.F(v)
        v = link
    return tokens


def reason(token: str, sharp: str, characters: Characters, longest: int | None) -> str:
    """Why no word has an entry among its tokens; a key of REASONS."""
    body = token[len(sharp):] if token.startswith(sharp) and token != sharp else token
    if len(token) > 2 and (token[0] + token[-1]) in ("[]", "<>"):
        return "brackets"
    if any(c.isspace() for c in token):
        return "space"
    kinds = {c: characters.kind(c) for c in body}
    if NEVER in kinds.values():
        return "character"
    alone = [c for c in body if kinds[c] == ALONE]
    if alone:
        return "ideograph" if all(ord(c) >= 0x2E80 and c.isalpha() for c in alone) else "mark"
    if longest is not None and len(body) > longest:
        return "long"
    return "shadowed"
