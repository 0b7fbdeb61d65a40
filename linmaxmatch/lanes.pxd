"""Several stretches of words matched side by side, without the GIL."""
from libc.stdint cimport uint8_t, uint32_t

from linmaxmatch.layout cimport Automaton
from linmaxmatch.matcher cimport Rules
from subwordio.ids cimport IdBuffer

# Writes the ids of the words in s[ends[k - 1]:ends[k]] (from 0 on for k = 0), each followed by one 0x20, behind
# ids[ends[k - 1]:] for every k < parts, and their number in counts[k]: room for as many ids as bytes. Seven bytes behind the
# last may be read. Returns the steps taken, each an edge, a failure move or a word's end. `by` is the way (vectors.h). For
# rules without `split_unknown` and `before`.
cdef size_t match_parts(const Automaton *a, const Rules *rules, const uint8_t *s, const size_t *ends, size_t parts,
                        uint32_t *ids, size_t *counts, int by) noexcept nogil
# As matcher.match_words, of which seven bytes behind s[0:n] may be read: side by side where there is enough to share out.
cdef int match_many(const Automaton *a, const Rules *rules, const uint8_t *s, size_t n, IdBuffer *out) except -1 nogil
