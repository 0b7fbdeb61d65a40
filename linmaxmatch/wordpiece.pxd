"""The compiled tokenizer, for Cython: `borrow`, `encode_bytes`, `give_back` (docs/reference.md shows them at work)."""
from libc.stdint cimport uint8_t

from linmaxmatch.layout cimport Layout
from linmaxmatch.matcher cimport Steps
from linmaxmatch.normalizer cimport Normalizer
from linmaxmatch.pipeline cimport Pipeline
from linmaxmatch.vocabulary cimport Vocabulary
from subwordio.added cimport AddedTokens
from subwordio.batch cimport Worker
from subwordio.ids cimport IdBuffer


cdef class WordPiece:
    cdef readonly Vocabulary vocabulary     # what the automaton matches
    cdef readonly Normalizer normalizer
    cdef readonly Layout layout
    cdef readonly Py_ssize_t vocab_size     # the number of ids: the vocabulary's and those of added tokens
    cdef tuple extended                     # by id: the vocabulary's tokens, and added ones behind them; None: none are
    cdef readonly dict options              # the constructor's arguments but the tokens
    cdef object around                      # the Template given, or the one made for BERT when it is first asked for
    cdef readonly AddedTokens added         # None where there are none
    cdef readonly tuple origin              # (absolute path, options of from_file), or None
    cdef readonly tuple notes               # what reading the file changed, a sentence each
    cdef dict added_ids                     # content -> id of the added tokens
    cdef str digest                         # the fingerprint, once it was asked for; else None
    cdef size_t cache_bytes                 # of one thread's table of chunks; 0: none
    cdef dict pipelines                     # choice of special tokens -> its Pipeline, as they are asked for
    cdef Pipeline pipeline                  # text to ids without the GIL; of the special added tokens, none count

    # What one thread works in: its buffers and its table of chunks. Both with the GIL held, from any thread; one that is
    # given back serves the next borrower, here or in a call from Python. ValueError with nfc=True: composing a text
    # needs the GIL. MemoryError.
    cdef Worker *borrow(self) except NULL
    cdef void give_back(self, Worker *worker) noexcept
    # Append to `out` what encode(text[0:n]) gives: O(n), by any thread, which needs no GIL and alone uses `worker` and
    # `out`. `out` begins as all zeros, keeps its memory from call to call, and ends with `ids_free` (subwordio.ids).
    # ValueError for what is not UTF-8, naming the byte; MemoryError.
    cdef int encode_bytes(self, const uint8_t *text, size_t n, IdBuffer *out, Worker *worker) except -1 nogil

    cdef int take_added(self, tuple added_tokens) except -1
    cdef Pipeline pipeline_for(self, object allowed_special)
    cdef object encoding_of(self, object text, Pipeline pipeline)
    cdef object word_ids(self, object word, Steps *steps)
    cdef bytes source(self)
