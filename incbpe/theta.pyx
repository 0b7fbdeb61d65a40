"""θ(s), the last token of T(s), one symbol at a time.          (Sections 3 and 5)

T(s) is T of s without its last token, and that token (equation 2). So the last tokens of all prefixes are T of all
prefixes, each read off by stepping back; and a new symbol asks for one more: the automaton gives the longest token that
can be it, and a search the token that is (search). A symbol of no token is its own token; the automaton is then at its
root again, and nothing reaches back over it.

Notation   θ of the first t symbols is history[t] · k the longest canonical token that ends at t
I1  history[t] is θ of the first t symbols, or NONE where the last of them is unknown, and nothing for t = 0
I2  state[t] is the automaton's after the first t symbols, and 0 after an unknown one
Cost  O(log² t) a symbol, by centroids; a token of the result costs one step back. Memory: 16 bytes a symbol.
"""
from array import array

from libc.stdint cimport int32_t, int64_t, uint8_t

from incbpe.arrays cimport nones, resized
from incbpe.automaton cimport SuffixAutomaton
from incbpe.dictionary cimport NONE, Dictionary, holds, ints
from incbpe.normalize cimport Normalized
from incbpe.search cimport CentroidSearch, LongestFirst, PairWalk, RootDown, Search
from incbpe.successor cimport SuccessorForest

from incbpe.bpe import T, rank_bpe
from incbpe.dictionary import DictionaryError
from subwordio.integers import integer


cdef class Machine:
    """What θ needs of a normalized dictionary: the automaton, the forest, the search. ``Machine(N)``."""

    def __cinit__(self, Normalized N not None):
        cdef int32_t z
        self.N, self.automaton, self.longest = N, SuffixAutomaton(N), 1
        for z in range(N.dictionary.n):
            if N.canonical[z]:
                self.longest = max(self.longest, N.dictionary.length[z])
        if N.form == "pairs":
            self.search = PairWalk(N.pairs, self.automaton)
        else:
            self.forest = SuccessorForest(N)
            self.search = CentroidSearch(self.forest, self.automaton)

    cdef int32_t theta(self, const int32_t *history, Py_ssize_t t, int32_t k) except -2 nogil:
        cdef Counts counts
        counts.visits = counts.tests = 0
        return self.search.find(history, t, k, &counts)

    cdef Search search_by(self, object name):
        if name not in (None, "centroid", "longest", "root", "pairs"):
            raise ValueError(f"search: expected 'centroid', 'longest', 'root' or 'pairs', got {name!r}")
        if name is None:
            return self.search
        if (name == "pairs") != (self.forest is None):
            raise DictionaryError(f"search {name!r}: the form {self.N.form!r} of this dictionary has another")
        if name == "longest":
            return LongestFirst(self.forest, self.automaton)
        return RootDown(self.forest) if name == "root" else self.search

    @property
    def nbytes(self):
        """The memory of the tables, in bytes; that of the normalized dictionary is not in it."""
        cdef int64_t trees = 0
        if self.forest is not None:
            trees = self.forest.nbytes + (<CentroidSearch>self.search).trees.nbytes
        return self.automaton.nbytes + trees


cdef Machine latest = None                  # most programs have one dictionary in hand


cdef Machine machine(Normalized N):
    global latest
    cdef Machine found = latest
    if found is None or found.N is not N:
        found = latest = Machine(N)
    return found


cdef int keep(Machine machine) except -1:
    global latest
    latest = machine
    return 0


cdef class Checkpoint:
    """A place in the text of an `Incremental` to come back to."""


cdef class Incremental:
    """T of a text that grows by one symbol at a time (Section 5).

    ``Incremental(N, search=None)``: `search` is "centroid", "longest" or "root" (search), None for the best; a dictionary
    of the form "pairs" has "pairs" only. `visits` and `tests` count what the search did.

    >>> from incbpe import Dictionary, normalize
    >>> inc = Incremental(normalize(Dictionary("a b ab bb abb".split(), [("a", "b"), ("b", "b"), ("ab", "b")])))
    >>> [inc.feed(symbol) for symbol in "abbb"], inc.tokens()
    (['a', 'ab', 'abb', 'bb'], ['ab', 'bb'])
    >>> inc.pop(2)
    >>> inc.feed("?"), inc.tokens(), len(inc)
    ('?', ['ab', '?'], 3)
    """

    def __cinit__(self, Normalized N not None, search=None):
        self.machine = machine(N)
        self.way = self.machine.search_by(search)
        self.search = search or ("pairs" if self.machine.forest is None else "centroid")
        self.history, self.state, self.stamp = nones(64), ints(64), array("q", bytes(8 * 64))
        self.unknown = {}

    cdef int reserve(self, Py_ssize_t n) except -1:
        cdef int64_t[::1] stamp
        cdef Py_ssize_t room = self.history.shape[0]
        if n >= room:
            room = max(n + 1, 2 * room)
            stamp = array("q", bytes(8)) * room
            stamp[:self.t + 1] = self.stamp[:self.t + 1]
            self.history, self.state = resized(self.history, room, self.t + 1), resized(self.state, room, self.t + 1)
            self.stamp = stamp
        return 0

    cdef int read(self, const uint8_t *text, Py_ssize_t n) except -1:
        cdef SuffixAutomaton A = self.machine.automaton
        cdef bint binary = self.machine.N.dictionary.binary
        cdef int32_t v = self.state[self.t]
        cdef Py_ssize_t i = 0, begin, t = self.t
        while i < n:
            begin, i = i, i + 1
            v = A.step(v, text[begin])
            while not binary and i < n and text[i] & 0xC0 == 0x80:
                v = A.step(v, text[i])
                i += 1
            t += 1
            self.history[t] = self.way.find(&self.history[0], t, A.token[v], &self.counts)
            self.state[t] = v
            self.feeds += 1
            self.stamp[t] = self.feeds
            if self.history[t] == NONE:
                symbol = text[begin:i]
                self.unknown[t] = symbol if binary else symbol.decode("utf-8", "surrogatepass")
            self.t = t
        return 0

    cdef object token_at(self, Py_ssize_t t):
        cdef int32_t θ = self.history[t]
        return self.unknown[t] if θ == NONE else self.machine.N.dictionary.tokens[θ]

    def feed(self, symbol):
        """Append one symbol; θ of the text so far (Section 5). A byte may be an int. O(log² t), by centroids."""
        cdef Dictionary D = self.machine.N.dictionary
        if D.binary and isinstance(symbol, int):
            if not 0 <= symbol <= 255:
                raise ValueError(f"{symbol} is no byte: expected 0 to 255")
            symbol = bytes([symbol])
        if len(D.text_of(symbol)) != 1:
            raise ValueError(f"a symbol is one {'byte' if D.binary else 'character'}, got {symbol!r}")
        self.extend(symbol)
        return self.token_at(self.t)

    def extend(self, s):
        """Append each symbol of s. O(log² t) each, by centroids."""
        s = self.machine.N.dictionary.text_of(s)
        cdef const uint8_t[::1] text = s if self.machine.N.dictionary.binary else s.encode("utf-8", "surrogatepass")
        self.reserve(self.t + len(s))
        if text.shape[0]:
            self.read(&text[0], text.shape[0])

    def thetas(self):
        """θ of each prefix, the empty one aside. O(t)."""
        cdef Py_ssize_t i
        return [self.token_at(i) for i in range(1, self.t + 1)]

    def tokens(self):
        """T of the text so far (equation 2). A step back for each token."""
        cdef list found = []
        cdef Py_ssize_t i = self.t
        while i > 0:
            token = self.token_at(i)
            found.append(token)
            i -= len(token)
        found.reverse()
        return found

    def pop(self, k=1):
        """Take the last k symbols back. O(1)."""
        k = integer("k", k)
        if not 0 <= k <= self.t:
            raise ValueError(f"k: expected 0 to {self.t}, the symbols fed, got {k}")
        self.t -= k

    def checkpoint(self):
        """The text as it is now, for `restore`. O(1).

        >>> from incbpe import Dictionary, normalize
        >>> inc = Incremental(normalize(Dictionary("a b ab".split(), [("a", "b")])))
        >>> inc.extend("aba")
        >>> here = inc.checkpoint()
        >>> inc.extend("bb")
        >>> inc.restore(here)
        >>> inc.tokens()
        ['ab', 'a']
        """
        cdef Checkpoint here = Checkpoint()
        here.source, here.t, here.stamp = self, self.t, self.stamp[self.t]
        return here

    def restore(self, Checkpoint checkpoint not None):
        """Back to a checkpoint, all of whose text is still there; ValueError if part was taken back since. O(1)."""
        cdef Py_ssize_t t = checkpoint.t
        if checkpoint.source is not self:
            raise ValueError("the checkpoint is of another text")
        if t > self.t or self.stamp[t] != checkpoint.stamp:
            raise ValueError(f"symbols of the {t} that the checkpoint had were taken back")
        self.t = t

    @property
    def visits(self):
        """The tokens that the search looked at, for all symbols ever fed."""
        return self.counts.visits

    @property
    def tests(self):
        """How many of them it tested for being valid."""
        return self.counts.tests

    def __len__(self):
        return self.t

    def __repr__(self):
        return f"<Incremental of {self.t} symbols, search={self.search!r}>"

    def check(self):
        """Raise AssertionError unless I1 and I2 hold. Cost: T of every prefix, by the definition.

        >>> from incbpe import Dictionary, normalize
        >>> inc = Incremental(normalize(Dictionary("a b ab".split(), [("a", "b")])))
        >>> inc.extend("abxa")
        >>> inc.check()
        """
        cdef int32_t v = 0
        cdef Py_ssize_t i
        N = self.machine.N
        run = T if N.semantics == "equation" else rank_bpe
        text = (b"" if N.dictionary.binary else "").join(self.tokens())
        holds("I1", len(text) == self.t and self.history[0] == NONE and self.state[0] == 0, text)
        for i in range(1, self.t + 1):
            v = self.machine.automaton.step_by(v, text[i - 1:i])
            holds("I2", self.state[i] == v, text[:i])
            expected = run(N.dictionary, text[:i])
            holds("I1", self.token_at(i) == expected[len(expected) - 1], text[:i])
            holds("I2", (self.history[i] == NONE) == (v == 0), text[:i])


def theta(N, s):
    """θ of each prefix of s, from the first symbol's on: T of all prefixes at once (equation 2).

    O(n log² n) for n symbols, and what `Incremental` needs of N, which is kept for the next call.

    >>> from incbpe import Dictionary, normalize
    >>> theta(normalize(Dictionary(["a", "aa"], [("a", "a")])), "aaa")
    ['a', 'aa', 'a']
    """
    inc = Incremental(N)
    inc.extend(s)
    return inc.thetas()
