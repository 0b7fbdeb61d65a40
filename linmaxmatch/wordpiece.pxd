"""The compiled tokenizer, and its loops for Cython callers."""
from libc.stdint cimport uint8_t, uint32_t

from linmaxmatch.layout cimport Layout
from linmaxmatch.matcher cimport Rules, Steps
from linmaxmatch.normalizer cimport Normalizer, Words
from linmaxmatch.vocabulary cimport Vocabulary
from subwordio.added cimport AddedTokens, Matcher, SegmentBuffer
from subwordio.batch cimport Kernel
from subwordio.ids cimport IdBuffer

cdef struct Scratch:            # what one call works in; kept from call to call
    Words words                 # normalized words of the present part of the text
    SegmentBuffer segments      # the text cut at added tokens
    Steps steps                 # the work of all calls that used this scratch

cdef struct Aligned:            # four lists of one length, an entry a token
    IdBuffer ids
    IdBuffer starts             # bytes of the text's UTF-8
    IdBuffer ends
    IdBuffer words              # numbered from 0 in the text
    uint32_t word               # the next word's number


cdef class WordPiece(Kernel):
    cdef readonly Vocabulary vocabulary     # what the automaton matches
    cdef readonly Normalizer normalizer
    cdef readonly Layout layout
    cdef readonly tuple tokens              # by id: the vocabulary's, and added tokens behind them
    cdef readonly dict options              # the constructor's arguments but the tokens
    cdef readonly object template           # what special_tokens=True puts around texts; None: it is an error
    cdef readonly AddedTokens added         # None where there are none
    cdef readonly tuple origin              # (absolute path, options of from_file), or None
    cdef dict added_ids                     # their ids
    cdef Matcher always                     # those that count in every text; None where there are none
    cdef Rules rules
    cdef uint32_t[::1] widths               # by id of the vocabulary: the token's length in bytes, as it is spelt
    cdef size_t marker                      # bytes of ♯
    cdef bytes unk_utf8                     # <unk> in UTF-8
    cdef const uint8_t *unk_bytes           # its bytes

    # Append the ids of a text of n bytes of UTF-8, cut at what `matcher` finds (None: nothing).
    cdef int encode_cut(self, Matcher matcher, const uint8_t *text, size_t n, IdBuffer *out, Scratch *scratch) except -1 nogil
    # The same of text without added tokens.
    cdef int encode_run(self, const uint8_t *text, size_t n, IdBuffer *out, Scratch *scratch) except -1 nogil
    # The same, and where in the whole text, of which this part begins at byte `origin`, each token stands.
    cdef int align_cut(self, Matcher matcher, const uint8_t *text, size_t n, Aligned *out, Scratch *scratch) except -1 nogil
    cdef int align_run(self, const uint8_t *text, size_t n, size_t origin, Aligned *out, Scratch *scratch) except -1 nogil
    cdef int align_word(self, const Words *words, size_t begin, size_t end, size_t first, size_t origin,
                        Aligned *out) except -1 nogil
    cdef size_t width(self, uint32_t id, const uint8_t *at, bint suffix) noexcept nogil
    # The number of tokens, or any number over `most` where there are more.
    cdef size_t count_cut(self, Matcher matcher, const uint8_t *text, size_t n, size_t most, Scratch *scratch,
                          IdBuffer *ids) except? 0xFFFFFFFFFFFFFFFF nogil
    cdef size_t count_run(self, const uint8_t *text, size_t n, size_t most, Scratch *scratch,
                          IdBuffer *ids) except? 0xFFFFFFFFFFFFFFFF nogil
    cdef Matcher matcher_for(self, object allowed_special)
    cdef Kernel kernel_for(self, object allowed_special)
    cdef object encoding_of(self, object text, Matcher matcher)
    cdef object word_ids(self, object word, Steps *steps)
    cdef bytes source(self)
