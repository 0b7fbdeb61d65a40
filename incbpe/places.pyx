"""Where the states of a trie find their children in one array of cells.          (Section 5.2)

A state with children has a *base*, a number of its own, and its child by the byte b is in the cell base ^ b: a child's cell
and its byte say whose it is. The root's base is 0, and the first 256 cells are its own, whether it has such children or not,
so that there is a cell for every byte. The others are placed in the first free cells that fit among a
few, or else in a new block. Those with many children, which are hard to place, come first; then the others, depth first, so
that what is read one after the other lies side by side, and free cells that many of these in a row could not use are given
up: building is linear whatever the vocabulary.

I1  every state with a child has a base, which no other state has; the root's is 0, and others have 256 or more
I2  no two children have one cell, and all cells are below `size`
Cost  building: O(states). Memory: 8 bytes a cell while it is built; on real vocabularies nearly every cell is in use
"""
from libc.stdint cimport int32_t, uint8_t

from incbpe.arrays cimport NONE, ints, room
from incbpe.tokentrie cimport TokenTrie

cdef enum:
    BLOCK = 256                 # cells that one base can lead to
    CHAIN = 2                   # children up to which states are placed depth first
    ATTEMPTS = 32               # free cells that a state tries
    CHILD = 1                   # bits of `taken`
    BASE = 2
    MOST = 0x8000000            # cells: bases have 27 bits


cdef class Places:
    """``Places(trie)``: places for the states of a trie.

    >>> from incbpe.spelt import Spelt
    >>> from incbpe.tokentrie import TokenTrie
    >>> Places(TokenTrie(Spelt([b"a", b"aa", b"aaa"]))).size
    512
    """

    def __cinit__(self, TokenTrie trie not None):
        cdef int32_t[::1] waiting
        cdef int32_t v, child, n
        self.trie = trie
        self.base, self.taken, self.after, self.before = ints(trie.states), bytearray(BLOCK), ints(BLOCK), ints(BLOCK)
        self.size = BLOCK               # the root's; cell 0 is where the ring of free cells begins and ends
        self.base[:] = NONE
        self.base[0] = 0
        for v in range(1, trie.states):
            if trie.first[v + 1] - trie.first[v] > CHAIN:
                self.place(v, False)
        waiting, n = ints(trie.states), 1       # depth first: waiting[n - 1] is next
        while n > 0:
            v, n = waiting[n - 1], n - 1
            if 0 < trie.first[v + 1] - trie.first[v] <= CHAIN and v > 0:
                self.place(v, True)
            for child in range(trie.first[v + 1] - 1, trie.first[v] - 1, -1):
                waiting[n] = child
                n += 1
        self.taken = self.after = self.before = None

    cdef int place(self, int32_t v, bint easy) except -1:
        """In the first free cells that fit; those that an easy state could not use for long are given up."""
        cdef uint8_t b = self.trie.label[self.trie.first[v]]
        cdef int32_t cell = self.after[0], tries = 0
        while cell != 0 and not self.fits(v, cell ^ b):
            cell = self.after[cell]
            tries += 1
            if tries == ATTEMPTS:
                if not easy:
                    cell = 0
                    break
                self.after[0], self.before[cell] = cell, 0
                tries = 0
        if cell == 0:
            cell = self.size ^ b
            self.grow()
        return self.take(v, cell ^ b)

    cdef bint fits(self, int32_t v, int32_t base) noexcept:
        cdef int32_t child
        if self.taken[base] & BASE:
            return False
        for child in range(self.trie.first[v], self.trie.first[v + 1]):
            if self.taken[base ^ self.trie.label[child]] & CHILD:
                return False
        return True

    cdef int take(self, int32_t v, int32_t base) except -1:
        cdef int32_t child, cell
        self.base[v] = base
        self.taken[base] |= BASE
        for child in range(self.trie.first[v], self.trie.first[v + 1]):
            cell = base ^ self.trie.label[child]
            self.taken[cell] |= CHILD
            self.after[self.before[cell]] = self.after[cell]
            self.before[self.after[cell]] = self.before[cell]
        return 0

    cdef int grow(self) except -1:
        cdef int32_t cell, last = 0, following = self.after[0]
        cdef bytearray longer
        if self.size >= MOST - BLOCK:
            from incbpe.dictionary import DictionaryError   # which stands above

            raise DictionaryError(f"{self.trie.states} states: the automaton needs more than {MOST} cells")
        self.after = room(self.after, <Py_ssize_t> self.size + BLOCK, self.size)
        self.before = room(self.before, <Py_ssize_t> self.size + BLOCK, self.size)
        if self.taken.shape[0] < self.after.shape[0]:
            longer = bytearray(self.after.shape[0])
            longer[:self.size] = self.taken[:self.size]
            self.taken = longer
        for cell in range(self.size, self.size + BLOCK):
            self.after[last], self.before[cell] = cell, last
            last = cell
        self.after[last], self.before[following] = following, last
        self.size += BLOCK
        return 0

    def check(self) -> None:
        """Assert I1 and I2. O(states)."""
        cdef int32_t v, child
        bases, cells = set(), set()
        for v in range(self.trie.states):
            if v > 0 and self.trie.first[v] == self.trie.first[v + 1]:
                sure("I1", self.base[v] == NONE, v)
                continue
            sure("I1", self.base[v] not in bases and (self.base[v] >= BLOCK or v == self.base[v] == 0), v)
            bases.add(self.base[v])
            for child in range(self.trie.first[v], self.trie.first[v + 1]):
                cell = self.base[v] ^ self.trie.label[child]
                sure("I2", cell < self.size and cell not in cells and (v == 0 or cell >= BLOCK), (v, cell))
                cells.add(cell)


cdef int sure(str invariant, bint condition, object witness) except -1:
    if not condition:
        raise AssertionError(f"{invariant} does not hold: {witness!r}")
    return 0
