"""What becomes of each code point, in one look-up: a two-stage table of 32-bit fates."""
from libc.stdint cimport int64_t, uint8_t, uint16_t, uint32_t

from subwordio.container cimport Container

# A fate is a kind and a value: FATE(kind, value). Only SELF is 0, so that most pages are one shared page of zeros.
cdef extern from *:
    """
    #define FATE(kind, value) ((uint32_t)(kind) << 24 | (uint32_t)(value))
    #define KIND(fate) ((int)((fate) >> 24))
    #define VALUE(fate) ((fate) & 0x1FFFFF)
    """
    uint32_t FATE(int kind, uint32_t value) noexcept nogil
    int KIND(uint32_t fate) noexcept nogil
    uint32_t VALUE(uint32_t fate) noexcept nogil

cdef enum:
    SELF            # part of a word, unchanged
    LETTER          # part of a word, as the code point `value`
    SPACE           # ends a word
    ALONE_SELF      # a word of its own, unchanged
    ALONE           # a word of its own, as the code point `value`
    DROP            # removed as if it had never been there
    MARK            # removed after canonical ordering took part: combining class `value`
    BREAK           # removed after canonical ordering: class 0, so marks are not ordered across it
    SEQUENCE        # several characters, or one whose class is not 0: pool[value] items, from pool[value + 1] on
    HANGUL          # a syllable, decomposed by arithmetic
    SIGMA           # capital sigma, whose lower case depends on its neighbours

# What a byte of ASCII does: (not) part of a word, and so on.
cdef enum:
    CLOSES = 1      # a word before it ends
    KEPT = 2        # it is written
    ISOLATED = 4    # and ends a word itself
    INSIDE = 8      # a word is open after it
    SILENT = 16     # it changes nothing
    OTHER = 32      # it needs more than a byte: ask `fate`

# An item of a sequence is two words of the pool: a fate (never SELF, ALONE_SELF, SEQUENCE or HANGUL) and a class.


cdef class CharMap:
    cdef Container held             # the file that cells, shared and pool are mapped from, or None
    cdef bint mapped                # they are: nothing is freed. `held` may be gone before this object is
    cdef uint16_t index[0x1100]     # by code point >> 8: the page
    cdef uint32_t *cells            # fates, by page << 8 | code point & 255
    cdef uint8_t *shared            # by page: whether it is uniform and may serve several parts of the index
    cdef size_t pages               # in use
    cdef size_t page_capacity
    cdef uint32_t *pool             # sequences: their length in items, then the items
    cdef size_t pool_length         # in use
    cdef size_t pool_capacity
    cdef readonly size_t widest     # the most bytes that one code point adds to the output, separators included
    cdef uint8_t ascii_acts[256]    # of a byte: a set of the ACTS below
    cdef uint8_t ascii_byte[256]    # of a byte: what it becomes, where it is kept

    # The fate of one code point below 0x110000.
    cdef inline uint32_t fate(self, uint32_t c) noexcept nogil:
        return self.cells[<size_t>self.index[c >> 8] << 8 | c & 255]

    cdef dict to_sections(self)             # the arrays, as a file of sections takes them
    @staticmethod
    cdef CharMap of_container(Container file)       # what `to_sections` gave, in place

    # One page: a copy of another; the one that holds a fate throughout. One character's fate.
    cdef size_t new_page(self, size_t model, bint shared) except 0
    cdef size_t uniform_page(self, uint32_t fate) except -1
    cdef int set(self, uint32_t c, uint32_t fate) except -1
    # Sequences: `append` adds to the n items what c becomes and returns their new number; `sequence` is their fate.
    cdef Py_ssize_t append(self, uint32_t *items, size_t n, uint32_t c) except -1
    cdef int64_t sequence(self, const uint32_t *items, size_t n) except -1

    # The passes. They run from the pipeline's last step to its first, each giving code points the fate that the later
    # steps, already in the map, have for what the earlier step makes of them.
    # `ranges`: rows first, last.
    cdef int fill(self, const uint32_t *ranges, size_t rows, uint32_t fate) except -1
    cdef int isolate(self, const uint32_t *ranges, size_t rows) except -1
    # `classes`: rows first, last, combining class. After fill(…, BREAK) of what is stripped.
    cdef int combine(self, const uint32_t *classes, size_t rows) except -1
    # `groups`: first, last, step, n, c1 … cn, in `words` words; each cn is left alone by the same step.
    cdef int replace(self, const uint32_t *groups, size_t words) except -1
    # After the last pass.
    cdef int finish(self) except -1
