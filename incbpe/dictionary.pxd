"""The dictionary as the modules above it see it from C. A *token index* is a token's place in `tokens`.

Arrays hold at least one entry, also where there is nothing to index: `n` and `rules` say how many count.
"""
cimport cython
from libc.stdint cimport int32_t, uint8_t, uint32_t

cdef enum:
    NONE = -1                               # no token, no rule


cdef int32_t[::1] ints(Py_ssize_t n)        # n zeros, and room for one at least
cdef int holds(str invariant, bint condition, object witness) except -1     # check()'s assert, in every build profile


@cython.final
cdef class Dictionary:
    cdef readonly tuple tokens              # V: all str or all bytes; an empty one keeps its index and is never made
    cdef readonly bint binary               # bytes: the symbols are single bytes; else characters
    cdef readonly str duplicates            # what was asked for where tokens or pairs repeat
    cdef dict index                         # token -> token index, empty tokens left out
    cdef int32_t n                          # |V|: entries of `tokens`
    cdef int32_t rules                      # |D|
    cdef int32_t[::1] x                     # by rule: token index of the left part
    cdef int32_t[::1] y                     # by rule: of the right part
    cdef int32_t[::1] z                     # by rule: of the product xy
    cdef uint8_t[::1] text                  # all tokens in UTF-8 (surrogates as three bytes), one after the other
    cdef int32_t[::1] begin                 # token i is text[begin[i] : begin[i + 1]]; n + 1 entries
    cdef int32_t[::1] length                # by token: its symbols
    cdef int32_t[::1] slots                 # pairs, hashed: 1 + the rule, or 0 for a free slot; at most half are taken
    cdef uint32_t mask                      # len(slots) - 1, a power of two less one

    cdef int take_tokens(self) except -1                # on building: checks each, sets index, text, begin, length
    cdef int take_merges(self, list merges) except -1   # on building: checks each, sets x, y, z
    cdef int set_rules(self, int32_t[::1] x, int32_t[::1] y, int32_t[::1] z, Py_ssize_t rules) except -1   # and slots
    cdef tuple pair(self, int32_t i)                    # rule i as its two tokens
    cdef int32_t rule(self, int32_t u, int32_t v) noexcept nogil    # the rule of the pair of two tokens, or NONE
    cdef bint is_atom(self, int32_t i) except -1        # token i is one symbol, and the index maps it to i
    cdef Dictionary with_rules(self, int32_t[::1] order, Py_ssize_t rules)  # the same V; rule k is rule order[k] of D
    cdef object text_of(self, object s)                 # s as str or bytes, as the tokens are, or a TypeError
    cdef int32_t[::1] symbols(self, object s)           # by symbol of s: the index of its atom, or NONE
    cdef int32_t[::1] spelling(self)                    # the symbols of all tokens, one token after the other
    cdef int32_t index_of(self, object token) except -1     # or a DictionaryError
