"""Merge rules as places of tokens: no Python object is made for a rule.

I1  each product is its left part followed by its right one; no pair stands twice
Cost  12 bytes a rule; a look-up makes the pair that it gives
"""


cdef class MergeList:
    """An immutable sequence of pairs of tokens, made by `plainjson`."""

    cdef object item(self, int32_t i):
        return self.tokens[self.left[i]], self.tokens[self.right[i]]

    cdef str items(self):
        return "rules"

    def __iter__(self):
        cdef int32_t i
        cdef tuple tokens = tuple(self.tokens)
        for i in range(self.n):
            yield tokens[self.left[i]], tokens[self.right[i]]

    def __reduce__(self):
        return tuple, (tuple(self),)

    def check(self):
        """Raise AssertionError unless I1 holds. O(bytes of the rules)."""
        cdef int32_t i
        pairs = list(self)
        for i in range(self.n):
            assert pairs[i][0] + pairs[i][1] == self.tokens[self.product[i]], "I1"
        assert len(set(pairs)) == self.n, "I1"


cdef MergeList merges_of(object tokens, Spelt spelt, int32_t[::1] left, int32_t[::1] right, int32_t[::1] product, int32_t n):
    cdef MergeList self = MergeList()
    self.tokens, self.spelt, self.left, self.right, self.product, self.n = tokens, spelt, left, right, product, n
    return self
