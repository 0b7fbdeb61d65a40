"""θ of every prefix, as the modules above compute it from C."""
cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t

from incbpe.automaton cimport SuffixAutomaton
from incbpe.centroid cimport Counts
from incbpe.normalize cimport Normalized
from incbpe.search cimport Search
from incbpe.successor cimport SuccessorForest


@cython.final
cdef class Machine:                         # what θ needs of N, immutable, shared by threads freely
    cdef readonly Normalized N
    cdef readonly SuffixAutomaton automaton
    cdef readonly SuccessorForest forest    # None for the form "pairs"
    cdef readonly Search search             # the best there is: by centroids, or by pairs
    cdef int32_t longest                    # symbols of the longest canonical token; at least 1

    # θ of the first t >= 1 symbols as a token index: history[i] is θ of the first i, and k the automaton's token at t. NONE
    # stands for nothing (history[0]) and for an unknown symbol, in history, for k and for the result. Any form.
    cdef int32_t theta(self, const int32_t *history, Py_ssize_t t, int32_t k) except -2 nogil
    cdef Search search_by(self, object name)                # or a ValueError, or a DictionaryError


cdef Machine machine(Normalized N)          # that of N, built where it is not at hand
cdef int keep(Machine machine) except -1    # at hand


@cython.final
cdef class Incremental:
    cdef Machine machine
    cdef readonly str search                # its name: "centroid", "longest", "root" or "pairs"
    cdef Search way
    cdef Py_ssize_t t                       # symbols fed so far
    cdef int32_t[::1] history               # by prefix length: θ, or NONE for an unknown symbol; history[0] is NONE
    cdef int32_t[::1] state                 # by prefix length: the automaton's state
    cdef int64_t[::1] stamp                 # by prefix length: the number of the feed that made it; 0 for no symbols
    cdef int64_t feeds                      # symbols fed ever
    cdef dict unknown                       # prefix length -> the unknown symbol that it ends with
    cdef Counts counts

    cdef int reserve(self, Py_ssize_t n) except -1          # room for prefixes of n symbols
    cdef int read(self, const uint8_t *text, Py_ssize_t n) except -1    # feed the symbols of text[0:n]
    cdef object token_at(self, Py_ssize_t t)                # θ of the first t symbols, as it is spelt


@cython.final
cdef class Checkpoint:
    cdef Incremental source
    cdef Py_ssize_t t
    cdef int64_t stamp
