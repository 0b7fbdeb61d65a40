"""Token ids in C memory: the buffer that engines fill without the GIL, and `TokenIds`, what they hand over.

`TokenIds` is a read-only sequence over uint32 memory: data[0:length]. Ids come in without a copy (`token_ids_take`) and
leave without one, through the buffer protocol and the Arrow C interface.

I1  `owner` is None (the memory is ours), or a TokenIds or TokenLists whose own `owner` is None: no chains, no cycles

Cost  indexing, slicing with step 1, exports: O(1). All else: one pass.
"""
cimport cython
from cpython.buffer cimport PyObject_CheckBuffer
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_FromUnsignedLong
from cpython.number cimport PyNumber_AsSsize_t, PyNumber_Index
from cpython.slice cimport PySlice_AdjustIndices, PySlice_Unpack
from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcmp, memcpy

from subwordio.arrow cimport ids_array, ids_schema
from subwordio.ints cimport ReadyInts, list_of
from subwordio.largepages cimport prefer_large_pages
from subwordio.memory cimport copied, export, little_endian, native, numpy_array

import sys
from collections.abc import Sequence

cdef extern from "Python.h":
    const size_t PY_SSIZE_T_MAX

cdef int64_t MOST = 0xFFFFFFFF              # the largest id
cdef Py_ssize_t SHOWN = 8                   # ids that a long repr shows
cdef Py_ssize_t STRIDE = sizeof(uint32_t)   # for the buffer protocol, which wants an address
cdef uint32_t nothing = 0
NO_IDS = &nothing


cdef int ids_grow(IdBuffer *buffer, size_t extra) except -1 nogil:
    cdef size_t capacity, most = PY_SSIZE_T_MAX // sizeof(uint32_t)
    cdef void *grown
    if extra > most - buffer.length:
        raise MemoryError()
    capacity = max(buffer.length + extra, min(buffer.capacity + buffer.capacity // 2, most))
    grown = realloc(buffer.data, capacity * sizeof(uint32_t))
    if grown == NULL:
        raise MemoryError()
    buffer.data = <uint32_t *> grown
    buffer.capacity = capacity
    prefer_large_pages(grown, capacity * sizeof(uint32_t))
    return 0


cdef void ids_free(IdBuffer *buffer) noexcept nogil:
    free(buffer.data)
    buffer.data = NULL
    buffer.length = buffer.capacity = 0


cdef int fit(IdBuffer *buffer) except -1 nogil:
    """Give back what an over-large buffer does not use; small remainders are not worth a call. Never fails."""
    cdef void *fitted
    if buffer.length and buffer.capacity - buffer.length > 64 + buffer.length // 8:
        fitted = realloc(buffer.data, buffer.length * sizeof(uint32_t))
        if fitted != NULL:
            buffer.data = <uint32_t *> fitted
            buffer.capacity = buffer.length
    return 0


cdef TokenIds token_ids_take(IdBuffer *buffer):
    cdef TokenIds ids
    try:
        ids = TokenIds.__new__(TokenIds)
    except BaseException:
        ids_free(buffer)
        raise
    if buffer.length:
        fit(buffer)
        ids.data = buffer.data
        ids.length = buffer.length
        buffer.data = NULL
        buffer.length = buffer.capacity = 0
    else:
        ids_free(buffer)
    return ids


cdef TokenIds token_ids_copy(const IdBuffer *buffer):
    cdef TokenIds ids = TokenIds.__new__(TokenIds)
    cdef void *data
    if buffer.length:
        data = malloc(buffer.length * sizeof(uint32_t))
        if data == NULL:
            raise MemoryError()
        ids.data = <const uint32_t *> memcpy(data, buffer.data, buffer.length * sizeof(uint32_t))
        ids.length = buffer.length
    return ids


cdef TokenIds ids_view(const uint32_t *data, Py_ssize_t length, object owner, ReadyInts ints):
    cdef TokenIds ids = TokenIds.__new__(TokenIds)
    ids.data = data
    ids.length = length
    ids.owner = owner
    ids.ints = ints
    return ids


cdef bint iterable(object values):
    try:
        iter(values)
    except TypeError:
        return False
    return True


cdef int fill_buffer(IdBuffer *buffer, values) except -1:
    """Append what an iterable of ints holds; ValueError and TypeError name the index."""
    cdef Py_ssize_t i
    cdef int overflow = 0
    cdef int64_t value
    if isinstance(values, (str, bytes, bytearray)) or not iterable(values):
        raise TypeError(f"expected an iterable of ints, got {type(values).__name__}")
    if isinstance(values, TokenIds) and (<TokenIds> values).length:
        ids_reserve(buffer, (<TokenIds> values).length)
        memcpy(buffer.data + buffer.length, (<TokenIds> values).data, (<TokenIds> values).length * sizeof(uint32_t))
        buffer.length += (<TokenIds> values).length
        return 0
    for i, item in enumerate(values):
        try:
            value = PyLong_AsLongLongAndOverflow(PyNumber_Index(item), &overflow)
        except TypeError:
            raise TypeError(f"ids[{i}]: expected int, got {type(item).__name__}") from None
        if overflow or not 0 <= value <= MOST:
            raise ValueError(f"ids[{i}]: expected an id from 0 to {MOST}, got {item}")
        ids_reserve(buffer, 1)
        ids_push(buffer, <uint32_t> value)
    return 0


cdef bint equals(uint32_t id, object value) except -1:
    """Whether Python calls them equal; without an int object of our own where it is an int."""
    cdef int overflow = 0
    if isinstance(value, int):
        return PyLong_AsLongLongAndOverflow(value, &overflow) == id     # on overflow -1, which is no id
    return id == value


cdef Py_ssize_t find(TokenIds ids, object value, Py_ssize_t start, Py_ssize_t stop) except -2:
    """The first place in data[start:stop] that equals the value, or -1."""
    cdef Py_ssize_t i
    for i in range(start, stop):
        if equals(ids.data[i], value):
            return i
    return -1


@cython.final
@cython.freelist(8)
cdef class _TokenIdsIterator:
    cdef TokenIds ids
    cdef Py_ssize_t next

    def __iter__(self):
        return self

    def __next__(self):
        if self.next >= self.ids.length:
            raise StopIteration
        self.next += 1
        return PyLong_FromUnsignedLong(self.ids.data[self.next - 1])

    def __length_hint__(self):
        return self.ids.length - self.next


@cython.final
@cython.no_gc
@cython.freelist(64)
cdef class TokenIds:
    """TokenIds(ids=()): a read-only sequence of token ids, each from 0 to 2**32 - 1.

    Equal to any sequence of the same ints, and with the hash of their tuple. A slice of step 1 is a view. As a buffer
    (format "I") and as an Arrow array of uint32 it is read without a copy.

    >>> ids = TokenIds([101, 7592, 2088, 102])
    >>> ids[1:3], len(ids), ids[-1], ids == [101, 7592, 2088, 102], memoryview(ids)[1]
    (TokenIds([7592, 2088]), 4, 102, True, 7592)
    """

    def __cinit__(self, ids=None):
        cdef IdBuffer buffer
        self.data = NO_IDS
        if ids is None:
            return
        buffer = IdBuffer(NULL, 0, 0)
        try:
            fill_buffer(&buffer, ids)
            if buffer.length:
                fit(&buffer)
                self.data = buffer.data
                self.length = buffer.length
                buffer.data = NULL
        finally:
            free(buffer.data)

    def __dealloc__(self):
        if self.owner is None and self.data != NO_IDS:
            free(<void *> self.data)

    def __len__(self):
        return self.length

    def __getitem__(self, key):
        cdef Py_ssize_t i, start, stop, step, count
        cdef IdBuffer buffer
        if isinstance(key, slice):
            PySlice_Unpack(key, &start, &stop, &step)
            count = PySlice_AdjustIndices(self.length, &start, &stop, step)
            if step == 1:
                return ids_view(self.data + start, count, self if self.owner is None else self.owner, self.ints)
            buffer = IdBuffer(NULL, 0, 0)
            ids_reserve(&buffer, count)
            for i in range(count):
                ids_push(&buffer, self.data[start + i * step])
            return token_ids_take(&buffer)
        i = PyNumber_AsSsize_t(key, IndexError)
        if i < 0:
            i += self.length
        if not 0 <= i < self.length:
            raise IndexError(f"index {key} is out of range for {self.length} ids")
        return PyLong_FromUnsignedLong(self.data[i])

    def __iter__(self):
        cdef _TokenIdsIterator iterator = _TokenIdsIterator.__new__(_TokenIdsIterator)
        iterator.ids = self
        return iterator

    def tolist(self):
        """The ids as a list of ints."""
        return list_of(self.ints, self.data, self.length)

    def __eq__(self, other):
        cdef TokenIds theirs
        cdef Likeness like
        cdef Py_ssize_t i
        if isinstance(other, TokenIds):
            theirs = other
            return self.length == theirs.length and not memcmp(self.data, theirs.data, self.length * sizeof(uint32_t))
        like = likeness(other, 1)
        if like != SEQUENCE:
            return False if like == UNEQUAL else NotImplemented
        try:
            if len(other) != self.length:
                return False
            for i, value in enumerate(other):
                if i >= self.length or not equals(self.data[i], value):
                    return False
        except Exception:       # whatever an odd item's own comparison raises, it is not the same int
            return False
        return True

    def __hash__(self):
        return hash(tuple(self))

    def __contains__(self, value):
        return find(self, value, 0, self.length) >= 0

    def index(self, value, start=0, stop=sys.maxsize):
        """The first index of an id in [start, stop); ValueError if there is none."""
        cdef Py_ssize_t i, first, last
        first, last, _ = slice(start, stop).indices(self.length)
        i = find(self, value, first, last)
        if i < 0:
            raise ValueError(f"{value!r} is not among the ids")
        return i

    def count(self, value):
        """How often an id occurs."""
        cdef Py_ssize_t found = find(self, value, 0, self.length), n = 0
        while found >= 0:
            n += 1
            found = find(self, value, found + 1, self.length)
        return n

    def __repr__(self):
        return f"TokenIds({shown(self, SHOWN)})"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return _token_ids, (little_endian(self.data, self.length * sizeof(uint32_t), "I"),)

    def __getbuffer__(self, Py_buffer *buffer, int flags):
        export(self, buffer, flags, <void *> self.data, b"I", &self.length, &STRIDE)

    def to_numpy(self, dtype=None, writable=True):
        """A NumPy array of the ids: a copy, or with writable=False a read-only view where the dtype allows it."""
        return numpy_array(self, dtype, writable)

    def check(self):
        """Assert I1."""
        assert self.data != NULL and self.length >= 0
        assert not isinstance(self.owner, TokenIds) or (<TokenIds> self.owner).owner is None    # I1

    def __arrow_c_schema__(self):
        """The Arrow type, uint32, in a PyCapsule."""
        return ids_schema()

    def __arrow_c_array__(self, requested_schema=None):
        """The ids as an Arrow array in two PyCapsules; no copy, and a reference to these ids while it lives."""
        return ids_schema(), ids_array(self, self.data, self.length)


Sequence.register(TokenIds)


cdef Likeness likeness(object other, int dimensions) except *:
    if isinstance(other, (list, tuple)):
        return SEQUENCE
    if isinstance(other, (str, bytes, bytearray)):
        return UNEQUAL
    if PyObject_CheckBuffer(other):
        try:
            return SEQUENCE if memoryview(other).ndim == dimensions else UNEQUAL
        except Exception:       # e.g. NumPy's dates, which have no buffer format
            return UNEQUAL
    return SEQUENCE if isinstance(other, Sequence) else UNKNOWN


cdef str shown(sequence, Py_ssize_t most):
    cdef Py_ssize_t n = len(sequence)
    items = [item.tolist() if isinstance(item, TokenIds) and len(item) <= SHOWN else item for item in sequence[:most]]
    if n <= most:
        return repr(items)
    return f"[{', '.join(map(repr, items))}, …], length {n}"


def _token_ids(bytes data not None):
    """`TokenIds` from their pickled form: little-endian uint32."""
    cdef TokenIds ids = TokenIds.__new__(TokenIds)
    if len(data) % sizeof(uint32_t):
        raise ValueError(f"{len(data)} bytes are no whole number of ids")
    ids.data = <const uint32_t *> copied(native(data, "I"))
    ids.length = len(data) // sizeof(uint32_t)
    return ids
