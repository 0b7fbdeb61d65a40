from typing import final

from incbpe.spelt import Spelt

@final
class TokenTrie:
    @property
    def states(self) -> int: ...
    def __new__(cls, spelt: Spelt, chosen: bytes | bytearray | None = None) -> TokenTrie: ...
