"""Added tokens: the text in segments, each an added token or the text between two of them."""
from libc.stdint cimport int32_t, int64_t, uint8_t

from subwordio.automaton cimport Automaton, FoundBuffer


cdef enum Flag:         # of an added token
    SINGLE_WORD = 1
    LSTRIP = 2
    RSTRIP = 4


cdef struct Segment:
    size_t start        # text[start:stop], in bytes
    size_t stop
    int64_t id          # the id of the added token, or -1: text between


cdef struct SegmentBuffer:
    Segment *data           # malloc'd; NULL while capacity is 0
    size_t length           # entries in use; set it to 0 to use the buffer again
    size_t capacity         # entries that fit without growing
    FoundBuffer found       # what a search found, before the flags; of no meaning between calls


# Make an empty buffer, once, before its first use.
cdef void segments_init(SegmentBuffer *buffer) noexcept nogil
# Give the memory back; the buffer is then empty and may be used again.
cdef void segments_free(SegmentBuffer *buffer) noexcept nogil


cdef class Matcher:
    cdef readonly tuple tokens          # by pattern: the AddedToken
    cdef Automaton automaton
    cdef int32_t[::1] best              # by node of the automaton: the longest pattern that counts, or -1
    cdef int64_t[::1] ids               # by pattern: its id
    cdef int32_t[::1] lengths           # by pattern: its bytes
    cdef uint8_t[::1] flags             # by pattern: SINGLE_WORD | LSTRIP | RSTRIP
    cdef bint empty                     # no pattern counts
    # Append the segments of text[0:n], which is well-formed UTF-8. O(n); the buffers grow with the tokens found.
    cdef int segments_of(self, const uint8_t *text, size_t n, SegmentBuffer *out) except -1 nogil


cdef class AddedTokens:
    cdef readonly tuple tokens          # the AddedTokens, in the order given
    cdef frozenset special              # the contents of the special ones
    cdef object raw                     # (Automaton, the tokens by pattern) of the tokens that are not normalized
    cdef object normalized              # the same of those that are, spelt as the normalizer spells them
    cdef dict matchers                  # by set of allowed special tokens and stage: the Matcher made for it
    # The matcher of the first stage (on raw text) or of the second (on normalized text); None where nothing can match.
    cdef Matcher stage(self, object allowed_special, bint normalized)


# What decides about the flags: a word character beside text[start:stop], and the white space before and behind a place.
cdef bint word_beside(const uint8_t *text, size_t start, size_t stop, size_t n) noexcept nogil
cdef size_t space_begin(const uint8_t *text, size_t lowest, size_t i) noexcept nogil
cdef size_t space_end(const uint8_t *text, size_t i, size_t n) noexcept nogil
