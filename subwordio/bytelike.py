"""Bytes from Python: bytes, or what lends its memory as bytes, such as a bytearray, a memoryview or an mmap."""
from typing import Any


def bytes_of(name: str, data: Any, wanted: str = "bytes-like object") -> bytes:
    """The data as bytes, copied unless they are; TypeError, which names it, for what has none, or larger items.

    >>> bytes_of("data", memoryview(bytearray(b"abcd"))[::2])
    b'ac'
    >>> bytes_of("data", [97])
    Traceback (most recent call last):
    TypeError: data: expected a bytes-like object, got list
    """
    if isinstance(data, bytes):
        return data
    try:
        with memoryview(data) as view:
            if view.itemsize == 1:
                return view.tobytes()
            kind = f"{type(data).__name__} with items of {view.itemsize} bytes"
    except TypeError:
        kind = type(data).__name__
    raise TypeError(f"{name}: expected a {wanted}, got {kind}")
