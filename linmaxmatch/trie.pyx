"""The trie T, its edges δ(u, c), its strings χ_v, and the roots r and r♯.          (Section 3.1)

Notation   u, v nodes · c a symbol · δ(u, c) the child of u by c, or ∅ · χ_v the string that node v spells ·
           r the root, χ_r = ε · r♯ the node of ♯
One root   the trie of V ∪ {♯}: r♯ lies on the way of ♯ from r, so that a word which itself starts with ♯ cannot be
           told from a later piece (matchloop has the repair). The entry ♯ of a vocabulary is no piece here: r♯ holds
           no token.
Two roots  every token stands spelt out under r, ♯ included, and the bodies (♯ taken off) of suffix tokens stand
           under a separate r♯. Nothing is special then, for a few more nodes. Where ♯ is empty r♯ = r in both.
I1  a parent is smaller than its child, and only roots (and dead nodes) have none
I2  δ(parent(v), symbol(v)) = v for every other node whose edge was not cut
I3  token(v) is None or, as ♯ counts under r♯, exactly χ_v
I4  r and r♯ hold no token, and χ of them is ε and ♯
I5  every array has one entry a node, and at most half of the slots are taken
Cost  building: one hash probe for each symbol of V (two roots: of V and of the bodies); δ: one probe.
"""
from array import array

from libc.stdint cimport int64_t

from linmaxmatch.vocabulary cimport holds

from linmaxmatch.vocabulary import VocabularyError

cdef extern from *:
    """
    /* Slot of an edge: multiplication by the golden ratio in wrapping arithmetic, high bits folded down. */
    static inline uint32_t lmm_edge_hash(int32_t u, int32_t c) {
        uint64_t h = (((uint64_t)(uint32_t)u << 21) ^ (uint64_t)(uint32_t)c) * 0x9E3779B97F4A7C15u;
        return (uint32_t)(h >> 32) ^ (uint32_t)(h >> 61);
    }
    """
    uint32_t edge_hash "lmm_edge_hash"(int32_t u, int32_t c) noexcept nogil
    bint PyUnicode_IS_ASCII(object text) noexcept
    bytes PyUnicode_AsUTF8String(object text)
    int PyUnicode_KIND(object text) noexcept
    const void *PyUnicode_DATA(object text) noexcept

cdef object ZERO = array("i", [0])
cdef int64_t MOST_NODES = 2**30             # so that slot numbers stay within uint32


cdef int32_t[::1] ints(Py_ssize_t n):
    return ZERO * n


cdef int32_t[::1] resized(int32_t[::1] old, Py_ssize_t n, Py_ssize_t kept):
    cdef int32_t[::1] new = ints(n)
    new[:kept] = old[:kept]
    return new


cdef class Trie:
    """T, the trie of V and ♯ (Section 3.1), over characters or over the bytes of UTF-8.

    ``Trie(V, roots=1, symbols="characters", keep=None, literal_suffixes=True)``

    roots    1, the paper's trie of V ∪ {♯}, or 2, literal spellings under r and bodies of suffix tokens under r♯
    symbols  "characters", or "bytes": δ reads an int of 0 to 255, and χ_v is bytes
    keep     None, or a function (spelling, is_body) that says whether a spelling stands in the trie: it is asked for
             each token (is_body False) and for what follows ♯ in it (is_body True). With one root a token stands if
             either does. Algorithm 3 leaves tokens out in this way.
    literal_suffixes    with two roots, False leaves suffix tokens out under r: for words none of which starts with ♯

    Nodes are the ints 0 to len(T) - 1, and ∅ is None.

    >>> from linmaxmatch import Trie, Vocabulary
    >>> V = Vocabulary(["a", "abcd", "##b", "##bc", "##z", "<unk>"])
    >>> T = Trie(V)
    >>> v = T.delta(T.delta(T.suffix_root, "b"), "c")
    >>> T.chi(v), T.token(v), T.delta(v, "d"), T.chi(T.suffix_root)
    ('##bc', '##bc', None, '##')
    """

    def __cinit__(self, Vocabulary V not None, roots=1, symbols="characters", keep=None, literal_suffixes=True):
        if roots not in (1, 2):
            raise ValueError(f"roots: expected 1 or 2, got {roots!r}")
        if roots == 1 and not literal_suffixes:
            raise ValueError("literal_suffixes: one root has suffix tokens under r only")
        if symbols not in ("characters", "bytes"):
            raise ValueError(f"symbols: expected 'characters' or 'bytes', got {symbols!r}")
        self.vocabulary, self.roots, self.symbols = V, roots, symbols
        self.bytewise = symbols == "bytes"
        self.held_indicator = self.hold(V.suffix_indicator)
        self.indicator = self.take(self.held_indicator)
        guess = 2 * (len(V) + len(V.suffix_indicator) + 4)
        self.parent, self.symbol, self.token_id = ints(guess), ints(guess), ints(guess)
        self.slots = ints(1 << (2 * guess - 1).bit_length())
        self.mask = <uint32_t>(self.slots.shape[0] - 1)
        self.root = self.add_dead()
        self.suffix_root = self.root
        if V.suffix_indicator:
            self.suffix_root = self.add_dead() if roots == 2 else self.put(self.root, self.indicator, 0, NONE)
        self.put_all(keep, literal_suffixes)
        self.token_id[self.root] = self.token_id[self.suffix_root] = NONE
        self.trim()

    cdef int put_all(self, keep, bint literal_suffixes) except -1:
        cdef Vocabulary V = self.vocabulary
        cdef Symbols s
        cdef object held
        cdef int32_t i
        cdef bint two = self.suffix_root != self.root and self.roots == 2
        cdef bint literal_stands = True, body_stands
        for i, entry in enumerate(V.tokens):
            held = self.hold(entry)
            s = self.take(held)
            body_stands = s.n > self.indicator.n and continues_with(s, 0, self.indicator)
            if keep is not None:
                literal_stands = keep(entry, False)
                body_stands = body_stands and keep(entry[len(V.suffix_indicator):], True)
            if literal_stands and (literal_suffixes or not body_stands) or body_stands and not two:
                self.put(self.root, s, 0, i)
            if body_stands and two:
                self.put(self.suffix_root, s, self.indicator.n, i)
        return 0

    cdef node_t put(self, node_t u, Symbols s, Py_ssize_t i, int32_t token) except -1:
        while i < s.n:
            u = self.add_child(u, symbol_at(s, i))
            i += 1
        if token != NONE:
            self.token_id[u] = token
        return u

    cdef node_t child(self, node_t u, int32_t c) noexcept nogil:
        cdef uint32_t i = edge_hash(u, c) & self.mask
        cdef node_t v = self.slots[i]
        while v and (self.parent[v] != u or self.symbol[v] != c):
            i = (i + 1) & self.mask
            v = self.slots[i]
        return v if v else NONE

    cdef node_t add_child(self, node_t u, int32_t c) except -1:
        cdef node_t v = self.child(u, c)
        if v == NONE:
            v = self.add_dead()
            self.parent[v] = u
            self.symbol[v] = c
            self.take_slot(v)
        return v

    cdef node_t add_dead(self) except -1:
        cdef node_t v = self.n
        if v == self.parent.shape[0]:
            if v >= MOST_NODES:
                raise VocabularyError(f"the trie needs more than {MOST_NODES} nodes")
            self.parent = resized(self.parent, 2 * v + 2, v)
            self.symbol = resized(self.symbol, 2 * v + 2, v)
            self.token_id = resized(self.token_id, 2 * v + 2, v)
        self.parent[v] = self.symbol[v] = self.token_id[v] = NONE
        self.n += 1
        if 2 * <Py_ssize_t>self.n > self.slots.shape[0]:
            self.rehash(2 * self.slots.shape[0])
        return v

    cdef int take_slot(self, node_t v) except -1:
        cdef uint32_t i = edge_hash(self.parent[v], self.symbol[v]) & self.mask
        while self.slots[i]:
            i = (i + 1) & self.mask
        self.slots[i] = v
        return 0

    cdef int rehash(self, Py_ssize_t size) except -1:
        cdef node_t v
        self.slots = ints(size)
        self.mask = <uint32_t>(size - 1)
        for v in range(self.n):
            if self.symbol[v] >= 0:
                self.take_slot(v)
        return 0

    cdef int cut(self, node_t v) except -1:
        # No look-up asks for a negative symbol, so the edge is gone, and chi can still read it.
        self.symbol[v] = ~self.symbol[v]
        return 0

    cdef int trim(self) except -1:
        self.parent = resized(self.parent, self.n, self.n)
        self.symbol = resized(self.symbol, self.n, self.n)
        self.token_id = resized(self.token_id, self.n, self.n)
        return 0

    cdef node_t walk(self, node_t u, Symbols s, Py_ssize_t i) except -2 nogil:
        while i < s.n and u != NONE:
            u = self.child(u, symbol_at(s, i))
            i += 1
        return u

    cdef node_t longest(self, node_t u, Symbols s, Py_ssize_t i, Py_ssize_t *end) except -2 nogil:
        cdef node_t found = NONE
        end[0] = i
        while i < s.n:
            u = self.child(u, symbol_at(s, i))
            if u == NONE:
                break
            i += 1
            if self.token_id[u] != NONE:
                found = u
                end[0] = i
        return found

    cdef node_t start(self, Symbols s, Py_ssize_t *i) except -1:
        # With one root, a text that starts with ♯ is read from r♯, after it.
        i[0] = 0
        if self.roots == 1 and continues_with(s, 0, self.indicator):
            i[0] = self.indicator.n
            return self.suffix_root
        return self.root

    cdef object text_of(self, object w):
        return self.vocabulary.text_of(w).encode("utf-8", "surrogatepass") if self.bytewise else w

    cdef object hold(self, object w):
        cdef str text = self.vocabulary.text_of(w)
        if not self.bytewise or PyUnicode_IS_ASCII(text):       # ASCII is its own UTF-8
            return text
        try:
            return PyUnicode_AsUTF8String(text)
        except UnicodeEncodeError:                              # a surrogate, as bytes that no token holds
            return text.encode("utf-8", "surrogatepass")

    cdef Symbols take(self, object held) except *:
        cdef Symbols s
        s.n = len(held)
        if isinstance(held, bytes):
            s.kind, s.data = 1, <const void *><const char *>(<bytes>held)
        else:
            s.kind, s.data = PyUnicode_KIND(held), PyUnicode_DATA(held)
        return s

    cdef node_t node_of(self, object v) except -1:
        if not isinstance(v, int):
            raise TypeError(f"a node is an int, got {type(v).__name__}")
        if not 0 <= v < self.n:
            raise IndexError(f"{v} is no node: expected 0 to {self.n - 1}")
        return v

    cdef int32_t symbol_of(self, object c) except -1:
        if self.bytewise:
            if not isinstance(c, int):
                raise TypeError(f"a symbol of a trie over bytes is an int, got {type(c).__name__}")
            if not 0 <= c <= 255:
                raise ValueError(f"{c} is no byte: expected 0 to 255")
            return c
        if not isinstance(c, str):
            raise TypeError(f"a symbol is a str of one character, got {type(c).__name__}")
        if len(c) != 1:
            raise ValueError(f"a symbol is one character, got {c!r}")
        return ord(c)

    cdef tuple spelling(self, node_t v):
        cdef list symbols = []
        while v != self.root and v != self.suffix_root and self.parent[v] != NONE:
            symbols.append(self.symbol[v] if self.symbol[v] >= 0 else ~self.symbol[v])
            v = self.parent[v]
        symbols.reverse()
        return v, bytes(symbols) if self.bytewise else "".join(map(chr, symbols))

    def delta(self, u, c):
        """δ(u, c): the child of u by c, or None for ∅ (Section 3.1). One hash probe."""
        cdef node_t v = self.child(self.node_of(u), self.symbol_of(c))
        return None if v == NONE else v

    def chi(self, v):
        """χ_v: the string that v spells (Section 3.1); under a separate r♯ it starts with ♯. Cost |χ_v|."""
        root, text = self.spelling(self.node_of(v))
        return self.text_of(self.vocabulary.suffix_indicator) + text if root == self.suffix_root else text

    def token(self, v):
        """The token that v spells, or None. One look-up."""
        cdef int32_t i = self.token_id[self.node_of(v)]
        return None if i == NONE else self.vocabulary.tokens[i]

    def __len__(self):
        return self.n

    def __repr__(self):
        return f"<Trie of {self.n} nodes, roots={self.roots}, symbols={self.symbols!r}>"

    def check(self):
        """Raise AssertionError unless I1–I5 hold. Cost: the sum of |χ_v| over the nodes.

        >>> from linmaxmatch import Trie, Vocabulary
        >>> Trie(Vocabulary(["a", "ab", "##b", "<unk>"]), roots=2).check()
        """
        cdef node_t v
        indicator = self.text_of(self.vocabulary.suffix_indicator)
        for v in range(self.n):
            holds("I1", self.parent[v] < v and (self.parent[v] != NONE or self.symbol[v] == NONE), v)
            if self.symbol[v] >= 0:
                holds("I2", self.child(self.parent[v], self.symbol[v]) == v, v)
            if self.token_id[v] != NONE:
                holds("I3", self.chi(v) == self.text_of(self.token(v)), v)
        for v in (self.root, self.suffix_root):
            holds("I4", self.token_id[v] == NONE, v)
        holds("I4", self.chi(self.suffix_root) == indicator and (self.root == self.suffix_root or not self.chi(0)), 0)
        holds("I5", self.n == self.parent.shape[0] == self.symbol.shape[0] == self.token_id.shape[0], self.n)
        holds("I5", 2 * <Py_ssize_t>self.n <= self.slots.shape[0], self.n)
