"""MatchLoop as Algorithms 3 and 4 see it from C."""
cimport cython
from libc.stdint cimport int64_t

from linmaxmatch.failure cimport Tables
from linmaxmatch.trie cimport Symbols, node_t


@cython.final
cdef class Steps:
    cdef readonly int64_t edges             # characters read, so δ(u, s[i]) was taken
    cdef readonly int64_t moves             # failure links followed, those at ␣ included


cdef node_t run(Tables tables, Symbols s, Py_ssize_t *i, node_t u, list tokens, Steps steps) except -1
# ... MatchLoop over s[i:]␣ from node u: appends to `tokens`, moves i, returns the last node; `steps` may be None

cdef node_t first_piece(Tables tables, Symbols s, Py_ssize_t *i, list tokens) except -2
# ... repair: appends the longest literal token that s[i:] starts with, moves i behind it, returns r♯; NONE if there is
# no such token

cdef bint needs_repair(Tables tables, Symbols s, Py_ssize_t i) noexcept
# ... whether s[i:] starts with a non-empty ♯ that lies on the way from r
