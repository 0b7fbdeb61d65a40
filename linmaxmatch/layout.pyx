"""A double array of Algorithm 2's tables over bytes: one load a step, and no search.

The notation layer builds T with two roots over UTF-8 bytes, f and F; this module only moves them: every node becomes a
state, numbered by its place in one array of cells, so that δ(u, c) is the cell `base(u) ^ c` if that cell's owner is u.
Nodes are placed breadth-first, so that the states near the roots, which every word passes, lie together.

I1  a cell in use is the root or owned by a state whose base leads to it
I2  f(u) is a state in use or ∅, and ∅ has no pops
I3  the states in use are as many as the trie's nodes
Cost  O(nodes), with at most TRIES looks for a place a node; 16 bytes a cell
"""
from cpython.mem cimport PyMem_Free, PyMem_Malloc, PyMem_Realloc
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memset

from linmaxmatch.failure import precompute
from linmaxmatch.failure cimport Tables
from linmaxmatch.trie cimport Trie, ints, node_t
from linmaxmatch.vocabulary cimport Vocabulary, holds

cdef enum:
    BLOCK = 256                 # base ^ c stays within base's block
    TRIES = 48                  # places tried for a node of several children before a new block is opened


cdef Tables engine_tables(Vocabulary V, bint split_unknown, bint literal_suffixes):
    """Algorithm 2's tables on two roots over bytes, for `Layout`.

    Without `literal_suffixes`, suffix tokens do not stand under r: that halves the work where no word starts with ♯.
    With `split_unknown` every character of a token becomes a token of its own, also after ♯: those that are none in V
    get ids behind V's, which `Layout` makes <unk>. So the only character that cannot be matched is one of no token.
    """
    if not split_unknown:
        return precompute(Trie(V, roots=2, symbols="bytes", literal_suffixes=literal_suffixes))
    indicator = V.suffix_indicator
    alphabet = sorted({c for token in V.tokens for c in token})
    literals = [c for c in alphabet if c not in V]
    suffixes = {indicator + c for c in alphabet if indicator + c not in V} if indicator else set()
    extended = Vocabulary([*V.tokens, *literals, *sorted(suffixes)], indicator, V.unk_token, "last")
    # ♯c is no literal of V: under r it has no place
    T = Trie(extended, roots=2, symbols="bytes", keep=lambda token, suffix: suffix or token not in suffixes,
             literal_suffixes=literal_suffixes)
    return precompute(T)


cdef class Layout:
    """The flat form of `Tables` over `Trie(V, roots=2, symbols="bytes")`. Only the engine uses it."""

    def __cinit__(self, Tables tables not None, int32_t most, int32_t other):
        """An id of `most` or more in F stands for `other`."""
        memset(&self.automaton, 0, sizeof(Automaton))
        self.fill(tables)
        if len(tables.trie.vocabulary) > most:
            self.replace_ids(most, other)

    def __dealloc__(self):
        PyMem_Free(self.automaton.cells)
        PyMem_Free(self.automaton.failures)
        PyMem_Free(self.automaton.pops)

    @property
    def cells(self) -> int:
        """Cells in all, free ones included."""
        return self.automaton.size

    @property
    def nbytes(self) -> int:
        """The arrays' size in bytes."""
        return self.automaton.size * (sizeof(Cell) + sizeof(Failure)) + self.pooled * sizeof(uint32_t)

    cdef int fill(self, Tables tables) except -1:
        cdef Cells cells = Cells()
        state = cells.place_all(tables)
        self.automaton.size = cells.size
        self.automaton.cells = cells.give()
        self.automaton.suffix_root = state[tables.trie.suffix_root]
        self.states = tables.trie.n
        self.copy_failures(tables, state)
        self.depth = tables.trie.depth
        return 0

    cdef int copy_failures(self, Tables tables, int32_t[::1] state) except -1:
        cdef uint32_t size = self.automaton.size, u
        cdef int32_t v, k, begin, length, pooled = 1
        for v in range(tables.trie.n):
            if tables.F_length[v] > 1:
                pooled += 1 + tables.F_length[v]
        self.pooled = pooled
        self.automaton.failures = <Failure *> PyMem_Malloc(size * sizeof(Failure))
        self.automaton.pops = <uint32_t *> PyMem_Malloc(pooled * sizeof(uint32_t))
        if self.automaton.failures == NULL or self.automaton.pops == NULL:
            raise MemoryError()
        for u in range(size):
            self.automaton.failures[u] = Failure(NOWHERE, 0)
        self.automaton.pops[0] = 0
        pooled = 1
        for v in range(tables.trie.n):
            if tables.f_node[v] < 0:
                continue
            u = state[v]
            begin, length = tables.F_begin[v], tables.F_length[v]
            self.sum_F += length
            self.automaton.failures[u].f = state[tables.f_node[v]]
            if length == 1:
                self.automaton.failures[u].F = ONE_TOKEN | <uint32_t> tables.pool[begin]
            elif length > 1:
                self.automaton.failures[u].F = pooled
                self.automaton.pops[pooled] = length
                for k in range(length):
                    self.automaton.pops[pooled + 1 + k] = tables.pool[begin + k]
                pooled += 1 + length
        return 0

    cdef int replace_ids(self, uint32_t most, uint32_t other) except -1:
        cdef Automaton *a = &self.automaton
        cdef uint32_t u, k, at = 1
        for u in range(a.size):
            if a.failures[u].F & ONE_TOKEN and a.failures[u].F ^ ONE_TOKEN >= most:
                a.failures[u].F = ONE_TOKEN | other
        while at < self.pooled:
            for k in range(at + 1, at + 1 + a.pops[at]):
                if a.pops[k] >= most:
                    a.pops[k] = other
            at += 1 + a.pops[at]
        return 0

    def check(self) -> None:
        """Assert I1–I3. Cost O(cells)."""
        cdef Automaton *a = &self.automaton
        cdef uint32_t u, used = 0
        for u in range(a.size):
            if u == 0 or u == a.suffix_root or a.cells[u].owner != NOWHERE:
                used += 1
                owner = a.cells[u].owner
                holds("I1", owner == NOWHERE or (a.cells[owner].base ^ u) < BLOCK, u)
                holds("I1", (owner == NOWHERE) == (u == 0 or u == a.suffix_root), u)
                if a.failures[u].f == NOWHERE:
                    holds("I2", a.failures[u].F == 0, u)
                else:
                    f = a.failures[u].f
                    holds("I2", f == 0 or f == a.suffix_root or a.cells[f].owner != NOWHERE, u)
        holds("I3", used == self.states, used)


cdef class Cells:
    """The array while it is filled: free cells are a ring, `owner` the next and `base` the previous one."""
    cdef Cell *cells
    cdef uint8_t *used
    cdef uint32_t size, capacity, free        # free: the ring's first cell, NOWHERE if it is empty

    def __cinit__(self):
        self.free = NOWHERE
        self.open_block()

    def __dealloc__(self):
        PyMem_Free(self.cells)
        PyMem_Free(self.used)

    cdef Cell *give(self) except NULL:
        """The array, cut to size; the caller owns it."""
        cells = <Cell *> PyMem_Realloc(self.cells, self.size * sizeof(Cell))
        if cells == NULL:
            raise MemoryError()
        self.cells = NULL
        return cells

    cdef int open_block(self) except -1:
        cdef uint32_t k, last
        if self.size == self.capacity:
            capacity = max(4 * BLOCK, 2 * self.capacity)
            if capacity > 0x7FFFFFFF:
                raise MemoryError("a vocabulary of more than 2^31 cells")
            cells = <Cell *> PyMem_Realloc(self.cells, capacity * sizeof(Cell))
            if cells == NULL:
                raise MemoryError()
            self.cells = cells
            used = <uint8_t *> PyMem_Realloc(self.used, capacity)
            if used == NULL:
                raise MemoryError()
            self.used = used
            self.capacity = capacity
        memset(&self.used[self.size], 0, BLOCK)
        for k in range(self.size, self.size + BLOCK):
            if self.free == NOWHERE:
                self.free = k
                self.cells[k] = Cell(k, k)
            else:
                last = self.cells[self.free].base
                self.cells[k] = Cell(last, self.free)
                self.cells[last].owner = k
                self.cells[self.free].base = k
        self.size += BLOCK
        return 0

    cdef int take(self, uint32_t k, uint32_t owner) except -1:
        cdef uint32_t before = self.cells[k].base, after = self.cells[k].owner
        assert not self.used[k]
        self.cells[before].owner = after
        self.cells[after].base = before
        if self.free == k:
            self.free = after if after != k else NOWHERE
        self.used[k] = 1
        self.cells[k] = Cell(0, owner)
        return 0

    cdef uint32_t find_base(self, Trie trie, node_t begin, node_t end) except? 0xFFFFFFFF:
        """A base whose cells for the children begin … end - 1 are all free."""
        cdef uint32_t first = place(trie.symbol[begin]), at, base
        cdef node_t v
        cdef int32_t _
        if self.free != NOWHERE:
            if end - begin == 1:
                return self.free ^ first
            at = self.cells[self.free].base           # the newest blocks have the most room: look from the end
            for _ in range(TRIES):
                base = at ^ first
                for v in range(begin + 1, end):
                    if self.used[base ^ place(trie.symbol[v])]:
                        break
                else:
                    return base
                at = self.cells[at].base
        base = self.size
        self.open_block()
        return base

    cdef int32_t[::1] place_all(self, Tables tables):
        """The state of every node. The roots come first, each in a cell that no edge leads to."""
        cdef Trie trie = tables.trie
        cdef int32_t[::1] state = ints(trie.n)
        cdef node_t u, v
        cdef uint32_t base
        self.take(0, NOWHERE)
        state[trie.root] = 0
        if trie.suffix_root != trie.root:
            self.take(1, NOWHERE)
            state[trie.suffix_root] = 1
        for u in range(trie.n):             # breadth first: as they are numbered
            if trie.first[u] == trie.first[u + 1]:
                continue
            base = self.find_base(trie, trie.first[u], trie.first[u + 1])
            self.cells[state[u]].base = base
            for v in range(trie.first[u], trie.first[u + 1]):
                state[v] = base ^ place(trie.symbol[v])
                self.take(state[v], state[u])
        for base in range(self.size):
            if not self.used[base]:
                self.cells[base] = Cell(0, NOWHERE)
        return state
