"""The unstable end of a text: what may still change, and all that may come of it.        (Section 6; beyond the paper)

However s goes on, one token of T(su) ends with s or goes beyond its end: it begins at some b, and before it stands
T(s[:b]), since every prefix of a tokenization is that of its own text. If it goes beyond, it is a canonical z that
properly extends s[b:] and that *stands* behind w = θ(s[:b]): T(w z) = [w, z]. Each such z is what some u brings about.

Whether z stands behind w is found as canonical rules are: the pair (u, v) that touches the boundary is followed back in
time from (w, z), undoing what was made last, and a canonical rule of it that is early enough would have merged across.
Take the forest in which pre(z) is the parent of z. While v = pre(p) touches the boundary, p being undone, u depends on
w and p alone. So a conflict there is one for all tokens below p, and these need not be tried. A conflict of z itself,
not yet undone, says nothing about others.

Notation   w, z canonical tokens · v a state of the suffix automaton, for the text that it spells · s[b:] such a text
I1  `order` holds the canonical tokens, those below order[i] in the forest of pre up to order[below[i]]
I2  heads[begin[v] : begin[v + 1]] are the places in `order` of the tokens z that properly extend what v spells and
      whose pre(z) does not: with those below them, all that properly extend it, each once
Cost  building: three steps a byte of the tokens. A pair: O(depth) look-ups, in the form "pairs" a run of PQ on both. A
      question (w, v) tries tokens that extend v until one stands: often the first, at worst all, most left out as above
      (not in the form "pairs"). Its answer is remembered until another takes its slot.
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free

from incbpe.automaton cimport SuffixAutomaton
from incbpe.dictionary cimport NONE, holds, ints
from incbpe.theta cimport machine

from subwordio.memory cimport zeroed

from incbpe.dictionary import DictionaryError

cdef extern from *:
    """
    static inline uint64_t incbpe_question(int32_t w, int32_t v) {      /* 0 for no question: the root is never asked */
        return (uint64_t)(uint32_t)w << 32 | (uint32_t)v;
    }
    static inline uint32_t incbpe_slot(uint64_t question, uint8_t kind) {
        return (uint32_t)((question + ((uint64_t)kind << 56)) * 0x9E3779B97F4A7C15u >> 32);
    }
    """
    uint64_t question_of "incbpe_question"(int32_t w, int32_t v) noexcept nogil
    uint32_t slot_of "incbpe_slot"(uint64_t question, uint8_t kind) noexcept nogil

cdef enum:
    SLOTS = 16384                           # answers that are remembered: 160 KB, of which few are ever touched


cdef class Follow:
    """Base class: anything may follow. For tokens of bytes."""

    cdef bint may_follow(self, uint8_t kind, const uint8_t *rest, Py_ssize_t n) noexcept nogil:
        return True


cdef class Unstable:
    """The tables for the unstable ends of texts under a normalized dictionary. (Section 6; beyond the paper.)

    >>> from incbpe import Dictionary, normalize
    >>> D = Dictionary(["a", "b", "ab", "bb", "abb"], [("a", "b"), ("b", "b"), ("ab", "b")])
    >>> U = Unstable(normalize(D))
    >>> U.pair("ab", "b"), U.pair("ab", "bb"), U.extensions("a"), U.extensions("b", behind="a")
    (False, True, ['ab', 'abb'], [])
    """

    def __cinit__(self, Normalized N not None):
        self.machine = machine(N)
        self.N, self.dictionary, self.pairs = N, N.dictionary, N.pairs
        self.paired = N.pairs is not None
        self.longest = 1
        self.order, self.below = ints(N.n), ints(N.n)
        self.set_order()
        self.set_heads()

    cdef int set_order(self) except -1:
        """Preorder, by descending size of what is before: each token takes its places from its parent's."""
        cdef Dictionary D = self.dictionary
        cdef int32_t[::1] size = ints(D.n), place = ints(D.n)
        cdef int32_t z, x, at = 0
        by_length = sorted([z for z in range(D.n) if self.N.canonical[z]], key=D.tokens.__getitem__)
        by_length.sort(key=[self.dictionary.length[z] for z in range(D.n)].__getitem__)
        for z in reversed(by_length):
            size[z] += 1
            x = self.N.pre_token[z]
            if x != NONE:
                size[x] += size[z]
        for z in by_length:                 # place: the next free one below z
            x = self.N.pre_token[z]
            if x == NONE:
                place[z], at = at, at + size[z]
            else:
                place[z], place[x] = place[x], place[x] + size[z]
            self.order[place[z]], self.below[place[z]] = z, place[z] + size[z]
            self.longest = max(self.longest, D.length[z])
            place[z] += 1
        return 0

    cdef int set_heads(self) except -1:
        """Counted, then entered from the back."""
        cdef SuffixAutomaton A = self.machine.automaton
        cdef Dictionary D = self.dictionary
        cdef int32_t i, z, v, total = 0
        cdef Py_ssize_t k, first
        cdef int turn
        self.begin = ints(<Py_ssize_t>A.states + 1)
        for turn in range(2):
            for i in range(self.N.n):
                z, v = self.order[i], 0
                first = D.begin[z]
                if self.N.pre_token[z] != NONE:
                    first += D.begin[self.N.pre_token[z] + 1] - D.begin[self.N.pre_token[z]]
                for k in range(D.begin[z], D.begin[z + 1]):
                    if k >= first and turn == 0:
                        self.begin[v] += 1
                    elif k >= first:
                        self.begin[v] -= 1
                        self.heads[self.begin[v]] = i
                    v = A.step(v, D.text[k])
            if turn == 0:
                for v in range(A.states + 1):
                    total += self.begin[v]
                    self.begin[v] = total
                self.heads = ints(total)
        return 0

    cdef int stands(self, int32_t w, int32_t z) except -1 nogil:
        """Back in time: `end` is the rule undone last, `right` if it made the right token, `undone` if any did."""
        cdef int32_t m, product, end = self.dictionary.rules
        cdef bint right = False, undone = False
        if w == NONE:                       # nothing, or an unknown symbol, in no rule
            return STANDS
        if self.paired:
            return STANDS if self.pairs.holds(w, z) else FALLS
        while True:
            m = self.dictionary.rule(w, z)
            if m != NONE:
                product = self.dictionary.z[m]
                if self.N.pre_token[product] == w and self.N.suc_token[product] == z:       # m is its canonical rule
                    m = self.N.prio_rule[product]
                    if m < end or m == end and right:
                        return ALL_FALL if undone else FALLS
            right = self.N.prio_rule[z] >= self.N.prio_rule[w]      # of two made by one rule the right was made later
            if right:
                end = self.N.prio_rule[z]
                if end == NONE:
                    return STANDS           # two atoms, and no rule has merged them
                z = self.N.pre_token[z]
                undone = True
            else:
                end = self.N.prio_rule[w]
                w = self.N.suc_token[w]

    cdef int32_t next_standing(self, int32_t w, int32_t i, int32_t end) except -2 nogil:
        cdef int verdict
        while i < end:
            verdict = self.stands(w, self.order[i])
            if verdict == STANDS:
                return i
            i = self.below[i] if verdict == ALL_FALL else i + 1
        return NONE

    cdef bint any_stands(self, int32_t w, int32_t v, Follow follow, uint8_t kind) except -1 nogil:
        """Where a token cannot follow, none below it can: they begin with it."""
        cdef int32_t k, i, begin
        cdef int verdict
        for k in range(self.begin[v], self.begin[v + 1]):
            i = self.heads[k]
            while i < self.below[self.heads[k]]:
                begin = self.dictionary.begin[self.order[i]] + self.machine.automaton.depth[v]
                if follow is not None and not follow.may_follow(
                        kind, &self.dictionary.text[begin], self.dictionary.begin[self.order[i] + 1] - begin):
                    i = self.below[i]
                    continue
                verdict = self.stands(w, self.order[i])
                if verdict == STANDS:
                    return True
                i = self.below[i] if verdict == ALL_FALL else i + 1
        return False

    cdef list all_standing(self, int32_t w, int32_t v):
        cdef list found = []
        cdef int32_t k, i
        for k in range(self.begin[v], self.begin[v + 1]):
            i = self.next_standing(w, self.heads[k], self.below[self.heads[k]])
            while i != NONE:
                found.append(self.dictionary.tokens[self.order[i]])
                i = self.next_standing(w, i + 1, self.below[self.heads[k]])
        found.sort()
        return found

    def pair(self, w, z):
        """T(w z) = [w, z], for canonical tokens w and z. O(depth), or a run of PQ. DictionaryError if one is none."""
        return self.stands(self.token_of(w), self.token_of(z)) == STANDS

    def token_of(self, z):
        """The index of a canonical token; DictionaryError if it is none."""
        i = self.dictionary.id(z)
        if not self.N.canonical[i]:
            raise DictionaryError(f"{z!r} is not canonical")
        return i

    def extensions(self, x, behind=None):
        """The canonical tokens that properly extend x and stand behind a token, or at the beginning. (Section 6.)

        Sorted. O(tokens that extend x), each a pair. DictionaryError where `behind` is no canonical token.
        """
        cdef int32_t w = NONE if behind is None else self.token_of(behind)
        cdef int32_t v = 0
        text = self.dictionary.text_of(x)
        text = text if self.dictionary.binary else text.encode("utf-8", "surrogatepass")
        for b in text:
            v = self.machine.automaton.step(v, b)
        if self.machine.automaton.depth[v] != len(x):
            return []
        return self.all_standing(w, v)

    def __repr__(self):
        return f"<Unstable of {self.N!r}>"

    def check(self):
        """Raise AssertionError unless I1 and I2 hold. Cost: the states times the tokens that extend them."""
        cdef SuffixAutomaton A = self.machine.automaton
        cdef Dictionary D = self.dictionary
        cdef int32_t v, i, z, k
        cdef dict texts = {0: D.tokens[0][:0]}
        place = {self.order[i]: i for i in range(self.N.n)}
        holds("I1", len(place) == self.N.n and all(self.N.canonical[z] for z in place), None)
        above = {z: {z} | (set() if self.N.pre_token[z] == NONE else {self.N.pre_token[z]}) for z in place}
        for z in sorted(place, key=lambda z: D.length[z]):
            above[z].update(*(above[x] for x in above[z] if x != z))
        for z, i in place.items():
            holds("I1", all((i <= place[y] < self.below[i]) == (z in above[y]) for y in place), D.tokens[z])
        for z in place:
            v = 0
            for k in range(D.begin[z], D.begin[z + 1]):
                v = A.step(v, D.text[k])
                texts[v] = bytes(D.text[D.begin[z]:k + 1])
        texts[0] = b""
        spelt = {z: bytes(D.text[D.begin[z]:D.begin[z + 1]]) for z in place}
        for v in range(A.states):
            found = [self.order[i] for k in range(self.begin[v], self.begin[v + 1])
                     for i in range(self.heads[k], self.below[self.heads[k]])]
            extending = [z for z in place if spelt[z].startswith(texts[v]) and spelt[z] != texts[v]]
            holds("I2", sorted(found) == sorted(extending), texts[v])


cdef Unstable latest = None                 # as the machine of the latest N is kept


cdef Unstable unstable(Normalized N):
    global latest
    cdef Unstable found = latest
    if found is None or found.N is not N:
        found = latest = Unstable(N)
    return found


cdef class Answers:
    """Answers that were found before, one for each slot; for one thread.

    >>> from incbpe import Dictionary, normalize
    >>> Answers(Unstable(normalize(Dictionary(["a", "aa"], [("a", "a")]))))
    <Answers, 0 of them asked for anew>
    """

    def __cinit__(self, Unstable source not None, Follow follow=None):
        if follow is not None and not source.dictionary.binary:
            raise ValueError("what may follow is known of bytes only")
        self.source, self.follow = source, follow
        self.question = <uint64_t *>zeroed(SLOTS * sizeof(uint64_t))
        self.answer = <uint16_t *>zeroed(SLOTS * sizeof(uint16_t))

    def __dealloc__(self):
        free(self.question)
        free(self.answer)

    cdef bint any_stands(self, int32_t w, int32_t v, uint8_t kind) except -1 nogil:
        cdef uint64_t question = question_of(w, v)
        cdef uint32_t slot = slot_of(question, kind) & (SLOTS - 1)
        if self.question[slot] != question or self.answer[slot] >> 1 != kind:
            self.answer[slot] = kind << 1 | self.source.any_stands(w, v, self.follow, kind)
            self.question[slot] = question
            self.asked += 1
        return self.answer[slot] & 1

    def __repr__(self):
        return f"<Answers, {self.asked} of them asked for anew>"
