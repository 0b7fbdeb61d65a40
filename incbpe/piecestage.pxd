"""The last stages of a stream, and which one a tokenizer has: from parts of a rewritten text to ids."""
cimport cython
from libc.stdint cimport int32_t

from incbpe.laststage cimport LastStage
from incbpe.normalize cimport Normalized
from incbpe.pipeline cimport Pipeline


@cython.final
cdef class CutStage(LastStage):         # a cutter needs the whole part
    cdef Pipeline pipeline


# The last stage for a pipeline, whose dictionary is N, by token index with these ids; criterion as in `eager`. `whole`:
# the tokens that a piece is as a whole although merging does not make them: their prefixes -> those that begin so.
cdef LastStage last_stage(Pipeline pipeline, Normalized N, int32_t[::1] ids, dict whole, str criterion)
