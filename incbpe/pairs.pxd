"""Rank BPE's canonical tokens and its pair test as the modules above see them from C. Arrays are indexed by token."""
cimport cython
from libc.stdint cimport int32_t

from incbpe.dictionary cimport Dictionary


@cython.final
cdef class Pairs:
    cdef readonly Dictionary dictionary
    cdef int32_t[::1] last                  # the rule that fires last in PQ(z), where PQ(z) = [z]; NONE for atoms;
    #                                         NOT_CANONICAL where PQ(z) is more than z
    cdef readonly bint plain                # every canonical token's peak is the rule that fires last: `normalize` asks it
    cdef int32_t[::1] peak                  # the largest of the rules that fire in PQ(z); NONE for atoms, and for others

    # PQ(w z) = [w, z], for canonical w and z. Shared by threads freely.
    cdef bint holds(self, int32_t w, int32_t z) noexcept nogil
    cdef bint meet(self, int32_t u, int32_t v) noexcept nogil       # nothing merges across before both are made
    cdef int fill(self) except -1                                   # on building: last and peak
