from collections.abc import Iterator, Sequence
from typing import Any, final

from incbpe.listing import Listing

@final
class MergeList(Listing[tuple[Any, Any]]):
    @property
    def tokens(self) -> Sequence[Any]: ...
    def __iter__(self) -> Iterator[tuple[Any, Any]]: ...
    def check(self) -> None: ...
