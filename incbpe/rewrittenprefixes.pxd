"""The tokens of every prefix of a text that is rewritten."""
from libc.stdint cimport uint32_t

from incbpe.rewrite cimport Plain, Rewriter
from incbpe.segmentprefixes cimport Layer


cdef class RewrittenPrefixes(Layer):
    cdef Layer below                # of the whole text, rewritten
    cdef uint32_t *place            # by i: text[:i] is rewritten as below.text[:place[i]], but where it is in `others`
    cdef dict others                # by i: the bytes behind below.text[:place[i]]
    cdef dict counts                # by i in `others`: its tokens
    cdef list closed                # where sequences end that a form rewrites as one, ascending; None: after each character

    cdef bytes fill_characters(self, Rewriter rewriter)
    cdef bytes fill_form(self, str form)
    cdef int fill_sequence(self, str form, str sequence, size_t begin, list parts, size_t written) except -1


cdef class SpacedPrefixes(Layer):
    cdef Layer below                # of the text, with a space before it unless it begins with one
    cdef size_t shift               # bytes of that space
