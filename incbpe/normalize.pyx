"""Canonical tokens and their rules; whether the dictionary is proper.          (Section 3.3, Lemma 3.1)

Notation   T the semantics: T_D (equation 1) or PQ (rank BPE) · z is *canonical* iff T(z) = [z] · its canonical rule is the
           one that fires last on z · pre(z), suc(z) its parts · prio(z) its place · atoms are canonical and have no rule
Every token of every T(s) is canonical, and T with the canonical rules alone is T: the rest is left out.
The boundary walk finds T_D's canonical rules without running T_D. Rule i = (x, y) is canonical iff x y has no earlier
canonical rule, x and y are canonical by earlier ones, and nothing merges across the boundary x|y before i does. The
pair (u, v) that touches the boundary is followed back in time from (x, y): each step undoes the part that was made last
(of two made by one rule, in one pass, the right one). A canonical rule of (u, v) that comes before the rule just undone
would have merged across; so would that rule itself, if it is the right part's: the boundary lies further left.
D is *proper* iff PQ(z) = T_D(z) for every token z; then PQ = T_D on every string.
Forms      rules      T_D's canonical rules serve: for equation 1 always, for rank BPE where D is proper
           reordered  rank BPE, improper: another order D′ of PQ's canonical rules has T_D′ = PQ
           pairs      rank BPE, improper: the pair test
I1  `canonical` marks the tokens with T(z) = [z], and `n` is their number
I2  a canonical token is an atom, or pre(z) and suc(z) are canonical and make z by the rule prio(z)
I3  atoms and tokens that are not canonical have no parts and no rule
I4  but for the form pairs, the parts' rules come before the token's own
I5  `pairs` is there exactly in the form pairs
Cost  O(depth) look-ups a rule for each semantics, and a run of both on tokens that neither leaves whole
"""
from libc.stdint cimport int32_t, uint8_t

from incbpe.dictionary cimport NONE, holds, ints
from incbpe.pairs cimport NOT_CANONICAL, Pairs
from incbpe.repair cimport repaired_order

from incbpe.bpe import T, rank_bpe


cdef class Normalized:
    """The canonical tokens and rules of a dictionary; made by `normalize`. (Section 3.3.)"""

    def __cinit__(self, Dictionary D not None, semantics="equation"):
        cdef Pairs ranked
        if semantics not in ("equation", "rank"):
            raise ValueError(f"semantics: expected 'equation' or 'rank', got {semantics!r}")
        self.dictionary, self.semantics, self.form = D, semantics, "rules"
        self.clear()
        self.take_rules(D)
        ranked = Pairs(D)
        self.proper = is_proper(D, self.canonical, ranked.last)
        if semantics == "equation":
            self.reason = "the rules in their order are equation 1 itself"
        elif self.proper:
            self.reason = "the dictionary is proper: its rules in their order give what rank BPE gives"
        else:
            self.clear()
            repaired, said = repaired_order(ranked)
            if repaired is not None:
                self.form = "reordered"
                self.reason = f"the dictionary is improper, and another order of its rules gives what rank BPE gives: {said}"
                self.take_rules(repaired)
            else:
                self.form, self.pairs = "pairs", ranked
                self.reason = f"the dictionary is improper, and no order of its rules was found that serves: {said}"
                self.take_ranks(ranked.last)

    cdef int clear(self) except -1:
        cdef Dictionary D = self.dictionary
        cdef int32_t i
        self.pre_token, self.suc_token, self.prio_rule = ints(D.n), ints(D.n), ints(D.n)
        self.pre_token[:] = NONE
        self.suc_token[:] = NONE
        self.prio_rule[:] = NONE
        self.canonical = bytearray(max(D.n, 1))
        self.n = 0
        for i in range(D.n):
            if D.is_atom(i):
                self.canonical[i] = 1
                self.n += 1
        return 0

    cdef int take_rules(self, Dictionary D) except -1:
        cdef int32_t i, z
        for i in range(D.rules):
            z = D.z[i]
            if self.canonical[z] or not self.canonical[D.x[i]] or not self.canonical[D.y[i]] or not self.fires(D, i):
                continue
            self.canonical[z] = 1
            self.pre_token[z], self.suc_token[z], self.prio_rule[z] = D.x[i], D.y[i], i
            self.n += 1
        return 0

    cdef bint fires(self, Dictionary D, int32_t i) noexcept nogil:
        cdef int32_t u = D.x[i], v = D.y[i], end, m
        cdef bint right
        while self.prio_rule[u] != NONE or self.prio_rule[v] != NONE:
            right = self.prio_rule[v] >= self.prio_rule[u]
            if right:
                end, v = self.prio_rule[v], self.pre_token[v]
            else:
                end, u = self.prio_rule[u], self.suc_token[u]
            m = D.rule(u, v)
            if m != NONE and self.prio_rule[D.z[m]] == m and (m < end or m == end and right):
                return False
        return True

    cdef int take_ranks(self, int32_t[::1] last) except -1:
        cdef Dictionary D = self.dictionary
        cdef int32_t i
        for i in range(D.n):
            if last[i] >= 0:
                self.canonical[i] = 1
                self.pre_token[i], self.suc_token[i], self.prio_rule[i] = D.x[last[i]], D.y[last[i]], last[i]
                self.n += 1
        return 0

    cdef object named(self, int32_t i):
        return None if i == NONE else self.dictionary.tokens[i]

    @property
    def rules(self):
        """The canonical rules as pairs of tokens, in the order that serves. (Section 3.3.) O(n log n)."""
        order = sorted([i for i in range(self.dictionary.n) if self.prio_rule[i] != NONE], key=lambda i: self.prio_rule[i])
        return [(self.named(self.pre_token[i]), self.named(self.suc_token[i])) for i in order]

    def is_canonical(self, token):
        """T(z) = [z]. One look-up; DictionaryError if z is no token."""
        return bool(self.canonical[self.dictionary.index_of(token)])

    def pre(self, token):
        """pre(z): the left part by the canonical rule; None for an atom, and where z is not canonical. One look-up."""
        return self.named(self.pre_token[self.dictionary.index_of(token)])

    def suc(self, token):
        """suc(z): the right part by the canonical rule; None for an atom, and where z is not canonical. One look-up."""
        return self.named(self.suc_token[self.dictionary.index_of(token)])

    def prio(self, token):
        """prio(z): the place of the canonical rule; None for an atom, and where z is not canonical. One look-up."""
        cdef int32_t found = self.prio_rule[self.dictionary.index_of(token)]
        return None if found == NONE else found

    def __len__(self):
        return self.n

    def __repr__(self):
        return f"<Normalized {self.dictionary!r}: {self.n} canonical tokens by {self.semantics}, form {self.form!r}>"

    def __reduce__(self):
        return Normalized, (self.dictionary, self.semantics)

    def check(self):
        """Raise AssertionError unless I1–I5 hold. Cost: one run of T a token.

        >>> from incbpe import Dictionary
        >>> normalize(Dictionary(["a", "aa"], [("a", "a")])).check()
        """
        cdef Dictionary D = self.dictionary
        cdef int32_t i, x, y
        run = T if self.semantics == "equation" else rank_bpe
        for i, z in enumerate(D.tokens):
            x, y = self.pre_token[i], self.suc_token[i]
            holds("I1", self.canonical[i] == (bool(z) and run(D, z) == [z] and D.index[z] == i), z)
            if not self.canonical[i] or D.length[i] == 1:
                holds("I3", x == y == self.prio_rule[i] == NONE, z)
                continue
            holds("I2", self.canonical[x] and self.canonical[y] and D.tokens[x] + D.tokens[y] == z, z)
            if self.form != "reordered":
                holds("I2", D.merges[self.prio_rule[i]] == (D.tokens[x], D.tokens[y]), z)
            if self.form != "pairs":
                holds("I4", max(self.prio_rule[x], self.prio_rule[y]) < self.prio_rule[i], z)
        holds("I1", self.n == sum(self.canonical), self.n)
        holds("I5", (self.pairs is not None) == (self.form == "pairs"), self.form)


cdef bint is_proper(Dictionary D, uint8_t[::1] canonical, int32_t[::1] last) except -1:
    """Whether PQ and T_D agree on every token; where neither leaves it whole both are run."""
    cdef int32_t i
    for i in range(D.n):
        if canonical[i] != (last[i] != NOT_CANONICAL):
            return False
        if not canonical[i] and D.length[i] and T(D, D.tokens[i]) != rank_bpe(D, D.tokens[i]):
            return False
    return True


def normalize(D, semantics="equation"):
    """The canonical rules of D, for T_D (semantics="equation") or for rank BPE ("rank"). (Section 3.3.)

    Any D will do. For rank BPE on an improper D the form says how it is served: N.form, N.reason.
    Cost: O(depth) look-ups a rule. Raises TypeError and ValueError.

    >>> from incbpe import Dictionary
    >>> N = normalize(Dictionary(["a", "b", "ab", "ba", "aba", "abb"], [("a", "b"), ("b", "a"), ("a", "ba"), ("ab", "b")]))
    >>> N.pre("abb"), N.suc("abb"), N.prio("abb"), N.prio("a"), N.is_canonical("aba")     # T(aba) = [ab, a]
    ('ab', 'b', 3, None, False)
    >>> N.rules
    [('a', 'b'), ('b', 'a'), ('ab', 'b')]
    """
    return Normalized(D, semantics)
