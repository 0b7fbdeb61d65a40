"""The last stage of a stream whose text a splitter cuts into pieces.              (Section 6, and beyond it)

    text ── closed pieces ──► chunks, the table ──► ids                what encoding a whole text does (chunks)
              └── the open piece: does a token begin with all of it? ── no ──► eager output ──► ids     (pieceoutput)

A piece's ids depend on its own bytes, so that where a piece begins a text might begin: all pieces that are closed when
more has come are encoded as those of a whole text are. Of the open piece, as long as some token goes on behind all of it,
the position 0 is open by every criterion but "maximal", since in all states of all patterns a piece may go on, and
nothing is certain: one step of the automaton a byte says so. Most pieces of real text never come to more. Else eager
output reads the piece from its beginning, and has it until it is closed and no other is begun (`touched`); what came
behind is then the text again. Where some of the open piece has come at once, the engine reads instead what no token that
is out covers (`certain`), and eager output goes on behind what that finds certain, if little more comes. That is done
where more has come than waited, so that no byte is read again more than once, and once more when the piece closes.

Where atoms are characters, or a byte is no token, the pieces are put as they close, and not before.

I1  unless `touched`, the machine of `reading` has read a beginning of `text`, all in one open piece; after a pause, all
    of `text`, of which the automaton has read a beginning
I2  while `touched`, `text` is empty, and `open` has released what of the open piece is certain; else `open` has read
    nothing
Cost  O(1) a byte beside the engine for closed pieces and the criterion for what eager output reads. Memory: the open
      piece.
"""
from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memcpy, memmove, memset

from incbpe.certain cimport certain
from incbpe.chunks cimport encode_closed
from incbpe.eager cimport EagerOutput
from incbpe.openpiece cimport MOST_CLOSED, Reading
from incbpe.piece cimport GROUP, LONG
from incbpe.pipeline cimport Scratch
from incbpe.pieceoutput cimport RUNS
from incbpe.pretokenize cimport Splitter
from subwordio.batch cimport Worker
from subwordio.text cimport bytes_free, bytes_reserve

cdef enum:
    BLOCK = 16384               # bytes of text that are taken at a time: they are still near when they are split
    FEW = 128                   # bytes for which a table of chunks is not asked
    LITTLE = 16                 # bytes that eager output reads itself, and
    MANY = 256                  # where the piece may end at a mark
    RELEASED = 2048             # bytes from which it is worth while to release the GIL


cdef class SplitStage(LastStage):
    """A splitter cuts a part into pieces."""

    cdef int set_open(self, Normalized N, str criterion, dict whole) except -1:
        self.open = PieceOutput(N, self.reading.splitter, criterion)
        self.open.whole = whole
        self.reading = self.open.pieces
        self.automaton = (<EagerOutput> self.open.runs[0]).automaton
        self.inner, self.window = criterion != "maximal", criterion == "window"
        return 0

    cdef int put(self, const uint8_t *text, size_t n) except -1:
        cdef size_t i = self.put_open(text, n) if self.touched else 0
        self.came += n
        while i < n:
            i = self.hold(text, i, n, BLOCK)
            if self.text.length >= BLOCK:
                self.settle()
        return 0

    cdef int end(self) except -1:
        cdef size_t[MOST_CLOSED] ends
        cdef int k
        if self.touched:
            for k in range(self.reading.finish_text(ends)):
                self.close_open(ends[k])
            self.take_back()
            self.open.reset()
        elif self.text.length >= FEW:
            self.settle()
        self.put_pieces(True)
        return self.clear()

    cdef int pause(self) except -1:
        cdef list tokens = []
        cdef size_t came = self.came
        self.came = 0
        if not self.touched:
            if self.text.length > self.reading.reading.now:
                self.settle()
            if self.open is None or self.text.length == 0 or (self.inner and self.begins_token()):
                return 0
            self.open.begin(self.text.data, self.text.length)
            self.text.length, self.touched, self.known = 0, True, 0
        if came >= LITTLE and self.put_certain():
            return 0
        self.open.read_on()
        self.open.release(tokens)
        return self.put_tokens(tokens)

    cdef int reset(self) except -1:
        if self.touched:
            self.open.reset()
            self.touched = False
        return self.clear()

    cdef int clear(self) except -1:
        """The next part."""
        self.trim()
        return self.begin_reading()

    cdef int begin_reading(self) except -1:
        """The machine and the automaton have read nothing of `text`."""
        memset(&self.reading.reading, 0, sizeof(Reading))
        self.walked = self.state = 0
        return 0

    # -- closed pieces

    cdef bint read_on(self) except -1:
        cdef size_t[MOST_CLOSED] ends
        cdef size_t i = self.reading.reading.now
        return self.reading.read_text(self.text.data, self.text.length, &i, ends) == 0

    cdef int settle(self) except -1:
        """Where the machine sees that the open piece closes, its text is read again, from its beginning, with the rest."""
        cdef size_t open
        if self.reading.reading.now > 0 and self.read_on():
            return 0
        open = self.put_closed()
        self.text.length -= open
        memmove(self.text.data, self.text.data + open, self.text.length)
        if self.text.length == 0 and self.text.capacity > 2 * BLOCK:     # a long piece is gone
            bytes_free(&self.text)
        self.begin_reading()
        closed = not self.read_on()
        assert not closed
        return 0

    cdef size_t put_closed(self) except? 0xFFFFFFFFFFFFFFFF:
        cdef size_t open = 0
        cdef bint known = False
        cdef Worker *worker
        cdef Scratch *scratch
        if self.text.length >= FEW and self.pipeline.cache_bytes > 0 and self.text.length < <size_t> 0xFFFFFFFF:
            worker = self.pipeline.borrow()
            scratch = <Scratch *> worker.scratch
            try:
                known = self.pipeline.keeps(self.text.length, scratch)
                if known and self.text.length < RELEASED:
                    encode_closed(&scratch.desk, self.reading.splitter, self.pieces, &scratch.work, self.text.data,
                                  self.text.length, &self.out, &open)
                elif known:
                    with nogil:
                        encode_closed(&scratch.desk, self.reading.splitter, self.pieces, &scratch.work, self.text.data,
                                      self.text.length, &self.out, &open)
            finally:
                self.pipeline.give_back(worker)
        return open if known else self.put_pieces(False)

    cdef size_t put_pieces(self, bint all_of_it) except? 0xFFFFFFFFFFFFFFFF:
        """The same without a table; or the pieces of `text` where it ends."""
        cdef size_t[GROUP] ends
        cdef const uint8_t *text = self.text.data
        cdef size_t start = 0, begin, end, count, n = self.text.length
        cdef Splitter splitter = self.reading.splitter
        with nogil:
            while start < n:
                begin, count, end = start, 0, 0
                while start < n and count < GROUP:
                    end = splitter.piece_end(text, start, n) if all_of_it else splitter.closed_end(text, start, n)
                    if end == 0 or end - start >= LONG:
                        break
                    ends[count] = start = end
                    count += 1
                if count > 0:
                    self.pieces.encode(text, begin, ends, count, n, &self.out, NULL, &self.work)
                if end == 0:
                    break
                if end > start:
                    self.pieces.encode_one(text + start, end - start, &self.out, NULL, &self.work)
                    start = end
        return start

    # -- the open piece

    cdef bint begins_token(self) except -1:
        cdef size_t n = self.text.length
        if n > self.pieces.tokens.longest:
            return False
        self.state = self.automaton.walk(self.state, self.text.data + self.walked, n - self.walked)
        self.walked = n
        return <size_t> self.automaton.depth[self.state] == n and (self.window or self.automaton.inner[self.state])

    cdef size_t put_open(self, const uint8_t *text, size_t n) except? 0xFFFFFFFFFFFFFFFF:
        cdef size_t[MOST_CLOSED] ends
        cdef size_t i = 0, begin
        cdef int k, closed
        while i < n and self.touched:
            begin = i
            closed = self.reading.read_text(text, n, &i, ends)
            self.open.text += (<const char *> text)[begin:i]
            for k in range(closed):
                self.close_open(ends[k])
            if closed and not self.open.begun():
                self.take_back()
        return i

    cdef bint put_certain(self) except -1:
        cdef PieceOutput open = self.open
        cdef EagerOutput run = open.runs[0]
        cdef int64_t[RUNS] starts
        cdef int64_t now = <int64_t> self.reading.reading.now, begin = open.final, n = now - begin, held = 0
        cdef int64_t new = now - max(self.known, open.origin + run.backlog.end)
        cdef int places = open.find_starts(starts)
        cdef const uint8_t *text = <const uint8_t *> <const char *> open.text
        cdef bint goes_on
        cdef size_t end
        if n > 2 * new:
            return False
        if places > 1:
            held = starts[1] - begin
            if held <= 0 or n < MANY:       # the piece may have ended, and another one must agree
                return False
        if open.whole and begin == open.start[0] and min(n, held or n) <= <int64_t> self.pieces.tokens.longest:
            return False                    # it may be a token as a whole
        goes_on = self.reading.may_end_later()
        run.kind = open.kind[0]
        with nogil:
            self.pieces.set_theta(text, <size_t> n, &self.work)
        end = certain(self.pieces, run, text, <size_t> n, <size_t> held, goes_on, &self.work)
        if end > 0:
            self.pieces.read_back(text, end, &self.out, NULL, &self.work)
        open.go_to(begin + <int64_t> end)
        self.known = now
        return places == 1 and open.active == 1

    cdef int close_open(self, size_t end) except -1:
        cdef PieceOutput open = self.open
        cdef list tokens = []
        cdef const uint8_t *text = <const uint8_t *> <const char *> open.text
        cdef EagerOutput run = open.runs[0]
        cdef int64_t n = <int64_t> end - open.final      # below 0 where tokens beyond are out
        if open.final == open.start[0]:     # it has released nothing
            self.pieces.encode_one(text, <size_t> n, &self.out, NULL, &self.work)
            open.final = <int64_t> end
        elif n > 0 and (open.told or <int64_t> end - open.origin - run.backlog.end >= MANY):    # much is not read
            self.pieces.set_theta(text, <size_t> n, &self.work)
            self.pieces.read_back(text, <size_t> n, &self.out, NULL, &self.work)
            open.final = <int64_t> end
        open.close(<int64_t> end, tokens)
        return self.put_tokens(tokens)

    cdef int take_back(self) except -1:
        """What `open` has is text again."""
        cdef size_t n = len(self.open.text)
        bytes_reserve(&self.text, n)
        memcpy(self.text.data, <const char *> self.open.text, n)
        self.text.length, self.touched = n, False
        self.open.text.clear()
        return self.begin_reading()

    cdef int put_tokens(self, list tokens) except -1:
        cdef bytes token
        for token in tokens:
            self.put_token(self.pieces.tokens.find(token, len(token)))
        return 0

    cdef size_t memory(self) except 1:
        return LastStage.memory(self) + (0 if self.open is None else self.open.nbytes)

    def check(self):
        """Raise AssertionError unless I1 and I2 hold, between feeds."""
        cdef Reading *r = &self.reading.reading
        if self.touched:
            assert self.text.length == 0, "I2"
            self.open.check()
        else:
            assert r.start == 0 and r.now == self.text.length >= self.walked, "I1"
            assert r.now == 0 or self.reading.may_end_later(), "I1"
            assert self.open is None or not self.open.text and not self.open.begun(), "I2"
            assert self.open is None or self.state == self.automaton.walk(0, self.text.data, self.walked), "I1"


cdef SplitStage split_stage(Pipeline pipeline, Normalized N, dict whole, str criterion):
    cdef SplitStage stage = SplitStage()
    stage.pipeline, stage.reading = pipeline, PieceStream(pipeline.splitter)
    if pipeline.pieces.complete:
        stage.set_open(N, criterion, whole)
    return stage
