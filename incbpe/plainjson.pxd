"""The vocabulary and the merges of a tokenizer.json, all in one go."""
cimport cython
from libc.stdint cimport int32_t, uint8_t

from incbpe.jsonscan cimport Extent
from incbpe.spelt cimport Spelt
from incbpe.tokens cimport TokenTable


@cython.final
cdef class PlainModel:
    cdef readonly bytes rest                # the file's JSON, with {} for the vocabulary and [] for the merges
    cdef Extent vocab                       # where the vocabulary stands in the file
    cdef Extent rules                       # and the merges, behind it; not found: it ends at 0
    cdef readonly Spelt names               # by id, in UTF-8
    cdef TokenTable table                   # of the names
    cdef readonly int32_t n                 # rules
    cdef int32_t[::1] left                  # by rule: the id of its left part
    cdef int32_t[::1] right                 # of its right part
    cdef int32_t[::1] product               # and of what they make

    cdef bint take_model(self, const uint8_t *text, size_t i) except -1
    cdef size_t take_members(self, const uint8_t *text, size_t i) except? 0
    cdef size_t take_vocab(self, const uint8_t *text, size_t i) except? 0
    cdef size_t take_merges(self, const uint8_t *text, size_t i) except? 0
    cdef bint take_rule(self, const uint8_t *rule, size_t middle, size_t n) except -1 nogil
    cdef bint no_pair_twice(self) except -1
    cdef int32_t find(self, const uint8_t *name, size_t n, int32_t guess) noexcept nogil
