"""The last stage of a stream that nothing splits: a part is one piece.               (Section 6, and beyond it)

Eager output reads it byte by byte. Where much has come at once, the engine reads instead what no token that is out
covers, from its beginning: T of the rest of a text behind one of its tokens is the rest of T (Lemma 3.1). Then the tokens
up to the deepest position that all open ones descend from are certain, as in `backlog`; only the positions on the way to
it are looked at. It is done where more has come than waited, so that no byte is read again more than once.

A piece that is a token is that token (Proposition 3) even where merging does not make it. While a part may still become
one of these few, or is one, nothing of it is put. Where a symbol may be no token, neither it nor its bytes, it becomes
what `Pieces` makes of it, and eager output reads everything.

Notation   b a position, by bytes, in what is not put · θ_b the last token of T up to b · parent(b) = b - |θ_b|
I1  while `prefix` is not None it is all of the part so far, and a token begins so
I2  of `text`, from `begin` on, `eager` has read so much and no more, or nothing
Cost  the engine's, or that of the criterion, a byte, at most twice. Memory: the backlog, and the text that it covers.
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memmove

from incbpe.automaton cimport SuffixAutomaton
from incbpe.dictionary cimport NONE
from incbpe.eager cimport MAXIMAL, WINDOW, EagerOutput
from subwordio.ids cimport IdBuffer, ids_push, ids_reserve

cdef extern from "subwordio/charclass.h" nogil:
    size_t character_end(const uint8_t *text, size_t i, size_t n) noexcept
    size_t character_begin(const uint8_t *text, size_t i) noexcept

cdef enum:
    FEW = 256                   # bytes that eager output reads itself


cdef class WholeStage(LastStage):
    """A part is one piece."""

    cdef int put(self, const uint8_t *text, size_t n) except -1:
        cdef size_t i = 0
        if n == 0:
            return 0
        self.begun = True
        if self.prefix is not None:
            self.prefix += (<const char *> text)[:n]
            if self.prefix not in self.whole:
                self.prefix = None
        if self.pieces.vanish:
            self.pieces.keep_known(text, n, &self.work)
            text, n = self.work.bytes.data, self.work.bytes.length
        if not self.anew:
            with nogil:
                self.eager.feed_bytes(text, n)
            return 0
        if self.begin > self.text.length // 2:
            self.text.length -= self.begin
            memmove(self.text.data, self.text.data + self.begin, self.text.length)
            self.begin = 0
        while i < n:
            i = self.hold(text, i, n)
            if i < n and self.prefix is None:
                self.settle()
        return 0

    cdef int pause(self) except -1:
        if self.begun and self.prefix is None:
            self.settle()
        return 0

    cdef int end(self) except -1:
        cdef const uint8_t *text = self.text.data + self.begin
        cdef size_t n = self.text.length - self.begin
        if self.prefix is not None and self.prefix in self.whole.get(self.prefix, ()):
            self.put_token(self.pieces.tokens.find(self.prefix, len(self.prefix)))
        elif self.by_engine():
            with nogil:
                self.pieces.set_theta(text, n, &self.work)
                self.pieces.read_back(text, n, &self.out, NULL, &self.work)
        elif self.begun:
            self.read_on()
            self.eager.finish_at(self.eager.backlog.end)
            self.put_released()
            self.put_waiting()
        return self.reset()

    cdef int reset(self) except -1:
        self.eager.forget()
        self.eager.backlog.released = 0
        self.prefix, self.begun, self.waiting = b"", False, False
        self.begin = self.read = 0
        self.trim()
        return 0

    cdef size_t memory(self) except 1:
        return LastStage.memory(self) + self.eager.nbytes

    def check(self):
        """Raise AssertionError unless I1, I2 and the eager output's invariants hold, between feeds; while a token may be
        the whole piece, nothing was settled.
        """
        cdef size_t n = self.text.length - self.begin
        assert self.prefix is None or self.prefix == b"" or self.prefix in self.whole, "I1"
        if self.begun and self.prefix is None:
            assert self.read == 0 or self.read == n, "I2"
            assert not self.anew or (self.eager.backlog.end > 0) == (self.read > 0 or self.eager.backlog.root > 0), "I2"
            self.eager.check()

    # -- what is certain

    cdef bint by_engine(self) except -1:
        cdef size_t n = self.text.length - self.begin
        return self.anew and n - self.read >= FEW and n >= 2 * self.read

    cdef int settle(self) except -1:
        cdef const uint8_t *text = self.text.data + self.begin
        cdef size_t n = self.text.length - self.begin
        cdef long long before
        if self.by_engine():
            self.eager.forget()
            self.read = 0
            with nogil:
                self.pieces.set_theta(text, n, &self.work)
            n = self.agreed(text, n)
            if n > 0:
                self.pieces.read_back(text, n, &self.out, NULL, &self.work)
                self.begin += n
            return 0
        self.read_on()
        before = self.eager.backlog.root
        self.eager.settle(NULL, 0, True)
        self.put_released()
        if self.anew:
            for _ in range(self.eager.backlog.root - before):
                n = self.begin
                self.begin = character_end(self.text.data, n, self.text.length) if self.pieces.unknown.characters else n + 1
                self.read -= self.begin - n
        return 0

    cdef int read_on(self) except -1:
        cdef const uint8_t *text = self.text.data + self.begin
        cdef size_t n = self.text.length - self.begin
        if n > self.read:
            with nogil:
                self.eager.feed_bytes(text + self.read, n - self.read)
            self.read = n
        return 0

    cdef size_t parent(self, const uint8_t *text, size_t b) noexcept:
        if self.work.theta.data[b] == self.pieces.automaton.none:
            return character_begin(text, b) if self.pieces.unknown.characters else b - 1
        return b - (<const uint16_t *> self.work.lengths.data)[b]

    cdef int set_open(self, const uint8_t *text, size_t n) except -1:
        """work.numbers becomes the open positions, from n down."""
        cdef EagerOutput eager = self.eager
        cdef SuffixAutomaton A = eager.automaton
        cdef IdBuffer *found = &self.work.numbers
        cdef size_t at = n, i = n - min(n, <size_t> self.pieces.automaton.longest)
        cdef int32_t v, depth = 0
        cdef int32_t token
        cdef list chain = []
        while self.pieces.unknown.characters and i < n and text[i] & 0xC0 == 0x80:
            i += 1
        v = A.walk(0, text + i, n - i)
        if eager.how == WINDOW:
            chain = list(range(A.depth[v], 0, -1))
        while v != 0 and eager.how != WINDOW:
            if A.inner[v]:
                chain.append(v)
            v = A.fail[v]
        found.length = 0
        ids_reserve(found, len(chain) + 1)
        ids_push(found, <uint32_t> n)
        for v in reversed(chain):
            while depth < (v if eager.how == WINDOW else A.depth[v]):
                at = character_begin(text, at) if self.pieces.unknown.characters else at - 1
                depth += 1
            token = self.pieces.automaton.tokens[self.work.theta.data[at]] if at > 0 else NONE
            if eager.how != MAXIMAL or eager.answers.any_stands(token, v, eager.kind):
                ids_push(found, <uint32_t> at)
        return 0

    cdef size_t agreed(self, const uint8_t *text, size_t n) except? 0xFFFFFFFFFFFFFFFF:
        """The deepest position that all open ones descend from."""
        cdef uint32_t *found
        cdef size_t first = 0, k, above, count
        self.set_open(text, n)
        found, count = self.work.numbers.data, self.work.numbers.length
        while count - first > 1:
            # found[first:count] descends; where they meet has not changed
            above, k = self.parent(text, found[first]), first + 1
            while k < count and found[k] > above:
                k += 1
            if k < count and found[k] == above:
                first += 1
                continue
            memmove(found + first, found + first + 1, (k - 1 - first) * sizeof(uint32_t))
            found[k - 1] = <uint32_t> above
        return found[first]

    cdef int put_released(self) except -1:
        """What the backlog released: token indices, or ~symbol."""
        cdef int32_t token
        cdef Py_ssize_t k
        cdef bytes symbol
        for k in range(self.eager.backlog.released):
            token = self.eager.backlog.out[k]
            if token >= 0 and self.ids[token] >= 0:
                self.put_token(<uint32_t> self.ids[token])
                continue
            if token >= 0:          # an atom that has no id
                symbol = self.eager.N.dictionary.tokens[token]
            else:
                symbol = chr(~token).encode() if self.pieces.unknown.characters else bytes((~token,))
            self.put_unknown(symbol, len(symbol))
        self.eager.backlog.released = 0
        return 0


cdef WholeStage whole_stage(Pieces pieces, Normalized N, int32_t[::1] ids, dict whole, str criterion):
    cdef WholeStage stage = WholeStage()
    stage.eager, stage.whole, stage.ids, stage.prefix = EagerOutput(N, criterion), whole, ids, b""
    stage.anew = pieces.served and not pieces.vanish
    return stage
