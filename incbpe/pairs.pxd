"""Rank BPE's canonical tokens and its pair test as the modules above see them from C. Arrays are indexed by token."""
cimport cython
from libc.stdint cimport int32_t

from incbpe.dictionary cimport Dictionary


@cython.final
cdef class Pairs:
    cdef readonly Dictionary dictionary
    cdef int32_t[::1] last                  # the rule that fires last in PQ(z), where PQ(z) = [z]; NONE for atoms;
    #                                         NOT_CANONICAL where PQ(z) is more than z
    cdef readonly bint plain                # what `normalize` asks: every canonical token's peak is its own last rule, and
    #                                         whatever merged across on building is the canonical rule of what it makes
    cdef int32_t[::1] peak                  # the largest of the rules that fire in PQ(z); NONE for atoms, and for others

    # PQ(w z) = [w, z], for canonical w and z. Shared by threads freely.
    cdef bint holds(self, int32_t w, int32_t z) noexcept nogil
    cdef int32_t across(self, int32_t u, int32_t v) noexcept nogil  # the rule that merges across before both are made, or NONE
    cdef int fill(self) except -1                                   # on building: last and peak
