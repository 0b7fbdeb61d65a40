"""Streams."""
from incbpe.laststage cimport LastStage
from incbpe.stages cimport Stage
from subwordio.ints cimport ReadyInts
from subwordio.text cimport ByteBuffer, Utf8


cdef class Stream:
    cdef Stage first                    # the stages, from the text on
    cdef LastStage last                 # to the ids
    cdef readonly Py_ssize_t position         # the bytes of UTF-8 that were read, whole characters
    cdef bytes rest                     # an incomplete character's bytes, which follow
    cdef str half                       # or a high surrogate, or ""
    cdef bint failed
    cdef ReadyInts ints                 # what the results' lists take ints from, or None
    cdef ByteBuffer scratch             # where a str that is not ASCII becomes UTF-8

    cdef bint put_whole(self, object chunk) except -1       # whether the chunk was put as it is: most can be
    cdef tuple read(self, object chunk)                     # the text to go on with, and what is held for the next one
    cdef int put(self, str text) except -1
    cdef int put_view(self, const Utf8 *view) except -1
    cdef object take(self)
    cdef int ready(self) except -1      # or a ValueError
