"""C memory, in and out of Python: allocation, the buffer protocol, little-endian bytes, NumPy."""
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_ND, PyBUF_STRIDES, PyBUF_WRITABLE
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdlib cimport calloc, malloc
from libc.string cimport memcpy

import sys
from array import array
from importlib import import_module


cdef void *zeroed(size_t size) except NULL:
    cdef void *memory = calloc(size, 1)
    if memory == NULL:
        raise MemoryError()
    return memory


cdef void *copied(bytes raw) except NULL:
    cdef void *memory = malloc(PyBytes_GET_SIZE(raw) + 1)
    if memory == NULL:
        raise MemoryError()
    return memcpy(memory, PyBytes_AS_STRING(raw), PyBytes_GET_SIZE(raw))


cdef int export(object source, Py_buffer *buffer, int flags, void *data, const char *code, Py_ssize_t *length,
                Py_ssize_t *stride) except -1:
    """Fill a read-only one-dimensional buffer."""
    if flags & PyBUF_WRITABLE:
        raise BufferError("token ids are read-only")
    buffer.buf = data
    buffer.obj = source
    buffer.len = length[0] * stride[0]
    buffer.itemsize = stride[0]
    buffer.readonly = True
    buffer.ndim = 1
    buffer.format = <char *> code if flags & PyBUF_FORMAT else NULL
    buffer.shape = length if flags & PyBUF_ND else NULL
    buffer.strides = stride if (flags & PyBUF_STRIDES) == PyBUF_STRIDES else NULL
    buffer.suboffsets = NULL
    buffer.internal = NULL
    return 0


cdef object numpy_array(object source, object dtype, bint writable):
    try:
        numpy = import_module("numpy")
    except ImportError:
        raise ImportError("to_numpy needs NumPy: pip install 'linmaxmatch-incbpe[numpy]'") from None
    result = numpy.array(source, dtype=dtype) if writable else numpy.asarray(source, dtype=dtype)
    if not writable:
        result.flags.writeable = False
    return result


cdef bytes little_endian(const void *data, Py_ssize_t size, str code):
    cdef bytes raw = PyBytes_FromStringAndSize(<const char *> data, size)
    if sys.byteorder == "little":
        return raw
    swapped = array(code, raw)
    swapped.byteswap()
    return swapped.tobytes()


cdef bytes native(bytes raw, str code):
    return little_endian(PyBytes_AS_STRING(raw), PyBytes_GET_SIZE(raw), code)   # the swap is its own inverse
