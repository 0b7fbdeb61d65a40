"""All splits of a token into two, as `dictionary` sees them from C."""
cimport cython
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t


@cython.final
cdef class Splits:
    cdef uint8_t[::1] text                  # all tokens, one after the other
    cdef int32_t[::1] begin                 # token i is text[begin[i] : begin[i + 1]]
    cdef uint64_t[::1] powers               # of the hash's base, up to the longest token
    cdef int32_t[::1] slots                 # two a slot: 1 + token, or 0 for a free one; half of its hash
    cdef uint32_t mask                      # slots less one, a power of two less one; at most half are taken

    # The splits of token i, the shortest left part first; how many. `left` and `right` have room for its bytes.
    cdef Py_ssize_t of(self, int32_t i, int32_t *left, int32_t *right) noexcept nogil
    cdef int put(self, int32_t i) except -1
    cdef uint64_t hash_of(self, int32_t i) noexcept nogil
    cdef int32_t find(self, uint64_t h, Py_ssize_t first, Py_ssize_t last) noexcept nogil   # text[first:last], or NONE
