"""The tokens by id, and the way back: whole pieces and decoding.

The tokens' bytes stand end to end; a table of buckets leads from the bytes of a token to its id. No Python object is
kept for a token, which is what keeps a large vocabulary small.

I1  token i is text[begin[i]:begin[i + 1]]; an empty one is no token
I2  every token is found in the table, under its id, and nothing else is in it
I3  a token's slot is in its own bucket or behind full ones
Cost  O(bytes of the tokens); a look-up is O(length), of a piece longer than every token O(1)
"""
from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from incbpe.dictionary import DictionaryError
from subwordio.errors import TokenIdError, no_token

from incbpe.spelt cimport SPARE, Spelt
from subwordio.container cimport Container
from subwordio.ids cimport IdBuffer, fill_buffer, ids_free
from subwordio.largepages cimport table_alloc
from subwordio.text cimport ByteBuffer, bytes_free, bytes_reserve

cdef enum:
    LONGEST = 65535             # bytes of a token: lengths are 16 bits
    AHEAD = 16                  # tokens that are entered at once
    MOST = 0x10000000           # tokens, and their bytes in all


cdef class TokenTable:
    """``TokenTable(tokens, alone=None)``: the tokens by id, as bytes; an empty one: the id names no token.

    `alone`, by id: whether a piece that is this token is encoded as it; None: always. Without tokens, None, it is empty.

    >>> table = TokenTable([b"a", b"", b"the"])
    >>> table, table.id(b"the"), table.bytes(0), table.join([2, 0])
    (<TokenTable of 3 ids>, 2, b'a', b'thea')
    """

    def __cinit__(self, tokens, alone=None):
        if tokens is None:
            return
        cdef Spelt spelt = tokens if isinstance(tokens, Spelt) else Spelt(tokens)
        cdef bytes flags = b"\1" * len(spelt) if alone is None else bytes(alone)
        if len(flags) != len(spelt):
            raise ValueError(f"alone: {len(flags)} flags for {len(spelt)} tokens")
        if len(spelt) > MOST:
            raise DictionaryError(f"{len(spelt)} tokens: at most {MOST} are taken")
        self.size = <uint32_t> spelt.n
        self.build(spelt, flags)

    def __dealloc__(self):
        if not self.mapped:
            free(self.text)
            free(self.begin)
            free(self.memory)

    cdef dict to_sections(self):
        return {"token.text": <bytes> (<char *> self.text)[:self.begin[self.size] + SPARE],
                "token.begin": <bytes> (<char *> self.begin)[:(self.size + 1) * sizeof(uint32_t)],
                "token.slots": <bytes> (<char *> self.slots)[:BUCKET * <size_t> self.buckets * sizeof(Slot)]}

    @staticmethod
    cdef TokenTable of_container(Container file, uint32_t longest):
        cdef TokenTable self = TokenTable(None)
        cdef size_t nbytes, places, buckets
        self.held, self.mapped, self.longest = file, True, longest
        self.text = <uint8_t *> file.take("token.text", 1, &nbytes)
        self.begin = <uint32_t *> file.take("token.begin", sizeof(uint32_t), &places)
        self.slots = <Slot *> file.take("token.slots", BUCKET * sizeof(Slot), &buckets)
        if not 1 <= places <= MOST + 1 or self.begin[places - 1] + SPARE != nbytes:
            file.fail(f"its tokens do not fill {nbytes} bytes")
        if not 1 <= buckets <= MOST or buckets & (buckets - 1):
            file.fail("its table of tokens is of no size that such a table can have")
        self.size, self.buckets = <uint32_t> (places - 1), <uint32_t> buckets
        self.nbytes = nbytes + places * sizeof(uint32_t) + BUCKET * buckets * sizeof(Slot)
        return self

    cdef int build(self, Spelt spelt, const uint8_t *alone) except -1:
        cdef size_t i, k, many, total = spelt.begin[spelt.n], length
        cdef uint64_t[AHEAD] keys
        cdef uint32_t[AHEAD] buckets
        for i in range(self.size):
            length = spelt.begin[i + 1] - spelt.begin[i]
            if length > LONGEST:
                raise DictionaryError(f"token {i} has {length} bytes: at most {LONGEST} are taken")
            self.longest = max(self.longest, <uint32_t> length)
        if total > MOST:
            raise DictionaryError(f"the tokens have {total} bytes: at most {MOST} are taken")
        self.buckets = 1
        while BUCKET * 3 * <size_t> self.buckets < 4 * <size_t> self.size:       # three of four slots are used
            self.buckets *= 2
        self.text = <uint8_t *> malloc(total + SPARE)
        self.begin = <uint32_t *> malloc((self.size + 1) * sizeof(uint32_t))
        self.memory = table_alloc((BUCKET * <size_t> self.buckets + BUCKET) * sizeof(Slot))
        if self.text == NULL or self.begin == NULL or self.memory == NULL:
            raise MemoryError()
        self.slots = <Slot *> line_of(self.memory)
        memset(self.slots, 0, BUCKET * <size_t> self.buckets * sizeof(Slot))
        self.nbytes = total + SPARE + (self.size + 1) * sizeof(uint32_t) + BUCKET * self.buckets * sizeof(Slot)
        memcpy(self.text, &spelt.text[0], total)
        memset(self.text + total, 0, SPARE)
        for i in range(self.size + 1):
            self.begin[i] = <uint32_t> spelt.begin[i]
        for i in range(0, self.size, AHEAD):        # some at once, so that none waits for the memory of its bucket
            many = min(<size_t> AHEAD, self.size - i)
            for k in range(many):
                length = self.begin[i + k + 1] - self.begin[i + k]
                if length > 0:
                    keys[k] = key_of(self.text + self.begin[i + k], length, length + SPARE)
                    buckets[k] = bucket_of(keys[k], length, self.buckets)
                    prefetch(self.slots + BUCKET * <size_t> buckets[k])
            for k in range(many):
                length = self.begin[i + k + 1] - self.begin[i + k]
                if length > 0:
                    self.enter(<uint32_t> (i + k), length, keys[k], buckets[k], alone[i + k])
        return 0

    cdef int enter(self, uint32_t id, size_t length, uint64_t key, uint32_t bucket, bint alone) except -1:
        cdef Slot *slot
        cdef const Slot *found = self.slot(self.text + self.begin[id], length, key, bucket)
        cdef size_t k
        if found != NULL:
            raise DictionaryError(f"the tokens {found.id} and {id} are the same: {self.bytes(id)!r}")
        while True:
            slot = self.slots + BUCKET * <size_t> bucket
            for k in range(BUCKET):
                if slot[k].length == 0:
                    slot[k].key, slot[k].id, slot[k].length, slot[k].alone = key, id, <uint16_t> length, alone
                    return 0
            bucket = (bucket + 1) & (self.buckets - 1)

    cdef uint32_t find(self, const uint8_t *at, size_t length) noexcept nogil:
        cdef uint64_t key
        cdef const Slot *slot
        if length == 0 or length > self.longest:
            return NO_ID
        key = key_of(at, length, length)
        slot = self.slot(at, length, key, bucket_of(key, length, self.buckets))
        return NO_ID if slot == NULL else slot.id

    cdef Py_ssize_t spell(self, const uint32_t *ids, Py_ssize_t n, ByteBuffer *out) except -1 nogil:
        cdef Py_ssize_t i
        cdef uint32_t begin, length
        for i in range(n):
            if ids[i] >= self.size:
                return i
            begin = self.begin[ids[i]]
            length = self.begin[ids[i] + 1] - begin
            if length == 0:
                return i
            bytes_reserve(out, length)
            memcpy(out.data + out.length, self.text + begin, length)
            out.length += length
        return n

    def id(self, token: bytes) -> int:
        """The id of a token. KeyError where there is none; O(length)."""
        found = self.find(token, len(token))
        if found == NO_ID:
            raise KeyError(token)
        return found

    cdef object nameless(self, str where, object id, object others):
        """The error for an id that names no token, neither here nor in `others`. O(others)"""
        return no_token(where, id, max(self.size, max(others or (), default=-1) + 1))

    def bytes(self, id: int, others=None) -> bytes:
        """The bytes of the token of an id. TokenIdError where it names none; its range has `others` in it. O(length)."""
        cdef uint32_t i
        if not 0 <= id < self.size or self.begin[id] == self.begin[id + 1]:
            raise self.nameless("", id, others)
        i = id
        return (<const char *> self.text)[self.begin[i]:self.begin[i + 1]]

    def join(self, ids, others=None) -> bytes:
        """The bytes of the tokens of some ids, end to end; `others` spells those that are not in the table.

        TokenIdError names the place of an id that names no token.
        """
        cdef IdBuffer numbers = IdBuffer(NULL, 0, 0)
        cdef ByteBuffer out = ByteBuffer(NULL, 0, 0)
        cdef Py_ssize_t i = 0
        cdef bytes other
        try:
            take_ids(&numbers, ids)
            while True:
                # out has the tokens of the first i ids
                i += self.spell(numbers.data + i, numbers.length - i, &out)
                if i == <Py_ssize_t> numbers.length:
                    return PyBytes_FromStringAndSize(<const char *> out.data, out.length)
                other = None if others is None else others.get(numbers.data[i])
                if other is None:
                    raise self.nameless(f"ids[{i}]: ", numbers.data[i], others)
                bytes_reserve(&out, len(other))
                memcpy(out.data + out.length, <const uint8_t *> other, len(other))
                out.length += len(other)
                i += 1
        finally:
            ids_free(&numbers)
            bytes_free(&out)

    def split(self, ids, others=None) -> list:
        """The tokens of some ids, as `join` has them, each by itself; those of `others` as they are spelt there."""
        cdef IdBuffer numbers = IdBuffer(NULL, 0, 0)
        cdef Py_ssize_t i
        cdef uint32_t id
        cdef list found = []
        try:
            take_ids(&numbers, ids)
            for i in range(<Py_ssize_t> numbers.length):
                id = numbers.data[i]
                if id < self.size and self.begin[id] < self.begin[id + 1]:
                    found.append((<const char *> self.text)[self.begin[id]:self.begin[id + 1]])
                elif others is not None and id in others:
                    found.append(others[id])
                else:
                    raise self.nameless(f"ids[{i}]: ", id, others)
            return found
        finally:
            ids_free(&numbers)

    def tokens(self) -> list[bytes]:
        """All tokens by id; b"" where an id names none."""
        cdef uint32_t i
        return [(<const char *> self.text)[self.begin[i]:self.begin[i + 1]] for i in range(self.size)]

    def __repr__(self) -> str:
        return f"<TokenTable of {self.size} ids>"

    def check(self) -> None:
        """Assert I1–I3. O(bytes of the tokens)."""
        cdef uint32_t i, length, used = 0, empty = 0, bucket
        cdef size_t k
        cdef uint64_t key
        for i in range(self.size):
            assert self.begin[i] <= self.begin[i + 1], f"I1: {i}"
            length = self.begin[i + 1] - self.begin[i]
            empty += length == 0
            assert length == 0 or self.find(self.text + self.begin[i], length) == i, f"I2: {i}"
        for k in range(BUCKET * <size_t> self.buckets):
            used += self.slots[k].length > 0
        assert used == self.size - empty, f"I2: {used} slots"
        for k in range(BUCKET * <size_t> self.buckets):
            if self.slots[k].length == 0:
                continue
            key = self.slots[k].key
            bucket = bucket_of(key, self.slots[k].length, self.buckets)
            while bucket != k // BUCKET:
                assert self.slots[BUCKET * <size_t> bucket + BUCKET - 1].length > 0, f"I3: {self.slots[k].id}"
                bucket = (bucket + 1) & (self.buckets - 1)



cdef int take_ids(IdBuffer *buffer, object ids) except -1:
    """Append some ids; a number that can be none is a TokenIdError."""
    try:
        return fill_buffer(buffer, ids)
    except ValueError as error:
        raise TokenIdError(str(error)) from None
