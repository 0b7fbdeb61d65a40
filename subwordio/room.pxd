"""Room for the arrays of one construction, as other modules see it from C."""
cimport cython
from libc.stdint cimport int32_t


cdef int32_t[::1] ints_at(object held, int32_t *data, Py_ssize_t n)    # n ints in memory that `held` owns


@cython.final
cdef class Room:
    cdef Block block                        # where the next array is cut from; None: nowhere yet
    cdef size_t used                        # bytes of it
    cdef bint large                         # whether blocks are used, else every array has memory of its own
    cdef int32_t[::1] ints(self, Py_ssize_t n)      # n zeros


@cython.final
cdef class Block:
    cdef void *data                         # zeros at first
    cdef size_t nbytes
    cdef bint mapped                        # in large pages, so unmapped in the end and not freed


@cython.final
cdef class Ints:
    cdef object held                        # for `data`, which lies in its memory
    cdef int32_t *data
    cdef Py_ssize_t n, stride
