"""The compiled tokenizer."""
from linmaxmatch.layout cimport Layout
from linmaxmatch.matcher cimport Steps
from linmaxmatch.normalizer cimport Normalizer
from linmaxmatch.pipeline cimport Pipeline
from linmaxmatch.vocabulary cimport Vocabulary
from subwordio.added cimport AddedTokens


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
    cdef size_t cache_bytes                 # of one thread's table of chunks; 0: none
    cdef dict pipelines                     # choice of special tokens -> its Pipeline, as they are asked for
    cdef Pipeline pipeline                  # text to ids without the GIL; of the special added tokens, none count

    cdef Pipeline pipeline_for(self, object allowed_special)
    cdef object encoding_of(self, object text, Pipeline pipeline)
    cdef object word_ids(self, object word, Steps *steps)
    cdef bytes source(self)
