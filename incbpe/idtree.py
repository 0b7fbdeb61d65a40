"""The tree of the ids of several prefixes of a text, as a model takes it: one token a row. (Equation 2; beyond it)"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from incbpe.tokentree import mask_of, rows_above

__all__ = ["IdTree"]


@dataclass(frozen=True)
class IdTree:
    """The ids of several prefixes of one text, each beginning of ids that they share once (Equation 2). Made by
    ``TextPrefixes.tree``.

    As in `TokenTree`, a row is a node, and comes after the row above it. Behind a pre-tokenizer a place has no one
    node: how a text is split at its end depends on where it ends. Two prefixes share a row where their ids up to it are
    the same.

    ids         the row's token · parents   the row of the token before it, -1 where it is the first
    depths      how many tokens are before it: its place in each of the prefixes that hold it
    ends        by chosen prefix: the row of its last token, -1 where it has none

    >>> tree = IdTree.of([[5], [5, 7], [6, 7]])
    >>> tree.ids, tree.parents, tree.depths, tree.ends, tree.path(1)
    ([5, 7, 6, 7], [-1, 0, -1, 2], [0, 1, 0, 1], [0, 1, 3], [5, 7])
    """

    ids: list[int]
    parents: list[int]
    depths: list[int]
    ends: list[int]

    @classmethod
    def of(cls, lists: Iterable[Sequence[int]]) -> IdTree:
        """The tree of some lists of ids. O(their lengths)."""
        known: dict[tuple[int, int], int] = {}
        tree = cls([], [], [], [])
        path: list[int] = []                # the rows of `before`
        before: Sequence[int] = ()
        for ids in lists:
            same = 0
            while same < min(len(before), len(ids)) and before[same] == ids[same]:
                same += 1
            del path[same:]
            for depth in range(same, len(ids)):
                above = path[-1] if path else -1
                row = known.setdefault((above, ids[depth]), len(tree.ids))
                if row == len(tree.ids):
                    tree.ids.append(ids[depth])
                    tree.parents.append(above)
                    tree.depths.append(depth)
                path.append(row)
            tree.ends.append(path[-1] if path else -1)
            before = ids
        return tree

    def __len__(self) -> int:
        return len(self.ids)

    def rows(self, chosen: int) -> list[int]:
        """The rows of the chosen prefix of that number, first token first. O(tokens)."""
        return rows_above(self.parents, self.ends[chosen])

    def path(self, chosen: int) -> list[int]:
        """The ids of the chosen prefix of that number. O(tokens)."""
        return [self.ids[row] for row in self.rows(chosen)]

    def mask(self) -> list[list[bool]]:
        """The attention mask that the tree induces, as that of `TokenTree`. O(rows²)."""
        return mask_of(self.parents)
