"""The lines of a text as a sequence, without an object for each: what `encode_batch` reads where it stands.

I1  bounds[0] is 0 and bounds[i + 1] is one past the newline of line i      I2  only the last line may lack its newline
I3  where `utf8`, all lines are UTF-8

Cost  O(bytes), without the GIL, to find the line ends and to see whether it is UTF-8; 8 bytes a line.
"""
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memchr

from subwordio.text cimport is_well_formed

from subwordio.text import is_utf8

cdef int NEWLINE = 10
cdef size_t FIRST_LINES = 1024      # lines for which room is made at once


@cython.final
cdef class TextLines:
    r"""TextLines(data, size=None): the lines of data[:size], bytes without their newlines. Only "\n" ends a line.

    >>> lines = TextLines(b"one\n\ntwo")
    >>> len(lines), list(lines), lines[2]
    (3, [b'one', b'', b'two'], b'two')
    >>> list(TextLines(b"one\ntwo\n", 4))
    [b'one']
    """

    def __cinit__(self, bytes data not None, size=None):
        cdef Py_ssize_t n = PyBytes_GET_SIZE(data)
        if size is not None:
            if not 0 <= size <= n:
                raise ValueError(f"size={size}: expected 0 to {n}")
            n = size
        self.held = data
        self.data = PyBytes_AS_STRING(data)
        with nogil:
            self.find_lines(n)
            self.utf8 = is_well_formed(<const uint8_t *> self.data, n)

    def __dealloc__(self):
        free(self.bounds)

    cdef int find_lines(self, Py_ssize_t n) except -1 nogil:
        cdef size_t room = FIRST_LINES
        cdef Py_ssize_t i = 0
        cdef const char *newline
        cdef void *grown
        self.bounds = <int64_t *> malloc(room * sizeof(int64_t))
        if self.bounds == NULL:
            raise MemoryError()
        self.bounds[0] = 0
        while i < n:
            # bounds[0:length + 1] are those of the lines in data[0:i], and a line begins at i.
            newline = <const char *> memchr(self.data + i, NEWLINE, n - i)
            i = n + 1 if newline == NULL else <Py_ssize_t> (<size_t> newline - <size_t> self.data) + 1
            if <size_t> self.length + 2 > room:
                room += room
                grown = realloc(self.bounds, room * sizeof(int64_t))
                if grown == NULL:
                    raise MemoryError()
                self.bounds = <int64_t *> grown
            self.length += 1
            self.bounds[self.length] = i
        return 0

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        cdef Py_ssize_t i = index
        if i < 0:
            i += self.length
        if not 0 <= i < self.length:
            raise IndexError(f"line {index} of {self.length}")
        return PyBytes_FromStringAndSize(self.data + self.bounds[i], self.bounds[i + 1] - 1 - self.bounds[i])

    def __iter__(self):
        return (self[i] for i in range(self.length))

    def check(self):
        """Raise AssertionError unless I1 to I3 hold. O(bytes).

        >>> TextLines(b"one two").check()
        """
        lines = list(self)
        for invariant, condition in (
                ("I1", self.bounds[0] == 0 and (not lines or b"\n".join(lines) == self.data[:self.bounds[self.length] - 1])),
                ("I2", all(b"\n" not in line for line in lines)),
                ("I3", not self.utf8 or all(map(is_utf8, lines)))):
            if not condition:               # no assert, which a release build leaves out
                raise AssertionError(f"{invariant} does not hold")
