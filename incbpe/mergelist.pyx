"""Merge rules as places of tokens: no Python object is made for a rule.

I1  each product is its left part followed by its right one; no pair stands twice
Cost  12 bytes a rule; a look-up makes the pair that it gives
"""


cdef class MergeList:
    """An immutable sequence of pairs of tokens; it equals a tuple or list of the same ones. Made by `plainjson`."""

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if isinstance(i, slice):
            return tuple([self[k] for k in range(*i.indices(self.n))])
        k = i.__index__()
        k = k + self.n if k < 0 else k
        if not 0 <= k < self.n:
            raise IndexError(f"{i}: there are {self.n} rules")
        return self.tokens[self.left[k]], self.tokens[self.right[k]]

    def __iter__(self):
        cdef int32_t i
        cdef tuple tokens = tuple(self.tokens)
        for i in range(self.n):
            yield tokens[self.left[i]], tokens[self.right[i]]

    def __eq__(self, other):
        if isinstance(other, (tuple, list, MergeList)):
            return len(self) == len(other) and all([a == b for a, b in zip(self, other)])
        return NotImplemented

    def __hash__(self):
        return hash(tuple(self))

    def __repr__(self):
        return f"<MergeList of {self.n} rules>"

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
