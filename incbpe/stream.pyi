from collections.abc import Iterable
from typing import Literal

from typing_extensions import Buffer, disjoint_base

from incbpe.bytepair import BPE
from subwordio.ids import TokenIds

@disjoint_base
class Stream:
    @property
    def position(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def feed(self, chunk: str | Buffer) -> TokenIds: ...
    def finish(self) -> TokenIds: ...
    def reset(self) -> None: ...
    def check(self) -> None: ...

def stream(
    bpe: BPE,
    allowed_special: Iterable[str] | Literal["all"] = (),
    criterion: Literal["window", "chain", "maximal"] = "chain",
) -> Stream: ...
