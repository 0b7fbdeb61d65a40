import os
from typing import Any, Final, final

from incbpe.model import Config

KIND: Final[str]
FORM: Final[int]

@final
class Saved:
    def __new__(cls, path: str | os.PathLike[str], verify: bool) -> Saved: ...
    @property
    def config(self) -> Config: ...
    @property
    def facts(self) -> dict[str, Any]: ...
