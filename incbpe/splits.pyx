"""All splits of each token into two tokens: the rules behind a rank table.          (beyond the paper)

A rank table gives each token of bytes a rank and no rules: it joins the adjacent two whose concatenation has the lowest.
That is rank BPE on the list of all splits of each token into two tokens, by rank.
The left part of a split is one of the tokens that z begins with, the right part one of those that it ends with, and
both lengths together are that of z: as the left parts get longer, the right ones get shorter.
Cost  one look at each token that another begins or ends with
"""
from incbpe.arrays cimport NONE, ints, resized, room


cdef class Splits:
    """``Splits(prefix, shorter, length, n)``: of the first n tokens, whose longest other prefix and suffix are known."""

    def __cinit__(self, prefix not None, shorter not None, length not None, int32_t n):
        self.fill(prefix, shorter, length, n)

    cdef int fill(self, const int32_t[::1] prefix, const int32_t[::1] shorter, const int32_t[::1] length, int32_t n) except -1:
        cdef int32_t z, x, y, both, depth = 0, rules = 0, longest = 0
        cdef int32_t[::1] left                  # the tokens that z begins with, the shortest last
        for z in range(n):
            longest = max(longest, length[z])
        left = ints(longest)
        self.x, self.y, self.z = ints(3 * <Py_ssize_t> n), ints(3 * <Py_ssize_t> n), ints(3 * <Py_ssize_t> n)
        for z in range(n):
            x, y, depth = prefix[z], shorter[z], 0
            while x != NONE:
                left[depth] = x
                depth += 1
                x = prefix[x]
            if self.x.shape[0] < <Py_ssize_t> rules + depth:
                self.x, self.y = room(self.x, <Py_ssize_t> rules + depth, rules), room(self.y, <Py_ssize_t> rules + depth, rules)
                self.z = room(self.z, <Py_ssize_t> rules + depth, rules)
            while depth > 0 and y != NONE:
                x = left[depth - 1]
                both = length[x] + length[y]
                if both == length[z]:
                    self.x[rules], self.y[rules], self.z[rules] = x, y, z
                    rules += 1
                if both <= length[z]:
                    depth -= 1
                if both >= length[z]:
                    y = shorter[y]
        self.rules = rules
        self.x, self.y = resized(self.x, rules, rules), resized(self.y, rules, rules)
        self.z = resized(self.z, rules, rules)
        return 0
