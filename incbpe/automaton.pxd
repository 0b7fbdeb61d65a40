"""The suffix automaton as the modules above see it from C. Arrays are indexed by state, unless told otherwise."""
cimport cython
from libc.stdint cimport int32_t, uint8_t

from incbpe.normalize cimport Normalized
from incbpe.tokentrie cimport TokenTrie


@cython.final
cdef class SuffixAutomaton:
    cdef readonly Normalized N
    cdef readonly int32_t states            # states 0 … states - 1, breadth first; 0 is the root, which spells nothing
    cdef int32_t[::1] fail                  # the state of the longest proper suffix that is a state; 0 at the root
    cdef int32_t[::1] depth                 # symbols that the state spells, one begun within a character included
    cdef int32_t[::1] token                 # the longest canonical token that ends here, or NONE (also within characters)
    cdef uint8_t[::1] inner                 # 1 where the state has a child
    cdef int32_t[::1] row                   # its row in `rows`
    cdef int32_t[::1] rows                  # 16 blocks a row, by the upper half of a byte
    cdef int32_t[::1] blocks                # 16 states a block, by the lower half of a byte
    cdef int32_t used_rows, used_blocks     # how many there are
    cdef int32_t[::1] shorter               # by token: the next shorter canonical suffix token; NONE at an atom, or
    #                                         where the token is not canonical

    # The state after byte b: of the longest suffix of what v spells and b that is a state. Two look-ups.
    cdef inline int32_t step(self, int32_t v, uint8_t b) noexcept nogil:
        return self.blocks[16 * self.rows[16 * self.row[v] + (b >> 4)] + (b & 15)]

    cdef int enter(self, int32_t v, int32_t own) except -1              # on building: what v has from fail(v)
    cdef int add_row(self, int32_t v, TokenTrie trie) except -1                 # the children of v, and its row
    cdef int own_block(self, int32_t v, int half) except -1             # in its row, for the upper half of a byte
    cdef int32_t walk(self, int32_t v, const uint8_t *text, Py_ssize_t n) noexcept nogil    # steps over text[0:n]
    cdef list spellings(self)                               # by state: what it spells
    cdef int32_t state_of(self, object v) except -1         # a Python state, range-checked
    cdef int32_t token_of(self, object z) except -1         # the index of a canonical token, or DictionaryError
