"""The composed character map: a whole chain of per-character steps as one look-up.

A normalizer is a chain (clean, isolate, decompose, drop, lower, split), and every step but canonical ordering and the
final sigma looks at one character at a time. So the chain is composed once, for every code point. The map is built
backwards: the pre-tokenizer's classes first; then, for each earlier step, the fate of what that step makes of a
character.

I1  every index entry is a page, and shared pages hold one fate throughout
I2  every sequence lies in the pool, and its items are fates of single characters
Cost  a composition touches about 300 of 4,352 pages and takes about a millisecond; a look-up is two loads.
"""
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset

cdef uint32_t LAST = 0x10FFFF
cdef enum:
    LONGEST = 64            # items of one sequence; the longest known is U+FDFA's 18 characters


cdef inline size_t utf8_width(uint32_t c) noexcept nogil:
    return 1 if c < 0x80 else 2 if c < 0x800 else 3 if c < 0x10000 else 4


cdef class CharMap:
    """A map from code points to fates; empty, every character is an unchanged part of a word.

    >>> CharMap().check()
    """

    def __cinit__(self, Container held=None):
        self.held, self.mapped = held, held is not None
        if self.mapped:
            return
        self.page_capacity = 512
        self.cells = <uint32_t *>malloc(self.page_capacity * 256 * sizeof(uint32_t))
        self.shared = <uint8_t *>malloc(self.page_capacity)
        self.pool_capacity = 4096
        self.pool = <uint32_t *>malloc(self.pool_capacity * sizeof(uint32_t))
        if not (self.cells and self.shared and self.pool):
            raise MemoryError
        memset(self.cells, 0, 256 * sizeof(uint32_t))
        self.shared[0] = 1
        self.pages = 1

    def __dealloc__(self):
        if not self.mapped:
            free(self.cells)
            free(self.shared)
            free(self.pool)

    cdef dict to_sections(self):
        """The map, which is finished, as sections of a file (subwordio.container)."""
        return {"map.index": <bytes> (<char *> self.index)[:sizeof(self.index)],
                "map.cells": <bytes> (<char *> self.cells)[:self.pages * 256 * sizeof(uint32_t)],
                "map.shared": <bytes> (<char *> self.shared)[:self.pages],
                "map.pool": <bytes> (<char *> self.pool)[:self.pool_length * sizeof(uint32_t)]}

    @staticmethod
    cdef CharMap of_container(Container file):
        cdef CharMap self = CharMap(file)
        cdef size_t n
        memcpy(self.index, file.take("map.index", sizeof(self.index), &n), sizeof(self.index))
        self.cells = <uint32_t *> file.take("map.cells", 256 * sizeof(uint32_t), &self.page_capacity)
        self.shared = <uint8_t *> file.take("map.shared", 1, &self.pages)
        self.pool = <uint32_t *> file.take("map.pool", sizeof(uint32_t), &self.pool_length)
        self.pool_capacity = self.pool_length
        if n != 1 or self.pages != self.page_capacity:
            file.fail("its map of characters is of no size that a map can have")
        self.finish()
        return self

    cdef size_t new_page(self, size_t model, bint shared) except 0:
        """A copy of a page; page 0 is never new."""
        cdef uint32_t *cells
        cdef uint8_t *flags
        if self.pages == self.page_capacity:
            cells = <uint32_t *>realloc(self.cells, self.page_capacity * 2 * 256 * sizeof(uint32_t))
            if not cells:
                raise MemoryError
            self.cells = cells
            flags = <uint8_t *>realloc(self.shared, self.page_capacity * 2)
            if not flags:
                raise MemoryError
            self.shared = flags
            self.page_capacity *= 2
        memcpy(&self.cells[self.pages << 8], &self.cells[model << 8], 256 * sizeof(uint32_t))
        self.shared[self.pages] = shared
        self.pages += 1
        return self.pages - 1

    cdef int set(self, uint32_t c, uint32_t fate) except -1:
        cdef size_t page = self.index[c >> 8]
        if self.cells[page << 8 | c & 255] == fate:
            return 0
        if self.shared[page]:
            page = self.new_page(page, False)
            self.index[c >> 8] = <uint16_t>page
        self.cells[page << 8 | c & 255] = fate
        return 0

    cdef size_t uniform_page(self, uint32_t fate) except -1:
        """The page that holds this fate throughout. There are few, made one after another: a scan finds them."""
        cdef size_t page
        cdef int i
        for page in range(self.pages):
            if self.shared[page] and self.cells[page << 8] == fate:
                return page
        page = self.new_page(0, True)
        for i in range(256):
            self.cells[page << 8 | i] = fate
        return page

    cdef int fill(self, const uint32_t *ranges, size_t rows, uint32_t fate) except -1:
        cdef uint32_t c, last
        cdef size_t row
        for row in range(rows):
            c, last = ranges[2 * row], ranges[2 * row + 1]
            while c <= last:
                if c & 255 == 0 and c + 255 <= last:
                    self.index[c >> 8] = <uint16_t>self.uniform_page(fate)
                    c += 256
                else:
                    self.set(c, fate)
                    c += 1
        return 0

    cdef int isolate(self, const uint32_t *ranges, size_t rows) except -1:
        """Put the characters between spaces."""
        cdef uint32_t items[2 * LONGEST]
        cdef uint32_t c, fate, last
        cdef uint32_t self_range[2]
        cdef size_t row, n, page
        for row in range(rows):
            c, last = ranges[2 * row], ranges[2 * row + 1]
            while c <= last:
                page = self.index[c >> 8]
                if c & 255 == 0 and c + 255 <= last and self.shared[page] and self.cells[page << 8] == SELF:
                    self_range[0], self_range[1] = c, c + 255
                    self.fill(self_range, 1, FATE(ALONE_SELF, 0))
                    c += 256
                    continue
                fate = self.fate(c)
                if KIND(fate) == SELF:
                    fate = FATE(ALONE_SELF, 0)
                elif KIND(fate) == LETTER:
                    fate = FATE(ALONE, VALUE(fate))
                elif KIND(fate) in (SEQUENCE, HANGUL):
                    items[0], items[1] = FATE(SPACE, 0), 0
                    n = self.append(items, 1, c)
                    items[2 * n], items[2 * n + 1] = FATE(SPACE, 0), 0
                    fate = <uint32_t>self.sequence(items, n + 1)
                self.set(c, fate)
                c += 1
        return 0

    cdef int combine(self, const uint32_t *classes, size_t rows) except -1:
        """Give the characters a combining class, and those that are stripped (BREAK) a MARK that keeps it."""
        cdef uint32_t items[2 * LONGEST]
        cdef uint32_t c, fate
        cdef size_t row
        for row in range(rows):
            for c in range(classes[3 * row], classes[3 * row + 1] + 1):
                fate = self.fate(c)
                if KIND(fate) == BREAK:
                    self.set(c, FATE(MARK, classes[3 * row + 2]))
                else:
                    if self.append(items, 0, c) != 1:
                        raise ValueError(f"U+{c:04X}: a combining character becomes several")
                    items[1] = classes[3 * row + 2]
                    self.set(c, <uint32_t>self.sequence(items, 1))
        return 0

    cdef int replace(self, const uint32_t *groups, size_t words) except -1:
        """Give each character the fate of its image."""
        cdef uint32_t items[2 * LONGEST]
        cdef const uint32_t *group = groups
        cdef uint32_t c
        cdef size_t i, n
        while group < groups + words:
            for c in range(group[0], group[1] + 1, group[2]):
                n = 0
                for i in range(group[3]):
                    n = self.append(items, n, group[4 + i] + (c - group[0] if i == 0 else 0))
                self.set(c, <uint32_t>self.sequence(items, n))
            group += 4 + group[3]
        return 0

    cdef Py_ssize_t append(self, uint32_t *items, size_t n, uint32_t c) except -1:
        """Add the fate of one character to the n items, less what can have no effect after them; the new n."""
        cdef uint32_t fate = self.fate(c)
        cdef uint32_t one[2]
        cdef const uint32_t *source = one
        cdef size_t count = 1, i
        cdef bint after_starter
        if KIND(fate) == SEQUENCE:
            source = &self.pool[VALUE(fate) + 1]
            count = self.pool[VALUE(fate)]
        elif KIND(fate) == SELF:
            fate = FATE(LETTER, c)
        elif KIND(fate) == ALONE_SELF:
            fate = FATE(ALONE, c)
        elif KIND(fate) in (DROP, HANGUL, SIGMA):
            raise ValueError(f"U+{c:04X}: no image may be a character of kind {KIND(fate)}")
        one[0], one[1] = fate, VALUE(fate) if KIND(fate) == MARK else 0
        for i in range(count):
            # An image's later characters take their source from its first, so a stripped one of them acts on
            # nothing, and one of class 0 only separates marks before it from marks after it.
            after_starter = n > 0 and items[2 * n - 1] == 0
            if n and (KIND(source[2 * i]) == MARK or (KIND(source[2 * i]) == BREAK and after_starter)):
                continue
            if n == LONGEST:
                raise ValueError(f"U+{c:04X}: the image is longer than {LONGEST} characters")
            items[2 * n], items[2 * n + 1] = source[2 * i], source[2 * i + 1]
            n += 1
        return n

    cdef int64_t sequence(self, const uint32_t *items, size_t n) except -1:
        """The fate that stands for these items: a plain one where it can."""
        cdef uint32_t *pool
        cdef size_t at = self.pool_length
        if n == 0:
            return FATE(DROP, 0)
        if n == 1 and (items[1] == 0 or KIND(items[0]) == MARK):
            return items[0]
        if at + 1 + 2 * n > self.pool_capacity:
            pool = <uint32_t *>realloc(self.pool, 2 * self.pool_capacity * sizeof(uint32_t))
            if not pool:
                raise MemoryError
            self.pool = pool
            self.pool_capacity *= 2
        self.pool[at] = <uint32_t>n
        memcpy(&self.pool[at + 1], items, 2 * n * sizeof(uint32_t))
        self.pool_length += 1 + 2 * n
        return FATE(SEQUENCE, <uint32_t>at)

    cdef int finish(self) except -1:
        """Derive `widest` and the tables of ASCII bytes."""
        cdef uint32_t fate
        cdef size_t at = 0, k, width
        cdef int i, kind
        self.widest = 12            # a syllable's three jamo and a space; a character alone is 4 + 2
        while at < self.pool_length:
            width = 0
            for k in range(self.pool[at]):
                fate = self.pool[at + 1 + 2 * k]
                width += utf8_width(VALUE(fate)) + 2
            self.widest = max(self.widest, width)
            at += 1 + 2 * self.pool[at]
        for i in range(256):
            fate = self.fate(<uint32_t>i)
            kind = SEQUENCE if i > 127 else KIND(fate)
            self.ascii_byte[i] = <uint8_t>i
            if kind in (LETTER, ALONE):
                self.ascii_byte[i] = <uint8_t>VALUE(fate)
                kind = SEQUENCE if VALUE(fate) > 127 else SELF if kind == LETTER else ALONE_SELF
            self.ascii_acts[i] = (KEPT | INSIDE if kind == SELF else CLOSES if kind == SPACE else
                                  CLOSES | KEPT | ISOLATED if kind == ALONE_SELF else SILENT if kind == DROP else OTHER)
        return 0

    def check(self):
        """Re-derive I1 and I2; an AssertionError names what does not hold."""
        cdef uint32_t c, at, page, i
        cdef int kind
        for c in range(0, LAST + 1, 256):
            assert self.index[c >> 8] < self.pages, f"I1: U+{c:04X}"
        for page in range(self.pages):
            if self.shared[page]:
                assert all(self.cells[page << 8 | i] == self.cells[page << 8] for i in range(256)), f"I1: page {page}"
        for c in range(LAST + 1):
            if KIND(self.fate(c)) == SEQUENCE:
                at = VALUE(self.fate(c))
                assert at + 1 + 2 * self.pool[at] <= self.pool_length, f"I2: U+{c:04X}"
                for i in range(self.pool[at]):
                    kind = KIND(self.pool[at + 1 + 2 * i])
                    assert kind in (LETTER, SPACE, ALONE, MARK, BREAK), f"I2: U+{c:04X}, item {i} of kind {kind}"
