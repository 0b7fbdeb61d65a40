"""Arrays of int32. An array has one entry at least, also where nothing is asked for."""
from libc.stdint cimport int32_t

cdef enum:
    NONE = -1                               # no token, no rule, no state


cdef int32_t[::1] ints(Py_ssize_t n)                                            # n zeros
cdef int32_t[::1] nones(Py_ssize_t n)                                           # n times NONE
cdef int32_t[::1] resized(int32_t[::1] old, Py_ssize_t n, Py_ssize_t kept)      # n entries, the first `kept` of `old`
# The same array where it has n entries, or else a larger one, with some to spare. DictionaryError beyond what int32 counts.
cdef int32_t[::1] room(int32_t[::1] old, Py_ssize_t n, Py_ssize_t kept)
