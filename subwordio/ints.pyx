"""Lists of ints from ready int objects: most of the cost of a long list of ids is making an object for each.

A tokenizer's results share one table, by id, of the ints that their lists have needed so far. Only lists use it, so
whoever reads ids from memory does not pay for it.

I1  `made` entries of the table are not NULL, and entry i is the int i

Cost  a reference for each id; 8 bytes for each id of the vocabulary from the first list on, and 32 for each int made
"""
from cpython.list cimport PyList_New
from cpython.long cimport PyLong_FromUnsignedLong
from cpython.object cimport PyObject
from cpython.ref cimport Py_INCREF
from libc.stdint cimport uint32_t
from libc.stdlib cimport calloc, free

cdef extern from "Python.h":
    void incref "Py_INCREF"(PyObject *value)
    void decref "Py_DECREF"(PyObject *value)
    void set_item "PyList_SET_ITEM"(object result, Py_ssize_t i, PyObject *value)     # steals the reference

cdef size_t INT_BYTES = 32      # what an int takes


cdef class ReadyInts:
    """ReadyInts(size): the ints below `size`, each made when it is first asked for.

    >>> ints = ReadyInts(1000)
    >>> ints.size, ints.made, ints.nbytes
    (1000, 0, 0)
    """

    def __cinit__(self, uint32_t size):
        self.size = size

    def __dealloc__(self):
        cdef uint32_t id
        if self.table != NULL:
            for id in range(self.size):
                if self.table[id] != NULL:
                    decref(self.table[id])
            free(self.table)

    cdef PyObject *make(self, uint32_t id) except NULL:
        value = PyLong_FromUnsignedLong(id)
        Py_INCREF(value)            # the table's own reference
        self.table[id] = <PyObject *> value
        self.made += 1
        return <PyObject *> value

    @property
    def nbytes(self) -> int:
        """The memory of the table and its ints in bytes."""
        return 0 if self.table == NULL else self.size * sizeof(self.table[0]) + self.made * INT_BYTES

    def list_of(self, ids):
        """The list of an iterable of ids.

        >>> ints = ReadyInts(1000)
        >>> ints.list_of([7, 900, 2000]), ints.list_of([900])[0] is ints.list_of([900])[0]
        ([7, 900, 2000], True)
        """
        cdef uint32_t id
        cdef list result = []
        for id in ids:
            result += list_of(self, &id, 1)
        return result

    def check(self):
        """Assert I1."""
        cdef uint32_t id, made = 0
        if self.table != NULL:
            for id in range(self.size):
                if self.table[id] != NULL:
                    assert <object> self.table[id] == id, f"I1: {id}"
                    made += 1
        assert made == self.made, "I1"


cdef list list_of(ReadyInts ready, const uint32_t *data, Py_ssize_t n):
    cdef list result = PyList_New(n)
    cdef uint32_t size = 0
    cdef PyObject *value
    cdef Py_ssize_t i
    if ready is not None and n > 0:
        if ready.table == NULL:
            ready.table = <PyObject **> calloc(ready.size + 1, sizeof(PyObject *))
            if ready.table == NULL:
                raise MemoryError()
        size = ready.size
    for i in range(n):
        if data[i] < size:
            value = ready.table[data[i]]
            if value == NULL:
                value = ready.make(data[i])
            incref(value)
        else:
            new = PyLong_FromUnsignedLong(data[i])
            Py_INCREF(new)          # for the list
            value = <PyObject *> new
        set_item(result, i, value)
    return result
