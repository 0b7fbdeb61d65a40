"""The compiled tokenizer, for Cython: `borrow`, `encode_utf8`, `give_back` (docs/reference.md shows them at work)."""
from libc.stdint cimport int32_t, uint8_t

from incbpe.layout cimport Layout
from incbpe.pairtable cimport PairTable
from incbpe.piece cimport Pieces
from incbpe.pipeline cimport Pipeline
from incbpe.saved cimport Saved
from incbpe.streamtables cimport StreamTables
from incbpe.tokens cimport TokenTable
from incbpe.trim cimport Trimmer
from subwordio.added cimport AddedTokens
from subwordio.batch cimport Worker
from subwordio.ids cimport IdBuffer


cdef class BPE:
    cdef readonly object config             # the Config, without the model's tokens and merges
    cdef readonly TokenTable tokens         # the model's tokens by id
    cdef size_t cache_bytes                 # of a thread's table of chunks; 0: no table
    cdef bint ruled                         # the model has merges; else its tokens are a rank table
    cdef int32_t[::1] left                  # with merges, by rule in order of rank: the id of its left part
    cdef int32_t[::1] right                 # and of its right part
    cdef readonly Pieces pieces             # the kernel: what a piece becomes
    cdef readonly Pipeline pipeline         # text to ids without the GIL; of the special added tokens, none count
    cdef readonly AddedTokens added         # None where there are none
    cdef readonly int vocab_size            # ids are 0 .. vocab_size - 1; not every one needs to name a token
    cdef readonly dict facts                # form, reason and sizes, for `inspect`; whether atoms are bytes
    cdef readonly tuple origin              # (absolute path, options of from_file), or None
    cdef dict added_ids                     # content -> id of the added tokens
    cdef dict others                        # id -> spelling of what `tokens` does not have: added and unmatched tokens
    cdef dict pipelines                     # choice of special tokens -> its Pipeline, as they are asked for
    cdef StreamTables streams               # from the first stream on; else None
    cdef Trimmer trimmer                    # None: offsets have the spaces at the ends of tokens
    cdef object decoder                     # from ids to text: decoding.Decoder
    cdef str digest                         # the fingerprint, once it was asked for; else None

    # What one thread works in: its buffers. Both with the GIL held, from any thread; one that is given back serves the next
    # borrower, here or in a call from Python. MemoryError.
    cdef Worker *borrow(self) except NULL
    cdef void give_back(self, Worker *worker) noexcept
    # Append to `out` what encode(text[0:n]) gives: O(n log² t), t the bytes of the longest piece, by any thread, which alone
    # uses `worker` and `out`. It needs no GIL, and takes it by itself where Unicode normalization or a caller's own regex
    # is asked for. `out` begins as all zeros, keeps its memory from call to call, and ends with `ids_free` (subwordio.ids).
    # ValueError, with nothing appended, for what is not UTF-8, naming the byte, or where a rank table has no token for a
    # byte; MemoryError.
    cdef int encode_utf8(self, const uint8_t *text, size_t n, IdBuffer *out, Worker *worker) except -1 nogil

    cdef int build(self, object config) except -1           # on construction, from a Config
    cdef int restore(self, Saved saved) except -1           # or from a file
    cdef int join_parts(self, Layout layout, PairTable pairs) except -1
    cdef int take_added(self) except -1
    cdef Pipeline pipeline_for(self, object allowed_special)
    cdef object encoding_of(self, object text, Pipeline pipeline)
    cdef StreamTables stream_tables(self)
    cdef object source(self)            # what `rebuild` needs, part by part


# The normalized dictionary; by its token index the ids, -1: none; and an automaton of all its tokens (Cells), or None.
cdef tuple normalized_model(object model)
