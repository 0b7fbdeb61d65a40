"""Sequences that make an item when it is asked for, as those that are such see them from C."""
from libc.stdint cimport int32_t


cdef class Listing:
    cdef readonly int32_t n                 # items

    cdef object item(self, int32_t i)       # item i, for 0 <= i < n
    cdef str items(self)                    # what they are called together
