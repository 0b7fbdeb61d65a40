"""The pair test as the modules above it see it from C."""
cimport cython
from libc.stdint cimport int32_t, uint8_t

from incbpe.dictionary cimport Dictionary


@cython.final
cdef class Pairs:
    cdef readonly Dictionary dictionary
    cdef uint8_t[::1] canonical             # by token index: whether PQ(z) = [z]
    cdef int32_t[::1] symbol                # the symbols of all tokens, one token after the other
    cdef int32_t[::1] place                 # token i is symbol[place[i] : place[i + 1]]

    # PQ(w z) = [w, z], for PQ-canonical w and z. Shared by threads freely.
    cdef bint holds(self, int32_t w, int32_t z) except -1 nogil
