"""The last stage of a stream that nothing splits: a part is one piece."""
cimport cython
from libc.stdint cimport int32_t, uint8_t

from incbpe.eager cimport EagerOutput
from incbpe.laststage cimport LastStage
from incbpe.normalize cimport Normalized
from incbpe.pipeline cimport Pipeline


@cython.final
cdef class WholeStage(LastStage):
    cdef Pipeline pipeline
    cdef EagerOutput eager
    cdef dict whole                     # see `last_stage`
    cdef int32_t[::1] ids               # by token index: the id, or -1
    cdef bytes prefix                   # the part so far, where some token of `whole` begins so; else None
    cdef bint begun                     # something of the part has come
    cdef bint anew                      # every symbol is a token or its bytes are, so that the engine can read a part's end
    cdef bint seamed                    # `pieces` has joins: a text may be cut at its seams
    cdef size_t begin                   # if `anew`, text[begin:length] is what no token that is out covers,
    cdef size_t read                    # of which `eager` has read so many bytes

    cdef int put_released(self) except -1
    cdef int put_to_seam(self) except -1            # puts what comes before the last seam
    cdef bint by_engine(self) except -1             # whether the engine reads what is there
    cdef int settle(self) except -1                 # puts what is certain
    cdef int read_on(self) except -1                # `eager` reads what has come


cdef WholeStage whole_stage(Pipeline pipeline, Normalized N, int32_t[::1] ids, dict whole, str criterion)   # see `last_stage`
