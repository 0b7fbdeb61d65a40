"""The token prefix tree: T of every prefix of a text.                        (Section 3.2, Equation 2)

T(s) = T(s without θ(s)) + [θ(s)]. So the last tokens θ(i) of all prefixes are the tokenizations of all prefixes: T of
the first i symbols is read by stepping back, from i to parent(i) = i - |θ(i)|. The positions are the nodes of a tree
with root 0, a prefix's tokens are its path from the root, and to know |T| of a prefix is one addition a symbol.

The number of tokens is not monotone: a longer prefix may have fewer. `longest_within(k)` is the longest prefix of all
that has at most k tokens, whatever shorter ones have; `split(k)` takes the longest, and again from the rest, read anew.

Notation   s a text of n symbols · i a position, after i symbols, and the prefix that ends there · θ(i) its last token
I1  θ(i) is what T of the first i symbols ends with; NONE for i = 0, and for an unknown symbol, which is a token itself
I2  count(0) = 0, and count(i) = count(parent(i)) + 1
I3  longest(k) is the last i with count(i) <= k
Cost  building: θ of each symbol. theta, count, longest_within: one look-up. tokens: as many steps as tokens. split:
      reads past each end until no longer prefix can do, mostly a few symbols, at worst `max_tokens` times the longest
      token.
"""
from incbpe.dictionary cimport NONE, holds, ints
from incbpe.theta cimport machine
from incbpe.unstable cimport STANDS, Unstable, unstable

from incbpe.tokentree import TokenTree
from subwordio.drawable import draw, repr_svg, to_dot
from subwordio.integers import integer

cdef enum:
    EVERY = 2147483647                      # tokens: more than any text has
    MOST_SYMBOLS = 2147483646               # so that a position, and a number of tokens, is an int32


cdef class Prefixes:
    """T of every prefix of a text. (Section 3.2.) ``Prefixes(N, text)``; positions count symbols.

    >>> from incbpe import Dictionary, normalize
    >>> N = normalize(Dictionary(["a", "b", "ab", "bb", "abb"], [("a", "b"), ("b", "b"), ("ab", "b")]))
    >>> P = Prefixes(N, "abbb")
    >>> [P.theta(i) for i in range(5)], P.tokens(4), P.count(3), P.parents
    ([None, 'a', 'ab', 'abb', 'bb'], ['ab', 'bb'], 1, [-1, 0, 0, 0, 2])
    """

    def __cinit__(self, Normalized N not None, text):
        cdef Py_ssize_t last = 0
        self.N, self.text = N, N.dictionary.text_of(text)
        self.machine = machine(N)
        self.automaton = self.machine.automaton
        self.spelt = text if N.dictionary.binary else text.encode("utf-8", "surrogatepass")
        self.n = len(text)
        if self.n > MOST_SYMBOLS:
            raise ValueError(f"text: {self.n} symbols, at most {MOST_SYMBOLS} are possible")
        self.history, self.counts = ints(self.n + 1), ints(self.n + 1)
        with nogil:
            self.fill(0, &self.history[0], &self.counts[0], EVERY, &last)
        self.set_longest()

    cdef int set_longest(self) except -1:
        cdef int32_t most = 0, k
        cdef Py_ssize_t i
        for i in range(self.n + 1):
            most = max(most, self.counts[i])
        self.longest = ints(most + 1)
        for i in range(self.n + 1):
            self.longest[self.counts[i]] = <int32_t>i
        for k in range(most):
            self.longest[k + 1] = max(self.longest[k], self.longest[k + 1])
        return 0

    cdef bint ends_symbol(self, Py_ssize_t i) noexcept nogil:
        return self.N.dictionary.binary or i + 1 == self.spelt.shape[0] or (self.spelt[i + 1] & 0xC0) != 0x80

    cdef Py_ssize_t fill(self, Py_ssize_t at, int32_t *history, int32_t *counts, int32_t most,
                         Py_ssize_t *last) except -1 nogil:
        """Each longer prefix has one token more than a b that the automaton's state reaches back to (Section 6)."""
        cdef Py_ssize_t i, t = 0, below = 0     # below: the last t with fewer tokens than `most`
        cdef int32_t v = 0, token
        history[0], counts[0], last[0] = NONE, 0, 0
        for i in range(at, self.spelt.shape[0]):
            v = self.automaton.step(v, self.spelt[i])
            if not self.ends_symbol(i):
                continue
            t += 1
            token = self.machine.theta(history, t, self.automaton.token[v])
            history[t] = token
            counts[t] = counts[t - (1 if token == NONE else self.N.dictionary.length[token])] + 1
            if counts[t] <= most:
                last[0] = t
            if counts[t] < most:
                below = t
            elif below < t - self.automaton.depth[v]:
                break
        return t

    cdef Py_ssize_t parent(self, Py_ssize_t i) noexcept nogil:
        cdef int32_t token = self.history[i]
        return i - (1 if token == NONE else self.N.dictionary.length[token])

    cdef Py_ssize_t place(self, object i) except -1:
        if i is None:
            return self.n
        if not isinstance(i, int):
            raise TypeError(f"a position is an int, got {type(i).__name__}")
        if not 0 <= i <= self.n:
            raise IndexError(f"position {i}: expected 0 to {self.n}")
        return i

    cdef object named(self, Py_ssize_t i):
        cdef int32_t token = self.history[i]
        return self.text[i - 1:i] if token == NONE else self.N.dictionary.tokens[token]

    cdef list path(self, Py_ssize_t i):
        cdef list ends = []
        while i:
            ends.append(i)
            i = self.parent(i)
        ends.reverse()
        return ends

    def theta(self, i):
        """θ(i): the last token of T of the first i symbols, an unknown symbol itself; None for i = 0. One look-up."""
        cdef Py_ssize_t at = self.place(i)
        return self.named(at) if at else None

    def tokens(self, i=None):
        """T of the first i symbols, or of all (Equation 2). O(tokens)."""
        return [self.named(end) for end in self.path(self.place(i))]

    def count(self, i=None):
        """How many tokens T of the first i symbols, or of all, has. One look-up."""
        return self.counts[self.place(i)]

    @property
    def parents(self):
        """parent(i) for each position: where the last token of T of the first i symbols begins; -1 for i = 0. O(n)."""
        cdef Py_ssize_t i
        return [self.parent(i) if i else -1 for i in range(self.n + 1)]

    @property
    def ids(self):
        """The index of θ(i) for each position; -1 for i = 0 and where the symbol before i is unknown. O(n)."""
        return list(self.history[:self.n + 1])

    def longest_within(self, max_tokens):
        """The longest prefix with at most `max_tokens` tokens, as a position. One look-up.

        It counts whatever shorter prefixes have, since counts may fall. TypeError and ValueError.

        >>> from incbpe import Dictionary, normalize
        >>> N = normalize(Dictionary(["a", "b", "ab", "aab"], [("a", "b"), ("a", "ab")]))
        >>> P = Prefixes(N, "aab")
        >>> [P.count(i) for i in range(4)], P.longest_within(1)
        ([0, 1, 2, 1], 3)
        """
        return self.longest[min(<Py_ssize_t>min(limit(max_tokens, 0), EVERY), self.longest.shape[0] - 1)]

    def split(self, max_tokens):
        """The text in parts of at most `max_tokens` tokens: each the longest prefix of what is left, read by itself.

        Together they are the text. TypeError; ValueError where `max_tokens` is below 1.

        >>> from incbpe import Dictionary, normalize
        >>> N = normalize(Dictionary(["a", "b", "ab", "aab"], [("a", "b"), ("a", "ab")]))
        >>> Prefixes(N, "aabbaaab").split(2)
        ['aabb', 'aaab']
        """
        cdef int32_t[::1] history = ints(self.n + 1), counts = ints(self.n + 1)
        cdef Py_ssize_t begin = 0, at = 0, last = 0, left
        cdef int32_t most = min(limit(max_tokens, 1), EVERY)
        cdef list parts = []
        while begin < self.n:
            with nogil:
                self.fill(at, &history[0], &counts[0], most, &last)
                left = last
                while left:
                    left -= self.ends_symbol(at)
                    at += 1
            parts.append(self.text[begin:begin + last])
            begin += last
        return parts

    def tree(self, prefixes):
        """The part of the token prefix tree that some prefixes, given as positions, need: a `TokenTree`, which has the
        attention mask too. O(rows log rows). TypeError and IndexError for what is no position."""
        cdef dict row = {0: -1}
        cdef Py_ssize_t i
        chosen = [self.place(end) for end in prefixes]
        needed = set()
        for end in chosen:
            i = end
            while i and i not in needed:
                needed.add(i)
                i = self.parent(i)
        positions = sorted(needed)
        row.update((end, k) for k, end in enumerate(positions))
        return TokenTree(positions, [self.named(i) for i in positions], [self.history[i] for i in positions],
                         [row[self.parent(i)] for i in positions], [self.counts[i] - 1 for i in positions],
                         [row[end] for end in chosen])

    cdef int32_t state(self, Py_ssize_t i) except -1:
        """The automaton remembers no more than the longest token."""
        cdef Py_ssize_t begin = max(0, i - unstable(self.N).longest)
        cdef const uint8_t[::1] seen
        cdef int32_t v = 0
        cdef Py_ssize_t k
        text = self.text[begin:i]
        seen = text if self.N.dictionary.binary else text.encode("utf-8", "surrogatepass")
        for k in range(seen.shape[0]):
            v = self.automaton.step(v, seen[k])
        return v

    def continuations(self, i=None):
        """What may come of the unstable end of the first i symbols, or of all, as pairs (b, tokens). (Section 6.)

        However the text goes on after i, T of it is T of the first b symbols and then one of the tokens, which goes
        beyond i, for one of these pairs; or T of the first i symbols and then anything that may follow, for which
        the last pair (i, []) stands. Every token that is named does come of some continuation.
        Cost: a pair for each token that extends a state of the failure chain.

        >>> from incbpe import Dictionary, normalize
        >>> N = normalize(Dictionary(["a", "b", "ab", "bb", "abb"], [("a", "b"), ("b", "b"), ("ab", "b")]))
        >>> P = Prefixes(N, "abb")
        >>> P.continuations(1), P.continuations(2), P.continuations()
        ([(0, ['ab', 'abb']), (1, [])], [(0, ['abb']), (2, [])], [(2, ['bb']), (3, [])])
        """
        cdef Unstable U = unstable(self.N)
        cdef Py_ssize_t end = self.place(i), b
        cdef int32_t v = self.state(end)
        cdef list found = []
        while v:
            b = end - self.automaton.depth[v]
            tokens = U.all_standing(self.history[b], v)
            if tokens:
                found.append((b, tokens))
            v = self.automaton.fail[v]
        return found + [(end, [])]

    def stable(self, i=None):
        """How many tokens of T of the first i symbols, or of all, every continuation keeps. (Section 6, and beyond it.)

        The tokens after these, T(i)[stable(i):], may still change. `EagerOutput` by "maximal" has released as many.
        Cost: a question for each state of the failure chain, and the tokens that may change.

        >>> from incbpe import Dictionary, normalize
        >>> N = normalize(Dictionary(["a", "b", "ab", "bb", "abb"], [("a", "b"), ("b", "b"), ("ab", "b")]))
        >>> P = Prefixes(N, "abbb")
        >>> [P.stable(i) for i in range(5)], P.tokens(3)[P.stable(3):]
        ([0, 0, 0, 0, 2], ['abb'])
        """
        cdef Unstable U = unstable(self.N)
        cdef Py_ssize_t end = self.place(i), b, shared = end
        cdef int32_t v = self.state(end)
        while v:
            b = end - self.automaton.depth[v]
            if U.any_stands(self.history[b], v, None, 0):
                while b != shared:          # parents are smaller, so the larger of two is not their common ancestor
                    if b > shared:
                        b = self.parent(b)
                    else:
                        shared = self.parent(shared)
            v = self.automaton.fail[v]
        return self.counts[shared]

    def __len__(self):
        return self.n

    draw, to_dot, _repr_svg_ = draw, to_dot, repr_svg

    def __repr__(self):
        return f"<Prefixes of {self.n} symbols, {self.counts[self.n]} tokens>"

    def check(self):
        """Raise AssertionError unless I1–I3 hold. Cost: the pairs of all neighbours in the tree, and its paths."""
        cdef Unstable U = unstable(self.N)
        cdef Py_ssize_t i, k
        cdef int32_t token
        holds("I2", self.counts[0] == 0 and self.history[0] == NONE, None)
        for i in range(1, self.n + 1):
            token = self.history[i]
            if token == NONE:
                holds("I1", self.text[i - 1:i] not in self.N.dictionary, i)
            else:
                holds("I1", self.N.is_canonical(self.named(i)) and self.text[self.parent(i):i] == self.named(i), i)
                holds("I1", U.stands(self.history[self.parent(i)], token) == STANDS, i)
            holds("I2", self.counts[i] == self.counts[self.parent(i)] + 1, i)
        for k in range(self.n + 1):
            holds("I3", self.longest_within(k) == max(i for i in range(self.n + 1) if self.counts[i] <= k), k)


cdef object limit(object max_tokens, int least):
    """A number of tokens from Python, checked."""
    max_tokens = integer("max_tokens", max_tokens)
    if max_tokens < least:
        raise ValueError(f"max_tokens: expected {least} or more, got {max_tokens}")
    return max_tokens
