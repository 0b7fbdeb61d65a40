"""The last stage of a stream whose text a splitter cuts: closed pieces by the batch, and the open one."""
cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t

from incbpe.automaton cimport SuffixAutomaton
from incbpe.laststage cimport LastStage
from incbpe.normalize cimport Normalized
from incbpe.openpiece cimport PieceStream
from incbpe.pieceoutput cimport PieceOutput
from incbpe.pipeline cimport Pipeline


@cython.final
cdef class SplitStage(LastStage):
    cdef Pipeline pipeline
    cdef PieceOutput open               # None: pieces are put when they close
    cdef PieceStream reading            # that of `open`, or its own
    cdef bint touched                   # `open` has the open piece, with all text that is not put; else `text`, of which
    # the first piece begins at its beginning, 0 of `reading`
    cdef int64_t known                  # the engine has read the open piece up to here
    cdef size_t came                    # bytes since the last pause
    cdef SuffixAutomaton automaton      # of the dictionary
    cdef int32_t state                  # of the automaton, after
    cdef size_t walked                  # so many bytes of `text`
    cdef bint inner                     # that a token goes on behind them is enough for nothing to be certain, and
    cdef bint window                    # that one ends with them is also

    cdef int set_open(self, Normalized N, str criterion, dict whole) except -1
    cdef bint read_on(self) except -1                       # whether nothing of `text` closes
    cdef int settle(self) except -1                         # puts what is closed of `text`
    cdef size_t put_closed(self) except? 0xFFFFFFFFFFFFFFFF     # ... and says where the open piece begins
    cdef size_t put_pieces(self, bint all_of_it) except? 0xFFFFFFFFFFFFFFFF
    cdef bint begins_token(self) except -1                  # whether nothing of the open piece can be certain
    cdef size_t put_open(self, const uint8_t *text, size_t n) except? 0xFFFFFFFFFFFFFFFF    # ... while `touched`
    cdef bint put_certain(self) except -1   # of the first piece that `open` has, by the engine; whether that is all there is
    cdef int close_open(self, size_t end) except -1
    cdef int take_back(self) except -1                      # `open` has no piece any more
    cdef int put_tokens(self, list tokens) except -1
    cdef int clear(self) except -1
    cdef int begin_reading(self) except -1


cdef SplitStage split_stage(Pipeline pipeline, Normalized N, dict whole, str criterion)     # see `last_stage`
