"""The engine's form of the suffix automaton and of the valid ranges: flat arrays, and two look-ups a byte.

The notation layer builds the automaton's persistent table over bytes, the successor forest and its ranges; this module
only moves them. A cell of the table holds the next state's row and longest token, so that a state needs no number of
its own, and is packed into five bytes where they suffice; tokens are numbered by tin, so that a token's number is what the range test compares; a token's lengths are in
bytes. What the test of one token needs is one record of 16 bytes.

Notation   tin, lo, hi, suc as in successor · fail, the chain of shorter suffix tokens as in automaton
I1  a cell leads to a row that there is, and to a number up to `none`
I2  walking the text of a canonical token from row 0 ends at a cell with that token's number
I3  a record's range and lengths are those of the forest, without one an atom's range is everything and others have none
I4  `shorter` is a shorter token, whose text the token ends with
Cost  building: linear in the entries of the automaton's table; check: 256 steps a row, and the bytes of the tokens
Memory  64 bytes a state with a child, 80 bytes a block (128 beyond a million of them), 28 bytes a canonical token, 4 an entry of the centroid trees
"""
import sys

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from incbpe.automaton cimport SuffixAutomaton
from incbpe.centroid cimport CentroidTrees
from incbpe.decomposition cimport ABOVE, ALONE, CENTROID, CHILDREN, FIRST
from incbpe.dictionary cimport NONE, Dictionary, holds, ints
from incbpe.normalize cimport Normalized
from incbpe.successor cimport SuccessorForest
from incbpe.tokens cimport NO_ID, line_of
from subwordio.largepages cimport prefer_large_pages

from incbpe.dictionary import DictionaryError

cdef enum:
    LONGEST = 65535             # bytes of a token: lengths are 16 bits
    LINE = 64                   # bytes of a cache line
    FEW = 1048576               # rows and tokens up to which cells are of five bytes


cdef int32_t renamed(int32_t link, int32_t[::1] number) noexcept:
    """A link to a component of one token has the token's number."""
    return link if link > ALONE else ALONE - number[ALONE - link]


cdef class Layout:
    """``Layout(N, automaton, forest, ids, few=2**20)``

    forest   None for the form "pairs" · ids   by token index the ids, -1 for an atom that has none
    few      rows and tokens up to which cells are of five bytes; 2**20 at most
    """

    def __cinit__(self, Normalized N not None, SuffixAutomaton automaton not None, SuccessorForest forest,
                  int32_t[::1] ids not None, uint32_t few=FEW):
        cdef Dictionary D = N.dictionary
        cdef int32_t[::1] number = ints(D.n)
        cdef int32_t z
        cdef uint32_t count = 0
        memset(&self.automaton, 0, sizeof(Automaton))
        self.states, self.intervals = automaton.states, forest is not None
        self.automaton.none = N.n
        self.automaton.tokens = <int32_t *> malloc((N.n + 1) * sizeof(int32_t))
        if self.automaton.tokens == NULL:
            raise MemoryError()
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
        self.set_tables(automaton, number, min(few, FEW))
        self.set_records(N, automaton, forest, number, ids)
        if forest is not None:
            self.set_trees(CentroidTrees(forest, automaton), number)

    def __dealloc__(self):
        free(self.memory)
        free(self.automaton.records)
        free(self.automaton.shorter)
        free(self.automaton.links)
        free(self.automaton.pool)
        free(self.automaton.tokens)

    cdef int set_tables(self, SuffixAutomaton automaton, int32_t[::1] number, uint32_t few) except -1:
        """Rows keep their order, but that the root's comes first and the one before the root takes its place."""
        cdef Automaton *a = &self.automaton
        cdef uint32_t root = automaton.row[0], row, k
        cdef int32_t v, z
        cdef size_t i, rows, cells, nbytes
        cdef uint64_t cell
        self.n_rows, self.n_blocks = automaton.used_rows, automaton.used_blocks
        rows, cells = 16 * <size_t> self.n_rows, 16 * <size_t> self.n_blocks
        a.narrow = Narrow(8, 32, 0xFFFFFFFF)
        if sys.byteorder == "little" and max(self.n_rows, a.none + 1) <= few:
            a.narrow = Narrow(5, 20, 0xFFFFF)
        nbytes = rows * sizeof(uint32_t) + cells * a.narrow.width + sizeof(uint64_t)    # the last one is read whole
        self.memory = malloc(nbytes + LINE)
        if self.memory == NULL:
            raise MemoryError()
        prefer_large_pages(self.memory, nbytes)
        a.rows = <uint32_t *> line_of(self.memory)
        a.cells = <uint8_t *> (a.rows + rows)
        for row in range(self.n_rows):
            k = root if row == 0 else 0 if row == root else row
            for i in range(16):
                a.rows[16 * <size_t> row + i] = automaton.rows[16 * k + i]
        for i in range(cells):
            v = automaton.blocks[i]
            z, row = automaton.token[v], automaton.row[v]
            row = 0 if row == root else root if row == 0 else row
            cell = row | <uint64_t> (a.none if z == NONE else <uint32_t> number[z]) << a.narrow.shift
            memcpy(a.cells + a.narrow.width * i, &cell, a.narrow.width)
        memset(a.cells + a.narrow.width * cells, 0, sizeof(uint64_t))
        return 0

    cdef int set_records(self, Normalized N, SuffixAutomaton automaton, SuccessorForest forest, int32_t[::1] number,
                         int32_t[::1] ids) except -1:
        cdef Automaton *a = &self.automaton
        cdef Dictionary D = N.dictionary
        cdef Record *record
        cdef int32_t z, suc, shorter, length
        cdef uint32_t k
        a.records = <Record *> malloc((a.none + 1) * sizeof(Record))
        a.shorter = <uint32_t *> malloc((a.none + 1) * sizeof(uint32_t))
        a.links = <int32_t *> malloc((a.none + 1) * sizeof(int32_t))
        if a.records == NULL or a.shorter == NULL or a.links == NULL:
            raise MemoryError()
        for k in range(a.none + 1):
            a.shorter[k], a.links[k] = a.none, NONE
        for k in range(a.none):
            z = a.tokens[k]
            record, suc, shorter = a.records + k, N.suc_token[z], automaton.shorter[z]
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
        return (16 * <Py_ssize_t> self.n_rows * sizeof(uint32_t) + 16 * <Py_ssize_t> self.n_blocks * self.automaton.narrow.width
                + (self.automaton.none + 1) * (sizeof(Record) + sizeof(uint32_t) + 2 * sizeof(int32_t))
                + self.pooled * sizeof(int32_t))

    def check(self, Normalized N not None) -> None:
        """Assert I1–I4 of a layout made from N."""
        cdef Automaton *a = &self.automaton
        cdef Dictionary D = N.dictionary
        cdef Record *record
        cdef Cell cell
        cdef size_t i
        cdef uint32_t k
        cdef int32_t z
        forest = SuccessorForest(N) if self.intervals else None
        for i in range(16 * <size_t> self.n_rows):
            holds("I1", a.rows[i] < self.n_blocks, i)
        for i in range(self.n_rows):
            for b in range(256):
                cell = step(a, <uint32_t> i, b)
                holds("I1", cell.row < self.n_rows and cell.token <= a.none, (i, b))
        for k in range(a.none):
            z, record, cell = a.tokens[k], a.records + k, Cell(0, 0)
            text = bytes(D.text[D.begin[z]:D.begin[z + 1]])
            for b in text:
                cell = step(a, cell.row, b)
            holds("I2", cell.token == k, text)
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
