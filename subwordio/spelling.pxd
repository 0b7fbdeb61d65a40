"""A character as UTF-8, and what JSON writes for one that it escapes."""
from libc.stdint cimport uint8_t, uint32_t

cdef extern from "subwordio/spelling.h" nogil:
    # The UTF-8 of a code point at `to`, which has room for it; how many bytes.
    size_t put_character "subwordio_put_character"(uint32_t c, uint8_t *to) noexcept
    # The value of a hexadecimal digit; -1 for what is none.
    int hex_digit "subwordio_hex_digit"(uint8_t c) noexcept
    # What a backslash and this letter or sign stand for in a string of JSON; 0 where they stand for nothing by themselves.
    uint8_t unescaped "subwordio_unescaped"(uint8_t c) noexcept
