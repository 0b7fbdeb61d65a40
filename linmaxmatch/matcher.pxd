"""The engine's loops: Algorithm 1 over words laid end to end, without the GIL."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memchr

from linmaxmatch.layout cimport Automaton
from subwordio.ids cimport IdBuffer

cdef struct Rules:
    uint32_t unk                # the id of <unk>
    size_t cap                  # a longer word is one <unk>
    bint cap_in_bytes           # whether `cap` counts bytes, not characters
    bint split_unknown          # <unk> for each character that no token has, not for the whole word
    uint32_t start              # the state where a word begins: r, or r♯ where its first piece is written already
    size_t before               # ids of the word that are: they fall with it

cdef struct Steps:
    uint64_t edges              # symbols read along an edge
    uint64_t moves              # failure moves, those at a word's end included

cdef inline size_t char_width(uint8_t lead) noexcept nogil:
    """The bytes of the character of UTF-8 that begins with `lead`; 1 for the 0xFF that stands for a space."""
    return 1 if lead < 0x80 or lead == 0xFF else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4

cdef inline size_t word_end(const uint8_t *s, size_t i, size_t n) noexcept nogil:
    """Where the first 0x20 of s[i:n] stands, which is known to hold one."""
    return <size_t> memchr(s + i, 0x20, n - i) - <size_t> s

# Appends the ids of the words in s[0:n], each followed by one 0x20. The work is added to `steps`, which may be NULL.
cdef int match_words(const Automaton *a, const Rules *rules, const uint8_t *s, size_t n, IdBuffer *out,
                     Steps *steps) except -1 nogil
