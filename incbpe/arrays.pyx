"""Arrays of int32, and how they grow."""
from array import array

from libc.stdint cimport int64_t

cdef object ZERO = array("i", [0])
cdef int64_t MOST_ENTRIES = 2**31 - 1       # places in an array are int32 themselves


cdef int32_t[::1] ints(Py_ssize_t n):
    return ZERO * max(n, 1)


cdef int32_t[::1] nones(Py_ssize_t n):
    cdef int32_t[::1] new = ints(n)
    new[:] = NONE
    return new


cdef int32_t[::1] resized(int32_t[::1] old, Py_ssize_t n, Py_ssize_t kept):
    cdef int32_t[::1] new = ints(n)
    new[:kept] = old[:kept]
    return new


cdef int32_t[::1] room(int32_t[::1] old, Py_ssize_t n, Py_ssize_t kept):
    if n <= old.shape[0]:
        return old
    if n > MOST_ENTRIES:
        from incbpe.dictionary import DictionaryError      # which stands above

        raise DictionaryError(f"the dictionary needs a table of more than {MOST_ENTRIES} entries")
    return resized(old, min(<int64_t>max(n, 2 * old.shape[0]), MOST_ENTRIES), kept)
