"""The searches for θ(s), as the modules above see them from C."""
cimport cython
from libc.stdint cimport int32_t

from incbpe.automaton cimport SuffixAutomaton
from incbpe.centroid cimport CentroidTrees, Counts
from incbpe.pairs cimport Pairs
from incbpe.successor cimport SuccessorForest


cdef class Search:
    # θ of the first t >= 1 symbols; history[i] is θ of the first i, history[0] and that of an unknown symbol NONE; k is the
    # longest canonical token that ends at t. Adds to what it counts.
    cdef int32_t find(self, const int32_t *history, Py_ssize_t t, int32_t k, Counts *counts) except -2 nogil


@cython.final
cdef class LongestFirst(Search):
    cdef readonly SuccessorForest forest
    cdef readonly SuffixAutomaton automaton


@cython.final
cdef class RootDown(Search):
    cdef readonly SuccessorForest forest
    cdef int32_t[::1] atom                  # by token: its last symbol, the root of its tree
    cdef int32_t[::1] begin                 # by token z: its children are children[begin[z] : begin[z + 1]]
    cdef int32_t[::1] children              # of one token in the order of their valid ranges


@cython.final
cdef class CentroidSearch(Search):
    cdef readonly SuccessorForest forest
    cdef readonly SuffixAutomaton automaton
    cdef readonly CentroidTrees trees


@cython.final
cdef class PairWalk(Search):
    cdef readonly Pairs pairs
    cdef readonly SuffixAutomaton automaton
    cdef int32_t[::1] length                # by token: its symbols
