"""The Arrow C interfaces, and token ids as Arrow arrays; knows nothing of who owns the memory."""
from libc.stdint cimport int64_t, uint8_t, uint32_t


cdef extern from "subwordio/arrow.h" nogil:
    # A struct whose `release` is NULL was released, or moved away: nothing of it may be used.
    struct ArrowSchema:
        const char *format          # the type: "u", "+s", …; of a dictionary's indices where there is a `dictionary`
        const char *name
        int64_t flags
        int64_t n_children
        ArrowSchema **children
        ArrowSchema *dictionary     # the type of its values, or NULL
        void (*release)(ArrowSchema *) noexcept nogil
        void *private_data
    struct ArrowArray:
        int64_t length
        int64_t null_count          # -1: not counted
        int64_t offset              # item i stands at offset + i of each buffer
        int64_t n_buffers
        int64_t n_children
        const void **buffers        # the first is the validity bitmap, or NULL: none is null
        ArrowArray **children
        ArrowArray *dictionary
        void (*release)(ArrowArray *) noexcept nogil
        void *private_data
    struct ArrowArrayStream:
        int (*get_schema)(ArrowArrayStream *, ArrowSchema *) noexcept nogil
        int (*get_next)(ArrowArrayStream *, ArrowArray *) noexcept nogil     # a released array at the end
        const char *(*get_last_error)(ArrowArrayStream *) noexcept nogil
        void (*release)(ArrowArrayStream *) noexcept nogil
    # Integer i of a buffer; `code` is one of c C s S i I l L (arrow.h).
    int64_t read_integer "subwordio_read"(const void *buffer, char code, int64_t i) noexcept


# PyCapsules named "arrow_schema": uint32; large_list<uint32> or list<uint32>.
cdef object ids_schema()
cdef object lists_schema(bint large)
# PyCapsules named "arrow_array" over the given memory, with a reference to `source` for as long as they are used.
cdef object ids_array(object source, const uint32_t *data, Py_ssize_t length)
# Lists first … first + length - 1 of the given arrays; `validity` may be NULL. Unless `large`, offsets are copied as
# int32, and the caller knows that they fit: offsets[first + length] - offsets[first // 8 * 8] <= 2^31 - 1.
cdef object lists_array(object source, const uint32_t *data, const int64_t *offsets, const uint8_t *validity,
                        Py_ssize_t first, Py_ssize_t length, bint large)
# Whether a requested schema (a PyCapsule or None) asks for list<uint32>.
cdef bint wants_small_lists(object requested_schema) except -1
