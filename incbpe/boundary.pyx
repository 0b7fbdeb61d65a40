"""T_D's canonical rules, found without running T_D: the boundary walk.          (Section 3.3, Lemma 3.1)

Notation   z is *canonical* iff T_D(z) = [z]; its canonical rule is the one that fires last in T_D(z) · x | y the boundary
           between the parts
Rule i = (x, y) is canonical iff x y has no earlier canonical rule, x and y are canonical by earlier ones, and nothing
merges across the boundary before i does. The walk follows the pair (u, v) that touches the boundary back in time, from
(x, y) to atoms: each step undoes the part that was made last (of two made by one rule, in one pass, the right one). A
canonical rule of (u, v) that comes before the rule just undone would have merged across; so would that rule itself, if it
made the right part: the boundary lies further left. Rules that are not canonical never fire, and stand in nobody's way.
I1  `last` is the rule that fires last in T_D(z), for tokens with T_D(z) = [z], and marks atoms and all others
Cost  O(depth x + depth y) look-ups for each rule (x, y)
"""
from incbpe.dictionary cimport NONE, holds, ints

from incbpe.bpe import trace


cdef class Boundary:
    """T_D's canonical rule of each token; made by `normalize`. (Section 3.3.)"""

    def __cinit__(self, Dictionary D not None):
        self.dictionary, self.last = D, only_atoms(D)
        self.fill()

    cdef int fill(self) except -1:
        cdef Dictionary D = self.dictionary
        cdef int32_t i
        for i in range(D.rules):
            if (self.last[D.z[i]] == NOT_CANONICAL and self.last[D.x[i]] != NOT_CANONICAL
                    and self.last[D.y[i]] != NOT_CANONICAL and self.fires(i)):
                self.last[D.z[i]] = i
        return 0

    cdef bint fires(self, int32_t i) noexcept nogil:
        cdef int32_t u = self.dictionary.x[i], v = self.dictionary.y[i], end, m
        cdef bint right
        while self.last[u] != NONE or self.last[v] != NONE:
            right = self.last[v] >= self.last[u]
            if right:
                end = self.last[v]
                v = self.dictionary.x[end]
            else:
                end = self.last[u]
                u = self.dictionary.y[end]
            m = self.dictionary.rule(u, v)
            if m != NONE and self.last[self.dictionary.z[m]] == m and (m < end or m == end and right):
                return False
        return True

    def __repr__(self):
        return f"<Boundary of {self.dictionary!r}>"

    def __reduce__(self):
        return Boundary, (self.dictionary,)

    def check(self):
        """Raise AssertionError unless I1 holds. Cost: that of T_D on every token.

        >>> from incbpe import Dictionary
        >>> Boundary(Dictionary(["a", "aa"], [("a", "a")])).check()
        """
        cdef Dictionary D = self.dictionary
        cdef int32_t i, last
        for i, z in enumerate(D.tokens):
            tokens, fired = trace(D, z, "equation")
            last = fired[len(fired) - 1] if fired else NONE
            holds("I1", self.last[i] == (last if z and tokens == [z] and D.by_token()[z] == i else NOT_CANONICAL), z)


cdef int32_t[::1] only_atoms(Dictionary D):
    cdef int32_t[::1] last = ints(D.n)
    cdef int32_t i
    for i in range(D.n):
        last[i] = NONE if D.is_atom(i) else NOT_CANONICAL
    return last


cdef int32_t difference(Dictionary D, int32_t[::1] one, int32_t[::1] two) except -2:
    cdef int32_t i
    for i in range(D.n):
        if (one[i] == NOT_CANONICAL) != (two[i] == NOT_CANONICAL):
            return i
    return NONE
