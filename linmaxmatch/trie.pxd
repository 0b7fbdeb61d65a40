"""The trie as the modules above it see it from C."""
cimport cython
from libc.stdint cimport int32_t

from linmaxmatch.nodes cimport NONE, Nodes, ints, node_t
from linmaxmatch.spellings cimport Branch, Spellings, Symbols, continues_with, symbol_at
from linmaxmatch.vocabulary cimport Vocabulary

cdef enum:
    SPACE = 0x110000                        # ␣: a symbol beyond every character, so it is in no token


@cython.final
cdef class Trie(Nodes):
    cdef readonly Vocabulary vocabulary     # V
    cdef readonly int roots                 # 1: the paper's trie of V ∪ {♯}; 2: r♯ stands apart from r
    cdef readonly str symbols               # "characters" or "bytes": what an edge reads
    cdef bint bytewise                      # symbols == "bytes"
    cdef object held_indicator              # ♯, held for its symbols
    cdef Symbols indicator                  # the symbols of ♯
    cdef readonly node_t root               # r; always 0
    cdef readonly node_t suffix_root        # r♯; r itself where ♯ is empty
    cdef node_t walk(self, node_t u, Symbols s, Py_ssize_t i) except -2 nogil    # from u by s[i:], or NONE
    cdef node_t longest(self, node_t u, Symbols s, Py_ssize_t i, Py_ssize_t *end) except -2 nogil
    # ... the deepest node with a token on the way from u by s[i:], and where it ends; NONE and i if there is none
    cdef node_t start(self, Symbols s, Py_ssize_t *i) except -1     # the root to read s from, and where (see .pyx)
    cdef object text_of(self, object w)                             # a str as χ spells: str, or its UTF-8 bytes
    cdef object hold(self, object w)                                # what the symbols of a str are taken from: keep it
    cdef Symbols take(self, object held) except *                   # the symbols of what `hold` gave
    cdef node_t node_of(self, object v) except -1                   # a Python node, range-checked
    cdef int32_t symbol_of(self, object c) except -1                # a Python symbol: a character, or a byte as int
    cdef tuple spelling(self, node_t v)                             # (r or r♯, the text from there to v)
