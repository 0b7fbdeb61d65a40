"""`Matrix`: padded ids and masks as a rectangle of int64 or int32, without NumPy.

Item (i, j) stands at data[i * columns + j]. The memory is zeroed at first, writable, and open to everything that reads
the buffer protocol: `memoryview`, `numpy.asarray`, `torch.frombuffer` share it.

Cost  construction, rows and single items: O(1) after one clearing. `tolist`, equality, `to_numpy`: one pass.
"""
cimport cython
from cpython.buffer cimport PyBUF_F_CONTIGUOUS, PyBUF_FORMAT, PyBUF_ND, PyBUF_STRIDES, PyBuffer_FillInfo
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.number cimport PyNumber_AsSsize_t, PyNumber_Index
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from subwordio.memory cimport little_endian, native, numpy_array, zeroed

cdef extern from "Python.h":
    const size_t PY_SSIZE_T_MAX

cdef Py_ssize_t SHOWN = 8   # rows that a repr shows, and its square of items
# The struct code of int64: the one that NumPy itself uses on this machine.
cdef const char *INT64 = b"l" if sizeof(long) == 8 else b"q"
cdef const char *INT32 = b"i"


@cython.final
cdef class Matrix:
    """Matrix(rows, columns, dtype="int64"): rows × columns zeros, to be filled; dtype is "int64" or "int32".

    m[i, j] is an item, m[i] a row as a new list, len(m) the number of rows; equal to any list of equal rows.

    >>> m = Matrix(2, 3)
    >>> m[0, 1] = 7
    >>> memoryview(m)[1, 2] = 8
    >>> m, m[1], m.shape, m == [[0, 7, 0], [0, 0, 8]]
    (<Matrix of 2 × 3 int64: [[0, 7, 0], [0, 0, 8]]>, [0, 0, 8], (2, 3), True)
    """

    def __cinit__(self, Py_ssize_t rows, Py_ssize_t columns, str dtype not None="int64"):
        if dtype not in ("int64", "int32"):
            raise ValueError(f"dtype: expected 'int64' or 'int32', got {dtype!r}")
        if rows < 0 or columns < 0:
            raise ValueError(f"expected a number of rows and columns, got {rows} and {columns}")
        self.itemsize = 8 if dtype == "int64" else 4
        if columns and rows > <Py_ssize_t> (PY_SSIZE_T_MAX // self.itemsize) // columns:
            raise MemoryError(f"{rows} × {columns} items")
        self.extent = [rows, columns]
        self.strides = [columns * self.itemsize, self.itemsize]
        self.data = zeroed(max(rows * columns * self.itemsize, 1))

    def __dealloc__(self):
        free(self.data)

    @property
    def shape(self):
        """(rows, columns)"""
        return self.extent[0], self.extent[1]

    @property
    def dtype(self):
        """"int64" or "int32"."""
        return "int64" if self.itemsize == 8 else "int32"

    def __len__(self):
        return self.extent[0]

    def __iter__(self):
        return iter(self.tolist())

    def __getitem__(self, key):
        if isinstance(key, tuple):
            return item(self, place(self, key))
        return row(self, bounded(key, self.extent[0], "row"))

    def __setitem__(self, tuple key not None, value):
        cdef Py_ssize_t at = place(self, key)
        cdef int64_t number = PyNumber_Index(value)
        if self.itemsize == 8:
            (<int64_t *> self.data)[at] = number
        elif number == <int32_t> number:
            (<int32_t *> self.data)[at] = <int32_t> number
        else:
            raise OverflowError(f"{number} does not fit int32")

    def tolist(self):
        """The rows as lists of ints."""
        cdef Py_ssize_t i
        return [row(self, i) for i in range(self.extent[0])]

    def to_numpy(self, dtype=None):
        """A NumPy array with a copy of the items; `numpy.asarray` gives one that shares them."""
        return numpy_array(self, dtype, True)

    def __eq__(self, other):
        if isinstance(other, Matrix):
            return self.shape == other.shape and self.tolist() == other.tolist()
        if isinstance(other, (list, tuple)):
            return self.tolist() == [list(row) if isinstance(row, tuple) else row for row in other]
        return NotImplemented

    __hash__ = None     # it can change

    def __repr__(self):
        cdef Py_ssize_t rows = self.extent[0], columns = self.extent[1]
        items = f": {self.tolist()}" if rows <= SHOWN and rows * columns <= SHOWN * SHOWN else ""
        return f"<Matrix of {rows} × {columns} {self.dtype}{items}>"

    def __reduce__(self):
        return _matrix, (self.extent[0], self.extent[1], self.dtype,
                         little_endian(self.data, self.extent[0] * self.strides[0], "q" if self.itemsize == 8 else "i"))

    def __getbuffer__(self, Py_buffer *buffer, int flags):
        if (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS and self.extent[0] > 1 and self.extent[1] > 1:
            raise BufferError("a Matrix stands row after row")
        PyBuffer_FillInfo(buffer, self, self.data, self.extent[0] * self.strides[0], False, flags)
        buffer.itemsize = self.itemsize
        if flags & PyBUF_FORMAT:
            buffer.format = <char *> (INT64 if self.itemsize == 8 else INT32)
        if flags & PyBUF_ND:
            buffer.ndim = 2
            buffer.shape = self.extent
        if (flags & PyBUF_STRIDES) == PyBUF_STRIDES:
            buffer.strides = self.strides


cdef Py_ssize_t bounded(object key, Py_ssize_t n, str what) except -1:
    cdef Py_ssize_t i = PyNumber_AsSsize_t(key, IndexError)
    if i < 0:
        i += n
    if not 0 <= i < n:
        raise IndexError(f"{what} {key} is out of range for {n}")
    return i


cdef Py_ssize_t place(Matrix m, tuple key) except -1:
    """Where in `data` item (i, j) stands."""
    if len(key) != 2:
        raise IndexError(f"expected a row and a column, got {len(key)} indices")
    return bounded(key[0], m.extent[0], "row") * m.extent[1] + bounded(key[1], m.extent[1], "column")


cdef int64_t item(Matrix m, Py_ssize_t at) noexcept:
    return (<int64_t *> m.data)[at] if m.itemsize == 8 else (<int32_t *> m.data)[at]


cdef list row(Matrix m, Py_ssize_t i):
    cdef Py_ssize_t j
    return [item(m, i * m.extent[1] + j) for j in range(m.extent[1])]


def _matrix(rows, columns, dtype, bytes data not None):
    """`Matrix` from its pickled form: little-endian items, row after row."""
    cdef Matrix m = Matrix(rows, columns, dtype)
    if len(data) != m.extent[0] * m.strides[0]:
        raise ValueError(f"{len(data)} bytes for {rows} × {columns} items of {dtype}")
    data = native(data, "q" if m.itemsize == 8 else "i")
    memcpy(m.data, PyBytes_AS_STRING(data), len(data))
    return m
