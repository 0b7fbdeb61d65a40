"""The trie of some tokens, as the suffix automaton is built from it."""
cimport cython
from libc.stdint cimport int32_t, uint8_t

from incbpe.spelt cimport Spelt


@cython.final
cdef class TokenTrie:
    cdef readonly int32_t states            # 0 … states - 1, breadth first; 0 is the root
    cdef int32_t inner                      # how many of them have a child
    cdef int32_t halves                     # how many pairs there are of a state and an upper half of its children's bytes
    cdef int32_t[::1] first                 # by state, and one more: its children are first[v] … first[v + 1] - 1
    cdef uint8_t[::1] label                 # by state: its last byte; children have theirs in order
    cdef int32_t[::1] own                   # by state: the token that it spells, or NONE
    cdef int32_t[::1] prefix                # by token, where it was taken: the longest other one that it begins with, or NONE
    # on building
    cdef int32_t[::1] tokens                # those that were taken, sorted
    cdef int32_t[::1] common                # the bytes that each begins with as the one before does

    cdef int take(self, Spelt spelt, const uint8_t[::1] chosen) except -1
    cdef int fill(self, Spelt spelt) except -1
