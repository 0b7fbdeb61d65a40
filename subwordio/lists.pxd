"""Token ids of many texts in one piece of memory."""
from libc.stdint cimport int64_t, uint8_t, uint32_t

from subwordio.ids cimport IdBuffer, TokenIds
from subwordio.ints cimport ReadyInts


cdef class TokenLists:
    cdef const uint32_t *data       # all ids, lists one after the other; never NULL
    cdef const int64_t *bounds      # list i is data[bounds[first + i]:bounds[first + i + 1]]; never NULL
    cdef const uint8_t *validity    # bit first + i is 0 where list i is null; NULL: no list is null
    cdef Py_ssize_t first           # where this view begins in `bounds` and `validity`
    cdef Py_ssize_t length          # number of lists
    cdef object owner               # the TokenLists whose memory this is; None: our own three mallocs
    cdef ReadyInts ints             # what `tolist` takes ints from, or None
    cdef bint is_null(self, Py_ssize_t i) noexcept          # 0 <= i < length
    cdef TokenIds item(self, Py_ssize_t i)                  # list i, or None; 0 <= i < length


# Take the memory over: afterwards it is the result's, also on an error. n lists; `bounds` is a malloc of n + 1 entries
# that begin with 0 and do not decrease; `validity` is a malloc of a bitmap, or NULL.
cdef TokenLists token_lists_take(IdBuffer *buffer, int64_t *bounds, Py_ssize_t n, uint8_t *validity)
