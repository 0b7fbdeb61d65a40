"""The trie of the canonical tokens, as the suffix automaton is built from it."""
cimport cython
from libc.stdint cimport int32_t, uint8_t

from incbpe.dictionary cimport Dictionary
from incbpe.normalize cimport Normalized


@cython.final
cdef class TokenTrie:
    cdef Dictionary dictionary              # whose text is read
    cdef int32_t states                     # 0 … states - 1, breadth first; 0 is the root
    cdef int32_t inner                      # how many of them have a child
    cdef int32_t halves                     # how many pairs there are of a state and an upper half of its children's bytes
    cdef int32_t[::1] first                 # by state, and one more: its children are first[v] … first[v + 1] - 1
    cdef uint8_t[::1] label                 # by state: its last byte; children have theirs in order
    cdef int32_t[::1] own                   # by state: the token that it spells, or NONE
    # on building
    cdef int32_t[::1] tokens                # the canonical tokens, permuted ever finer
    cdef int32_t[::1] begin                 # by state: the longer tokens that begin with what it spells are
    cdef int32_t[::1] end                   # ... tokens[begin[v] : end[v]], its group
    cdef int32_t[::1] spare                 # for sorting
    cdef int32_t[257] place                 # by byte: where it begins within a group that is being sorted

    cdef uint8_t byte(self, int32_t i, int32_t level) noexcept nogil    # of tokens[i]
    cdef int32_t take_token(self, int32_t v, int32_t level) except -2   # the token that v spells, taken out; or NONE
    cdef int sort(self, int32_t v, int32_t level) except -1             # the group of v, by the byte at `level`
    cdef int add_children(self, int32_t v, int32_t level) except -1
    cdef int add(self, int32_t begin, int32_t end, uint8_t label) except -1     # a new state with that group
