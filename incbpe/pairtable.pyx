"""The pair test of rank BPE as the engine runs it: over numbers, without the notation layer.      (beyond the paper)

`pairs` says which pairs of tokens stand side by side in PQ, and how that is asked: by a walk back in time, which at each
step undoes the part that was made last. What a step needs of a token is here one record of 16 bytes, and the rules are a
table of their parts' numbers. A walk meets canonical tokens only, so that only they and the rules between them are kept.

Notation   PQ, w, z, peak as in pairs · numbers as in layout
I1  `made` is of each canonical token what `pairs` has of it, and its parts' numbers
I2  `rules` has each rule whose parts are canonical, and no other
Cost  a pair: O(depth w + depth z) look-ups; building: O(tokens + rules). Memory: 16 bytes a token, 24 to 48 a rule
"""
from libc.stdint cimport int32_t, uint32_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from incbpe.dictionary cimport NONE, Dictionary, ints
from incbpe.dictionary cimport holds as sure
from incbpe.hashing cimport pair_hash
from incbpe.layout cimport Layout
from incbpe.pairs cimport Pairs
from subwordio.container cimport Container


cdef class PairTable:
    """``PairTable(pairs, layout)``: of the layout's tokens. Without pairs it is empty."""

    def __cinit__(self, Pairs pairs, Layout layout not None):
        self.size = layout.automaton.none
        if pairs is not None:
            self.fill(pairs, layout)

    def __dealloc__(self):
        if not self.mapped:
            free(self.made)
            free(self.rules)

    cdef int fill(self, Pairs pairs, Layout layout) except -1:
        cdef Dictionary D = pairs.dictionary
        cdef int32_t[::1] number = ints(D.n)        # by token index; NONE: not canonical
        cdef uint32_t k, slot, slots = 2
        cdef int32_t i, z
        number[:] = NONE
        for k in range(self.size):
            number[layout.automaton.tokens[k]] = <int32_t> k
        while slots < 2 * <uint32_t> D.rules:
            slots *= 2
        self.mask = slots - 1
        self.made = <Made *> malloc((self.size + 1) * sizeof(Made))
        self.rules = <PairRule *> malloc(slots * sizeof(PairRule))
        if self.made == NULL or self.rules == NULL:
            raise MemoryError()
        for k in range(self.size):
            z = layout.automaton.tokens[k]
            i = pairs.last[z]
            self.made[k] = Made(i, pairs.peak[z], 0, 0)
            if i != NONE:
                self.made[k].left, self.made[k].right = <uint32_t> number[D.x[i]], <uint32_t> number[D.y[i]]
        memset(self.rules, 0xFF, slots * sizeof(PairRule))          # all NONE
        for i in range(D.rules):
            if number[D.x[i]] == NONE or number[D.y[i]] == NONE:
                continue
            slot = pair_hash(number[D.x[i]], number[D.y[i]]) & self.mask
            while self.rules[slot].rule != NONE:
                slot = (slot + 1) & self.mask
            self.rules[slot] = PairRule(<uint32_t> number[D.x[i]], <uint32_t> number[D.y[i]], i)
        return 0

    cdef dict to_sections(self):
        return {"pairs.made": <bytes> (<char *> self.made)[:self.size * sizeof(Made)],
                "pairs.rules": <bytes> (<char *> self.rules)[:(<size_t> self.mask + 1) * sizeof(PairRule)]}

    @staticmethod
    cdef PairTable of_container(Container file, Layout layout):
        cdef PairTable self = PairTable(None, layout)
        cdef size_t made, slots
        self.held, self.mapped = file, True
        self.made = <Made *> file.take("pairs.made", sizeof(Made), &made)
        self.rules = <PairRule *> file.take("pairs.rules", sizeof(PairRule), &slots)
        if made != self.size or not 2 <= slots <= 0x80000000 or slots & (slots - 1):
            file.fail("its table of pairs is of no size that such a table can have")
        self.mask = <uint32_t> (slots - 1)
        return self

    cdef int32_t rule(self, uint32_t left, uint32_t right) noexcept nogil:
        cdef uint32_t slot = pair_hash(<int32_t> left, <int32_t> right) & self.mask
        cdef const PairRule *found
        while True:
            found = self.rules + slot
            if found.rule == NONE or found.left == left and found.right == right:
                return found.rule
            slot = (slot + 1) & self.mask

    cdef bint holds(self, uint32_t w, uint32_t z) noexcept nogil:
        """The walk of `Pairs.meet`, step by step."""
        cdef const Made *u = self.made + w
        cdef const Made *v = self.made + z
        cdef int32_t m, most
        if self.rule(w, z) != NONE:
            return False
        while u.peak != NONE or v.peak != NONE:
            if v.peak >= u.peak:
                most, m = v.peak, v.last
                z = v.left
                if self.made[z].peak == most and self.made[v.right].peak < most:
                    most = m
                most += 1                   # the boundary lies further left than that step
                v = self.made + z
            else:
                most, m = u.peak, u.last
                w = u.right
                u = self.made + w
                if u.peak == most:
                    most = m
            m = self.rule(w, z)
            if m != NONE and m < most:
                return False
        return True

    @property
    def nbytes(self) -> int:
        """The arrays' size in bytes."""
        return self.size * sizeof(Made) + (<size_t> self.mask + 1) * sizeof(PairRule)

    def check(self, Pairs pairs not None, Layout layout not None) -> None:
        """Assert I1 and I2 of a table made from these. O(tokens + rules)."""
        cdef Dictionary D = pairs.dictionary
        cdef Made made
        cdef uint32_t k, slot, used = 0
        cdef int32_t i, z
        known = {layout.automaton.tokens[k]: k for k in range(self.size)}
        for k in range(self.size):
            made, z = self.made[k], layout.automaton.tokens[k]
            i = made.last
            sure("I1", i == pairs.last[z] and made.peak == pairs.peak[z], D.tokens[z])
            sure("I1", i == NONE or made.left == known[D.x[i]] and made.right == known[D.y[i]], D.tokens[z])
        for slot in range(self.mask + 1):
            used += self.rules[slot].rule != NONE
        for i in range(D.rules):
            if D.x[i] in known and D.y[i] in known:
                sure("I2", self.rule(known[D.x[i]], known[D.y[i]]) == i, D.pair(i))
                used -= 1
        sure("I2", used == 0, used)
