from typing import final

from incbpe.layout import Layout
from incbpe.pairs import Pairs

@final
class PairTable:
    def __new__(cls, pairs: Pairs | None, layout: Layout) -> PairTable: ...
    @property
    def nbytes(self) -> int: ...
    def check(self, pairs: Pairs, layout: Layout) -> None: ...
