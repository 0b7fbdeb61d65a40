"""Text files and standard input as UTF-8 in parts of bounded size that end at line ends.

A part is held whole, so memory is linear in the part's size or in the longest line, whichever is greater. Only "\\n"
ends a line. Nothing is interpreted: a backslash followed by an n stays two characters.
"""
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO

from subwordio.errors import FormatError

PART = 1 << 20         # bytes: large enough to share among threads, small enough to show progress
STDIN = "standard input"


@dataclass(frozen=True, slots=True)
class Part:
    """Some whole lines of a file; the last line of the file may lack its newline."""

    name: str              # for messages
    data: bytes
    line: int              # the number of its first line, from 1

    def lines(self) -> list[bytes]:
        """The lines without their newlines."""
        pieces = self.data.split(b"\n")
        if not pieces[-1]:
            del pieces[-1]
        return pieces

    @contextmanager
    def naming_faults(self) -> Iterator[None]:
        """Around work on the part's bytes: where it fails since they are not UTF-8, the error names line and reason."""
        try:
            yield
        except ValueError as error:
            try:
                self.data.decode("utf-8")
            except UnicodeDecodeError as fault:
                before = self.data[:fault.start]
                column = fault.start - before.rfind(b"\n")
                raise FormatError(f"{self.name}, line {self.line + before.count(10)}: not UTF-8: {fault.reason} "
                                  f"(0x{self.data[fault.start]:02x}, byte {column} of it)") from None
            raise FormatError(f"{self.name}, from line {self.line} on: {error}") from error


def parts(file: BinaryIO, name: str, size: int | None = PART) -> Iterator[Part]:
    """The file's lines in parts of about `size` bytes; in one part where size is None."""
    if size is None:
        data = file.read()
        if data:
            yield Part(name, data, 1)
        return
    line = 1
    held: list[bytes] = []
    read = getattr(file, "read1", file.read)       # what is there now, so that a slow writer's lines are answered
    while block := read(size):
        end = block.rfind(b"\n") + 1
        if not end:
            held.append(block)
            continue
        data = b"".join([*held, block[:end]])
        held = [block[end:]] if end < len(block) else []
        yield Part(name, data, line)
        line += data.count(b"\n")
    if held:
        yield Part(name, b"".join(held), line)


def open_texts(paths: Iterable[str]) -> Iterator[tuple[str, BinaryIO]]:
    """Each file opened for reading, with the name that messages give it; "-" or no path at all is standard input."""
    for path in list(paths) or ["-"]:
        if path == "-":
            yield STDIN, sys.stdin.buffer
        else:
            with open(path, "rb") as file:
                yield path, file


def total_size(paths: Iterable[str]) -> int | None:
    """The bytes in all files together, None where one of them is no regular file."""
    sizes = [os.path.getsize(path) if path != "-" and os.path.isfile(path) else None for path in list(paths) or ["-"]]
    return None if None in sizes else sum(size for size in sizes if size is not None)
