"""The suffix automaton and the valid ranges in flat arrays: what the engine walks.

A *number* is a canonical token's place in the successor forest's preorder, tin, or without a forest its place among the
canonical tokens; `none`, one more than the last, stands for no token and for an unknown symbol.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from incbpe.automaton cimport SuffixAutomaton
from incbpe.centroid cimport CentroidTrees
from incbpe.normalize cimport Normalized
from incbpe.successor cimport SuccessorForest

cdef extern from "incbpe/lookup.h" nogil:
    uint64_t eight "incbpe_eight"(const uint8_t *at) noexcept


cdef struct Cell:               # where a row leads on a byte
    uint32_t row                # of the next state
    uint32_t token              # and its longest suffix token, a number; `none` where there is none

cdef struct Narrow:             # how cells are kept: row + (token << shift), in `width` bytes from the least on
    uint32_t width              # 5 where both are below 2^20, else 8
    uint32_t shift              # bits of a row and of a token: 4 * width
    uint64_t mask               # `shift` ones

cdef struct Record:             # of a token z
    uint32_t lo                 # z is valid iff lo <= θ < lo + width, θ being the last token before suc(z):
    uint32_t width              # that of the text without its last `suffix` bytes. Atoms: always
    uint16_t suffix             # bytes of suc(z); of an atom, its own
    uint16_t length             # bytes of z
    uint32_t id                 # its id; NO_ID where it has none

cdef struct Automaton:
    uint32_t *rows              # by row and high half of a byte, 16 * row + (b >> 4): a block
    uint8_t *cells              # by block and low half, 16 * block + (b & 15), narrow; row 0 is the root's
    Narrow narrow
    Record *records             # by number, that of `none` too: it is always valid, and has no id
    uint32_t *shorter           # by number: the next shorter canonical suffix of the token; `none` after the shortest
    int32_t *links              # by number: of the centroid tree of its chain, or NONE, as decomposition has it
    int32_t *pool               # the centroid trees, of numbers; NULL where there are none
    int32_t *tokens             # by number: the token's index in the dictionary, NONE for `none`
    uint32_t none               # the number that stands for no token
    uint32_t longest            # bytes of the longest canonical token

cdef inline Cell step(const Automaton *a, uint32_t row, uint8_t b) noexcept nogil:
    """The state after one more byte, and its longest suffix token: two look-ups."""
    cdef size_t i = 16 * <size_t> a.rows[16 * <size_t> row + (b >> 4)] + (b & 15)
    cdef uint64_t cell = eight(a.cells + a.narrow.width * i)
    return Cell(<uint32_t> (cell & a.narrow.mask), <uint32_t> ((cell >> a.narrow.shift) & a.narrow.mask))


cdef class Layout:
    cdef Automaton automaton            # owned; immutable after construction
    cdef void *memory                   # in which rows and cells are
    cdef readonly uint32_t states       # of the suffix automaton
    cdef readonly uint32_t n_rows
    cdef readonly uint32_t n_blocks
    cdef readonly uint32_t pooled       # length of `pool`
    cdef readonly bint intervals        # validity is by ranges; else by pairs of tokens, and only atoms have a range

    cdef int set_tables(self, SuffixAutomaton automaton, int32_t[::1] number, uint32_t few) except -1
    cdef int set_records(self, Normalized N, SuffixAutomaton automaton, SuccessorForest forest, int32_t[::1] number,
                         int32_t[::1] ids) except -1
    cdef int set_trees(self, CentroidTrees trees, int32_t[::1] number) except -1
