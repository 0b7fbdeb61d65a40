"""The last stage of a stream: from parts of a rewritten text to ids."""
cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

from incbpe.eager cimport EagerOutput
from incbpe.openpiece cimport PieceStream
from incbpe.piece cimport GROUP, Pieces, Work
from incbpe.pieceoutput cimport PieceOutput
from incbpe.pipeline cimport Pipeline
from incbpe.normalize cimport Normalized
from incbpe.stages cimport Stage
from subwordio.ids cimport IdBuffer
from subwordio.text cimport ByteBuffer

cdef class LastStage(Stage):
    cdef Pieces pieces
    cdef Work work
    cdef IdBuffer out                   # the ids; who takes them empties it
    cdef bint waiting                   # an unknown token comes before the next token that is known

    cdef int put_token(self, uint32_t id) except -1
    cdef int put_waiting(self) except -1
    cdef int append(self, uint32_t id) except -1
    cdef int put_unknown(self, const uint8_t *symbol, size_t n) except -1


@cython.final
cdef class WholeStage(LastStage):       # a part is one piece
    cdef EagerOutput eager
    cdef dict whole                     # see `last_stage`
    cdef int32_t[::1] ids               # by token index: the id, or -1
    cdef bytes prefix                   # the part so far, where some token of `whole` begins so; else None
    cdef bint begun                     # something of the part has come

    cdef int put_known(self, const uint8_t *text, size_t n) except -1
    cdef int put_released(self) except -1


@cython.final
cdef class SplitStage(LastStage):       # a splitter cuts a part into pieces
    cdef PieceOutput open               # None: pieces are put when they close
    cdef PieceStream reading            # that of `open`
    cdef bytearray text                 # the text from `base` on; that of `open`
    cdef int64_t base                   # where text that is not put yet begins, as `reading` counts
    cdef bint touched                   # `open` has read some of it
    cdef size_t[GROUP] ends             # of closed pieces from `base` on, to be encoded together
    cdef size_t count

    cdef int begin(self, Normalized N, str criterion, dict whole) except -1
    cdef int close(self, size_t end) except -1
    cdef int close_open(self, size_t end) except -1
    cdef int encode_closed(self) except -1
    cdef int forget(self, size_t end) except -1
    cdef int put_tokens(self, list tokens) except -1


@cython.final
cdef class CutStage(LastStage):         # a cutter needs the whole part
    cdef Pipeline pipeline
    cdef ByteBuffer text


# The last stage for a pipeline, whose dictionary is N, by token index with these ids; criterion as in `eager`. `whole`:
# the tokens that a piece is as a whole although merging does not make them: their prefixes -> those that begin so.
cdef LastStage last_stage(Pipeline pipeline, Normalized N, int32_t[::1] ids, dict whole, str criterion)
