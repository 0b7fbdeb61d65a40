"""The suffix automaton: the longest canonical token that ends here.          (Section 5.2)

The automaton of Aho and Corasick over the canonical tokens: its states spell their prefixes, and after a text it is in
the state of the longest suffix of the text that is one. The longest token that is a suffix of the text is then a suffix
of what the state spells, and the other suffix tokens follow from it, each by one link.

It runs over bytes, those of UTF-8 where tokens are str; a token then begins and ends with a character all the same.
The table of transitions is *persistent*: a state steps as fail does but for its own children, so that its row is the
row of fail with a few blocks replaced, and its blocks those of fail with a few entries replaced; a leaf has the row of
fail itself. That keeps two look-ups a byte, whatever the text, in a small part of the full table.

Notation   v a state · fail(v) the longest proper suffix that is a state · k the longest canonical suffix token ·
           chain(k) k and the canonical tokens that are its suffixes, by length
I1  the states spell the prefixes of the canonical tokens, each once, breadth first
I2  step(v, b) is the child of v by b, or else that of fail(v); the root's is then the root
I3  fail(v) is the state of the longest proper suffix of what v spells that is a state
I4  token(v) is the token that v spells, or else token(fail(v)); shorter(z) is token(fail) of the state that spells z
I5  inner(v) says whether v has a child; depth(v) counts the symbols
Cost  building: the bytes of the canonical tokens, 16 entries for each state with a child, and 16 for each group of
      children alike in the upper half of the byte.
"""
from collections import Counter

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t
from libc.string cimport memcpy

from incbpe.arrays cimport nones
from incbpe.dictionary cimport NONE, Dictionary, holds, ints
from incbpe.normalize cimport Normalized
from incbpe.tokentrie cimport TokenTrie

from incbpe.dictionary import DictionaryError
from subwordio.drawable import draw, repr_svg, to_dot


cdef class SuffixAutomaton:
    """The automaton over the canonical tokens of N, of any form (Section 5.2).

    >>> from incbpe import Dictionary, normalize
    >>> A = SuffixAutomaton(normalize(Dictionary("a b ab bb abb".split(), [("a", "b"), ("b", "b"), ("ab", "b")])))
    >>> A.longest("abbb"), A.chain("abb")
    (['a', 'ab', 'abb', 'bb'], ['abb', 'bb', 'b'])
    """

    def __cinit__(self, Normalized N not None):
        cdef TokenTrie trie = TokenTrie(N.dictionary.spelt, N.canonical)
        cdef int32_t v, n = trie.states
        if 16 * max(<int64_t>trie.inner, trie.halves) + 16 > INT32_MAX:
            raise DictionaryError(f"{n} states: the suffix automaton needs a table of more than {INT32_MAX} entries")
        self.N, self.states = N, n
        self.fail, self.depth, self.token, self.row = ints(n), ints(n), ints(n), ints(n)
        self.inner, self.shorter = bytearray(n), nones(N.dictionary.n)
        # Row 0 and block 0, zeros, are of what comes before the root: every byte leads to the root.
        self.rows, self.blocks = ints(16 * <Py_ssize_t>trie.inner + 16), ints(16 * <Py_ssize_t>trie.halves + 16)
        self.used_rows = self.used_blocks = 1
        for v in range(n):
            self.enter(v, trie.own[v])
            if trie.first[v] < trie.first[v + 1]:
                self.add_row(v, trie)

    cdef int enter(self, int32_t v, int32_t own) except -1:
        """What v has from fail(v), which was entered before; and what is known of its token."""
        cdef int32_t f = self.fail[v]
        self.token[v] = own if own != NONE or v == 0 else self.token[f]
        self.row[v] = self.row[f]
        if own != NONE:
            self.shorter[own] = self.token[f]
        return 0

    cdef int add_row(self, int32_t v, TokenTrie trie) except -1:
        """The children of v, with their failure links, in a row of its own."""
        cdef int32_t base = self.row[v], child
        cdef int b, half = -1
        cdef bint characters = not self.N.dictionary.binary
        self.inner[v], self.row[v] = 1, self.used_rows
        memcpy(&self.rows[16 * self.used_rows], &self.rows[16 * base], 16 * sizeof(int32_t))
        self.used_rows += 1
        for child in range(trie.first[v], trie.first[v + 1]):
            b = trie.label[child]
            if b >> 4 != half:
                half = b >> 4
                self.own_block(v, half)
            self.fail[child] = self.step(v, <uint8_t>b)         # so far what fail(v) does with b
            self.depth[child] = self.depth[v] + (not characters or b & 0xC0 != 0x80)
            self.blocks[16 * self.rows[16 * self.row[v] + half] + (b & 15)] = child
        return 0

    cdef int own_block(self, int32_t v, int half) except -1:
        """Give the row of v a block of its own: a copy, so far."""
        cdef int32_t *here = &self.rows[16 * self.row[v] + half]
        memcpy(&self.blocks[16 * self.used_blocks], &self.blocks[16 * here[0]], 16 * sizeof(int32_t))
        here[0] = self.used_blocks
        self.used_blocks += 1
        return 0

    cdef int32_t walk(self, int32_t v, const uint8_t *text, Py_ssize_t n) noexcept nogil:
        cdef Py_ssize_t i
        for i in range(n):
            v = self.step(v, text[i])
        return v

    cdef int32_t state_of(self, object v) except -1:
        if not isinstance(v, int):
            raise TypeError(f"a state is an int, got {type(v).__name__}")
        if not 0 <= v < self.states:
            raise IndexError(f"{v} is no state: expected 0 to {self.states - 1}")
        return v

    cdef int32_t token_of(self, object z) except -1:
        cdef int32_t found = self.N.dictionary.index_of(z)
        if not self.N.canonical[found]:
            raise DictionaryError(f"{z!r} is no canonical token")
        return found

    def step_by(self, v, symbols):
        """The state that v and then `symbols`, a str or bytes as the tokens are, lead to. Two look-ups a byte."""
        text = self.N.dictionary.text_of(symbols)
        cdef const uint8_t[::1] read = text if self.N.dictionary.binary else text.encode("utf-8", "surrogatepass")
        return self.walk(self.state_of(v), &read[0] if read.shape[0] else NULL, read.shape[0])

    def longest(self, s):
        """The longest canonical token that ends at each place of s, or None at an unknown symbol. Linear in s.

        >>> from incbpe import Dictionary, normalize
        >>> SuffixAutomaton(normalize(Dictionary(["a", "aa"], [("a", "a")]))).longest("aaxa")
        ['a', 'aa', None, 'a']
        """
        cdef list found = []
        cdef int32_t v = 0
        s = self.N.dictionary.text_of(s)
        for i in range(len(s)):
            v = self.step_by(v, s[i:i + 1])
            found.append(self.longest_at(v))
        return found

    def longest_at(self, v):
        """The longest canonical token that ends in a state, or None (Section 5.2). One look-up."""
        cdef int32_t k = self.token[self.state_of(v)]
        return None if k == NONE else self.N.dictionary.tokens[k]

    def failure_link(self, v):
        """fail(v); the root's is the root. One look-up."""
        return self.fail[self.state_of(v)]

    def symbols(self, v):
        """How many symbols a state spells, one that is incomplete included. One look-up."""
        return self.depth[self.state_of(v)]

    def chain(self, k):
        """chain(k): the canonical tokens that are suffixes of k, k itself first, by length (Section 3.5). Its length.

        >>> from incbpe import Dictionary, normalize
        >>> SuffixAutomaton(normalize(Dictionary(["a", "b", "ab"], [("a", "b")]))).chain("ab")
        ['ab', 'b']
        """
        cdef int32_t z = self.token_of(k)
        cdef list tokens = []
        while z != NONE:
            tokens.append(self.N.dictionary.tokens[z])
            z = self.shorter[z]
        return tokens

    @property
    def nbytes(self):
        """The memory of the tables, in bytes."""
        cdef int64_t entries = self.rows.shape[0] + self.blocks.shape[0] + 4 * self.fail.shape[0] + self.shorter.shape[0]
        return 4 * entries + self.inner.shape[0]

    def __len__(self):
        return self.states

    draw, to_dot, _repr_svg_ = draw, to_dot, repr_svg

    def __repr__(self):
        return f"<SuffixAutomaton of {self.states} states, {self.used_rows} rows, {self.used_blocks} blocks>"

    cdef list spellings(self):
        """Breadth first, the first way to a state is from its parent."""
        cdef int32_t v, u
        cdef int b
        cdef list spelt = [None] * self.states
        spelt[0] = b""
        for v in range(self.states):
            if self.inner[v]:
                for b in range(256):
                    u = self.step(v, <uint8_t>b)
                    if u and spelt[u] is None:
                        spelt[u] = spelt[v] + bytes([b])
        return spelt

    def check(self):
        """Raise AssertionError unless I1–I5 hold. Cost: 256 steps a state, and the states times what they spell.

        >>> from incbpe import Dictionary, normalize
        >>> SuffixAutomaton(normalize(Dictionary(["a", "b", "ab"], [("a", "b")]))).check()
        """
        cdef Dictionary D = self.N.dictionary
        cdef int32_t v, u, children
        cdef int b
        cdef list spelt = self.spellings()
        texts = {bytes(D.text[D.begin[z]:D.begin[z + 1]]): z for z in range(D.n) if self.N.canonical[z]}
        states = {text: v for v, text in enumerate(spelt)}
        prefixes = {text[:i] for text in texts for i in range(len(text) + 1)} | {b""}
        holds("I1", len(states) == self.states and states.keys() == prefixes, None)
        holds("I1", all(len(s) <= len(t) for s, t in zip(spelt, spelt[1:])), None)
        parents = Counter(text[:-1] for text in spelt[1:])
        for v in range(self.states):
            text, children = spelt[v], 0
            for b in range(256):            # a child is deeper than what fail(v) leads to
                u = self.step(v, <uint8_t>b)
                if u != (self.step(self.fail[v], <uint8_t>b) if v else 0):
                    holds("I2", states.get(text + bytes([b])) == u, (text, b))
                    children += 1
            holds("I2", children == parents[text], text)
            holds("I5", self.inner[v] == (children > 0), text)
            holds("I5", self.depth[v] == len(text) - sum(0x80 <= b < 0xC0 for b in text if not D.binary), text)
            i = 1
            while i < len(text) and text[i:] not in states:
                i += 1
            holds("I3", spelt[self.fail[v]] == text[i:], text)
            own = texts.get(text, NONE)
            holds("I4", self.token[v] == (own if own != NONE or v == 0 else self.token[self.fail[v]]), text)
            holds("I4", own == NONE or self.shorter[own] == self.token[self.fail[v]], text)
        holds("I4", all(self.shorter[z] == NONE for z in range(D.n) if not self.N.canonical[z]), None)
