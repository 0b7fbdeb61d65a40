"""From a text to ids without the GIL: what one call and each thread of a batch run."""
from libc.stdint cimport int32_t, uint8_t, uint32_t

from linmaxmatch.chunks cimport Cache, Engine
from linmaxmatch.layout cimport Layout
from linmaxmatch.matcher cimport Rules, Steps
from linmaxmatch.normalizer cimport Normalizer
from linmaxmatch.vocabulary cimport Vocabulary
from linmaxmatch.words cimport Words
from subwordio.added cimport Matcher, SegmentBuffer
from subwordio.batch cimport Kernel
from subwordio.ids cimport IdBuffer

cdef struct Scratch:            # what one call works in; kept from call to call
    Words words                 # normalized words of the present part of the text
    Words plain                 # a part of the text normalized and not yet split
    SegmentBuffer raw           # the text cut at added tokens
    SegmentBuffer normalized    # `plain` cut at added tokens
    IdBuffer ids                # where tokens are only counted
    Cache cache                 # made once this scratch has seen enough text; only `encode_words` uses it
    size_t seen                 # bytes of text before that, short ones counted several times

cdef struct Aligned:            # four lists of one length, an entry a token
    IdBuffer ids
    IdBuffer starts             # bytes of the text's UTF-8
    IdBuffer ends
    IdBuffer words              # the number of the token's word, from 0 in the text
    uint32_t word               # the next word's number

cdef void free_aligned(Aligned *out) noexcept


cdef class Pipeline(Kernel):
    cdef Normalizer normalizer          # of the text
    cdef Normalizer splitter            # of text that is normalized already; None without normalized added tokens
    cdef Layout layout
    cdef Rules rules
    cdef Matcher raw                    # added tokens that count in the text itself; None: none do
    cdef Matcher normalized             # those that count in the normalized text; None: none do
    cdef Vocabulary vocabulary
    cdef int32_t[::1] begin             # by id of the vocabulary: the token has begin[id + 1] - begin[id] bytes
    cdef bytes unk                      # <unk> in UTF-8
    cdef const uint8_t *unk_bytes       # its bytes
    cdef bytes indicator                # ♯ in UTF-8, a space of it as layout.place has it
    cdef const uint8_t *indicator_bytes     # its bytes
    cdef size_t marker                  # how many
    cdef bint literals                  # whether r has the tokens spelt ♯…, so that a word may start with ♯
    cdef uint32_t short_id              # the longest token that ♯ starts with: its id
    cdef size_t short_bytes             # and its bytes; 0 where there is none
    cdef size_t cache_bytes             # of each scratch's table of chunks; 0: none has one
    cdef uint32_t last_id               # no id of the vocabulary is above
    cdef Engine engine                  # what the table's chunks are matched by

    cdef Pipeline with_added(self, Matcher raw, Matcher normalized)     # the same with other added tokens
    # Append the ids of a text of n bytes of UTF-8; and with them, where in the text each token stands.
    cdef int encode_utf8(self, const uint8_t *text, size_t n, IdBuffer *out, void *scratch) except -1 nogil
    cdef int align_utf8(self, const uint8_t *text, size_t n, Aligned *out, void *scratch) except -1 nogil
    # The number of a text's tokens, or some number over `most` where there are more.
    cdef size_t count_utf8(self, const uint8_t *text, size_t n, size_t most, void *scratch) except? 0xFFFFFFFFFFFFFFFF nogil
    # The same of text[0:n] without raw added tokens; it begins at byte `origin` of the whole text.
    cdef int encode_piece(self, const uint8_t *text, size_t n, IdBuffer *out, Scratch *scratch) except -1 nogil
    cdef int align_piece(self, const uint8_t *text, size_t n, size_t origin, Aligned *out, Scratch *scratch) except -1 nogil
    cdef size_t count_piece(self, const uint8_t *text, size_t n, size_t most, Scratch *scratch) except? 0xFFFFFFFFFFFFFFFF nogil
    # The same of text without any, as `normalizer` cuts it into words; `plain` is NULL, or what leads back to the text.
    cdef int encode_words(self, Normalizer normalizer, const uint8_t *text, size_t n, IdBuffer *out,
                          Scratch *scratch) except -1 nogil
    # The same of at least `limit` bytes of text[position[0]:n], up to a place where words are cut.
    cdef int encode_part(self, Normalizer normalizer, const uint8_t *text, size_t n, size_t *position, size_t limit,
                         IdBuffer *out, Scratch *scratch) except -1 nogil
    cdef int align_words(self, Normalizer normalizer, const uint8_t *text, size_t n, const Words *plain, size_t origin,
                         Aligned *out, Scratch *scratch) except -1 nogil
    cdef size_t width(self, uint32_t id, const uint8_t *at, bint suffix) noexcept nogil
    # The ids of one word of n bytes, behind which stands 0x20.
    cdef int match(self, const uint8_t *word, size_t n, IdBuffer *out, Steps *steps) except -1 nogil
