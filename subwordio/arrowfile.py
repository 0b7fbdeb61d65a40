"""Records of token ids as an Arrow IPC file, a record a row: written batch by batch, and read. By pyarrow, `[arrow]`.

A record is one value of its row, so it is held whole until its batch is written.
"""
from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

from subwordio.errors import FormatError
from subwordio.records import Rows, Sink

if TYPE_CHECKING:
    import pyarrow as pa

BATCH = 1 << 20        # ids, after which a batch is written


def pyarrow() -> Any:
    try:
        import pyarrow
        import pyarrow.ipc
    except ImportError:
        raise ImportError("the Arrow format needs pyarrow, the extra [arrow]") from None
    return pyarrow


class ArrowSink(Sink):
    """Columns `ids`, then `tokens` (where names are given), `starts` and `ends`: large_lists of uint32 or string.

    >>> import io
    >>> file = io.BytesIO()
    >>> with ArrowSink(file, ["a", "##b"], offsets=True) as sink:
    ...     sink.part(Rows([0, 1], [0, 1], [1, 2]))
    ...     sink.end()
    >>> [[list(ids) for ids in read_arrow(io.BytesIO(file.getvalue()), "a.arrow")]]
    [[[0, 1]]]
    """

    def __init__(self, file: BinaryIO, names: Sequence[str] | None = None, *, offsets: bool = False) -> None:
        self.pa = pyarrow()
        self.names = None if names is None else self.pa.array(names, self.pa.string())
        columns = ["ids", *(["tokens"] if names is not None else []), *(["starts", "ends"] if offsets else [])]
        self.schema = self.pa.schema([
            self.pa.field(column, self.pa.large_list(self.pa.string() if column == "tokens" else self.pa.uint32()),
                          nullable=False) for column in columns])
        self.writer = self.pa.ipc.new_file(file, self.schema)
        self.values = {column: array("I") for column in columns if column != "tokens"}
        self.begins = array("q", [0])

    def part(self, rows: Rows) -> None:
        for column, values in self.values.items():
            values.extend(getattr(rows, column))

    def end(self) -> None:
        self.begins.append(len(self.values["ids"]))
        if self.begins[-1] >= BATCH:
            self.write()

    def write(self) -> None:
        begins = self.numbers(self.begins, self.pa.int64())
        flat = {column: self.numbers(values, self.pa.uint32()) for column, values in self.values.items()}
        if self.names is not None:
            flat["tokens"] = self.names.take(flat["ids"])
        self.writer.write_batch(self.pa.record_batch(
            [self.pa.LargeListArray.from_arrays(begins, flat[field.name]).cast(field.type) for field in self.schema],
            schema=self.schema))
        self.values = {column: array("I") for column in self.values}
        self.begins = array("q", [0])

    def numbers(self, values: array[int], kind: Any) -> pa.Array:
        return self.pa.Array.from_buffers(kind, len(values), [None, self.pa.py_buffer(values)])

    def finish(self) -> None:
        if len(self.begins) > 1:
            self.write()
        self.writer.close()


def read_arrow(file: BinaryIO, name: str) -> Iterator[Sequence[int]]:
    """The `ids` of each row of an Arrow IPC file, or of a stream: a list of integers in each, of any width."""
    pa, data = pyarrow(), file.read()
    try:
        opened = pa.ipc.open_file(data) if data.startswith(b"ARROW1") else pa.ipc.open_stream(data)
        table = opened.read_all()
        table.validate(full=True)
    except pa.ArrowInvalid as error:
        raise FormatError(f"{name}: expected an Arrow IPC file or stream: {error}") from None
    if table.column_names.count("ids") != 1:
        raise FormatError(f"{name}: expected one column \"ids\", found {', '.join(table.column_names) or 'none'}")
    kind = table.schema.field("ids").type
    if not (pa.types.is_list(kind) or pa.types.is_large_list(kind)) or not pa.types.is_integer(kind.value_type):
        raise FormatError(f'{name}: expected lists of integers in "ids", found {kind}')
    for row, ids in enumerate(table["ids"], 1):
        values = ids.as_py()
        if values is None or None in values:
            raise FormatError(f'{name}, row {row}: "ids" is null, or has a null in it')
        yield values
