"""The last stage of a stream that nothing splits: a part is one piece.               (Section 6, and beyond it)

    text ── up to the last seam ──► chunks, the table ──► ids         what encoding a whole text does (chunks)
              └── behind it ── much at once ── the engine ──► ids        (certain)
                                └── else ── eager output ──► ids

No token reaches across a seam (Proposition 26), so that whatever comes all before one is certain, and what stands behind
is as if a text began there. Without seams, or behind the last one, eager output reads byte by byte. Where much has come
at once, the engine reads instead what no token that is out covers, from its beginning. It is done where more has come
than waited, so that no byte is read again more than once, and once more when a seam has come.

A piece that is a token is that token (Proposition 3) even where merging does not make it. While a part may still become
one of these few, or is one, nothing of it is put. Where a symbol may be no token, neither it nor its bytes, it becomes
what `Pieces` makes of it, and eager output reads everything.

I1  while `prefix` is not None it is all of the part so far, and a token begins so
I2  of `text`, from `begin` on, `eager` has read so much and no more, or nothing
Cost  the engine's, or that of the criterion, a byte, at most three times. Memory: the backlog, and the text that it covers.
"""
from libc.stdint cimport SIZE_MAX, int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memmove

from incbpe.certain cimport certain
from incbpe.chunks cimport encode_chunks
from incbpe.eager cimport EagerOutput
from incbpe.laststage cimport BLOCK
from incbpe.piece cimport Pieces
from incbpe.pipeline cimport Scratch
from subwordio.batch cimport Worker

cdef extern from "subwordio/charclass.h" nogil:
    size_t character_end(const uint8_t *text, size_t i, size_t n) noexcept

cdef extern from "incbpe/seams.h" nogil:
    size_t last_seam "incbpe_last_seam"(const uint64_t *joins, const uint8_t *text, size_t at, size_t n) noexcept

cdef enum:
    FEW = 256                   # bytes that eager output reads itself
    UNSEAMED = 64               # bytes among which no seam is looked for


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
            i = self.hold(text, i, n, BLOCK)
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

    cdef int put_to_seam(self) except -1:
        """Put what comes before the last seam of what has come new, if there is one."""
        cdef const uint8_t *text = self.text.data + self.begin
        cdef size_t n = self.text.length - self.begin, end
        cdef bint known
        cdef Worker *worker
        cdef Scratch *scratch
        if n - self.read < UNSEAMED or n >= <size_t> 0xFFFFFFFF:
            return 0
        end = last_seam(self.pieces.joins, text, self.read, n)
        if end == 0:
            return 0
        worker = self.pipeline.borrow()
        scratch = <Scratch *> worker.scratch
        try:
            with nogil:
                known = self.pipeline.cache_bytes > 0 and self.pipeline.keeps(end, scratch)
                if known:
                    encode_chunks(&scratch.desk, self.pipeline.chunked, self.pieces, &scratch.work, text, 0, end, n,
                                  SIZE_MAX, &self.out)
                else:
                    self.pieces.encode_one(text, end, &self.out, NULL, &self.work)
        finally:
            self.pipeline.give_back(worker)
        self.eager.forget()
        self.begin += end
        self.read = 0
        return 0

    cdef bint by_engine(self) except -1:
        cdef size_t n = self.text.length - self.begin
        return self.anew and n - self.read >= FEW and n >= 2 * self.read

    cdef int settle(self) except -1:
        cdef const uint8_t *text
        cdef size_t n
        cdef long long before
        if self.seamed:
            self.put_to_seam()
        if self.by_engine():
            text, n = self.text.data + self.begin, self.text.length - self.begin
            self.eager.forget()
            self.read = 0
            with nogil:
                self.pieces.set_theta(text, n, &self.work)
            n = certain(self.pieces, self.eager, text, n, 0, True, &self.work)
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


cdef WholeStage whole_stage(Pipeline pipeline, Normalized N, int32_t[::1] ids, dict whole, str criterion):
    cdef WholeStage stage = WholeStage()
    cdef Pieces pieces = pipeline.pieces
    stage.pipeline, stage.eager = pipeline, EagerOutput(N, criterion)
    stage.whole, stage.ids, stage.prefix = whole, ids, b""
    stage.anew = pieces.served and not pieces.vanish
    stage.seamed = stage.anew and pieces.joins != NULL
    return stage
