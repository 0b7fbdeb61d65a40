from array import array
from collections.abc import Iterable, Sequence

from typing_extensions import disjoint_base

from subwordio.matrix import Matrix
from subwordio.padding import Padding, Truncation
from subwordio.template import Piece

def gather(lists: Iterable[Iterable[int]], name: str) -> tuple[array[int], array[int]]: ...

@disjoint_base
class Plan:
    samples: array[int]
    rows: int
    longest: int
    longest_sample: int
    shortest: int
    shortest_sample: int
    def __new__(cls, ids_a: array[int], begin_a: array[int], ids_b: array[int] | None, begin_b: array[int] | None,
                pieces: Sequence[Piece], added: int, room: int | None, truncation: Truncation | None,
                overflow: bool) -> Plan: ...
    def fill(self, ids: Matrix, attention_mask: Matrix, type_ids: Matrix, padding: Padding) -> None: ...
