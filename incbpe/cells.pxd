"""The suffix automaton in cells: what the engine walks, before its tokens have numbers."""
cimport cython
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from incbpe.tokentrie cimport TokenTrie

cdef extern from "incbpe/walk.h" nogil:
    enum:
        FREE "INCBPE_FREE"              # the label of a cell that is no state's
        WALKS "INCBPE_WALKS"            # walks side by side
        MOST_CELLS "INCBPE_MOST_CELLS"
        MOST_TOKENS "INCBPE_MOST_TOKENS"
    uint64_t cell_of "incbpe_cell"(uint32_t label, uint32_t base, uint32_t token) noexcept
    uint32_t cell_label "incbpe_cell_label"(uint64_t cell) noexcept
    uint32_t cell_base "incbpe_cell_base"(uint64_t cell) noexcept
    uint32_t cell_token "incbpe_cell_token"(uint64_t cell) noexcept
    uint64_t step_in "incbpe_step"(const uint64_t *cells, const uint32_t *fails, uint32_t base, uint8_t b) noexcept
    uint32_t walk_in "incbpe_walk"(const uint64_t *cells, const uint32_t *fails, const uint8_t *text,
                                   const uint8_t *goes_on, size_t begin, size_t end, uint32_t base, uint32_t *tokens) noexcept
    void walk_side_by_side "incbpe_walk_side_by_side"(
        const uint64_t *cells, const uint32_t *fails, const uint8_t *text, const uint8_t *goes_on, size_t *at,
        const size_t *end, uint32_t *base, uint32_t *tokens) noexcept

cdef enum:
    ROOT = 256                          # cells of the root


@cython.final
cdef class Cells:
    cdef readonly int32_t states
    cdef uint32_t size                  # cells
    cdef uint32_t none                  # stands for no token; at first the number of tokens, those that were not taken too
    cdef void *memory                   # in which they are
    cdef uint64_t *cells                # by base of a state ^ byte
    cdef uint32_t *fails                # by base: that of the longest shorter suffix with children
    cdef int32_t[::1] shorter           # by token: the longest other one that it ends with, or NONE
    cdef int32_t[::1] prefix            # by token: the longest other one that it begins with, or NONE

    cdef int fill(self, TokenTrie trie, int32_t[::1] base) except -1
    cdef int renumber(self, const int32_t[::1] number, uint32_t none) except -1     # tokens become their numbers
