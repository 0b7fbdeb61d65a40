"""The class of every character, in two loads."""
from libc.stdint cimport uint8_t, uint16_t

cdef enum:
    BLOCKS = 17408                      # runs of 64 code points, as the last byte of UTF-8 counts them


cdef class Classes:
    cdef uint8_t ascii[128]             # by byte: an index of grammars.CLASSES
    cdef uint16_t block[BLOCKS]         # by code point >> 6: where its 64 cells are, in units of 64
    cdef const uint8_t *cells           # classes, in the memory of `stored`; equal blocks are shared
    cdef readonly bytes stored          # the same

    cdef uint8_t of(self, const uint8_t *s) noexcept nogil      # of the well-formed character at `s`


cdef Classes classes                    # the one table: tiktoken's and tokenizers' engines agree on it
