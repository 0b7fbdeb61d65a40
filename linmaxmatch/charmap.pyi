from typing import final

from typing_extensions import disjoint_base

@final
@disjoint_base
class CharMap:
    @property
    def widest(self) -> int: ...
    def check(self) -> None: ...
