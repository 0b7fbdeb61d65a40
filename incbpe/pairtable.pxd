"""The pair test of rank BPE over the engine's numbers, in flat arrays."""
cimport cython
from libc.stdint cimport int32_t, uint32_t

from incbpe.layout cimport Layout
from incbpe.pairs cimport Pairs
from subwordio.container cimport Container


cdef struct Made:               # how a canonical token z is made; all NONE but for `peak`, see `pairs`, where z is an atom
    int32_t last                # the rule that fires last in PQ(z)
    int32_t peak                # the largest that fires there; NONE: none does
    uint32_t left               # the number of the left part of `last`
    uint32_t right              # and of the right part

cdef struct PairRule:           # of an open table of pairs
    uint32_t left               # the numbers of a rule's parts
    uint32_t right
    int32_t rule                # its place in the dictionary; NONE: the slot is free


@cython.final
cdef class PairTable:
    cdef object held            # the file whose memory the arrays are, or None
    cdef bint mapped            # they are a file's: nothing is freed. `held` may be gone before this object is
    cdef Made *made             # by number
    cdef PairRule *rules        # a rule is in the first free slot from its hash on
    cdef uint32_t size          # entries of `made`
    cdef uint32_t mask          # slots less one, a power of two less one

    # PQ(w z) = [w, z], for the numbers of two canonical tokens. Shared by threads freely.
    cdef bint holds(self, uint32_t w, uint32_t z) noexcept nogil
    cdef int32_t rule(self, uint32_t left, uint32_t right) noexcept nogil       # the rule of a pair, or NONE
    cdef int fill(self, Pairs pairs, Layout layout) except -1                   # on building
    cdef dict to_sections(self)                                                 # as a file of sections takes them
    @staticmethod
    cdef PairTable of_container(Container file, Layout layout)                  # what `to_sections` gave, in place
