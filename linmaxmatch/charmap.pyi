from typing import final

@final
class CharMap:
    @property
    def widest(self) -> int: ...
    def check(self) -> None: ...
