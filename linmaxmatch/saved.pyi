import os
from typing import Any, Final, final

KIND: Final[str]

@final
class Saved:
    def __new__(cls, path: str | os.PathLike[str], verify: bool) -> Saved: ...
    @property
    def options(self) -> dict[str, Any]: ...
    @property
    def notes(self) -> tuple[str, ...]: ...
