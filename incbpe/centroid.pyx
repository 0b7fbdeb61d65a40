"""Centroid search trees: θ(s) among the canonical suffixes of k in logarithmic time.          (Section 5.2)

The valid nodes of the suffix-successor tree are one way down from the root. Look at a centroid c of the tree. If it is
not valid, the way ends above it: go on in the part on the parent's side. If it is, the way goes on to that child of c
which is valid, if there is one; by Lemma 6 the ranges of the children are disjoint, and they all ask for one token, the
last before c. So a binary search finds the only child that can be valid, and that it is: its part is next, with that
child for its root, or else c is θ(s). A part has half the nodes at most.

Notation   c a centroid · s the text of t symbols, whose θ is asked for · history θ of each shorter prefix of s
I1  each node of the tree is a centroid once, or a component by itself
I2  a component of n nodes is left with components of n/2 nodes at most, and is a connected part of the tree
I3  the components below c are rooted by children of c, in the order of their disjoint ranges
Cost  a search: ⌊log₂ |chain(k)|⌋ + 1 centroids, each one range test and one binary search. Building: decomposition.
"""
from libc.stdint cimport int32_t

from incbpe.arrays cimport nones
from incbpe.decomposition cimport ABOVE, ALONE, CENTROID, CHILDREN, FIRST, Decomposition
from incbpe.dictionary cimport NONE, holds
from incbpe.successor cimport SuccessorForest
from incbpe.sufsuc cimport SuffixSuccessorTree, chain_length

from subwordio.drawable import draw, repr_svg, to_dot

cdef enum:
    WALK = 3                                # a chain of so many is walked: then 1 + WALK <= 2 + ⌊log₂(1 + WALK)⌋


cdef int32_t search_tree(SuccessorForest forest, const int32_t *pool, int32_t link, const int32_t *history, Py_ssize_t t,
                         Counts *counts) except -2 nogil:
    cdef int32_t c, w, place, low, high, middle
    # θ(s) is in the component of `link`, and the root of that component is valid.
    while link >= 0:
        c = pool[link + CENTROID]
        counts.visits += 1
        if pool[link + ABOVE] != NONE:
            counts.tests += 1
            if not forest.valid_at(c, history, t):
                link = pool[link + ABOVE]
                continue
        w = history[t - forest.N.dictionary.length[c]]
        place = forest.OUTSIDE if w == NONE else forest.tin[w]
        low, high = 0, pool[link + CHILDREN]
        while low < high:                   # lo <= place for the children before `low`, and for none from `high` on
            middle = (low + high) // 2
            if forest.lo[pool[link + FIRST + 2 * middle]] <= place:
                low = middle + 1
            else:
                high = middle
        if low == 0 or place >= forest.hi[pool[link + FIRST + 2 * low - 2]]:
            return c
        link = pool[link + FIRST + 2 * low - 1]
    return ALONE - link


cdef class CentroidTree:
    """The centroid search tree of one suffix-successor tree (Section 5.2).

    >>> from incbpe import Dictionary, SuccessorForest, SuffixAutomaton, SuffixSuccessorTree, normalize
    >>> N = normalize(Dictionary("a b ab bb abb".split(), [("a", "b"), ("b", "b"), ("ab", "b")]))
    >>> tree = CentroidTree(SuffixSuccessorTree(SuccessorForest(N), SuffixAutomaton(N), "abb"))
    >>> tree.outline()
    ('b', None, [('bb', None, []), ('abb', None, [])])
    >>> tree.search([None, "a", "ab", "abb"])       # θ of abbb
    ('bb', 1)
    """

    def __cinit__(self, SuffixSuccessorTree tree not None):
        cdef Decomposition decomposition = Decomposition(tree.forest, tree.automaton.shorter)
        self.tree = tree
        self.link = decomposition.add(tree.nodes[tree.n - 1])
        self.pool = decomposition.trimmed()

    cdef tuple outline_of(self, int32_t link):
        cdef int32_t i
        tokens = self.tree.forest.N.dictionary.tokens
        if link <= ALONE:
            return tokens[ALONE - link], None, []
        below = [self.outline_of(self.pool[link + FIRST + 2 * i + 1]) for i in range(self.pool[link + CHILDREN])]
        above = self.pool[link + ABOVE]
        return tokens[self.pool[link + CENTROID]], None if above == NONE else self.outline_of(above), below

    def outline(self):
        """The tree from its first centroid: (centroid, what is above, what is below it), each alike; above may be None.

        Cost: the nodes.
        """
        return self.outline_of(self.link)

    def search(self, history):
        """(θ(s), the centroids looked at), for a text s of len(history) symbols after which k is the longest token.

        history[i] is θ of the first i symbols; history[0] = None, and None stands for an unknown symbol. O(log² |k|).
        """
        cdef int32_t[::1] last = nones(len(history))
        cdef Counts counts
        cdef int32_t θ
        counts.visits = counts.tests = 0
        if len(history) < len(self.tree.k):
            raise ValueError(f"history: {len(history)} entries, fewer than the symbols of {self.tree.k!r}")
        for i, w in enumerate(history):
            if w is not None:
                last[i] = self.tree.forest.token_of(w)
        θ = search_tree(self.tree.forest, &self.pool[0], self.link, &last[0], len(history), &counts)
        return self.tree.forest.N.dictionary.tokens[θ], counts.visits

    def __len__(self):
        return self.tree.n

    draw, to_dot, _repr_svg_ = draw, to_dot, repr_svg

    def __repr__(self):
        return f"<CentroidTree of {self.tree.k!r}, {self.tree.n} nodes>"

    def check(self):
        """Raise AssertionError unless I1–I3 hold. Cost: n² log n for n nodes.

        >>> from incbpe import Dictionary, SuccessorForest, SuffixAutomaton, SuffixSuccessorTree, normalize
        >>> N = normalize(Dictionary(["a", "b", "ab"], [("a", "b")]))
        >>> CentroidTree(SuffixSuccessorTree(SuccessorForest(N), SuffixAutomaton(N), "ab")).check()
        """
        forest = self.tree.forest
        seen = []

        def component(outline):
            centroid, above, below = outline
            parts = [component(part) for part in ([above] if above else []) + below]
            seen.append(centroid)
            nodes = {centroid}.union(*parts)
            holds("I2", all(2 * len(part) <= len(nodes) for part in parts), centroid)
            roots = [z for z in nodes if self.tree.parent_of(z) not in nodes]
            holds("I2", len(roots) == 1, centroid)
            below_roots = [next(z for z in part if self.tree.parent_of(z) == centroid) for part in parts[bool(above):]]
            holds("I3", below_roots == [z for z in self.tree.children(centroid) if z in nodes], centroid)
            ranges = [forest.valid_range(z) for z in below_roots]
            holds("I3", all(y[1] <= z[0] for y, z in zip(ranges, ranges[1:])), centroid)
            return nodes

        holds("I1", component(self.outline()) == set(self.tree.chain()) and len(seen) == self.tree.n, self.tree.k)


cdef class CentroidTrees:
    """The centroid trees of all chains that a search goes on with when k itself is not valid, in one pool.

    ``CentroidTrees(forest, shorter)``: `shorter` by token, as `SuffixAutomaton` has it.
    """

    def __cinit__(self, SuccessorForest forest not None, shorter not None):
        cdef Decomposition decomposition = Decomposition(forest, shorter)
        cdef const int32_t[::1] next_shorter = shorter
        cdef int32_t k, z
        self.forest, self.link = forest, nones(forest.N.dictionary.n)
        for k in range(forest.N.dictionary.n):
            z = next_shorter[k]
            if z != NONE and self.link[z] == NONE and chain_length(next_shorter, z) > WALK:
                self.link[z] = decomposition.add(z)
        self.pool = decomposition.trimmed()

    @property
    def nbytes(self):
        """The memory of the trees, in bytes."""
        return 4 * (self.pool.shape[0] + self.link.shape[0])
