"""Chunks of a text, looked up in a table of bounded size before they are split into pieces and merged."""
from libc.stdint cimport int64_t, uint8_t, uint32_t

from incbpe.piece cimport Pieces, Work
from incbpe.pretokenize cimport Splitter
from subwordio.chunktable cimport BATCH, Batch, Table
from subwordio.ids cimport IdBuffer

cdef enum:
    EDGES = 1024                # chunks at a time
    TEXTS = 512                 # texts that may end among them
    ASIDE = 512                 # chunks that are not in the table, at a time
    LOTS = 8                    # ASIDE by BATCH
    SPANS = 1024                # and their pieces: piece.GROUP


cdef extern from "incbpe/farchunks.h" nogil:
    ctypedef struct Far "incbpe_far":
        void *slots
        const uint32_t *ids


cdef struct Desk:               # what one thread has on its desk; kept from call to call. All zeros: a new one
    Table table
    Far far                     # of chunks that have no room there
    size_t nbytes               # that both may have
    size_t seen                 # bytes of text before there was a table
    Pad *pad                    # NULL where there is no table


cdef struct Pad:
    bint open                   # a call is at it, or has failed
    # The chunks at hand are text[edges[i]:edges[i + 1]], i < chunks.
    uint32_t[EDGES + 1] edges
    size_t chunks
    # The texts that end among them: text t ends behind chunk text_ends[t] - 1.
    size_t[TEXTS] text_ends
    size_t texts
    # Chunks that were not there, and where their ids belong in the output; their pieces are spans[pieces[k - 1]] to
    # spans[pieces[k] - 1].
    Batch[LOTS] keys            # chunk k is k % BATCH of keys[k // BATCH]
    uint32_t[ASIDE] begin
    uint32_t[ASIDE] end
    size_t[ASIDE] at
    size_t[ASIDE] pieces
    size_t[ASIDE] first         # the one that is the same chunk, of which there are pieces; it itself, most often
    size_t missing
    size_t[2 * SPANS] spans     # by piece: its beginning and its end
    size_t[SPANS] places        # and where its ids end in `ids`
    IdBuffer ids                # of all those pieces
    # The texts that ended since the first of them: their bounds, and how many chunks were missing then.
    int64_t *bounds
    size_t[TEXTS] missed
    size_t waiting


# Whether there is a table, which is made when so much text has been seen, these n bytes too. MemoryError.
cdef bint ready(Desk *desk, size_t nbytes, uint32_t last_id, size_t n) except -1 nogil
cdef void desk_free(Desk *desk) noexcept nogil
# Append the ids of a text, text[begin:end] of text[0:n], or so many that they are more than `most`.
cdef int encode_chunks(Desk *desk, Splitter splitter, Pieces pieces, Work *work, const uint8_t *text, size_t begin,
                       size_t end, size_t n, size_t most, IdBuffer *out) except -1 nogil
# The same of the closed pieces of text[0:n], a text that goes on; the open one begins at `open`.
cdef int encode_closed(Desk *desk, Splitter splitter, Pieces pieces, Work *work, const uint8_t *text, size_t n,
                       IdBuffer *out, size_t *open) except -1 nogil
# The same of `count` texts, which follow one another; bounds[i] becomes where the ids of text i end.
cdef int encode_rows(Desk *desk, Splitter splitter, Pieces pieces, Work *work, const uint8_t *text, const size_t *ends,
                     size_t count, IdBuffer *out, int64_t *bounds) except -1 nogil
# Of memory in use.
cdef size_t desk_nbytes(const Desk *desk) noexcept nogil
# Assert that each chunk in the table has the ids of its pieces.
cdef int desk_check(const Desk *desk, Splitter splitter, Pieces pieces) except -1
