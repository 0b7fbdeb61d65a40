"""Many strings in one piece of memory: their UTF-8 end to end, where each begins, and their order.

A vocabulary of a hundred thousand tokens is then three arrays in place of as many Python objects and a dict of them.

Order      by bytes, which in UTF-8 is by code points. The strings are sorted by eight bytes at a time: a radix sort by
           these, then what is equal so far by the next eight. What is few is sorted by insertion.
I1  string i is text[begin[i] : begin[i + 1]], well-formed UTF-8; `longest` is the most bytes of one, and `characters` the
    most characters
I2  `order` has every i once, by string and then by i
I3  `distinct` says whether no two strings are equal
Cost  building: O(bytes), a constant factor of it where most strings are alike for long; a look-up: a binary search
"""
from array import array

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp, memcpy, memset

from subwordio.container cimport Container
from subwordio.room cimport Block, Room

cdef extern from *:
    """
    /* The first bytes of s[0:n], eight at most, as a number that compares as they do; zeros fill up. `room` bytes can be
       read at s. */
    static inline uint64_t subwordio_word(const uint8_t *s, size_t n, size_t room) {
        uint64_t word = 0;
        if (room >= 8) {
            for (int k = 0; k < 8; k++) word = word << 8 | s[k];        /* one load and one swap of bytes */
            return n >= 8 ? word : n ? word & ~(uint64_t)0 << (64 - 8 * n) : 0;
        }
        for (size_t k = 0; k < n; k++) word |= (uint64_t)s[k] << (56 - 8 * k);
        return word;
    }
    static inline unsigned subwordio_digit(uint64_t word, int k, int bits) {
        return (unsigned)(word >> (bits * k)) & ((1u << bits) - 1);
    }
    """
    uint64_t first_bytes "subwordio_word"(const uint8_t *s, size_t n, size_t room) noexcept nogil
    uint32_t digit "subwordio_digit"(uint64_t word, int k, int bits) noexcept nogil
    str PyUnicode_DecodeUTF8(const char *s, Py_ssize_t n, const char *errors)

cdef enum:
    FEW = 24                                # strings: from here down insertion is quicker
    WORD = 8                                # bytes looked at together
    MANY = 4096                             # keys that are sorted by digits of 11 bits; fewer by digits of 8
    MOST_BYTES = 0x7FFFFFFF                 # places are int32
    LARGE = 524288                          # bytes of keys from which on they are kept in large pages

cdef struct Key:
    uint64_t word                           # the string's bytes from the group's depth on
    int32_t i
    uint32_t bytes                          # how many of the word: WORD where the string goes on, or ends just there

cdef struct Group:                          # keys[begin:end] are of strings that agree in their first `depth` bytes
    size_t begin, end, depth


cdef class Strings:
    """A sequence of str, kept as UTF-8.

    ``Strings(strings=())``: a sequence of str without surrogates. UnicodeEncodeError for one with; OverflowError for
    2³¹ bytes or more.

    >>> strings = Strings(["b", "é", "a", "b"])
    >>> strings[1], len(strings), list(strings), strings.distinct
    ('é', 4, ['b', 'é', 'a', 'b'], False)
    >>> strings.index("b")
    3
    """

    def __cinit__(self, strings=()):
        cdef Py_ssize_t i, at = 0
        cdef list parts = [string.encode() for string in strings]
        self.n = len(parts)
        self.begin = Room(False).ints(self.n + 1)
        for i in range(self.n):
            at += len(<bytes> parts[i])
            if at > MOST_BYTES:
                raise OverflowError(f"strings of more than {MOST_BYTES} bytes together")
            self.begin[i + 1] = at
        self.held = b"".join(parts)
        self.data = <const uint8_t *> PyBytes_AS_STRING(self.held)
        self.find_longest()
        self.sort()

    @staticmethod
    def of_lines(bytes data not None, Py_ssize_t start=0):
        r"""The lines of `data`, well-formed UTF-8, from byte `start` on, without the White_Space at their ends.

        Only "\n" ends a line; what is after the last one is a line if there is anything.

        >>> list(Strings.of_lines("a \n\nb\u3000\r\nc".encode()))
        ['a', '', 'b', 'c']
        """
        cdef const uint8_t *s = <const uint8_t *> PyBytes_AS_STRING(data)
        cdef const void *found
        cdef size_t at = start, end = len(data), stop, length, to = 0
        cdef Py_ssize_t i = 0
        if not 0 <= start <= len(data) <= MOST_BYTES:
            raise OverflowError(f"start={start}: expected 0 to {len(data)}, and no more than {MOST_BYTES} bytes")
        cdef Strings strings = Strings.__new__(Strings)
        cdef Py_ssize_t newlines = count(s + at, end - at, 10)
        strings.n = newlines + (at < end and s[end - 1] != 10)
        strings.begin = Room(False).ints(strings.n + 1)
        cdef bytes kept = PyBytes_FromStringAndSize(NULL, <Py_ssize_t> (end - at) - newlines)
        cdef uint8_t *out = <uint8_t *> PyBytes_AS_STRING(kept)
        for i in range(strings.n):
            found = memchr(s + at, 10, end - at)
            stop = <size_t> found - <size_t> s if found != NULL else end
            length = trimmed(s + at, stop - at)
            memcpy(out + to, s + at, length)
            to += length
            strings.begin[i + 1] = <int32_t> to
            at = stop + 1
        strings.held = kept[:to]
        strings.data = <const uint8_t *> PyBytes_AS_STRING(strings.held)
        strings.find_longest()
        strings.sort()
        return strings

    cdef dict to_sections(self):
        """The arrays as sections of a file (subwordio.container)."""
        return {"text": self.text, "begin": self.begin, "order": self.order[:self.n],
                "strings": array("q", [self.longest, self.characters, self.distinct])}

    @staticmethod
    cdef Strings of_container(Container file):
        cdef Strings strings = Strings.__new__(Strings)
        cdef size_t nbytes, three
        cdef int64_t *numbers = <int64_t *> file.take("strings", sizeof(int64_t), &three)
        strings.held, strings.data = file, <const uint8_t *> file.take("text", 1, &nbytes)
        strings.begin, strings.order = file.ints("begin"), file.ints("order")
        strings.n = strings.order.shape[0]
        if three != 3 or strings.begin.shape[0] != strings.n + 1 or strings.begin[strings.n] != <Py_ssize_t> nbytes:
            file.fail(f"its {strings.n} tokens do not fill {nbytes} bytes")
        strings.longest, strings.characters, strings.distinct = numbers[0], numbers[1], numbers[2] != 0
        return strings

    @property
    def text(self) -> bytes:
        """The strings' UTF-8, end to end. A copy where it is mapped from a file."""
        return self.held if isinstance(self.held, bytes) else self.data[:self.begin[self.n]]

    cdef int find_longest(self) except -1:
        """Where a string has no more bytes than the characters found so far, its own need no count."""
        cdef Py_ssize_t i, k, nbytes, found
        for i in range(self.n):
            nbytes = self.begin[i + 1] - self.begin[i]
            self.longest = max(self.longest, nbytes)
            if nbytes > self.characters:
                found = 0
                for k in range(self.begin[i], self.begin[i + 1]):
                    found += (self.data[k] & 0xC0) != 0x80
                self.characters = max(self.characters, found)
        return 0

    cdef int sort(self) except -1:
        cdef size_t nbytes = 2 * self.n * sizeof(Key)
        cdef Block room = Block(nbytes + 1, nbytes > LARGE)
        cdef Key *keys = <Key *> room.data
        cdef Group *groups = <Group *> malloc((self.n // FEW + 2) * sizeof(Group))
        cdef Py_ssize_t i
        try:
            if groups == NULL:
                raise MemoryError()
            self.order = Room(False).ints(self.n)
            for i in range(self.n):
                keys[i].i = i
            self.distinct = not sort_keys(self.data, &self.begin[0], keys, keys + self.n, self.n, groups)
            for i in range(self.n):
                self.order[i] = keys[i].i
        finally:
            free(groups)
        return 0

    cdef Py_ssize_t place(self, bytes wanted) except -1:
        cdef const uint8_t *s = <const uint8_t *> PyBytes_AS_STRING(wanted)
        cdef size_t n = len(wanted)
        cdef Py_ssize_t low = 0, high = self.n, middle, i
        while low < high:
            middle = low + (high - low) // 2
            i = self.order[middle]
            if compare(self.data + self.begin[i], self.begin[i + 1] - self.begin[i], s, n) < 0:
                low = middle + 1
            else:
                high = middle
        return low

    cdef Py_ssize_t find(self, bytes wanted) except -2:
        # The strings before wanted + NUL are those up to wanted, so the last of them is wanted or it is not there.
        cdef Py_ssize_t at = self.place(wanted + b"\0"), i
        if at == 0:
            return -1
        i = self.order[at - 1]
        return i if compare(self.data + self.begin[i], self.begin[i + 1] - self.begin[i],
                            <const uint8_t *> PyBytes_AS_STRING(wanted), len(wanted)) == 0 else -1

    cdef str string(self, Py_ssize_t i):
        return PyUnicode_DecodeUTF8(<const char *> self.data + self.begin[i], self.begin[i + 1] - self.begin[i], NULL)

    def index(self, string):
        """The last i whose string this is. ValueError if there is none. A binary search."""
        i = self.find(string.encode("utf-8", "surrogatepass"))
        if i < 0:
            raise ValueError(f"{string!r} is not among the {self.n} strings")
        return i

    @property
    def nbytes(self):
        """The memory of the arrays, in bytes."""
        return self.begin[self.n] + self.begin.nbytes + self.order.nbytes

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        cdef Py_ssize_t at = i
        if not 0 <= at < self.n:
            raise IndexError(f"{i}: expected 0 to {self.n - 1}")
        return self.string(at)

    def __iter__(self):
        return (self.string(i) for i in range(self.n))

    def check(self):
        """Raise AssertionError unless I1–I3 hold. O(bytes).

        >>> Strings(["b", "", "é", "a", "b", ""]).check()
        """
        text = self.text
        spelt = [text[self.begin[i]:self.begin[i + 1]] for i in range(self.n)]
        for invariant, condition in (
                ("I1", b"".join(spelt) == text and max(map(len, spelt), default=0) == self.longest),
                ("I1", max(map(len, self), default=0) == self.characters),
                ("I1", [string.decode() for string in spelt] == list(self)),
                ("I2", list(self.order[:self.n]) == sorted(range(self.n), key=spelt.__getitem__)),
                ("I3", self.distinct == (len(set(spelt)) == self.n))):
            if not condition:               # no assert, which a release build leaves out
                raise AssertionError(f"{invariant} does not hold")


cdef int compare(const uint8_t *a, size_t m, const uint8_t *b, size_t n) noexcept nogil:
    """Below, at or above 0 as a[0:m] is smaller than, equal to or greater than b[0:n]."""
    cdef int first = memcmp(a, b, min(m, n))
    return first if first else (m > n) - (m < n)


cdef size_t count(const uint8_t *s, size_t n, uint8_t c) noexcept nogil:
    """How often c is in s[0:n]."""
    cdef size_t k, found = 0
    for k in range(n):
        found += s[k] == c
    return found


cdef size_t trimmed(const uint8_t *s, size_t n) noexcept nogil:
    """The length of s[0:n] without the characters of White_Space at its end."""
    cdef uint32_t last
    while n > 0:
        if s[n - 1] == 0x20 or 0x09 <= s[n - 1] <= 0x0D:
            n -= 1
            continue
        if s[n - 1] < 0x80 or n < 2:
            break
        last = s[n - 2] << 8 | s[n - 1]
        if last == 0xC285 or last == 0xC2A0:                                # U+0085, U+00A0
            n -= 2
            continue
        if n < 3:
            break
        last |= s[n - 3] << 16
        if not (last == 0xE19A80 or 0xE28080 <= last <= 0xE2808A or last == 0xE280A8 or last == 0xE280A9
                or last == 0xE280AF or last == 0xE2819F or last == 0xE38080):
            break                                   # else U+1680, U+2000–200A, 2028, 2029, 202F, 205F or 3000
        n -= 3
    return n


cdef bint sort_keys(const uint8_t *text, const int32_t *begin, Key *keys, Key *other, size_t n, Group *groups) noexcept nogil:
    """Sort the strings of keys[0:n] by themselves and then by i, as they stand now; whether two of them are equal."""
    cdef size_t pending = 1, k, first
    cdef size_t total = begin[n]
    cdef Group group
    cdef bint equal = False
    groups[0] = Group(0, n, 0)
    while pending > 0:
        pending -= 1
        group = groups[pending]
        if group.end - group.begin <= FEW:
            equal |= insert(text, begin, keys + group.begin, group.end - group.begin, group.depth)
            continue
        for k in range(group.begin, group.end):
            first = begin[keys[k].i] + group.depth
            keys[k].bytes = min(WORD, begin[keys[k].i + 1] - first)
            keys[k].word = first_bytes(text + first, keys[k].bytes, total - first)
        radix(keys + group.begin, other, group.end - group.begin)
        first = group.begin
        for k in range(group.begin + 1, group.end + 1):
            if k == group.end or keys[k].word != keys[first].word:
                if k - first > 1:
                    by_length(keys + first, other, k - first)
                first = k
        first = group.begin
        for k in range(group.begin + 1, group.end + 1):
            if k < group.end and keys[k].word == keys[first].word and keys[k].bytes == keys[first].bytes:
                continue
            if k - first > 1 and keys[first].bytes < WORD:
                equal = True
            elif k - first > FEW:
                groups[pending] = Group(first, k, group.depth + WORD)
                pending += 1
            elif k - first > 1:
                equal |= insert(text, begin, keys + first, k - first, group.depth + WORD)
            first = k
    return equal


cdef bint insert(const uint8_t *text, const int32_t *begin, Key *keys, size_t n, size_t depth) noexcept nogil:
    """Sort a few keys, whose strings agree in `depth` bytes, by insertion; whether two strings are equal."""
    cdef size_t k, to
    cdef int32_t i, j
    cdef int order
    cdef bint equal = False
    for k in range(1, n):
        # keys[0:k] are sorted.
        i = keys[k].i
        to = k
        while to > 0:
            j = keys[to - 1].i
            order = compare(text + begin[j] + depth, begin[j + 1] - begin[j] - depth,
                            text + begin[i] + depth, begin[i + 1] - begin[i] - depth)
            if order <= 0:
                equal |= order == 0
                break
            keys[to].i = j
            to -= 1
        keys[to].i = i
    return equal


cdef void radix(Key *keys, Key *other, size_t n) noexcept nogil:
    """Sort keys[0:n] by word, least digit first, each digit by counting; other[0:n] is room for it."""
    cdef uint32_t counts[6 * 2048]
    cdef uint32_t *count = counts
    cdef int bits = 11 if n >= MANY else 8, digits = 6 if n >= MANY else 8, values = 2048 if n >= MANY else 256
    cdef uint32_t total, before
    cdef size_t k
    cdef int d, c
    cdef Key *source = keys
    cdef Key *target = other
    memset(counts, 0, digits * values * sizeof(uint32_t))
    for k in range(n):
        for d in range(digits):
            counts[d * values + <int> digit(keys[k].word, d, bits)] += 1
    for d in range(digits):
        count = counts + d * values
        if count[digit(keys[0].word, d, bits)] == n:        # all alike
            continue
        total = 0
        for c in range(values):             # from here on where the next key of this digit goes
            before = total
            total += count[c]
            count[c] = before
        for k in range(n):
            c = digit(source[k].word, d, bits)
            target[count[c]] = source[k]
            count[c] += 1
        source, target = target, source
    if source != keys:
        memcpy(keys, source, n * sizeof(Key))


cdef void by_length(Key *keys, Key *other, size_t n) noexcept nogil:
    """Sort keys[0:n], whose words are one, by how many bytes of it are the string's: the rest of it are zeros."""
    cdef size_t at[WORD + 2]
    cdef size_t k
    memset(at, 0, sizeof(at))
    for k in range(n):
        at[keys[k].bytes + 1] += 1
    for k in range(WORD + 1):
        at[k + 1] += at[k]
    for k in range(n):
        other[at[keys[k].bytes]] = keys[k]
        at[keys[k].bytes] += 1
    memcpy(keys, other, n * sizeof(Key))
