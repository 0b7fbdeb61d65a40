"""What the patterns take each character for: one class of `grammars.CLASSES`.

A two-stage table over blocks of 64 code points, which the last byte of a UTF-8 sequence tells apart, so that a
character's class is found from its bytes by two loads. It is made when the module is imported, from the sets of
`tables_split.h`, which were asked of the libraries' own engines.

I1  every block's 64 cells lie among those stored, and no two stored blocks are alike
I2  every cell is a class
I3  the ASCII row agrees with the table
Cost  17,408 blocks of which 365 differ: 58 KB, made in a millisecond; a look-up is two loads.
"""
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp

from incbpe.grammars import CLASSES

cdef extern from "incbpe/tables_split.h":
    """
    #define INCBPE_SETS 6
    static const struct {const char *name; const uint32_t (*rows)[3]; size_t n;} incbpe_sets[INCBPE_SETS] = {
        {"number", INCBPE_NUMBERS, INCBPE_NUMBERS_N}, {"mark", INCBPE_MARKS, INCBPE_MARKS_N},
        {"space", INCBPE_SPACES, INCBPE_SPACES_N}, {"upper", INCBPE_UPPER, INCBPE_UPPER_N},
        {"lower", INCBPE_LOWER, INCBPE_LOWER_N}, {"letter", INCBPE_LETTERS, INCBPE_LETTERS_N},
    };
    """
    ctypedef uint32_t row "const uint32_t"
    ctypedef struct named_set:
        const char *name
        const uint32_t (*rows)[3]       # first, last, step
        size_t n
    const size_t INCBPE_SETS
    const named_set incbpe_sets[]

# Characters with a class of their own: those that the patterns name, and the letters of contractions.
SINGLE = {"slash": "/", "quote": "'", "blank": " ", "newline": "\r\n", "s": "sdmt", "l": "l", "r": "rv", "e": "e",
          "S": "SDMT", "L": "L", "R": "RV", "E": "E", "ſ": "ſ"}


cdef class Classes:
    """The table; the module has one, `classes`.

    >>> [Classes().of_character(c) for c in "a /5é \\n"]
    ['lower', 'blank', 'slash', 'number', 'lower', 'blank', 'newline']
    """

    def __cinit__(self):
        cdef size_t k, j
        cdef const uint8_t *seen
        cdef bytearray points = bytearray([CLASSES.index("other")]) * (64 * BLOCKS)     # by code point
        cdef dict found = {}
        for k in range(INCBPE_SETS):
            cls = bytearray([CLASSES.index(incbpe_sets[k].name.decode())])
            for j in range(incbpe_sets[k].n):
                first, last, step = incbpe_sets[k].rows[j]
                points[first:last + 1:step] = cls * ((last - first) // step + 1)
        for name, characters in SINGLE.items():
            for character in characters:
                points[ord(character)] = CLASSES.index(name)
        for k in range(128):
            self.ascii[k] = points[k]
        seen = <const uint8_t *> <const char *> points
        for k in range(BLOCKS):         # most are as the one before
            if k > 0 and memcmp(seen + 64 * k, seen + 64 * (k - 1), 64) == 0:
                self.block[k] = self.block[k - 1]
            else:
                self.block[k] = found.setdefault(bytes(points[64 * k:64 * k + 64]), len(found))
        self.stored = b"".join(found)
        self.cells = self.stored

    def of_character(self, str character not None):
        """The name of a character's class. ValueError for anything but one character that UTF-8 can encode. O(1)."""
        if len(character) != 1 or 0xD800 <= ord(character) < 0xE000:
            raise ValueError(f"expected one character that is no surrogate, got {character!r}")
        return CLASSES[self.of(character.encode())]

    def check(self):
        """Raise AssertionError unless I1–I3 hold. O(the code points).

        >>> Classes().check()
        """
        cdef size_t k
        rows = [self.stored[i:i + 64] for i in range(0, len(self.stored), 64)]
        assert len(set(rows)) == len(rows) and all(self.block[k] < len(rows) for k in range(BLOCKS)), "I1"
        assert max(self.stored) < len(CLASSES), "I2"
        assert all(self.ascii[k] == rows[self.block[k >> 6]][k & 63] for k in range(128)), "I3"


classes = Classes()
