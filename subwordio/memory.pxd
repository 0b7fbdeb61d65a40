"""C memory, in and out of Python."""


cdef void *zeroed(size_t size) except NULL              # calloc, or MemoryError
cdef void *copied(bytes raw) except NULL                # a malloc with the same contents, or MemoryError
# Fill a read-only one-dimensional buffer over data[0:length]; items have `stride` bytes and the struct code `code`.
cdef int export(object source, Py_buffer *buffer, int flags, void *data, const char *code, Py_ssize_t *length,
                Py_ssize_t *stride) except -1
# The bytes of an array of items with the array code `code`, in little-endian order whatever the machine; and back.
cdef bytes little_endian(const void *data, Py_ssize_t size, str code)
cdef bytes native(bytes raw, str code)
cdef object numpy_array(object source, object dtype, bint writable)     # a copy, or where it can be a read-only view
