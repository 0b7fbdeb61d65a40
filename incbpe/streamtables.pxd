"""What the notation layer has to say of a tokenizer, for its streams and for the ends of its texts."""
from libc.stdint cimport int32_t

from incbpe.addedstage cimport AddedPatterns
from incbpe.normalize cimport Normalized
from incbpe.theta cimport Machine
from incbpe.tokens cimport TokenTable
from subwordio.added cimport Matcher


cdef class StreamTables:                # shared by streams and threads; `patterns` alone changes
    cdef readonly Normalized N
    cdef Machine machine                # that of N
    cdef readonly int32_t[::1] ids      # by token index of N: the id, or -1
    cdef readonly dict whole            # the tokens of pieces alone, see `last_stage`
    cdef dict patterns                  # (choice of special tokens, whether of rewritten text) -> AddedPatterns

    cdef AddedPatterns patterns_of(self, Matcher matcher, object chosen, bint normalized)
    cdef int prepare(self) except -1    # eager outputs that are made now share the machine
