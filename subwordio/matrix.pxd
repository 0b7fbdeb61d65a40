"""A rectangle of integers that others fill."""


cdef class Matrix:
    cdef void *data                 # rows × columns items, row after row; never NULL
    cdef Py_ssize_t[2] extent       # (rows, columns)
    cdef Py_ssize_t[2] strides      # bytes from one row, and from one column, to the next
    cdef Py_ssize_t itemsize        # 8: int64_t, 4: int32_t
