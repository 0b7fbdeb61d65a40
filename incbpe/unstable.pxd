"""What may follow an unstable end, as the modules above see it from C."""
cimport cython
from libc.stdint cimport int32_t, int64_t, uint64_t

from incbpe.dictionary cimport Dictionary
from incbpe.normalize cimport Normalized
from incbpe.pairs cimport Pairs
from incbpe.theta cimport Machine


@cython.final
cdef class Unstable:
    cdef readonly Machine machine
    cdef Normalized N
    cdef Dictionary dictionary
    cdef Pairs pairs                        # in the form "pairs", else None
    cdef bint paired                        # pairs is not None
    cdef int32_t[::1] order                 # the canonical tokens, sorted by their bytes
    cdef int32_t[::1] begin, end            # by state v of the automaton: order[begin[v] : end[v]] properly extend v
    cdef readonly int32_t longest           # symbols of the longest canonical token; 1 where there is none

    cdef int fill(self) except -1           # begin and end, on building
    cdef bint stands(self, int32_t w, int32_t z) except -1 nogil        # T(w z) = [w, z]; w may be NONE
    cdef int32_t witness(self, int32_t w, int32_t v) except -2 nogil
    # ... a place in `order` whose token properly extends v and stands behind w, the first one; or NONE


cdef Unstable unstable(Normalized N)        # that of N, built where it is not at hand


@cython.final
cdef class Answers:
    cdef Unstable source
    cdef uint64_t *question                 # by slot: w and v, or 0
    cdef int32_t *answer                    # by slot: what `witness` said
    cdef readonly int64_t asked             # questions that no slot had the answer to

    cdef int32_t witness(self, int32_t w, int32_t v) except -2 nogil    # the same, remembered; v is not the root
