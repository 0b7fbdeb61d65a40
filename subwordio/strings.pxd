"""Many strings in one piece of memory, as other modules see them from C."""
cimport cython
from libc.stdint cimport int32_t, uint8_t

from subwordio.container cimport Container


@cython.final
cdef class Strings:
    cdef object held                        # whose memory `data` is: bytes, or the file that they are mapped from
    cdef const uint8_t *data                # the strings' UTF-8, end to end
    cdef int32_t[::1] begin                 # string i is text[begin[i] : begin[i + 1]]
    cdef int32_t[::1] order                 # every i, by the bytes of its string (so by code points), and then by i
    cdef readonly Py_ssize_t n              # how many strings
    cdef readonly Py_ssize_t longest        # bytes of the longest
    cdef readonly Py_ssize_t characters     # characters of the one that has most of them
    cdef readonly bint distinct             # no two are equal

    cdef dict to_sections(self)             # the arrays, as a file of sections takes them
    @staticmethod
    cdef Strings of_container(Container file)                       # what `to_sections` gave, in place
    cdef int find_longest(self) except -1   # on building: finds `longest` and `characters`
    cdef int sort(self) except -1           # on building: fills `order`, finds `distinct`
    cdef Py_ssize_t place(self, bytes wanted) except -1     # how many strings are smaller
    cdef Py_ssize_t find(self, bytes wanted) except -2      # the last i whose string is this, or -1
    cdef str string(self, Py_ssize_t i)     # string i, which is not checked
