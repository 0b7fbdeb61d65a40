from typing import Literal, final

from incbpe.normalize import Normalized
from incbpe.openpiece import PieceStream
from incbpe.pretokenize import Splitter
from incbpe.unstable import Follow

@final
class PatternFollow(Follow):
    def __new__(cls, splitter: Splitter) -> PatternFollow: ...

@final
class PieceOutput:
    @property
    def N(self) -> Normalized: ...
    @property
    def pieces(self) -> PieceStream: ...
    @property
    def final(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def __new__(
        cls,
        N: Normalized,
        splitter: Splitter,
        criterion: Literal["window", "chain", "maximal"] = "chain",
        whole_piece: bool = False,
    ) -> PieceOutput: ...
    def feed(self, chunk: bytes | bytearray | memoryview) -> list[bytes]: ...
    def finish(self) -> list[bytes]: ...
    def check(self) -> None: ...
