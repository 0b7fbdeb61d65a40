"""Eager output: the tokens of a text that no continuation can change, as soon as that is known.     (Section 6)

Let the text so far be s, n symbols. Whatever follows, one token begins at some b <= n and goes beyond n, or ends there,
and what stands before it is T(s[:b]). The tokens that T(s[:b]) has in common for every possible b are final. Which b
are possible is answered in three ways, each time by fewer positions:
window    the paper's: all of [n - d, n], for d the depth of the automaton's state, the longest suffix of s that a token
          begins with
chain     only those where s[b:] itself is what a longer token begins with: a state of the failure chain with a child;
          and n
maximal   of these only those where such a token z stands, T(w z) = [w, z] with w = θ(s[:b]); and n. That is all that
          every continuation agrees on.
A caller may name further positions, where the text may turn out to end: a piece of which the last space may belong to
the next, say. They count like the others, as long as they are named. All this rests on Lemma 3.1 alone, which rank BPE
has too, whatever the rules: so every form of a normalized dictionary is served.

Notation   s the text so far · n its symbols · b a position · d the automaton's depth · θ the last token
I1  the automaton's state is that of s; the backlog ends at n, and has more before n than the longest token
I2  every open position is one of [n - d, n], and for chain and maximal a state of the failure chain with a child, or n
Cost  a symbol: one step, θ, and for the window O(1) amortised; for chain the length of the failure chain, once for each
      `settle`; for maximal also a question for each of its states (`unstable`). Memory: the backlog, and twice the
      longest token.
"""
from array import array

from incbpe.dictionary cimport NONE, Dictionary, holds
from incbpe.theta cimport machine
from incbpe.unstable cimport Answers, unstable


CRITERIA = {"window": WINDOW, "chain": CHAIN, "maximal": MAXIMAL}


cdef class EagerOutput:
    """Eager output of one text, symbol by symbol. (Section 6.)

    ``EagerOutput(N, criterion="window")``, the criterion being "window", "chain" or "maximal".

    >>> from incbpe import Dictionary, normalize
    >>> N = normalize(Dictionary(["a", "b", "ab", "bb", "abb"], [("a", "b"), ("b", "b"), ("ab", "b")]))
    >>> e = EagerOutput(N, "maximal")
    >>> [e.feed(c) for c in "abbb"], e.finish()
    ([[], [], [], ['ab', 'bb']], [])
    """

    def __cinit__(self, Normalized N not None, criterion="window"):
        cdef Dictionary D = N.dictionary
        if criterion not in CRITERIA:
            raise ValueError(f"criterion: expected {', '.join(CRITERIA)}, got {criterion!r}")
        self.N, self.criterion, self.how = N, criterion, CRITERIA[criterion]
        self.machine = machine(N)
        self.automaton = self.machine.automaton
        if self.how == MAXIMAL:
            self.answers = Answers(unstable(N))
        # so much that no token is the whole of what is stored, which θ would take for the whole text
        self.backlog = Backlog(D.length, self.machine.longest + 1)

    cdef int feed_byte(self, uint8_t b) except -1 nogil:
        cdef int64_t before
        if self.ended:
            with gil:
                raise ValueError(f"the text was said to end by position {self.backlog.end}, and cannot go on")
        self.state = self.automaton.step(self.state, b)
        if self.N.dictionary.binary or b < 0x80:
            self.symbol = b
        elif b < 0xC0:
            self.symbol = self.symbol << 6 | (b & 0x3F)
            self.missing -= 1
        else:
            self.missing = 1 + (b >= 0xE0) + (b >= 0xF0)
            self.symbol = b & (0x3F >> self.missing)
        if self.missing:
            return 0
        before = self.backlog.end + 1 - self.backlog.base
        return self.backlog.push(
            self.machine.theta(self.backlog.theta, before, self.automaton.token[self.state]), <int32_t>self.symbol)

    cdef int feed_bytes(self, const uint8_t *text, size_t n) except -1 nogil:
        cdef size_t i
        for i in range(n):
            self.feed_byte(text[i])
        return 0

    cdef int sift(self, const int64_t *ends, Py_ssize_t n, bint goes_on) except -1 nogil:
        assert self.missing == 0
        self.backlog.hold_only(ends, n)
        self.ended = not goes_on
        if self.ended:
            return self.backlog.keep_from(self.backlog.end)
        if self.how == WINDOW:
            return self.backlog.keep_from(self.backlog.end - self.automaton.depth[self.state])
        return self.sweep()

    cdef int settle(self, const int64_t *ends, Py_ssize_t n, bint goes_on) except -1 nogil:
        self.sift(ends, n, goes_on)
        return self.backlog.advance()

    cdef int sweep(self) except -1 nogil:
        """Along the failure chain the suffixes grow shorter, so that b ascends; only open positions are asked about."""
        cdef int32_t v = self.state
        cdef int64_t b
        self.backlog.begin_sweep()
        while v != 0:
            if self.automaton.inner[v]:
                b = self.backlog.end - self.automaton.depth[v]
                if self.backlog.reached(b) and (
                        self.how == CHAIN
                        or self.answers.any_stands(
                            self.backlog.theta[b - self.backlog.base], v, self.kind)):
                    self.backlog.keep()
            v = self.automaton.fail[v]
        return self.backlog.end_sweep()

    cdef int finish_at(self, int64_t e) except -1 nogil:
        assert self.missing == 0
        self.backlog.finish(e)
        self.state, self.ended = 0, False
        return 0

    cdef int forget(self) except -1 nogil:
        self.backlog.clear()
        self.state, self.missing, self.ended = 0, 0, False
        return 0

    cdef list take(self):
        cdef tuple tokens = self.N.dictionary.tokens
        cdef list taken = []
        cdef int32_t i
        cdef Py_ssize_t k
        for k in range(self.backlog.released):
            i = self.backlog.out[k]
            taken.append(tokens[i] if i >= 0 else bytes((~i,)) if self.N.dictionary.binary else chr(~i))
        self.backlog.released = 0
        return taken

    cdef list read(self, object text, object ends, bint goes_on):
        """Feed a text, settle, and take."""
        cdef const uint8_t[::1] symbols
        cdef list positions = sorted({position_of(end) for end in ends})
        cdef int64_t[::1] held = array("q", positions or [0])
        cdef Py_ssize_t n = len(positions)
        text = self.N.dictionary.text_of(text)
        symbols = text if self.N.dictionary.binary else text.encode("utf-8", "surrogatepass")
        with nogil:
            if symbols.shape[0]:
                self.feed_bytes(&symbols[0], symbols.shape[0])
            self.settle(&held[0], n, goes_on)
        return self.take()

    def feed(self, symbol, ends=(), goes_on=True):
        """The tokens that are final now that one more symbol was read: a str or bytes of length 1. (Section 6.)

        A byte may be an int. `ends` and `goes_on` are those of `extend`. Cost: that of θ, and of the criterion.
        TypeError and ValueError where `symbol` is none.
        """
        if self.N.dictionary.binary and isinstance(symbol, int):
            symbol = bytes((symbol,))
        if len(self.N.dictionary.text_of(symbol)) != 1:
            raise ValueError(f"symbol: expected one, got {symbol!r}")
        return self.read(symbol, ends, goes_on)

    def extend(self, text, ends=(), goes_on=True):
        """The tokens that are final now that all of a text was read: what `feed` would give, symbol by symbol.

        The text may also end at any position in `ends`. These count for this call alone, so give each as long as it is
        possible: one that was not given, and that the criterion does not count either, cannot be an end later on; a
        ValueError says so. goes_on=False: it ends at one of them or here, and no criterion is needed.

        >>> from incbpe import Dictionary, normalize
        >>> e = EagerOutput(normalize(Dictionary(["a", "b", "ab"], [("a", "b")])))
        >>> e.extend("abba"), e.finish()
        (['ab', 'b'], ['a'])
        >>> e.extend("abb", ends=[1]), e.extend("b", ends=[1]), e.finish(1)
        ([], [], ['a'])
        """
        return self.read(text, ends, goes_on)

    def finish(self, end=None):
        """The rest of T(s) where s ends, at `end` or after all that was read; the next symbol begins a new text.

        `end` is one of the `ends` given last. ValueError where it is not possible any more. O(tokens).
        """
        self.finish_at(self.backlog.end if end is None else position_of(end))
        return self.take()

    @property
    def position(self):
        """n: how many symbols of the text were read."""
        return self.backlog.end

    @property
    def final(self):
        """How many symbols of the text the final tokens cover."""
        return self.backlog.root

    @property
    def nbytes(self):
        """The memory that the backlog takes, in bytes; what the dictionary's tables take is shared."""
        return self.backlog.nbytes

    def __repr__(self):
        return f"<EagerOutput by {self.criterion!r}: {self.position} symbols read, {self.final} of them final>"

    def check(self):
        """Raise AssertionError unless I1 and I2 hold. Cost: the backlog and the failure chain."""
        cdef int32_t v = self.state, z = self.automaton.token[v]
        cdef int32_t last = self.backlog.theta[self.backlog.end - self.backlog.base]
        cdef Py_ssize_t i
        self.backlog.check()
        D, N = self.N.dictionary, self.N
        longest = max([len(token) for token in D.tokens if token and N.is_canonical(token)], default=1)
        holds("I1", self.backlog.base == 0 or self.position - self.backlog.base > longest, self.backlog.base)
        while z != NONE and z != last:
            z = self.automaton.shorter[z]
        holds("I1", z == last, self.position)
        possible = {self.position}
        while v != 0:
            if self.automaton.inner[v]:
                possible.add(self.position - self.automaton.depth[v])
            v = self.automaton.fail[v]
        if self.how == WINDOW:
            possible = set(range(self.position - self.automaton.depth[self.state], self.position + 1))
        opened = {self.backlog.opened[i] for i in range(self.backlog.first, self.backlog.last)}
        holds("I2", opened <= possible, opened)


cdef int64_t position_of(object position) except -2:
    """A position from Python; one that no text has is -1."""
    if not isinstance(position, int):
        raise TypeError(f"a position is an int, got {type(position).__name__}")
    return position if 0 <= position < 2**62 else -1
