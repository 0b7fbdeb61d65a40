"""The transducer δ′(u, c), σ′(u, c): LinMaxMatch without failure moves.          (Algorithm 4)

Notation   δ′(u, c) = h(u, c), σ′(u, c) = H(u, c), tabulated for every node u and every symbol c that occurs in V or ♯,
           and for ␣; other symbols have no column and lead to ∅. For the column ␣ the trie is augmented by the nodes
           ␣ (under r) and ♯␣ (under r♯): δ′(u, ␣) = ∅ means [<unk>].
I1  δ′ and σ′ of every node and symbol fulfil Lemma 4 on the failure tables
I2  the column ␣ leads to ∅, ␣ or ♯␣, and from r and r♯ without a pop
Cost  O(|T| |Σ|) entries, and the tokens of σ′; a word of n characters takes n + 1 look-ups. `limit` bounds the entries.

Words that start with a non-empty ♯ need the repair told in matchloop where the trie has one root.
"""
cimport cython
from libc.stdint cimport int32_t, int64_t

from linmaxmatch.failure cimport Tables
from linmaxmatch.matchloop cimport first_piece, needs_repair
from linmaxmatch.trie cimport NONE, Symbols, Trie, ints, node_t, symbol_at
from linmaxmatch.vocabulary cimport holds

from linmaxmatch.vocabulary import VocabularyError
from subwordio.drawable import draw, repr_svg, to_dot


@cython.final
cdef class Transducer:
    """δ′ and σ′ as tables (Algorithm 4).

    ``Transducer(tables, limit=2**24)``: `limit` is the largest number of entries, nodes times symbols, that is built.

    >>> from linmaxmatch import Trie, Vocabulary, precompute
    >>> T = Trie(Vocabulary(["a", "abcd", "##b", "##bc", "##z", "<unk>"]))
    >>> transducer = Transducer(precompute(T))
    >>> transducer.tokenize("abcz"), transducer.tokenize("abcx")
    (['a', '##bc', '##z'], ['<unk>'])
    """
    cdef readonly Tables tables             # f and F, and with them T
    cdef dict column                        # symbol -> its column; ␣ has the last one
    cdef Py_ssize_t width                   # columns: the symbols that occur, and ␣
    cdef readonly node_t end                # the node ␣, next after the nodes of T
    cdef readonly node_t suffix_end         # the node ♯␣, next after it; ␣ itself where r♯ = r
    cdef int32_t[::1] target                # δ′(u, c) at u * width + column of c; NONE for ∅
    cdef int32_t[::1] begin                 # σ′(u, c) is pool[begin : begin + count], at the same place
    cdef int32_t[::1] count
    cdef list pool                          # token strings

    def __cinit__(self, Tables tables not None, limit=2**24):
        cdef Trie T = tables.trie
        cdef int64_t entries
        if not isinstance(limit, int):
            raise TypeError(f"limit: expected int, got {type(limit).__name__}")
        occurring = sorted({T.symbol[v] for v in range(T.n) if T.symbol[v] != NONE and v != T.severed})
        self.tables, self.pool = tables, []
        self.column = {c: k for k, c in enumerate(occurring)}
        self.width = len(occurring) + 1
        self.end = T.n
        self.suffix_end = T.n if T.suffix_root == T.root else T.n + 1
        entries = <int64_t>T.n * <int64_t>self.width
        if entries > limit:
            raise VocabularyError(f"{T.n} nodes times {self.width} symbols: more than limit={limit} entries")
        self.target, self.begin, self.count = ints(entries), ints(entries), ints(entries)
        self.target[:] = NONE
        for u in tables.order:
            self.fill_row(u, occurring)

    cdef int fill_row(self, node_t u, list occurring) except -1:
        """The row of u. That of f(u), which is less deep, is there already."""
        cdef Trie T = self.tables.trie
        cdef Py_ssize_t k, here = u * self.width, there
        cdef node_t z = self.tables.f_node[u]
        cdef list pops = self.tables.F(u)
        for k in range(self.width):
            if k < self.width - 1:
                self.target[here + k] = T.child(u, occurring[k])
            elif u == T.root or u == T.suffix_root:
                self.target[here + k] = self.end if u == T.root else self.suffix_end
            if self.target[here + k] != NONE or z == NONE:
                continue
            there = z * self.width + k
            if self.target[there] == NONE:
                continue
            self.target[here + k] = self.target[there]
            self.begin[here + k], self.count[here + k] = len(self.pool), len(pops) + self.count[there]
            self.pool += pops
            self.pool += self.pool[self.begin[there]:self.begin[there] + self.count[there]]
        return 0

    cdef Py_ssize_t place(self, u, c) except -2:
        """Where the entry of (u, c) is, or -1 where c has no column. None stands for ␣."""
        cdef node_t v = self.tables.trie.node_of(u)
        if c is None:
            return (v + 1) * self.width - 1
        k = self.column.get(self.tables.trie.symbol_of(c))
        return -1 if k is None else v * self.width + k

    def delta_prime(self, u, c):
        """δ′(u, c), or None for ∅ (Algorithm 4); c = None stands for ␣. One look-up."""
        cdef Py_ssize_t at = self.place(u, c)
        return None if at < 0 or self.target[at] == NONE else self.target[at]

    def sigma_prime(self, u, c):
        """σ′(u, c) (Algorithm 4); c = None stands for ␣. [] where δ′(u, c) = ∅. Cost of the tokens.

        >>> from linmaxmatch import Trie, Vocabulary, precompute, g
        >>> T = Trie(Vocabulary(["a", "abcd", "##b", "##bc", "##z", "<unk>"]))
        >>> transducer = Transducer(precompute(T))
        >>> [transducer.sigma_prime(g(T, "abc"), c) for c in ("d", "z", None)]
        [[], ['a', '##bc'], ['a', '##bc']]
        """
        cdef Py_ssize_t at = self.place(u, c)
        return [] if at < 0 else self.pool[self.begin[at]:self.begin[at] + self.count[at]]

    def tokenize(self, w):
        """The tokens of a word, or [<unk>]: one look-up a symbol, ␣ included (Algorithm 4). O(n)."""
        cdef Trie T = self.tables.trie
        cdef object held = T.hold(w)
        cdef Symbols s = T.take(held)
        cdef list tokens = []
        cdef Py_ssize_t i = 0, at
        cdef node_t u = first_piece(self.tables, s, &i, tokens) if needs_repair(self.tables, s, 0) else T.root
        while i <= s.n and u != NONE:
            k = self.column.get(symbol_at(s, i)) if i < s.n else self.width - 1
            if k is None:
                u = NONE
            else:
                at = u * self.width + <Py_ssize_t>k
                tokens += self.pool[self.begin[at]:self.begin[at] + self.count[at]]
                u = self.target[at]
            i += 1
        return [T.vocabulary.unk_token] if u == NONE else tokens

    draw, to_dot, _repr_svg_ = draw, to_dot, repr_svg

    def __repr__(self):
        return f"<Transducer of {self.tables.trie.n} nodes and {self.width} symbols, ␣ included>"

    def check(self):
        """Raise AssertionError unless I1 and I2 hold. Cost: all entries.

        >>> from linmaxmatch import Trie, Vocabulary, precompute
        >>> Transducer(precompute(Trie(Vocabulary(["a", "abc", "##b", "<unk>"])))).check()
        """
        T, tables = self.tables.trie, self.tables
        ends = {T.root: self.end, T.suffix_root: self.suffix_end}
        symbols = [c if T.symbols == "bytes" else chr(c) for c in self.column]
        for u in range(len(T)):
            for c in [*symbols, None]:
                v = ends.get(u) if c is None else T.delta(u, c)
                pops, link = [], tables.f(u)
                if v is None and link is not None:
                    v = self.delta_prime(link, c)
                    pops = [] if v is None else tables.F(u) + self.sigma_prime(link, c)
                holds("I1", (self.delta_prime(u, c), self.sigma_prime(u, c)) == (v, pops), (u, c))
            holds("I2", self.delta_prime(u, None) in (None, self.end, self.suffix_end), u)
            holds("I2", u not in ends or self.sigma_prime(u, None) == [], u)
