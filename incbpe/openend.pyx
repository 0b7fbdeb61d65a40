"""What may come of a text's end, through a pre-tokenizer.                     (Section 6; beyond the paper)

However a text goes on, one token ends with it or goes beyond its end. In which piece that token is, the splitter decides
with what follows: in the open piece, or, where that may end at its mark, in the one that begins there, or in the one
behind that one's mark. For each of these places m the notation layer (`prefixes`, `unstable`) names the tokens z that may
go beyond, if the piece that begins at m does. Of those, the splitter's machine leaves the ones for which some text that
begins with the rest of z makes a piece of m that holds z: it reads on from where the text ends, class by class, through
all situations that it can come to.

Notation   m where a piece may begin · j where a token ends · x the text from m on · w the last token of T(x)
Every situation is tried once for each question, so that the search ends.
Cost  O(n) for the text, O(log² t) a byte for the open piece of t bytes, a question for each token that extends its end,
      and the machine's situations, mostly a few dozen, for each kind of question
"""
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memset

from incbpe.openpiece cimport MOST_CLOSED, Reading, read, read_end
from incbpe.piece cimport work_free
from incbpe.pretokenize cimport MAY_MARK
from incbpe.unstable cimport STANDS, Unstable, unstable
from subwordio.ids cimport ids_free, ids_push, ids_reserve

from incbpe.grammars import CLASSES
from incbpe.prefixes import Prefixes

cdef extern from "incbpe/split.h":
    size_t incbpe_character(const uint8_t *text, size_t i, size_t n) noexcept nogil
    bint incbpe_begins_character(const uint8_t *s, size_t length) noexcept nogil
    size_t incbpe_length(uint8_t lead) noexcept nogil

cdef extern from "subwordio/charclass.h" nogil:
    size_t character_begin(const uint8_t *text, size_t i) noexcept

cdef enum:
    OPEN = 0                    # what a step has led to: nothing is decided
    YES = 1                     # the piece that was asked for
    NO = 2                      # that it never comes
    DEPTH = 3                   # tokens in a row that a pattern may prescribe: those of a contraction


cdef class OpenEnd:
    """``OpenEnd(splitter, pieces, tables, text, may_write=None)``: `text` is bytes of UTF-8, as it is split.

    ``continuations()`` is what `TextPrefixes.continuations` returns, with tuples of ids.
    """

    def __cinit__(self, Splitter splitter not None, Pieces pieces not None, StreamTables tables not None,
                  bytes text not None, may_write=None):
        self.splitter, self.pieces, self.tables, self.may_write = splitter, pieces, tables, may_write
        self.text, self.n, self.known, self.found = text, len(text), {}, {}
        memset(&self.reading, 0, sizeof(Reading))

    def __dealloc__(self):
        ids_free(&self.out)
        work_free(&self.work)

    def continuations(self):
        """Pairs of ids and lists of ids, sorted by the number of ids."""
        cdef size_t m = self.read_text(), k
        cdef tuple base = tuple([self.out.data[k] for k in range(self.out.length)])
        cdef size_t[2 * MOST_CLOSED] ends
        cdef Reading r
        cdef size_t after
        if m == self.n:
            return [(base, [])]
        while True:
            # base is what comes before a piece that begins at m
            self.add_piece(m, base)
            memset(&r, 0, sizeof(Reading))
            r.start = r.now = m
            while r.now < self.n:
                after = r.now + incbpe_character(self.text, r.now, self.n)
                read(self.splitter, &r, self.splitter.classes.of(<const uint8_t *> self.text + r.now), after, ends)
            if r.start != m or not self.splitter.possible[r.state] & MAY_MARK or not m < r.mark < self.n:
                break
            base, m = base + self.ids_of(m, r.mark, NULL), r.mark
        pairs = [(ids, sorted(tokens)) for (ids, _), tokens in self.found.items()]
        return sorted(pairs, key=lambda pair: (len(pair[0]), pair[0], pair[1]))

    cdef int read_text(self) except -1:
        """Where the open piece begins; `out` becomes the ids of those before it."""
        cdef const uint8_t *text = self.text
        cdef size_t[2 * MOST_CLOSED] ends
        cdef size_t begin = 0, after
        cdef int k, closed
        while self.reading.now < self.n:
            after = self.reading.now + incbpe_character(text, self.reading.now, self.n)
            closed = read(self.splitter, &self.reading, self.splitter.classes.of(text + self.reading.now), after, ends)
            for k in range(closed):
                self.pieces.encode_one(text + begin, ends[k] - begin, &self.out, NULL, &self.work)
                begin = ends[k]
        return <int> begin

    # -- which continuations there are

    cdef int take_ends(self, size_t begin, const size_t *ends, int n, size_t m, size_t j, bint exactly) except -1:
        """Pieces have closed, the first of which began at `begin`."""
        cdef int k
        for k in range(n):
            if begin == m:
                return YES if ends[k] == j or ends[k] > j and not exactly else NO
            begin = ends[k]
        return NO if begin > m else OPEN

    cdef int step(self, Reading *r, size_t m, size_t j, bint exactly, uint8_t cls, size_t after) except -1:
        cdef size_t[2 * MOST_CLOSED] ends
        cdef size_t begin = r.start
        cdef int closed = read(self.splitter, r, cls, after, ends)
        return self.take_ends(begin, ends, closed, m, j, exactly)

    cdef bint leads(self, const Reading *r, size_t m, size_t j, bint exactly, object classes) except -1:
        """Whether a text that is read so far may go on so, the next character being of one of the classes, or none."""
        cdef size_t[2 * MOST_CLOSED] ends
        cdef Reading here, next
        cdef int said, cls
        cdef size_t begin
        key = situation(r, m, j), exactly, classes
        found = self.known.get(key)
        if found is not None:
            return found
        seen, waiting = {key[0]}, [r[0]]
        every = range(len(CLASSES))
        while waiting:
            here = waiting.pop()
            if classes is None or here.now != r.now:
                next, begin = here, here.start
                said = read_end(self.splitter, &next, ends)
                if self.take_ends(begin, ends, said, m, j, exactly) == YES:
                    self.known[key] = True
                    return True
            for cls in every if classes is None or here.now != r.now else classes:
                next = here
                said = self.step(&next, m, j, exactly, cls, here.now + 1)
                if said == YES:
                    self.known[key] = True
                    return True
                if said == OPEN:
                    place = situation(&next, m, j)
                    if place not in seen:
                        seen.add(place)
                        waiting.append(next)
        self.known[key] = False
        return False

    cdef bint comes(self, size_t m, bytes rest, bint exactly, size_t more=0) except -1:
        cdef const uint8_t *text = rest
        cdef size_t i = 0, length, n = len(rest)
        cdef Reading r = self.reading
        cdef int said
        if self.may_write is not None and not self.may_write(rest):
            return False
        while i < n:
            length = incbpe_character(text, i, n)
            if length == 0:
                if exactly or not incbpe_begins_character(text + i, n - i):
                    return False
                return self.leads(&r, m, r.now + 1 + more, False, classes_of(self.splitter, rest[i:]))
            said = self.step(&r, m, self.n + n + more, exactly, self.splitter.classes.of(text + i), r.now + length)
            if said != OPEN:
                return said == YES
            i += length
        return self.leads(&r, m, self.n + n + more, exactly, None)

    # -- which tokens

    cdef tuple ids_of(self, size_t m, size_t end, const uint32_t *theta):
        """The ids of T(text[m:end]), whose θ are known, or of text[m:end] as a piece."""
        cdef const uint8_t *text = self.text
        cdef size_t t = end - m
        self.out.length = 0
        if theta == NULL:
            self.pieces.encode_one(text + m, t, &self.out, NULL, &self.work)
        else:
            self.work.numbers.length = 0
            while t > 0:
                ids_reserve(&self.work.numbers, 1)
                ids_push(&self.work.numbers, theta[t])
                if theta[t] != self.pieces.automaton.none:
                    t -= self.pieces.automaton.records[theta[t]].length
                else:
                    t = character_begin(text + m, t) if self.pieces.unknown.characters else t - 1
            if end > m:
                self.pieces.spell(text + m, end - m, &self.out, NULL, &self.work)
        return tuple([self.out.data[t] for t in range(self.out.length)])

    cdef int enter(self, tuple ids, bint all_of_it, object id) except -1:
        tokens = self.found.setdefault((ids, all_of_it), set())
        if id is not None:
            tokens.add(id)
        return 0

    cdef int add_piece(self, size_t m, tuple base) except -1:
        """What may come of the piece that begins at m."""
        cdef size_t b, n = self.n - m
        cdef bytes piece = self.text[m:], z, theta
        cdef const uint32_t *last
        cdef tuple ids
        cdef bint binary = self.tables.N.dictionary.binary
        x = piece if binary else piece.decode()
        P = Prefixes(self.tables.N, x)
        self.pieces.set_theta(<const uint8_t *> piece, n, &self.work)
        theta = (<const char *> self.work.theta.data)[:(n + 1) * sizeof(uint32_t)]
        last = <const uint32_t *> <const char *> theta
        for place, tokens in P.continuations():
            b = place if binary else len(x[:place].encode())
            ids = None
            for token in tokens:
                z = token if binary else token.encode()
                if not self.completes(m, z[n - b:], self.tables.N.dictionary.id(token),
                                      self.found_whole(piece[:b] + z) is not None, DEPTH):
                    continue
                if ids is None:
                    ids = base + self.ids_of(m, m + b, last)
                self.enter(ids, False, self.tables.ids[self.tables.N.dictionary.id(token)])
        for z in self.tables.whole.get(piece, ()):
            if len(z) > <Py_ssize_t> n and self.comes(m, z[n:], True):
                self.enter(base, False, self.found_whole(z))
        if self.comes(m, b"", True):
            self.enter(base + self.ids_of(m, self.n, NULL), True, None)
        ids = base + self.ids_of(m, self.n, last)
        if (ids, True) not in self.found and self.goes_on(m, b"", P.ids[len(x)], DEPTH):
            self.enter(ids, True, None)
        return 0

    def found_whole(self, bytes piece):
        """The id of a piece that is a token as a whole, though merging does not make it; else None."""
        if piece not in self.tables.whole.get(piece, ()):
            return None
        return self.pieces.tokens.find(piece, len(piece))

    cdef bint completes(self, size_t m, bytes rest, int32_t w, bint whole, int depth) except -1:
        """Whether the piece may go on with `rest`, of which w is the last token, and be what its tokens are: end there,
        unless it were `whole` then, another token; or go on with a token that stands behind w, and so on."""
        if rest and incbpe_character(rest, character_begin(rest, len(rest)), len(rest)) == 0:
            return self.comes(m, rest, False)           # within a character, of which the rest is not looked at
        if not whole and self.comes(m, rest, True):
            return True
        return self.comes(m, rest, False, 1) and (depth == 0 or self.goes_on(m, rest, w, depth))

    cdef bint goes_on(self, size_t m, bytes rest, int32_t w, int depth) except -1:
        cdef Unstable U = unstable(self.tables.N)
        cdef int32_t y, i
        cdef bytes spelt
        if not self.pieces.complete and not self.pieces.unknown.refuse:
            return self.comes(m, rest, False, 1)        # with a symbol that is no token
        for i in range(self.tables.N.n):
            y = U.order[i]
            if U.stands(w, y) == STANDS:
                token = self.tables.N.dictionary.tokens[y]
                spelt = rest + (token if isinstance(token, bytes) else token.encode())
                if self.comes(m, spelt, False) and self.completes(m, spelt, y, False, depth - 1):
                    return True
        return False


cdef tuple situation(const Reading *r, size_t m, size_t j):
    """What decides which pieces can come, as far as m and j are concerned."""
    return (r.state, r.again, r.last, r.start == r.now, side(r.start, m), side(r.now, m), side(r.mark, m),
            side(r.mark_again, m), side(r.now, j), side(r.mark, j), side(r.mark_again, j), r.mark == r.now,
            r.start < r.mark, r.mark_again == r.now)


cdef int side(size_t place, size_t of) noexcept:
    return (place > of) - (place < of)


cdef dict partial = {}          # (splitter's pattern, library, bytes) -> classes


cdef object classes_of(Splitter splitter, bytes begun):
    """The classes of the characters that begin with these bytes."""
    key = splitter.unicode, begun
    if key not in partial:
        length, found, rest = incbpe_length(begun[0]), set(), 6 * (incbpe_length(begun[0]) - len(begun))
        lead = begun[0] & (0x7F >> length)
        for byte in begun[1:]:
            lead = lead << 6 | byte & 0x3F
        for c in range(lead << rest, (lead + 1) << rest):
            if c < 0x110000 and not 0xD800 <= c < 0xE000:
                spelt = chr(c).encode()
                if spelt.startswith(begun):
                    found.add(splitter.classes.of(spelt))
        partial[key] = frozenset(found)
    return partial[key]
