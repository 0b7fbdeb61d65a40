"""A file that is whole or not there: written under a temporary name, with its checksum, and renamed at the end.

The checksum is CRC-32, for damage by accident: SHA-256 takes several times as long, which is some per cent of encoding.
"""
import contextlib
import os
import zlib
from typing import Any

PART = ".part"


class Sink:
    """A file of a folder in the making: `.NAME.part` until `finish`. Errors name the file."""

    def __init__(self, folder: str, name: str) -> None:
        self.folder, self.name = folder, name
        self.temporary = os.path.join(folder, f".{name}{PART}")
        self.size = 0
        self.checksum = 0
        self.handle = os.open(self.temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0), 0o666)
        self.closed = False

    def write(self, data: Any) -> int:
        """All of the bytes, or an OSError that names the file."""
        view = memoryview(data).cast("B")
        try:
            done = 0
            while done < len(view):
                done += os.write(self.handle, view[done:])
        except OSError as error:
            raise OSError(error.errno, error.strerror, os.path.join(self.folder, self.name)) from None
        self.checksum = zlib.crc32(view, self.checksum)
        self.size += len(view)
        return len(view)

    def finish(self) -> dict[str, Any]:
        """On the disk, and under its name; its name, size and CRC-32."""
        try:
            os.fsync(self.handle)
        except OSError as error:
            raise OSError(error.errno, error.strerror, os.path.join(self.folder, self.name)) from None
        self.close()
        os.replace(self.temporary, os.path.join(self.folder, self.name))
        return {"name": self.name, "size": self.size, "crc32": f"{self.checksum:08x}"}

    def discard(self) -> None:
        """Gone, if it was not finished."""
        self.close()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self.temporary)

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            os.close(self.handle)

    # What pyarrow asks of a file that it writes to.

    def tell(self) -> int:
        return self.size

    def flush(self) -> None:
        """Nothing waits here."""


def remove_parts(folder: str) -> None:
    """Remove what a killed run left under temporary names."""
    for name in os.listdir(folder):
        if name.startswith((".shard-", ".manifest.json")) and name.endswith(PART):
            os.unlink(os.path.join(folder, name))
