"""What may come of a text's end, through a splitter."""
cimport cython
from libc.stdint cimport int32_t, uint8_t, uint32_t

from incbpe.openpiece cimport Reading
from incbpe.piece cimport Pieces, Work
from incbpe.pretokenize cimport Splitter
from incbpe.streamtables cimport StreamTables
from subwordio.ids cimport IdBuffer


@cython.final
cdef class OpenEnd:                         # of one text; made for one question
    cdef Splitter splitter
    cdef Pieces pieces
    cdef StreamTables tables
    cdef object may_write                   # whether a text can be rewritten to go on with such bytes; None: with any
    cdef bytes text                         # UTF-8, whole characters
    cdef size_t n
    cdef Reading reading                    # of all of it
    cdef dict known                         # by situation and question: whether some continuation leads there
    cdef dict found                         # (ids, whether they are all of the text) -> the ids of tokens that go beyond
    cdef IdBuffer out
    cdef Work work

    cdef int read_text(self) except -1
    # Whether some continuation that begins with `rest` makes a piece that begins at m and ends at the rest's end, or also
    # beyond; so many bytes `more` at least.
    cdef bint comes(self, size_t m, bytes rest, bint exactly, size_t more=*) except -1
    cdef bint leads(self, const Reading *r, size_t m, size_t j, bint exactly, object classes) except -1
    cdef int step(self, Reading *r, size_t m, size_t j, bint exactly, uint8_t cls, size_t after) except -1
    cdef int take_ends(self, size_t begin, const size_t *ends, int n, size_t m, size_t j, bint exactly) except -1
    cdef int add_piece(self, size_t m, tuple base) except -1
    cdef bint completes(self, size_t m, bytes rest, int32_t w, bint whole, int depth) except -1
    cdef bint goes_on(self, size_t m, bytes rest, int32_t w, int depth) except -1
    cdef tuple ids_of(self, size_t m, size_t end, const uint32_t *theta)    # of T; NULL: of the piece
    cdef int enter(self, tuple ids, bint all_of_it, object id) except -1
