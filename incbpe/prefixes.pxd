"""The tokenizations of all prefixes of a text, as the modules above see them from C."""
cimport cython
from libc.stdint cimport int32_t, uint8_t

from incbpe.automaton cimport SuffixAutomaton
from incbpe.normalize cimport Normalized
from incbpe.theta cimport Machine


@cython.final
cdef class Prefixes:
    cdef readonly Normalized N
    cdef readonly object text               # s: str or bytes
    cdef Machine machine
    cdef SuffixAutomaton automaton
    cdef const uint8_t[::1] spelt           # s in UTF-8 (surrogates as three bytes), or s itself where it is bytes
    cdef Py_ssize_t n                       # symbols of s
    cdef int32_t[::1] history               # by position 0 … n: the token θ(i); NONE: i = 0, or an unknown symbol
    cdef int32_t[::1] counts                # by position: how many tokens T of the first i symbols has
    cdef int32_t[::1] longest               # by number of tokens: the last position with at most so many

    # θ and counts of the prefixes of spelt[at:], into arrays of one entry more than it has symbols. Stops as soon as no
    # longer prefix has `most` tokens or fewer. How many prefixes; `last` is the longest of them with at most so many.
    cdef Py_ssize_t fill(self, Py_ssize_t at, int32_t *history, int32_t *counts, int32_t most,
                         Py_ssize_t *last) except -1 nogil
    cdef int set_longest(self) except -1    # from counts
    cdef bint ends_symbol(self, Py_ssize_t i) noexcept nogil    # whether byte i is the last of a symbol
    cdef Py_ssize_t parent(self, Py_ssize_t i) noexcept nogil   # i - |θ(i)|, for 0 < i <= n
    cdef Py_ssize_t place(self, object i) except -1             # a Python position, range-checked; None is n
    cdef int32_t state(self, Py_ssize_t i) except -1            # of the automaton, after the first i symbols
    cdef object named(self, Py_ssize_t i)                       # θ(i) as a token, for i > 0
    cdef list path(self, Py_ssize_t i)                          # the positions after 0 where tokens of T(i) end
