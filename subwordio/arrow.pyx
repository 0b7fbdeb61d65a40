"""Token ids as Arrow arrays, through the public Arrow C data interface and its PyCapsule protocol.

Each exported array owns a reference to the Python object whose memory it shows, and so does its child, which a
consumer may move out and keep. `release` takes the GIL itself, since consumers call it from any thread; a capsule that
nobody consumed releases when it is destroyed.

Cost  O(1), but a copy of the offsets for list<uint32>.
"""
from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from cpython.ref cimport Py_DECREF, Py_INCREF, PyObject
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport strcmp

cdef extern from "Python.h":
    int Py_IsInitialized() nogil

cdef int64_t NULLABLE = 2
cdef int64_t UNKNOWN = -1


cdef struct Item:           # what a list's schema keeps for its items
    ArrowSchema schema
    ArrowSchema *children[1]


cdef struct Shown:          # what an exported array keeps
    PyObject *source        # a reference to the object whose memory the buffers are
    const void *buffers[2]
    int32_t *offsets        # our own copy, or NULL
    ArrowArray item
    ArrowArray *children[1]


cdef void release_schema(ArrowSchema *schema) noexcept nogil:
    cdef Item *item = <Item *> schema.private_data
    if item != NULL and item.schema.release != NULL:
        item.schema.release(&item.schema)
    free(item)
    schema.release = NULL


cdef void forget(PyObject *source) noexcept with gil:
    Py_DECREF(<object> source)


cdef void release_array(ArrowArray *array) noexcept nogil:
    cdef Shown *shown = <Shown *> array.private_data
    if array.n_children and shown.item.release != NULL:
        shown.item.release(&shown.item)
    if Py_IsInitialized():      # a consumer may outlive the interpreter, and with it the memory
        forget(shown.source)
    free(shown.offsets)
    free(shown)
    array.release = NULL


cdef void destroy_schema(object capsule) noexcept:
    cdef ArrowSchema *schema = <ArrowSchema *> PyCapsule_GetPointer(capsule, "arrow_schema")
    if schema.release != NULL:
        schema.release(schema)
    free(schema)


cdef void destroy_array(object capsule) noexcept:
    cdef ArrowArray *array = <ArrowArray *> PyCapsule_GetPointer(capsule, "arrow_array")
    if array.release != NULL:
        array.release(array)
    free(array)


cdef void *zeroed(size_t size) except NULL:
    cdef void *memory = calloc(1, size)
    if memory == NULL:
        raise MemoryError()
    return memory


cdef object ids_schema():
    cdef ArrowSchema *schema = <ArrowSchema *> zeroed(sizeof(ArrowSchema))
    capsule = PyCapsule_New(schema, "arrow_schema", destroy_schema)
    fill_schema(schema, b"I", b"")
    return capsule


cdef void fill_schema(ArrowSchema *schema, const char *format, const char *name) noexcept:
    schema.format = format
    schema.name = name
    schema.flags = NULLABLE
    schema.release = release_schema


cdef object lists_schema(bint large):
    cdef ArrowSchema *schema = <ArrowSchema *> zeroed(sizeof(ArrowSchema))
    cdef Item *item
    capsule = PyCapsule_New(schema, "arrow_schema", destroy_schema)
    item = <Item *> zeroed(sizeof(Item))
    fill_schema(&item.schema, b"I", b"item")
    fill_schema(schema, b"+L" if large else b"+l", b"")
    item.children[0] = &item.schema
    schema.children = item.children
    schema.n_children = 1
    schema.private_data = item
    return capsule


cdef Shown *fill_array(ArrowArray *array, object source, const void *first, const void *second,
                       int64_t length) except NULL:
    """Make it an array of two buffers that owns a reference to the source."""
    cdef Shown *shown = <Shown *> zeroed(sizeof(Shown))
    Py_INCREF(source)
    shown.source = <PyObject *> source
    shown.buffers[0] = first
    shown.buffers[1] = second
    array.length = length
    array.null_count = 0 if first == NULL else UNKNOWN
    array.n_buffers = 2
    array.buffers = shown.buffers
    array.private_data = shown
    array.release = release_array
    return shown


cdef object ids_array(object source, const uint32_t *data, Py_ssize_t length):
    cdef ArrowArray *array = <ArrowArray *> zeroed(sizeof(ArrowArray))
    capsule = PyCapsule_New(array, "arrow_array", destroy_array)
    fill_array(array, source, NULL, data, length)
    return capsule


cdef object lists_array(object source, const uint32_t *data, const int64_t *offsets, const uint8_t *validity,
                        Py_ssize_t first, Py_ssize_t length, bint large):
    cdef ArrowArray *array = <ArrowArray *> zeroed(sizeof(ArrowArray))
    cdef Shown *shown
    cdef Py_ssize_t i, start = first & ~7       # a bitmap can only be cut at a byte
    capsule = PyCapsule_New(array, "arrow_array", destroy_array)
    shown = fill_array(array, source, validity + (start >> 3) if validity != NULL else NULL, offsets + start, length)
    array.offset = first - start
    if large:
        fill_array(&shown.item, source, NULL, data, offsets[first + length])
    else:
        shown.offsets = <int32_t *> malloc((first - start + length + 1) * sizeof(int32_t))
        if shown.offsets == NULL:
            raise MemoryError()
        for i in range(start, first + length + 1):
            shown.offsets[i - start] = <int32_t> (offsets[i] - offsets[start])
        shown.buffers[1] = shown.offsets
        fill_array(&shown.item, source, NULL, data + offsets[start], offsets[first + length] - offsets[start])
    shown.children[0] = &shown.item
    array.children = shown.children
    array.n_children = 1
    return capsule


cdef bint wants_small_lists(object requested_schema) except -1:
    cdef ArrowSchema *schema
    if requested_schema is None:
        return False
    schema = <ArrowSchema *> PyCapsule_GetPointer(requested_schema, "arrow_schema")
    return schema.release != NULL and not strcmp(schema.format, "+l") and schema.n_children == 1 and not strcmp(
        schema.children[0].format, "I")
