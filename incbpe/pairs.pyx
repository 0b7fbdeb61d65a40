"""Rank BPE's canonical tokens, and its pair test: exact for any rule list, proper or not.          (beyond the paper)

For rank BPE every token of PQ(s) is canonical, PQ(z) = [z], and the last token θ(s) is the only canonical suffix z of s
with z = s or PQ(w z) = [w, z], where w = θ(s without z). So a list that no order of rules makes proper is served too.

Notation   PQ rank BPE · w, z canonical tokens · the trace of z: the rules that fire in PQ(z), in their order · its peak:
           the largest of them · x | y the boundary between neighbours
Both come from one walk back in time, which asks whether anything merges across w | z before w and z are made.
While nothing does, PQ(w z) takes at each step the lower of the two traces' next rules, and at a tie the left one. A trace
runs in blocks: a rule that none before it exceeds, which leads, and lower rules that follow at once. They are lower than
all that was there, so each touches what was just made: a block grows one token. So blocks come in the order of their
leaders, at a tie the left side's first, and a token is made under the leader that is its peak.
The walk follows the pair (u, v) that touches the boundary, from (w, z) back to atoms, and undoes the part that was made
last: the one with the larger peak, at a tie the right one. Let V be that part and (u, v) what is left. The pair's rule m
would have fired across if some step since (u, v) were there, up to that which made V, was above m, or at m and further
right. If v grew into V, that step was the only one. Otherwise the block's leader, V's peak, is among them, and is the
largest. On the left v grew into V if their peaks are one; on the right if, moreover, what v took in has a lower peak:
of two blocks under one rule the right one is the later.
I1  `last` is the rule that fires last in PQ(z), for tokens with PQ(z) = [z], and marks atoms and all others
I2  `peak` is the largest rule that fires in PQ(z)
Cost  O(depth w + depth z) look-ups a pair, so also for each rule on building
"""
from incbpe.boundary cimport NOT_CANONICAL, only_atoms
from incbpe.dictionary cimport NONE, ints
from incbpe.dictionary cimport holds as invariant

from incbpe.bpe import trace
from incbpe.dictionary import DictionaryError


cdef class Pairs:
    """Which tokens are canonical for rank BPE, and PQ(w z) = [w, z] for two of them. (Beyond the paper.)

    >>> from incbpe import Dictionary
    >>> P = Pairs(Dictionary(["a", "aa", "aaa"], [("aa", "a"), ("a", "a")]))
    >>> P.pair("aaa", "a"), P.pair("aa", "a"), P.pair("a", "aaa")
    (True, False, False)
    """

    def __cinit__(self, Dictionary D not None):
        self.dictionary, self.last, self.peak = D, only_atoms(D), ints(D.n)
        self.peak[:] = NONE
        self.plain = True
        self.fill()

    cdef int fill(self) except -1:
        # z = x y is canonical by the rule (x, y) if x and y are, and nothing merges across before they are made: then
        # nothing but that rule is left. Shorter products first.
        cdef Dictionary D = self.dictionary
        cdef int32_t[::1] order = by_length(D)
        cdef int32_t i, k, x, y, z
        for k in range(D.rules):
            i = order[k]
            x, y, z = D.x[i], D.y[i], D.z[i]
            if (self.last[z] == NOT_CANONICAL and self.last[x] != NOT_CANONICAL and self.last[y] != NOT_CANONICAL
                    and self.meet(x, y)):
                self.last[z], self.peak[z] = i, max(i, self.peak[x], self.peak[y])
                self.plain &= self.peak[z] == i
        return 0

    cdef bint meet(self, int32_t u, int32_t v) noexcept nogil:
        cdef int32_t i, m, most
        while self.peak[u] != NONE or self.peak[v] != NONE:
            if self.peak[v] >= self.peak[u]:
                i = self.last[v]
                most = self.peak[v]
                v = self.dictionary.x[i]
                if self.peak[v] == most and self.peak[self.dictionary.y[i]] < most:
                    most = i
                most += 1                   # the boundary lies further left than that step
            else:
                i = self.last[u]
                most = self.peak[u]
                u = self.dictionary.y[i]
                if self.peak[u] == most:
                    most = i
            m = self.dictionary.rule(u, v)
            if m != NONE and m < most:
                return False
        return True

    cdef bint holds(self, int32_t w, int32_t z) noexcept nogil:
        return self.dictionary.rule(w, z) == NONE and self.meet(w, z)

    def is_canonical(self, token):
        """PQ(z) = [z]. One look-up; DictionaryError if z is no token."""
        return self.last[self.dictionary.index_of(token)] != NOT_CANONICAL

    def pair(self, w, z):
        """PQ(w z) = [w, z], for canonical w and z. O(depth w + depth z); DictionaryError if one is not canonical."""
        cdef int32_t[2] found
        for k, token in enumerate((w, z)):
            found[k] = self.dictionary.index_of(token)
            if self.last[found[k]] == NOT_CANONICAL:
                raise DictionaryError(f"{token!r} is not canonical")
        return self.holds(found[0], found[1])

    def __repr__(self):
        return f"<Pairs of {self.dictionary!r}>"

    def __reduce__(self):
        return Pairs, (self.dictionary,)

    def check(self):
        """Raise AssertionError unless I1 and I2 hold. Cost: that of PQ on every token.

        >>> from incbpe import Dictionary
        >>> Pairs(Dictionary(["a", "aa"], [("a", "a")])).check()
        """
        cdef Dictionary D = self.dictionary
        cdef int32_t i
        for i, z in enumerate(D.tokens):
            tokens, fired = trace(D, z)
            if not z or tokens != [z] or D.by_token()[z] != i:
                invariant("I1", self.last[i] == NOT_CANONICAL, z)
            else:
                invariant("I1", self.last[i] == (fired[len(fired) - 1] if fired else NONE), z)
                invariant("I2", self.peak[i] == max(fired, default=NONE), z)


cdef int32_t[::1] by_length(Dictionary D):
    """The rules by the length of their products, and in order: a counting sort."""
    cdef int32_t[::1] begin, order = ints(D.rules)
    cdef int32_t i, longest = 0, k
    for i in range(D.n):
        longest = max(longest, D.length[i])
    begin = ints(longest + 2)
    for i in range(D.rules):
        begin[D.length[D.z[i]] + 1] += 1
    for k in range(longest + 1):
        begin[k + 1] += begin[k]
    for i in range(D.rules):
        k = D.length[D.z[i]]
        order[begin[k]] = i
        begin[k] += 1
    return order
