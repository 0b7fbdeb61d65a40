"""The strings of a trie while it is built: their symbols, their order, and what each has in common with the one before."""
cimport cython
from libc.stdint cimport int32_t

from subwordio.strings cimport Strings

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
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
    /* How many symbols a and b have in common at their beginning, `from` or more; both are parts of `all`. */
    static inline Py_ssize_t lmm_common(lmm_symbols a, lmm_symbols b, Py_ssize_t from, lmm_symbols all) {
        const Py_ssize_t n = a.n < b.n ? a.n : b.n;
        Py_ssize_t k = from;
    #if defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        if (a.kind == 1) {                          /* eight bytes at a time, as long as there are so many in `all` */
            const char *const s = a.data, *const t = b.data, *const end = (const char *)all.data + all.n;
            for (; k < n && end - s - k >= 8 && end - t - k >= 8; k += 8) {
                uint64_t x, y;
                memcpy(&x, s + k, 8);
                memcpy(&y, t + k, 8);
                if (x == y) continue;
                k += __builtin_ctzll(x ^ y) >> 3;
                return k < n ? k : n;
            }
            if (k > n) k = n;
        }
    #endif
        while (k < n && lmm_symbol_at(a, k) == lmm_symbol_at(b, k)) k++;
        return k;
    }
    """
    ctypedef struct Symbols "lmm_symbols":
        int kind                            # bytes a symbol: 1, 2 or 4
        const void *data                    # the first symbol; lives as long as the object it was taken from
        Py_ssize_t n                        # how many
    int32_t symbol_at "lmm_symbol_at"(Symbols s, Py_ssize_t i) noexcept nogil
    Py_ssize_t common "lmm_common"(Symbols a, Symbols b, Py_ssize_t begin, Symbols all) noexcept nogil
    bint continues_with "lmm_continues_with"(Symbols s, Py_ssize_t i, Symbols word) noexcept nogil


@cython.final
cdef class Spellings:
    cdef Strings strings                    # V's tokens
    cdef Py_ssize_t n                       # these, and further strings behind them
    cdef object held                        # what `all` is taken from
    cdef Symbols all                        # the symbols of all, end to end
    cdef int32_t[::1] begin                 # string i is all[begin[i] : begin[i + 1]]
    cdef int32_t[::1] order                 # every i, by string and then by i, but further strings before equal ones
    cdef Py_ssize_t indicator_length        # characters of ♯
    cdef Py_ssize_t longest                 # no string has more symbols

    cdef int add_further(self, list further) except -1              # on building
    cdef int count_characters(self) except -1                       # on building: places in characters for those in bytes
    cdef Symbols of(self, int32_t i) noexcept nogil                 # the symbols of string i
    cdef int share_out(self, Symbols indicator, object keep, Branch literals, Branch bodies, bint twice) except -1


@cython.final
cdef class Branch:
    cdef Spellings S
    cdef Py_ssize_t skip                    # what hangs here of each string is all but its first `skip` symbols
    cdef Py_ssize_t n                       # how many strings hang here
    cdef int32_t[::1] strings               # which
    cdef Symbols last                       # the symbols of the last
    cdef int32_t[::1] shared                # how many symbols of it are on the path of the one before
    cdef int32_t[::1] change                # by depth below the root: how many nodes more than one higher

    cdef int add(self, int32_t i, Symbols s) except -1
