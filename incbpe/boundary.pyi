from typing import final

from incbpe.dictionary import Dictionary

@final
class Boundary:
    @property
    def dictionary(self) -> Dictionary: ...
    def __new__(cls, D: Dictionary) -> Boundary: ...
    def check(self) -> None: ...
