"""The tokens of every prefix of a segment: its pieces as a tree, and θ along each.       (Section 3.2; beyond the paper)

A segment is what is split into pieces. The pieces of all its prefixes are a tree (`pieceprefixes`), in which all pieces
with one begin are prefixes of the longest of them. θ of its prefixes gives the tokens of each (equation 2), and one run
of θ serves them all. A piece that is a token by itself is that token, also where the text ends inside what goes on to be
a longer piece.

    text "low lot", vocabulary l o w t lo low:   [:2] lo   [:3] low   [:4] low|␣   [:6] low|␣ lo   [:7] low|␣ lo t

Notation   θ, numbers and `none` as in piece · a node is a piece with what is before it · a place i counts bytes
I1  counts[k] is the number of ids that the pieces up to node k become, NEVER where one of them has no token
I2  theta[begins[b] + t] is θ of text[b:b + t], for t up to the reach of b (not where unknown symbols vanish)
Cost  building: the runs are at most 4 n bytes, O(log² t) each. A count is one look-up, ids O(their number). Memory: about
      40 bytes a byte of text
"""
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memset

from incbpe.dictionary cimport holds
from incbpe.layout cimport Automaton
from incbpe.piece cimport Pieces, Work, work_free
from incbpe.pieceprefixes cimport PiecePrefixes
from incbpe.pretokenize cimport Splitter
from incbpe.tokens cimport NO_ID
from subwordio.ids cimport IdBuffer, ids_free, ids_push, ids_reserve, token_ids_take
from subwordio.memory cimport zeroed

cdef extern from "subwordio/charclass.h" nogil:
    size_t character_end(const uint8_t *text, size_t i, size_t n) noexcept
    size_t character_begin(const uint8_t *text, size_t i) noexcept

cdef enum:
    TWIG = 4                    # pieces of a prefix that are not closed, at most (pieceprefixes)
    CHARACTER = 4               # bytes of a character, at most


cdef class Layer:
    """A text of which something is known for every prefix."""

    cdef uint32_t count_of(self, size_t i) except? 0:
        raise NotImplementedError

    cdef int put_ids(self, size_t i, IdBuffer *out) except -1:
        raise NotImplementedError

    cdef uint32_t last_id(self, size_t i) except? 0:
        return NO_ID

    cdef int put_other(self, size_t i, bytes end, IdBuffer *out) except -1:
        raise NotImplementedError

    cdef size_t least(self, size_t i) except? 0:
        raise NotImplementedError

    def ids(self, size_t i):
        """The ids of text[:i], as `TokenIds`."""
        cdef IdBuffer out = IdBuffer(NULL, 0, 0)
        try:
            self.put_ids(i, &out)
            return token_ids_take(&out)
        finally:
            ids_free(&out)


cdef class SegmentPrefixes(Layer):
    """``SegmentPrefixes(pieces, splitter, text)``: `text` is bytes of UTF-8, of 1 GiB at most (ValueError)."""

    def __cinit__(self, Pieces pieces not None, Splitter splitter not None, bytes text not None):
        cdef Work work
        self.pieces, self.text, self.n = pieces, text, len(text)
        self.tree = PiecePrefixes(splitter, text)
        memset(&work, 0, sizeof(Work))
        try:
            self.fill(&work)
        finally:
            work_free(&work)

    def __dealloc__(self):
        free(self.begins)
        free(self.theta)
        free(self.whole)
        free(self.counts)

    cdef int fill(self, Work *work) except -1:
        cdef const uint8_t *text = self.text
        cdef size_t b, t, n, k, total = 0, nodes = self.tree.nodes
        cdef uint32_t *counts
        cdef uint32_t before
        self.begins = <size_t *> zeroed((self.n + 1) * sizeof(size_t))
        for b in range(self.n):
            self.begins[b] = total
            if self.tree.reach[b] > 0:
                total += self.tree.reach[b] - b + 1
        self.theta = <uint32_t *> zeroed((total + 1) * sizeof(uint32_t))
        self.whole = <uint32_t *> zeroed(nodes * sizeof(uint32_t))
        self.counts = <uint32_t *> zeroed(nodes * sizeof(uint32_t))
        counts = <uint32_t *> zeroed((total + 1) * sizeof(uint32_t))     # by place in `theta`: of the piece alone
        try:
            for b in range(self.n):
                if self.tree.reach[b] == 0:
                    continue
                n = self.tree.reach[b] - b
                if self.pieces.vanish:
                    self.set_kept_counts(b, n, counts + self.begins[b], work)
                    continue
                with nogil:
                    self.pieces.set_theta(text + b, n, work)
                for t in range(n + 1):
                    self.theta[self.begins[b] + t] = work.theta.data[t]
                self.set_counts(b, n, work.theta.data, counts + self.begins[b])
            self.whole[0] = NO_ID
            for k in range(1, nodes):
                b, n = self.tree.node[k].begin, self.tree.node[k].end - self.tree.node[k].begin
                self.whole[k] = self.pieces.whole(text + b, n)
                before = self.counts[self.tree.node[k].parent]
                self.counts[k] = sum_of(before, 1 if self.whole[k] != NO_ID else counts[self.begins[b] + n])
        finally:
            free(counts)
        return 0

    cdef int set_counts(self, size_t begin, size_t n, const uint32_t *theta, uint32_t *counts) except -1:
        """The number of tokens of text[begin:begin + t] for t up to n, as `Pieces.spell` makes them."""
        cdef const uint8_t *text = self.text
        cdef const Automaton *a = self.pieces.automaton
        cdef bint characters = self.pieces.unknown.characters
        cdef uint8_t *waits = <uint8_t *> zeroed(n + 1)     # by t: the unknown token is behind the last known one, and
                                                            # may be joined by the next unknown symbol
        cdef size_t t, p
        cdef uint32_t k, new
        try:
            for t in range(1, n + 1):
                # counts[0:t] and waits[0:t] are set
                k = theta[t]
                if k != a.none:
                    new = 1 if a.records[k].id != NO_ID else NEVER
                    counts[t] = sum_of(counts[t - a.records[k].length], new)
                    continue
                p = character_begin(text + begin, t) if characters else t - 1
                new, waits[t] = 0, waits[p]
                if self.pieces.unknown.refuse:
                    new = NEVER
                elif self.pieces.falls_back(text + begin, p, t):
                    new = <uint32_t> (t - p)
                elif self.pieces.unknown.unk != NO_ID:
                    new, waits[t] = 0 if self.pieces.unknown.fuse and waits[p] else 1, True
                counts[t] = sum_of(counts[p], new)
        finally:
            free(waits)
        return 0

    cdef int set_kept_counts(self, size_t begin, size_t n, uint32_t *counts, Work *work) except -1:
        """The same where unknown symbols are taken out before the rest is merged."""
        cdef const uint8_t *text = self.text
        cdef const Automaton *a = self.pieces.automaton
        cdef size_t i = 0, end, kept = 0, t
        cdef uint32_t *of_kept
        self.pieces.keep_known(text + begin, n, work)
        self.pieces.set_theta(work.bytes.data, work.bytes.length, work)
        of_kept = <uint32_t *> zeroed((work.bytes.length + 1) * sizeof(uint32_t))
        try:
            for t in range(1, work.bytes.length + 1):
                if work.theta.data[t] != a.none:
                    of_kept[t] = of_kept[t - a.records[work.theta.data[t]].length] + 1
                else:                                       # a byte of a symbol that falls back; or else inside a
                    of_kept[t] = of_kept[t - 1] + 1         # character, and nobody asks
            while i < n:
                # text[begin:begin + i] keeps `kept` bytes
                end = character_end(text + begin, i, n) if self.pieces.unknown.characters else i + 1
                for t in range(i + 1, end):
                    counts[t] = of_kept[kept]
                if self.pieces.keeps(text + begin, i, end):
                    kept += end - i
                counts[end] = of_kept[kept]
                i = end
        finally:
            free(of_kept)
        return 0

    cdef uint32_t count_of(self, size_t i) except? 0:
        return self.counts[self.tree.at[i]]

    cdef int put_ids(self, size_t i, IdBuffer *out) except -1:
        return self.put_node(self.tree.at[i], out)

    cdef uint32_t last_id(self, size_t i) except? 0:
        """Where θ is a token. Of an unknown symbol it is not at hand."""
        cdef uint32_t k = self.tree.at[i]
        if k == 0 or self.counts[k] == NEVER:
            return NO_ID
        if self.whole[k] != NO_ID or self.pieces.vanish:
            return self.whole[k]
        k = self.theta[self.begins[self.tree.node[k].begin] + i - self.tree.node[k].begin]
        return self.pieces.automaton.records[k].id

    cdef int put_node(self, uint32_t k, IdBuffer *out) except -1:
        cdef const uint8_t *text = self.text
        cdef IdBuffer path = IdBuffer(NULL, 0, 0)
        cdef Work work
        cdef size_t j, b, n
        memset(&work, 0, sizeof(Work))
        try:
            while k > 0:
                ids_reserve(&path, 1)
                ids_push(&path, k)
                k = self.tree.node[k].parent
            for j in range(path.length, 0, -1):
                k = path.data[j - 1]
                b, n = self.tree.node[k].begin, self.tree.node[k].end - self.tree.node[k].begin
                if self.whole[k] != NO_ID:
                    ids_reserve(out, 1)
                    ids_push(out, self.whole[k])
                elif self.pieces.vanish:
                    self.pieces.encode_one(text + b, n, out, NULL, &work)
                else:
                    self.put_piece(text + b, n, self.theta + self.begins[b], out, &work)
        finally:
            ids_free(&path)
            work_free(&work)
        return 0

    cdef int put_piece(self, const uint8_t *piece, size_t n, const uint32_t *theta, IdBuffer *out, Work *work) except -1:
        """Append the ids of a piece of which θ is known (equation 2)."""
        cdef const Automaton *a = self.pieces.automaton
        cdef size_t t = n
        work.numbers.length = 0
        while t > 0:
            ids_reserve(&work.numbers, 1)
            ids_push(&work.numbers, theta[t])
            if theta[t] != a.none:
                t -= a.records[theta[t]].length
            else:
                t = character_begin(piece, t) if self.pieces.unknown.characters else t - 1
        return self.pieces.spell(piece, n, out, NULL, work)

    cdef uint32_t closed(self, size_t i) noexcept nogil:
        cdef uint32_t k = self.tree.at[i]
        for _ in range(TWIG):
            k = self.tree.node[k].parent
        return k

    cdef int put_other(self, size_t i, bytes end, IdBuffer *out) except -1:
        cdef uint32_t k = self.closed(i)
        cdef Work work
        cdef bytes piece
        memset(&work, 0, sizeof(Work))
        self.put_node(k, out)
        try:
            for piece in self.tree.splitter.split(self.text[self.tree.node[k].end:i] + end):
                self.pieces.encode_one(piece, len(piece), out, NULL, &work)
        finally:
            work_free(&work)
        return 0

    cdef size_t least(self, size_t i) except? 0:
        """The closed pieces; and of the others each token has no more bytes than the longest, if each byte is in one."""
        cdef uint32_t k = self.closed(i)
        cdef size_t longest
        if self.counts[k] == NEVER:
            return NEVER
        longest = longest_of(self.pieces)
        if longest == 0:
            return self.counts[k]
        return self.counts[k] + (i - self.tree.node[k].end + longest - 1) // longest

    def check(self) -> None:
        """Assert I1, by encoding the pieces of every prefix, and I2, by θ of the last one alone. O(n²)"""
        cdef size_t i, b
        cdef bint alike
        cdef IdBuffer wanted = IdBuffer(NULL, 0, 0)
        cdef Work work
        cdef bytes piece
        memset(&work, 0, sizeof(Work))
        try:
            for i in range(self.n + 1):
                wanted.length = 0
                for piece in self.tree.splitter.split(self.text[:i]):
                    self.pieces.encode_one(piece, len(piece), &wanted, NULL, &work)
                holds("I1", self.count_of(i) == wanted.length and list(self.ids(i)) == [
                    wanted.data[k] for k in range(wanted.length)], (self.text, i))
                b = self.tree.node[self.tree.at[i]].begin
                if b < i and not self.pieces.vanish:
                    self.pieces.set_theta((<const uint8_t *> self.text) + b, i - b, &work)
                    alike = work.theta.data[i - b] == self.theta[self.begins[b] + i - b]
                    holds("I2", alike, (self.text, i))
        finally:
            ids_free(&wanted)
            work_free(&work)


cdef uint32_t sum_of(uint32_t a, uint32_t b) noexcept nogil:
    """Of two numbers of tokens, each maybe NEVER."""
    return NEVER if a == NEVER or b == NEVER else a + b


cdef size_t longest_of(Pieces pieces):
    """The bytes of a piece that one token stands for, at most; 0: any number, since there are symbols without a token of
    their own."""
    cdef size_t longest = pieces.tokens.longest
    cdef int b
    if pieces.complete or pieces.unknown.refuse:
        return longest
    if pieces.vanish:
        return 0
    if pieces.unknown.unk != NO_ID and not pieces.unknown.fuse:
        return max(longest, CHARACTER)
    for b in range(256):
        if not pieces.unknown.fallback or pieces.unknown.bytes[b] == NO_ID:
            return 0
    return longest
