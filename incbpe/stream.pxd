"""Streams."""
from incbpe.laststage cimport LastStage
from incbpe.stages cimport Stage


cdef class Stream:
    cdef Stage first                    # the stages, from the text on
    cdef LastStage last                 # to the ids
    cdef readonly Py_ssize_t position         # the bytes of UTF-8 that were read, whole characters
    cdef bytes rest                     # an incomplete character's bytes, which follow
    cdef str half                       # or a high surrogate, or ""
    cdef bint failed

    cdef tuple read(self, object chunk)                     # the text to go on with, and what is held for the next one
    cdef int put(self, str text) except -1
    cdef object take(self)
    cdef int ready(self) except -1      # or a ValueError

