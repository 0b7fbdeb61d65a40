"""The trie T, its edges δ(u, c), its strings χ_v, and the roots r and r♯.          (Section 3.1)

Notation   u, v nodes · c a symbol · δ(u, c) the child of u by c, or ∅ · χ_v the string that node v spells ·
           r the root, χ_r = ε · r♯ the node of ♯
One root   the trie of V ∪ {♯}: r♯ lies on the way of ♯ from r, so that a word which itself starts with ♯ cannot be
           told from a later piece (matchloop has the repair). The entry ♯ of a vocabulary is no piece here: r♯ holds
           no token.
Two roots  every token stands spelt out under r, ♯ included, and the bodies (♯ taken off) of suffix tokens stand
           under a separate r♯. Nothing is special then, for a few more nodes. Where ♯ is empty r♯ = r in both.
I1  the invariants of nodes
I2  token(v) is None or, as ♯ counts under r♯, exactly χ_v
I3  r and r♯ hold no token, and χ of them is ε and ♯
Cost  building: a bounded number of looks at each symbol of V (two roots: of V and of the bodies); δ: a binary search
      among the children of u, so at most eight steps over bytes.
"""
from linmaxmatch.vocabulary cimport holds
from subwordio.room cimport Room

cdef enum:
    LARGE = 131072                          # bytes of tokens from which on room comes in large pages

from subwordio.drawable import draw, repr_svg, to_dot

cdef extern from *:
    bint PyUnicode_IS_ASCII(object text) noexcept
    bytes PyUnicode_AsUTF8String(object text)
    int PyUnicode_KIND(object text) noexcept
    const void *PyUnicode_DATA(object text) noexcept

cdef class Trie(Nodes):
    """T, the trie of V and ♯ (Section 3.1), over characters or over the bytes of UTF-8.

    ``Trie(V, roots=1, symbols="characters", keep=None, literal_suffixes=True, also=())``

    roots    1, the paper's trie of V ∪ {♯}, or 2, literal spellings under r and bodies of suffix tokens under r♯
    symbols  "characters", or "bytes": δ reads an int of 0 to 255, and χ_v is bytes
    keep     None, or a function (spelling, is_body) that says whether a spelling stands in the trie: it is asked for
             each token (is_body False) and for what follows ♯ in it (is_body True). With one root a token stands if
             either does. Algorithm 3 leaves tokens out in this way.
    literal_suffixes    with two roots, False leaves suffix tokens out under r: for words none of which starts with ♯
    also     further strings that have a node under r, though they are no tokens

    Nodes are the ints 0 to len(T) - 1, and ∅ is None.

    >>> from linmaxmatch import Trie, Vocabulary
    >>> V = Vocabulary(["a", "abcd", "##b", "##bc", "##z", "<unk>"])
    >>> T = Trie(V)
    >>> v = T.delta(T.delta(T.suffix_root, "b"), "c")
    >>> T.chi(v), T.token(v), T.delta(v, "d"), T.chi(T.suffix_root)
    ('##bc', '##bc', None, '##')
    """

    def __cinit__(self, Vocabulary V not None, roots=1, symbols="characters", keep=None, literal_suffixes=True, also=()):
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
        cdef bint two = roots == 2 and self.indicator.n > 0
        further = [V.text_of(string).encode() for string in also]
        if roots == 1 and V.suffix_indicator:
            further.append(V.suffix_indicator.encode())
        cdef Spellings S = Spellings(V, further, self.bytewise)
        self.room = Room(V.strings.begin[V.strings.n] > LARGE)
        cdef Branch literals = Branch(S, 0, self.room), bodies = Branch(S, self.indicator.n, self.room) if two else None
        S.share_out(self.indicator, keep, literals, bodies, literal_suffixes)
        self.grow(literals, bodies)
        self.root, self.suffix_root = 0, two
        if roots == 1:
            self.renumber(self.walk(self.root, self.indicator, 0), len(V))
            self.suffix_root = self.walk(self.root, self.indicator, 0)
        self.token_id[self.root] = self.token_id[self.suffix_root] = NONE

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
            symbols.append(self.symbol[v])
            v = self.parent[v]
        symbols.reverse()
        return v, bytes(symbols) if self.bytewise else "".join(map(chr, symbols))

    def delta(self, u, c):
        """δ(u, c): the child of u by c, or None for ∅ (Section 3.1). A binary search among the children."""
        cdef node_t v = self.child(self.node_of(u), self.symbol_of(c))
        return None if v == NONE else v

    def chi(self, v):
        """χ_v: the string that v spells (Section 3.1); under a separate r♯ it starts with ♯. Cost |χ_v|."""
        root, text = self.spelling(self.node_of(v))
        return self.text_of(self.vocabulary.suffix_indicator) + text if root == self.suffix_root else text

    def token(self, v):
        """The token that v spells, or None. One look-up."""
        cdef int32_t i = self.token_id[self.node_of(v)]
        return None if i == NONE else self.vocabulary.strings.string(i)

    def __len__(self):
        return self.n

    draw, to_dot, _repr_svg_ = draw, to_dot, repr_svg

    def __repr__(self):
        return f"<Trie of {self.n} nodes, roots={self.roots}, symbols={self.symbols!r}>"

    def check(self):
        """Raise AssertionError unless I1–I3 hold. Cost: the sum of |χ_v| over the nodes.

        >>> from linmaxmatch import Trie, Vocabulary
        >>> Trie(Vocabulary(["a", "ab", "##b", "<unk>"]), roots=2).check()
        """
        cdef node_t v
        Nodes.check(self)                   # I1
        indicator = self.text_of(self.vocabulary.suffix_indicator)
        for v in range(self.n):
            if self.token_id[v] != NONE:
                holds("I2", self.chi(v) == self.text_of(self.token(v)), v)
        for v in (self.root, self.suffix_root):
            holds("I3", self.token_id[v] == NONE, v)
        holds("I3", self.chi(self.suffix_root) == indicator and (self.root == self.suffix_root or not self.chi(0)), 0)
