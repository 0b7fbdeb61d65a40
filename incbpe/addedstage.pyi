from collections.abc import Iterable
from typing import final

from incbpe.stages import Stage
from subwordio.added import AddedToken

@final
class AddedPatterns:
    def __new__(cls, patterns: Iterable[bytes], tokens: Iterable[AddedToken]) -> AddedPatterns: ...

@final
class AddedStage(Stage): ...
