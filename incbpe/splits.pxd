"""All splits of tokens into two, as `dictionary` sees them from C."""
cimport cython
from libc.stdint cimport int32_t


@cython.final
cdef class Splits:
    cdef int32_t rules                      # how many there are
    cdef int32_t[::1] x                     # by split: the left part
    cdef int32_t[::1] y                     # the right part
    cdef int32_t[::1] z                     # and what they make; it rises, and for one token x gets longer

    cdef int fill(self, const int32_t[::1] prefix, const int32_t[::1] shorter, const int32_t[::1] length, int32_t n) except -1
