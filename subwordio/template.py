"""What a post-processor puts around one text or two: special tokens and type ids.

A `Template` is data: for one text, and for two, a row of pieces, each either one of the texts or a special token (of
one or several ids), with the type id that its ids get. `BertProcessing` is the template of `Template.bert`.

Cost  `apply` is linear in the number of ids.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["PLAIN", "Special", "Template", "Text"]


class Text(NamedTuple):
    """The place of a text: `sequence` 0 is the first, 1 the second."""

    sequence: int
    type_id: int = 0


class Special(NamedTuple):
    """A special token, of one or more ids."""

    ids: tuple[int, ...]
    type_id: int = 0


Piece = Text | Special


@dataclass(frozen=True)
class Template:
    """The pieces around one text (`single`) and around two (`pair`); each text takes part exactly once.

    >>> bert = Template.bert(101, 102)
    >>> bert.apply([7592], [2088, 999])
    ([101, 7592, 102, 2088, 999, 102], [0, 0, 0, 1, 1, 1])
    >>> bert.num_added(pair=False), bert.num_added(pair=True)
    (2, 3)
    """

    single: tuple[Piece, ...] = (Text(0, 0),)
    pair: tuple[Piece, ...] = (Text(0, 0), Text(1, 1))

    def __post_init__(self) -> None:
        for name, pieces, wanted in (("single", self.single, [0]), ("pair", self.pair, [0, 1])):
            for piece in pieces:
                if type(piece.type_id) is not int or not 0 <= piece.type_id < 2**31:
                    raise ValueError(f"{name}: a type id from 0 to {2**31 - 1} expected, got {piece.type_id!r}")
            texts = sorted(piece.sequence for piece in pieces if isinstance(piece, Text))
            if texts != wanted:
                raise ValueError(f"{name}: each text must take part exactly once, "
                                 f"got texts {', '.join('AB'[i] if i in (0, 1) else str(i) for i in texts) or 'none'}")

    @classmethod
    def bert(cls, cls_id: int, sep_id: int) -> Template:
        """[CLS] A [SEP] and [CLS] A [SEP] B [SEP], the second text and its [SEP] of type 1."""
        single = (Special((cls_id,)), Text(0), Special((sep_id,)))
        return cls(single, (*single, Text(1, 1), Special((sep_id,), 1)))

    def pieces(self, pair: bool, special_tokens: bool = True) -> tuple[Piece, ...]:
        """The pieces for one text or two; without special tokens the texts keep their order and type ids."""
        pieces = self.pair if pair else self.single
        return pieces if special_tokens else tuple(piece for piece in pieces if isinstance(piece, Text))

    def num_added(self, pair: bool = False) -> int:
        """How many ids the special tokens add to one text or to two."""
        return sum(len(piece.ids) for piece in self.pieces(pair) if isinstance(piece, Special))

    def apply(self, ids_a: Sequence[int], ids_b: Sequence[int] | None = None,
              special_tokens: bool = True) -> tuple[list[int], list[int]]:
        """The ids and type ids of one text or of two. An empty second text is a second text; None is none."""
        ids: list[int] = []
        type_ids: list[int] = []
        texts = (ids_a, ids_b)
        for piece in self.pieces(ids_b is not None, special_tokens):
            part = piece.ids if isinstance(piece, Special) else texts[piece.sequence]
            assert part is not None
            ids.extend(part)
            type_ids.extend([piece.type_id] * len(part))
        return ids, type_ids


PLAIN = Template()
