from collections.abc import Callable

from typing_extensions import disjoint_base

from incbpe.segmentprefixes import Layer
from subwordio.added import Matcher

@disjoint_base
class CutPrefixes(Layer):
    def __new__(cls, matcher: Matcher, text: bytes, below: Callable[[bytes], Layer]) -> CutPrefixes: ...
    def check(self) -> None: ...
