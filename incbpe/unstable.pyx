"""The unstable end of a text: what may still change, and all that may come of it.        (Section 6; beyond the paper)

However s goes on, one token of T(su) ends with s or goes beyond its end: it begins at some b, and before it stands
T(s[:b]), since every prefix of a tokenization is that of its own text. If it goes beyond, it is a canonical z that
properly extends s[b:] and that stands behind w = θ(s[:b]): T(w z) = [w, z]. Each such z is what some u brings about.
So the question is whether a pair of tokens stands. It is answered as canonical rules are found: the pair that
touches the boundary is followed back in time, and a canonical rule of it that comes early enough would have merged across.

Notation   w, z canonical tokens · v a state of the suffix automaton, for the text that it spells · s[b:] such a text
I1  `order` holds the canonical tokens, sorted by their bytes
I2  order[begin[v] : end[v]] are those that properly extend what the state v spells
Cost  building: sorting the tokens, and a step a byte of theirs. A pair: O(depth) look-ups, in the form "pairs" a run of
      PQ on both. A question (w, v) tests the tokens that extend v until one stands: often the first, at worst all. Its
      answer is remembered until another takes its slot.
"""
from libc.stdint cimport uint32_t
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
    static inline uint32_t incbpe_slot(uint64_t question) { return (uint32_t)(question * 0x9E3779B97F4A7C15u >> 32); }
    """
    uint64_t question_of "incbpe_question"(int32_t w, int32_t v) noexcept nogil
    uint32_t slot_of "incbpe_slot"(uint64_t question) noexcept nogil

cdef enum:
    SLOTS = 16384                           # answers that are remembered: 192 KB, of which few are ever touched


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
        self.fill()

    cdef int fill(self) except -1:
        cdef SuffixAutomaton A = self.machine.automaton
        cdef Dictionary D = self.dictionary
        cdef int32_t i, z, v, k
        order = sorted([z for z in range(D.n) if self.N.canonical[z]], key=D.tokens.__getitem__)
        self.order, self.begin, self.end = ints(len(order)), ints(A.states), ints(A.states)
        for i, z in enumerate(order):
            self.order[i] = z
            self.longest = max(self.longest, D.length[z])
            v = 0
            for k in range(D.begin[z], D.begin[z + 1]):         # z properly extends what v spells
                if self.end[v] == 0:
                    self.begin[v] = i
                self.end[v] = i + 1
                v = A.step(v, D.text[k])
        return 0

    cdef bint stands(self, int32_t w, int32_t z) except -1 nogil:
        """Back in time, (w, z) being the pair at the boundary: `end` is the rule undone last, `right` if it made z."""
        cdef int32_t m, product, end = self.dictionary.rules
        cdef bint right = False
        if w == NONE:                       # nothing, or an unknown symbol, in no rule
            return True
        if self.paired:
            return self.pairs.holds(w, z)
        while True:
            m = self.dictionary.rule(w, z)
            if m != NONE:
                product = self.dictionary.z[m]
                if self.N.pre_token[product] == w and self.N.suc_token[product] == z:       # m is its canonical rule
                    m = self.N.prio_rule[product]
                    if m < end or m == end and right:
                        return False
            right = self.N.prio_rule[z] >= self.N.prio_rule[w]      # of two made by one rule the right was made later
            if right:
                end = self.N.prio_rule[z]
                if end == NONE:
                    return True             # two atoms, and no rule has merged them
                z = self.N.pre_token[z]
            else:
                end = self.N.prio_rule[w]
                w = self.N.suc_token[w]

    cdef int32_t witness(self, int32_t w, int32_t v) except -2 nogil:
        cdef int32_t i
        for i in range(self.begin[v], self.end[v]):
            if self.stands(w, self.order[i]):
                return i
        return NONE

    def pair(self, w, z):
        """T(w z) = [w, z], for canonical tokens w and z. O(depth), or a run of PQ. DictionaryError if one is none."""
        return bool(self.stands(self.token_of(w), self.token_of(z)))

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
        cdef int32_t v = 0, i
        text = self.dictionary.text_of(x)
        text = text if self.dictionary.binary else text.encode("utf-8", "surrogatepass")
        for b in text:
            v = self.machine.automaton.step(v, b)
        if self.machine.automaton.depth[v] != len(x):
            return []
        return [self.dictionary.tokens[self.order[i]] for i in range(self.begin[v], self.end[v])
                if self.stands(w, self.order[i])]

    def __repr__(self):
        return f"<Unstable of {self.N!r}>"

    def check(self):
        """Raise AssertionError unless I1 and I2 hold. Cost: the bytes of the tokens, for each byte of theirs."""
        cdef SuffixAutomaton A = self.machine.automaton
        cdef Dictionary D = self.dictionary
        cdef int32_t v, z, k
        order = [D.tokens[z] for z in self.order[:self.N.n]]
        spelt = [bytes(D.text[D.begin[z]:D.begin[z + 1]]) for z in self.order[:self.N.n]]
        holds("I1", spelt == sorted(spelt) and len(set(order)) == self.N.n, None)
        holds("I1", all(self.N.is_canonical(z) for z in order), None)
        counts = [0] * A.states
        for text in spelt:
            v = 0
            for k in range(len(text)):
                counts[v] += 1
                holds("I2", all(other.startswith(text[:k]) for other in spelt[self.begin[v]:self.end[v]]), text[:k])
                v = A.step(v, text[k])
        holds("I2", all(self.end[v] - self.begin[v] == counts[v] for v in range(A.states)), None)


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

    def __cinit__(self, Unstable source not None):
        self.source = source
        self.question = <uint64_t *>zeroed(SLOTS * sizeof(uint64_t))
        self.answer = <int32_t *>zeroed(SLOTS * sizeof(int32_t))

    def __dealloc__(self):
        free(self.question)
        free(self.answer)

    cdef int32_t witness(self, int32_t w, int32_t v) except -2 nogil:
        cdef uint64_t question = question_of(w, v)
        cdef uint32_t slot = slot_of(question) & (SLOTS - 1)
        if self.question[slot] != question:
            self.answer[slot] = self.source.witness(w, v)
            self.question[slot] = question
            self.asked += 1
        return self.answer[slot]

    def __repr__(self):
        return f"<Answers, {self.asked} of them asked for anew>"
