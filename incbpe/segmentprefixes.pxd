"""The tokens of every prefix of a segment, and what the layers above it have in common with it."""
from libc.stdint cimport uint8_t, uint32_t

from incbpe.piece cimport Pieces, Work
from incbpe.pieceprefixes cimport PiecePrefixes
from subwordio.ids cimport IdBuffer

cdef enum:
    NEVER = 0xFFFFFFFF          # a number of tokens: the vocabulary has no token for some byte


cdef class Layer:
    cdef readonly bytes text                # UTF-8
    cdef readonly size_t n                  # its bytes; places are 0 to n, also inside characters
    # How many tokens text[:i] has, or NEVER.
    cdef uint32_t count_of(self, size_t i) except? 0
    # Append its ids. ValueError where the vocabulary has no token.
    cdef int put_ids(self, size_t i, IdBuffer *out) except -1
    # Its last id; NO_ID: there is none, or it is not at hand.
    cdef uint32_t last_id(self, size_t i) except? 0
    # Append the ids of text[:i] + end, where i is a character's end and `end` other bytes than follow there.
    cdef int put_other(self, size_t i, bytes end, IdBuffer *out) except -1
    # How many tokens any text at least has that begins with text[:i], inclusive: a lower bound, NEVER if it is refused.
    cdef size_t least(self, size_t i) except? 0


cdef class SegmentPrefixes(Layer):
    cdef readonly Pieces pieces
    cdef readonly PiecePrefixes tree        # the pieces of all prefixes
    cdef size_t *begins                     # by begin of a piece: where in `theta` its run is
    cdef uint32_t *theta                    # a run: θ of text[begin:begin + t], a number, for t from 0 to its reach
    cdef uint32_t *whole                    # by node: the id of the piece that is one token by itself, else NO_ID
    cdef uint32_t *counts                   # by node: the tokens of the pieces up to it, or NEVER

    cdef int fill(self, Work *work) except -1
    cdef int set_counts(self, size_t begin, size_t n, const uint32_t *theta, uint32_t *counts) except -1
    cdef int set_kept_counts(self, size_t begin, size_t n, uint32_t *counts, Work *work) except -1
    # A piece that is closed, whatever follows text[:i].
    cdef uint32_t closed(self, size_t i) noexcept nogil
    cdef int put_node(self, uint32_t k, IdBuffer *out) except -1
    cdef int put_piece(self, const uint8_t *piece, size_t n, const uint32_t *theta, IdBuffer *out, Work *work) except -1
