"""The stages of a stream: what `pipeline` does to a whole text, done to one that is still coming."""
from libc.stdint cimport uint8_t, uint32_t

from incbpe.rewrite cimport Rewriter
from subwordio.text cimport ByteBuffer


cdef class Stage:               # reads parts of a text, one after the other, and hands on what it makes of them
    cdef Stage next             # the stage that this one hands on to; None for the last one
    # More of the present part: whole characters of UTF-8. A part begins with its first byte: an empty one is none.
    cdef int put(self, const uint8_t *text, size_t n) except -1
    cdef int end(self) except -1                    # the part ends: all of it is handed on
    cdef int put_id(self, uint32_t id) except -1    # an added token; parts before it have ended
    cdef int pause(self) except -1                  # nothing more comes for now: what is certain is handed on
    cdef int reset(self) except -1                  # nothing was put yet
    cdef size_t memory(self) except 1               # bytes of this stage and those after it; never 1


cdef class Prepending(Stage):
    cdef bytes text             # what is put before a part
    cdef bint unless_space      # but not before one that begins with a space
    cdef bint begun             # the part has begun


cdef class Replacing(Stage):
    cdef bytes old              # what is looked for, not empty
    cdef bytes new              # what is put in its place
    cdef list border            # by k > 0: the longest proper prefix of old[:k] that it ends with
    cdef size_t matched         # the bytes of `old` that what was put ends with, and that are held back
    cdef ByteBuffer out         # what the present call hands on
    cdef int append(self, const uint8_t *text, size_t n) except -1


cdef class Forming(Stage):
    cdef str form               # NFC, NFD, NFKC or NFKD
    cdef uint8_t below          # texts all of whose bytes are below this are in the form
    cdef list held              # the open sequence, in parts
    cdef int hand_on(self, str text) except -1


# The first of the stages that do a rewriter's steps and go on to `last`; `last` itself where there are none.
cdef Stage rewriting(Rewriter rewriter, Stage last)
cdef Stage prepending(bytes text, bint unless_space, Stage last)
