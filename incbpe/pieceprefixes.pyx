"""The pieces of every prefix of a text, the way it is split when it ends there.

Where a text ends changes how its end is split, and only that: the closed pieces (`openpiece`) of text[:i] are pieces of
the whole text, and what is open splits into a few pieces more. So the pieces of all prefixes are a tree, like the token
prefix tree of the paper (§3): the whole text's pieces are its trunk, and each prefix adds a twig of at most four pieces
to the trunk, most often of one. The second machine of a reading makes a twig without reading anything again.

    text "a \\n  b", llama3:   [:1] a   [:2] a|␣   [:3] a|␣\\n   [:4] a|␣\\n|␣   [:5] a|␣\\n|␣␣   [:6] a|␣\\n|␣|␣b

A prefix may end inside a character. Its last bytes are then an ill-formed run, which is split as U+FFFD would be and
keeps its bytes, as in `Splitter.split(text[:i])`.

I1  parents come before their children and end where they begin; node 0 alone begins and ends at 0
I2  at[i] ends at i, and the path to it is Splitter.split(text[:i])
I3  reach[i] is the largest end of the nodes that begin at i, and the pieces that the reaches span add up to at most 4 n
I4  there are at most 4 n + 1 nodes
Cost  O(n) time; 12 bytes a node, of which there are hardly more than n, and 8 bytes a byte of text.
"""
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport calloc, free, realloc
from libc.string cimport memset

from incbpe.openpiece cimport MOST_CLOSED, Reading, read, read_end, read_ill_formed
from incbpe.pretokenize cimport Splitter
from subwordio.text cimport ByteBuffer, Utf8, bytes_free, utf8_view

cdef extern from "incbpe/split.h":
    size_t incbpe_character(const uint8_t *text, size_t i, size_t n) noexcept nogil

cdef size_t MOST_BYTES = 2**30 - 1              # so that 4 n + 1 nodes have 32-bit numbers


cdef class PiecePrefixes:
    """The pieces of text[:i] for every i from 0 to len(text), counted in bytes.

    ``PiecePrefixes(splitter, text)``: `text` is a str, or any bytes. ValueError for one of 1 GiB or more.

    >>> from incbpe.pretokenize import Splitter
    >>> P = PiecePrefixes(Splitter("gpt2"), "we'll")
    >>> [P.pieces(i) for i in (2, 3, 4, 5)]
    [[b'we'], [b'we', b"'"], [b'we', b"'", b'l'], [b'we', b"'ll"]]
    """

    def __cinit__(self, Splitter splitter not None, text):
        cdef Utf8 view
        cdef ByteBuffer scratch = ByteBuffer(NULL, 0, 0)
        self.splitter = splitter
        if isinstance(text, bytes):
            self.text = text
        else:
            try:
                utf8_view(text, &view, &scratch)
                self.text = view.data[:view.length]
            finally:
                bytes_free(&scratch)
        self.n = len(self.text)
        if self.n > MOST_BYTES:
            raise ValueError(f"the text has {self.n} bytes, but its prefixes are kept for at most {MOST_BYTES}")
        self.at = <uint32_t *>calloc(self.n + 1, sizeof(uint32_t))
        self.reach = <uint32_t *>calloc(self.n + 1, sizeof(uint32_t))
        if self.at == NULL or self.reach == NULL:
            raise MemoryError()
        self.fill()

    def __dealloc__(self):
        free(self.node)
        free(self.at)
        free(self.reach)

    cdef uint32_t add(self, size_t begin, size_t end, uint32_t parent, size_t i) except? 0:
        """The node of this piece, made unless it is at[end] already; at[:i] is filled."""
        cdef uint32_t known
        cdef Node *grown
        if end < i:
            known = self.at[end]
            if self.node[known].begin == begin and self.node[known].parent == parent:
                return known
        if self.nodes == self.capacity:
            self.capacity += self.capacity // 2 + 64
            grown = <Node *>realloc(self.node, self.capacity * sizeof(Node))
            if grown == NULL:
                raise MemoryError()
            self.node = grown
        self.node[self.nodes] = Node(<uint32_t>begin, <uint32_t>end, parent)
        self.reach[begin] = max(self.reach[begin], <uint32_t>end)
        self.nodes += 1
        return <uint32_t>(self.nodes - 1)

    cdef uint32_t add_all(self, const size_t *ends, int n, size_t begin, uint32_t parent, size_t i) except? 0:
        """The node of the last of n pieces, which follow `parent` from `begin` on."""
        cdef int k
        for k in range(n):
            parent = self.add(begin, ends[k], parent, i)
            begin = ends[k]
        return parent

    cdef int fill(self) except -1:
        cdef const uint8_t *text = self.text
        cdef size_t[2 * MOST_CLOSED] ends
        cdef size_t i = 0, after, j, length
        cdef uint32_t trunk = 0
        cdef Reading r, end
        cdef int closed
        memset(&r, 0, sizeof(Reading))
        self.add(0, 0, 0, 0)
        while i < self.n:
            # at[:i + 1] is filled; text[:i] is read in r, and its closed pieces lead to `trunk`.
            length = incbpe_character(text, i, self.n)
            after = i + length
            if length == 0:
                after = i + 1
                while after < self.n and incbpe_character(text, after, self.n) == 0:
                    after += 1
            for j in range(i + 1, after):
                end = r
                closed = read_ill_formed(self.splitter, &end, j, ends)
                closed += read_end(self.splitter, &end, ends + closed)
                self.at[j] = self.add_all(ends, closed, r.start, trunk, j)
            end = r
            if length:
                closed = read(self.splitter, &r, self.splitter.classes.of(text + i), after, ends)
            else:
                closed = read_ill_formed(self.splitter, &r, after, ends)
            trunk = self.add_all(ends, closed, end.start, trunk, after)
            end = r
            closed = read_end(self.splitter, &end, ends)
            self.at[after] = self.add_all(ends, closed, r.start, trunk, after)
            i = after
        return 0

    def pieces(self, i=None):
        """The pieces of text[:i], or of the text, as bytes. O(their number). IndexError for i outside 0 … n."""
        return [self.text[begin:end] for begin, end in self.spans(i)]

    def spans(self, i=None):
        """The same as pairs (begin, end)."""
        cdef uint32_t k
        cdef Py_ssize_t place = self.n if i is None else i
        if not 0 <= place <= <Py_ssize_t>self.n:
            raise IndexError(f"expected a place from 0 to {self.n}, got {i!r}")
        k = self.at[place]
        spans = []
        while k:
            spans.append((self.node[k].begin, self.node[k].end))
            k = self.node[k].parent
        return spans[::-1]

    def __len__(self):
        return self.n + 1

    def __repr__(self):
        return f"<PiecePrefixes of {self.n} bytes, {self.nodes} nodes, {self.splitter!r}>"

    def check(self):
        """Raise AssertionError unless I1–I4 hold. O(n²), since it splits every prefix.

        >>> from incbpe.pretokenize import Splitter
        >>> PiecePrefixes(Splitter("o200k"), "it'll say 日AB é\\n  \\n").check()
        """
        cdef size_t k, i
        cdef dict reach = {}
        for k in range(1, self.nodes):
            begin, end, parent = self.node[k].begin, self.node[k].end, self.node[k].parent
            assert parent < k and self.node[parent].end == begin < end, "I1"
            reach[begin] = max(end, reach.get(begin, 0))
        assert (self.node[0].begin, self.node[0].end) == (0, 0), "I1"
        assert self.nodes <= 4 * self.n + 1, "I4"
        for i in range(self.n + 1):
            assert self.node[self.at[i]].end == i and self.pieces(i) == self.splitter.split(self.text[:i]), "I2"
            assert self.reach[i] == reach.get(i, 0), "I3"
        assert sum(end - begin for begin, end in reach.items()) <= 4 * self.n, "I3"
