"""What may follow an unstable end, as the modules above see it from C."""
cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

from incbpe.dictionary cimport Dictionary
from incbpe.normalize cimport Normalized
from incbpe.pairs cimport Pairs
from incbpe.theta cimport Machine

cdef enum:
    FALLS = 0                               # z does not stand behind w
    STANDS = 1
    ALL_FALL = 2                            # z does not, nor does any token below it


cdef class Follow:                          # what may follow a text, where something says so, as a pattern does
    # Whether the text may go on with rest[0:n], for a text of a kind that whoever asks has a number for. If it may not,
    # it may not go on with anything that begins so either.
    cdef bint may_follow(self, uint8_t kind, const uint8_t *rest, Py_ssize_t n) noexcept nogil


@cython.final
cdef class Unstable:                        # immutable, shared by threads freely
    cdef readonly Machine machine
    cdef Normalized N
    cdef Dictionary dictionary
    cdef Pairs pairs                        # in the form "pairs", else None
    cdef bint paired                        # pairs is not None
    cdef readonly int32_t longest           # symbols of the longest canonical token; 1 where there is none
    cdef int32_t[::1] order                 # the canonical tokens, preorder of the forest where pre(z) is above z
    cdef int32_t[::1] below                 # by place in `order`: the place behind the last token below
    cdef int32_t[::1] begin                 # by state v of the automaton, and one more: where its `heads` begin
    cdef int32_t[::1] heads                 # places of the z that properly extend v and whose pre(z) does not

    cdef int set_order(self) except -1      # on building: order, below, longest
    cdef int set_heads(self) except -1      # on building: begin, heads
    cdef int stands(self, int32_t w, int32_t z) except -1 nogil         # whether T(w z) = [w, z]; w may be NONE
    cdef int32_t next_standing(self, int32_t w, int32_t i, int32_t end) except -2 nogil
    # ... the first place from i on, before `end`, whose token stands behind w; or NONE
    # Some token that properly extends v does, with which a text of this kind may go on; follow None: with any.
    cdef bint any_stands(self, int32_t w, int32_t v, Follow follow, uint8_t kind) except -1 nogil
    cdef list all_standing(self, int32_t w, int32_t v)                  # all of them, sorted


cdef Unstable unstable(Normalized N)        # that of N, built where it is not at hand


@cython.final
cdef class Answers:                         # to one Follow, or to None
    cdef Unstable source
    cdef Follow follow
    cdef uint64_t *question                 # by slot: w and v, or 0
    cdef uint16_t *answer                   # by slot: the kind, and in the lowest bit what `any_stands` said
    cdef readonly int64_t asked             # questions that no slot had the answer to

    cdef bint any_stands(self, int32_t w, int32_t v, uint8_t kind) except -1 nogil  # the same, remembered; v no root
