"""The suffix-successor tree of a token as the modules above see it from C."""
cimport cython
from libc.stdint cimport int32_t

from incbpe.automaton cimport SuffixAutomaton
from incbpe.successor cimport SuccessorForest


# chain(k), shortest first, into `nodes`, with the place of suc there into `parent`, NONE for the atom, which is first.
# `suc` and `shorter` as normalize and automaton have them; `place` is room by token, of any contents. How many there are is what chain_length says.
cdef int take_chain(const int32_t[::1] suc, const int32_t[::1] shorter, int32_t k, int32_t[::1] nodes, int32_t[::1] parent,
                    int32_t[::1] place) except -1
cdef int32_t chain_length(const int32_t[::1] shorter, int32_t k) noexcept nogil


@cython.final
cdef class SuffixSuccessorTree:
    cdef readonly SuccessorForest forest
    cdef readonly SuffixAutomaton automaton
    cdef readonly object k                  # the token
    cdef readonly int32_t n                 # nodes: |chain(k)|
    cdef int32_t[::1] nodes                 # by node: its token; shortest first, so that node 0 is the atom
    cdef int32_t[::1] parent                # by node: the node of suc, which is smaller; NONE for the atom

    cdef int32_t node_of(self, object z) except -1          # the node of a token, or DictionaryError
