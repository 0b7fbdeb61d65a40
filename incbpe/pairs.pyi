from typing import final

from incbpe.dictionary import Dictionary

@final
class Pairs:
    @property
    def dictionary(self) -> Dictionary: ...
    def __new__(cls, D: Dictionary) -> Pairs: ...
    def check(self) -> None: ...
