"""Text between blanks, looked up in a table of bounded size before it is normalized and matched."""
from libc.stdint cimport int64_t, uint8_t, uint32_t

from linmaxmatch.layout cimport Automaton
from linmaxmatch.matcher cimport Rules
from linmaxmatch.normalizer cimport Normalizer
from linmaxmatch.words cimport Words
from subwordio.chunktable cimport Table
from subwordio.ids cimport IdBuffer

cdef extern from "linmaxmatch/longchunks.h" nogil:
    ctypedef struct LongTable "lmm_long_table":
        void *memory

cdef struct Cache:                  # one thread's; all zeros is one that holds nothing and has no memory yet
    Table table                     # of chunks
    LongTable longs                 # of those that have no room there

cdef struct Engine:                 # what finds the ids of a chunk that is not in the table; always the same for a table
    const Automaton *automaton
    const Rules *rules

cdef struct Texts:                  # several in one; the last byte of each is a blank
    const size_t *ends              # where they end: text i is [ends[i - 1], ends[i])
    size_t count
    int64_t *bounds                 # bounds[i] becomes the number of ids up to the end of text i

# Memory for about so many bytes in all, for ids up to `last_id`. MemoryError.
cdef int cache_make(Cache *cache, size_t nbytes, uint32_t last_id) except -1 nogil
cdef size_t cache_nbytes(const Cache *cache) noexcept nogil
# Give the memory back; what was counted stays.
cdef void cache_free(Cache *cache) noexcept nogil

# Append the ids of text[position[0]:n], of at least `limit` bytes of it; stops behind a chunk and moves position[0]
# there. As normalizer.run and match_words would, for a normalizer that `cuts_at_blanks`. `texts` is NULL,
# or says what the whole of `text` is made of. MemoryError.
cdef int encode_chunks(Cache *cache, Normalizer normalizer, const Engine *engine, Words *words,
                       const uint8_t *text, size_t n, size_t *position, size_t limit, const Texts *texts,
                       IdBuffer *out) except -1 nogil
# Assert that each chunk in the table has the ids that normalizing and matching give.
cdef int cache_check(const Cache *cache, Normalizer normalizer, const Engine *engine) except -1
