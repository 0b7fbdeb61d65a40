from typing_extensions import disjoint_base

from incbpe.automaton import SuffixAutomaton
from incbpe.normalize import Normalized
from incbpe.successor import SuccessorForest

@disjoint_base
class Layout:
    @property
    def states(self) -> int: ...
    @property
    def n_cells(self) -> int: ...
    @property
    def intervals(self) -> bool: ...
    @property
    def nbytes(self) -> int: ...
    def __new__(
        cls, N: Normalized, automaton: SuffixAutomaton, forest: SuccessorForest | None, ids: memoryview
    ) -> Layout: ...
    def check(self, N: Normalized) -> None: ...
