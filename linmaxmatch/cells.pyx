"""The places of a trie's nodes in a double array.

The children of a node stand at one base, each as far from it as its byte, in cells that are free; and no two nodes have
one base, so that a child is told by its byte alone. For 64 bases at a time it is looked up in two sets of bits, once for
each child, whether they will do; the first that does is taken. Where it was found the next search for as many children
begins, so no search goes over the array twice: the holes of large groups are filled by small ones.

Order      By depth: the states that every word passes lie together. In a large trie, whose cells would not fit a cache,
           first the children above the first tokens are placed: in vocabulary files the frequent ones stand first, so
           what a text needs most lies together. Not more of them, for a look at nodes in no order takes long.
Cost  O(nodes), and one look for every child and 64 cells that are passed, which each size of a group passes once
"""
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.string cimport memset

from linmaxmatch.vocabulary import VocabularyError

from linmaxmatch.trie cimport NONE, Trie, ints, node_t

cdef extern from *:
    """
    /* 64 bits of a set, from bit `at` on. */
    static inline uint64_t lmm_window(const uint64_t *bits, Py_ssize_t at) {
        const Py_ssize_t k = at >> 6;
        const int shift = (int)(at & 63);
        return shift ? bits[k] >> shift | bits[k + 1] << (64 - shift) : bits[k];
    }
    static inline int lmm_lowest(uint64_t bits) {
    #if defined(__GNUC__)
        return __builtin_ctzll(bits);
    #else
        int k = 0;
        while (!(bits >> k & 1)) k++;
        return k;
    #endif
    }
    static inline void lmm_set(uint64_t *bits, Py_ssize_t at) { bits[at >> 6] |= (uint64_t)1 << (at & 63); }
    static inline void lmm_clear(uint64_t *bits, Py_ssize_t at) { bits[at >> 6] &= ~((uint64_t)1 << (at & 63)); }
    """
    uint64_t window "lmm_window"(const uint64_t *bits, Py_ssize_t at) noexcept nogil
    int lowest "lmm_lowest"(uint64_t bits) noexcept nogil           # of bits that are not all 0
    void set_bit "lmm_set"(uint64_t *bits, Py_ssize_t at) noexcept nogil
    void clear_bit "lmm_clear"(uint64_t *bits, Py_ssize_t at) noexcept nogil

cdef enum:
    WINDOW = 64                             # bases looked at together
    SHIFT = 256                             # a set begins before cell 0: bases can be sought there, and are taken
    BEYOND = 512                            # more cells than a search looks at beyond where it stands
    MANY = 131072                           # nodes from which on they are placed by id: 1 MB of cells
    FREQUENT = 16384                        # tokens that are placed by id


cdef class Cells:
    """The array while it is filled. ``Cells(expected)``: about so many cells will be needed."""

    def __cinit__(self, Py_ssize_t expected):
        self.size = 256
        self.reserve(expected)
        memset(self.free, 0, SHIFT // 8)
        memset(self.bases, 0xFF, SHIFT // 8)
        set_bit(self.bases, SHIFT)

    def __dealloc__(self):
        PyMem_Free(self.cells)
        PyMem_Free(self.free)
        PyMem_Free(self.bases)

    cdef cell_t *give(self, uint32_t *size) except NULL:
        cells = <cell_t *> PyMem_Realloc(self.cells, self.size * sizeof(cell_t))
        if cells == NULL:
            raise MemoryError()
        self.cells, self.capacity = NULL, 0
        size[0] = <uint32_t> self.size
        return cells

    cdef int reserve(self, Py_ssize_t k) except -1:
        cdef Py_ssize_t capacity, at
        cdef void *memory
        if k + BEYOND <= self.capacity:
            return 0
        if k > MOST_CELLS - BEYOND:
            raise VocabularyError(f"the engine needs more than {MOST_CELLS} cells")
        capacity = (k + (k >> 4) + 2 * BEYOND) & ~<Py_ssize_t> (WINDOW - 1)
        memory = PyMem_Realloc(self.cells, capacity * sizeof(cell_t))
        if memory == NULL:
            raise MemoryError()
        self.cells = <cell_t *> memory
        for at in range(self.capacity, capacity):
            self.cells[at] = NO_EDGE
        self.free = larger(self.free, self.capacity, capacity, 0xFF)
        self.bases = larger(self.bases, self.capacity, capacity, 0)
        self.capacity = capacity
        return 0

    cdef Py_ssize_t find(self, Trie trie, node_t begin, node_t end) except -1:
        """A base at which the cells for the children begin … end - 1 are free."""
        cdef int size = min(end - begin, SIZES) - 1
        cdef Py_ssize_t first = place(trie.symbol[begin]), at = self.since[size]    # the first child's place
        cdef uint64_t found
        cdef node_t v
        while True:
            self.reserve(at)
            found = window(self.free, SHIFT + at) & ~window(self.bases, SHIFT + at - first)
            for v in range(begin + 1, end):
                if found == 0:
                    break
                found &= window(self.free, SHIFT + at + place(trie.symbol[v]) - first)
            if found != 0:
                self.since[size] = at
                return at + lowest(found) - first
            at += WINDOW

    cdef int expand(self, Trie trie, node_t u, int32_t[::1] at) except -1:
        """Place the children of a node that has its place."""
        cdef Py_ssize_t base = self.find(trie, trie.first[u], trie.first[u + 1])
        cdef node_t v
        self.size = max(self.size, base + 256)
        self.cells[at[u]] |= <cell_t> base << 36
        set_bit(self.bases, SHIFT + base)
        for v in range(trie.first[u], trie.first[u + 1]):
            at[v] = <int32_t> base + place(trie.symbol[v])
            clear_bit(self.free, SHIFT + at[v])
            self.cells[at[v]] = place(trie.symbol[v])
        return 0

    cdef int32_t[::1] place_all(self, Trie trie):
        """r has the place 0, and r♯ the next if it is another."""
        cdef int32_t[::1] at = trie.room.ints(trie.n)
        cdef node_t v
        at[:] = NONE
        for v in range(trie.suffix_root + 1):           # the roots
            at[v] = v
            clear_bit(self.free, SHIFT + v)
        if trie.n > MANY:
            self.place_by_id(trie, at)
        for v in range(trie.n):
            if trie.first[v] < trie.first[v + 1] and at[trie.first[v]] == NONE:
                self.expand(trie, v, at)
        return at

    cdef int place_by_id(self, Trie trie, int32_t[::1] at) except -1:
        """The nodes of the first tokens, in the order of their ids, and what stands above them."""
        cdef int32_t[::1] of_id = trie.room.ints(len(trie.vocabulary)), path = ints(trie.depth + 1)
        cdef node_t v
        cdef Py_ssize_t i
        cdef int32_t above
        of_id[:] = NONE
        for v in range(trie.n - 1, -1, -1):
            if trie.token_id[v] != NONE:
                of_id[trie.token_id[v]] = v             # of two nodes the one nearer its root
        for i in range(min(of_id.shape[0], FREQUENT)):
            v, above = of_id[i], 0
            while v != NONE and at[v] == NONE:
                v = trie.parent[v]
                path[above] = v
                above += 1
            while above > 0:                            # each but the first was placed with the one before
                above -= 1
                self.expand(trie, path[above], at)
        return 0


cdef uint64_t *larger(uint64_t *bits, Py_ssize_t old, Py_ssize_t new, int byte) except NULL:
    """A set for `new` cells: the new ones' bytes are `byte`."""
    cdef Py_ssize_t before = (SHIFT + old) // 8 if bits != NULL else 0, after = (SHIFT + new) // 8
    memory = <char *> PyMem_Realloc(bits, after)
    if memory == NULL:
        raise MemoryError()
    memset(memory + before, byte, after - before)
    return <uint64_t *> memory
