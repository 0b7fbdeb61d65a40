"""Merge rules as places of tokens, as they are read and as the dictionary takes them."""
cimport cython
from libc.stdint cimport int32_t

from incbpe.listing cimport Listing
from incbpe.spelt cimport Spelt


@cython.final
cdef class MergeList(Listing):              # of rules
    cdef readonly object tokens             # a sequence: by place, as the model has them
    cdef Spelt spelt                        # the same in UTF-8
    cdef int32_t[::1] left                  # by rule: the place of its left part
    cdef int32_t[::1] right                 # of its right part
    cdef int32_t[::1] product               # and of what they make


cdef MergeList merges_of(object tokens, Spelt spelt, int32_t[::1] left, int32_t[::1] right, int32_t[::1] product, int32_t n)
