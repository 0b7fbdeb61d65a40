"""The tokens of every prefix of a text."""
from libc.stdint cimport uint32_t

from incbpe.pipeline cimport Pipeline
from incbpe.segmentprefixes cimport Layer

cdef Layer layer_of(Pipeline pipeline, bytes text, object encode_bytes)


cdef class TextPrefixes:
    cdef readonly object text           # as it was given
    cdef readonly bytes data            # its UTF-8
    cdef readonly size_t n              # bytes of it; places are 0 to n
    cdef Pipeline pipeline
    cdef object encode_bytes            # of the tokenizer, with the same choice of special tokens
    cdef object stream                  # makes a stream by "maximal", with the same choice of special tokens
    cdef object tables                  # makes, or has made, the StreamTables
    cdef Layer layer                    # what is known
    cdef uint32_t *jump                 # by k: where character STRIDE * k ends, and the next one begins
    cdef size_t characters              # in the text's UTF-8
    cdef list longest                   # by number of tokens, from 0: the longest prefix with as many at most; None: not yet

    cdef size_t place(self, object i) except? 0
    cdef int set_jump(self) except -1
