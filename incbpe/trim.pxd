"""Offsets without the spaces at both ends of a token."""
from libc.stdint cimport int32_t, uint8_t, uint32_t

from subwordio.container cimport Container
from subwordio.ids cimport IdBuffer
from subwordio.text cimport Utf8


cdef class Trimmer:
    cdef int32_t[::1] before        # by id: how many spaces the token begins with
    cdef int32_t[::1] behind        # and ends with
    cdef bint prefix_space          # one space at the beginning of a text stays

    cdef dict to_sections(self)     # the arrays, as a file of sections takes them
    @staticmethod
    cdef Trimmer of_container(Container file, bint prefix_space, uint32_t size)     # what `to_sections` gave, in place
    # Narrow n characters ranges starts[i], ends[i] of tokens of `text`, and the ranges of bytes that go with them. Of token
    # added[3 j], an added one, added[3 j + 1] and added[3 j + 2] are the white space.
    cdef void trim(self, const Utf8 *text, size_t n, const uint32_t *ids, const IdBuffer *added, uint32_t *starts,
                   uint32_t *ends, uint32_t *byte_starts, uint32_t *byte_ends) noexcept nogil


# How many white space characters text[0:n] begins and ends with.
cdef void outer_space(const uint8_t *text, size_t n, uint32_t *before, uint32_t *behind) noexcept nogil
