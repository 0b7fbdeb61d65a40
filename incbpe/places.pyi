from typing import final

from incbpe.normalize import Normalized

@final
class Places:
    @property
    def size(self) -> int: ...
    def __new__(cls, N: Normalized) -> Places: ...
    def check(self) -> None: ...
