"""The longest pattern that begins at each place of a text.    (Aho and Corasick, 1975, on reversed patterns)

Read forwards, the automaton of Aho and Corasick knows at each place which patterns *end* there, and leftmost-longest
matching must then look back or read some bytes again and again. Read from the end, over the patterns reversed, it knows
which patterns *begin* there, the longest first, and one sweep forwards over what it found is leftmost-longest matching.
Nothing is read twice, whatever the patterns are.

Notation   node v: spells a suffix of some pattern, in the order of the text; the root spells nothing · fail(v): the
           node of the longest proper prefix of what v spells that is a node
I1  the nodes spell the suffixes of the patterns, each once
I2  fail(v) is that node; fail(root) = root
I3  own(v) is the first pattern that v spells, and `same` chains the others
Cost  building: the bytes of all patterns; a search: n steps down and at most as many along `fail`.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, realloc

from array import array

cdef extern from *:
    """
    static inline size_t edge_hash(uint64_t key) {      /* wraps, as a hash may */
        key *= 0x9E3779B97F4A7C15u;
        return (size_t)(key ^ (key >> 32));
    }
    """
    size_t edge_hash(uint64_t key) noexcept nogil

cdef int64_t MOST_BYTES = 2**28     # of all patterns together; nodes are int32


cdef void found_free(FoundBuffer *buffer) noexcept nogil:
    free(buffer.data)
    buffer.data, buffer.length, buffer.capacity = NULL, 0, 0


cdef int push(FoundBuffer *buffer, size_t start, int32_t pattern) except -1 nogil:
    """Append; amortised O(1)."""
    cdef size_t capacity
    cdef void *data
    if buffer.length == buffer.capacity:
        capacity = 2 * buffer.capacity + 16
        data = realloc(buffer.data, capacity * sizeof(Found))
        if data == NULL:
            with gil:
                raise MemoryError("the candidates of a text")
        buffer.data, buffer.capacity = <Found *> data, capacity
    buffer.data[buffer.length].start = start
    buffer.data[buffer.length].pattern = pattern
    buffer.length += 1
    return 0


cdef int insert_all(Automaton A, uint8_t[::1] last_byte, int32_t[::1] depth) except -1:
    """Make the nodes, with their parents, last bytes, depths and patterns."""
    cdef int32_t index, node, following
    cdef int32_t[::1] latest = array("i", [-1]) * len(A.patterns)    # by first pattern: the last of its chain
    cdef Py_ssize_t i
    cdef const uint8_t[::1] pattern
    cdef int64_t key
    cdef size_t mask = A.keys.shape[0] - 1, cell
    for index in range(len(A.patterns)):
        pattern = A.patterns[index]
        node = 0
        for i in range(pattern.shape[0] - 1, -1, -1):
            following = A.child(node, pattern[i])
            if following == 0:
                following = A.nodes
                A.nodes += 1
                key = 1 + (<int64_t> node) * 256 + pattern[i]
                cell = edge_hash(<uint64_t> key) & mask
                while A.keys[cell] != 0:
                    cell = (cell + 1) & mask
                A.keys[cell], A.children[cell] = key, following
                A.parent[following], last_byte[following] = node, pattern[i]
                depth[following] = depth[node] + 1
                if node == 0:
                    A.first[pattern[i]] = following
            node = following
        if A.own[node] < 0:
            A.own[node] = index
        else:
            A.same[latest[A.own[node]]] = index
        latest[A.own[node]] = index
    return 0


cdef int sort_nodes(Automaton A, int32_t[::1] depth) except -1:
    """The nodes by depth, by counting."""
    cdef int32_t v, d, deepest = 0, total = 0, here
    for v in range(A.nodes):
        deepest = max(deepest, depth[v])
    cdef int32_t[::1] begin = array("i", bytes(4 * (deepest + 1)))
    for v in range(A.nodes):
        begin[depth[v]] += 1
    for d in range(deepest + 1):
        here = begin[d]
        begin[d] = total
        total += here
    for v in range(A.nodes):
        A.order[begin[depth[v]]] = v
        begin[depth[v]] += 1
    return 0


cdef int link(Automaton A, const uint8_t[::1] last_byte) except -1:
    """fail(v), from the nodes of less depth."""
    cdef int32_t i, v, u, found
    for i in range(1, A.nodes):
        v = A.order[i]
        u, found = A.parent[v], 0
        while u and not found:
            u = A.fail[u]
            found = A.child(u, last_byte[v])
        A.fail[v] = found
    return 0


cdef class Automaton:
    """The trie of the reversed patterns with its failure links.

    ``Automaton(patterns)`` of `bytes`, none empty; repeated ones are kept, and the first counts.

    >>> Automaton([b"ab", b"abc", b"c"]).longest(b"abcabc")
    [(0, 1), (2, 2), (3, 1), (5, 2)]
    """

    def __cinit__(self, patterns):
        cdef int64_t total = 0
        self.patterns = tuple(patterns)
        for pattern in self.patterns:
            if not isinstance(pattern, bytes) or not pattern:
                raise ValueError(f"{pattern!r}: expected bytes, not empty")
            total += len(pattern)
        if total > MOST_BYTES:
            raise ValueError(f"{total} bytes of patterns, more than the limit of {MOST_BYTES}")
        cdef size_t cells = 16
        while cells < 2 * <size_t> (total + 1):
            cells *= 2
        self.keys, self.children = array("q", bytes(8 * cells)), array("i", bytes(4 * cells))
        self.parent, self.fail = array("i", bytes(4 * (total + 1))), array("i", bytes(4 * (total + 1)))
        self.own, self.same = array("i", [-1]) * (total + 1), array("i", [-1]) * len(self.patterns)
        self.order = array("i", bytes(4 * (total + 1)))
        self.nodes = 1
        last_byte = bytearray(total + 1)
        depth = array("i", bytes(4 * (total + 1)))
        insert_all(self, last_byte, depth)
        sort_nodes(self, depth)
        link(self, last_byte)

    cdef int32_t child(self, int32_t node, uint8_t byte) noexcept nogil:
        cdef int64_t key = 1 + (<int64_t> node) * 256 + byte
        cdef size_t mask = self.keys.shape[0] - 1, cell = edge_hash(<uint64_t> key) & mask
        while self.keys[cell] != 0:
            if self.keys[cell] == key:
                return self.children[cell]
            cell = (cell + 1) & mask
        return 0

    cdef int32_t[::1] best(self, const uint8_t[::1] allowed):
        cdef int32_t[::1] table = array("i", [-1]) * self.nodes
        cdef int32_t i, v, pattern
        for i in range(1, self.nodes):
            v = self.order[i]
            pattern = self.own[v]
            while pattern >= 0 and not allowed[pattern]:
                pattern = self.same[pattern]
            table[v] = pattern if pattern >= 0 else table[self.fail[v]]
        return table

    cdef int search(self, const int32_t[::1] best, const uint8_t *text, size_t n, FoundBuffer *out) except -1 nogil:
        cdef size_t i = n
        cdef int32_t v = 0, u
        # v is the node of the longest prefix of text[i:n] that is a node
        while i > 0:
            i -= 1
            u = self.child(v, text[i]) if v else self.first[text[i]]
            while u == 0 and v != 0:
                v = self.fail[v]
                u = self.child(v, text[i]) if v else self.first[text[i]]
            v = u
            if best[v] >= 0:
                push(out, i, best[v])
        return 0

    def longest(self, const uint8_t[::1] text):
        """(start, pattern) of the longest pattern that begins at each place of `text` where one does."""
        cdef FoundBuffer found
        found.data, found.length, found.capacity = NULL, 0, 0
        cdef size_t k
        try:
            if text.shape[0]:
                self.search(self.best(bytes([1]) * max(1, len(self.patterns))), &text[0], text.shape[0], &found)
            return [(found.data[k - 1].start, found.data[k - 1].pattern) for k in range(found.length, 0, -1)]
        finally:
            found_free(&found)

    def spelling(self, int32_t v):
        """What node `v` spells."""
        cdef bytearray spelt = bytearray()
        cdef int byte
        while v:
            for byte in range(256):
                if self.child(self.parent[v], <uint8_t> byte) == v:
                    spelt.append(byte)
            v = self.parent[v]
        return bytes(spelt)

    def check(self):
        """I1 to I3 again, from the spelling of every node."""
        cdef int32_t v
        spelt = [self.spelling(v) for v in range(self.nodes)]
        nodes = set(spelt)
        assert len(nodes) == self.nodes and nodes == {b""} | {p[i:] for p in self.patterns for i in range(len(p))}, "I1"
        for v in range(self.nodes):
            text = spelt[v]
            prefixes = [text[:i] for i in range(len(text)) if text[:i] in nodes]
            assert spelt[self.fail[v]] == max(prefixes, key=len, default=b""), "I2"
            chain = []
            p = self.own[v]
            while p >= 0:
                chain.append(p)
                p = self.same[p]
            assert chain == [i for i, pattern in enumerate(self.patterns) if pattern == text], "I3"
