"""The normalized dictionary as the modules above it see it from C. Arrays are indexed by token."""
cimport cython
from libc.stdint cimport int32_t, uint8_t

from incbpe.dictionary cimport Dictionary
from incbpe.pairs cimport Pairs


@cython.final
cdef class Normalized:
    cdef readonly Dictionary dictionary     # as it was given
    cdef readonly str semantics             # "equation" or "rank"
    cdef readonly str form                  # "rules", "reordered" or "pairs"
    cdef readonly str reason                # which form serves, and why: a sentence
    cdef readonly object proper             # bool: whether PQ = T_D, on every string
    cdef readonly int32_t n                 # canonical tokens, atoms included
    cdef readonly Pairs pairs               # the pair test where form is "pairs", else None
    cdef uint8_t[::1] canonical             # 1: T(z) = [z] under the semantics
    cdef int32_t[::1] pre_token             # pre(z), the left part by the canonical rule; NONE: an atom, or not canonical
    cdef int32_t[::1] suc_token             # suc(z), the right part; NONE likewise
    cdef int32_t[::1] prio_rule             # prio(z): place of the canonical rule in D ("rules", "pairs") or in D′
    #                                         ("reordered"); NONE: an atom, or not canonical

    cdef int take(self, Dictionary D, int32_t[::1] last) except -1     # on building: the canonical rules, places in D
    cdef object named(self, int32_t i)                                  # token i, or None for NONE
