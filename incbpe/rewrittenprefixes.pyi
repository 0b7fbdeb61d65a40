from collections.abc import Callable

from typing_extensions import disjoint_base

from incbpe.rewrite import Rewriter
from incbpe.segmentprefixes import Layer

def served(rewriter: Rewriter) -> bool: ...
def joined() -> frozenset[str]: ...
def begins_sequence(c: str) -> bool: ...
@disjoint_base
class RewrittenPrefixes(Layer):
    def __new__(cls, rewriter: Rewriter, text: bytes, below: Callable[[bytes], Layer]) -> RewrittenPrefixes: ...

@disjoint_base
class SpacedPrefixes(Layer):
    def __new__(cls, text: bytes, below: Callable[[bytes], Layer]) -> SpacedPrefixes: ...
