from collections.abc import Callable
from typing import final

from incbpe.piece import Pieces
from incbpe.pretokenize import Splitter
from incbpe.streamtables import StreamTables

@final
class OpenEnd:
    def __new__(
        cls,
        splitter: Splitter,
        pieces: Pieces,
        tables: StreamTables,
        text: bytes,
        may_write: Callable[[bytes], bool] | None = None,
    ) -> OpenEnd: ...
    def continuations(self) -> list[tuple[tuple[int, ...], list[int]]]: ...
    def found_whole(self, piece: bytes) -> int | None: ...
