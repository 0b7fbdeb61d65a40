"""The dictionary as the modules above it see it from C. A *token index* is a token's place in `tokens`.

Arrays hold at least one entry, also where there is nothing to index: `n` and `rules` say how many count.
"""
cimport cython
from libc.stdint cimport int32_t, uint8_t, uint32_t

from incbpe.arrays cimport NONE, ints
from incbpe.cells cimport Cells
from incbpe.spelt cimport Spelt


cdef int holds(str invariant, bint condition, object witness) except -1     # check()'s assert, in every build profile


@cython.final
cdef class Dictionary:
    cdef tuple known_tokens                 # `tokens`, once they were asked for: no object is made for a token before
    cdef dict known_index                   # likewise `index`
    cdef readonly bint binary               # bytes: the symbols are single bytes; else characters
    cdef readonly str duplicates            # what was asked for where tokens or pairs repeat
    cdef Spelt spelt                        # the tokens in UTF-8 (surrogates as three bytes)
    cdef int32_t n                          # |V|: entries of `tokens`
    cdef int32_t rules                      # |D|
    cdef int32_t[::1] x                     # by rule: token index of the left part
    cdef int32_t[::1] y                     # by rule: of the right part
    cdef int32_t[::1] z                     # by rule: of the product xy
    cdef uint8_t[::1] text                  # of `spelt`: all tokens, one after the other, and some zeros
    cdef int32_t[::1] begin                 # token i is text[begin[i] : begin[i + 1]]; n + 1 entries
    cdef int32_t[::1] length                # by token: its symbols
    cdef uint32_t[::1] slots                # pairs, hashed: 1 + the rule, and three bits of the hash; or 0 for a free slot.
    #                                         At most half are taken
    cdef uint32_t mask                      # len(slots) - 1, a power of two less one

    cdef tuple all_tokens(self)                         # V: all str or all bytes; an empty one is never made
    cdef dict by_token(self)                            # token -> token index, empty tokens left out
    cdef int take_tokens(self, tuple tokens) except -1  # on building: checks each, sets index, text, begin, length
    cdef int take_spelt(self, Spelt spelt) except -1    # on building: spelt, text, begin
    cdef int take_merges(self, list merges) except -1   # on building: checks each, sets x, y, z
    cdef int set_rules(self, int32_t[::1] x, int32_t[::1] y, int32_t[::1] z, Py_ssize_t rules) except -1   # and slots
    cdef Py_ssize_t enter_rules(self) except -1         # into slots; how many were there already, and are marked
    cdef tuple pair(self, int32_t i)                    # rule i as its two tokens
    cdef int32_t rule(self, int32_t u, int32_t v) noexcept nogil    # the rule of the pair of two tokens, or NONE
    cdef bint is_atom(self, int32_t i) except -1        # token i is one symbol, and the index maps it to i
    cdef Dictionary with_rules(self, int32_t[::1] order, Py_ssize_t rules)  # the same V; rule k is rule order[k] of D
    cdef object text_of(self, object s)                 # s as str or bytes, as the tokens are, or a TypeError
    cdef int32_t[::1] symbols(self, object s)           # by symbol of s: the index of its atom, or NONE
    cdef int32_t[::1] spelling(self)                    # the symbols of all tokens, one token after the other
    cdef int32_t index_of(self, object token) except -1     # or a DictionaryError


# The dictionary of tokens by rank, none of them empty or repeated, as `Dictionary.from_ranks` makes it; and the automaton of
# all its tokens, a Cells, which its splits were found with.
cdef tuple ranked(Spelt tokens)

# The dictionary of tokens that do not repeat, `tokens` in UTF-8, and of rules as places in it, no pair of which does. `known`
# has the tokens where they are str.
cdef Dictionary merged(Spelt tokens, tuple known, int32_t[::1] x, int32_t[::1] y, int32_t[::1] z, Py_ssize_t rules)
