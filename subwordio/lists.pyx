"""Token ids of many texts in one piece of memory: `TokenLists`.

List i is data[bounds[first + i]:bounds[first + i + 1]], or None where its validity bit is 0.

I1  bounds[first:first + length + 1] does not decrease          I2  a null list has no ids
I3  `owner` is None (the memory is ours) or a TokenLists whose own `owner` is None: no chains, no cycles

Cost  indexing, slicing with step 1, exports: O(1). All else: one pass.
"""
cimport cython
from cpython.number cimport PyNumber_AsSsize_t
from cpython.slice cimport PySlice_AdjustIndices, PySlice_Unpack
from libc.stdint cimport INT32_MAX, int64_t, uint8_t, uint32_t
from libc.stdlib cimport free, malloc

from subwordio.arrow cimport lists_array, lists_schema, wants_small_lists
from subwordio.ids cimport (
    NO_IDS, SEQUENCE, UNEQUAL, IdBuffer, Likeness, TokenIds, fill_buffer, fit, ids_free, ids_view, likeness, shown,
)
from subwordio.ints cimport list_of
from subwordio.memory cimport copied, export, little_endian, native, zeroed

cdef Py_ssize_t SHOWN = 4                       # lists that a long repr shows
cdef Py_ssize_t STRIDE = sizeof(int64_t)        # for the buffer protocol, which wants an address
cdef int64_t[1] NO_BOUNDS = [0]                 # what `bounds` points to where there are no lists


cdef TokenLists token_lists_take(IdBuffer *buffer, int64_t *bounds, Py_ssize_t n, uint8_t *validity):
    cdef TokenLists lists
    try:
        lists = TokenLists.__new__(TokenLists)
    except BaseException:
        ids_free(buffer)
        free(bounds)
        free(validity)
        raise
    if buffer.length:
        fit(buffer)
        lists.data = buffer.data
        buffer.data = NULL
        buffer.length = buffer.capacity = 0
    else:
        ids_free(buffer)
    lists.bounds = bounds
    lists.validity = validity
    lists.length = n
    return lists


cdef TokenLists root(TokenLists lists):
    """Whose memory it is."""
    return lists if lists.owner is None else lists.owner


@cython.final
cdef class _Offsets:
    """The memory behind `TokenLists.offsets`: another object's, or its own."""
    cdef const int64_t *data
    cdef Py_ssize_t length
    cdef object owner       # None: `data` is our own malloc

    def __dealloc__(self):
        if self.owner is None:
            free(<void *> self.data)

    def __getbuffer__(self, Py_buffer *buffer, int flags):
        export(self, buffer, flags, <void *> self.data, b"q", &self.length, &STRIDE)


@cython.final
@cython.no_gc
@cython.freelist(8)
cdef class TokenLists:
    """TokenLists(lists=()): a read-only sequence of `TokenIds`, one for each text; a null list is None.

    Equal to any sequence of equal sequences. A slice of step 1 is a view. As an Arrow array (large_list<uint32>, or
    list<uint32> on request where it fits) it is read without a copy of the ids. Though it is a sequence, it is not
    registered as a `collections.abc.Sequence`: libraries that ask for one (polars) would take it apart, list by list.

    >>> lists = TokenLists([[1, 2], [], None, [3]])
    >>> lists[0], lists[2], lists.ids, lists.offsets.tolist()
    (TokenIds([1, 2]), None, TokenIds([1, 2, 3]), [0, 2, 2, 2, 3])
    """

    def __cinit__(self, lists=None):
        cdef IdBuffer buffer = IdBuffer(NULL, 0, 0)
        cdef list items
        cdef int64_t *offsets
        cdef uint8_t *validity = NULL
        cdef Py_ssize_t i, n
        self.data = NO_IDS
        self.bounds = NO_BOUNDS
        if lists is None:
            return
        if isinstance(lists, (str, bytes, bytearray)):
            raise TypeError(f"expected an iterable of iterables of ints, got {type(lists).__name__}")
        items = list(lists)
        n = len(items)
        offsets = <int64_t *> zeroed((n + 1) * sizeof(int64_t))
        self.bounds = offsets
        if any(item is None for item in items):
            self.validity = validity = <uint8_t *> zeroed(n // 8 + 1)
        try:
            for i in range(n):
                if items[i] is not None:
                    try:
                        fill_buffer(&buffer, items[i])
                    except TypeError as error:
                        raise TypeError(f"lists[{i}]: {error}") from None
                    except ValueError as error:
                        raise ValueError(f"lists[{i}]: {error}") from None
                    if validity != NULL:
                        validity[i >> 3] |= 1 << (i & 7)
                offsets[i + 1] = buffer.length
            if buffer.length:
                fit(&buffer)
                self.data = buffer.data
                buffer.data = NULL
            self.length = n
        finally:
            free(buffer.data)

    def __dealloc__(self):
        if self.owner is None:
            if self.data != NO_IDS:
                free(<void *> self.data)
            if self.bounds != NO_BOUNDS:
                free(<void *> self.bounds)
            free(<void *> self.validity)

    cdef bint is_null(self, Py_ssize_t i) noexcept:
        return self.validity != NULL and not self.validity[(self.first + i) >> 3] >> ((self.first + i) & 7) & 1

    cdef TokenIds item(self, Py_ssize_t i):
        cdef int64_t begin
        if self.is_null(i):
            return None
        begin = self.bounds[self.first + i]
        return ids_view(self.data + begin, self.bounds[self.first + i + 1] - begin, root(self), self.ints)

    def __len__(self):
        return self.length

    def __getitem__(self, key):
        cdef Py_ssize_t i, start, stop, step, count
        cdef TokenLists view
        if isinstance(key, slice):
            PySlice_Unpack(key, &start, &stop, &step)
            count = PySlice_AdjustIndices(self.length, &start, &stop, step)
            if step != 1:
                return TokenLists([self.item(start + i * step) for i in range(count)])
            view = TokenLists.__new__(TokenLists)
            view.data = self.data
            view.bounds = self.bounds
            view.validity = self.validity
            view.first = self.first + start
            view.length = count
            view.owner = root(self)
            view.ints = self.ints
            return view
        i = PyNumber_AsSsize_t(key, IndexError)
        if i < 0:
            i += self.length
        if not 0 <= i < self.length:
            raise IndexError(f"index {key} is out of range for {self.length} lists")
        return self.item(i)

    def __iter__(self):
        cdef Py_ssize_t i
        for i in range(self.length):
            yield self.item(i)

    def tolist(self):
        """The lists as lists of ints; None for a null list."""
        cdef const int64_t *bounds = self.bounds + self.first
        cdef Py_ssize_t i
        return [None if self.is_null(i) else list_of(self.ints, self.data + bounds[i], bounds[i + 1] - bounds[i])
                for i in range(self.length)]

    @property
    def ids(self):
        """All ids, one list after the other, as a view."""
        cdef int64_t begin = self.bounds[self.first]
        return ids_view(self.data + begin, self.bounds[self.first + self.length] - begin, root(self), self.ints)

    @property
    def offsets(self):
        """A read-only int64 memoryview of len(self) + 1 entries: list i is ids[offsets[i]:offsets[i + 1]]."""
        cdef _Offsets offsets = _Offsets.__new__(_Offsets)
        cdef int64_t *rebased
        cdef Py_ssize_t i
        cdef int64_t base = self.bounds[self.first]
        offsets.length = self.length + 1
        if base == 0:
            offsets.data = self.bounds + self.first
            offsets.owner = self
        else:
            rebased = <int64_t *> malloc((self.length + 1) * sizeof(int64_t))
            if rebased == NULL:
                raise MemoryError()
            offsets.data = rebased
            for i in range(self.length + 1):
                rebased[i] = self.bounds[self.first + i] - base
        return memoryview(offsets)

    def __eq__(self, other):
        cdef TokenLists theirs
        cdef Likeness like
        cdef Py_ssize_t i
        if isinstance(other, TokenLists):
            theirs = other
            if self.length != theirs.length:
                return False
            for i in range(self.length):
                if self.item(i) != theirs.item(i):
                    return False
            return True
        like = likeness(other, 2)
        if like != SEQUENCE:
            return False if like == UNEQUAL else NotImplemented
        try:
            if len(other) != self.length:
                return False
            for i, ids in enumerate(other):
                if i >= self.length or not (ids is None if self.is_null(i) else self.item(i) == ids):
                    return False
        except Exception:
            return False
        return True

    def __hash__(self):
        return hash(tuple(self))

    def __repr__(self):
        return f"TokenLists({shown(self, SHOWN)})"

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        cdef TokenIds ids = self.ids
        cdef Py_ssize_t i
        validity = bytearray((self.length + 7) // 8)
        nulls = False
        for i in range(self.length):
            if self.is_null(i):
                nulls = True
            else:
                validity[i // 8] |= 1 << i % 8
        return _token_lists, (little_endian(ids.data, ids.length * sizeof(uint32_t), "I"),
                              native(self.offsets.tobytes(), "q"),      # a swap is its own inverse
                              bytes(validity) if nulls else None)

    def check(self):
        """Assert I1 to I3."""
        cdef Py_ssize_t i
        cdef const int64_t *bounds = self.bounds + self.first
        assert self.data != NULL and bounds[0] >= 0
        for i in range(self.length):
            assert bounds[i] <= bounds[i + 1]                               # I1
            assert not self.is_null(i) or bounds[i] == bounds[i + 1]        # I2
        assert self.owner is None or (<TokenLists> self.owner).owner is None    # I3

    def __arrow_c_schema__(self):
        """The Arrow type, large_list<uint32>, in a PyCapsule."""
        return lists_schema(True)

    def __arrow_c_array__(self, requested_schema=None):
        """The lists as an Arrow array in two PyCapsules; list<uint32> where that is asked for and fits."""
        cdef bint large = not wants_small_lists(requested_schema) or (
            self.bounds[self.first + self.length] - self.bounds[self.first // 8 * 8] > INT32_MAX)
        return lists_schema(large), lists_array(root(self), self.data, self.bounds, self.validity, self.first,
                                                self.length, large)


def _token_lists(bytes data not None, bytes offsets not None, bytes validity):
    """`TokenLists` from their pickled form: little-endian uint32 ids, int64 offsets, and a bitmap if some are null."""
    cdef TokenLists lists = TokenLists.__new__(TokenLists)
    cdef Py_ssize_t i, n = len(offsets) // 8 - 1, most = len(data) // 4
    if n < 0 or len(offsets) % 8 or len(data) % 4 or (validity is not None and len(validity) != (n + 7) // 8):
        raise ValueError(f"no lists: {len(data)} bytes of ids, {len(offsets)} of offsets, "
                         f"{len(validity or b'')} of validity")
    lists.data = <const uint32_t *> copied(native(data, "I"))
    lists.bounds = <const int64_t *> copied(native(offsets, "q"))
    if validity is not None:
        lists.validity = <const uint8_t *> copied(validity)
    for i in range(n):
        if lists.bounds[i + 1] < lists.bounds[i] or (lists.is_null(i) and lists.bounds[i + 1] > lists.bounds[i]):
            raise ValueError(f"the offsets of list {i} are out of order")
    if lists.bounds[0] or lists.bounds[n] != most:
        raise ValueError("the offsets do not divide the ids into lists")
    lists.length = n
    return lists
