"""The trie of some tokens, breadth first, from their sorted list.

The states of a trie are the different prefixes, and breadth first they come by length. Those tokens that begin with
what a state spells are a stretch of the sorted list, and the shortest of them is first. The others fall apart where two
that stand side by side have no more in common than the state's length: into the stretches of the children.

Cost  the bytes of the tokens that are taken, and those of all tokens where their order is not known yet.
"""
from incbpe.arrays cimport NONE, ints, nones, resized


cdef class TokenTrie:
    """``TokenTrie(spelt, chosen=None)``: of the tokens that `chosen` marks, by place, or of all, which do not repeat."""

    def __cinit__(self, Spelt spelt not None, const uint8_t[::1] chosen=None):
        self.take(spelt, chosen)
        self.fill(spelt)
        self.tokens = self.common = None

    cdef int take(self, Spelt spelt, const uint8_t[::1] chosen) except -1:
        """The tokens that count, and how many states they spell."""
        cdef int32_t i, z, least = 0, count = 0
        spelt.sort()
        self.tokens, self.common = ints(spelt.given), ints(spelt.given)
        self.states = 1
        for i in range(spelt.given):
            z, least = spelt.order[i], min(least, spelt.common[i])
            if chosen is None or chosen[z]:
                self.tokens[count], self.common[count] = z, least
                self.states += spelt.begin[z + 1] - spelt.begin[z] - least
                count += 1
                least = spelt.begin[z + 1] - spelt.begin[z]
        self.tokens, self.common = resized(self.tokens, count, count), resized(self.common, count, count)
        return count

    cdef int fill(self, Spelt spelt) except -1:
        cdef int32_t[::1] tokens = self.tokens, common = self.common, place = spelt.begin
        cdef int32_t[::1] begin = ints(self.states), end = ints(self.states)    # by state: its stretch
        cdef int32_t[::1] above = nones(self.states)                # by state: the longest token that it goes on from
        cdef int32_t v, i, j, u = 1, level = 0, level_end = 1, longest
        cdef int half, last
        self.first, self.own, self.prefix = ints(<Py_ssize_t> self.states + 1), nones(self.states), nones(spelt.n)
        self.label = bytearray(self.states)
        end[0] = 0 if self.states == 1 else <int32_t> tokens.shape[0]
        for v in range(self.states):
            # states below u are known, which have up to `level` + 1 bytes
            if v == level_end:
                level, level_end = level + 1, u
            i, longest, self.first[v] = begin[v], above[v], u
            if i < end[v] and place[tokens[i] + 1] - place[tokens[i]] == level:
                self.own[v], self.prefix[tokens[i]] = tokens[i], longest
                longest = tokens[i]
                i += 1
            self.inner += i < end[v]
            last = NONE
            while i < end[v]:
                j, i = i, i + 1
                while i < end[v] and common[i] > level:
                    i += 1
                begin[u], end[u], above[u] = j, i, longest
                self.label[u] = spelt.text[place[tokens[j]] + level]
                half = self.label[u] >> 4
                self.halves += half != last
                last = half
                u += 1
        self.first[self.states] = u
        return 0
