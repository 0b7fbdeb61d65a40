"""The part of a token prefix tree that some chosen prefixes need, as a model takes it: one token a row."""
from __future__ import annotations

from dataclasses import dataclass

Token = str | bytes


@dataclass(frozen=True)
class TokenTree:
    """The tokens of several prefixes of one text, each that they share once (Equation 2). Made by ``Prefixes.tree``.

    A row is a node of the tree. Rows are in the order of the positions where their tokens end, so that a row comes
    after the row above it.

    positions   where the row's token ends in the text
    tokens      the token · ids: its index in the dictionary, -1 for an unknown symbol
    parents     the row of the token before it in its prefixes, -1 where it is the first
    depths      how many tokens are before it: its place in each of the prefixes that hold it
    ends        by chosen prefix: the row of its last token, -1 for the empty prefix

    >>> from incbpe import Dictionary, Prefixes, normalize
    >>> N = normalize(Dictionary(["a", "b", "ab", "bb", "abb"], [("a", "b"), ("b", "b"), ("ab", "b")]))
    >>> tree = Prefixes(N, "abbb").tree([2, 3, 4])
    >>> tree.tokens, tree.parents, tree.depths, tree.ends
    (['ab', 'abb', 'bb'], [-1, -1, 0], [0, 0, 1], [0, 1, 2])
    >>> tree.path(2)
    ['ab', 'bb']
    """

    positions: list[int]
    tokens: list[Token]
    ids: list[int]
    parents: list[int]
    depths: list[int]
    ends: list[int]

    def __post_init__(self) -> None:
        for row, above in enumerate(self.parents):
            if not -1 <= above < row:
                raise ValueError(f"parents[{row}]: expected a row before, or -1, got {above}")

    def __len__(self) -> int:
        return len(self.tokens)

    def rows(self, chosen: int) -> list[int]:
        """The rows of the chosen prefix of that number, first token first. O(tokens)."""
        return rows_above(self.parents, self.ends[chosen])

    def path(self, chosen: int) -> list[Token]:
        """The tokens of the chosen prefix of that number: T of that prefix. O(tokens)."""
        return [self.tokens[row] for row in self.rows(chosen)]

    def mask(self) -> list[list[bool]]:
        """The attention mask that the tree induces: mask[i][j] says whether row i sees row j. O(rows²).

        A token sees itself and the tokens above it, which are those before it in every prefix that holds it. With
        `depths` as position ids, each chosen prefix is computed as if it were alone, and what several share once.

        >>> TokenTree([1, 2], ["a", "ab"], [0, 1], [-1, -1], [0, 0], [0, 1]).mask()
        [[True, False], [False, True]]
        """
        return mask_of(self.parents)


def rows_above(parents: list[int], row: int) -> list[int]:
    """A row and those above it, the first one first."""
    path = []
    while row >= 0:
        path.append(row)
        row = parents[row]
    return path[::-1]


def mask_of(parents: list[int]) -> list[list[bool]]:
    """By row, whether it sees each row: itself and those above it."""
    mask: list[list[bool]] = []
    for row, above in enumerate(parents):
        seen = list(mask[above]) if above >= 0 else [False] * len(parents)
        seen[row] = True
        mask.append(seen)
    return mask
