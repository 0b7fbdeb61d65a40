from collections.abc import Sequence

from typing_extensions import disjoint_base

@disjoint_base
class Trimmer:
    def __new__(cls, tokens: Sequence[bytes | str], prefix_space: bool) -> Trimmer: ...
    def spaces(self, id: int) -> tuple[int, int]: ...
