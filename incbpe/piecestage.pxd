"""The last stages of a stream, and which one a tokenizer has: from parts of a rewritten text to ids."""
cimport cython
from libc.stdint cimport int32_t, uint8_t

from incbpe.eager cimport EagerOutput
from incbpe.laststage cimport LastStage
from incbpe.normalize cimport Normalized
from incbpe.pipeline cimport Pipeline
from subwordio.text cimport ByteBuffer


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
cdef class CutStage(LastStage):         # a cutter needs the whole part
    cdef Pipeline pipeline
    cdef ByteBuffer text


# The last stage for a pipeline, whose dictionary is N, by token index with these ids; criterion as in `eager`. `whole`:
# the tokens that a piece is as a whole although merging does not make them: their prefixes -> those that begin so.
cdef LastStage last_stage(Pipeline pipeline, Normalized N, int32_t[::1] ids, dict whole, str criterion)
