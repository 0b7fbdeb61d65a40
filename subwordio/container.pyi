import os
from collections.abc import Mapping
from typing import Final, final

MAGIC: Final[bytes]
VERSION: Final[int]

def write(path: str | os.PathLike[str], kind: str, sections: Mapping[str, object]) -> None: ...
@final
class Container:
    def __new__(cls, path: str | os.PathLike[str], kind: str, verify: bool = True) -> Container: ...
    @property
    def name(self) -> str: ...
    @property
    def sections(self) -> dict[str, tuple[int, int]]: ...
