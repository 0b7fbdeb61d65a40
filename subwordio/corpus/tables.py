"""A shard as one Arrow file (NAME.arrow, the IPC file format) or Parquet file (NAME.parquet): extra `corpus`.

One column, `ids`, of lists of uint32: a row is a document or, where documents are joined and cut, a sequence.
"""
from itertools import accumulate
from typing import Any

from subwordio.corpus.documents import Encoded
from subwordio.corpus.recipe import Recipe
from subwordio.corpus.rows import arrow_modules
from subwordio.corpus.sinks import Sink

WIDTH = 4           # bytes of an id


class TableShard:
    """The file of a shard in the making."""

    def __init__(self, folder: str, name: str, recipe: Recipe) -> None:
        self.arrow, parquet, _ = arrow_modules()
        self.length = recipe.sequence_length
        self.schema = self.arrow.schema([("ids", self.arrow.list_(self.arrow.uint32()))])
        self.sink = Sink(folder, f"{name}.{recipe.form}")
        try:
            if recipe.form == "parquet":
                self.writer = parquet.ParquetWriter(self.sink, self.schema, compression="zstd")
            else:
                self.writer = self.arrow.ipc.new_file(self.sink, self.schema)
        except BaseException:
            self.sink.discard()
            raise
        self.left = b""         # ids that do not yet make a sequence
        self.documents = self.tokens = self.sequences = 0

    def add(self, encoded: Encoded) -> None:
        """The documents of a block."""
        self.documents += encoded.documents
        self.tokens += len(encoded.ids) // WIDTH
        if self.length is None:
            self.write(encoded.ids, [0, *accumulate(memoryview(encoded.sizes).cast("i"))])
            return
        ids = self.left + encoded.ids
        whole = len(ids) // (WIDTH * self.length)
        self.left = ids[WIDTH * self.length * whole:]
        self.write(ids, range(0, self.length * whole + 1, self.length))

    def write(self, ids: bytes | memoryview, offsets: Any) -> None:
        """Rows: ids[offsets[i]:offsets[i + 1]]."""
        if len(offsets) < 2:
            return
        values = self.arrow.Array.from_buffers(self.arrow.uint32(), offsets[-1], [None, self.arrow.py_buffer(ids)])
        lists = self.arrow.ListArray.from_arrays(self.arrow.array(offsets, self.arrow.int32()), values)
        self.writer.write_batch(self.arrow.record_batch([lists], schema=self.schema))
        self.sequences += len(offsets) - 1

    def finish(self) -> list[dict[str, Any]]:
        """The file under its name."""
        if self.left:
            self.write(self.left, [0, len(self.left) // WIDTH])
        self.writer.close()
        return [self.sink.finish()]

    def discard(self) -> None:
        self.sink.discard()
