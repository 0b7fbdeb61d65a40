"""The pair test: exact incremental rank BPE for any rule list, proper or not.          (beyond the paper)

For rank BPE every token of PQ(s) is canonical, PQ(z) = [z], and the last token θ(s) is the only canonical suffix z of s
with z = s or PQ(w z) = [w, z], where w = θ(s without z). So a table that no order of rules makes proper is served too.

Notation   PQ rank BPE · w, z canonical tokens
I1  `canonical` marks the tokens with PQ(z) = [z]
I2  symbol[place[i] : place[i + 1]] are the atoms of token i
Cost  one run of PQ on the symbols of w and z
"""
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from incbpe.bpe cimport merge
from incbpe.dictionary cimport holds, ints

cdef enum:
    SHORT = 256                             # symbols of a pair that are merged on the stack


cdef class Pairs:
    """PQ(w z) = [w, z] for canonical tokens w, z of rank BPE; made by `normalize`."""

    def __cinit__(self, Dictionary D not None):
        cdef int32_t[::1] token
        cdef int32_t i, longest = 0
        cdef Py_ssize_t k, n
        self.dictionary = D
        self.canonical = bytearray(max(D.n, 1))
        self.symbol, self.place = D.spelling(), ints(D.n + 1)
        for i in range(D.n):
            self.place[i + 1] = self.place[i] + D.length[i]
            longest = max(longest, D.length[i])
        token = ints(longest)
        for i in range(D.n):
            n = D.length[i]
            for k in range(n):
                token[k] = self.symbol[self.place[i] + k]
            self.canonical[i] = merge(D, &token[0], n, False, NULL) == 1 and token[0] == i

    cdef bint holds(self, int32_t w, int32_t z) except -1 nogil:
        cdef int32_t[SHORT] near
        cdef Py_ssize_t i = self.dictionary.length[w], n = i + self.dictionary.length[z], left
        cdef int32_t *token = near
        cdef bint same
        if n > SHORT:
            token = <int32_t *>malloc(n * sizeof(int32_t))
            if token == NULL:
                with gil:
                    raise MemoryError(f"merging {n} symbols")
        memcpy(token, &self.symbol[self.place[w]], i * sizeof(int32_t))
        memcpy(token + i, &self.symbol[self.place[z]], (n - i) * sizeof(int32_t))
        left = merge(self.dictionary, token, n, False, NULL)
        same = left == 2 and token[0] == w and token[1] == z
        if token != near:
            free(token)
        return same

    def check(self):
        """Raise AssertionError unless I1 and I2 hold. Cost: that of PQ on every token."""
        from incbpe.bpe import rank_bpe
        cdef Dictionary D = self.dictionary
        cdef int32_t i
        for i, token in enumerate(D.tokens):
            atoms = [D.tokens[k] for k in self.symbol[self.place[i]:self.place[i + 1]]]
            holds("I2", token[:0].join(atoms) == token, token)
            holds("I1", self.canonical[i] == (rank_bpe(D, token) == [token] and D.index[token] == i), token)
