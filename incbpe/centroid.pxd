"""Centroid trees as the modules above see them from C."""
cimport cython
from libc.stdint cimport int32_t, int64_t

from incbpe.successor cimport SuccessorForest
from incbpe.sufsuc cimport SuffixSuccessorTree

cdef struct Counts:
    int64_t visits                          # tokens that a search looked at
    int64_t tests                           # of these, such as had to be tested for being valid


# θ of t symbols, which is in the component of a link (see decomposition.pxd), whose root is valid.
cdef int32_t search_tree(SuccessorForest forest, const int32_t *pool, int32_t link, const int32_t *history, Py_ssize_t t,
                         Counts *counts) except -2 nogil


@cython.final
cdef class CentroidTree:
    cdef readonly SuffixSuccessorTree tree
    cdef int32_t[::1] pool
    cdef int32_t link                       # of the whole tree

    cdef tuple outline_of(self, int32_t link)                # as outline gives it


@cython.final
cdef class CentroidTrees:
    cdef readonly SuccessorForest forest
    cdef int32_t[::1] pool
    cdef int32_t[::1] link                  # by token z: of the tree of chain(z), where z is the next shorter token of
    #                                         another and has more than two under it; else NONE, and there is none
