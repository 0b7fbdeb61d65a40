"""Sequences that make an item when it is asked for: what is alike in them.

Cost  that of the items
"""


cdef class Listing:
    """An immutable sequence of n items; it equals a tuple, a list or a sequence of its kind with the same ones."""

    cdef object item(self, int32_t i):
        raise NotImplementedError

    cdef str items(self):
        raise NotImplementedError

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if isinstance(i, slice):
            return tuple([self[k] for k in range(*i.indices(self.n))])
        k = i.__index__()
        k = k + self.n if k < 0 else k
        if not 0 <= k < self.n:
            raise IndexError(f"{i}: there are {self.n} {self.items()}")
        return self.item(k)

    def __eq__(self, other):
        if isinstance(other, (tuple, list, type(self))):
            return len(self) == len(other) and all([a == b for a, b in zip(self, other)])
        return NotImplemented

    def __hash__(self):
        return hash(tuple(self))

    def __repr__(self):
        return f"<{type(self).__name__} of {self.n} {self.items()}>"
