from typing import final

from incbpe.tokentrie import TokenTrie

@final
class Cells:
    @property
    def states(self) -> int: ...
    def __new__(cls, trie: TokenTrie) -> Cells: ...
