"""Eager output through a pre-tokenizer, as the modules above see it from C."""
cimport cython
from libc.stdint cimport int64_t, uint8_t

from incbpe.eager cimport EagerOutput
from incbpe.normalize cimport Normalized
from incbpe.openpiece cimport PieceStream
from incbpe.pretokenize cimport Splitter
from incbpe.unstable cimport Follow

cdef enum:
    RUNS = 3                                # pieces that may begin, one behind the other, in what is open


@cython.final
cdef class PatternFollow(Follow):           # a kind is a state of the splitter's machine
    cdef Splitter splitter

    # Where a piece of this kind may end when rest[0:n] has been read on: a set of MAY_NOW, behind rest, and MAY_LATER.
    cdef uint8_t after(self, uint8_t kind, const uint8_t *rest, Py_ssize_t n) noexcept nogil


@cython.final
cdef class PieceOutput:
    cdef readonly Normalized N
    cdef readonly PieceStream pieces
    cdef list runs                          # RUNS of EagerOutput
    cdef int active                         # the first so many are in use, at least one
    cdef int64_t[RUNS] start                # where run k begins in the stream; ascending
    cdef int64_t origin                     # where run 0 began to read: at start[0], or where a token that is out ends
    cdef bint told                          # all that is certain of run 0 is out, which has read nothing from `origin` on
    cdef uint8_t[RUNS] kind                 # the state of the machine that reads the piece of run k
    cdef bytearray text                     # the stream's bytes from `kept` on
    cdef int64_t kept                       # what of the stream is kept begins here: at `final`
    cdef PatternFollow follow
    cdef dict whole                         # prefix -> the tokens with it that are not canonical; empty: no such matter
    cdef readonly int64_t final             # the stream's bytes before are covered by tokens that were released

    cdef int begin(self, const uint8_t *text, size_t n) except -1   # this is the open piece, which `pieces` has read
    cdef bint begun(self) except -1         # a piece that is not closed, or one behind it, was read by a run
    cdef int64_t first(self, int k) noexcept                        # where run k began to read
    cdef int read_to(self, int k, int64_t end) except -1            # run k reads on
    cdef int go_to(self, int64_t end) except -1     # the tokens up to `end` are out, and all that is certain of run 0
    cdef int drop(self) except -1           # the text that is final
    cdef bytes cut(self, int64_t begin, int64_t end)                # the stream's bytes, of those that are kept
    cdef int close(self, int64_t end, list tokens) except -1        # the first piece ends there
    cdef int find_starts(self, int64_t *starts) except -1           # where pieces may begin now, and sets `kind`
    cdef int read_on(self) except -1                                # all runs read what has come
    cdef bint may_be_whole(self, int k) except -1
    cdef int release(self, list tokens) except -1                   # what all runs agree on
    cdef int forget(self, int first) except -1                      # the runs from `first` on are not in use
    cdef int reset(self) except -1                                  # nothing was read
