"""The trie as the modules above it see it from C. Every array is indexed by node and trimmed to the number of nodes."""
cimport cython
from libc.stdint cimport int32_t, uint32_t

from linmaxmatch.vocabulary cimport Vocabulary

ctypedef int32_t node_t                     # a node: 0 … n - 1

cdef enum:
    NONE = -1                               # ∅: no node, no token
    SPACE = 0x110000                        # ␣: a symbol beyond every character, so it is in no token

cdef extern from *:
    """
    /* A text as numbered symbols: code points of a str, or bytes (then kind is 1). Borrowed. */
    typedef struct { int kind; const void *data; Py_ssize_t n; } lmm_symbols;
    static inline int32_t lmm_symbol_at(lmm_symbols s, Py_ssize_t i) {
        return (int32_t)PyUnicode_READ(s.kind, s.data, i);
    }
    static inline int lmm_continues_with(lmm_symbols s, Py_ssize_t i, lmm_symbols word) {
        if (s.n - i < word.n) return 0;
        for (Py_ssize_t k = 0; k < word.n; k++)
            if (lmm_symbol_at(s, i + k) != lmm_symbol_at(word, k)) return 0;
        return 1;
    }
    """
    ctypedef struct Symbols "lmm_symbols":
        int kind                            # bytes a symbol: 1, 2 or 4
        const void *data                    # the first symbol; lives as long as the object it was taken from
        Py_ssize_t n                        # how many
    int32_t symbol_at "lmm_symbol_at"(Symbols s, Py_ssize_t i) noexcept nogil
    bint continues_with "lmm_continues_with"(Symbols s, Py_ssize_t i, Symbols word) noexcept nogil


cdef int32_t[::1] ints(Py_ssize_t n)        # n zeros


@cython.final
cdef class Trie:
    cdef readonly Vocabulary vocabulary     # V
    cdef readonly int roots                 # 1: the paper's trie of V ∪ {♯}; 2: r♯ stands apart from r
    cdef readonly str symbols               # "characters" or "bytes": what an edge reads
    cdef bint bytewise                      # symbols == "bytes"
    cdef object held_indicator              # ♯, held for its symbols
    cdef Symbols indicator                  # the symbols of ♯
    cdef readonly node_t root               # r; always 0
    cdef readonly node_t suffix_root        # r♯; r itself where ♯ is empty
    cdef node_t n                           # number of nodes
    cdef int32_t[::1] parent                # the node above; NONE at a root. Smaller than the node itself
    cdef int32_t[::1] symbol                # the symbol that leads here; NONE at a root; ~c where the edge c was cut
    cdef int32_t[::1] token_id              # id of the token that χ_v is (under r♯: ♯ + body), or NONE; NONE at r, r♯
    cdef int32_t[::1] slots                 # edges, hashed by (parent, symbol): the child, or 0 for a free slot
    cdef uint32_t mask                      # len(slots) - 1, a power of two less one; at most half the slots are taken

    cdef int put_all(self, keep, bint literal_suffixes) except -1   # on building: every token where it stands
    cdef node_t put(self, node_t u, Symbols s, Py_ssize_t i, int32_t token) except -1       # from u by s[i:]
    cdef int take_slot(self, node_t v) except -1                    # enters the edge to v
    cdef int rehash(self, Py_ssize_t size) except -1                # enters every edge anew
    cdef node_t child(self, node_t u, int32_t c) noexcept nogil     # δ(u, c), or NONE
    cdef node_t add_child(self, node_t u, int32_t c) except -1      # δ(u, c), made where there is none
    cdef node_t add_dead(self) except -1                            # a new node with no edge to it
    cdef int cut(self, node_t v) except -1                          # no edge leads to v any more; χ_v still spells
    cdef int trim(self) except -1                                   # arrays to n entries
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
