"""The compiled tokenizer."""
from libc.stdint cimport int32_t, uint32_t

from incbpe.layout cimport Layout
from incbpe.pairtable cimport PairTable
from incbpe.piece cimport Pieces
from incbpe.pipeline cimport Pipeline
from incbpe.saved cimport Saved
from incbpe.streamtables cimport StreamTables
from incbpe.tokens cimport TokenTable
from incbpe.trim cimport Trimmer
from subwordio.added cimport AddedTokens


cdef class BPE:
    cdef readonly object config             # the Config, without the model's tokens and merges
    cdef readonly TokenTable tokens         # the model's tokens by id
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

    cdef int build(self, object config) except -1           # on construction, from a Config
    cdef int restore(self, Saved saved) except -1           # or from a file
    cdef int join_parts(self, Layout layout, PairTable pairs) except -1
    cdef int take_added(self) except -1
    cdef Pipeline pipeline_for(self, object allowed_special)
    cdef object encoding_of(self, object text, Pipeline pipeline)
    cdef StreamTables stream_tables(self)
    cdef object source(self)            # what `rebuild` needs, part by part


cdef tuple normalized_model(object model)   # the normalized dictionary, and by its token index the ids, -1: none
