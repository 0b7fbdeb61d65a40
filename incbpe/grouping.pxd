"""The trie of the canonical tokens, as the suffix automaton takes it, state by state."""
cimport cython
from libc.stdint cimport int32_t, uint8_t

from incbpe.dictionary cimport Dictionary
from incbpe.normalize cimport Normalized


@cython.final
cdef class Groups:
    cdef Dictionary dictionary              # whose text is read
    cdef int32_t states                     # how many there are so far
    cdef int32_t[::1] tokens                # the canonical tokens, permuted ever finer
    cdef int32_t[::1] begin                 # by state: its group is tokens[begin[v] : end[v]]
    cdef int32_t[::1] end
    cdef int32_t[::1] spare                 # for sorting
    cdef int32_t[257] place                 # by byte: where it begins within a group that is being sorted

    cdef uint8_t byte(self, int32_t i, int32_t level) noexcept nogil    # of tokens[i]
    cdef int32_t take_token(self, int32_t v, int32_t level) except -2   # the token that v spells, taken out; or NONE
    cdef int sort(self, int32_t v, int32_t level) except -1             # the group of v, by the byte at `level`
    cdef int add(self, int32_t begin, int32_t end) except -1            # a new state with that group
