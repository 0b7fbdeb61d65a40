"""The suffix-successor tree of a token: all its canonical suffixes, under suc.          (Section 3.5)

What can be θ(s) is a canonical suffix of k, the longest canonical token that ends where s does. By length these tokens
are chain(k). By suc they are a tree: suc(z) is a suffix of z and canonical, so it is in chain(k) as well, and every way
up ends at the last symbol. The valid ones among them are one way down from that atom, and θ(s) is its end (Theorem 4.2).

Notation   chain(k) as automaton has it · parent(z) = suc(z)
I1  the nodes are chain(k), shortest first; the first is the atom, the last is k
I2  parent(z) is the node of suc(z), and smaller than z; only the atom has none
Cost  |chain(k)|, and room for one number a token of the dictionary while building
"""
from libc.stdint cimport int32_t

from incbpe.automaton cimport SuffixAutomaton
from incbpe.dictionary cimport NONE, holds, ints
from incbpe.successor cimport SuccessorForest

from incbpe.dictionary import DictionaryError
from subwordio.drawable import draw, repr_svg, to_dot


cdef int32_t chain_length(const int32_t[::1] shorter, int32_t k) noexcept nogil:
    cdef int32_t length = 0
    while k != NONE:
        k = shorter[k]
        length += 1
    return length


cdef int take_chain(const int32_t[::1] suc, const int32_t[::1] shorter, int32_t k, int32_t[::1] nodes, int32_t[::1] parent,
                    int32_t[::1] place) except -1:
    cdef int32_t i, n = chain_length(shorter, k)
    for i in range(n - 1, -1, -1):
        nodes[i], place[k] = k, i
        k = shorter[k]
    for i in range(n):
        k = suc[nodes[i]]
        parent[i] = NONE if k == NONE else place[k]
    return 0


cdef class SuffixSuccessorTree:
    """The canonical suffixes of a token as a tree (Section 3.5).

    ``SuffixSuccessorTree(forest, automaton, k)``: both of one `Normalized`, k a canonical token.

    >>> from incbpe import Dictionary, SuccessorForest, SuffixAutomaton, normalize
    >>> N = normalize(Dictionary("a b ab bb abb".split(), [("a", "b"), ("b", "b"), ("ab", "b")]))
    >>> tree = SuffixSuccessorTree(SuccessorForest(N), SuffixAutomaton(N), "abb")
    >>> tree.chain(), tree.parent_of("abb"), tree.children("b")
    (['abb', 'bb', 'b'], 'b', ['bb', 'abb'])
    """

    def __cinit__(self, SuccessorForest forest not None, SuffixAutomaton automaton not None, k):
        cdef int32_t index = forest.token_of(k)
        if forest.N is not automaton.N:
            raise ValueError("forest and automaton: expected both of one Normalized")
        self.forest, self.automaton, self.k = forest, automaton, forest.N.dictionary.tokens[index]
        self.n = chain_length(automaton.shorter, index)
        self.nodes, self.parent = ints(self.n), ints(self.n)
        take_chain(forest.N.suc_token, automaton.shorter, index, self.nodes, self.parent, ints(forest.N.dictionary.n))

    cdef int32_t node_of(self, object z) except -1:
        cdef int32_t i, index = self.forest.token_of(z)
        for i in range(self.n):
            if self.nodes[i] == index:
                return i
        raise DictionaryError(f"{z!r} is no suffix of {self.k!r}")

    def chain(self):
        """chain(k), longest first (Section 3.5). Its length."""
        return [self.forest.N.dictionary.tokens[z] for z in self.nodes[::-1]]

    def parent_of(self, z):
        """suc(z), or None for the atom (Section 3.5). |chain(k)|."""
        cdef int32_t u = self.parent[self.node_of(z)]
        return None if u == NONE else self.forest.N.dictionary.tokens[self.nodes[u]]

    def children(self, z):
        """The suffixes of k whose right part is z, in the order of their valid ranges (Section 4.3). |chain(k)|."""
        cdef int32_t i, u = self.node_of(z)
        found = [self.nodes[i] for i in range(self.n) if self.parent[i] == u]
        found.sort(key=lambda c: self.forest.lo[c])
        return [self.forest.N.dictionary.tokens[c] for c in found]

    def __len__(self):
        return self.n

    draw, to_dot, _repr_svg_ = draw, to_dot, repr_svg

    def __repr__(self):
        return f"<SuffixSuccessorTree of {self.k!r}, {self.n} nodes>"

    def check(self):
        """Raise AssertionError unless I1 and I2 hold. Cost: the tokens of the dictionary, times |k|.

        >>> from incbpe import Dictionary, SuccessorForest, SuffixAutomaton, normalize
        >>> N = normalize(Dictionary(["a", "b", "ab"], [("a", "b")]))
        >>> SuffixSuccessorTree(SuccessorForest(N), SuffixAutomaton(N), "ab").check()
        """
        cdef int32_t i
        N = self.forest.N
        suffixes = [z for z in N.dictionary.tokens if z and self.k.endswith(z) and N.is_canonical(z)]
        holds("I1", self.chain() == sorted(suffixes, key=len, reverse=True), self.k)
        holds("I1", len(N.dictionary.tokens[self.nodes[0]]) == 1 and self.chain()[0] == self.k, self.k)
        for i in range(self.n):
            z = N.dictionary.tokens[self.nodes[i]]
            holds("I2", self.parent_of(z) == N.suc(z) and self.parent[i] < i, z)
            holds("I2", (self.parent[i] == NONE) == (i == 0), z)
