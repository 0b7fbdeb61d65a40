"""The nodes of a trie: their numbers and their edges.

Numbers    With two roots, by depth, and of one depth by what is spelt: so the children of a node stand side by side, by
           their symbols. With one root, as they come to be when ♯ and then the tokens, by their ids, are put in one
           after the other: so the paper numbers them.
Building   In order, what a string has in common with the one before is a path already and the rest is new. So all nodes
           of a depth can be counted first and no edge is looked up.
I1  a parent is smaller than its child, and only roots (and dead nodes) have none
I2  δ(parent(v), symbol(v)) = v for every other node whose edge was not cut
I3  the edges of u are those from first(u) to first(u + 1) - 1, in the order of their symbols
Cost  building: O(1) for each node and each string; an edge: a binary search among those of its node.
"""
from array import array

from libc.stdint cimport int64_t

from linmaxmatch.vocabulary cimport holds

from linmaxmatch.vocabulary import VocabularyError

cdef object ZERO = array("i", [0])
cdef int64_t MOST_NODES = 2**30             # 16 GB of arrays


cdef int32_t[::1] ints(Py_ssize_t n):
    return ZERO * n


cdef int32_t[::1] with_one_more(int32_t[::1] old, int32_t entry):
    cdef int32_t[::1] new = ints(old.shape[0] + 1)
    new[:old.shape[0]] = old
    new[old.shape[0]] = entry
    return new


cdef class Nodes:
    """What a Trie is made of."""

    cdef int grow(self, Branch literals, Branch bodies) except -1:
        """The nodes of the strings of two branches; without the second, of one."""
        cdef int32_t[::1] at = ints(literals.S.longest + 3)
        self.severed = NONE
        self.reserve(literals, bodies, at)
        self.hang(literals, 0, at)
        if bodies is not None:
            self.hang(bodies, 1, at)
        self.set_edges()
        return 0

    cdef int reserve(self, Branch literals, Branch bodies, int32_t[::1] at) except -1:
        """Arrays for all nodes. at[d] becomes the number of the first node at depth d."""
        cdef int64_t nodes = 0, there = 1 if bodies is None else 2
        cdef Py_ssize_t d
        for d in range(at.shape[0]):
            # `there` nodes are at depth d, `nodes` above.
            at[d] = <int32_t> nodes
            nodes += there
            self.depth = d if there > 0 else self.depth
            if nodes > MOST_NODES:
                raise VocabularyError(f"the trie needs more than {MOST_NODES} nodes")
            if d == 0:
                there = 0
            if d + 1 < literals.change.shape[0]:
                there += literals.change[d + 1] + (0 if bodies is None else bodies.change[d + 1])
        self.n = <node_t> nodes
        self.parent, self.symbol, self.token_id = self.room.ints(nodes), self.room.ints(nodes), self.room.ints(nodes)
        self.token_id[:] = NONE
        self.parent[:at[1]] = NONE
        self.symbol[:at[1]] = NONE
        return 0

    cdef int hang(self, Branch branch, node_t root, int32_t[::1] at) except -1:
        """New nodes for what each string does not share with the one before; at[d] is the next one at depth d."""
        cdef int32_t[::1] path = ints(self.depth + 1)       # the nodes of the present string, by depth
        cdef Spellings S = branch.S
        cdef Py_ssize_t k, d, depth
        cdef int32_t i, begin
        cdef node_t v
        path[0] = root
        for k in range(branch.n):
            i = branch.strings[k]
            begin = S.begin[i] + <int32_t> branch.skip
            depth = S.begin[i + 1] - begin
            for d in range(branch.shared[k], depth):
                v = at[d + 1]
                at[d + 1] += 1
                self.parent[v] = path[d]
                self.symbol[v] = symbol_at(S.all, begin + d)
                path[d + 1] = v
            if i < S.strings.n:
                self.token_id[path[depth]] = i
        return 0

    cdef int set_edges(self) except -1:
        """The edges where nodes are numbered by depth: the children of a node stand in the order of their parents."""
        cdef node_t v
        self.level, self.label, self.first = True, self.symbol, self.room.ints(self.n + 1)
        for v in range(self.n):
            self.first[self.parent[v] + 1] += 1             # a root is behind NONE, so in front of all edges
        for v in range(self.n):
            self.first[v + 1] += self.first[v]
        return 0

    cdef int renumber(self, node_t suffix_root, Py_ssize_t tokens) except -1:
        """The numbers that one root has. A node is made by the first string that passes it: ♯, or a token, or another."""
        cdef Py_ssize_t others = tokens + 1
        cdef int32_t[::1] maker = ints(self.n), number = ints(self.n), at = ints(others + 2)
        cdef int32_t[::1] parent = ints(self.n), symbol = ints(self.n), token_id = ints(self.n)
        cdef node_t v
        cdef int32_t k
        for v in range(self.n):
            maker[v] = self.token_id[v] + 1 if self.token_id[v] != NONE else <int32_t> others
        maker[0] = maker[suffix_root] = 0
        for v in range(self.n - 1, 0, -1):
            maker[self.parent[v]] = min(maker[self.parent[v]], maker[v])
        for v in range(self.n):
            at[maker[v] + 1] += 1
        for k in range(others + 1):
            at[k + 1] += at[k]
        for v in range(self.n):             # from the root down, so one string's nodes are in the order of its path
            number[v] = at[maker[v]]
            at[maker[v]] += 1
            parent[number[v]] = NONE if v == 0 else number[self.parent[v]]
            symbol[number[v]], token_id[number[v]] = self.symbol[v], self.token_id[v]
        self.parent, self.symbol, self.token_id = parent, symbol, token_id
        self.level, self.label, self.head = False, ints(self.n), ints(self.n)
        # first[u + 2] counts the edges of u, then first[u + 1] is where the next one goes, and in the end where they end.
        self.first = ints(self.n + 2)
        for v in range(1, self.n):
            self.first[parent[v] + 2] += 1
        for v in range(self.n):
            self.first[v + 2] += self.first[v + 1]
        for v in range(1, self.n):          # in the old order, which is that of the symbols
            k = self.first[parent[number[v]] + 1]
            self.first[parent[number[v]] + 1] += 1
            self.label[k], self.head[k] = symbol[number[v]], number[v]
        self.first = self.first[:self.n + 1]
        return 0

    cdef node_t child(self, node_t u, int32_t c) noexcept nogil:
        cdef int32_t edge = self.first[u], rest = self.first[u + 1] - edge, half
        cdef node_t v
        if rest == 0:
            return NONE
        while rest > 1:                     # if c has an edge, it is one of edge … edge + rest - 1
            half = rest >> 1
            if self.label[edge + half] <= c:
                edge += half
            rest -= half
        if self.label[edge] != c:
            return NONE
        v = edge if self.level else self.head[edge]
        return v if v != self.severed else NONE

    cdef node_t add_dead(self) except -1:
        cdef node_t v = self.n
        self.parent, self.symbol = with_one_more(self.parent, NONE), with_one_more(self.symbol, NONE)
        self.token_id, self.first = with_one_more(self.token_id, NONE), with_one_more(self.first, self.first[v])
        self.n += 1
        return v

    cdef int cut(self, node_t v) except -1:
        # chi still reads its symbol.
        self.severed = v
        return 0

    def check(self):
        """Raise AssertionError unless I1–I3 hold. O(nodes), and a look-up for each."""
        cdef node_t u, v
        cdef int32_t k
        for v in range(self.n):
            holds("I1", self.parent[v] < v and (self.parent[v] != NONE or self.symbol[v] == NONE), v)
            if self.symbol[v] != NONE and v != self.severed:
                holds("I2", self.child(self.parent[v], self.symbol[v]) == v, v)
            for k in range(self.first[v], self.first[v + 1]):
                u = k if self.level else self.head[k]
                holds("I3", self.parent[u] == v and self.symbol[u] == self.label[k], v)
                holds("I3", k == self.first[v] or self.label[k - 1] < self.label[k], u)
        holds("I3", self.first[self.n] - self.first[0] == sum([parent != NONE for parent in self.parent]), self.n)
