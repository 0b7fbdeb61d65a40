"""From a text to ids without the GIL: what one call and each thread of a batch run."""
from libc.stdint cimport int64_t, uint8_t, uint32_t

from incbpe.chunks cimport Desk
from incbpe.piece cimport Pieces, Work
from incbpe.pretokenize cimport Splitter
from incbpe.rewrite cimport Plain, Rewriter
from subwordio.added cimport Matcher, SegmentBuffer
from subwordio.batch cimport Kernel
from subwordio.ids cimport IdBuffer


cdef struct Scratch:            # what one call works in; kept from call to call
    Work work
    Desk desk                   # the table of chunks; only `encode_segment` and `encode_texts` use it
    SegmentBuffer raw           # the text cut at added tokens
    SegmentBuffer normalized    # `plain` cut at added tokens
    Plain plain                 # a segment of the text, rewritten
    Plain spare                 # used while it is
    Plain spaced                # a segment of `plain` with a space before it
    IdBuffer ids                # where tokens are only counted
    IdBuffer ends               # of the tokens of one piece

cdef struct Aligned:            # lists of one length, an entry a token
    IdBuffer ids
    IdBuffer starts             # bytes of the text's UTF-8; those of characters that the token is a part of
    IdBuffer ends
    IdBuffer words              # the number of the token's piece, from 0 in the text
    uint32_t word               # the next piece's number
    IdBuffer added              # of each added token its place in the lists, and how many white space characters the text
                                # that it was found as begins and ends with

cdef void free_aligned(Aligned *out) noexcept


cdef struct Segment:            # a part of the text between added tokens, rewritten: what is split into pieces
    const uint8_t *text
    size_t n
    const uint32_t *starts      # by byte: where its character's source begins in the whole text, less `origin`;
    const uint32_t *ends        # and ends. NULL: it is the text from byte `origin` on
    size_t origin


cdef class Pipeline(Kernel):
    cdef readonly Pieces pieces
    cdef readonly Splitter splitter     # None: `cutter` splits, or nothing does
    cdef Splitter chunked               # of chunks: `splitter`, or "none" where texts are cut at seams; None: there are none
    cdef readonly object cutter         # cutting.Cutter, or None
    cdef readonly Rewriter rewriter     # None: the text is split as it is
    cdef readonly bint prefix_space     # a segment that does not begin with a space gets one
    cdef Rewriter spacer                # that does it, or None
    cdef bint plain                     # pieces are cut out of the text as it is, and none is refused or changed
    cdef size_t cache_bytes             # of each scratch's table of chunks; 0: none has one
    cdef Matcher raw                    # added tokens that count in the text itself; None: none do
    cdef Matcher normalized             # those that count in the rewritten text; None: none do

    cdef Pipeline with_added(self, Matcher raw, Matcher normalized)     # the same with other added tokens
    # Append the ids of a text of n bytes of UTF-8; and with them, where in the text each token stands.
    cdef int encode_utf8(self, const uint8_t *text, size_t n, IdBuffer *out, void *scratch) except -1 nogil
    cdef int align_utf8(self, const uint8_t *text, size_t n, Aligned *out, void *scratch) except -1 nogil
    # The number of a text's tokens, or some number over `most` where there are more.
    cdef size_t count_utf8(self, const uint8_t *text, size_t n, size_t most, void *scratch) except? 0xFFFFFFFFFFFFFFFF nogil
    # Append the ids of n bytes that are not UTF-8, ill-formed runs split as U+FFFD would be. Takes the GIL.
    cdef int encode_ill_formed(self, const uint8_t *data, size_t n, IdBuffer *out, void *pointer) except -1 nogil
    # The ids of text[0:n] in which the bytes raw[a:b] stand for each U+FFFD, one for each (a, b) of `fills`.
    cdef int encode_filled(self, const uint8_t *text, size_t n, const uint8_t *raw, list fills, IdBuffer *out,
                           Scratch *scratch) except -1
    cdef size_t encode_piece_filled(self, bytes piece, const uint8_t *raw, list fills, size_t filled, IdBuffer *out,
                                    Scratch *scratch) except? 0xFFFFFFFFFFFFFFFF

    # Some of a text's ids: all, or so many that they are more than `most`.
    cdef int encode_some(self, const uint8_t *text, size_t n, size_t most, IdBuffer *out, Scratch *scratch) except -1 nogil
    # The same of text[0:n] without raw added tokens, which begins at byte `origin` of the whole text.
    cdef int encode_part(self, const uint8_t *text, size_t n, size_t most, IdBuffer *out, Scratch *scratch) except -1 nogil
    cdef int align_part(self, const uint8_t *text, size_t n, size_t origin, Aligned *out, Scratch *scratch) except -1 nogil
    # The same of a rewritten text without any added tokens.
    cdef int encode_segment(self, const uint8_t *text, size_t n, size_t most, IdBuffer *out, Scratch *scratch) except -1 nogil
    cdef bint keeps(self, size_t n, Scratch *scratch) except -1 nogil
    cdef int flush(self, const uint8_t *text, size_t begin, const size_t *pieces, size_t held, size_t *places, size_t n,
                   const size_t *texts, size_t ended, IdBuffer *out, int64_t *bounds, Scratch *scratch) except -1 nogil
    cdef int encode_cut(self, const uint8_t *text, size_t n, IdBuffer *out, Scratch *scratch) except -1
    cdef list spans(self, const uint8_t *text, size_t n)
    cdef int align_segment(self, Segment *segment, Aligned *out, Scratch *scratch) except -1 nogil
    cdef int align_piece(self, const Segment *segment, size_t begin, size_t end, Aligned *out, Scratch *scratch) except -1 nogil
