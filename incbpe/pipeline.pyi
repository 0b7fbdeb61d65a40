from typing_extensions import disjoint_base

from incbpe.cutting import Cutter
from incbpe.piece import Pieces
from incbpe.pretokenize import Splitter
from incbpe.rewrite import Rewriter
from subwordio.batch import Kernel

@disjoint_base
class Pipeline(Kernel):
    @property
    def pieces(self) -> Pieces: ...
    @property
    def splitter(self) -> Splitter | None: ...
    @property
    def cutter(self) -> Cutter | None: ...
    @property
    def rewriter(self) -> Rewriter | None: ...
    @property
    def prefix_space(self) -> bool: ...
    def __new__(
        cls,
        pieces: Pieces,
        splitter: Splitter | None,
        cutter: Cutter | None,
        rewriter: Rewriter | None,
        prefix_space: bool,
        cache_bytes: int,
    ) -> Pipeline: ...
