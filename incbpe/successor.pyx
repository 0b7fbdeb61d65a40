"""The successor forest and its valid ranges.          (Sections 3.4 and 4.3, Definition 4.1)

Each canonical token hangs below suc, its right part, so that the way up from z spells what is left of z when its last
rule is undone again and again on the right. A token z is valid after a text s iff θ of what stands before suc(z) is
pre(z), or hangs below pre(z) by a rule later than that of z: nothing else leaves pre(z) whole until z is made. With
the children latest rule first, those tokens are one interval of the preorder.

Notation   pre(z), suc(z), prio(z) as normalize has them · x = pre(z) · w the last token of the text before suc(z) ·
           tin(z), tout(z) the interval of z's subtree in preorder · lo, hi the interval of the w that make z valid
I1  order lists every canonical token once, and tin is its inverse
I2  the roots are the atoms in sorted order; the children of a node, latest rule first, follow it without a gap
I3  lo(z) = tin(x), and hi(z) is tin of the first child c of x with prio(c) <= prio(z), or else tout(x)
I4  the ranges of the children of one node are disjoint
I5  an atom's range is everything, OUTSIDE included; other ranges hold neither OUTSIDE nor an unknown symbol
Cost  building: linear in the tokens and rules; the range test: two comparisons.
"""
from libc.stdint cimport int32_t

from incbpe.arrays cimport nones
from incbpe.dictionary cimport NONE, Dictionary, holds, ints
from incbpe.normalize cimport Normalized

from incbpe.dictionary import DictionaryError
from subwordio.drawable import draw, repr_svg, to_dot


cdef int32_t[::1] tokens_by_prio(Normalized N):
    """The canonical tokens that are no atoms, earliest rule first: a counting sort, since no two share a rule."""
    cdef int32_t z, r, last = NONE, count = 0
    cdef int32_t[::1] made, tokens
    for z in range(N.dictionary.n):
        last = max(last, N.prio_rule[z])
    made = ints(last + 2)                   # by rule: 1 + the token that it makes; a memoryview holds at least one
    for z in range(N.dictionary.n):
        if N.prio_rule[z] != NONE:
            made[N.prio_rule[z]] = z + 1
            count += 1
    tokens = ints(count + 1)
    count = 0
    for r in range(last + 1):
        if made[r]:
            tokens[count] = made[r] - 1
            count += 1
    return tokens[:count]


cdef class SuccessorForest:
    """The forest of parent(z) = suc(z) over the canonical tokens, with every token's valid range (Section 4.3).

    ``SuccessorForest(N)``: `N` of any form but "pairs", for which there are no such ranges (`DictionaryError`).

    >>> from incbpe import Dictionary, normalize
    >>> F = SuccessorForest(normalize(Dictionary("a b ab bb abb".split(), [("a", "b"), ("b", "b"), ("ab", "b")])))
    >>> F.preorder(), F.children("b"), F.valid_range("abb")
    (['a', 'b', 'abb', 'bb', 'ab'], ['abb', 'bb', 'ab'], (4, 5))
    """

    def __cinit__(self, Normalized N not None):
        if N.form == "pairs":
            raise DictionaryError("form 'pairs': the dictionary has no successor forest, since a pair of tokens holds "
                                  "or not by itself there")
        self.N, self.OUTSIDE = N, N.n
        by_prio = tokens_by_prio(N)
        self.set_order(by_prio)
        self.set_ranges(by_prio)

    cdef int set_order(self, const int32_t[::1] by_prio) except -1:
        cdef Dictionary D = self.N.dictionary
        cdef int32_t[::1] suc = self.N.suc_token
        cdef int32_t[::1] first = nones(D.n), following = nones(D.n)    # child, sibling
        cdef int32_t z, place = 0
        cdef Py_ssize_t i
        self.tin, self.tout, self.order = nones(D.n), nones(D.n), ints(self.N.n)
        for i in range(by_prio.shape[0]):   # each goes in front of its earlier siblings
            z = by_prio[i]
            following[z] = first[suc[z]]
            first[suc[z]] = z
        atoms = [z for z in range(D.n) if self.N.canonical[z] and suc[z] == NONE]
        for z in sorted(atoms, key=D.tokens.__getitem__):
            while z != NONE:                # z is to be entered
                self.tin[z], self.order[place] = place, z
                place += 1
                if first[z] != NONE:
                    z = first[z]
                    continue
                while z != NONE and following[z] == NONE:
                    self.tout[z] = place
                    z = suc[z]
                if z != NONE:
                    self.tout[z] = place
                    z = following[z]
        return 0

    cdef int set_ranges(self, const int32_t[::1] by_prio) except -1:
        """The child of x whose place is hi(z) moves on only as prio(z) falls, for all z with pre(z) = x together."""
        cdef Dictionary D = self.N.dictionary
        cdef int32_t[::1] pre = self.N.pre_token, suc = self.N.suc_token, prio = self.N.prio_rule
        cdef int32_t[::1] next_place = ints(D.n)        # by token x: tin of the child of x to look at
        cdef int32_t z, x, place
        cdef Py_ssize_t i
        self.lo, self.hi, self.back = ints(D.n), ints(D.n), ints(D.n)
        for z in range(D.n):
            next_place[z] = self.tin[z] + 1
            if self.tin[z] != NONE and suc[z] == NONE:
                self.hi[z], self.back[z] = self.OUTSIDE + 1, 1
        for i in range(by_prio.shape[0] - 1, -1, -1):
            z = by_prio[i]
            x, place = pre[z], next_place[pre[z]]
            while place < self.tout[x] and prio[self.order[place]] > prio[z]:
                place = self.tout[self.order[place]]
            next_place[x] = place
            self.lo[z], self.hi[z], self.back[z] = self.tin[x], place, D.length[suc[z]]
        return 0

    cdef bint valid_at(self, int32_t z, const int32_t *history, Py_ssize_t t) noexcept nogil:
        cdef int32_t w = history[t - self.back[z]]
        cdef int32_t place = self.OUTSIDE if w == NONE else self.tin[w]
        return self.lo[z] <= place < self.hi[z]

    cdef int32_t token_of(self, object z) except -1:
        cdef int32_t found = self.N.dictionary.index_of(z)
        if self.tin[found] == NONE:
            raise DictionaryError(f"{z!r} is no canonical token")
        return found

    def parent(self, z):
        """suc(z), or None for an atom (Section 3.4). One look-up."""
        cdef int32_t s = self.N.suc_token[self.token_of(z)]
        return None if s == NONE else self.N.dictionary.tokens[s]

    def children(self, z):
        """The tokens whose right part is z, latest rule first (Section 3.4). One look-up each."""
        cdef int32_t x = self.token_of(z), place = self.tin[x] + 1
        cdef list found = []
        while place < self.tout[x]:
            found.append(self.N.dictionary.tokens[self.order[place]])
            place = self.tout[self.order[place]]
        return found

    def preorder(self):
        """All canonical tokens by tin (Section 4.3). O(tokens)."""
        return [self.N.dictionary.tokens[z] for z in self.order[:self.N.n]]

    def interval(self, z):
        """(tin(z), tout(z)), the places of the subtree of z in preorder, half-open (Section 4.3). One look-up."""
        cdef int32_t i = self.token_of(z)
        return self.tin[i], self.tout[i]

    def valid_range(self, z):
        """(lo, hi): z is valid iff lo <= tin(w) < hi for the last token w of the text before suc(z) (Section 4.3).

        An atom's range is everything. One look-up.
        """
        cdef int32_t i = self.token_of(z)
        return self.lo[i], self.hi[i]

    def valid(self, z, w):
        """Whether z is valid after a text whose part before suc(z) ends with the token w: the range test.

        w is None where nothing stands there. Two comparisons.

        >>> from incbpe import Dictionary, normalize
        >>> F = SuccessorForest(normalize(Dictionary(["a", "aa"], [("a", "a")])))
        >>> F.valid("aa", "a"), F.valid("aa", "aa"), F.valid("a", None)
        (True, False, True)
        """
        cdef int32_t i = self.token_of(z)
        cdef int32_t place = self.OUTSIDE if w is None else self.tin[self.token_of(w)]
        return self.lo[i] <= place < self.hi[i]

    def valid_by_walking(self, z, w):
        """The same by Definition 4.1: w = pre(z), or it hangs below pre(z) by a rule later than that of z. O(depth)."""
        cdef int32_t i = self.token_of(z), c = NONE, u = NONE if w is None else self.token_of(w)
        if self.N.suc_token[i] == NONE:
            return True
        while u != NONE and u != self.N.pre_token[i]:
            c, u = u, self.N.suc_token[u]
        return u != NONE and (c == NONE or self.N.prio_rule[c] > self.N.prio_rule[i])

    def depth(self):
        """The most tokens above one, an atom having none: the levels that a walk down can take. O(tokens)."""
        cdef int32_t[::1] level = ints(self.N.dictionary.n)
        cdef int32_t z, deepest = 0
        for z in self.order[:self.N.n]:
            if self.N.suc_token[z] != NONE:
                level[z] = level[self.N.suc_token[z]] + 1
                deepest = max(deepest, level[z])
        return deepest

    @property
    def nbytes(self):
        """The memory of the tables, in bytes."""
        return 4 * (5 * self.tin.shape[0] + self.order.shape[0])

    def __len__(self):
        return self.N.n

    draw, to_dot, _repr_svg_ = draw, to_dot, repr_svg

    def __repr__(self):
        return f"<SuccessorForest of {self.N.n} tokens>"

    def check(self):
        """Raise AssertionError unless I1–I5 hold. Cost: the tokens, and for each z the children of pre(z).

        >>> from incbpe import Dictionary, normalize
        >>> SuccessorForest(normalize(Dictionary(["a", "b", "ab"], [("a", "b")]))).check()
        """
        cdef Dictionary D = self.N.dictionary
        cdef int32_t[::1] suc = self.N.suc_token, prio = self.N.prio_rule
        cdef int32_t z, x, place, stop, here = 0
        cdef list roots = [], siblings = []
        for z in range(D.n):
            holds("I1", (self.tin[z] != NONE) == bool(self.N.canonical[z]), D.tokens[z])
            holds("I1", self.tin[z] == NONE or self.order[self.tin[z]] == z, D.tokens[z])
        for place in range(self.N.n):
            z = self.order[place]
            holds("I1", self.tin[z] == place, D.tokens[z])
            if suc[z] == NONE:
                holds("I2", place == here, D.tokens[z])
                roots.append(D.tokens[z])
                here = self.tout[z]
                holds("I5", (self.lo[z], self.hi[z]) == (0, self.OUTSIDE + 1), D.tokens[z])
            else:
                x = self.N.pre_token[z]
                stop = self.tin[x] + 1
                while stop < self.tout[x] and prio[self.order[stop]] > prio[z]:
                    stop = self.tout[self.order[stop]]
                holds("I3", (self.lo[z], self.hi[z]) == (self.tin[x], stop), D.tokens[z])
                holds("I5", 0 <= self.lo[z] < self.hi[z] <= self.OUTSIDE, D.tokens[z])
            stop, siblings = place + 1, []
            while stop < self.tout[z]:
                x = self.order[stop]
                holds("I2", suc[x] == z and self.tout[x] > stop, D.tokens[x])
                siblings.append((prio[x], self.lo[x], self.hi[x]))
                stop = self.tout[x]
            holds("I2", stop == self.tout[z], D.tokens[z])
            holds("I2", all(c[0] > d[0] for c, d in zip(siblings, siblings[1:])), D.tokens[z])
            siblings.sort(key=lambda range_of: range_of[1])
            holds("I4", all(c[2] <= d[1] for c, d in zip(siblings, siblings[1:])), D.tokens[z])
        holds("I2", here == self.N.n and roots == sorted(roots), None)
