"""Four ways to find θ(s), the last token of a text, from those of its shorter prefixes.          (Sections 4 and 5)

All are given the longest canonical token k that ends where s does, and `history`, θ of every shorter prefix. What is
asked of a suffix token z is whether it is *valid*: whether the text before suc(z) ends with a token that leaves pre(z)
whole (successor). Theorem 4.2: the valid ones are one way down the successor forest, from the last symbol to θ(s).

longest   from k down its chain to the first that is valid: few tests on most texts, O(t) at worst
root      from the last symbol down the forest, by the only child that can be valid: binary searches, as many as the
          forest is deep at θ(s)
centroid  k first, then the centroid tree of the next shorter token's chain: at most 2 + ⌊log₂ |chain(k)|⌋ tokens are
          looked at, with a binary search for each, O(log² t)
pairs     where nothing but rank BPE itself is known to be right, down the chain by running it on pairs of tokens

They differ in nothing else, and each counts the tokens that it looks at (visits) and those that it tests (tests).
"""
from libc.stdint cimport int32_t

from incbpe.automaton cimport SuffixAutomaton
from incbpe.centroid cimport CentroidTrees, Counts, search_tree
from incbpe.dictionary cimport NONE, ints
from incbpe.pairs cimport Pairs
from incbpe.successor cimport SuccessorForest


cdef class Search:
    """A way to find θ(s)."""

    cdef int32_t find(self, const int32_t *history, Py_ssize_t t, int32_t k, Counts *counts) except -2 nogil:
        with gil:
            raise NotImplementedError


cdef class LongestFirst(Search):
    """From the longest token down its chain (Section 4.2)."""

    def __cinit__(self, SuccessorForest forest not None, SuffixAutomaton automaton not None):
        self.forest, self.automaton = forest, automaton

    cdef int32_t find(self, const int32_t *history, Py_ssize_t t, int32_t k, Counts *counts) except -2 nogil:
        while k != NONE:                    # an atom is valid after any text
            counts.visits += 1
            counts.tests += 1
            if self.forest.valid_at(k, history, t):
                return k
            k = self.automaton.shorter[k]
        return NONE


cdef class RootDown(Search):
    """From the last symbol down the successor forest (Section 4.3).

    It needs no chain: a child z of the token c whose range holds w, the last token before c, is a suffix of the text,
    since pre(z) is one of w.
    """

    def __cinit__(self, SuccessorForest forest not None):
        cdef int32_t[::1] suc = forest.N.suc_token
        cdef int32_t n = forest.N.dictionary.n, z, place, total = 0, count
        cdef int32_t[::1] by_lo = ints(forest.N.n), at = ints(forest.OUTSIDE + 1)
        self.forest = forest
        self.atom, self.begin, self.children = ints(n), ints(<Py_ssize_t>n + 1), ints(forest.N.n)
        for z in forest.order[:forest.N.n]:             # a parent before its children
            self.atom[z] = z if suc[z] == NONE else self.atom[suc[z]]
            at[forest.lo[z]] += 1
            if suc[z] != NONE:
                self.begin[suc[z]] += 1
        for place in range(forest.OUTSIDE + 1):         # two counting sorts: by lo, then by parent
            count, at[place] = at[place], total
            total += count
        for z in forest.order[:forest.N.n]:
            by_lo[at[forest.lo[z]]] = z
            at[forest.lo[z]] += 1
        total = 0
        for z in range(n + 1):
            count, self.begin[z] = self.begin[z], total
            total += count
        for z in by_lo[:forest.N.n]:
            if suc[z] != NONE:
                self.children[self.begin[suc[z]]] = z
                self.begin[suc[z]] += 1
        for z in range(n, 0, -1):
            self.begin[z] = self.begin[z - 1]
        self.begin[0] = 0

    cdef int32_t find(self, const int32_t *history, Py_ssize_t t, int32_t k, Counts *counts) except -2 nogil:
        cdef int32_t c, w, place, low, high, middle
        if k == NONE:
            return NONE
        c = self.atom[k]
        while True:                         # c is valid
            counts.visits += 1
            w = history[t - self.forest.N.dictionary.length[c]]
            place = self.forest.OUTSIDE if w == NONE else self.forest.tin[w]
            low, high = self.begin[c], self.begin[c + 1]
            while low < high:               # lo <= place for the children before `low`, and for none from `high` on
                middle = low + (high - low) // 2
                if self.forest.lo[self.children[middle]] <= place:
                    low = middle + 1
                else:
                    high = middle
            if low == self.begin[c] or place >= self.forest.hi[self.children[low - 1]]:
                return c
            counts.tests += 1
            c = self.children[low - 1]


cdef class CentroidSearch(Search):
    """k first, then a centroid tree (Section 5.2)."""

    def __cinit__(self, SuccessorForest forest not None, SuffixAutomaton automaton not None):
        self.forest, self.automaton = forest, automaton
        self.trees = CentroidTrees(forest, automaton.shorter)

    cdef int32_t find(self, const int32_t *history, Py_ssize_t t, int32_t k, Counts *counts) except -2 nogil:
        cdef int32_t link
        if k == NONE:
            return NONE
        counts.visits += 1
        counts.tests += 1
        if self.forest.valid_at(k, history, t):
            return k
        k = self.automaton.shorter[k]
        link = self.trees.link[k]
        if link != NONE:
            return search_tree(self.forest, &self.trees.pool[0], link, history, t, counts)
        while True:                         # so short a chain that walking it keeps the bound
            counts.visits += 1
            counts.tests += 1
            if self.forest.valid_at(k, history, t):
                return k
            k = self.automaton.shorter[k]


cdef class PairWalk(Search):
    """Down the chain to the token that rank BPE leaves whole after what stands before it (ours)."""

    def __cinit__(self, Pairs pairs not None, SuffixAutomaton automaton not None):
        self.pairs, self.automaton, self.length = pairs, automaton, pairs.dictionary.length

    cdef int32_t find(self, const int32_t *history, Py_ssize_t t, int32_t k, Counts *counts) except -2 nogil:
        cdef int32_t w
        while k != NONE:
            counts.visits += 1
            w = history[t - self.length[k]]
            if w == NONE:                   # z is the whole text, or all of it after an unknown symbol
                return k
            counts.tests += 1
            if self.pairs.holds(w, k):
                return k
            k = self.automaton.shorter[k]
        return NONE
