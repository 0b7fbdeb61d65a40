"""The suffix automaton of some tokens, as the engine walks it, straight from their trie.          (Section 5.2)

Breadth first, what a state needs of its longest proper suffix is where that one leads: the suffix of a child is what the
state's own suffix leads to by the child's byte, and is shorter, so that its cell is there already. A token's shorter
suffixes fall off on the way; its prefixes the trie knows.

I1  cells and `fails` are as walk.h says, of tokens by place, then of numbers
I2  shorter[z] is the longest other token that z ends with, prefix[z] the longest other one that z begins with
Cost  two cells looked at for each byte of the tokens at most; 12 bytes a cell
"""
from libc.stdlib cimport free
from libc.string cimport memset

from incbpe.arrays cimport NONE, ints, nones
from incbpe.places cimport Places
from incbpe.spelt cimport Spelt
from subwordio.largepages cimport table_alloc


cdef class Cells:
    """``Cells(trie)``, of a `TokenTrie`."""

    def __cinit__(self, TokenTrie trie not None):
        cdef Places places = Places(trie)
        if trie.prefix.shape[0] >= MOST_TOKENS:
            raise ValueError(f"{trie.prefix.shape[0]} tokens: fewer than {MOST_TOKENS} are taken")
        self.states, self.size, self.none = trie.states, places.size, <uint32_t> trie.prefix.shape[0]
        self.memory = table_alloc(self.size * (sizeof(uint64_t) + sizeof(uint32_t)))
        if self.memory == NULL:
            raise MemoryError()
        self.cells = <uint64_t *> self.memory
        self.fails = <uint32_t *> (self.cells + self.size)
        self.shorter, self.prefix = nones(self.none), trie.prefix
        self.fill(trie, places.base)

    def __dealloc__(self):
        free(self.memory)

    cdef int fill(self, TokenTrie trie, int32_t[::1] base) except -1:
        cdef int32_t[::1] suffix = ints(trie.states)        # by state: the base of its longest proper suffix with children
        cdef int32_t v, child, z
        cdef uint32_t i, token
        cdef uint8_t b
        cdef uint64_t cell
        memset(self.fails, 0, self.size * sizeof(uint32_t))
        for i in range(self.size):
            self.cells[i] = cell_of(i if i < ROOT else FREE, 0, self.none)
        for v in range(trie.states):
            for child in range(trie.first[v], trie.first[v + 1]):
                b, z, token = trie.label[child], trie.own[child], self.none
                if v > 0:
                    cell = step_in(self.cells, self.fails, suffix[v], b)
                    suffix[child], token = <int32_t> cell_base(cell), cell_token(cell)
                if z != NONE:
                    self.shorter[z] = NONE if token == self.none else <int32_t> token
                    token = <uint32_t> z
                i = <uint32_t> suffix[child]
                if base[child] != NONE:
                    i = <uint32_t> base[child]
                    self.fails[i] = <uint32_t> suffix[child]
                self.cells[<uint32_t> base[v] ^ b] = cell_of(b, i, token)
        return 0

    cdef int renumber(self, const int32_t[::1] number, uint32_t none) except -1:
        cdef uint32_t i, token
        cdef uint64_t cell
        for i in range(self.size):
            cell = self.cells[i]
            token = cell_token(cell)
            token = none if token == self.none else <uint32_t> number[token]
            self.cells[i] = cell_of(cell_label(cell), cell_base(cell), token)
        self.none = none
        return 0

    def check(self, Spelt spelt not None):
        """Raise AssertionError unless I1 and I2 hold, of all these tokens by place. O(bytes of the tokens, squared).

        >>> from incbpe.spelt import Spelt
        >>> from incbpe.tokentrie import TokenTrie
        >>> tokens = Spelt([b"a", b"aba", b"ab", b"b"])
        >>> Cells(TokenTrie(tokens)).check(tokens)
        """
        cdef uint64_t cell
        cdef list parts = list(spelt)
        cdef int32_t z
        cdef int b
        places = {token: z for z, token in enumerate(parts)}
        for z in range(spelt.n):
            cell = 0
            for b in parts[z]:
                cell = step_in(self.cells, self.fails, cell_base(cell), <uint8_t> b)
            assert cell_token(cell) == <uint32_t> z, "I1"
            n = len(parts[z])
            ends = [places[parts[z][k:]] for k in range(1, n) if parts[z][k:] in places]
            begins = [places[parts[z][:k]] for k in range(n - 1, 0, -1) if parts[z][:k] in places]
            assert (self.shorter[z], self.prefix[z]) == ((ends or [NONE])[0], (begins or [NONE])[0]), "I2"
