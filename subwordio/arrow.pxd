"""Token ids as Arrow arrays, through the public C data interface; knows nothing of who owns the memory."""
from libc.stdint cimport int64_t, uint8_t, uint32_t


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
