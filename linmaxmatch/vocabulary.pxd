"""The vocabulary as the modules above it see it from C."""
cimport cython
from libc.stdint cimport int32_t

from subwordio.strings cimport Strings


@cython.final
cdef class Vocabulary:
    cdef Strings strings                    # id -> token, as UTF-8; an empty string keeps its id and matches nothing
    cdef tuple held                         # the same as str; None until it is asked for
    cdef readonly str suffix_indicator      # ♯, of any length, also empty
    cdef readonly str unk_token             # <unk>, one of `tokens`
    cdef readonly int32_t unk_id            # its id
    cdef readonly Py_ssize_t longest        # m: characters of the longest token; 0 when all are empty

    cdef int take_tokens(self, tuple tokens) except -1      # on building: checks each entry
    cdef int refuse_duplicates(self) except -1
    cdef int32_t id_of(self, object w) except -2            # the last id of a token, or NONE
    cdef bint matches(self, str w)          # w ∈ V, the empty string aside
    cdef bint is_suffix(self, str w)        # whether w starts with a non-empty ♯
    cdef str text_of(self, object w)        # w, or a TypeError that names its type


cdef int holds(str invariant, bint condition, object witness) except -1     # check()'s assert, in every build profile
