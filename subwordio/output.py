"""Output files that are whole or not there.

Everything is written to a temporary name in the same folder and renamed at the end; an error or an interrupt removes
the temporary file and leaves what stood under the name before.
"""
import contextlib
import errno
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from typing import BinaryIO

from subwordio.errors import FormatError

FULL = frozenset({errno.ENOSPC, errno.EFBIG, *([errno.EDQUOT] if hasattr(errno, "EDQUOT") else [])})


@contextlib.contextmanager
def output_file(path: str | os.PathLike[str] | None, inputs: Sequence[str] = ()) -> Iterator[BinaryIO]:
    """A binary file to write to, renamed to `path` when the block ends well; standard output for None or "-".

    FormatError where it is one of `inputs`, which would be lost.
    """
    if path is None or path == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    for read in inputs:
        if os.path.isfile(path) and os.path.exists(read) and os.path.samefile(read, path):
            raise FormatError(f"{read}: is read, and would be lost if the output took its place")
    if os.path.exists(path) and not os.path.isfile(path):
        with naming(path), open(path, "wb") as device:      # /dev/null, a named pipe: nothing there could be replaced
            yield device
        return
    target = os.path.realpath(path)            # a symbolic link stays one: what it points to is replaced
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{os.path.basename(target)}.", suffix=".part",
                                             dir=os.path.dirname(target))
    except OSError as error:                   # the caller knows the name that was given, not the temporary one
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None
    try:
        with naming(path), os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(temporary, permissions(target))
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


@contextlib.contextmanager
def naming(path: str | os.PathLike[str]) -> Iterator[None]:
    """Let the errors of a full disk name the file that has no room: writing to an open one does not."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno in FULL:
            raise OSError(error.errno, error.strerror, os.fspath(path)) from None
        raise


def permissions(target: str) -> int:
    """The mode of the file that is replaced, else what a newly opened file would get."""
    with contextlib.suppress(FileNotFoundError):
        return os.stat(target).st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
