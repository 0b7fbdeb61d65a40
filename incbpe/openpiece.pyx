"""Splitting a text that is still coming: closed pieces at once, and every place where the open one may end.

The machine of `grammars` says where a piece ends only when it has seen enough. Until then `possible` of its state says
all that can still happen: the piece may end where the text has come to, or at the mark, or later. This is exact: every
one of these ends is that of some continuation, and no continuation has another. What is undecided besides the present
place is thus the mark, and how far it may lie back is what a stream must hold:

    gpt2            white space: its last character, while the run goes on; `'l`, `'r`, `'v`: the letter
    cl100k, llama3, qwen, qwen35    white space: its last character; white space after the run's last line break: all
                    that follows the break, without bound (a file's end of blank lines, "\\n" and then blanks)
    o200k           the same; an apostrophe after a word, and one letter after it; and capitals that follow a character
                    which is both capital and small (\\p{Lm}, \\p{Lo}, \\p{M}): without bound, as "日" and then capitals
    tekken          as o200k without the apostrophe
    none            nothing: the only piece ends where the text does

Where the mark is left behind like that, a second machine reads from the mark on in step with the first, so that closing
a piece there needs no reading again: every byte costs O(1), whatever the text.

A character counts when its last byte has come. Until then everything is as it was before its first byte, which is
right but not always the most that could be known. Bytes that begin or continue no character are read as one U+FFFD.

I1  a mark that is left behind has a second machine, and that one does not close a piece while the first does not
I2  at a mark that moves, what is read again is one character at most, and that never closes a piece by itself
I3  no character closes more than MOST_CLOSED pieces, nor does the text's end
Cost  O(1) a byte in time; a stream's memory is constant.
"""
from libc.stdint cimport uint8_t
from libc.string cimport memset

from incbpe.pretokenize cimport AFTER, AT_MARK, HERE, MAY_LATER, MAY_MARK, MAY_NOW, WIDTH, WORD, Splitter

from incbpe.grammars import CLASSES

cdef extern from "incbpe/split.h":
    size_t incbpe_character(const uint8_t *text, size_t i, size_t n) noexcept nogil
    bint incbpe_begins_character(const uint8_t *s, size_t length) noexcept nogil
    size_t incbpe_length(uint8_t lead) noexcept nogil
    size_t incbpe_letters_end(const uint8_t *text, size_t i, size_t n, bint capitals) noexcept nogil

cdef enum:
    ILL_FORMED = 0          # the class of U+FFFD, "other"
    START = 0               # the state before a piece


cdef inline bint left_behind(Splitter splitter, uint8_t state) noexcept nogil:
    """Whether in this state the piece may end at a mark that the state does not move."""
    return state < splitter.plain and splitter.possible[state] & MAY_MARK


cdef void advance_again(Splitter splitter, Reading *r, uint8_t cls, size_t after) noexcept nogil:
    """The second machine reads a character, after which the mark is left behind."""
    cdef uint8_t to
    if not left_behind(splitter, r.state):
        r.again = START                     # it begins: at the last character, or at this one
        if r.mark < r.now:
            r.again = splitter.step[START * WIDTH + r.last]
    to = splitter.step[r.again * WIDTH + cls]
    if to >= splitter.plain:
        r.mark_again = r.now if to < splitter.before else after
    r.again = to


cdef void close_at_mark(Splitter splitter, Reading *r) noexcept nogil:
    """The open piece ended at the mark: the next one has been read up to `now`."""
    r.start = r.mark
    if r.mark == r.now:
        r.state = START
    elif left_behind(splitter, r.state):
        r.state, r.mark = r.again, r.mark_again
    else:
        r.state = splitter.step[START * WIDTH + r.last]


cdef int read(Splitter splitter, Reading *r, uint8_t cls, size_t after, size_t *ends) noexcept nogil:
    cdef uint8_t to
    cdef int closed = 0
    while True:
        to = splitter.step[r.state * WIDTH + cls]
        if to == HERE:
            r.start, r.state = r.now, START
        elif to == AT_MARK:
            close_at_mark(splitter, r)
        else:
            break
        ends[closed] = r.start
        closed += 1
    if to == AFTER:
        r.start, r.state = after, START
        ends[closed] = after
        closed += 1
    else:
        if left_behind(splitter, to):
            advance_again(splitter, r, cls, after)
        elif to >= splitter.plain:
            r.mark = r.now if to < splitter.before else after
        r.state = to
    r.now, r.last, r.ill_formed = after, cls, False
    return closed


cdef int read_ill_formed(Splitter splitter, Reading *r, size_t after, size_t *ends) noexcept nogil:
    cdef int closed = 0
    if r.ill_formed:                        # "other" leaves no mark, so that the piece just grows
        r.now = after
    else:
        closed = read(splitter, r, ILL_FORMED, after, ends)
        r.ill_formed = True
    return closed


cdef int read_end(Splitter splitter, Reading *r, size_t *ends) noexcept nogil:
    cdef int closed = 0
    while r.start < r.now:
        if splitter.at_end[r.state] == HERE:
            r.start, r.state = r.now, START
        else:
            close_at_mark(splitter, r)
        ends[closed] = r.start
        closed += 1
    r.ill_formed = False
    return closed


cdef class PieceStream:
    """The pieces of a text that comes in parts.

    ``PieceStream(splitter)``. Positions count bytes from the stream's beginning. Not to be shared by threads.

    >>> from incbpe.pretokenize import Splitter
    >>> stream = PieceStream(Splitter("gpt2"))
    >>> stream.feed(b"it's  ")                  # the white space may end before its last character, here, or later
    [2, 4]
    >>> stream.start, stream.ends(), stream.later
    (4, [5, 6], True)
    >>> stream.feed(b"so"), stream.finish()
    ([5], [8])
    """

    def __cinit__(self, Splitter splitter not None):
        self.splitter = splitter
        memset(&self.reading, 0, sizeof(Reading))

    cdef int feed_byte(self, uint8_t byte, size_t *ends) noexcept nogil:
        cdef Reading *r = &self.reading
        cdef int closed = 0
        while True:
            self.held[self.held_length] = byte
            self.held_length += 1
            if incbpe_character(self.held, 0, self.held_length):
                closed += read(self.splitter, r, self.splitter.classes.of(self.held), r.now + self.held_length,
                               ends + closed)
                self.held_length = 0
                return closed
            if incbpe_begins_character(self.held, self.held_length):
                return closed
            if self.held_length == 1:
                closed += read_ill_formed(self.splitter, r, r.now + 1, ends + closed)
                self.held_length = 0
                return closed
            # The bytes before this one are no character, but this one may begin one.
            closed += read_ill_formed(self.splitter, r, r.now + self.held_length - 1, ends + closed)
            self.held_length = 0

    cdef int read_text(self, const uint8_t *text, size_t n, size_t *i, size_t *ends) noexcept nogil:
        cdef Reading *r = &self.reading
        cdef size_t at = i[0], after
        cdef uint8_t cls
        cdef int closed = 0
        while at < n and closed == 0:
            if text[at] < 0x80:
                cls, after = self.splitter.classes.ascii[text[at]], at + 1
            else:
                cls, after = self.splitter.classes.of(text + at), at + incbpe_length(text[at])
            closed = read(self.splitter, r, cls, r.now + (after - at), ends)
            at = after
            if r.state == WORD and closed == 0 and not left_behind(self.splitter, WORD):
                after = incbpe_letters_end(text, at, n, self.splitter.capitals)      # a word goes on with them
                if after > at:
                    r.now += after - at
                    r.last = self.splitter.classes.ascii[text[after - 1]]
                    at = after
        i[0] = at
        return closed

    cdef int finish_text(self, size_t *ends) noexcept nogil:
        cdef int closed = 0
        if self.held_length:
            closed = read_ill_formed(self.splitter, &self.reading, self.reading.now + self.held_length, ends)
            self.held_length = 0
        return closed + read_end(self.splitter, &self.reading, ends + closed)

    cdef int possible_ends(self, size_t *ends) noexcept nogil:
        cdef int n = 0
        cdef uint8_t possible = self.splitter.possible[self.reading.state]
        if self.reading.start == self.reading.now:
            return 0
        if possible & MAY_MARK and self.reading.mark < self.reading.now:
            ends[n] = self.reading.mark
            n += 1
        if possible & MAY_NOW or (possible & MAY_MARK and self.reading.mark == self.reading.now):
            ends[n] = self.reading.now
            n += 1
        return n

    cdef bint may_end_later(self) noexcept nogil:
        return self.reading.start < self.reading.now and self.splitter.possible[self.reading.state] & MAY_LATER

    def feed(self, bytes chunk not None):
        """Read some bytes; the ends of the pieces that this closes, as a list. O(len(chunk))."""
        cdef size_t[MOST_CLOSED] ends
        cdef uint8_t byte
        cdef list closed = []
        cdef int k
        for byte in chunk:
            for k in range(self.feed_byte(byte, ends)):
                closed.append(ends[k])
        return closed

    def finish(self):
        """The text ends: the ends of the pieces that were open. O(1)."""
        cdef size_t[MOST_CLOSED] ends
        cdef int k, n = self.finish_text(ends)
        return [ends[k] for k in range(n)]

    def ends(self):
        """Where the open piece may end, up to `now`: a list, empty where no piece is open. O(1)."""
        cdef size_t[2] ends
        cdef int k, n = self.possible_ends(ends)
        return [ends[k] for k in range(n)]

    @property
    def later(self):
        """Whether the open piece may also end beyond `now`."""
        return self.may_end_later()

    @property
    def start(self):
        """Where the open piece begins: all before is closed."""
        return self.reading.start

    @property
    def now(self):
        """Where the last whole character ends."""
        return self.reading.now

    @property
    def state(self):
        """The name of the machine's state, for a drawing or a trace."""
        return self.splitter.machine.states[self.reading.state]

    def __copy__(self):
        cdef PieceStream other = PieceStream(self.splitter)
        other.reading, other.held, other.held_length = self.reading, self.held, self.held_length
        return other

    def check(self):
        """Raise AssertionError unless I1–I3 hold in every situation that a text can lead to. O(states³ × classes).

        >>> from incbpe.pretokenize import Splitter
        >>> PieceStream(Splitter("o200k")).check()
        """
        cdef Splitter s = self.splitter
        cdef size_t[2 * MOST_CLOSED] ends
        cdef Reading r, next
        cdef uint8_t cls
        cdef int closed
        memset(&r, 0, sizeof(Reading))
        seen, found = {situation(&r)}, [r]
        while found:
            r = found.pop()
            next = r
            closed = read_end(s, &next, ends)
            assert closed <= MOST_CLOSED // 2 and next.start == next.now and next.state == START, "I3"
            for cls in range(len(CLASSES)):
                if not left_behind(s, r.state) and r.start < r.mark < r.now and s.possible[r.state] & MAY_MARK:
                    assert s.step[START * WIDTH + r.last] < HERE, "I2"
                next = r
                closed = read(s, &next, cls, r.now + 2, ends)
                assert closed <= MOST_CLOSED // 2, "I3"
                if left_behind(s, next.state):
                    assert START < next.again < HERE and not left_behind(s, next.again), "I1"
                if situation(&next) not in seen:
                    seen.add(situation(&next))
                    found.append(next)


cdef tuple situation(const Reading *r):
    """What of a reading decides what can come: its machines' states, and the order of its places."""
    return r.state, r.again, r.last, r.mark == r.now, r.start == r.now, r.start < r.mark, r.mark_again == r.now
