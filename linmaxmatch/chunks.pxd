"""Text between blanks, looked up in a table of fixed size before it is normalized and matched."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from linmaxmatch.layout cimport Automaton
from linmaxmatch.matcher cimport Rules
from linmaxmatch.normalizer cimport Normalizer
from linmaxmatch.words cimport Words
from subwordio.ids cimport IdBuffer

cdef extern from "linmaxmatch/wordcache.h" nogil:
    # One thread's table (wordcache.h). All zeros is one that holds nothing and has no memory yet.
    ctypedef struct WordCache "lmm_cache":
        void *memory
        uint32_t pairs, long_pairs
        uint64_t chunks     # looked up so far
        uint64_t missed     # of those, normalized and matched
        uint64_t slots_read # compared with a chunk, beside its first pair
        bint narrow

cdef struct Engine:                 # what finds the ids of a chunk that is not in the table; always the same for a table
    const Automaton *automaton
    const Rules *rules

# Memory for a table of about so many bytes, of ids up to `last_id`. MemoryError.
cdef int cache_make(WordCache *cache, size_t nbytes, uint32_t last_id) except -1 nogil
cdef size_t cache_nbytes(const WordCache *cache) noexcept nogil
# Give the memory back; what was counted stays.
cdef void cache_free(WordCache *cache) noexcept nogil

# Append the ids of text[position[0]:n], of at least `limit` bytes of it; stops behind a chunk and moves position[0]
# there. As normalizer.run and match_words would, for a normalizer that `cuts_at_blanks`. MemoryError.
cdef int encode_chunks(WordCache *cache, Normalizer normalizer, const Engine *engine, Words *words,
                       const uint8_t *text, size_t n, size_t *position, size_t limit, IdBuffer *out) except -1 nogil
# Assert that each chunk in the table has the ids that normalizing and matching give.
cdef int cache_check(const WordCache *cache, Normalizer normalizer, const Engine *engine) except -1
