"""The lines of a text as a sequence, without an object for each."""
from libc.stdint cimport int64_t


cdef class TextLines:
    cdef object held            # the bytes object whose memory `data` is
    cdef const char *data
    cdef int64_t *bounds        # line i is data[bounds[i]:bounds[i + 1] - 1]; length + 1 entries
    cdef Py_ssize_t length      # number of lines
    cdef bint utf8              # all of them are UTF-8
    cdef int find_lines(self, Py_ssize_t n) except -1 nogil     # on building: fills `bounds` and `length`
