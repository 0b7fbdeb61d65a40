"""The last stage of a stream: a rewritten text that is still coming, to ids.          (Section 6, and beyond it)

    WholeStage   without a splitter a part is one piece: eager output of it
    SplitStage   closed pieces go to the engine, many at a time; what is open at a pause is read by `pieceoutput`, and a
                 piece of which that has released tokens is also closed by it
    CutStage     patterns of the caller's say nothing of what may follow: a part is held until it ends

A piece that is a token is that token (Proposition 3) even where merging does not make it. While the open piece may still
become one of these few, or is one, nothing of it is put. A splitter's pieces are put as they close, and not before, where
atoms are characters, or where a byte is no token.

I1  SplitStage: unless `touched`, text[0] is at `base`, where the first piece begins that is not encoded
Cost  that of the engine for closed pieces, and of the criterion for open ones. Memory: the open piece; WholeStage: the
      backlog alone.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy

from incbpe.openpiece cimport MOST_CLOSED
from incbpe.piece cimport LONG, work_bytes, work_free
from incbpe.tokens cimport NO_ID
from subwordio.ids cimport ids_free, ids_push, ids_reserve
from subwordio.text cimport bytes_free, bytes_reserve

cdef extern from "subwordio/charclass.h" nogil:
    size_t character_end(const uint8_t *text, size_t i, size_t n) noexcept


cdef class LastStage(Stage):
    """What the last stages share."""

    def __dealloc__(self):
        work_free(&self.work)
        ids_free(&self.out)

    cdef int put_token(self, uint32_t id) except -1:
        """A token of the text, and before it the unknown token that waits."""
        self.put_waiting()
        return self.append(id)

    cdef int put_waiting(self) except -1:
        if self.waiting:
            self.waiting = False
            self.append(self.pieces.unknown.unk)
        return 0

    cdef int append(self, uint32_t id) except -1:
        ids_reserve(&self.out, 1)
        ids_push(&self.out, id)
        return 0

    cdef int put_unknown(self, const uint8_t *symbol, size_t n) except -1:
        """What becomes of a symbol that is no token: as `Pieces.spell` has it."""
        cdef size_t i
        if self.pieces.unknown.refuse:
            raise ValueError(f"the vocabulary has no token for {bytes(symbol[:n])!r}")
        if self.pieces.falls_back(symbol, 0, n):
            for i in range(n):
                self.append(self.pieces.unknown.bytes[symbol[i]])
        elif self.pieces.unknown.unk != NO_ID:
            if not self.pieces.unknown.fuse:
                self.put_waiting()
            self.waiting = True
        return 0

    cdef int put_id(self, uint32_t id) except -1:
        return self.put_token(id)

    cdef int pause(self) except -1:
        return 0

    def check(self):
        """Nothing is to be said of these."""

    cdef size_t memory(self) except 1:
        return work_bytes(&self.work) + 4 * self.out.capacity


cdef class WholeStage(LastStage):
    """A part is one piece."""

    cdef int put(self, const uint8_t *text, size_t n) except -1:
        if n == 0:
            return 0
        self.begun = True
        if self.prefix is not None:
            self.prefix += (<const char *> text)[:n]
            if self.prefix not in self.whole:
                self.prefix = None
        if self.pieces.vanish:
            return self.put_known(text, n)
        with nogil:
            self.eager.feed_bytes(text, n)
        return 0

    cdef int put_known(self, const uint8_t *text, size_t n) except -1:
        """The symbols that do not vanish."""
        cdef size_t i = 0, end
        while i < n:
            end = character_end(text, i, n) if self.pieces.unknown.characters else i + 1
            if self.pieces.keeps(text, i, end):
                self.eager.feed_bytes(text + i, end - i)
            i = end
        return 0

    cdef int pause(self) except -1:
        if self.begun and self.prefix is None:
            self.eager.settle(NULL, 0, True)
            self.put_released()
        return 0

    cdef int end(self) except -1:
        if self.prefix is not None and self.prefix in self.whole.get(self.prefix, ()):
            self.put_token(self.pieces.tokens.find(self.prefix, len(self.prefix)))
        elif self.begun:
            self.eager.finish_at(self.eager.backlog.end)
            self.put_released()
            self.put_waiting()
        return self.reset()

    cdef int reset(self) except -1:
        self.eager.forget()
        self.eager.backlog.released = 0
        self.prefix, self.begun, self.waiting = b"", False, False
        return 0

    cdef size_t memory(self) except 1:
        return LastStage.memory(self) + self.eager.nbytes

    def check(self):
        """Raise AssertionError unless the eager output's invariants hold, between feeds; while a token may be the whole
        piece, nothing was settled.
        """
        if self.begun and self.prefix is None:
            self.eager.check()

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


cdef class SplitStage(LastStage):
    """A splitter cuts a part into pieces."""

    cdef int put(self, const uint8_t *text, size_t n) except -1:
        cdef size_t[MOST_CLOSED] ends
        cdef size_t i
        cdef int k
        self.text += (<const char *> text)[:n]
        for i in range(n):
            for k in range(self.reading.feed_byte(text[i], ends)):
                self.close(ends[k])
        return self.encode_closed()

    cdef int end(self) except -1:
        cdef size_t[MOST_CLOSED] ends
        cdef int k
        for k in range(self.reading.finish_text(ends)):
            self.close(ends[k])
        return self.encode_closed()

    cdef int begin(self, Normalized N, str criterion, dict whole) except -1:
        """Read what is open, by this criterion."""
        self.open = PieceOutput(N, self.reading.splitter, criterion)
        self.open.whole = whole
        self.reading, self.text = self.open.pieces, self.open.text
        return 0

    cdef int close(self, size_t end) except -1:
        """The open piece ends."""
        cdef size_t begin
        if self.touched:
            return self.close_open(end)
        begin = self.ends[self.count - 1] if self.count else <size_t> self.base
        if end - begin >= LONG:
            self.encode_closed()
            self.pieces.encode_one(<const uint8_t *> <const char *> self.text, end - begin, &self.out, NULL, &self.work)
            self.forget(end)
        else:
            self.ends[self.count] = end
            self.count += 1
            if self.count == GROUP:
                self.encode_closed()
        return 0

    cdef int encode_closed(self) except -1:
        """The pieces that wait."""
        cdef size_t k, end
        if self.count:
            end = self.ends[self.count - 1]
            for k in range(self.count):
                self.ends[k] -= <size_t> self.base
            k, self.count = self.count, 0
            self.pieces.encode(<const uint8_t *> <const char *> self.text, 0, self.ends, k, len(self.text), &self.out,
                               NULL, &self.work)
            self.forget(end)
        return 0

    cdef int forget(self, size_t end) except -1:
        """The text up to `end` is encoded."""
        cdef PieceOutput open = self.open
        del self.text[:end - self.base]
        self.base = end
        if open is not None:
            open.start[0] = open.final = open.kept = self.base

    cdef int close_open(self, size_t end) except -1:
        """The same of a piece that `open` has read in."""
        cdef PieceOutput open = self.open
        cdef EagerOutput run
        cdef list tokens = []
        if open.final == open.start[0]:     # it has released nothing
            self.pieces.encode_one(<const uint8_t *> <const char *> self.text, end - <size_t> open.final, &self.out,
                                   NULL, &self.work)
            open.final = end
        open.close(<int64_t> end, tokens)
        self.put_tokens(tokens)
        run = open.runs[0]
        self.touched = open.active > 1 or run.backlog.end > 0
        self.base = open.kept
        return 0

    cdef int pause(self) except -1:
        cdef list tokens = []
        if self.open is not None and self.reading.reading.start < self.reading.reading.now:
            self.touched = True
            self.open.read_on()
            self.open.release(tokens)
            self.put_tokens(tokens)
        return 0

    cdef int put_tokens(self, list tokens) except -1:
        cdef bytes token
        for token in tokens:
            self.put_token(self.pieces.tokens.find(token, len(token)))

    cdef int reset(self) except -1:
        self.text = bytearray()
        self.base = self.count = self.touched = 0
        if self.open is None:
            self.reading = PieceStream(self.reading.splitter)
        else:
            self.begin(self.open.N, (<EagerOutput> self.open.runs[0]).criterion, self.open.whole)
        return 0

    cdef size_t memory(self) except 1:
        return LastStage.memory(self) + (len(self.text) if self.open is None else self.open.nbytes)

    def check(self):
        """Raise AssertionError unless I1 holds, between feeds."""
        assert self.count == 0 and (self.touched or self.base == <int64_t> self.reading.start), "I1"
        assert self.touched or self.base + len(self.text) == <int64_t> self.reading.now, "I1"
        if self.touched:
            self.open.check()


cdef class CutStage(LastStage):
    """A cutter needs the whole part."""

    def __dealloc__(self):
        bytes_free(&self.text)

    cdef int put(self, const uint8_t *text, size_t n) except -1:
        if n:
            bytes_reserve(&self.text, n)
            memcpy(self.text.data + self.text.length, text, n)
            self.text.length += n
        return 0

    cdef int end(self) except -1:
        if self.text.length:
            for begin, end in self.pipeline.spans(self.text.data, self.text.length):
                self.pieces.encode_one(self.text.data + <size_t> begin, end - begin, &self.out, NULL, &self.work)
        return self.reset()

    cdef int reset(self) except -1:
        self.text.length = 0
        return 0

    cdef size_t memory(self) except 1:
        return LastStage.memory(self) + self.text.capacity


cdef LastStage last_stage(Pipeline pipeline, Normalized N, int32_t[::1] ids, dict whole, str criterion):
    cdef Pieces pieces = pipeline.pieces
    cdef WholeStage one
    cdef SplitStage split
    cdef CutStage cut
    cdef LastStage last
    cdef int b
    if pipeline.cutter is not None:
        last = cut = CutStage()
        cut.pipeline = pipeline
    elif pipeline.splitter is None:
        last = one = WholeStage()
        one.eager, one.whole, one.ids, one.prefix = EagerOutput(N, criterion), whole, ids, b""
    else:
        last = split = SplitStage()
        split.reading, split.text = PieceStream(pipeline.splitter), bytearray()
        if not pieces.unknown.characters and all([pieces.tokens.find(bytes((b,)), 1) != NO_ID for b in range(256)]):
            split.begin(N, criterion, whole)
    last.pieces = pieces
    return last
