"""The splitter as the engine sees it from C."""
cimport cython
from libc.stdint cimport uint8_t

from incbpe.classes cimport Classes

cdef enum:
    WIDTH = 32              # columns of `step`; grammars.WIDTH
    WORD = 1                # the state inside a word
    HERE = 32               # what a step may say instead of a state: the piece ends before this character
    AT_MARK = 33            # it ended at the mark
    AFTER = 34              # it ends after this character
    MAY_NOW = 1             # bits of `possible`: in this state the piece may yet end where the text has come to
    MAY_MARK = 2            # at the mark
    MAY_LATER = 4           # further on


@cython.final
cdef class Splitter:
    cdef readonly str pattern           # the name of the grammar
    cdef readonly str unicode           # the library that it is exact to
    cdef readonly object machine        # grammars.Machine, from which the tables below are copied
    cdef Classes classes
    cdef uint8_t step[1024]             # by state * WIDTH + class: the next state, or HERE, AT_MARK, AFTER
    cdef uint8_t at_end[32]             # by state: HERE or AT_MARK, where the piece ends if the text does
    cdef uint8_t possible[32]           # by state: a set of MAY_…
    cdef uint8_t plain                  # states below leave the mark alone
    cdef uint8_t before                 # states from `plain` to here move it before the character, those above after it
    cdef bint capitals                  # a word keeps capitals as well as small letters
    cdef uint8_t close[32]              # by state: HERE or AT_MARK, where the piece ends if a chunk does (cutrules)
    cdef bint cuttable                  # texts have certain cuts
    cdef bint lines                     # also at the beginning of lines
    cdef bint slash                     # but not before a slash
    cdef bint apart                     # also between a sign and a letter or line break behind it
    cdef bint alike                     # a text's end closes as a chunk's does; else not behind a blank or other space
    cdef bint whole                     # the pattern "none": every text is one piece

    # The end of the piece that begins at `start` < n. text[0:n] is well-formed UTF-8, and the text ends at n.
    cdef size_t piece_end(self, const uint8_t *text, size_t start, size_t n) noexcept nogil
    # The same of any bytes: a maximal run of bytes that no well-formed character begins or goes on in is one U+FFFD.
    cdef size_t piece_end_of_bytes(self, const uint8_t *text, size_t start, size_t n) noexcept nogil
    # The same as piece_end, where text[start:n] is a chunk, or the rest of one.
    cdef size_t chunk_piece_end(self, const uint8_t *text, size_t start, size_t n) noexcept nogil
    # The same, or 0 where it is not decided: the text goes on at n.
    cdef size_t closed_end(self, const uint8_t *text, size_t start, size_t n) noexcept nogil
    # Whether a text, of which text[0:n] is the last chunk, ends as a chunk does.
    cdef bint ends_as_chunk(self, const uint8_t *text, size_t n) noexcept nogil
    # Of well-formed text: the ends of the first `room` pieces from `start` on, or of all there are; their number.
    cdef size_t piece_ends(self, const uint8_t *text, size_t start, size_t n, size_t *ends, size_t room) noexcept nogil
