"""The backlog: the live part of the token prefix tree.                       (Section 6; beyond the paper)

While a text is read, T of what will have been read begins with T of the first b symbols, for some b of a few *open*
positions: the criterion says which. Others are *held* by the caller: the text may end there. The tokens that T of all
of these share are final: in the token prefix tree, where parent(b) = b - |θ_b|, they are the path from 0 to the deepest
node that all open and held positions descend from, the root of what is left. A position is *live* if it is open or
held or has a live child. Each knows how many live children it has, and their xor: where one is left, that is the child.
A position that is not live any more retires, and then perhaps its parent.

What a criterion closed it never opens again: a position that is open for a longer text was so for the shorter one, if
it was there. So many symbols may be pushed at once and what has closed be swept out at the end.

Notation   b a position, that after b symbols · θ_b the last token of T of the first b symbols · n the end
I1  0 <= base <= root <= n, all from the base to n is stored, and no list is longer than its array
I2  `opened` lists the open positions, ascending, the end last, and `held` those that are held
I3  of the positions after the root exactly the live ones are counted by their parents, which are not before the root
Cost  a position is pushed, closes, retires and is released at most once each, O(1). Memory: 20 bytes a position from
      the base on, and 8 an open one.
"""
from libc.stdlib cimport free, realloc
from libc.string cimport memmove

from incbpe.dictionary cimport NONE, holds

cdef enum:
    OPEN = 1
    HELD = 2
    STILL_HELD = 4                          # while the held positions are being replaced
    SMALL = 256                             # entries of an array that are not worth giving back
    LARGE = 16384                           # entries of an array that the next text is not to keep


cdef class Backlog:
    """The backlog of the empty text.

    ``Backlog(length, reach)``: the symbols of each token, and how many positions before the end θ looks back at.
    """

    def __cinit__(self, const int32_t[::1] length not None, int64_t reach):
        self.length, self.reach = length, reach
        self.clear()

    def __dealloc__(self):
        free(self.theta)
        free(self.at)
        free(self.opened)
        free(self.held)
        free(self.out)

    cdef int clear(self) except -1 nogil:
        self.give_back()
        self.base = self.root = 0
        self.end = -1
        self.first = self.last = self.n_held = 0
        self.reserve_positions()
        self.reserve_opened()
        self.end = 0
        self.theta[0], self.opened[0], self.last = NONE, 0, 1
        self.at[0].children = self.at[0].together = 0
        self.at[0].flags = OPEN
        return 0

    cdef void give_back(self) noexcept nogil:
        """The memory of a long backlog."""
        if self.room > LARGE or self.opened_room > LARGE:
            free(self.theta)
            free(self.at)
            free(self.opened)
            self.theta, self.at, self.opened = NULL, NULL, NULL
            self.room = self.opened_room = 0
        if self.released == 0 and self.out_room > LARGE:
            free(self.out)
            self.out, self.out_room = NULL, 0

    cdef int64_t parent(self, int64_t b) noexcept nogil:
        cdef int32_t token = self.theta[b - self.base]
        return b - (1 if token == NONE else self.length[token])

    cdef bint is_live(self, int64_t b) noexcept nogil:
        return self.at[b - self.base].flags or self.at[b - self.base].children

    cdef int32_t name(self, int64_t b) noexcept nogil:
        cdef int32_t token = self.theta[b - self.base]
        return ~self.at[b - self.base].symbol if token == NONE else token

    cdef int push(self, int32_t token, int32_t symbol) except -1 nogil:
        cdef int64_t above = self.end + 1 - (1 if token == NONE else self.length[token])
        cdef Position *here
        assert self.root <= above and self.is_live(above)
        self.reserve_positions()
        self.reserve_opened()
        self.end += 1
        self.opened[self.last] = self.end
        self.last += 1
        self.theta[self.end - self.base] = token
        here = &self.at[self.end - self.base]
        here.symbol, here.children, here.together, here.flags = symbol, 0, 0, OPEN
        here = &self.at[above - self.base]
        here.children += 1
        here.together ^= <int32_t>(self.end - above)
        return 0

    cdef int hold_only(self, const int64_t *ends, Py_ssize_t n) except -1 nogil:
        """The new ones are marked before the old ones are let go, so that what is in both never retires."""
        cdef Py_ssize_t k, old = self.n_held
        for k in range(n):
            if not self.root <= ends[k] <= self.end or not self.is_live(ends[k]):
                with gil:
                    raise ValueError(f"position {ends[k]} is no possible end any more")
        if n > self.held_room:
            self.held = <int64_t *>resized(self.held, n + SMALL, sizeof(int64_t))
            self.held_room = n + SMALL
        for k in range(n):
            self.at[ends[k] - self.base].flags |= STILL_HELD
        for k in range(old):
            self.at[self.held[k] - self.base].flags &= ~HELD
            self.retire(self.held[k])
        for k in range(n):
            self.at[ends[k] - self.base].flags = self.at[ends[k] - self.base].flags & OPEN | HELD
            self.held[k] = ends[k]
        self.n_held = n
        return 0

    cdef int close(self, int64_t b) except -1 nogil:
        self.at[b - self.base].flags &= ~OPEN
        return self.retire(b)

    cdef int retire(self, int64_t b) except -1 nogil:
        cdef int64_t above
        while b != self.root and not self.is_live(b):
            above = self.parent(b)
            assert self.root <= above and self.at[above - self.base].children > 0
            self.at[above - self.base].children -= 1
            self.at[above - self.base].together ^= <int32_t>(b - above)
            b = above
        return 0

    cdef int keep_from(self, int64_t b) except -1 nogil:
        while self.first < self.last and self.opened[self.first] < b:
            self.close(self.opened[self.first])
            self.first += 1
        return 0

    cdef int begin_sweep(self) noexcept nogil:
        self.kept = self.seen = self.first
        return 0

    cdef bint reached(self, int64_t b) except -1 nogil:
        while self.seen < self.last and self.opened[self.seen] < b:
            self.close(self.opened[self.seen])
            self.seen += 1
        return self.seen < self.last and self.opened[self.seen] == b

    cdef int keep(self) noexcept nogil:
        self.opened[self.kept] = self.opened[self.seen]
        self.kept += 1
        self.seen += 1
        return 0

    cdef int end_sweep(self) except -1 nogil:
        self.reached(self.end)
        self.keep()
        self.last = self.kept
        return 0

    cdef int64_t next_final(self) noexcept nogil:
        cdef Position *here = &self.at[self.root - self.base]
        return NONE if here.flags or here.children != 1 else self.root + here.together

    cdef int step(self) except -1 nogil:
        self.reserve_out(1)
        self.root = self.next_final()
        self.out[self.released] = self.name(self.root)
        self.released += 1
        return 0

    cdef int advance(self) except -1 nogil:
        while self.next_final() != NONE:
            self.step()
        return 0

    cdef int finish(self, int64_t e) except -1 nogil:
        cdef int64_t b = e
        cdef Py_ssize_t tokens = 0, place
        if not self.root <= e <= self.end or not self.is_live(e):
            with gil:
                raise ValueError(f"position {e} is no possible end")
        while b != self.root:
            b = self.parent(b)
            tokens += 1
        self.reserve_out(tokens)
        self.released += tokens
        place = self.released
        b = e
        while b != self.root:
            place -= 1
            self.out[place] = self.name(b)
            b = self.parent(b)
        return self.clear()

    cdef int reserve_positions(self) except -1 nogil:
        """Drop what neither the backlog nor θ needs where that is half of all; else take more memory."""
        cdef Py_ssize_t n = self.end - self.base + 1, dropped, room = self.room
        if n < room:
            return 0
        dropped = max(0, min(self.root, self.end - self.reach) - self.base)
        if dropped > room // 2:
            n -= dropped
            memmove(self.theta, self.theta + dropped, n * sizeof(int32_t))
            memmove(self.at, self.at + dropped, n * sizeof(Position))
            self.base += dropped
            if room > SMALL and n < room // 8:      # a long backlog is gone
                room //= 4
        else:
            room = 2 * room + SMALL
        if room != self.room:
            self.theta = <int32_t *>resized(self.theta, room, sizeof(int32_t))
            self.at = <Position *>resized(self.at, room, sizeof(Position))
            self.room = room
        return 0

    cdef int reserve_opened(self) except -1 nogil:
        """Move the list to its array's front where half is free; else take more memory."""
        cdef Py_ssize_t n = self.last - self.first, room = self.opened_room
        if self.last < room:
            return 0
        if room == 0 or n > room // 2:
            room = 2 * room + SMALL
        elif room > SMALL and n < room // 8:
            room //= 4
        if n:
            memmove(self.opened, self.opened + self.first, n * sizeof(int64_t))
        self.first, self.last = 0, n
        if room != self.opened_room:
            self.opened = <int64_t *>resized(self.opened, room, sizeof(int64_t))
            self.opened_room = room
        return 0

    cdef int reserve_out(self, Py_ssize_t extra) except -1 nogil:
        cdef Py_ssize_t room = self.released + extra
        if room > self.out_room:
            room += room // 2 + SMALL
            self.out = <int32_t *>resized(self.out, room, sizeof(int32_t))
            self.out_room = room
        return 0

    @property
    def nbytes(self):
        """The memory in use, in bytes."""
        return (self.room * (sizeof(int32_t) + sizeof(Position)) + (self.opened_room + self.held_room) * sizeof(int64_t)
                + self.out_room * sizeof(int32_t))

    def check(self):
        """Raise AssertionError unless I1–I3 hold. O(stored positions)."""
        cdef int64_t b
        cdef Position here
        cdef dict children = {}
        cdef list opened = [self.opened[i] for i in range(self.first, self.last)]
        holds("I1", 0 <= self.base <= self.root <= self.end and self.end - self.base < self.room, self.end)
        holds("I1", self.last <= self.opened_room and self.n_held <= self.held_room and self.released <= self.out_room,
              self.end)
        holds("I2", opened == sorted(set(opened)) and max(opened) == self.end, opened)
        flagged = [b for b in range(self.root, self.end + 1) if self.at[b - self.base].flags & OPEN]
        holds("I2", opened == flagged, opened)
        held = {self.held[i] for i in range(self.n_held)}
        holds("I2", held == {b for b in range(self.root, self.end + 1) if self.at[b - self.base].flags & HELD}, held)
        for b in range(self.root + 1, self.end + 1):
            if self.is_live(b):
                children.setdefault(self.parent(b), []).append(b)
        for b in range(self.root, self.end + 1):
            here, live = self.at[b - self.base], children.pop(b, [])
            together = 0
            for child in live:
                together ^= child - b
            holds("I3", here.children == len(live) and here.together == together, b)
        holds("I3", not children, children)


cdef void *resized(void *data, Py_ssize_t entries, size_t size) except NULL nogil:
    """realloc, or MemoryError; then the old memory is as it was."""
    cdef void *memory = realloc(data, entries * size)
    if memory == NULL:
        with gil:
            raise MemoryError(f"a backlog of {entries} entries")
    return memory
