"""Records of token ids as lines of text, as JSON lines or as a .npy array: writing them part by part, and reading them.

A record may be of any length: it is written in parts, in bounded memory. `arrowfile` has the Arrow format.
"""
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import IO, BinaryIO, Literal, NamedTuple, Self

from subwordio.errors import FormatError
from subwordio.lines import parts

Format = Literal["text", "jsonl", "npy", "arrow"]
FORMATS: tuple[Format, ...] = ("text", "jsonl", "npy", "arrow")
IN_MEMORY = 1 << 16    # bytes of a JSON array that waits in memory before it gets a file
NPY_HEADER = 128       # bytes: a multiple of 64, as the format asks, with room for any length
NPY_MAGIC = b"\x93NUMPY\x01\x00"
NPY_TYPE = "<u4" if sys.byteorder == "little" else ">u4"


class Rows(NamedTuple):
    """Some tokens of one record: the ids, and where each begins and ends in the record, in characters."""

    ids: Sequence[int]
    starts: Sequence[int] = ()
    ends: Sequence[int] = ()


class Sink:
    """Where records go: for each any number of `part`s, then `end`."""

    def part(self, rows: Rows) -> None:
        """More of the present record."""
        raise NotImplementedError

    def end(self) -> None:
        """The record is over."""

    def finish(self) -> None:
        """All records are over."""

    def close(self) -> None:
        """Nothing more is written, be it for an error."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        try:
            if kind is None:
                self.finish()
        finally:
            self.close()


class TextSink(Sink):
    """A record a line: the names of its ids with spaces between, with offsets each followed by @start:end.

    >>> import io
    >>> file = io.BytesIO()
    >>> with TextSink(file, [b"a", b"##b"], offsets=True) as sink:
    ...     sink.part(Rows([0, 1], [0, 1], [1, 2]))
    ...     sink.end()
    >>> file.getvalue()
    b'a@0:1 ##b@1:2\\n'
    """

    def __init__(self, file: BinaryIO, names: Sequence[bytes], *, offsets: bool = False) -> None:
        self.file, self.names, self.offsets = file, names, offsets
        self.started = False

    def part(self, rows: Rows) -> None:
        if not len(rows.ids):
            return
        words: Iterable[bytes] = map(self.names.__getitem__, rows.ids)
        if self.offsets:
            words = (b"%b@%d:%d" % row for row in zip(words, rows.starts, rows.ends, strict=True))
        if self.started:
            self.file.write(b" ")
        self.file.write(b" ".join(words))
        self.started = True

    def end(self) -> None:
        self.file.write(b"\n")
        self.started = False


class JsonSink(Sink):
    """A record an object: the array of ids, then tokens (where names are given), starts and ends.

    >>> import io
    >>> file = io.BytesIO()
    >>> with JsonSink(file, ["a", "##b"], offsets=True) as sink:
    ...     sink.part(Rows([0, 1], [0, 1], [1, 2]))
    ...     sink.end()
    >>> file.getvalue()
    b'{"ids": [0, 1], "tokens": ["a", "##b"], "starts": [0, 1], "ends": [1, 2]}\\n'
    """

    def __init__(self, file: BinaryIO, names: Sequence[str] | None = None, *, offsets: bool = False) -> None:
        self.file, self.names, self.offsets = file, names, offsets
        fields = ["ids", *(["tokens"] if names else []), *(["starts", "ends"] if offsets else [])]
        self.waiting = ExitStack()             # all arrays but the first wait until the record ends
        self.arrays: dict[str, IO[bytes]] = {"ids": file}
        for field in fields[1:]:
            self.arrays[field] = self.waiting.enter_context(tempfile.SpooledTemporaryFile(IN_MEMORY))  # noqa: SIM115
        self.started = False

    def part(self, rows: Rows) -> None:
        if not len(rows.ids):
            return
        values: dict[str, Iterable[int] | Iterable[str]] = {"ids": rows.ids, "starts": rows.starts, "ends": rows.ends}
        if self.names:
            values["tokens"] = map(self.names.__getitem__, rows.ids)
        if not self.started:
            self.file.write(b'{"ids": [')
        for field, array in self.arrays.items():
            array.write(b", " if self.started else b"")
            array.write(json.dumps(list(values[field]), ensure_ascii=False)[1:-1].encode())
        self.started = True

    def end(self) -> None:
        self.file.write(b"]" if self.started else b'{"ids": []')
        for field, array in self.arrays.items():
            if array is not self.file:
                self.file.write(f', "{field}": ['.encode())
                array.seek(0)
                shutil.copyfileobj(array, self.file)
                self.file.write(b"]")
                array.seek(0)
                array.truncate()
        self.file.write(b"}\n")
        self.started = False

    def close(self) -> None:
        self.waiting.close()


class NpySink(Sink):
    """All ids of all records, one after another, as an array of uint32 (.npy version 1.0), made without NumPy.

    >>> import io
    >>> file = io.BytesIO()
    >>> with NpySink(file) as sink:
    ...     sink.part(Rows(memoryview(b"\\x07\\x00\\x00\\x00").cast("I")))
    >>> list(read_npy(io.BytesIO(file.getvalue()), "a.npy"))
    [7]
    """

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.length = 0
        file.write(bytes(NPY_HEADER))

    def part(self, rows: Rows) -> None:
        self.length += len(rows.ids)
        self.file.write(memoryview(rows.ids))  # type: ignore[arg-type]  # the ids have the buffer protocol

    def finish(self) -> None:
        header = f"{{'descr': '{NPY_TYPE}', 'fortran_order': False, 'shape': ({self.length},), }}"
        size = NPY_HEADER - len(NPY_MAGIC) - 2
        self.file.seek(0)
        self.file.write(NPY_MAGIC + size.to_bytes(2, "little") + header.ljust(size - 1).encode("ascii") + b"\n")
        self.file.seek(0, os.SEEK_END)


def read_npy(file: BinaryIO, name: str) -> memoryview:
    """The values of a one-dimensional array of uint32, as `NpySink` or NumPy writes it."""
    wanted = f"{name}: expected a .npy file of version 1.0 with one dimension and dtype {NPY_TYPE}"
    start = file.read(len(NPY_MAGIC) + 2)
    if not start.startswith(NPY_MAGIC):
        raise FormatError(wanted)
    header = file.read(int.from_bytes(start[-2:], "little")).decode("latin-1").strip()
    found = re.fullmatch(rf"{{'descr': '{NPY_TYPE}', 'fortran_order': (?:True|False), 'shape': \((\d+),\), }}", header)
    if found is None:
        raise FormatError(f"{wanted}; its header is {header}")
    values = file.read()
    if len(values) != 4 * int(found[1]):
        raise FormatError(f"{name}: {found[1]} values are announced, {len(values)} bytes of them are there")
    return memoryview(values).cast("I")


def read_records(file: BinaryIO, name: str, form: Format) -> Iterator[tuple[int, Sequence[int]]]:
    """Each record of a file with the number of its line or row: ids between white space, or JSON objects."""
    if form == "npy":
        yield 1, read_npy(file, name)
        return
    if form == "arrow":
        from subwordio.arrowfile import read_arrow

        yield from enumerate(read_arrow(file, name), 1)
        return
    for part in parts(file, name):
        for line, text in enumerate(part.lines(), part.line):
            yield line, json_ids(text, name, line) if form == "jsonl" else text_ids(text, name, line)


def text_ids(text: bytes, name: str, line: int) -> list[int]:
    ids = []
    for word in text.split():
        if not word.isdigit():
            shown = word.decode("utf-8", "backslashreplace")
            hint = "; JSON lines are another format, jsonl" if word.startswith(b"{") else ""
            raise FormatError(f"{name}, line {line}: expected token ids with spaces between, found {shown!r}{hint}")
        ids.append(int(word))
    return ids


def json_ids(text: bytes, name: str, line: int) -> list[int]:
    wanted = f'{name}, line {line}: expected a JSON object with an array "ids" of integers'
    try:
        record = json.loads(text)
    except ValueError as error:
        raise FormatError(f"{wanted}: {error}") from None
    ids = record.get("ids") if isinstance(record, dict) else None
    if not isinstance(ids, list) or any(type(id) is not int for id in ids):
        raise FormatError(wanted)
    return ids
