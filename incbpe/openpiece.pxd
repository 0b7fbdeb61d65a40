"""A text that is still coming: which pieces are closed, and where the open one may end.

How a stream uses it. Bytes go in one at a time; each may close pieces, and what it closes stays closed:

    cdef size_t ends[MOST_CLOSED]
    closed = stream.feed_byte(b, ends)      # the pieces [start, ends[0]), [ends[0], ends[1]), … are final
    n = stream.possible_ends(ends)
    later = stream.may_end_later()
                                            # the next piece begins at stream.reading.start. It ends at one of the n
                                            # `ends`, all of them at most reading.now, or, if `later`, beyond reading.now
    closed = stream.finish_text(ends)       # the text has ended: all its pieces

Each of the possible ends is reached by some continuation (or the text's end), and no other end is by any: a token of
the open piece is final when the tokenizations up to all of these ends agree on it, and those of all longer ends too.
Positions count bytes from the stream's beginning. After a piece has closed at a place before reading.now, the bytes
from there on belong to the pieces that follow: who tokenizes them keeps the open text, from reading.start on.
"""
cimport cython
from libc.stdint cimport uint8_t

from incbpe.pretokenize cimport Splitter

cdef enum:
    MOST_CLOSED = 8         # pieces that one byte, or the text's end, can close; `check` counts


cdef struct Reading:        # how far a machine has come
    size_t start            # where the open piece begins; pieces before it are closed
    size_t now              # where the last whole character ends; start if no piece is open
    size_t mark             # the machine's mark, where `possible` of its state has MAY_MARK
    size_t mark_again       # the mark of the machine that reads again
    uint8_t state           # after text[start:now]
    uint8_t again           # where `left_behind(state)`: the state after text[mark:now], read as a piece that begins at
                            # the mark, as it will be if the open piece ends there
    uint8_t last            # the class of the last character
    bint ill_formed         # the last character is an ill-formed run, which further ill-formed bytes join


# Read one character, of this class, that begins at `now` and ends at `after`; the ends of the pieces that this closes.
cdef int read(Splitter splitter, Reading *r, uint8_t cls, size_t after, size_t *ends) noexcept nogil
# Read ill-formed bytes from `now` to `after`: U+FFFD, or more of the one before.
cdef int read_ill_formed(Splitter splitter, Reading *r, size_t after, size_t *ends) noexcept nogil
# The text ends at `now`: the ends of the pieces from `start` on. The reading is then at its end, with nothing open.
cdef int read_end(Splitter splitter, Reading *r, size_t *ends) noexcept nogil


@cython.final
cdef class PieceStream:
    cdef readonly Splitter splitter
    cdef Reading reading
    cdef uint8_t held[4]        # an incomplete character's bytes, which follow reading.now
    cdef size_t held_length

    # One byte more. Writes the ends of the pieces that are closed by it, and returns how many.
    cdef int feed_byte(self, uint8_t byte, size_t *ends) noexcept nogil
    # The same of whole characters, from text[i[0]] on, until some close pieces or all of text[0:n] is read; i[0] is then
    # where it has come to.
    cdef int read_text(self, const uint8_t *text, size_t n, size_t *i, size_t *ends) noexcept nogil
    # No more bytes: closes the rest; an incomplete character is an ill-formed run. May be fed again: a new text, whose
    # positions go on from here.
    cdef int finish_text(self, size_t *ends) noexcept nogil
    # Where the open piece may end, among the places up to reading.now; ascending; their number, 0 where none is open.
    cdef int possible_ends(self, size_t *ends) noexcept nogil
    # Whether it may end beyond.
    cdef bint may_end_later(self) noexcept nogil
