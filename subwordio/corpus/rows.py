"""The rows of a Parquet file in blocks, read a row group at a time by pyarrow (extra `corpus`).

A block is a number of rows that depends on the row group alone. Memory  one block and what pyarrow holds of the row
group's column: the pages that it reads.
"""
from collections.abc import Iterator
from typing import Any

from subwordio.corpus.blocks import Block, Position
from subwordio.corpus.recipe import Recipe

MOST_ROWS = 1 << 16
BUFFER = 1 << 20            # bytes that pyarrow reads at once


def row_blocks(path: str, recipe: Recipe, begin: Position, nbytes: int) -> Iterator[Block]:
    """The rows of one file of `nbytes` bytes, from row begin.offset on."""
    pyarrow, parquet, compute = arrow_modules()
    errors = (pyarrow.ArrowException, OSError, EOFError)
    try:
        file = parquet.ParquetFile(path, buffer_size=BUFFER, pre_buffer=False)
    except errors as error:
        yield damage(begin, nbytes, f"is no Parquet file that can be read: {first_line(error)}")
        return
    with file:
        fault = column_fault(file, recipe.field, pyarrow)
        if fault:
            yield damage(begin, nbytes, fault)
            return
        row, rows = 0, max(file.metadata.num_rows, 1)
        for group in range(file.num_row_groups):
            metadata = file.metadata.row_group(group)
            if row + metadata.num_rows <= begin.offset:
                row += metadata.num_rows
                continue
            mean = max(column_size(metadata, recipe.field) // max(metadata.num_rows, 1), 1)
            size = max(1, min(recipe.block // mean, MOST_ROWS))
            try:
                for batch in file.iter_batches(size, row_groups=[group], columns=[recipe.field]):
                    row += batch.num_rows
                    if row <= begin.offset:
                        continue            # decoded again, not encoded again
                    texts = batch.column(0).cast(binary(batch.column(0).type, pyarrow))      # UTF-8 is checked later
                    end = Position(begin.file, row)
                    yield Block("parquet", begin, end, compute.sum(compute.binary_length(texts)).as_py() or 0,
                                nbytes * row // rows, rows=texts)
                    begin = end
            except errors as error:
                yield damage(begin, nbytes, f"cannot be read on: {first_line(error)}")
                return


def arrow_modules() -> tuple[Any, Any, Any]:
    """pyarrow, its Parquet files and its functions on arrays. ImportError names the extra."""
    try:
        import pyarrow
        import pyarrow.compute
        import pyarrow.parquet
    except ImportError:
        raise ImportError("Arrow and Parquet need pyarrow: pip install 'linmaxmatch-incbpe[corpus]'") from None
    return pyarrow, pyarrow.parquet, pyarrow.compute


def column_fault(file: Any, name: str, arrow: Any) -> str:
    """Why a file has no such column of strings; nothing where it has."""
    schema = file.schema_arrow
    if name not in schema.names:
        return f"no column {name!r} among {', '.join(schema.names)}"
    kind, types = schema.field(name).type, arrow.types
    if not any(of(kind) for of in (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary)):
        return f"column {name!r}: expected strings, found {kind}"
    return ""


def binary(kind: Any, arrow: Any) -> Any:
    """The type of the same bytes, not said to be UTF-8."""
    large = arrow.types.is_large_string(kind) or arrow.types.is_large_binary(kind)
    return arrow.large_binary() if large else arrow.binary()


def column_size(group: Any, name: str) -> int:
    """The bytes of a row group's column before it was compressed."""
    columns = (group.column(i) for i in range(group.num_columns))
    return sum(column.total_uncompressed_size for column in columns if column.path_in_schema == name)


def damage(begin: Position, consumed: int, fault: str) -> Block:
    return Block("damage", begin, begin, 0, consumed, fault=fault)


def first_line(error: Exception) -> str:
    return str(error).splitlines()[0] if str(error) else type(error).__name__
