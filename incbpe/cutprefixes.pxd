"""The tokens of every prefix of a text that is cut at added tokens."""
from libc.stdint cimport int32_t, uint32_t

from incbpe.segmentprefixes cimport Layer
from subwordio.added cimport Matcher
from subwordio.automaton cimport FoundBuffer


cdef struct Cut:                # an added token, and what is before it
    int32_t parent              # the added token before, or -1; a smaller number
    size_t begin                # text[begin:end] is the text between; empty: none
    size_t end
    uint32_t id                 # of the added token
    uint32_t count              # the tokens up to and with it, or NEVER

cdef struct State:              # of the search
    int32_t cut                 # the last added token, or -1
    size_t done                 # the text up to here is in it, or before it


cdef class CutPrefixes(Layer):
    cdef Matcher matcher
    cdef size_t longest                     # bytes of the longest added token
    cdef dict layers                        # by begin of a text between: its Layer
    # By candidate of the whole text: (the end of what decided about it, its start, and the state behind it: done, cut)
    cdef list trunk
    cdef Cut *cuts
    cdef size_t n_cuts
    cdef size_t capacity
    cdef int32_t *last                      # by place i: the last added token of text[:i], or -1
    cdef uint32_t *done                     # by place i: where the text behind it begins
    cdef size_t space_from                  # the white space last measured in the whole text
    cdef size_t space_to

    cdef int fill(self) except -1
    cdef int take(self, State *state, size_t start, int32_t pattern, size_t n) except -1
    cdef int take_cut_short(self, State *state, size_t start, size_t end, FoundBuffer *found) except -1
    # The tokens of an added token with all before it (-1: none), and of the text between `begin` and `end`.
    cdef uint32_t count_up_to(self, int32_t cut, size_t begin, size_t end) except? 0
    cdef int reach(self, dict reach) except -1
    cdef size_t unchanged(self, size_t i, State *state) except? 0
