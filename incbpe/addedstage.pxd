"""Added tokens of a text that is still coming."""
cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t

from incbpe.stages cimport Stage
from subwordio.added cimport Matcher
from subwordio.automaton cimport Automaton
from subwordio.text cimport ByteBuffer


@cython.final
cdef class AddedPatterns:               # immutable, shared by streams
    cdef Automaton automaton            # its nodes spell beginnings of patterns, read backwards
    cdef int32_t[::1] depth             # by node: its bytes
    cdef int32_t[::1] ending            # by node: the longest pattern that what it spells ends with, as a node; 0: none
    cdef int32_t[::1] opened            # by node: bytes of the longest proper beginning of a pattern that it ends with
    cdef int64_t[::1] ids               # by pattern
    cdef uint8_t[::1] flags             # by pattern: SINGLE_WORD | LSTRIP | RSTRIP
    cdef bint lstrip                    # some pattern takes white space before it


@cython.final
cdef class AddedStage(Stage):
    cdef AddedPatterns patterns
    cdef ByteBuffer text                # the part from `base` on
    cdef int64_t base                   # positions count bytes from the part's beginning
    cdef int64_t now                    # the automaton has read the part up to here
    cdef int32_t node                   # where it is
    cdef int64_t done                   # what is before has been handed on
    cdef int64_t seen                   # up to here characters were looked at, if some pattern has lstrip
    cdef int64_t dark                   # where the last character before `seen` that is no white space ends
    cdef bint taking                    # the white space from `done` on belongs to the token before it
    cdef bint begun                     # some of the text since the last token was handed on
    cdef bint ended                     # the part ends where it has come to
    cdef list found                     # (begin, end, pattern) of candidates that nothing overlaps, but may be replaced
    cdef tuple waiting                  # a candidate at the end, for the character behind it; else None

    cdef int64_t end_of_text(self) noexcept
    cdef int read(self) except -1
    cdef bint enter(self, int64_t begin, int64_t end, int32_t pattern) except -1
    cdef int decide(self) except -1
    cdef int accept(self, int64_t begin, int64_t end, int32_t pattern) except -1
    cdef bint word_beside(self, int64_t begin, int64_t end) except -1
    cdef int64_t space_end(self, int64_t begin, int64_t limit) except -1
    cdef int64_t space_begin(self, int64_t end) except -1
    cdef int clear(self) except -1
    cdef int take_space(self, int64_t limit) except -1
    cdef int hand_on(self, int64_t limit) except -1
    cdef int hand_on_certain(self) except -1


# The patterns that count of those of a matcher, in which special tokens count if they are among `chosen`.
cdef AddedPatterns added_patterns(Matcher matcher, object chosen)
cdef Stage adding(AddedPatterns patterns, Stage last)
