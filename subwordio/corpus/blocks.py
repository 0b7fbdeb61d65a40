"""An input in blocks of whole documents: what threads take, one after the other.

Where a block ends depends on where it begins and on the input, never on time or threads: of text the most whole lines
that have `Recipe.block` bytes, or one line that alone has more; of whole files likewise. So a run that goes on at the
end of a shard cuts as the first one did.

Memory  one block; of a line over `Recipe.most_document` no more than that much is ever held: the rest is passed over.
"""
import os
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from subwordio.corpus.recipe import Recipe
from subwordio.corpus.streams import DamagedError, Stream, open_stream
from subwordio.errors import FormatError
from subwordio.lines import STDIN

SUFFIXES = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".parquet": "parquet"}
COMPRESSED = (".gz", ".zst", ".zstd")


class Position(NamedTuple):
    """Where a block begins: in which file, and after how many bytes of its text, or rows."""

    file: int = 0
    offset: int = 0


@dataclass(slots=True)
class Block:
    """Some documents as they were read, or a place of the input that cannot be."""

    kind: str                       # text, jsonl, parquet, files; damage: there is nothing but the fault
    begin: Position
    end: Position                   # where the next block begins, if in the same file
    size: int = 0                   # bytes of the documents
    consumed: int = 0               # bytes of all inputs that were read so far
    data: bytes = b""               # lines: data[:size]
    rows: Any = None                # Parquet: an Arrow array of strings
    texts: list[bytes] = field(default_factory=list)    # whole files
    units: int = 0                  # lines or rows that a damaged place has
    fault: str = ""                 # what is wrong with it


def name_of(path: str) -> str:
    """The file's name in messages."""
    return STDIN if path == "-" else path


def kind_of(path: str, recipe: Recipe) -> str:
    """What the file holds: as the recipe says, or by its name.

    >>> kind_of("a.jsonl.gz", Recipe()), kind_of("a.txt.zst", Recipe()), kind_of("a", Recipe(kind="parquet"))
    ('jsonl', 'text', 'parquet')
    """
    kind: str = recipe.kind
    if kind == "auto":
        base, suffix = os.path.splitext(path.lower())
        if suffix in COMPRESSED:
            suffix = os.path.splitext(base)[1]
        kind = SUFFIXES.get(suffix, "text")
    return "files" if kind == "text" and recipe.whole_files else kind


def check_inputs(paths: Sequence[str], recipe: Recipe) -> None:
    """Refuse what cannot be read, before anything is written."""
    for path in paths:
        if path == "-":
            if kind_of(path, recipe) == "parquet":
                raise FormatError("standard input: Parquet is read from files, since its index stands at the end")
            continue
        if os.path.isdir(path):
            raise FormatError(f"{path}: is a folder, not a file")
        if os.path.isfile(path):
            with open(path, "rb"):          # an error where it is not there or not ours to read
                pass
        else:
            os.stat(path)


def read_blocks(paths: Sequence[str], recipe: Recipe, start: Position) -> Generator[Block, None, None]:
    """The blocks of all inputs from `start` on, which is the end of a block or the beginning of a file."""
    sizes = [os.path.getsize(path) if os.path.isfile(path) else 0 for path in paths]
    index = start.file
    while index < len(paths):
        kind, begin = kind_of(paths[index], recipe), Position(index, start.offset if index == start.file else 0)
        before = sum(sizes[:index])
        blocks: Iterator[Block]
        if kind == "files":
            index = yield from file_blocks(paths, recipe, index, before)
            continue
        if kind == "parquet":
            from subwordio.corpus.rows import row_blocks
            blocks = row_blocks(paths[index], recipe, begin, sizes[index])
        else:
            blocks = line_blocks(paths[index], kind, recipe, begin)
        for block in blocks:
            block.consumed += before
            yield block
        index += 1


def line_blocks(path: str, kind: str, recipe: Recipe, begin: Position) -> Iterator[Block]:
    """The lines of one file."""
    stream = open_stream(path)
    try:
        cutter = LineCutter(stream, recipe.block, recipe.most_document)
        try:
            stream.skip(begin.offset)
            while (piece := cutter.next()).size:
                end = Position(begin.file, begin.offset + piece.size)
                if piece.whole:
                    yield Block(kind, begin, end, piece.size, stream.consumed, piece.data)
                else:
                    yield Block("damage", begin, end, piece.size, stream.consumed, units=1, fault=too_long(recipe))
                begin = end
        except DamagedError as damage:
            # A line that the damage may have cut is no document: it is left out.
            yield Block("damage", begin, begin, 0, stream.consumed, fault=str(damage))
    finally:
        stream.close()


def too_long(recipe: Recipe) -> str:
    return f"a document of more than {recipe.most_document} bytes (--max-document)"


class Piece(NamedTuple):
    """data[:size] are whole lines; or, where not `whole`, a line of `size` bytes was passed over."""

    data: bytes
    size: int
    whole: bool = True


class LineCutter:
    """A stream in pieces of whole lines: as many as have `size` bytes, or one longer line of `most` bytes at most."""

    def __init__(self, stream: Stream, size: int, most: int) -> None:
        self.stream, self.size, self.most = stream, size, most
        self.held = b""             # read, and not yet given; fewer than `size` bytes

    def next(self) -> Piece:
        """The next piece; one of size 0 at the end. DamagedError where the stream cannot be read on."""
        data = self.stream.read(self.size - len(self.held))
        if self.held:
            data = self.held + data
        if len(data) < self.size:
            return self.last(data)
        end = data.rfind(b"\n") + 1
        if not end:
            return self.long_line(data)
        self.held = self.stream.give_back(data[end:])
        return Piece(data, end)

    def last(self, data: bytes) -> Piece:
        """What is left: the end of the file ends a line, damage does not."""
        self.held = b""
        end = len(data)
        try:
            self.stream.read(1)
        except DamagedError:
            end = data.rfind(b"\n") + 1
            if not end:
                raise
        return Piece(data, end)

    def long_line(self, data: bytes) -> Piece:
        """The line that begins with `data`, in which it does not end."""
        parts, total = [data], len(data)
        while total <= self.most:
            data = self.stream.read(self.size)
            end = data.find(b"\n") + 1 or len(data)
            parts.append(data[:end])
            self.held = data[end:]
            total += end
            if parts[-1].endswith(b"\n") or len(data) < self.size:
                if total <= self.most + 1:
                    return Piece(b"".join(parts), total)
                return Piece(b"", total, whole=False)
        parts.clear()
        while data := self.stream.read(self.size):
            end = data.find(b"\n") + 1
            self.held = data[end:] if end else b""
            total += end or len(data)
            if end:
                break
        return Piece(b"", total, whole=False)


def file_blocks(paths: Sequence[str], recipe: Recipe, index: int, consumed: int) -> Generator[Block, None, int]:
    """Files that are a document each, from `index` on; returns where the first stands that is none."""
    block = Block("files", Position(index), Position(index))
    while index < len(paths) and kind_of(paths[index], recipe) == "files":
        stream, text, fault = open_stream(paths[index]), b"", ""
        try:
            text = stream.read(recipe.most_document + 1)
            if len(text) > recipe.most_document:
                fault = too_long(recipe)
            else:
                stream.read(1)          # raises where it ended for damage
        except DamagedError as damage:
            fault = str(damage)
        finally:
            stream.close()
        consumed += stream.consumed
        index += 1
        if block.texts and (fault or block.size + len(text) > recipe.block):
            yield block
            block = Block("files", Position(index - 1), Position(index))
        if fault:
            yield Block("damage", Position(index - 1), Position(index), 0, consumed, fault=fault)
            block = Block("files", Position(index), Position(index))
            continue
        block.texts.append(text)
        block.size += len(text)
        block.end, block.consumed = Position(index), consumed
    if block.texts:
        yield block
    return index
