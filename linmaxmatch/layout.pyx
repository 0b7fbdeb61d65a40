"""A double array of Algorithm 2's tables over bytes: one load of eight bytes a step, and no search.

The notation layer builds T with two roots over UTF-8 bytes, f and F; this module only moves them: every node becomes a
state, which is one cell of an array (`cells` places them), and all that a step asks of a state stands in the cell: where
its children are, the byte that led to it, and f and F, if it is a token, or else where they are. So the walk holds the
state itself, not its number, and what it reads is small: real vocabularies fill nearly every cell.

I1  the states that edges lead to from r and r♯ are as many as the trie's nodes, each by one way only
I2  f(u) is a state or ∅, and ∅ has no pops
I3  every other cell, and every place beyond a leaf, has a label that is never looked up
Cost  O(nodes), and what `cells` takes to place them; 8 bytes a cell, and 8 for a state with f that is no token
"""
from array import array

from cpython.mem cimport PyMem_Free, PyMem_Malloc, PyMem_Realloc
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.string cimport memset

from linmaxmatch.failure import precompute
from linmaxmatch.vocabulary import VocabularyError

from linmaxmatch.cells cimport MOST_CELLS, NO_EDGE, Cells, base_of, cell_t, label_of, link_of
from linmaxmatch.failure cimport Tables
from linmaxmatch.trie cimport NONE, Trie, node_t
from linmaxmatch.vocabulary cimport Vocabulary, holds
from subwordio.container cimport Container


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

    def __cinit__(self, Tables tables, uint32_t most, uint32_t other):
        """An id of `most` or more in F stands for `other`. Without tables it is empty."""
        memset(&self.automaton, 0, sizeof(Automaton))
        if tables is not None:
            self.fill(tables, most, other)

    def __dealloc__(self):
        if not self.mapped:
            PyMem_Free(self.automaton.cells)
            PyMem_Free(self.automaton.failures)
            PyMem_Free(self.automaton.pops)

    cdef dict to_sections(self):
        """The arrays as sections of a file (subwordio.container)."""
        cdef Automaton *a = &self.automaton
        sizes = array("q", [a.suffix_root, self.states, self.sum_F, self.depth])
        return {"cells": <bytes> (<char *> a.cells)[:a.size * sizeof(cell_t)],
                "failures": <bytes> (<char *> a.failures)[:self.linked * sizeof(Failure)],
                "pops": <bytes> (<char *> a.pops)[:self.pooled * sizeof(uint32_t)], "sizes": sizes}

    @staticmethod
    cdef Layout of_container(Container file):
        cdef Layout self = Layout(None, 0, 0)
        cdef Automaton *a = &self.automaton
        cdef size_t n, cells, linked, pooled
        self.held, self.mapped = file, True
        cdef int64_t *sizes = <int64_t *> file.take("sizes", sizeof(int64_t), &n)
        a.cells = <cell_t *> file.take("cells", sizeof(cell_t), &cells)
        a.failures = <Failure *> file.take("failures", sizeof(Failure), &linked)
        a.pops = <uint32_t *> file.take("pops", sizeof(uint32_t), &pooled)
        if n != 4 or not 256 <= cells <= MOST_CELLS or not 1 <= linked <= TOKEN or not 1 <= pooled < ONE_TOKEN:
            file.fail("its automaton is of no size that an automaton can have")
        a.size, self.linked, self.pooled = <uint32_t> cells, <uint32_t> linked, <uint32_t> pooled
        a.suffix_root = sizes[0] != 0
        self.states, self.sum_F, self.depth = <uint32_t> sizes[1], sizes[2], <uint32_t> sizes[3]
        return self

    @property
    def cells(self) -> int:
        """Cells in all, free ones included."""
        return self.automaton.size

    @property
    def nbytes(self) -> int:
        """The arrays' size in bytes."""
        return (self.automaton.size * sizeof(cell_t) + self.linked * sizeof(Failure)
                + self.pooled * sizeof(uint32_t))

    cdef int fill(self, Tables tables, uint32_t most, uint32_t other) except -1:
        if len(tables.trie.vocabulary) >= TOKEN:
            raise VocabularyError(f"{len(tables.trie.vocabulary)} tokens: the engine has room for {TOKEN - 1}")
        cdef Cells cells = Cells(tables.trie.n)
        at = cells.place_all(tables.trie)
        self.automaton.suffix_root = at[tables.trie.suffix_root]
        self.states, self.depth = tables.trie.n, tables.trie.depth
        # Room for the most that there can be, of which what is not used is given back.
        self.automaton.failures = <Failure *> PyMem_Malloc((self.states + 1) * sizeof(Failure))
        self.automaton.pops = <uint32_t *> PyMem_Malloc((1 + 2 * <size_t> tables.used) * sizeof(uint32_t))
        if self.automaton.failures == NULL or self.automaton.pops == NULL:
            raise MemoryError()
        self.automaton.cells = cells.give(&self.automaton.size)
        self.set_links(tables, at, most, other)
        return 0

    cdef int set_links(self, Tables tables, int32_t[::1] at, uint32_t most, uint32_t other) except -1:
        """f and F: those of tokens in their cells, the others behind them."""
        cdef Trie T = tables.trie
        cdef Automaton *a = &self.automaton
        cdef size_t linked = 1, pooled = 1
        cdef uint32_t F
        cdef int32_t k, begin, length
        cdef node_t v
        a.failures[0] = Failure(NOWHERE, 0)
        a.pops[0] = 0
        for v in range(T.n):                # a parent before its children
            if T.token_id[v] != NONE:
                a.cells[at[v]] |= <cell_t> (TOKEN | known(T.token_id[v], most, other)) << 8
            elif tables.f_node[v] != NONE:
                begin, length = tables.F_begin[v], tables.F_length[v]
                if length == 1:
                    F = ONE_TOKEN | known(tables.pool[begin], most, other)
                elif begin == tables.F_begin[T.parent[v]]:      # the very list of the node above
                    F = a.failures[link_of(a.cells[at[T.parent[v]]])].F
                else:
                    F = <uint32_t> pooled
                    a.pops[pooled] = length
                    for k in range(length):
                        a.pops[pooled + 1 + k] = known(tables.pool[begin + k], most, other)
                    pooled += 1 + length
                a.failures[linked] = Failure(at[tables.f_node[v]], F)
                a.cells[at[v]] |= <cell_t> linked << 8
                linked += 1
            self.sum_F += tables.F_length[v]
        if linked > TOKEN or pooled > ONE_TOKEN:
            raise VocabularyError(f"{linked} failure links, {pooled} of their pops: the engine has room for {TOKEN} and "
                                  f"{ONE_TOKEN}")
        a.failures = <Failure *> smaller(a.failures, linked * sizeof(Failure))
        a.pops = <uint32_t *> smaller(a.pops, pooled * sizeof(uint32_t))
        self.linked, self.pooled = <uint32_t> linked, <uint32_t> pooled
        return 0

    def check(self) -> None:
        """Assert I1–I3. Cost O(cells)."""
        cdef Automaton *a = &self.automaton
        cdef uint32_t u, v, c, used
        cdef Failure failure
        reached = states_of(a)
        used = len(reached)
        holds("I1", used == self.states == len(set(reached)), used)
        for u in reached:
            link = link_of(a.cells[u])
            if not link & TOKEN:
                holds("I2", link < self.linked, u)
                failure = a.failures[link]
                holds("I2", failure.F == 0 if failure.f == NOWHERE else failure.f in reached, u)
        for v in range(a.size):
            holds("I3", v in reached or label_of(a.cells[v]) == NO_EDGE, v)
        for c in range(256):                # a leaf has the base 0
            holds("I3", c == NO_EDGE or label_of(a.cells[c]) != c, c)


cdef void *smaller(void *memory, size_t nbytes) except NULL:
    """The memory cut to its first bytes."""
    cdef void *cut = PyMem_Realloc(memory, nbytes)
    if cut == NULL:
        raise MemoryError()
    return cut


cdef inline uint32_t known(uint32_t id, uint32_t most, uint32_t other) noexcept:
    return id if id < most else other


cdef dict states_of(const Automaton *a):
    """The places of all states to which edges lead from r and r♯, in any order."""
    cdef uint32_t u, v, c
    cdef dict reached = dict.fromkeys((0, a.suffix_root))
    cdef list pending = list(reached)
    while pending:
        u = pending.pop()
        for c in range(256):
            v = base_of(a.cells[u]) + c
            if c != NO_EDGE and label_of(a.cells[v]) == c:
                if v in reached:
                    raise AssertionError(f"I1 does not hold: two ways lead to {v}")
                reached[v] = None
                pending.append(v)
    return reached
