"""Many texts that lie in memory of others, without a Python object each."""
from libc.stdint cimport int64_t

from subwordio.text cimport TextRef


cdef class Texts:
    cdef TextRef *refs          # refs[0:length]: where each text is, TEXT_ANY, TEXT_UTF8 or TEXT_NULL; NULL while none fits
    cdef Py_ssize_t length      # number of texts
    cdef Py_ssize_t capacity    # texts that fit into `refs` without growing
    cdef Py_ssize_t nulls       # how many are null
    cdef size_t size            # about how many bytes they have together
    cdef list held              # what keeps the memory

    # Room for so many more texts; they are to be put one by one. MemoryError.
    cdef int reserve(self, Py_ssize_t extra) except -1 nogil
    cdef void put(self, const void *data, int64_t length) noexcept
    # The same of bytes that are known to be UTF-8.
    cdef void put_utf8(self, const void *data, int64_t length) noexcept nogil
    cdef void put_null(self) noexcept
    # Make text i null.
    cdef void set_null(self, Py_ssize_t i) noexcept
    # The texts data[offsets[k]:offsets[k + 1]], k from `at` on, `count` of them; `code` is the type of the offsets (as for
    # read_integer). `nbytes` is how many bytes can be read at `data`, or -1: not known. ValueError for offsets that are
    # negative, decrease, or lead behind the end.
    cdef int put_slices(self, const void *data, int64_t nbytes, const void *offsets, char code, int64_t at,
                        Py_ssize_t count) except -1
    # The same texts with function(text) in the place of each that is not null: str, or bytes of UTF-8.
    cdef Texts mapped(self, object function)
