"""Tokens of bytes, end to end, and their sorted order: no Python object is made for a token.

Reading a vocabulary and building the automaton ask for tokens in their order of places, or in the sorted one, which puts
beside each other what begins alike. Sorted is by eight bytes at a time, which are one number: what agrees in them is a
group, which is sorted by the next eight.

I1  `begin` rises from 0, and `given` counts the tokens that are not empty
I2  `order` has these once each, and each is at least the one before; equal ones stand by their places
I3  `common` is the length of the longest common beginning of a token and the one before it
Cost  a number for every eight bytes of a token; a look-up by index makes the bytes object that it gives
"""
from array import array

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

cdef enum:
    FEW = 24                    # so many are sorted by insertion
    WORD = 8                    # bytes in a number
    MOST = 0x10000000           # bytes of all tokens, and tokens


cdef class Spelt:
    """``Spelt(tokens)``: an immutable sequence of tokens, each `bytes`; it equals a tuple or list of the same ones.

    >>> tokens = Spelt([b"b", b"", b"ab"])
    >>> tokens[2], list(tokens), len(tokens), tokens.given, tokens == (b"b", b"", b"ab")
    (b'ab', [b'b', b'', b'ab'], 3, 2, True)
    """

    def __cinit__(self, tokens):
        cdef Py_ssize_t i, place = 0
        cdef list parts = list(tokens)
        if len(parts) > MOST:
            raise ValueError(f"{len(parts)} tokens: at most {MOST} are possible")
        self.begin, self.order, self.common = array("i", [0]) * (len(parts) + 1), None, None
        for i, token in enumerate(parts):
            if type(token) is not bytes:
                raise TypeError(f"tokens[{i}]: expected bytes, got {type(token).__name__}")
            place += len(<bytes> token)
            if place > MOST:
                raise ValueError(f"the tokens have more than {MOST} bytes")
            self.begin[i + 1] = <int32_t> place
            self.given += len(<bytes> token) > 0
        self.n, self.text = <int32_t> len(parts), bytearray(b"".join(parts) + bytes(SPARE))

    cdef object item(self, int32_t i):
        return bytes(self.text[self.begin[i]:self.begin[i + 1]])

    cdef str items(self):
        return "tokens"

    def __iter__(self):
        cdef const char *text = <const char *> &self.text[0]
        cdef int32_t i
        for i in range(self.n):
            yield text[self.begin[i]:self.begin[i + 1]]

    def __reduce__(self):
        return Spelt, (tuple(self),)

    def repeated(self):
        """The first token that repeats an earlier one, as (place of the earlier, its own), or None. O(bytes), once.

        >>> Spelt([b"a", b"", b"b", b"", b"a"]).repeated(), Spelt([b"a", b"ab"]).repeated()
        ((0, 4), None)
        """
        cdef int32_t i, z
        cdef int32_t later = self.n, first = 0, run = 0
        self.sort()
        for i in range(1, self.given):
            z = self.order[i]
            if self.common[i] < self.begin[z + 1] - self.begin[z] or not self.same_length(i):
                run = i
            elif z < later:
                later, first = z, self.order[run]
        return None if later == self.n else (first, later)

    cdef bint same_length(self, int32_t i) noexcept:
        cdef int32_t y = self.order[i - 1], z = self.order[i]
        return self.begin[z + 1] - self.begin[z] == self.begin[y + 1] - self.begin[y]

    cdef int sort(self) except -1:
        cdef Entry *entries
        cdef int32_t *waiting
        cdef int32_t i, y, z, count = 0
        if self.order is not None:
            return 0
        order, common = array("i", [0]) * (self.given + 1), array("i", [0]) * (self.given + 1)
        entries = <Entry *> malloc((2 * <size_t> self.given + 1) * sizeof(Entry))
        waiting = <int32_t *> malloc((3 * <size_t> self.given + 3) * sizeof(int32_t))
        if entries == NULL or waiting == NULL:
            free(entries)
            free(waiting)
            raise MemoryError()
        for z in range(self.n):
            if self.begin[z + 1] > self.begin[z]:
                entries[count].token = z
                count += 1
        with nogil:
            self.sort_from(entries, entries + count, waiting)
        self.order, self.common = order, common
        for i in range(count):
            z = entries[i].token
            self.order[i] = z
            if i > 0:
                self.common[i] = <int32_t> alike(
                    &self.text[self.begin[y]], &self.text[self.begin[z]],
                    min(self.begin[y + 1] - self.begin[y], self.begin[z + 1] - self.begin[z]))
            y = z
        free(entries)
        free(waiting)
        return 0

    cdef int sort_from(self, Entry *entries, Entry *spare, int32_t *waiting) except -1 nogil:
        """What waits is groups (from, to, how many bytes are known to be alike), none of them in another."""
        cdef int32_t i, j, k, z, end, done, n = 0
        if self.given > 1:
            waiting[0], waiting[1], waiting[2], n = 0, self.given, 0, 1
        while n > 0:
            n -= 1
            i, end, done = waiting[3 * n], waiting[3 * n + 1], waiting[3 * n + 2]
            for k in range(i, end):
                z = entries[k].token
                entries[k].key = word(&self.text[self.begin[z] + done], self.begin[z + 1] - self.begin[z] - done)
            sort_keys(entries + i, spare, end - i)
            while i < end:
                j = i + 1
                while j < end and entries[j].key == entries[i].key:
                    j += 1
                if j - i > 1:
                    k = i + self.split_run(entries + i, spare, j - i, done)
                    if j - k > 1:
                        waiting[3 * n], waiting[3 * n + 1], waiting[3 * n + 2] = k, j, done + WORD
                        n += 1
                i = j
        return 0

    cdef int32_t split_run(self, Entry *run, Entry *spare, int32_t n, int32_t done) noexcept nogil:
        """Sort what is alike in eight bytes by how many of these it has; how many have no more bytes than that."""
        cdef int32_t[WORD + 2] place
        cdef int32_t i, z, rest, total = 0, count
        memset(place, 0, sizeof(place))
        for i in range(n):
            z = run[i].token
            place[min(self.begin[z + 1] - self.begin[z] - done, WORD + 1)] += 1
        for rest in range(WORD + 2):
            count, place[rest] = place[rest], total
            total += count
        memcpy(spare, run, n * sizeof(Entry))
        for i in range(n):
            z = spare[i].token
            rest = min(self.begin[z + 1] - self.begin[z] - done, WORD + 1)
            run[place[rest]] = spare[i]
            place[rest] += 1
        return place[WORD]

    def check(self):
        """Raise AssertionError unless I1–I3 hold. O(bytes of the tokens).

        >>> Spelt([b"b", b"", b"ab", b"abc", b"b"]).check()
        """
        cdef int32_t i
        parts = list(self)
        assert self.begin[0] == 0 and self.given == sum(map(bool, parts)), "I1"
        self.sort()
        found = [(parts[self.order[i]], self.order[i]) for i in range(self.given)]
        assert found == sorted([(token, i) for i, token in enumerate(parts) if token]), "I2"
        for i in range(1, self.given):
            a, b, k = found[i - 1][0], found[i][0], self.common[i]
            assert a[:k] == b[:k] and a[k:k + 1] != b[k:k + 1] or a == b and k == len(a), "I3"


cdef int sort_keys(Entry *entries, Entry *spare, int32_t n) noexcept nogil:
    """A stable sort: by insertion, or byte by byte, those bytes left out in which all are alike."""
    cdef int32_t[256] place
    cdef int32_t i, j, shift, total, count
    cdef int b
    cdef uint64_t unlike = 0
    cdef Entry entry
    if n <= FEW:
        for i in range(1, n):
            entry, j = entries[i], i
            while j > 0 and entries[j - 1].key > entry.key:
                entries[j] = entries[j - 1]
                j -= 1
            entries[j] = entry
        return 0
    for i in range(1, n):
        unlike |= entries[i].key ^ entries[0].key
    for shift in range(0, 64, 8):
        if unlike >> shift & 255 == 0:
            continue
        memset(place, 0, sizeof(place))
        for i in range(n):
            place[entries[i].key >> shift & 255] += 1
        total = 0
        for b in range(256):
            count, place[b] = place[b], total
            total += count
        memcpy(spare, entries, n * sizeof(Entry))
        for i in range(n):
            b = spare[i].key >> shift & 255
            entries[place[b]] = spare[i]
            place[b] += 1
    return 0


cdef Spelt spelt_of(uint8_t[::1] text, int32_t[::1] begin, int32_t n):
    cdef Spelt self = Spelt(())
    cdef int32_t i
    self.text, self.begin, self.n = text, begin, n
    for i in range(n):
        self.given += begin[i + 1] > begin[i]
    return self
