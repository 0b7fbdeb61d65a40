from collections.abc import Sequence

from typing_extensions import disjoint_base

from incbpe.layout import Layout
from incbpe.normalize import Normalized
from incbpe.pairtable import PairTable
from incbpe.tokens import TokenTable

@disjoint_base
class Pieces:
    @property
    def layout(self) -> Layout: ...
    @property
    def tokens(self) -> TokenTable: ...
    @property
    def pairs(self) -> PairTable | None: ...
    @property
    def vanish(self) -> bool: ...
    def __new__(
        cls,
        layout: Layout,
        tokens: TokenTable,
        pairs: PairTable | None,
        *,
        unk: int | None = None,
        fuse: bool = False,
        characters: bool = False,
        byte_ids: Sequence[int] | None = None,
        refuse: bool = False,
        vanish: bool = False,
    ) -> Pieces: ...
    def check(self, N: Normalized, piece: bytes) -> None: ...
