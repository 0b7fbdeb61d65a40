"""Failure links f(v) and failure pops F(v).          (Definition 1, Lemma 5, Algorithm 2)

Notation   v = δ(u, c) a node · χ_v its string · F(v) the shortest non-empty list of longest-matching prefixes to pop
           from χ_v so that the rest is a node · f(v) that node · h, H one step, as onestep has them · ∅ None, -1 in C
I1  f(v) is a node or ∅, and F(v) = [] exactly where f(v) = ∅
I2  the tokens of F(v), ♯ taken off the later ones, and what χ of f(v) has after ♯, spell χ_v (given nodes aside)
I3  f(r) = f(r♯) = ∅
I4  |χ| of f(v), ♯ not counted, is smaller than that of v, so that chains of failure links end
I5  `order` has each node that r or r♯ reaches once, both roots first, by depth below them
Cost  O(Mm) for the sum M of token lengths and the longest token m: the total length of all F.
"""

from linmaxmatch.trie cimport NONE, Symbols, ints, node_t
from linmaxmatch.vocabulary cimport holds

from linmaxmatch.vocabulary import VocabularyError
from subwordio.drawable import draw, repr_svg, to_dot

cdef enum:
    OPEN = -2                               # f of a node that Algorithm 2 has still to reach
cdef int32_t MOST_POPS = 2**27              # entries of the pool, 512 MB: hundreds of times what real ones need


cdef class Tables:
    """f and F of every node, as Algorithm 2 computes them.

    ``Tables(T, given=())``: `given` holds (v, f(v), token id) for nodes that Algorithm 2 shall leave alone, F(v) being
    the one token and f(v) a dead node. Algorithm 3 gives the punctuation marks so.

    >>> from linmaxmatch import Trie, Vocabulary
    >>> T = Trie(Vocabulary(["a", "abcd", "##b", "##bc", "##z", "<unk>"]))
    >>> tables = Tables(T)
    >>> v = T.delta(T.delta(T.delta(T.root, "a"), "b"), "c")
    >>> tables.F(v), T.chi(tables.f(v)), tables.f(T.root)
    (['a'], '##bc', None)
    """

    def __cinit__(self, Trie T not None, given=()):
        cdef node_t v
        self.trie = T
        self.f_node, self.F_begin, self.F_length = T.room.ints(T.n), T.room.ints(T.n), T.room.ints(T.n)
        self.pool = T.room.ints(T.n + len(given))
        self.set_order()
        self.f_node[:] = NONE               # what neither root reaches has no data
        for v in self.order:
            self.f_node[v] = OPEN
        for node, link, token in given:
            v = T.node_of(node)
            self.f_node[v] = T.node_of(link)
            if self.f_node[self.f_node[v]] != NONE:         # else chains of failure links might not end
                raise ValueError(f"given: f({v}) = {link} is no dead node")
            self.F_begin[v], self.F_length[v] = self.used, 1
            self.pool[self.used] = T.vocabulary.id_of(T.vocabulary.token(token))
            self.used += 1
        self.fill()
        self.pool = self.pool[:self.used]

    cdef int set_order(self) except -1:
        """The nodes by their depth below r or r♯: a counting sort, since a parent is smaller than its child.

        With two roots they are numbered so, what neither reaches behind the others.
        """
        cdef Trie T = self.trie
        cdef int32_t[::1] depth, begin
        cdef int32_t deepest = 0, reached = 0, d
        cdef node_t v
        if T.level:
            self.order = T.room.ints(T.first[T.n])
            for v in range(T.first[T.n]):
                self.order[v] = v
            return 0
        depth = ints(T.n)
        for v in range(T.n):
            if v == T.root or v == T.suffix_root:
                depth[v] = 0
            elif T.parent[v] == NONE or v == T.severed or depth[T.parent[v]] == NONE:
                depth[v] = NONE
                continue
            else:
                depth[v] = depth[T.parent[v]] + 1
            reached += 1
            deepest = max(deepest, depth[v])
        begin = ints(deepest + 2)
        for v in range(T.n):
            if depth[v] != NONE:
                begin[depth[v] + 1] += 1
        for d in range(deepest):
            begin[d + 1] += begin[d]
        self.order = ints(reached)
        for v in range(T.n):
            if depth[v] != NONE:
                self.order[begin[depth[v]]] = v
                begin[depth[v]] += 1
        return 0

    cdef int fill(self) except -1:
        """Algorithm 2. With the parent's data at hand, v = δ(u, c) needs one step of h from f(u)."""
        cdef Trie T = self.trie
        cdef Py_ssize_t i
        cdef int32_t before, c
        cdef node_t v, u, z, w
        for i in range(self.order.shape[0]):
            v = self.order[i]
            if self.f_node[v] != OPEN:
                continue
            self.f_node[v] = NONE
            if v == T.root or v == T.suffix_root:
                continue
            if T.token_id[v] != NONE:       # χ_v ∈ V
                self.f_node[v] = T.suffix_root
                self.F_begin[v], self.F_length[v] = self.used, 1
                self.reserve(1)
                self.pool[self.used] = T.token_id[v]
                self.used += 1
                continue
            u, c = T.parent[v], T.symbol[v]
            z = self.f_node[u]
            if z == NONE:
                continue
            w = T.child(z, c)
            if w != NONE:                   # nothing more to pop: F(v) is F(u), in the same place
                self.f_node[v] = w
                self.F_begin[v], self.F_length[v] = self.F_begin[u], self.F_length[u]
                continue
            before = self.used
            self.append(u)
            while w == NONE and self.f_node[z] != NONE:
                self.append(z)
                z = self.f_node[z]
                w = T.child(z, c)
            if w == NONE:                   # h(f(u), c) = ∅
                self.used = before
            else:
                self.f_node[v] = w
                self.F_begin[v], self.F_length[v] = before, self.used - before
        return 0

    cdef int reserve(self, int32_t extra) except -1:
        """Room for `extra` more entries of the pool."""
        return self.grow(extra) if extra > self.pool.shape[0] - self.used else 0

    cdef int grow(self, int32_t extra) except -1:
        cdef int32_t[::1] larger
        if extra > MOST_POPS - self.used:
            raise VocabularyError(f"the failure pops need more than {MOST_POPS} entries")
        larger = ints(min(<Py_ssize_t>MOST_POPS, 2 * self.pool.shape[0] + extra))
        larger[:self.used] = self.pool[:self.used]
        self.pool = larger
        return 0

    cdef int append(self, node_t v) except -1:
        """F(v) once more at the end of the pool."""
        cdef int32_t k
        self.reserve(self.F_length[v])
        for k in range(self.F_begin[v], self.F_begin[v] + self.F_length[v]):
            self.pool[self.used] = self.pool[k]
            self.used += 1
        return 0

    def f(self, v):
        """f(v): the failure link of a node, or None for ∅ (Definition 1). One look-up."""
        cdef node_t u = self.f_node[self.trie.node_of(v)]
        return None if u == NONE else u

    def F(self, v):
        """F(v): the failure pops of a node (Definition 1). Cost |F(v)|."""
        cdef node_t u = self.trie.node_of(v)
        cdef int32_t k
        return [self.trie.vocabulary.strings.string(self.pool[k])
                for k in range(self.F_begin[u], self.F_begin[u] + self.F_length[u])]

    failure_link = f
    failure_pops = F

    draw, to_dot, _repr_svg_ = draw, to_dot, repr_svg

    def __repr__(self):
        return f"<Tables of {self.trie!r}, {self.used} pops stored>"

    def check(self):
        """Raise AssertionError unless I1–I5 hold. Cost: the sum of |χ_v| over the nodes.

        >>> from linmaxmatch import Trie, Vocabulary
        >>> Tables(Trie(Vocabulary(["a", "abc", "##b", "<unk>"]))).check()
        """
        cdef Trie T = self.trie
        cdef node_t v
        width = len(T.text_of(T.vocabulary.suffix_indicator))
        reached = list(self.order)
        depth = {T.root: 0, T.suffix_root: 0}
        for v in reached:
            holds("I5", v in depth or T.parent[v] in depth and v != T.severed, v)
            depth.setdefault(v, depth[T.parent[v]] + 1 if v not in depth else 0)
        holds("I5", len(set(reached)) == len(reached) == len(depth), None)
        holds("I5", sorted(reached, key=depth.get) == reached, None)
        for v in range(T.n):
            link, pops = self.f(v), self.F(v)
            holds("I1", link is None or 0 <= link < T.n, v)
            holds("I1", (link is None) == (pops == []), v)
            if v in (T.root, T.suffix_root):
                holds("I3", link is None, v)
            if link in depth:
                holds("I4", depth[link] < depth[v], v)
                root, text = T.spelling(v)
                spelt = [T.text_of(token) for token in pops]
                rest = T.spelling(link)[1]
                tail = (spelt[0][width:] if root == T.suffix_root else spelt[0], *(s[width:] for s in spelt[1:]), rest)
                holds("I2", text == text[:0].join(tail), v)


def precompute(T):
    """Algorithm 2: the failure tables of a trie. O(Mm) for the token lengths' sum M and maximum m.

    >>> from linmaxmatch import Trie, Vocabulary
    >>> T = Trie(Vocabulary(["a", "ab", "##c", "abcde", "<unk>"]))
    >>> tables = precompute(T)
    >>> [(T.chi(v), tables.F(v)) for v in range(len(T)) if T.chi(v) in ("abc", "abcd")]
    [('abc', ['ab']), ('abcd', [])]
    """
    return Tables(T)


cdef tuple definition_1(Trie T, node_t v):
    """(f(v), F(v)) by Definition 1 itself: one longest-matching prefix, then more until the rest is a node."""
    cdef list pops = []
    cdef Py_ssize_t i = 0, end = 0
    cdef node_t root, popped, rest
    root, text = T.spelling(v)
    cdef Symbols s = T.take(text)           # of symbols that were spelt just now, and `text` holds them
    while True:
        popped = T.longest(root, s, i, &end)
        if popped == NONE:
            return None, []
        pops.append(T.token(popped))
        root, i = T.suffix_root, end
        rest = T.walk(root, s, i)
        if rest != NONE:
            return rest, pops


def f(Trie T not None, v):
    """f(v): the node left when F(v) is popped from χ_v, or None for ∅ (Definition 1). O(|χ_v| m).

    >>> from linmaxmatch import Trie, Vocabulary
    >>> T = Trie(Vocabulary(["a", "abcd", "##b", "##bc", "##z", "<unk>"]))
    >>> [(T.chi(v), f(T, v) if f(T, v) is None else T.chi(f(T, v))) for v in range(3, 7)]
    [('a', '##'), ('ab', '##b'), ('abc', '##bc'), ('abcd', '##')]
    """
    return definition_1(T, T.node_of(v))[0]


def F(Trie T not None, v):
    """F(v): the shortest non-empty list of longest-matching prefixes to pop from χ_v until a node is left
    (Definition 1); [] where f(v) = ∅. O(|χ_v| m).

    >>> from linmaxmatch import Trie, Vocabulary
    >>> T = Trie(Vocabulary(["a", "abcd", "##b", "##bc", "##z", "<unk>"]))
    >>> [(T.chi(v), F(T, v)) for v in range(3, 7)]
    [('a', ['a']), ('ab', ['a']), ('abc', ['a']), ('abcd', ['abcd'])]
    """
    return definition_1(T, T.node_of(v))[1]


failure_link = f
failure_pops = F
