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
    cdef uint8_t kind                       # of the text, where `answers` knows what may follow it; set before `settle`
    cdef Backlog backlog                    # the positions; and `out`, the tokens released
    cdef int32_t state                      # of the automaton, after all bytes fed
    cdef int missing                        # bytes that the character begun still needs; 0 between characters
    cdef bint ended                         # the text was said not to go on
    cdef uint32_t symbol                    # the byte, or the bits so far of the character begun

    # One byte more: θ is found at the end of each symbol. Bytes are those of well-formed UTF-8, surrogates as three
    # bytes, where the tokens are str. Nothing is released before `settle`. ValueError
    # where the text was said to end.
    cdef int feed_byte(self, uint8_t b) except -1 nogil
    cdef int feed_bytes(self, const uint8_t *text, size_t n) except -1 nogil
    # Release to backlog.out what T has in common up to all places where the text may end: the n `ends`, and, if it
    # goes_on, those of the criterion; else the end of what was fed. Between symbols only. The ends, in any order, are
    # among those given the time before, or were open then, or have been fed since: ValueError for another. What one
    # call does not name is forgotten, unless the criterion counts it.
    cdef int settle(self, const int64_t *ends, Py_ssize_t n, bint goes_on) except -1 nogil
    cdef int sift(self, const int64_t *ends, Py_ssize_t n, bint goes_on) except -1 nogil    # ... without releasing
    # The text ends at e, one of the ends given last, or the end: release the rest, and begin with the empty text.
    cdef int finish_at(self, int64_t e) except -1 nogil
    cdef int forget(self) except -1 nogil   # the text, without releasing more
    cdef int sweep(self) except -1 nogil    # closes what the criterion does not count
    cdef list read(self, object text, object ends, bint goes_on)    # feed_bytes of what Python has, settle, take
    cdef list take(self)                    # the released tokens as bytes or str; `out` is then empty
