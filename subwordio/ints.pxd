"""Lists of ints from ready int objects."""
from cpython.object cimport PyObject
from libc.stdint cimport uint32_t


cdef class ReadyInts:
    cdef PyObject **table           # by id: its int, or NULL where none was asked for yet; NULL before the first
    cdef readonly uint32_t size     # ids below it have an entry
    cdef readonly uint32_t made     # entries that are not NULL

    cdef PyObject *make(self, uint32_t id) except NULL      # a borrowed reference; id < size, table[id] is NULL


# The list of data[0:n]; `ready` may be None. Needs the GIL.
cdef list list_of(ReadyInts ready, const uint32_t *data, Py_ssize_t n)
