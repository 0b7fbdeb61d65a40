"""Tokens of bytes, end to end, and their order, as the modules that read them see them from C."""
cimport cython
from libc.stdint cimport int32_t, uint8_t, uint64_t

from incbpe.listing cimport Listing

cdef extern from "incbpe/words.h" nogil:
    uint64_t word "incbpe_word"(const uint8_t *at, size_t n) noexcept
    size_t alike "incbpe_alike"(const uint8_t *a, const uint8_t *b, size_t least) noexcept

cdef enum:
    SPARE = 8                               # zeros behind the text, so that eight bytes may be read anywhere in it

cdef struct Entry:
    uint64_t key                            # eight bytes of a token
    int32_t token


@cython.final
cdef class Spelt(Listing):                  # of tokens, empty ones included
    cdef readonly int32_t given             # such as are not empty
    cdef uint8_t[::1] text                  # all tokens, one after the other, and SPARE bytes
    cdef int32_t[::1] begin                 # token i is text[begin[i] : begin[i + 1]]; n + 1 entries
    # after `sort`, else None:
    cdef int32_t[::1] order                 # the tokens that are not empty, sorted; repetitions by their places
    cdef int32_t[::1] common                # by place in `order`: the bytes that it begins with as the one before does

    cdef int sort(self) except -1
    cdef bint same_length(self, int32_t i) noexcept         # of the tokens at i and before it in `order`
    cdef int sort_from(self, Entry *entries, Entry *spare, int32_t *waiting) except -1 nogil     # groups, ever finer
    cdef int32_t split_run(self, Entry *run, Entry *spare, int32_t n, int32_t done) noexcept nogil


# Of these arrays, which are its own from then on. `text` has SPARE zeros behind the last token.
cdef Spelt spelt_of(uint8_t[::1] text, int32_t[::1] begin, int32_t n)
