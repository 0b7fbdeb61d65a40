"""The class of every character, in two loads."""
cimport cython
from libc.stdint cimport uint8_t, uint16_t

cdef extern from "incbpe/split.h":
    size_t incbpe_block(const uint8_t *s, unsigned *low) noexcept nogil

cdef enum:
    BLOCKS = 17408                      # runs of 64 code points, as the last byte of UTF-8 counts them


@cython.final
cdef class Classes:
    cdef uint8_t ascii[128]             # by byte: an index of grammars.CLASSES
    cdef uint16_t block[BLOCKS]         # by code point >> 6: where its 64 cells are, in units of 64
    cdef const uint8_t *cells           # classes, in the memory of `stored`; equal blocks are shared
    cdef readonly bytes stored          # the same

    # Of the well-formed character at `s`.
    cdef inline uint8_t of(self, const uint8_t *s) noexcept nogil:
        cdef unsigned low
        cdef size_t block
        if s[0] < 0x80:
            return self.ascii[s[0]]
        block = incbpe_block(s, &low)
        return self.cells[64 * <size_t> self.block[block] + low]


cdef Classes classes                    # the one table: tiktoken's and tokenizers' engines agree on it
