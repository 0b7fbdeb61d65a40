"""The successor forest as the modules above see it from C. Every array but `order` is indexed by token."""
cimport cython
from libc.stdint cimport int32_t

from incbpe.normalize cimport Normalized


@cython.final
cdef class SuccessorForest:
    cdef readonly Normalized N
    cdef readonly int32_t OUTSIDE           # N.n: stands for the tin of "none" and of unknown symbols
    cdef int32_t[::1] tin                   # place in preorder, 0 … N.n - 1; NONE where not canonical
    cdef int32_t[::1] tout                  # the end of the subtree's places, exclusive; NONE where not canonical
    cdef int32_t[::1] order                 # by tin: the token
    cdef int32_t[::1] lo                    # z is valid iff lo[z] <= tin of w < hi[z], w = θ(s without suc(z));
    cdef int32_t[::1] hi                    # ... of an atom 0 and OUTSIDE + 1, of a token that is not canonical 0 and 0
    cdef int32_t[::1] back                  # symbols of suc(z), how far back w ends; 1 for an atom, where any w will do

    cdef int set_order(self, const int32_t[::1] by_prio) except -1      # fills tin, tout, order
    cdef int set_ranges(self, const int32_t[::1] by_prio) except -1     # fills lo, hi, back
    cdef int32_t token_of(self, object z) except -1         # the index of a canonical token, or DictionaryError
    cdef bint valid_at(self, int32_t z, const int32_t *history, Py_ssize_t t) noexcept nogil
    # ... whether the canonical suffix z of the first t symbols is valid; history[i] is θ of the first i, or NONE
