"""The last stage of a stream: a rewritten text that is still coming, to ids.          (Section 6, and beyond it)

    WholeStage   without a splitter a part is one piece: eager output of it
    SplitStage   a splitter cuts it into pieces (`splitstage`)
    CutStage     patterns of the caller's say nothing of what may follow: a part is held until it ends

A piece that is a token is that token (Proposition 3) even where merging does not make it. While a part may still become
one of these few, or is one, nothing of it is put.

I1  WholeStage: while `prefix` is not None it is all of the part so far, and a token begins so
Cost  that of the criterion; of a cutter, its own. Memory: the backlog, or the part.
"""
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memcpy

from incbpe.eager cimport EagerOutput
from incbpe.normalize cimport Normalized
from incbpe.piece cimport Pieces
from incbpe.pipeline cimport Pipeline
from incbpe.splitstage cimport split_stage
from subwordio.text cimport bytes_free, bytes_reserve

cdef extern from "subwordio/charclass.h" nogil:
    size_t character_end(const uint8_t *text, size_t i, size_t n) noexcept


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
        """Raise AssertionError unless I1 and the eager output's invariants hold, between feeds; while a token may be the
        whole piece, nothing was settled.
        """
        assert self.prefix is None or self.prefix == b"" or self.prefix in self.whole, "I1"
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
    cdef CutStage cut
    cdef LastStage last
    if pipeline.cutter is not None:
        last = cut = CutStage()
        cut.pipeline = pipeline
    elif pipeline.splitter is None:
        last = one = WholeStage()
        one.eager, one.whole, one.ids, one.prefix = EagerOutput(N, criterion), whole, ids, b""
    else:
        last = split_stage(pipeline, N, whole, criterion)
    last.pieces = pieces
    return last
