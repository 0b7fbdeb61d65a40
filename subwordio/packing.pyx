"""Lists of token ids as the bytes of a flat file and of its index: ids of two or four bytes end to end, sizes, places.

Everything is in the machine's order of bytes.

Cost  one pass over the ids, without the GIL; none where they are written as they are.
"""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport INT32_MAX, UINT32_MAX, int32_t, int64_t, uint16_t, uint32_t
from libc.string cimport memcpy

from subwordio.lists cimport TokenLists

cdef uint32_t MOST_SHORT = 0xFFFF       # the largest id of two bytes


def pack(TokenLists lists not None, int width, end=None):
    """The ids of all lists end to end, `width` (2 or 4) bytes each, and the lists' sizes as int32.

    With `end`, an id, each list is followed by it, and has it in its size. OverflowError for an id that does not fit,
    or a list of 2³¹ ids. A null list has no ids. Ids of four bytes without `end` are a view of the lists' memory.

    >>> from subwordio import TokenLists
    >>> ids, sizes = pack(TokenLists([[1, 2], [], [3]]), 2, end=9)
    >>> memoryview(ids).cast("H").tolist(), memoryview(sizes).cast("i").tolist()
    ([1, 2, 9, 9, 3, 9], [3, 1, 2])
    """
    cdef Py_ssize_t n = lists.length, count
    cdef uint32_t last = 0, largest
    cdef bint ended = end is not None
    cdef bint in_place = width == 4 and not ended
    cdef bytes sizes
    cdef char *to = NULL
    cdef int32_t *lengths
    if width != 2 and width != 4:
        raise ValueError(f"width={width}: expected 2 or 4")
    if ended:
        if not 0 <= end <= UINT32_MAX:
            raise OverflowError(f"end={end}: expected 0 to {UINT32_MAX}")
        last = end
    count = <Py_ssize_t> (lists.bounds[lists.first + n] - lists.bounds[lists.first]) + (n if ended else 0)
    if in_place:
        ids = memoryview(lists.ids).cast("B")
    else:
        ids = PyBytes_FromStringAndSize(NULL, count * width)
        to = PyBytes_AS_STRING(ids)
    sizes = PyBytes_FromStringAndSize(NULL, n * <Py_ssize_t> sizeof(int32_t))
    lengths = <int32_t *> PyBytes_AS_STRING(sizes)
    with nogil:
        largest = last
        if width == 2:
            fill_short(lists, ended, last, <uint16_t *> to, &largest)
        elif not in_place:
            fill_long(lists, last, <uint32_t *> to)
        fill_sizes(lists, ended, lengths)
    if width == 2 and largest > MOST_SHORT:
        raise OverflowError("an id of more than 16 bits")
    return ids, sizes


cdef int fill_short(TokenLists lists, bint ended, uint32_t last, uint16_t *to, uint32_t *largest) except -1 nogil:
    cdef Py_ssize_t i
    cdef int64_t k, begin = lists.bounds[lists.first], end
    cdef uint32_t seen = largest[0]
    if not ended:
        end = lists.bounds[lists.first + lists.length]
        for k in range(begin, end):
            seen |= lists.data[k]
            to[k - begin] = <uint16_t> lists.data[k]
        largest[0] = seen
        return 0
    for i in range(lists.first, lists.first + lists.length):
        begin = lists.bounds[i]
        end = lists.bounds[i + 1]
        for k in range(begin, end):
            seen |= lists.data[k]
            to[k - begin] = <uint16_t> lists.data[k]
        to += end - begin
        to[0] = <uint16_t> last
        to += 1
    largest[0] = seen
    return 0


cdef int fill_long(TokenLists lists, uint32_t last, uint32_t *to) except -1 nogil:
    cdef Py_ssize_t i
    cdef int64_t begin, end
    for i in range(lists.first, lists.first + lists.length):
        begin = lists.bounds[i]
        end = lists.bounds[i + 1]
        memcpy(to, lists.data + begin, (end - begin) * sizeof(uint32_t))
        to += end - begin
        to[0] = last
        to += 1
    return 0


cdef int fill_sizes(TokenLists lists, bint ended, int32_t *lengths) except -1 nogil:
    cdef Py_ssize_t i
    cdef int64_t length
    for i in range(lists.length):
        length = lists.bounds[lists.first + i + 1] - lists.bounds[lists.first + i] + ended
        if length > INT32_MAX:
            raise OverflowError("a list of 2³¹ ids or more")
        lengths[i] = <int32_t> length
    return 0


def places(const int32_t[::1] sizes not None, int64_t first, int64_t width) -> bytes:
    """Where each of several lists begins, as int64, when the first does at byte `first` and an id has `width` bytes.

    >>> memoryview(places(memoryview(b"\\2\\0\\0\\0\\1\\0\\0\\0").cast("i"), 10, 4)).cast("q").tolist()
    [10, 18]
    """
    cdef Py_ssize_t i, n = sizes.shape[0]
    cdef bytes found = PyBytes_FromStringAndSize(NULL, n * <Py_ssize_t> sizeof(int64_t))
    cdef int64_t *to = <int64_t *> PyBytes_AS_STRING(found)
    with nogil:
        for i in range(n):
            to[i] = first
            first += sizes[i] * width
    return found


def numbers(int64_t first, Py_ssize_t n) -> bytes:
    """The n numbers from `first` on, as int64.

    >>> memoryview(numbers(5, 3)).cast("q").tolist()
    [5, 6, 7]
    """
    cdef Py_ssize_t i
    cdef bytes found = PyBytes_FromStringAndSize(NULL, n * <Py_ssize_t> sizeof(int64_t))
    cdef int64_t *to = <int64_t *> PyBytes_AS_STRING(found)
    for i in range(n):
        to[i] = first + i
    return found


def largest(ids not None) -> int:
    """The largest of a buffer of ids of two or four bytes; -1 where there are none.

    >>> largest(memoryview(b"\\1\\0\\7\\0").cast("H"))
    7
    """
    cdef Py_ssize_t i
    cdef int64_t found = -1
    cdef const uint16_t[::1] two
    cdef const uint32_t[::1] four
    if memoryview(ids).itemsize == 2:
        two = ids
        with nogil:
            for i in range(two.shape[0]):
                found = max(found, <int64_t> two[i])
    else:
        four = ids
        with nogil:
            for i in range(four.shape[0]):
                found = max(found, <int64_t> four[i])
    return found
