"""All splits of each token into two tokens: the rules behind a rank table.          (beyond the paper)

A rank table gives each token of bytes a rank and no rules: it joins the adjacent two whose concatenation has the lowest.
That is rank BPE on the list of all splits of each token into two tokens, by rank.
Cost  building: one look at each byte; of(i): two look-ups a byte of token i, by hashes that grow with the prefix
"""
from array import array

from libc.string cimport memcmp

from incbpe.hashing cimport longer, mixed, next_power, rest

cdef enum:
    NONE = -1


cdef class Splits:
    """Made by `Dictionary.from_ranks`, of n tokens."""

    def __cinit__(self, uint8_t[::1] text, int32_t[::1] begin, Py_ssize_t n):
        cdef Py_ssize_t i, longest = 0
        self.text, self.begin = text, begin
        self.slots = array("i", [0]) * (4 << max(n, 1).bit_length())
        self.mask = <uint32_t>(self.slots.shape[0] // 2 - 1)
        for i in range(n):
            longest = max(longest, begin[i + 1] - begin[i])
            self.put(<int32_t>i)
        self.powers = array("Q", [1]) * (longest + 1)
        for i in range(longest):
            self.powers[i + 1] = next_power(self.powers[i])

    cdef uint64_t hash_of(self, int32_t i) noexcept nogil:
        cdef uint64_t h = 0
        cdef int32_t k
        for k in range(self.begin[i], self.begin[i + 1]):
            h = longer(h, self.text[k])
        return h

    cdef int put(self, int32_t i) except -1:
        cdef uint64_t h = mixed(self.hash_of(i))
        cdef uint32_t slot = <uint32_t>h & self.mask
        while self.slots[2 * slot]:
            slot = (slot + 1) & self.mask
        self.slots[2 * slot], self.slots[2 * slot + 1] = i + 1, <int32_t>(h >> 33)
        return 0

    cdef int32_t find(self, uint64_t h, Py_ssize_t first, Py_ssize_t last) noexcept nogil:
        cdef uint64_t all_bits = mixed(h)
        cdef uint32_t slot = <uint32_t>all_bits & self.mask
        cdef int32_t tag = <int32_t>(all_bits >> 33), i, place
        while self.slots[2 * slot]:
            i = self.slots[2 * slot] - 1
            place = self.begin[i]
            if (self.slots[2 * slot + 1] == tag and self.begin[i + 1] - place == last - first
                    and not memcmp(&self.text[place], &self.text[first], last - first)):
                return i
            slot = (slot + 1) & self.mask
        return NONE

    cdef Py_ssize_t of(self, int32_t i, int32_t *left, int32_t *right) noexcept nogil:
        cdef Py_ssize_t first = self.begin[i], last = self.begin[i + 1], k, found = 0
        cdef uint64_t whole = self.hash_of(i), prefix = 0
        for k in range(first + 1, last):
            prefix = longer(prefix, self.text[k - 1])
            left[found] = self.find(prefix, first, k)
            if left[found] == NONE:
                continue
            right[found] = self.find(rest(whole, prefix, self.powers[last - k]), k, last)
            if right[found] != NONE:
                found += 1
        return found
