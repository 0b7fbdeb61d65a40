"""The failure tables as the modules above see them from C. Every array but `pool` and `order` is indexed by node."""
cimport cython
from libc.stdint cimport int32_t

from linmaxmatch.trie cimport Trie, node_t


@cython.final
cdef class Tables:
    cdef readonly Trie trie                 # T
    cdef int32_t[::1] f_node                # f(v), or NONE for ∅
    cdef int32_t[::1] F_begin               # F(v) is pool[F_begin[v] : F_begin[v] + F_length[v]]
    cdef int32_t[::1] F_length              # 0 where F(v) = []
    cdef int32_t[::1] pool                  # vocabulary ids, all F one after the other
    cdef int32_t[::1] order                 # the nodes that r and r♯ reach, breadth first, both roots first; trimmed
    cdef int32_t used                       # entries of `pool` in use

    cdef int set_order(self) except -1      # fills `order`
    cdef int fill(self) except -1           # Algorithm 2
    cdef int reserve(self, int32_t extra) except -1     # room in `pool` for so many more
    cdef int grow(self, int32_t extra) except -1        # ... where there is none
    cdef int append(self, node_t v) except -1           # F(v) once more at the end of `pool`
