"""Room for the arrays of one construction: zeroed ints, cut from few large blocks.

A large construction needs a dozen arrays of some hundred kilobytes for a few milliseconds, and to make the system give
their memory page by page would take longer than to fill them. So they are cut from blocks of one large page or more.

Cost  O(1) an array, and what the system takes to give a block of zeros; a block is given back with its last array
"""
from cpython.buffer cimport PyBUF_FORMAT
from libc.stdint cimport int32_t
from libc.stdlib cimport calloc, free

from subwordio.largepages cimport LARGE_PAGE, map_large_pages, unmap_large_pages

cdef char *INT = b"i"                       # the format of an array

cdef enum:
    ALIGNED = 64                            # bytes: an array begins at a line of the cache


cdef class Room:
    """``Room(large)``: in blocks of large pages, or every array by itself."""

    def __cinit__(self, bint large):
        self.large = large

    cdef int32_t[::1] ints(self, Py_ssize_t n):
        cdef size_t nbytes = (max(n, 1) * sizeof(int32_t) + ALIGNED - 1) & ~<size_t> (ALIGNED - 1)
        if self.block is None or not self.large or nbytes > self.block.nbytes - self.used:
            self.block, self.used = Block(nbytes, self.large), 0
        cdef int32_t *data = <int32_t *> (<char *> self.block.data + self.used)
        self.used += nbytes
        return ints_at(self.block, data, n)


cdef class Block:
    """``Block(nbytes, mapped)``: at least so many bytes of zeros."""

    def __cinit__(self, size_t nbytes, bint mapped):
        self.nbytes, self.mapped = nbytes, mapped
        if mapped:
            self.nbytes = (nbytes + LARGE_PAGE - 1) & ~<size_t> (LARGE_PAGE - 1)
            self.data = map_large_pages(self.nbytes)
        else:
            self.data = calloc(nbytes, 1)
        if self.data == NULL:
            raise MemoryError()

    def __dealloc__(self):
        if self.mapped:
            unmap_large_pages(self.data, self.nbytes)
        else:
            free(self.data)


cdef int32_t[::1] ints_at(object held, int32_t *data, Py_ssize_t n):
    cdef Ints part = Ints.__new__(Ints)
    part.held, part.data, part.n, part.stride = held, data, n, sizeof(int32_t)
    return part


cdef class Ints:
    """An array: what a memoryview of its ints holds."""

    def __getbuffer__(self, Py_buffer *buffer, int flags):
        buffer.buf, buffer.obj = self.data, self
        buffer.len, buffer.itemsize, buffer.readonly, buffer.ndim = self.n * self.stride, self.stride, False, 1
        buffer.format = INT if flags & PyBUF_FORMAT else NULL
        buffer.shape, buffer.strides = &self.n, &self.stride
        buffer.suboffsets = buffer.internal = NULL
