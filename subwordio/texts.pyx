"""Many texts that lie in memory of others, without a Python object each: `Texts`.

What `encode_batch` reads beside an iterable of `str` and `bytes`: bytes end to end with the offsets at which each text
begins, or a column of an Arrow table (`columns`). The bytes are not copied, and may be any: a tokenizer either takes
bytes that are not UTF-8 (as `encode_bytes` does) or names the text. Nobody may write to the memory meanwhile.

I1  refs[0:length] are of kind TEXT_ANY or TEXT_UTF8, or TEXT_NULL and then without bytes; `nulls` counts the latter

Cost  40 bytes of memory a text while there is a `Texts`; building it reads the offsets once.
"""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.number cimport PyNumber_AsSsize_t
from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport free, realloc

from subwordio.arrow cimport read_integer
from subwordio.text cimport TEXT_ANY, TEXT_NULL, TEXT_UTF8, TextRef, is_well_formed

cdef extern from "Python.h":
    const size_t PY_SSIZE_T_MAX

cdef const void *NOTHING = <const char *> b""            # where a text without bytes is
cdef int64_t MOST_BYTES = 0xFFFFFFFF        # of a text that a tokenizer takes: a longer one counts as so many


cdef class Texts:
    """Texts(data=b"", offsets=None): the texts data[offsets[i]:offsets[i + 1]], one fewer than there are offsets.

    `data` is any contiguous buffer of bytes, `offsets` a buffer of 32-bit or 64-bit integers that do not decrease: NumPy
    arrays, `array.array`, memoryviews. Neither is copied; the memory must stay as it is while texts are encoded.
    TypeError for what is no such buffer; ValueError for an offset that is less than the one before or behind the end.

    >>> from array import array
    >>> texts = Texts(b"unaffable", array("q", [0, 2, 5, 9]))
    >>> len(texts), texts[1], list(texts)
    (3, b'aff', [b'un', b'aff', b'able'])
    """

    def __cinit__(self, data=b"", offsets=None):
        cdef const unsigned char[::1] octets
        cdef const void *first
        self.held = []
        if offsets is None:
            return
        places = buffer_of("offsets", offsets)
        if places.ndim != 1 or places.itemsize not in (4, 8) or places.format not in ("i", "I", "l", "L", "q", "Q"):
            raise TypeError(f"offsets: expected 32-bit or 64-bit integers in one dimension, got {places.ndim} dimensions "
                            f"of format {places.format!r}")
        if len(places) == 0:
            raise ValueError("offsets: expected one more than there are texts, got none")
        signed = places.format in ("i", "l", "q")
        code = ("i" if signed else "I") if places.itemsize == 4 else ("l" if signed else "L")
        held = buffer_of("data", data)
        if held.itemsize != 1:
            raise TypeError(f"data: expected bytes, got items of {held.itemsize} bytes")
        octets = held.cast("B")
        self.held.append(held)
        cdef const unsigned char[::1] raw = places.cast("B")
        first = &octets[0] if octets.shape[0] else NULL
        self.put_slices(first, octets.shape[0], &raw[0], ord(code), 0, len(places) - 1)

    def __dealloc__(self):
        free(self.refs)

    cdef int reserve(self, Py_ssize_t extra) except -1 nogil:
        cdef void *grown
        cdef Py_ssize_t capacity
        if extra <= self.capacity - self.length:
            return 0
        if extra > <Py_ssize_t> (PY_SSIZE_T_MAX // (2 * sizeof(TextRef))) - self.length:
            with gil:
                raise MemoryError(f"{extra} texts")
        capacity = max(self.length + extra, self.capacity + self.capacity // 2)
        grown = realloc(self.refs, capacity * sizeof(TextRef))
        if grown == NULL:
            with gil:
                raise MemoryError(f"{extra} texts")
        self.refs = <TextRef *> grown
        self.capacity = capacity
        return 0

    cdef void put(self, const void *data, int64_t length) noexcept:
        self.refs[self.length] = TextRef(data, length, TEXT_ANY, NULL, 0)
        if length == 0:
            self.refs[self.length].data = NOTHING
        self.size += min(length, MOST_BYTES)
        self.length += 1

    cdef void put_utf8(self, const void *data, int64_t length) noexcept nogil:
        self.refs[self.length] = TextRef(data, length, TEXT_UTF8, NULL, 0)
        self.size += min(length, MOST_BYTES)
        self.length += 1

    cdef void put_null(self) noexcept:
        self.refs[self.length] = TextRef(NOTHING, 0, TEXT_NULL, NULL, 0)
        self.length += 1
        self.nulls += 1

    cdef void set_null(self, Py_ssize_t i) noexcept:
        if self.refs[i].kind != TEXT_NULL:
            self.size -= min(self.refs[i].length, MOST_BYTES)
            self.refs[i] = TextRef(NOTHING, 0, TEXT_NULL, NULL, 0)
            self.nulls += 1

    cdef int put_slices(self, const void *data, int64_t nbytes, const void *offsets, char code, int64_t at,
                        Py_ssize_t count) except -1:
        cdef int64_t k, begin, end
        self.reserve(count)
        begin = read_integer(offsets, code, at)
        if begin < 0 or (nbytes >= 0 and begin > nbytes):
            raise ValueError(f"offsets[{at}]: {begin} is not in the text")
        for k in range(at + 1, at + 1 + count):
            # Text k - 1 begins at `begin`, which is in the text.
            end = read_integer(offsets, code, k)
            if end < begin:
                raise ValueError(f"offsets[{k}]: {end} after {begin}")
            if nbytes >= 0 and end > nbytes:
                raise ValueError(f"offsets[{k}]: {end}, where the text has {nbytes} bytes")
            if end > begin and data == NULL:
                raise ValueError(f"offsets[{k}]: {end}, where there are no bytes")
            self.put(<const char *> data + begin, end - begin)
            begin = end
        return 0

    cdef Texts mapped(self, object function):
        cdef Texts other = Texts()
        cdef Py_ssize_t i
        other.reserve(self.length)
        for i in range(self.length):
            text = self[i]
            if text is None:
                other.put_null()
                continue
            try:
                text = function(text)
            except ValueError as error:
                raise ValueError(f"texts[{i}]: {error}") from None
            if isinstance(text, str):
                text = (<str> text).encode()
            other.put(PyBytes_AS_STRING(text), len(<bytes> text))
            other.held.append(text)
        return other

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        cdef Py_ssize_t i = PyNumber_AsSsize_t(index, IndexError)
        if i < 0:
            i += self.length
        if not 0 <= i < self.length:
            raise IndexError(f"index {index} is out of range for {self.length} texts")
        if self.refs[i].kind == TEXT_NULL:
            return None
        return PyBytes_FromStringAndSize(<const char *> self.refs[i].data, self.refs[i].length)

    def __repr__(self):
        return f"<Texts: {self.length} texts>"

    def check(self):
        """Assert I1."""
        cdef Py_ssize_t i, nulls = 0
        for i in range(self.length):
            nulls += self.refs[i].kind == TEXT_NULL
            assert self.refs[i].data != NULL and self.refs[i].length >= 0                               # I1
            assert self.refs[i].kind == TEXT_ANY or (self.refs[i].kind == TEXT_NULL and self.refs[i].length == 0) or (
                self.refs[i].kind == TEXT_UTF8 and is_well_formed(<const uint8_t *> self.refs[i].data, self.refs[i].length))
        assert self.nulls == nulls


cdef object buffer_of(str name, object value):
    """A contiguous view of a buffer."""
    try:
        view = memoryview(value)
    except TypeError:
        raise TypeError(f"{name}: expected a buffer, got {type(value).__name__}") from None
    if not view.c_contiguous:
        raise TypeError(f"{name}: expected a contiguous buffer")
    return view
