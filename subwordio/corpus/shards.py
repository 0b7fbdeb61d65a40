"""A shard as two flat files that are mapped into memory: NAME.bin and NAME.idx, as Megatron-LM's trainers read them.

NAME.bin   the ids of all sequences end to end, uint16 where every id of the vocabulary fits, else int32; little-endian.
NAME.idx   9 bytes    MMIDIDX and two zeros
           8 bytes    1, the version
           1 byte     what an id is: 8 for uint16, 4 for int32
           8 bytes    n, the number of sequences
           8 bytes    d + 1, where d is the number of documents
           4n bytes   int32: how many ids each sequence has
           8n bytes   int64: at which byte of NAME.bin it begins
           8(d + 1)   int64: the first sequence of each document, and then n

A sequence is a document, unless documents are joined and cut: then each sequence counts as a document.

Memory  4 bytes a document; a shard has at most MOST_DOCUMENTS and a block more.
"""
import struct
from array import array
from collections.abc import Iterator
from typing import Any, Protocol

from subwordio.corpus.documents import Encoded
from subwordio.corpus.recipe import Recipe
from subwordio.corpus.sinks import Sink
from subwordio.packing import numbers, places

MOST_DOCUMENTS = 1 << 22
HEADER = struct.Struct("<9sQBQQ")
MAGIC, VERSION = b"MMIDIDX\0\0", 1
CODES = {2: 8, 4: 4}            # by the bytes of an id
WRITTEN = 1 << 16               # entries of the index written at once


class Shard(Protocol):
    """What documents are added to, until it is finished."""

    @property
    def documents(self) -> int: ...
    @property
    def tokens(self) -> int: ...
    @property
    def sequences(self) -> int: ...
    def add(self, encoded: Encoded) -> None: ...
    def finish(self) -> list[dict[str, Any]]: ...
    def discard(self) -> None: ...


class FlatShard:
    """The two files of a shard in the making."""

    def __init__(self, folder: str, name: str, recipe: Recipe, width: int) -> None:
        self.folder, self.name, self.width, self.length = folder, name, width, recipe.sequence_length
        self.sinks = [Sink(folder, name + ".bin")]
        self.sizes = array("i")
        self.documents = self.tokens = 0

    def add(self, encoded: Encoded) -> None:
        """The documents of a block."""
        self.sinks[0].write(encoded.ids)
        self.documents += encoded.documents
        self.tokens += len(encoded.ids) // self.width
        if self.length is None:
            self.sizes.frombytes(encoded.sizes)

    @property
    def sequences(self) -> int:
        return len(self.sizes) if self.length is None else -(-self.tokens // self.length)

    def finish(self) -> list[dict[str, Any]]:
        """Both files under their names."""
        if self.length is not None:
            self.sizes = array("i", [self.length]) * (self.tokens // self.length)
            if self.tokens % self.length:
                self.sizes.append(self.tokens % self.length)
        self.sinks.append(Sink(self.folder, self.name + ".idx"))
        for part in index(memoryview(self.sizes), self.width):
            self.sinks[1].write(part)
        return [sink.finish() for sink in self.sinks]

    def discard(self) -> None:
        for sink in self.sinks:
            sink.discard()


def index(sizes: memoryview, width: int) -> Iterator[bytes | memoryview]:
    """The index file of sequences that have so many ids.

    >>> found = b"".join(index(memoryview(array("i", [3, 1])), 2))
    >>> HEADER.unpack_from(found)
    (b'MMIDIDX\\x00\\x00', 1, 8, 2, 3)
    >>> memoryview(found[HEADER.size:][:8]).cast("i").tolist()
    [3, 1]
    >>> memoryview(found[HEADER.size:][8:]).cast("q").tolist()
    [0, 6, 0, 1, 2]
    """
    n = len(sizes)
    yield HEADER.pack(MAGIC, VERSION, CODES[width], n, n + 1)
    yield sizes
    at = 0
    for i in range(0, n, WRITTEN):
        some = sizes[i:i + WRITTEN]
        found = places(some, at, width)
        yield found
        at = int.from_bytes(found[-8:], "little") + width * some[-1]
    for i in range(0, n + 1, WRITTEN):
        yield numbers(i, min(WRITTEN, n + 1 - i))
