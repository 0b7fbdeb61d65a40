"""The bytes of a file, plain or compressed, read in bounded memory whatever is in it.

gzip and zstandard are known by their first bytes, not by the file's name. A file may hold several compressed members,
one after the other. Damage is a `DamagedError` that says what is wrong; what was read before it is good.
"""
import contextlib
import sys
import zlib
from collections.abc import Callable
from typing import BinaryIO, Protocol

GZIP, ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
CHUNK = 1 << 16         # compressed bytes read at once
HELD = 1 << 18          # bytes that may come of them at once
MOST_SKIPPED = 1 << 20  # bytes thrown away at once


class DamagedError(ValueError):
    """The stream cannot be read on; says why."""


class Engine(Protocol):
    """What undoes the compression of one member."""

    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    @property
    def needs_input(self) -> bool: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class Stream:
    """A file's bytes. `consumed` counts those that were read from the disk."""

    def __init__(self, file: BinaryIO, start: bytes = b"") -> None:
        self.file, self.start = file, start
        self.consumed = 0

    def raw(self, size: int) -> bytes:
        """Some bytes of the file, at most `size`; none at its end."""
        if self.start:
            data, self.start = self.start, b""
        else:
            data = self.file.read(size) or b""
        self.consumed += len(data)
        return data

    def some(self, size: int) -> bytes:
        """Some bytes, at most `size`; none at the end."""
        return self.raw(size)

    def read(self, size: int) -> bytes:
        """The next `size` bytes; fewer only at the end, or before damage, which the next call raises."""
        data = self.some(size)
        if len(data) == size or not data:
            return data
        parts, missing = [data], size - len(data)
        with contextlib.suppress(DamagedError):
            while missing and (data := self.some(missing)):
                parts.append(data)
                missing -= len(data)
        return b"".join(parts)

    def skip(self, size: int) -> None:
        """Leave out `size` bytes: read, and thrown away. DamagedError where there are fewer."""
        while size:
            data = self.read(min(size, MOST_SKIPPED))
            if not data:
                raise DamagedError("is shorter than when it was read before")
            size -= len(data)

    def give_back(self, data: bytes) -> bytes:
        """Have what was read last read again, where that is cheaper than holding it; what is to be held."""
        return data

    def close(self) -> None:
        if self.file is not sys.stdin.buffer:
            self.file.close()


class Seekable(Stream):
    """A plain file on a disk."""

    def give_back(self, data: bytes) -> bytes:
        self.file.seek(-len(data), 1)
        self.consumed -= len(data)
        return b""

    def skip(self, size: int) -> None:
        if self.file.seek(0, 2) < size:
            raise DamagedError("is shorter than when it was read before")
        self.file.seek(size)
        self.consumed += size


class Compressed(Stream):
    """What members of one compression hold, one after the other."""

    def __init__(self, file: BinaryIO, start: bytes, new: Callable[[], Engine], name: str,
                 errors: type[Exception]) -> None:
        super().__init__(file, start)
        self.new, self.name, self.errors = new, name, errors
        self.engine: Engine | None = None
        self.waiting = b""              # compressed bytes that no engine has seen
        self.held = b""                 # bytes that nobody has asked for
        self.damage: str | None = None

    def some(self, size: int) -> bytes:
        while not self.held:
            if self.damage is not None:
                raise DamagedError(self.damage)
            if self.engine is None:
                if not self.waiting and not (data := self.raw(CHUNK)):
                    return b""
                self.waiting = (self.waiting or data).lstrip(b"\0")      # zeros may stand between members
                if not self.waiting:
                    continue
                self.engine = self.new()
            self.held = self.expand(self.engine)
        data, self.held = self.held[:size], self.held[size:]
        return data

    def expand(self, engine: Engine) -> bytes:
        """What the engine has after some more input; often nothing."""
        fed, self.waiting = self.waiting, b""
        if not fed and engine.needs_input:
            fed = self.raw(CHUNK)
            ended = not fed
        else:
            ended = False
        try:
            data = engine.decompress(fed, HELD)     # always so many, so that damage is found at the same place
        except self.errors as error:
            self.damage = f"is damaged: {error}"
            return b""
        if engine.eof:
            self.waiting, self.engine = engine.unused_data, None
        elif ended and not data:
            self.damage = f"is cut off: its {self.name} data end before their end is marked"
        return data


class Gunzip:
    """zlib's decompressor with the methods of the others."""

    def __init__(self) -> None:
        self.zlib = zlib.decompressobj(31)

    @property
    def eof(self) -> bool:
        return self.zlib.eof

    @property
    def unused_data(self) -> bytes:
        return self.zlib.unused_data

    @property
    def needs_input(self) -> bool:
        return not self.zlib.unconsumed_tail

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self.zlib.decompress(self.zlib.unconsumed_tail + data, max_length)


def zstd_engine() -> tuple[Callable[[], Engine], type[Exception]]:
    """The standard library's from Python 3.14 on, and its backport before. ImportError names the extra."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise ImportError("zstandard input needs backports.zstd: pip install 'linmaxmatch-incbpe[corpus]'") from None
    return zstd.ZstdDecompressor, zstd.ZstdError


def open_stream(path: str) -> Stream:
    """The bytes of the file, decompressed where it is compressed; "-" is standard input."""
    file: BinaryIO = sys.stdin.buffer if path == "-" else open(path, "rb", buffering=0)  # noqa: SIM115
    try:
        start = b""
        while len(start) < len(ZSTD) and (more := file.read(len(ZSTD) - len(start))):
            start += more
        if start.startswith(GZIP):
            return Compressed(file, start, Gunzip, "gzip", zlib.error)
        if start == ZSTD:
            new, error = zstd_engine()
            return Compressed(file, start, new, "zstandard", error)
        if path != "-" and file.seekable():
            file.seek(0)
            return Seekable(file)
        return Stream(file, start)
    except BaseException:
        if path != "-":
            file.close()
        raise
