from typing import final

from incbpe.spelt import Spelt
from incbpe.tokentrie import TokenTrie

@final
class Cells:
    @property
    def states(self) -> int: ...
    def __new__(cls, trie: TokenTrie) -> Cells: ...
    def check(self, spelt: Spelt) -> None: ...
