"""The automaton of Algorithm 2's tables in flat arrays: what the engine walks."""
from libc.stdint cimport int32_t, uint8_t, uint32_t

from linmaxmatch.failure cimport Tables
from linmaxmatch.vocabulary cimport Vocabulary

cdef enum:
    NOWHERE = 0xFFFFFFFF        # f = ∅; the owner of a free cell

cdef struct Cell:
    uint32_t base               # of a state u: δ(u, c), if it exists, is the state base ^ c
    uint32_t owner              # the u that this state is a child of; NOWHERE for the roots and for free cells

cdef struct Failure:
    uint32_t f                  # the state f(u), or NOWHERE for ∅
    uint32_t F                  # F(u): ONE_TOKEN | id, or the place in `pops` of its length, behind which its ids stand

cdef struct Automaton:
    Cell *cells                 # by state; states are cell numbers, 0 is r
    Failure *failures           # by state
    uint32_t *pops              # the lists F(u) of other lengths than one: length, ids…; pops[0] = 0 is []
    uint32_t suffix_root        # r♯; 0 where ♯ is empty
    uint32_t size               # cells in all, free ones included

cdef enum:
    ONE_TOKEN = 0x80000000

cdef inline uint32_t place(uint8_t c) noexcept nogil:
    # 0x20 separates words in what the engine reads, so a token's own space is looked up as 0xFF, no byte of UTF-8.
    return 0xFF if c == 0x20 else c

cdef Tables engine_tables(Vocabulary V, bint split_unknown, bint literal_suffixes)


cdef class Layout:
    cdef Automaton automaton    # owned; immutable after construction
    cdef readonly uint32_t states       # states in use: the nodes of the two-root trie over bytes
    cdef readonly uint32_t pooled       # length of `pops`
    cdef readonly Py_ssize_t sum_F      # Σ|F|
    cdef readonly uint32_t depth        # the longest path from a root, in bytes

    cdef int fill(self, Tables tables) except -1
    cdef int copy_failures(self, Tables tables, int32_t[::1] state) except -1
    cdef int replace_ids(self, uint32_t most, uint32_t other) except -1
