from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from typing_extensions import disjoint_base

@dataclass(frozen=True)
class AddedToken:
    content: str
    id: int
    special: bool = False
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool = False

@disjoint_base
class Matcher:
    tokens: tuple[AddedToken, ...]
    def segments(self, text: str | bytes) -> list[tuple[int, int, int | None]]: ...

@disjoint_base
class AddedTokens:
    tokens: tuple[AddedToken, ...]
    def __new__(cls, tokens: Iterable[AddedToken], normalize: Callable[[str], str] | None = None) -> AddedTokens: ...
    def matcher(self, allowed_special: Literal["all"] | Collection[str] = (),
                normalized: bool = False) -> Matcher | None: ...
