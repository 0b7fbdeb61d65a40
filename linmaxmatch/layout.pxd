"""The automaton of Algorithm 2's tables in flat arrays: what the engine walks."""
from libc.stdint cimport int32_t, uint32_t

from linmaxmatch.cells cimport cell_t
from linmaxmatch.failure cimport Tables
from linmaxmatch.vocabulary cimport Vocabulary
from subwordio.container cimport Container

cdef enum:
    TOKEN = 0x8000000           # in a link: χ_u is a token, so F(u) is it alone and f(u) = r♯; the rest is its id
    ONE_TOKEN = 0x80000000      # in an F: the list of one token; the rest is its id
    NOWHERE = 0xFFFFFFFF        # f = ∅

cdef struct Failure:
    uint32_t f                  # the place of the state f(u), or NOWHERE for ∅
    uint32_t F                  # F(u): ONE_TOKEN | id, or the place in `pops` of its length, behind which its ids stand

cdef struct Automaton:
    cell_t *cells               # the states and free cells; r is in the place 0
    Failure *failures           # of states that are no tokens; failures[0] is ∅ and []
    uint32_t *pops              # the lists F(u) of other lengths than one: length, ids…; pops[0] = 0 is []
    uint32_t suffix_root        # the place of r♯; 0 where ♯ is empty
    uint32_t size               # cells in all, free ones included: more than any base and a byte

cdef Tables engine_tables(Vocabulary V, bint split_unknown, bint literal_suffixes)


cdef class Layout:
    cdef Automaton automaton    # immutable after construction
    cdef Container held         # the file that its arrays are mapped from, or None
    cdef bint mapped            # they are: nothing is freed. `held` may be gone before this object is
    cdef readonly uint32_t states       # states in use: the nodes of the two-root trie over bytes
    cdef readonly uint32_t linked       # length of `failures`
    cdef readonly uint32_t pooled       # length of `pops`
    cdef readonly Py_ssize_t sum_F      # Σ|F|
    cdef readonly uint32_t depth        # the longest path from a root, in bytes

    cdef dict to_sections(self)             # the arrays, as a file of sections takes them
    @staticmethod
    cdef Layout of_container(Container file)        # what `to_sections` gave, in place
    cdef int fill(self, Tables tables, uint32_t most, uint32_t other) except -1
    cdef int set_links(self, Tables tables, int32_t[::1] at, uint32_t most, uint32_t other) except -1
