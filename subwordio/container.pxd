"""A file of named sections as other modules see it from C."""
cimport cython
from libc.stdint cimport int32_t, uint8_t, uint64_t


@cython.final
cdef class Container:
    cdef readonly str name                  # the file, as messages show it
    cdef readonly dict sections             # name -> (where it begins, its bytes)
    cdef uint8_t *data                      # the file in memory; whoever keeps a pointer into it holds this object
    cdef size_t size

    cdef int read_header(self, str kind, bint verify) except -1     # on opening
    cdef int read_directory(self, uint64_t n) except -1             # on opening
    cdef void *take(self, str section, size_t itemsize, size_t *n) except NULL   # a section of n items
    cdef int32_t[::1] ints(self, str section)               # a section of int32, in place
    cdef bytes copy(self, str section)
    cdef int fail(self, str why) except -1                  # a FormatError that names the file
