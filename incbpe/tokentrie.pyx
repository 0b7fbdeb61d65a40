"""The trie of the canonical tokens, breadth first, from a list of them that is sorted ever finer.

The states of a trie are the different prefixes, and breadth first they come by length. Those tokens that begin with
what a state spells are a stretch of one list; sorted by the next byte, the stretch falls apart into those of the
children. Nothing is hashed, and a byte of a token is looked at a fixed number of times.

Cost  the bytes of the canonical tokens.
"""
from libc.stdint cimport int32_t, uint8_t

from incbpe.arrays cimport resized, room
from incbpe.dictionary cimport NONE, ints
from incbpe.normalize cimport Normalized

cdef enum:
    FEW = 24                                # so many tokens are sorted by insertion: less work than 256 counters


cdef class TokenTrie:
    """``TokenTrie(N)``: over bytes, those of UTF-8 where tokens are str."""

    def __cinit__(self, Normalized N not None):
        cdef int32_t v = 0, z, count = 0, level = 0, level_end = 1
        self.dictionary = N.dictionary
        self.tokens, self.spare = ints(N.n), ints(N.n)
        for z in range(self.dictionary.n):
            if N.canonical[z]:
                self.tokens[count] = z
                count += 1
        self.begin, self.end, self.first, self.own, self.label = ints(1), ints(1), ints(1), ints(1), bytearray(1)
        self.add(0, count, 0)
        while v < self.states:
            if v == level_end:
                level, level_end = level + 1, self.states
            self.own[v] = self.take_token(v, level)
            self.first[v] = self.states
            if self.begin[v] < self.end[v]:
                self.sort(v, level)
                self.add_children(v, level)
            v += 1
        self.first = resized(self.first, <Py_ssize_t>v + 1, v)
        self.first[v] = v

    cdef uint8_t byte(self, int32_t i, int32_t level) noexcept nogil:
        return self.dictionary.text[self.dictionary.begin[self.tokens[i]] + level]

    cdef int32_t take_token(self, int32_t v, int32_t level) except -2:
        """Of what begins with what v spells, only the token itself has no more than `level` bytes."""
        cdef int32_t i, z
        for i in range(self.begin[v], self.end[v]):
            z = self.tokens[i]
            if self.dictionary.begin[z + 1] - self.dictionary.begin[z] == level:
                self.tokens[i] = self.tokens[self.begin[v]]
                self.begin[v] += 1
                return z
        return NONE

    cdef int sort(self, int32_t v, int32_t level) except -1:
        cdef int32_t begin = self.begin[v], end = self.end[v], i, j, z
        cdef int b
        if end - begin <= FEW:
            for i in range(begin + 1, end):
                z, b = self.tokens[i], self.byte(i, level)
                j = i
                while j > begin and self.byte(j - 1, level) > b:
                    self.tokens[j] = self.tokens[j - 1]
                    j -= 1
                self.tokens[j] = z
            return 0
        for b in range(257):
            self.place[b] = 0
        for i in range(begin, end):
            self.place[self.byte(i, level) + 1] += 1
        for b in range(256):
            self.place[b + 1] += self.place[b]
        for i in range(begin, end):
            b = self.byte(i, level)
            self.spare[self.place[b]] = self.tokens[i]
            self.place[b] += 1
        for i in range(begin, end):
            self.tokens[i] = self.spare[i - begin]
        return 0

    cdef int add_children(self, int32_t v, int32_t level) except -1:
        """A child for each run of one byte in the sorted group."""
        cdef int32_t i = self.begin[v], end = self.end[v], begin
        cdef int b, half = -1
        while i < end:
            b, begin = self.byte(i, level), i
            while i < end and self.byte(i, level) == b:
                i += 1
            self.add(begin, i, <uint8_t>b)
            self.halves += b >> 4 != half
            half = b >> 4
        self.inner += 1
        return 0

    cdef int add(self, int32_t begin, int32_t end, uint8_t label) except -1:
        cdef int32_t v = self.states
        if v == self.begin.shape[0]:
            self.begin, self.end = room(self.begin, <Py_ssize_t>v + 1, v), room(self.end, <Py_ssize_t>v + 1, v)
            self.first, self.own = room(self.first, <Py_ssize_t>v + 1, v), room(self.own, <Py_ssize_t>v + 1, v)
            labels = bytearray(self.begin.shape[0])
            labels[:v] = self.label
            self.label = labels
        self.begin[v], self.end[v], self.label[v] = begin, end, label
        self.states += 1
        return 0
