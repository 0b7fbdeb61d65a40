"""The suffix automaton and the valid ranges in flat arrays: what the engine walks.

A *number* is a canonical token's place in the successor forest's preorder, tin, or without a forest its place among the
canonical tokens; `none`, one more than the last, stands for no token and for an unknown symbol.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from incbpe.cells cimport WALKS, Cells, cell_base, cell_token, step_in, walk_in, walk_side_by_side
from incbpe.centroid cimport CentroidTrees
from incbpe.normalize cimport Normalized
from incbpe.successor cimport SuccessorForest
from subwordio.container cimport Container

cdef struct Record:             # of a token z
    uint32_t lo                 # z is valid iff lo <= θ < lo + width, θ being the last token before suc(z):
    uint32_t width              # that of the text without its last `suffix` bytes. Atoms: always
    uint16_t suffix             # bytes of suc(z); of an atom, its own
    uint16_t length             # bytes of z
    uint32_t id                 # its id; NO_ID where it has none

cdef struct Automaton:
    uint64_t *cells             # walk.h: by base of a state ^ byte. The root's base is 0; a state without children has the
    uint32_t *fails             # base of its longest suffix that has some. By base: that of the next shorter such suffix
    Record *records             # by number, that of `none` too: it is always valid, and has no id
    uint32_t *shorter           # by number: the next shorter canonical suffix of the token; `none` after the shortest
    int32_t *links              # by number: of the centroid tree of its chain, or NONE, as decomposition has it
    int32_t *pool               # the centroid trees, of numbers; NULL where there are none
    int32_t *tokens             # by number: the token's index in the dictionary, NONE for `none`
    uint32_t none               # the number that stands for no token
    uint32_t longest            # bytes of the longest canonical token

cdef inline uint64_t step(const Automaton *a, uint32_t base, uint8_t b) noexcept nogil:
    """The cell of the state after one more byte: its base, and its longest suffix token, a number."""
    return step_in(a.cells, a.fails, base, b)


cdef class Layout:
    cdef Automaton automaton            # immutable after construction
    cdef object held                    # the file whose memory the automaton is, or None
    cdef bint mapped                    # it is a file's: nothing is freed. `held` may be gone before this object is
    cdef void *memory                   # of its own, in which records, shorter and links are
    cdef Cells cells                    # whose memory cells and fails are, or None
    cdef readonly uint32_t states       # of the suffix automaton
    cdef readonly uint32_t n_cells
    cdef readonly uint32_t pooled       # length of `pool`
    cdef readonly bint intervals        # validity is by ranges; else by pairs of tokens, and only atoms have a range

    cdef int fill(self, Normalized N, Cells cells, SuccessorForest forest, int32_t[::1] ids) except -1
    cdef dict to_sections(self)                             # the arrays, as a file of sections takes them
    @staticmethod
    cdef Layout of_container(Container file)                # what `to_sections` gave, in place
    cdef int reserve(self) except -1
    cdef int set_records(self, Normalized N, SuccessorForest forest, int32_t[::1] number, int32_t[::1] ids) except -1
    cdef int set_trees(self, CentroidTrees trees, int32_t[::1] number) except -1
