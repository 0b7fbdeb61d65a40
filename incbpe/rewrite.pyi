from collections.abc import Iterable

from typing_extensions import disjoint_base

from incbpe.model import Step

@disjoint_base
class Rewriter:
    @property
    def steps(self) -> tuple[Step, ...]: ...
    def __new__(cls, steps: Iterable[Step]) -> Rewriter: ...
    def rewrite(self, text: str | bytes) -> tuple[str, list[int], list[int]]: ...
