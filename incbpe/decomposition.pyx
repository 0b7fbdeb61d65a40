"""Centroid decompositions of suffix-successor trees, all in one pool.          (Section 5.2)

A centroid of a tree of n nodes is a node without which no component has more than n/2 of them. The lowest node that has
more than n/2 in its subtree is one: so few are left above it, and none of its children has more. Each component is
decomposed again, so that ⌊log₂ n⌋ + 1 centroids lie on any way down.

Cost  n log n for a chain of n tokens; 3 entries a centroid and 2 a component below it. A component of one token has none.
"""
from libc.stdint cimport int32_t
from libc.stdlib cimport qsort

from incbpe.arrays cimport resized, room
from incbpe.dictionary cimport NONE, ints
from incbpe.successor cimport SuccessorForest
from incbpe.sufsuc cimport chain_length, take_chain


cdef int by_first(const void *a, const void *b) noexcept nogil:
    cdef int32_t x = (<const int32_t *>a)[0], y = (<const int32_t *>b)[0]
    return (x > y) - (x < y)


cdef class Decomposition:
    """Takes chains one by one; `pool` then has them all."""

    def __cinit__(self, SuccessorForest forest not None, shorter not None):
        self.forest, self.shorter = forest, shorter
        self.place = ints(forest.N.dictionary.n)
        self.pool = ints(64)
        self.reserve(16)

    cdef int reserve(self, int32_t n) except -1:
        self.nodes, self.parent, self.size, self.part = ints(n), ints(n), ints(n), ints(n)
        self.members, self.spare, self.found = ints(n), ints(2 * n), ints(3 * n)
        return 0

    cdef int32_t add(self, int32_t k) except -1:
        cdef int32_t i, n = chain_length(self.shorter, k)
        if n > self.nodes.shape[0]:
            self.reserve(2 * n)
        take_chain(self.forest.N.suc_token, self.shorter, k, self.nodes, self.parent, self.place)
        for i in range(n):
            self.members[i] = i
        return self.component(0, n)

    cdef int32_t component(self, int32_t begin, int32_t end) except -1:
        cdef int32_t at, c, i, j, root, base = self.top, above = NONE
        if end - begin == 1:
            return ALONE - self.nodes[self.members[begin]]
        at = self.centroid(begin, end)
        c = self.members[at]
        self.split(begin, end, at)
        i = begin
        while i < end - 1:                  # members[i:j] is a part; its first node is its root
            j, root = i + 1, self.members[i]
            while j < end - 1 and self.part[self.members[j]] == self.part[root]:
                j += 1
            if self.part[root] == 0:
                above = self.component(i, j)
            else:
                self.top += 3               # whatever is found below lies above this on the stack
                self.found[self.top - 1] = self.component(i, j)
                self.found[self.top - 2] = self.nodes[root]
                self.found[self.top - 3] = self.forest.lo[self.nodes[root]]
            i = j
        return self.write(self.nodes[c], above, base)

    cdef int32_t centroid(self, int32_t begin, int32_t end) except -1:
        cdef int32_t i, v
        for i in range(begin, end):
            self.size[self.members[i]] = 1
        for i in range(end - 1, begin, -1):     # a parent comes after its children, and is in the component
            v = self.members[i]
            if 2 * self.size[v] > end - begin:
                return i
            self.size[self.parent[v]] += self.size[v]
        return begin

    cdef int split(self, int32_t begin, int32_t end, int32_t at) except -1:
        """Part 0 is what is above the centroid; each child of it begins another. A counting sort, and c drops out."""
        cdef int32_t c = self.members[at], i, v, parts = 1, total = 0, count
        for i in range(begin, end):
            v = self.members[i]
            if i == at:
                continue
            if i == begin:
                self.part[v] = 0
            elif self.parent[v] == c:
                self.part[v] = parts
                parts += 1
            else:
                self.part[v] = self.part[self.parent[v]]
        for i in range(parts):
            self.spare[i] = 0
        for i in range(begin, end):
            if i != at:
                self.spare[self.part[self.members[i]]] += 1
        for i in range(parts):
            count = self.spare[i]
            self.spare[i] = total
            total += count
        for i in range(begin, end):
            if i != at:
                v = self.members[i]
                self.spare[parts + self.spare[self.part[v]]] = v
                self.spare[self.part[v]] += 1
        for i in range(total):
            self.members[begin + i] = self.spare[parts + i]
        return 0

    cdef int32_t write(self, int32_t c, int32_t above, int32_t base) except -1:
        cdef int32_t m = (self.top - base) // 3, p = self.used, i
        self.pool = room(self.pool, <Py_ssize_t>p + FIRST + 2 * m, p)
        if m > 1:
            qsort(&self.found[base], m, 3 * sizeof(int32_t), by_first)
        self.pool[p + CENTROID], self.pool[p + ABOVE], self.pool[p + CHILDREN] = c, above, m
        for i in range(m):
            self.pool[p + FIRST + 2 * i] = self.found[base + 3 * i + 1]
            self.pool[p + FIRST + 2 * i + 1] = self.found[base + 3 * i + 2]
        self.used += FIRST + 2 * m
        self.top = base
        return p

    cdef int32_t[::1] trimmed(self):
        return resized(self.pool, self.used, self.used)
