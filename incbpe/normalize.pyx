"""Canonical tokens and their rules; whether the dictionary is proper.          (Section 3.3, Lemma 3.1)

Notation   T the semantics: T_D (equation 1) or PQ (rank BPE) · z is *canonical* iff T(z) = [z] · its canonical rule is the
           one that fires last on z · pre(z), suc(z) its parts · prio(z) its place · atoms are canonical and have no rule
Every token of every T(s) is canonical, and T with the canonical rules alone is T: the rest is left out.
D is *proper* iff PQ(z) = T_D(z) for every token z; then PQ = T_D on every string. It is iff both have the same canonical
tokens. For then they have the same canonical rules: those of shorter tokens are proper, and so give a token the same last
two parts. With these rules alone, which give the same PQ and the same T_D, each token is canonical under both.
So what the walks of `pairs` find is enough: D is proper iff every canonical token of PQ has for its peak the rule that fires
last. If D is proper, a token's parts are made by earlier rules than itself (I4), and so on down. Conversely let all peaks be
last rules. Then T_D's canonical rules are PQ's, by induction over the rules: let it be so before rule i = (x, y). The walk of
`boundary` for i goes the way of that of `pairs`, since peaks are last rules, and stops at fewer rules. If i is PQ's of its
product z, the parts' rules come before i, and it does not stop. If not, then a part is not canonical, or z has an earlier
rule, or the walk of `pairs` stops. Had it gone on, there would be a last place to stop, at a rule m = (u, v): nothing merges
across u | v before both are made, m is PQ's rule of u v, and comes before i; the walk of `boundary` stops there at the latest.
Forms      rules      T_D's canonical rules serve: for equation 1 always, for rank BPE where D is proper
           reordered  rank BPE, improper: another order D′ of PQ's canonical rules has T_D′ = PQ
           pairs      rank BPE, improper: the pair test
I1  `canonical` marks the tokens with T(z) = [z], and `n` is their number
I2  a canonical token is an atom, or pre(z) and suc(z) are canonical and make z by the rule prio(z)
I3  atoms and tokens that are not canonical have no parts and no rule
I4  but for the form pairs, the parts' rules come before the token's own
I5  `pairs` is there exactly in the form pairs
Cost  O(depth) look-ups a rule, for equation 1 on an improper D twice; a repair has its own
"""
from incbpe.boundary cimport NOT_CANONICAL, Boundary
from incbpe.dictionary cimport NONE, holds, ints
from incbpe.pairs cimport Pairs
from incbpe.repair cimport repaired_order

from incbpe.bpe import T, rank_bpe


cdef class Normalized:
    """The canonical tokens and rules of a dictionary; made by `normalize`. (Section 3.3.)"""

    def __cinit__(self, Dictionary D not None, semantics="equation"):
        cdef Pairs ranked
        cdef Dictionary repaired
        if semantics not in ("equation", "rank"):
            raise ValueError(f"semantics: expected 'equation' or 'rank', got {semantics!r}")
        self.dictionary, self.semantics, self.form = D, semantics, "rules"
        ranked = Pairs(D)
        self.proper = ranked.plain
        if semantics == "equation":
            self.reason = "the rules in their order are equation 1 itself"
            self.take(D, ranked.last if ranked.plain else Boundary(D).last)
            return
        if ranked.plain:
            self.reason = "the dictionary is proper: its rules in their order give what rank BPE gives"
            self.take(D, ranked.last)
            return
        repaired, last, said = repaired_order(ranked)
        if repaired is not None:
            self.form = "reordered"
            self.reason = f"the dictionary is improper, and another order of its rules gives what rank BPE gives: {said}"
            self.take(repaired, last)
        else:
            self.form, self.pairs = "pairs", ranked
            self.reason = f"the dictionary is improper, and no order of its rules was found that serves: {said}"
            self.take(D, ranked.last)

    cdef int take(self, Dictionary D, int32_t[::1] last) except -1:
        cdef int32_t i
        self.pre_token, self.suc_token, self.prio_rule = ints(D.n), ints(D.n), ints(D.n)
        self.pre_token[:] = NONE
        self.suc_token[:] = NONE
        self.prio_rule[:] = NONE
        self.canonical = bytearray(max(D.n, 1))
        for i in range(D.n):
            if last[i] == NOT_CANONICAL:
                continue
            self.canonical[i] = 1
            self.n += 1
            if last[i] != NONE:
                self.pre_token[i], self.suc_token[i], self.prio_rule[i] = D.x[last[i]], D.y[last[i]], last[i]
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
            holds("I1", self.canonical[i] == (bool(z) and run(D, z) == [z] and D.by_token()[z] == i), z)
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
