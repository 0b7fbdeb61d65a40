"""The strings of a trie while it is built, in their order.

Notation   S the strings: the tokens, by id, and behind them further ones · a branch: those that hang under one root
In order, what a string has in common with the one before is already a path, and all the rest of it is new. So no
look-up is needed to build a trie, and all nodes can be counted before the first is made.
Cost  one look at each symbol of the strings, and a second at those in common
"""
from array import array

from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport uint8_t

from linmaxmatch.vocabulary cimport Vocabulary
from subwordio.room cimport Room

cdef extern from *:
    int PyUnicode_KIND(object text) noexcept
    const void *PyUnicode_DATA(object text) noexcept


cdef class Spellings:
    """V's tokens and further strings (of bytes of UTF-8), as characters or as bytes."""

    def __cinit__(self, Vocabulary V not None, list further not None, bint bytewise):
        cdef Strings strings = V.strings
        self.strings, self.n, self.longest = strings, strings.n, strings.longest
        self.indicator_length = len(V.suffix_indicator)
        self.held, self.begin, self.order = strings.text, strings.begin, strings.order
        if further:
            self.add_further(further)
        if bytewise:
            self.all = Symbols(1, PyBytes_AS_STRING(self.held), len(self.held))
        else:
            self.count_characters()
            self.held = self.held.decode()
            self.all = Symbols(PyUnicode_KIND(self.held), PyUnicode_DATA(self.held), len(self.held))

    cdef int add_further(self, list further) except -1:
        cdef Py_ssize_t i, place, old = 0, new = 0
        cdef Strings strings = self.strings
        self.n += len(further)
        self.longest = max(self.longest, max(map(len, further)))
        self.held = b"".join([strings.text, *further])
        self.begin, self.order = array("i", [0]) * (self.n + 1), array("i", [0]) * self.n
        self.begin[:strings.n + 1] = strings.begin
        for i in range(strings.n, self.n):
            self.begin[i + 1] = self.begin[i] + <int32_t> len(further[i - strings.n])
        for place, _, i in sorted([(strings.place(s), s, strings.n + k) for k, s in enumerate(further)]):
            # order[:new] is done, and holds the tokens strings.order[:old].
            self.order[new:new + place - old] = strings.order[old:place]
            new += place - old + 1
            old = place
            self.order[new - 1] = i
        self.order[new:] = strings.order[old:strings.n]
        return 0

    cdef int count_characters(self) except -1:
        cdef const uint8_t *s = <const uint8_t *> PyBytes_AS_STRING(self.held)
        cdef int32_t[::1] begin = array("i", [0]) * (self.n + 1)
        cdef Py_ssize_t i, k
        for i in range(self.n):
            begin[i + 1] = begin[i]
            for k in range(self.begin[i], self.begin[i + 1]):
                begin[i + 1] += (s[k] & 0xC0) != 0x80
        self.begin = begin
        return 0

    cdef Symbols of(self, int32_t i) noexcept nogil:
        return Symbols(self.all.kind, <const char *> self.all.data + self.all.kind * self.begin[i],
                       self.begin[i + 1] - self.begin[i])

    cdef int share_out(self, Symbols indicator, object keep, Branch literals, Branch bodies, bint twice) except -1:
        """Give each string to the branches on which it stands: see Trie. `bodies` is None where there is one root.

        A suffix token is put on both where `twice`, and else among the bodies only.
        """
        cdef Symbols s
        cdef Py_ssize_t k
        cdef int32_t i
        cdef bint literal_stands, body_stands
        for k in range(self.n):
            i = self.order[k]
            s = self.of(i)
            literal_stands = True
            body_stands = i < self.strings.n and s.n > indicator.n and continues_with(s, 0, indicator)
            if keep is not None and i < self.strings.n:
                literal_stands = keep(self.strings.string(i), False)
                body_stands = body_stands and keep(self.strings.string(i)[self.indicator_length:], True)
            if bodies is None:
                if literal_stands or body_stands:
                    literals.add(i, s)
                continue
            if literal_stands and (twice or not body_stands):
                literals.add(i, s)
            if body_stands:
                bodies.add(i, s)
        return 0


cdef class Branch:
    """The strings under one root, added in their order."""

    def __cinit__(self, Spellings S not None, Py_ssize_t skip, Room room not None):
        self.S, self.skip = S, skip
        self.strings, self.shared, self.change = room.ints(S.n), room.ints(S.n), room.ints(S.longest + 2)

    cdef int add(self, int32_t i, Symbols s) except -1:
        """String i, whose symbols are s: new nodes from behind what it has in common with the string before."""
        cdef Py_ssize_t k = common(s, self.last, self.skip, self.S.all) if self.n > 0 else self.skip
        self.shared[self.n] = k - self.skip
        self.change[k - self.skip + 1] += 1
        self.change[s.n - self.skip + 1] -= 1
        self.strings[self.n], self.last = i, s
        self.n += 1
        return 0
