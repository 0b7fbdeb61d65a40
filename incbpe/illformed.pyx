"""Bytes that are not UTF-8, with U+FFFD in their places, so that they can be split as text is.

Each maximal run of bytes that belong to no character becomes one U+FFFD. A piece is then cut as if that stood there, and
keeps the run's bytes: what is encoded is all of the data.

Cost  O(n)
"""
from libc.stdint cimport uint8_t

cdef extern from "incbpe/split.h" nogil:
    size_t incbpe_character(const uint8_t *text, size_t i, size_t n) noexcept

cdef extern from *:
    """
    static inline int incbpe_is_mark(const unsigned char *at) { return at[0] == 0xEF && at[1] == 0xBF && at[2] == 0xBD; }
    """
    bint is_mark "incbpe_is_mark"(const uint8_t *at) noexcept nogil     # whether U+FFFD stands there

cdef enum:
    MARK = 3                    # bytes of U+FFFD


cdef object replaced(bytes data):
    """The data as UTF-8, each maximal ill-formed run as one U+FFFD; and where in the data each U+FFFD comes from.

    None where all is UTF-8.
    """
    cdef const uint8_t *text = data
    cdef size_t n = len(data), i = 0, begin, length, done = 0
    cdef list parts = [], fills = []
    cdef bint ill_formed = False
    while i < n:
        # the text up to `done` is in parts
        length = incbpe_character(text, i, n)
        if length:
            if length == MARK and is_mark(text + i):
                fills.append((i, i + MARK))
            i += length
            continue
        begin, ill_formed = i, True
        while i < n and incbpe_character(text, i, n) == 0:
            i += 1
        parts += [data[done:begin], b"\xef\xbf\xbd"]
        fills.append((begin, i))
        done = i
    parts.append(data[done:])
    return (b"".join(parts), fills) if ill_formed else None
