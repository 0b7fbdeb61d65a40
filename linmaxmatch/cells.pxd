"""The cells of the engine's double array, and how they are filled."""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from linmaxmatch.trie cimport Trie, node_t

# A state is one cell: from the top 28 bits of base, 28 of link, 8 of label. δ(u, c), if it exists, is the cell in the
# place base(u) + c, and it exists if that cell's label is c. No two states have one base, and 0 stands for no edges.
ctypedef uint64_t cell_t

cdef enum:
    NO_EDGE = 0xFE              # the label of r, r♯ and free cells: no byte of UTF-8
    MOST_CELLS = 0x10000000     # a base has 28 bits
    SIZES = 12                  # of groups of children that are told apart

cdef inline uint32_t base_of(cell_t u) noexcept nogil:
    return <uint32_t> (u >> 36)

cdef inline uint32_t link_of(cell_t u) noexcept nogil:
    """Where f(u) and F(u) are found: see layout."""
    return <uint32_t> (u >> 8) & 0xFFFFFFF

cdef inline uint8_t label_of(cell_t u) noexcept nogil:
    return <uint8_t> u

cdef inline uint8_t place(uint8_t c) noexcept nogil:
    # 0x20 separates words in what the engine reads, so a token's own space is looked up as 0xFF, no byte of UTF-8.
    return 0xFF if c == 0x20 else c


cdef class Cells:
    cdef cell_t *cells                      # [0, capacity): base and label are set
    cdef uint64_t *free                     # bit SHIFT + k: cell k is free
    cdef uint64_t *bases                    # bit SHIFT + b: no further state may have the base b
    cdef Py_ssize_t capacity
    cdef Py_ssize_t size                    # more than any base and a byte
    cdef Py_ssize_t since[SIZES]            # by size of a group: where the search goes on

    cdef int reserve(self, Py_ssize_t k) except -1                  # cells to k and what a search looks at beyond
    cdef Py_ssize_t find(self, Trie trie, node_t begin, node_t end) except -1
    cdef int expand(self, Trie trie, node_t u, int32_t[::1] at) except -1
    cdef int32_t[::1] place_all(self, Trie trie)                    # the place of every node
    cdef int place_by_id(self, Trie trie, int32_t[::1] at) except -1
    cdef cell_t *give(self, uint32_t *size) except NULL             # the array, cut to size; the caller owns it
