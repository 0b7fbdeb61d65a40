"""The vocabulary as the modules above it see it from C."""
cimport cython
from libc.stdint cimport int32_t


@cython.final
cdef class Vocabulary:
    cdef readonly tuple tokens              # id -> token; an empty string keeps its id and matches nothing
    cdef readonly str suffix_indicator      # ♯, of any length, also empty
    cdef readonly str unk_token             # <unk>, one of `tokens`
    cdef readonly int32_t unk_id            # its id
    cdef readonly Py_ssize_t longest        # m: characters of the longest token; 0 when all are empty
    cdef dict ids                           # token -> id, the last one where tokens repeat

    cdef int take_tokens(self) except -1    # on building: checks each entry, finds m
    cdef int refuse_duplicates(self) except -1
    cdef bint matches(self, str w)          # w ∈ V, the empty string aside
    cdef bint is_suffix(self, str w)        # whether w starts with a non-empty ♯
    cdef str text_of(self, object w)        # w, or a TypeError that names its type


cdef int holds(str invariant, bint condition, object witness) except -1     # check()'s assert, in every build profile
