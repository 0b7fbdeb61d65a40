"""What a saved `BPE` is made of, as `bytepair` sees it from C."""
cimport cython
from libc.stdint cimport int32_t

from incbpe.layout cimport Layout
from incbpe.pairtable cimport PairTable
from incbpe.piece cimport Pieces
from incbpe.tokens cimport TokenTable
from incbpe.trim cimport Trimmer

# left, right: the rules' parts, or None for a rank table
cdef int write_saved(object path, object config, dict facts, Pieces pieces, int32_t[::1] left, int32_t[::1] right,
                     Trimmer trimmer) except -1


@cython.final
cdef class Saved:
    cdef readonly object config             # the Config, without the model's tokens and merges
    cdef readonly dict facts                # of `BPE`
    cdef TokenTable tokens
    cdef Layout layout
    cdef PairTable pairs                    # None: the layout has ranges
    cdef int32_t[::1] left                  # with merges, by rule the ids of its parts; else None
    cdef int32_t[::1] right
    cdef Trimmer trimmer                    # None: there is none
