"""The bytes of every token by its id, and the id of a piece that is a token."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from incbpe.spelt cimport Spelt
from subwordio.container cimport Container
from subwordio.text cimport ByteBuffer

cdef extern from "incbpe/lookup.h" nogil:
    ctypedef struct Slot "incbpe_slot":
        uint64_t key
        uint32_t id
        uint16_t length
        uint16_t alone
    enum:
        BUCKET "INCBPE_BUCKET"      # slots of a bucket
        SHORT "INCBPE_SHORT"        # bytes of which a key is made of nothing else
    uint64_t key_of "incbpe_key"(const uint8_t *at, size_t length, size_t readable) noexcept
    uint32_t bucket_of "incbpe_bucket"(uint64_t key, size_t length, uint32_t buckets) noexcept
    void prefetch "incbpe_prefetch"(const void *address) noexcept
    void *line_of "incbpe_line"(void *memory) noexcept      # the first cache line that begins at `memory` or behind it
    bint same "incbpe_same"(const void *a, const void *b, size_t n) noexcept

cdef enum:
    NO_ID = 0xFFFFFFFF


cdef class TokenTable:
    cdef readonly uint32_t size         # ids are 0 .. size - 1
    cdef readonly uint32_t longest      # bytes of the longest token
    cdef readonly Py_ssize_t nbytes     # of memory
    cdef object held                    # the file whose memory the arrays are, or None
    cdef bint mapped                    # they are a file's: nothing is freed. `held` may be gone before this object is
    cdef uint8_t *text                  # the tokens end to end, by id, and eight more bytes
    cdef uint32_t *begin                # by id: token i is text[begin[i]:begin[i + 1]]; size + 1 entries
    cdef void *memory                   # of its own, in which the slots are
    cdef Slot *slots                    # BUCKET * buckets of them; a token's is in the first bucket with room from its own
    cdef uint32_t buckets               # a power of two

    # The slot of the piece at[0:length], of the bucket and the key that it has; NULL: no token. length > 0.
    cdef inline const Slot *slot(self, const uint8_t *at, size_t length, uint64_t key, uint32_t bucket) noexcept nogil:
        cdef const Slot *slot
        cdef size_t k
        while True:
            slot = self.slots + BUCKET * <size_t> bucket
            for k in range(BUCKET):
                if slot[k].key == key and slot[k].length == length and (
                        length <= SHORT or same(self.text + self.begin[slot[k].id], at, length)):
                    return slot + k
            if slot[BUCKET - 1].length == 0:
                return NULL
            bucket = (bucket + 1) & (self.buckets - 1)

    cdef uint32_t find(self, const uint8_t *at, size_t length) noexcept nogil       # the id, or NO_ID
    cdef object nameless(self, str where, object id, object others)
    cdef dict to_sections(self)         # the arrays, as a file of sections takes them
    @staticmethod
    cdef TokenTable of_container(Container file, uint32_t longest)                  # what `to_sections` gave, in place
    cdef int build(self, Spelt spelt, const uint8_t *alone) except -1
    cdef int enter(self, uint32_t id, size_t length, uint64_t key, uint32_t bucket, bint alone) except -1
    # Append the bytes of the tokens of n ids; returns n, or the place of the first id that names no token.
    cdef Py_ssize_t spell(self, const uint32_t *ids, Py_ssize_t n, ByteBuffer *out) except -1 nogil
