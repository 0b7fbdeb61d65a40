"""T_D's canonical rules as the modules above see them from C."""
cimport cython
from libc.stdint cimport int32_t

from incbpe.dictionary cimport Dictionary

cdef enum:
    NOT_CANONICAL = -2


@cython.final
cdef class Boundary:
    cdef readonly Dictionary dictionary
    cdef int32_t[::1] last                  # by token: the rule that fires last in T_D(z), where T_D(z) = [z]; NONE for
    #                                         atoms; NOT_CANONICAL where T_D(z) is more than z

    cdef int fill(self) except -1                               # on building: last
    cdef bint fires(self, int32_t i) noexcept nogil             # whether rule i makes its product from its symbols


cdef int32_t[::1] only_atoms(Dictionary D)                      # `last` before any rule
# A token on which only one of two arrays such as `last` has a rule, or NONE.
cdef int32_t difference(Dictionary D, int32_t[::1] one, int32_t[::1] two) except -2
