"""What ends the stages of a stream: ids, which come one by one, and unknown symbols become what `Pieces` makes of them.

An unknown token waits while the symbols that follow may be unknown too, and one with it.
Cost  O(1) an id
"""
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcpy

from incbpe.piece cimport work_bytes, work_free
from incbpe.tokens cimport NO_ID
from subwordio.ids cimport ids_free, ids_push, ids_reserve
from subwordio.text cimport bytes_free, bytes_reserve

cdef enum:
    KEPT_BYTES = 1048576        # scratch above this is given back where a part ends


cdef class LastStage(Stage):
    """What the last stages share."""

    def __dealloc__(self):
        work_free(&self.work)
        bytes_free(&self.text)
        ids_free(&self.out)

    cdef int put_token(self, uint32_t id) except -1:
        """A token of the text, and before it the unknown token that waits."""
        self.put_waiting()
        return self.append(id)

    cdef int put_waiting(self) except -1:
        if self.waiting:
            self.waiting = False
            self.append(self.pieces.unknown.unk)
        return 0

    cdef int append(self, uint32_t id) except -1:
        ids_reserve(&self.out, 1)
        ids_push(&self.out, id)
        return 0

    cdef int put_unknown(self, const uint8_t *symbol, size_t n) except -1:
        """What becomes of a symbol that is no token: as `Pieces.spell` has it."""
        cdef size_t i
        if self.pieces.unknown.refuse:
            raise ValueError(f"the vocabulary has no token for {bytes(symbol[:n])!r}")
        if self.pieces.falls_back(symbol, 0, n):
            for i in range(n):
                self.append(self.pieces.unknown.bytes[symbol[i]])
        elif self.pieces.unknown.unk != NO_ID:
            if not self.pieces.unknown.fuse:
                self.put_waiting()
            self.waiting = True
        return 0

    cdef int put_id(self, uint32_t id) except -1:
        return self.put_token(id)

    cdef int pause(self) except -1:
        return 0

    cdef size_t hold(self, const uint8_t *text, size_t i, size_t n, size_t block) except? 0xFFFFFFFFFFFFFFFF:
        cdef size_t k = min(n - i, block)
        while i + k < n and text[i + k] & 0xC0 == 0x80:
            k -= 1
        bytes_reserve(&self.text, k)
        memcpy(self.text.data + self.text.length, text + i, k)
        self.text.length += k
        return i + k

    cdef void trim(self) noexcept:
        self.text.length = 0
        if self.text.capacity > 2 * BLOCK:
            bytes_free(&self.text)
        if work_bytes(&self.work) > KEPT_BYTES:
            work_free(&self.work)

    def check(self):
        """Nothing is to be said of these."""

    cdef size_t memory(self) except 1:
        return work_bytes(&self.work) + self.text.capacity + 4 * self.out.capacity
