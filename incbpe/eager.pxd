"""Eager output as the engine's streams see it from C."""
cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

from incbpe.automaton cimport SuffixAutomaton
from incbpe.backlog cimport Backlog
from incbpe.normalize cimport Normalized
from incbpe.theta cimport Machine
from incbpe.unstable cimport Answers


cdef enum Criterion:
    WINDOW, CHAIN, MAXIMAL


@cython.final
cdef class EagerOutput:
    cdef readonly Normalized N
    cdef readonly str criterion             # "window", "chain" or "maximal"
    cdef Criterion how
    cdef Machine machine
    cdef SuffixAutomaton automaton
    cdef Answers answers                    # only for MAXIMAL, else None
    cdef Backlog backlog                    # positions, holds, and `out`, the tokens released
    cdef int32_t state                      # of the automaton, after all bytes fed
    cdef int missing                        # bytes that the character begun still needs; 0 between characters
    cdef uint32_t symbol                    # the byte, or the bits so far of the character begun

    # One byte more: θ is found at the end of each symbol. Bytes are those of well-formed UTF-8, surrogates as three
    # bytes, where the tokens are str. Nothing is released before `settle`.
    cdef int feed_byte(self, uint8_t b) except -1 nogil
    cdef int feed_bytes(self, const uint8_t *text, size_t n) except -1 nogil
    # Release to backlog.out what all ends share that are still possible: those that are held, and the criterion's; if
    # the text cannot go on beyond the end, only the end and what is held. Between symbols only. Afterwards these can be
    # held: what was held or open, and what is fed from now on until the next time.
    cdef int settle(self, bint goes_on) except -1 nogil
    # The text ends at e, a position that is held or the end: release the rest, and begin with the empty text.
    cdef int finish_at(self, int64_t e) except -1 nogil
    cdef int sweep(self) except -1 nogil    # closes what the criterion does not count
    cdef int read(self, object text) except -1      # feed_bytes of a text as Python has it, and settle
    cdef list take(self)                    # the released tokens as bytes or str; `out` is then empty
