"""Streams, and what those of one tokenizer share."""
from libc.stdint cimport int32_t

from incbpe.addedstage cimport AddedPatterns
from incbpe.normalize cimport Normalized
from incbpe.piecestage cimport LastStage
from incbpe.pipeline cimport Pipeline
from incbpe.stages cimport Stage
from subwordio.added cimport Matcher


cdef class StreamTables:                # made for the first stream of a tokenizer, and kept
    cdef readonly Normalized N
    cdef int32_t[::1] ids               # by token index of N: the id, or -1
    cdef dict whole                     # the tokens of pieces alone, see `last_stage`
    cdef dict patterns                  # (choice of special tokens, whether of rewritten text) -> AddedPatterns
    cdef AddedPatterns patterns_of(self, Matcher matcher, object chosen, bint normalized)


cdef class Stream:
    cdef Stage first                    # the stages, from the text on
    cdef LastStage last                 # to the ids
    cdef readonly Py_ssize_t position         # the bytes of UTF-8 that were read, whole characters
    cdef bytes rest                     # an incomplete character's bytes, which follow
    cdef str half                       # or a high surrogate, or ""
    cdef bint failed

    cdef tuple read(self, object chunk)                     # the text to go on with, and what is held for the next one
    cdef int put(self, str text) except -1
    cdef object take(self)
    cdef int ready(self) except -1      # or a ValueError

