"""Eager output through a pre-tokenizer: the tokens of a stream that no continuation can change. (Section 6; beyond it)

A pre-tokenizer cuts a text into pieces before BPE sees it, and where the open piece ends may be undecided: here, later,
or at the splitter's mark, behind which the next piece then begins. So there are several texts for BPE at once: the open
piece, and the piece that begins at the mark if the first ends there, and, since that one may have a mark too, perhaps a
third. Each is read by an eager output of its own, a *run*. What is final is what all of them agree on:
- as long as the released tokens do not reach the mark, that is what the first run has in common up to the mark and up
  to its other positions;
- where they have reached it, the mark being one of the places where T of the first run has a boundary, the run that
  begins there joins in, and the next token is final if it is the next final one of each run.
A piece that may still be a token as a whole, without being T of itself, is held back (a little too long perhaps: what
may follow it is asked of its own machine, which does not know that what is before must have ended at the mark).
With the criterion "maximal", this is all that every continuation agrees on, if bytes end with a character, no token
begins or ends within one, and no piece is held back as above: only tokens count with which the splitter lets a piece go
on.

Where much of the open piece has come at once, whoever has an engine may find what is certain of the first run by it and
say so (`go_to`). The run then begins again, behind the token that is out last (Proposition 27), when it is to read on.

Notation   start[k] where the piece of run k begins · `final` what the released tokens cover
I1  start[0] is where the open piece begins, the others the marks; they ascend, all before what was read
I2  every run has read up to the last whole character, the first one from `origin` on, or, where it was `told`, nothing;
    the others from their piece's beginning
I3  a run that begins before `final` has released up to it, and the text from there on is kept
Cost  a byte is read by at most RUNS runs, and again when a piece closes at a mark that no run had begun at. Memory: the
      text that is not final, and the runs' backlogs.
"""
from incbpe.dictionary cimport NONE, holds
from incbpe.openpiece cimport MOST_CLOSED, Reading
from incbpe.pretokenize cimport AFTER, HERE, MAY_LATER, MAY_MARK, MAY_NOW, WIDTH
from incbpe.unstable cimport Answers, unstable

from incbpe.dictionary import DictionaryError

cdef extern from "incbpe/split.h":
    size_t incbpe_character(const uint8_t *text, size_t i, size_t n) noexcept nogil

cdef enum:
    START = 0                               # the state before a piece


cdef class PatternFollow(Follow):
    """With which bytes a piece may go on, by the pattern: ``PatternFollow(splitter)``."""

    def __cinit__(self, Splitter splitter not None):
        self.splitter = splitter

    cdef uint8_t after(self, uint8_t kind, const uint8_t *rest, Py_ssize_t n) noexcept nogil:
        """Read on. What is no whole character may be part of any."""
        cdef Py_ssize_t i = 0
        cdef size_t length
        cdef uint8_t to = kind
        while i < n:
            length = incbpe_character(rest, i, n)
            if length == 0:
                return MAY_NOW | MAY_LATER
            to = self.splitter.step[kind * WIDTH + self.splitter.classes.of(rest + i)]
            i += length
            if to >= HERE:
                return MAY_NOW if to == AFTER and i == n else 0
            kind = to
        if to >= self.splitter.plain and to >= self.splitter.before and self.splitter.possible[to] & MAY_MARK:
            return MAY_NOW | self.splitter.possible[to] & MAY_LATER     # the mark is here
        return self.splitter.possible[to] & (MAY_NOW | MAY_LATER)

    cdef bint may_follow(self, uint8_t kind, const uint8_t *rest, Py_ssize_t n) noexcept nogil:
        return self.after(kind, rest, n) != 0


cdef class PieceOutput:
    """The tokens of a stream of bytes, piece by piece, as soon as they are final. (Section 6, and beyond it.)

    ``PieceOutput(N, splitter, criterion="chain", whole_piece=False)``; N is of bytes. With whole_piece, a piece that is
    a token is that token, also where T would cut it. Not to be shared by threads.

    >>> from incbpe import Dictionary, normalize
    >>> from incbpe.pretokenize import Splitter
    >>> D = Dictionary.from_ranks({b"  ": 0, b" a": 1, b"ab": 2})
    >>> out = PieceOutput(normalize(D, "rank"), Splitter("gpt2"))
    >>> out.feed(b"   "), out.feed(b"a"), out.feed(b"b "), out.finish()
    ([b'  '], [], [b' a', b'b'], [b' '])
    """

    def __cinit__(self, Normalized N not None, Splitter splitter not None, criterion="chain", bint whole_piece=False):
        cdef EagerOutput run
        if not N.dictionary.binary:
            raise DictionaryError("a stream of bytes needs a dictionary of bytes, got one of str")
        self.N, self.pieces = N, PieceStream(splitter)
        self.runs, self.active, self.text = [], 1, bytearray()
        self.follow, self.whole = PatternFollow(splitter), {}
        answers = Answers(unstable(N), self.follow) if criterion == "maximal" else None
        for _ in range(RUNS):               # now, and not in a feed that needs them
            run = EagerOutput(N, criterion)
            run.answers = answers
            self.runs.append(run)
        for z in set(N.dictionary.tokens) if whole_piece else ():
            if z and not N.is_canonical(z):             # a canonical token is T of itself
                for end in range(1, len(z) + 1):
                    self.whole.setdefault(z[:end], []).append(z)

    cdef int begin(self, const uint8_t *text, size_t n) except -1:
        self.start[0] = self.origin = self.final = self.kept = self.pieces.reading.start
        self.active, self.told = 1, False
        self.text += (<const char *> text)[:n]
        return 0

    cdef bint begun(self) except -1:
        cdef EagerOutput run = self.runs[0]
        return self.active > 1 or run.backlog.end > 0

    cdef int forget(self, int first) except -1:
        cdef int k
        cdef EagerOutput run
        for k in range(first, self.active):
            run = self.runs[k]
            run.forget()
        self.active = min(self.active, first)
        return 0

    cdef int reset(self) except -1:
        """All that was read is forgotten, the memory of runs that are done given back."""
        self.active = RUNS
        self.forget(0)
        self.text.clear()
        return 0

    cdef int64_t first(self, int k) noexcept:
        return self.start[k] if k > 0 else self.origin

    cdef int go_to(self, int64_t end) except -1:
        cdef EagerOutput run = self.runs[0]
        run.forget()
        self.origin = self.final = end
        self.told = True
        return self.drop()

    cdef int read_to(self, int k, int64_t end) except -1:
        """Run k reads on, up to `end`."""
        cdef EagerOutput run = self.runs[k]
        cdef int64_t begin = self.first(k) + run.backlog.end
        cdef const uint8_t *more
        if k == 0:
            self.told = False
        if begin < end:
            more = <const uint8_t *> <const char *> self.text + (begin - self.kept)
            with nogil:
                run.feed_bytes(more, <size_t> (end - begin))
        return 0

    cdef int close(self, int64_t end, list tokens) except -1:
        cdef EagerOutput run = self.runs[0]
        cdef int64_t begin = self.start[0]
        cdef int k
        piece = self.cut(begin, end) if self.whole and self.final == begin else b""
        if piece in self.whole.get(piece, ()):
            tokens.append(piece)
            run.forget()
            self.final = end
        elif self.final < end:
            self.read_to(0, end)
            run.finish_at(end - self.origin)
            tokens += run.take()
            self.final = end
        else:
            run.forget()
        if self.active > 1 and self.start[1] == end:
            self.runs.append(self.runs.pop(0))
            self.active -= 1
            for k in range(self.active):
                self.start[k] = self.start[k + 1]
        else:
            self.forget(1)
            self.start[0] = end
        self.origin, self.told = self.start[0], False
        return self.drop()

    cdef int drop(self) except -1:
        """No run begins before `final` any more, and a piece is a whole token only while nothing of it is final."""
        if self.kept < self.final:
            del self.text[:self.final - self.kept]
            self.kept = self.final
        return 0

    cdef bytes cut(self, int64_t begin, int64_t end):
        return bytes(self.text[begin - self.kept:end - self.kept])

    cdef int find_starts(self, int64_t *starts) except -1:
        """A mark that is left behind has a machine that reads on from there; behind another mark is one character."""
        cdef Splitter splitter = self.pieces.splitter
        cdef const Reading *r = &self.pieces.reading
        cdef size_t[2] ends
        cdef int n = 1
        starts[0], self.kind[0] = r.start, r.state
        if self.pieces.possible_ends(ends) and ends[0] < r.now:
            starts[1] = ends[0]
            self.kind[1] = splitter.step[START * WIDTH + r.last]
            n = 2
            if r.state < splitter.plain:
                self.kind[1] = r.again
                if splitter.possible[r.again] & MAY_MARK and r.mark_again < r.now:
                    starts[2] = r.mark_again
                    self.kind[2] = splitter.step[START * WIDTH + r.last]
                    n = 3
        return n

    cdef int read_on(self) except -1:
        cdef int64_t[RUNS] starts
        cdef int k, n = self.find_starts(starts)
        cdef EagerOutput run
        cdef int64_t mark
        for k in range(1, n):
            if k >= self.active or self.start[k] != starts[k]:
                self.forget(k)
                assert self.final <= starts[k]
                self.start[k], self.active = starts[k], k + 1
        self.forget(n)
        for k in range(n):
            run = self.runs[k]
            self.read_to(k, self.pieces.reading.now)
            run.kind = self.kind[k]
            mark = self.start[k + 1] - self.first(k) if k + 1 < n else 0
            run.sift(&mark, k + 1 < n and self.start[k + 1] > self.final,
                     self.pieces.splitter.possible[self.kind[k]] & MAY_LATER != 0)
        return 0

    cdef bint may_be_whole(self, int k) except -1:
        """Whether the piece of run k may be a whole token, which T would cut: up to the mark, here, or later."""
        cdef bytes piece, z
        cdef const uint8_t[::1] rest
        if not self.whole:
            return False
        if k + 1 < self.active:
            piece = self.cut(self.start[k], self.start[k + 1])
            if piece in self.whole.get(piece, ()):
                return True
        piece = self.cut(self.start[k], self.pieces.now)
        for z in self.whole.get(piece, ()):
            rest = z + b"."
            if self.follow.after(self.kind[k], &rest[len(piece)], len(z) - len(piece)) & MAY_NOW:
                return True
        return False

    cdef int release(self, list tokens) except -1:
        """One token more as long as the runs that begin before, or where, it begins have the same one final."""
        cdef EagerOutput first = self.runs[0], run
        cdef int k, joined = 1
        cdef int64_t end
        while True:
            while joined < self.active and self.start[joined] <= self.final:
                run = self.runs[joined - 1]
                run.backlog.hold_only(NULL, 0)          # at the mark, the next run says what else there may be
                joined += 1
            if self.start[joined - 1] == self.final and self.may_be_whole(joined - 1):
                break
            end = first.backlog.next_final()
            if end == NONE:
                break
            for k in range(1, joined):
                run = self.runs[k]
                if run.backlog.next_final() != end + self.origin - self.start[k]:
                    break
            else:
                for k in range(joined):
                    run = self.runs[k]
                    run.backlog.step()
                    if k:
                        run.backlog.released = 0
                self.final = self.origin + end
                continue
            break
        tokens += first.take()
        return self.drop()

    def feed(self, chunk):
        """The tokens that are final now that some bytes more were read: a bytes-like object. Cost: see the module."""
        cdef size_t[MOST_CLOSED] ends
        cdef const uint8_t[::1] read = chunk
        cdef Py_ssize_t i
        cdef int k, n
        cdef list tokens = []
        self.text += chunk
        for i in range(read.shape[0]):
            n = self.pieces.feed_byte(read[i], ends)
            for k in range(n):
                self.close(<int64_t>ends[k], tokens)
        if self.pieces.reading.start < self.pieces.reading.now:
            self.read_on()
            self.release(tokens)
        return tokens

    def finish(self):
        """The rest of the tokens; the next bytes begin a new text."""
        cdef size_t[MOST_CLOSED] ends
        cdef int k
        cdef list tokens = []
        for k in range(self.pieces.finish_text(ends)):
            self.close(<int64_t>ends[k], tokens)
        return tokens

    @property
    def nbytes(self):
        """The memory that what is not final takes, in bytes."""
        return len(self.text) + sum([run.nbytes for run in self.runs])

    def __repr__(self):
        return f"<PieceOutput: {self.pieces.now} bytes read, {self.final} of them final>"

    def check(self):
        """Raise AssertionError unless I1–I3 hold. Cost: that of the runs' checks."""
        cdef EagerOutput run
        cdef int k
        now = self.pieces.now
        holds("I3", self.kept == self.final >= self.start[0] and self.kept + len(self.text) >= now, self.kept)
        holds("I1", self.start[0] == self.pieces.start and 1 <= self.active <= RUNS, self.start[0])
        holds("I2", self.start[0] <= self.origin <= self.final, self.origin)
        for k in range(self.active):
            run = self.runs[k]
            run.check()
            holds("I1", k == 0 or self.start[k - 1] < self.start[k] < now, k)
            holds("I2", run.position == (0 if self.told and k == 0 else now - self.first(k)), k)
            holds("I3", self.first(k) + run.final == max(self.final, self.start[k]), k)
        for k in range(self.active, RUNS):
            run = self.runs[k]
            holds("I2", run.position == 0, k)
