"""Where the states of a trie find their children in one array of cells."""
cimport cython
from libc.stdint cimport int32_t, uint8_t

from incbpe.tokentrie cimport TokenTrie


@cython.final
cdef class Places:
    cdef TokenTrie trie
    cdef readonly int32_t size          # of the array of cells: a multiple of 256
    cdef int32_t[::1] base              # by state: its child by b is in cell base ^ b; NONE where it has no child
    # on building
    cdef uint8_t[::1] taken             # by cell: bit 0, it is a child's; bit 1, it is the base of a state
    cdef int32_t[::1] after             # by cell that is no child's: the next such cell, in a ring through cell 0
    cdef int32_t[::1] before            # and the one before

    cdef int place(self, int32_t v, bint easy) except -1
    cdef bint fits(self, int32_t v, int32_t base) noexcept      # all that v needs is free there
    cdef int take(self, int32_t v, int32_t base) except -1
    cdef int grow(self) except -1       # by a block of 256 cells, all free
