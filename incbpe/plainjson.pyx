"""The vocabulary and the merges of a tokenizer.json, all in one go: no Python object is made for a token or a rule.

Both are most of such a file. They are cut out of it, and read here if they are plain; the rest is little, and read as any
JSON is. Whatever is not plain is left to `incbpe.tokenizer_json`, which looks at everything one by one and says what is
wrong. Plain are names without surrogates whose ids count from 0 in their order, none empty or given twice; and rules of
one kind, two names with one space between or an array of two, whose names and product are in the vocabulary, no pair given
twice.

Cost  one look at each byte, and a look-up for each part and product
"""
cimport cython
from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_FromStringAndSize, PyByteArray_Resize
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int64_t, uint32_t
from libc.string cimport memcmp, memset

from incbpe.arrays cimport ints, resized, room
from incbpe.hashing cimport pair_hash
from incbpe.jsonscan cimport MISS, blanks, is_key, member_value, take_number, take_string, value_end
from incbpe.mergelist cimport MergeList, merges_of
from incbpe.spelt cimport SPARE, spelt_of
from incbpe.tokens cimport NO_ID

from incbpe.bytemap import ALPHABET

cdef enum:
    LONGEST = 16384             # bytes of a name
    MOST = 4194304              # names
    ALPHABET_SIZE = 0x144       # characters up to the alphabet's last


def plain_model(bytes data not None, size_t start):
    """The parts of the file data[start:], UTF-8, a `PlainModel`; or None where they are not plain."""
    cdef PlainModel self = PlainModel()
    cdef const uint8_t *text = <const uint8_t *> PyBytes_AS_STRING(data)
    if not self.take_model(text, start) or self.vocab.end == 0 or self.rules.end == 0:
        return None
    self.rest = (data[start:self.vocab.begin] + b"{}" + data[self.vocab.end:self.rules.begin] + b"[]"
                 + data[self.rules.end:])
    return self


cdef class PlainModel:
    """Names by id and rules, as `plain_model` found them."""

    cdef bint take_model(self, const uint8_t *text, size_t i) except -1:
        """The members of the member "model" of the object at i."""
        cdef Extent key
        cdef bint found = False
        i = blanks(text, i)
        if text[i] != 0x7B:
            return False
        i = blanks(text, i + 1)
        while True:
            i = member_value(text, i, &key)
            if i == MISS:
                return False
            if is_key(text, key, b"model"):
                if found or text[i] != 0x7B:
                    return False
                found, i = True, self.take_members(text, i)
            else:
                i = value_end(text, i)
            if i == MISS:
                return False
            i = blanks(text, i)
            if text[i] != 0x2C:
                return found
            i = blanks(text, i + 1)

    cdef size_t take_members(self, const uint8_t *text, size_t i) except? 0:
        """The vocabulary and, behind it, the merges of the object at i; behind it, or MISS."""
        cdef Extent key
        cdef size_t end
        i = blanks(text, i + 1)
        while True:
            i = member_value(text, i, &key)
            if i == MISS:
                return MISS
            if is_key(text, key, b"vocab"):
                end = self.take_vocab(text, i) if self.vocab.end == 0 else MISS
                self.vocab = Extent(i, end)
            elif is_key(text, key, b"merges"):
                end = self.take_merges(text, i) if self.vocab.end > 0 and self.rules.end == 0 else MISS
                self.rules = Extent(i, end)
            else:
                end = value_end(text, i)
            if end == MISS:
                return MISS
            i = blanks(text, end)
            if text[i] != 0x2C:
                return i + 1 if text[i] == 0x7D else MISS
            i = blanks(text, i + 1)

    cdef size_t take_vocab(self, const uint8_t *text, size_t i) except? 0:
        """The object at i; behind it, or MISS."""
        cdef size_t n = 0, before, room_for = 1 << 16
        cdef int64_t id
        cdef int32_t count = 0
        cdef int32_t[::1] begin = ints(1024)
        cdef bytearray spelt = bytearray(room_for)
        if text[i] != 0x7B:
            return MISS
        while count == 0 or text[i] == 0x2C:
            # `count` names are in `spelt`, whose next one stands behind i
            if n + LONGEST + SPARE > room_for:
                room_for *= 2
                PyByteArray_Resize(spelt, <Py_ssize_t> room_for)
            before = n
            i = take_string(text, blanks(text, i + 1), <uint8_t *> PyByteArray_AS_STRING(spelt), &n, n + LONGEST)
            if i == MISS or n == before or count == MOST:
                return MISS
            i = blanks(text, i)
            if text[i] != 0x3A:
                return MISS
            i = take_number(text, blanks(text, i + 1), &id)
            if i == MISS or id != count:
                return MISS
            count += 1
            if count >= begin.shape[0]:
                begin = room(begin, 2 * <Py_ssize_t> count, count)
            begin[count] = <int32_t> n
            i = blanks(text, i)
        if text[i] != 0x7D:
            return MISS
        PyByteArray_Resize(spelt, <Py_ssize_t> n + SPARE)
        memset(PyByteArray_AS_STRING(spelt) + n, 0, SPARE)
        self.names = spelt_of(spelt, begin, count)
        if self.names.repeated() is not None:
            return MISS
        self.table = TokenTable(self.names)
        return i + 1

    cdef size_t take_merges(self, const uint8_t *text, size_t i) except? 0:
        """The array at i; behind it, or MISS."""
        cdef size_t n, middle
        cdef bint arrays
        cdef bytearray held = bytearray(2 * LONGEST + SPARE)
        cdef uint8_t *rule = <uint8_t *> PyByteArray_AS_STRING(held)
        if text[i] != 0x5B:
            return MISS
        self.left, self.right, self.product = ints(1024), ints(1024), ints(1024)
        i = blanks(text, i + 1)
        arrays = text[i] == 0x5B
        if text[i] == 0x5D:
            return i + 1
        while True:
            n = middle = 0
            i = take_two(text, i, rule, &middle, &n) if arrays else take_spaced(text, i, rule, &middle, &n)
            if i == MISS or middle == 0 or middle >= n:
                return MISS
            if self.n == self.left.shape[0]:
                self.left, self.right = room(self.left, 2 * <Py_ssize_t> self.n, self.n), room(self.right, 2 * <Py_ssize_t> self.n, self.n)
                self.product = room(self.product, 2 * <Py_ssize_t> self.n, self.n)
            if not self.take_rule(rule, middle, n):
                return MISS
            i = blanks(text, i)
            if text[i] != 0x2C:
                return i + 1 if text[i] == 0x5D and self.no_pair_twice() else MISS
            i = blanks(text, i + 1)

    cdef bint take_rule(self, const uint8_t *rule, size_t middle, size_t n) except -1 nogil:
        cdef int32_t x = self.find(rule, middle, -1), y = self.find(rule + middle, n - middle, -1), z
        z = self.find(rule, n, self.product[self.n - 1] if self.n > 0 else -1)
        if x < 0 or y < 0 or z < 0:
            return False
        self.left[self.n], self.right[self.n], self.product[self.n] = x, y, z
        self.n += 1
        return True

    cdef int32_t find(self, const uint8_t *name, size_t n, int32_t guess) noexcept nogil:
        """The id of a name, or -1. Files mostly list rules by product, so that `guess` or the next id is often right."""
        cdef int32_t k
        cdef uint32_t found
        if guess >= 0:
            for k in range(guess, min(guess + 2, self.names.n)):
                if <size_t> (self.names.begin[k + 1] - self.names.begin[k]) == n and not memcmp(
                        &self.names.text[self.names.begin[k]], name, n):
                    return k
        found = self.table.find(name, n)
        return -1 if found == NO_ID else <int32_t> found

    cdef bint no_pair_twice(self) except -1:
        cdef int32_t i, k
        cdef uint32_t slots = 16, slot
        cdef int32_t[::1] there
        while slots < 2 * <uint32_t> self.n:
            slots *= 2
        there = ints(slots)
        for i in range(self.n):
            slot = pair_hash(self.left[i], self.right[i]) & (slots - 1)
            while there[slot]:
                k = there[slot] - 1
                if self.left[k] == self.left[i] and self.right[k] == self.right[i]:
                    return False
                slot = (slot + 1) & (slots - 1)
            there[slot] = i + 1
        self.left, self.right = resized(self.left, self.n, self.n), resized(self.right, self.n, self.n)
        self.product = resized(self.product, self.n, self.n)
        return True

    def id_of(self, name: str) -> int:
        """The id of a name, or -1. O(length)"""
        cdef bytes spelt = name.encode("utf-8", "surrogatepass")
        return self.find(<const uint8_t *> <const char *> spelt, len(spelt), -1)

    def uses(self, ids) -> bool:
        """Whether a rule has one of these, or makes it. O(rules)"""
        cdef uint8_t[::1] marked = bytearray(self.names.n)
        cdef int32_t i
        for id in ids:
            marked[id] = 1
        for i in range(self.n):
            if marked[self.left[i]] or marked[self.right[i]] or marked[self.product[i]]:
                return True
        return False

    def texts(self) -> tuple:
        """The names as str, by id."""
        cdef int32_t i
        cdef int32_t[::1] begin = self.names.begin
        cdef const char *text = <const char *> &self.names.text[0]
        return tuple([PyUnicode_DecodeUTF8(text + begin[i], begin[i + 1] - begin[i], NULL) for i in range(self.names.n)])

    def spelt_bytes(self):
        """The bytes that the names spell in the byte alphabet, a `Spelt`; None where one spells none."""
        cdef int32_t[ALPHABET_SIZE] byte_of
        cdef const uint8_t[::1] text = self.names.text
        cdef int32_t[::1] begin = ints(<Py_ssize_t> self.names.n + 1)
        cdef bytearray spelt = PyByteArray_FromStringAndSize(NULL, <Py_ssize_t> text.shape[0])
        cdef uint8_t *out = <uint8_t *> PyByteArray_AS_STRING(spelt)
        cdef int32_t i, k, n = 0, code
        for k in range(ALPHABET_SIZE):
            byte_of[k] = -1
        for k, character in enumerate(ALPHABET):
            byte_of[<int32_t> ord(character)] = k
        for i in range(self.names.n):
            k = self.names.begin[i]
            while k < self.names.begin[i + 1]:
                code = text[k]
                if code >= 0x80:
                    if code >= 0xE0:
                        return None
                    k += 1
                    code = (code & 31) << 6 | text[k] & 63
                k += 1
                if code >= ALPHABET_SIZE or byte_of[code] < 0:
                    return None
                out[n] = <uint8_t> byte_of[code]
                n += 1
            begin[i + 1] = n
        memset(out + n, 0, SPARE)
        del spelt[n + SPARE:]
        return spelt_of(spelt, begin, self.names.n)

    def merges(self, tokens) -> MergeList:
        """The rules, of tokens by id."""
        return merges_of(tokens, tokens if isinstance(tokens, Spelt) else self.names, self.left, self.right, self.product, self.n)


cdef size_t take_two(const uint8_t *text, size_t i, uint8_t *rule, size_t *middle, size_t *n) noexcept nogil:
    """Both strings of the array at i, end to end in rule[0:n], of which the first are rule[0:middle]; behind it, or MISS."""
    if text[i] != 0x5B:
        return MISS
    i = take_string(text, blanks(text, i + 1), rule, n, LONGEST)
    if i == MISS:
        return MISS
    i = blanks(text, i)
    middle[0] = n[0]
    if text[i] != 0x2C:
        return MISS
    i = take_string(text, blanks(text, i + 1), rule, n, 2 * LONGEST)
    if i == MISS:
        return MISS
    i = blanks(text, i)
    return i + 1 if text[i] == 0x5D else MISS


cdef size_t take_spaced(const uint8_t *text, size_t i, uint8_t *rule, size_t *middle, size_t *n) noexcept nogil:
    """Both names of the string at i, which has one space and is no header, likewise."""
    cdef size_t k = 0
    i = take_string(text, i, rule, n, 2 * LONGEST)
    if i == MISS or n[0] >= 8 and memcmp(rule, b"#version", 8) == 0:
        return MISS
    while k < n[0] and rule[k] != 0x20:
        k += 1
    if k == n[0]:
        return MISS
    middle[0] = k
    for k in range(middle[0] + 1, n[0]):
        if rule[k] == 0x20:
            return MISS
        rule[k - 1] = rule[k]
    n[0] -= 1
    return i


@cython.final
cdef class Ids:
    """The ids of the names, as far as a reader of the file's other parts asks for them."""
    cdef PlainModel model

    def __cinit__(self, PlainModel model not None):
        self.model = model

    def get(self, name, default=None):
        """The id of a name. O(length)"""
        id = self.model.id_of(name)
        return default if id < 0 else id

    def __contains__(self, name):
        return self.model.id_of(name) >= 0

    def __getitem__(self, name):
        id = self.model.id_of(name)
        if id < 0:
            raise KeyError(name)
        return id

    def __len__(self):
        return self.model.names.n


@cython.final
cdef class Names:
    """The names by id, and further ones."""
    cdef Spelt names
    cdef list more

    def __cinit__(self, PlainModel model not None):
        self.names, self.more = model.names, []

    def append(self, name):
        """A further name."""
        self.more.append(name)

    def __getitem__(self, i):
        return self.names[i].decode() if i < self.names.n else self.more[i - self.names.n]

    def __len__(self):
        return self.names.n + len(self.more)
