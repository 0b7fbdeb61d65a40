"""The engine's loops: Algorithm 1 over words laid end to end, without the GIL."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memchr

from linmaxmatch.cells cimport cell_t, link_of
from linmaxmatch.layout cimport NOWHERE, ONE_TOKEN, TOKEN, Automaton, Failure
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

cdef inline size_t characters(const uint8_t *s, size_t n) noexcept nogil:
    cdef size_t k, count = 0
    for k in range(n):
        count += (s[k] & 0xC0) != 0x80
    return count

cdef inline size_t pop(const Automaton *a, uint32_t F, uint32_t *ids, size_t length) noexcept nogil:
    """Write the list F behind ids[:length]; the new length. Every pop is at least one byte of the word."""
    cdef const uint32_t *pops
    cdef uint32_t k
    if F & ONE_TOKEN:
        ids[length] = F ^ ONE_TOKEN
        return length + 1
    pops = a.pops + F
    for k in range(pops[0]):
        ids[length + k] = pops[1 + k]
    return length + pops[0]

cdef inline bint fail(const Automaton *a, cell_t *u, uint32_t *ids, size_t *length) noexcept nogil:
    """The failure move from u: F(u) goes behind ids[:length], and u becomes f(u). False, and no change, if that is ∅."""
    cdef uint32_t link = link_of(u[0])
    cdef const Failure *failure
    if link & TOKEN:
        ids[length[0]] = link ^ TOKEN
        length[0] += 1
        u[0] = a.cells[a.suffix_root]
        return True
    failure = a.failures + link
    if failure.f == NOWHERE:
        return False
    length[0] = pop(a, failure.F, ids, length[0])
    u[0] = a.cells[failure.f]
    return True

cdef inline bint too_long(const Rules *rules, const uint8_t *word, size_t n) noexcept nogil:
    return n > rules.cap and (rules.cap_in_bytes or characters(word, n) > rules.cap)

# Appends the ids of the words in s[0:n], each followed by one 0x20. The work is added to `steps`, which may be NULL.
cdef int match_words(const Automaton *a, const Rules *rules, const uint8_t *s, size_t n, IdBuffer *out,
                     Steps *steps) except -1 nogil
