"""Centroid decompositions on building, and the form in which they are kept."""
cimport cython
from libc.stdint cimport int32_t

from incbpe.successor cimport SuccessorForest

# A *link* names a component: the place of its centroid in the pool, ALONE - z for a component of the one token z, or
# NONE for no component. From its place p on, a centroid has these entries:
cdef enum:
    ALONE = -2
    CENTROID = 0                            # its token, c
    ABOVE = 1                               # link: what is left of its component on the parent's side; NONE: c is its root
    CHILDREN = 2                            # how many components hang below c, m
    FIRST = 3                               # m pairs in the order of the valid ranges: the token that roots the
    #                                         component, which is a child of c, and the link


@cython.final
cdef class Decomposition:
    cdef SuccessorForest forest
    cdef int32_t[::1] shorter               # by token, as automaton has it
    cdef int32_t[::1] pool                  # centroids, one after the other
    cdef int32_t used                       # entries of it in use
    cdef int32_t[::1] place                 # by token: room for take_chain
    # of the chain in hand, by node
    cdef int32_t[::1] nodes                 # its token
    cdef int32_t[::1] parent                # the node of suc
    cdef int32_t[::1] size                  # within the component in hand: the nodes of its subtree
    cdef int32_t[::1] part                  # within the component in hand: the part that it falls into
    cdef int32_t[::1] members               # the nodes, those of a component together, parents before children
    cdef int32_t[::1] spare                 # for sorting, and counters
    cdef int32_t[::1] found                 # a stack of the components below centroids in hand: (lo, token, link)
    cdef int32_t top                        # entries of it in use

    cdef int32_t add(self, int32_t k) except -1                             # chain(k) decomposed: its link
    cdef int32_t component(self, int32_t begin, int32_t end) except -1      # members[begin:end]: its link
    cdef int32_t centroid(self, int32_t begin, int32_t end) except -1       # its place in `members`
    cdef int split(self, int32_t begin, int32_t end, int32_t at) except -1  # part of each, and members[begin:end-1] by it
    cdef int32_t write(self, int32_t c, int32_t above, int32_t base) except -1
    cdef int reserve(self, int32_t n) except -1                             # room for a chain of n
    cdef int32_t[::1] trimmed(self)                                         # the pool, done
