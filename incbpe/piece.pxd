"""The kernel: from pieces to ids, without the GIL."""
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t

from incbpe.layout cimport Automaton, Layout
from incbpe.pairtable cimport PairTable
from incbpe.tokens cimport TokenTable
from subwordio.ids cimport IdBuffer
from subwordio.text cimport ByteBuffer


cdef enum:
    GROUP = 1024                # pieces at a time
    LONG = 2048                 # bytes from which a piece is worked on by itself
    MEMO = 65536                # pairs of tokens remembered by a thread


cdef struct Work:               # what one thread needs for pieces; kept from call to call. All zero: empty
    ByteBuffer bytes            # pieces that are no tokens, end to end
    ByteBuffer goes_on          # by byte of `bytes`: 0 where a piece begins, else 0xFF
    IdBuffer longest            # by byte of `bytes`: the longest suffix token of its piece up to here, a number
    IdBuffer theta              # of one piece: θ of its first i bytes, a number
    ByteBuffer lengths          # of one piece: how many bytes that is, 16 bits each; 1 where it is `none`
    IdBuffer numbers            # of one piece: its tokens, the last first
    uint64_t *memo              # pairs of tokens that were tested (MEMO entries), or NULL

cdef void work_free(Work *work) noexcept nogil
cdef size_t work_bytes(const Work *work) noexcept nogil     # that it holds


cdef struct Unknown:            # what becomes of a symbol that is no token
    uint32_t unk                # the unknown token, or NO_ID
    bint fuse                   # neighbouring unknown symbols are one token
    bint characters             # a symbol is a character; else a byte
    bint fallback               # the bytes of a character are tokens, where all of them are
    bint refuse                 # it is an error
    uint32_t[256] bytes         # with fallback, by byte: the id, or NO_ID


cdef class Pieces:
    cdef readonly Layout layout
    cdef readonly TokenTable tokens
    cdef readonly PairTable pairs       # of the form "pairs"; else None
    cdef const Automaton *automaton     # the layout's
    cdef Unknown unknown
    cdef bint complete                  # every byte is an atom and has an id
    cdef bint served                    # ... or by byte fallback every byte has one, so that every symbol becomes ids
    cdef readonly bint vanish           # unknown symbols are taken out of a piece before it is merged
    cdef uint8_t[256] kept              # by byte: whether it is a symbol by itself, and not taken out
    cdef uint64_t *joins                # the pairs of bytes that a token has (seams.h); NULL: not made, or of no use

    # Make `joins`, before the first text is encoded. Whether what is between two seams of a text has the same ids in every
    # text, and as a piece by itself.
    cdef bint set_joins(self) except -1
    # Append the ids of `count` pieces of text[0:n]: the first is text[start:ends[0]], the next text[ends[0]:ends[1]], …;
    # no piece is empty or has LONG bytes, and count is at most GROUP. Unless it is NULL, places[i] becomes where the ids of
    # piece i end in `out`.
    cdef int encode(self, const uint8_t *text, size_t start, const size_t *ends, size_t count, size_t n,
                    IdBuffer *out, size_t *places, Work *work) except -1 nogil
    # The same of pieces that do not follow one another: text[spans[0]:spans[1]], text[spans[2]:spans[3]], …
    cdef int encode_spans(self, const uint8_t *text, const size_t *spans, size_t count, size_t n, IdBuffer *out,
                          size_t *places, Work *work) except -1 nogil
    # Append the ids of one piece of n bytes, n > 0, and for each token where it ends in the piece, if `ends` is not NULL.
    cdef int encode_one(self, const uint8_t *piece, size_t n, IdBuffer *out, IdBuffer *ends, Work *work) except -1 nogil
    cdef uint32_t whole(self, const uint8_t *piece, size_t n) noexcept nogil
    cdef int keep_known(self, const uint8_t *piece, size_t n, Work *work) except -1 nogil
    cdef size_t known(self, const uint8_t *piece, size_t i, size_t n) noexcept nogil
    cdef bint keeps(self, const uint8_t *piece, size_t begin, size_t end) noexcept nogil
    cdef int reserve_theta(self, size_t n, Work *work) except -1 nogil
    # work.theta becomes θ of all prefixes of the piece, as numbers: n + 1 of them.
    cdef int set_theta(self, const uint8_t *piece, size_t n, Work *work) except -1 nogil
    # work.theta[t], and lengths, for t in (start, stop]: longest[t - start - 1] is the longest suffix token, and
    # work.theta[0:start + 1] is known. Returns for how many it was not valid.
    cdef Py_ssize_t settle(self, const uint32_t *longest, size_t start, size_t stop, Work *work) except -1 nogil
    cdef size_t repeat(self, const uint8_t *piece, size_t t, size_t n, Work *work) noexcept nogil
    cdef long long search(self, uint32_t k, const uint32_t *theta, size_t t, Work *work) except -1 nogil
    cdef bint holds(self, uint32_t w, uint32_t z, Work *work) except -1 nogil
    # Append the ids of a piece whose θ are known, and where they end if `ends` is not NULL; work.theta is used up.
    cdef int read_back(self, const uint8_t *piece, size_t n, IdBuffer *out, IdBuffer *ends, Work *work) except -1 nogil
    cdef int spell(self, const uint8_t *piece, size_t n, IdBuffer *out, IdBuffer *ends, Work *work) except -1 nogil
    cdef size_t put_unknown(self, IdBuffer *out, IdBuffer *ends, size_t at, size_t *waiting) except? 0 nogil
    cdef bint falls_back(self, const uint8_t *piece, size_t begin, size_t end) noexcept nogil
