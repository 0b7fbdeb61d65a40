"""What ends the stages of a stream: ids, which come one by one."""
from libc.stdint cimport uint8_t, uint32_t

from incbpe.piece cimport Pieces, Work
from incbpe.stages cimport Stage
from subwordio.ids cimport IdBuffer
from subwordio.text cimport ByteBuffer

cdef enum:
    BLOCK = 65536               # bytes of text that are taken at a time, or less


cdef class LastStage(Stage):
    cdef Pieces pieces
    cdef Work work
    cdef ByteBuffer text                # what has come and is not put
    cdef IdBuffer out                   # the ids; who takes them empties it
    cdef bint waiting                   # an unknown token comes before the next token that is known

    cdef int put_token(self, uint32_t id) except -1
    cdef int put_waiting(self) except -1
    cdef int append(self, uint32_t id) except -1
    cdef int put_unknown(self, const uint8_t *symbol, size_t n) except -1
    # Append a block of text[i:n], of so many bytes or a few less, which ends between characters, to `text`; returns where
    # it ends.
    cdef size_t hold(self, const uint8_t *text, size_t i, size_t n, size_t block) except? 0xFFFFFFFFFFFFFFFF
    cdef void trim(self) noexcept       # a part has ended, of which nothing is left
