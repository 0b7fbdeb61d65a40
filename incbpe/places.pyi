from typing import final

from incbpe.tokentrie import TokenTrie

@final
class Places:
    @property
    def size(self) -> int: ...
    def __new__(cls, trie: TokenTrie) -> Places: ...
    def check(self) -> None: ...
