"""The engine's form of the suffix automaton and of the valid ranges: flat arrays, a cell for each state.

The notation layer builds the successor forest and its ranges, `cells` the automaton; this module puts them together, and
`check` compares with the notation layer's automaton. A state is known by its base (places): its child by the byte b is in the cell base ^ b, with the label b, the child's base and longest
suffix token. A byte that is no child's is asked of the next shorter suffix, as Aho and Corasick do: two cells a byte at
most, over a walk, of eight bytes each. That is a tenth of a table of all steps, and what it costs in cells it gives back in
cache. Tokens are numbered by tin, so that a token's number is what the range test compares; a token's lengths are in bytes.
What the test of one token needs is one record of 16 bytes.

Notation   tin, lo, hi, suc as in successor · fail, the chain of shorter suffix tokens as in automaton
I1  a state's children, and the root by every byte, have cells with their label, base and number; all other cells are free;
    `fails` is the base of fail(v), or of its longest suffix that has children
I2  walking the text of a canonical token from the root ends at a cell with that token's number
I3  a record's range and lengths are those of the forest, without one an atom's range is everything and others have none
I4  `shorter` is a shorter token, whose text the token ends with
Cost  building and check: linear in the states, and the bytes of the tokens
Memory  12 bytes a state, 28 bytes a canonical token, 4 an entry of the centroid trees
"""
from array import array

from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from incbpe.automaton cimport SuffixAutomaton
from incbpe.cells cimport FREE, MOST_CELLS, MOST_TOKENS, ROOT, Cells, cell_base, cell_label, cell_token
from incbpe.centroid cimport CentroidTrees
from incbpe.decomposition cimport ABOVE, ALONE, CENTROID, CHILDREN, FIRST
from incbpe.dictionary cimport NONE, Dictionary, holds, ints
from incbpe.normalize cimport Normalized
from incbpe.places cimport Places
from incbpe.successor cimport SuccessorForest
from incbpe.tokens cimport NO_ID, line_of
from incbpe.tokentrie cimport TokenTrie
from subwordio.container cimport Container
from subwordio.largepages cimport table_alloc

from incbpe.dictionary import DictionaryError

cdef enum:
    LONGEST = 65535             # bytes of a token: lengths are 16 bits
    LINE = 64                   # bytes of a cache line


cdef int32_t renamed(int32_t link, int32_t[::1] number) noexcept:
    """A link to a component of one token has the token's number."""
    return link if link > ALONE else ALONE - number[ALONE - link]


cdef class Layout:
    """``Layout(N, cells, forest, ids)``

    cells    of the canonical tokens by their index, which is the layout's from then on: they become numbers
    forest   None for the form "pairs" · ids   by token index the ids, -1 for an atom that has none

    Without N it is empty.
    """

    def __cinit__(self, Normalized N, Cells cells, SuccessorForest forest, int32_t[::1] ids):
        memset(&self.automaton, 0, sizeof(Automaton))
        if N is not None:
            self.fill(N, cells, forest, ids)

    def __dealloc__(self):
        if not self.mapped:
            free(self.memory)
            free(self.automaton.pool)
            free(self.automaton.tokens)

    cdef int fill(self, Normalized N, Cells cells, SuccessorForest forest, int32_t[::1] ids) except -1:
        cdef Dictionary D = N.dictionary
        cdef int32_t[::1] number = ints(D.n)
        cdef int32_t z
        cdef uint32_t count = 0
        self.states, self.intervals, self.cells, self.n_cells = cells.states, forest is not None, cells, cells.size
        self.automaton.none, self.automaton.cells, self.automaton.fails = N.n, cells.cells, cells.fails
        self.reserve()
        for z in range(D.n):
            if not N.canonical[z]:
                continue
            if forest is None:
                number[z] = count
                count += 1
            else:
                number[z] = forest.tin[z]
            self.automaton.tokens[number[z]] = z
        self.automaton.tokens[N.n] = NONE
        cells.renumber(number, N.n)
        self.set_records(N, forest, number, ids)
        if forest is not None:
            self.set_trees(CentroidTrees(forest, cells.shorter), number)
        cells.shorter = cells.prefix = None
        return 0

    cdef dict to_sections(self):
        cdef Automaton *a = &self.automaton
        cdef size_t n = a.none + 1
        sizes = array("q", [self.states, self.intervals, a.longest])
        return {"sizes": sizes, "cells": <bytes> (<char *> a.cells)[:self.n_cells * sizeof(uint64_t)],
                "fails": <bytes> (<char *> a.fails)[:self.n_cells * sizeof(uint32_t)],
                "records": <bytes> (<char *> a.records)[:n * sizeof(Record)],
                "shorter": <bytes> (<char *> a.shorter)[:n * sizeof(uint32_t)],
                "links": <bytes> (<char *> a.links)[:n * sizeof(int32_t)],
                "pool": <bytes> (<char *> a.pool)[:self.pooled * sizeof(int32_t)] if self.intervals else b"",
                "numbers": <bytes> (<char *> a.tokens)[:n * sizeof(int32_t)]}

    @staticmethod
    cdef Layout of_container(Container file):
        cdef Layout self = Layout(None, None, None, None)
        cdef Automaton *a = &self.automaton
        cdef size_t three, cells, fails, pooled, k
        cdef size_t[4] counts
        self.held, self.mapped = file, True
        cdef int64_t *sizes = <int64_t *> file.take("sizes", sizeof(int64_t), &three)
        a.cells = <uint64_t *> file.take("cells", sizeof(uint64_t), &cells)
        a.fails = <uint32_t *> file.take("fails", sizeof(uint32_t), &fails)
        a.records = <Record *> file.take("records", sizeof(Record), &counts[0])
        a.shorter = <uint32_t *> file.take("shorter", sizeof(uint32_t), &counts[1])
        a.links = <int32_t *> file.take("links", sizeof(int32_t), &counts[2])
        a.tokens = <int32_t *> file.take("numbers", sizeof(int32_t), &counts[3])
        a.pool = <int32_t *> file.take("pool", sizeof(int32_t), &pooled)
        for k in range(4):
            if counts[k] != counts[0] or not 1 <= counts[k] <= MOST_TOKENS:
                file.fail("the arrays of its tokens are of no size that they can have")
        if three != 3 or cells != fails or not ROOT <= cells <= MOST_CELLS or pooled > 0x7FFFFFFF:
            file.fail("its automaton is of no size that an automaton can have")
        self.n_cells, self.pooled, a.none = <uint32_t> cells, <uint32_t> pooled, <uint32_t> (counts[0] - 1)
        self.states, self.intervals, a.longest = <uint32_t> sizes[0], sizes[1] != 0, <uint32_t> sizes[2]
        return self

    cdef int reserve(self) except -1:
        cdef Automaton *a = &self.automaton
        if a.none >= MOST_TOKENS:
            raise DictionaryError(f"{a.none} canonical tokens: fewer than {MOST_TOKENS} are taken")
        self.memory = table_alloc((a.none + 1) * (sizeof(Record) + sizeof(uint32_t) + sizeof(int32_t)) + LINE)
        a.tokens = <int32_t *> malloc((a.none + 1) * sizeof(int32_t))
        if self.memory == NULL or a.tokens == NULL:
            raise MemoryError()
        a.records = <Record *> line_of(self.memory)
        a.shorter = <uint32_t *> (a.records + a.none + 1)
        a.links = <int32_t *> (a.shorter + a.none + 1)
        return 0

    cdef int set_records(self, Normalized N, SuccessorForest forest, int32_t[::1] number, int32_t[::1] ids) except -1:
        cdef Automaton *a = &self.automaton
        cdef Dictionary D = N.dictionary
        cdef Record *record
        cdef int32_t z, suc, shorter, length
        cdef uint32_t k
        for k in range(a.none + 1):
            a.shorter[k], a.links[k] = a.none, NONE
        for k in range(a.none):
            z = a.tokens[k]
            record, suc, shorter = a.records + k, N.suc_token[z], self.cells.shorter[z]
            length = D.begin[z + 1] - D.begin[z]
            if length > LONGEST:
                raise DictionaryError(f"token {z} has {length} bytes: at most {LONGEST} are taken")
            a.longest = max(a.longest, <uint32_t> length)
            record.length = <uint16_t> length
            record.id = NO_ID if ids[z] < 0 else <uint32_t> ids[z]
            if shorter != NONE:
                a.shorter[k] = number[shorter]
            if suc == NONE:
                record.suffix, record.lo, record.width = record.length, 0, a.none + 1
                continue
            record.suffix = <uint16_t> (D.begin[suc + 1] - D.begin[suc])
            record.lo = record.width = 0
            if forest is not None:
                record.lo, record.width = forest.lo[z], forest.hi[z] - forest.lo[z]
        record = a.records + a.none
        record.suffix = record.length = 1
        record.lo, record.width, record.id = 0, a.none + 1, NO_ID
        return 0

    cdef int set_trees(self, CentroidTrees trees, int32_t[::1] number) except -1:
        """The same trees of numbers; links to places in the pool stay."""
        cdef Automaton *a = &self.automaton
        cdef int32_t *node
        cdef int32_t at = 0, k
        self.pooled = trees.pool.shape[0]
        a.pool = <int32_t *> malloc(self.pooled * sizeof(int32_t))
        if a.pool == NULL:
            raise MemoryError()
        memcpy(a.pool, &trees.pool[0], self.pooled * sizeof(int32_t))
        for k in range(<int32_t> a.none):
            a.links[k] = renamed(trees.link[a.tokens[k]], number)
        while at + FIRST <= <int32_t> self.pooled:
            node = a.pool + at
            node[CENTROID] = number[node[CENTROID]]
            node[ABOVE] = renamed(node[ABOVE], number)
            for k in range(node[CHILDREN]):
                node[FIRST + 2 * k] = number[node[FIRST + 2 * k]]
                node[FIRST + 2 * k + 1] = renamed(node[FIRST + 2 * k + 1], number)
            at += FIRST + 2 * node[CHILDREN]
        return 0

    @property
    def nbytes(self) -> int:
        """The arrays' size in bytes."""
        return (<Py_ssize_t> self.n_cells * (sizeof(uint64_t) + sizeof(uint32_t))
                + (self.automaton.none + 1) * (sizeof(Record) + sizeof(uint32_t) + 2 * sizeof(int32_t))
                + self.pooled * sizeof(int32_t))

    def check(self, Normalized N not None) -> None:
        """Assert I1–I4 of a layout made from N."""
        cdef Automaton *a = &self.automaton
        cdef Dictionary D = N.dictionary
        cdef Record *record
        cdef uint64_t cell
        cdef uint32_t i, k
        cdef int32_t z, u, v
        cdef SuffixAutomaton automaton = SuffixAutomaton(N)
        cdef Places places = Places(TokenTrie(D.spelt, N.canonical))
        forest = SuccessorForest(N) if self.intervals else None
        base, used = [0] * automaton.states, 0
        for v in range(1, automaton.states):
            base[v] = places.base[v] if automaton.inner[v] else base[automaton.fail[v]]
            holds("I1", not automaton.inner[v] or a.fails[base[v]] == base[automaton.fail[v]], v)
        for v in range(automaton.states):
            for u in range(places.trie.first[v], places.trie.first[v + 1]):
                cell, z = a.cells[base[v] ^ places.trie.label[u]], automaton.token[u]
                holds("I1", cell_label(cell) == places.trie.label[u] and cell_base(cell) == base[u], (v, u))
                holds("I1", a.tokens[cell_token(cell)] == z, (v, u))
        for i in range(self.n_cells):
            used += cell_label(a.cells[i]) != FREE
            holds("I1", i >= ROOT or cell_label(a.cells[i]) == i, i)
        holds("I1", used == ROOT + automaton.states - 1 - (places.trie.first[1] - places.trie.first[0]), used)
        for k in range(a.none):
            z, record, cell = a.tokens[k], a.records + k, 0
            text = bytes(D.text[D.begin[z]:D.begin[z + 1]])
            for b in text:
                cell = step(a, cell_base(cell), b)
            holds("I2", cell_token(cell) == k, text)
            holds("I3", record.length == len(text), text)
            token, suc = D.tokens[z], N.suc(D.tokens[z])
            if suc is None:
                holds("I3", record.lo == 0 and record.width == a.none + 1 and record.suffix == len(text), text)
            else:
                holds("I3", record.suffix == len(suc if D.binary else suc.encode("utf-8", "surrogatepass")), text)
                lo, hi = forest.valid_range(token) if self.intervals else (0, 0)
                holds("I3", record.lo == lo and record.lo + record.width == hi, text)
            if a.shorter[k] != a.none:
                z = a.tokens[a.shorter[k]]
                other = bytes(D.text[D.begin[z]:D.begin[z + 1]])
                holds("I4", len(other) < len(text) and text.endswith(other), text)
        holds("I3", a.records[a.none].lo == 0 and a.records[a.none].width == a.none + 1, None)
