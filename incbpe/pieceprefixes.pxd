"""The pieces of every prefix of a text, as a tree.

How a tokenizer uses it. The pieces of text[:i] are those of the nodes on the path from the root to at[i], in order of
their ends; each node is one piece. A piece is text[begin:end], and all nodes with one `begin` are prefixes of
text[begin:reach[begin]]: run the incremental tokenizer once over that, and θ of its prefixes gives the tokens of every
such node. The lengths of these runs together are at most 4 n, so the whole is linear in the text.
"""
cimport cython
from libc.stdint cimport uint8_t, uint32_t

from incbpe.openpiece cimport Reading
from incbpe.pretokenize cimport Splitter


cdef struct Node:
    uint32_t begin          # the piece is text[begin:end] in bytes
    uint32_t end
    uint32_t parent         # the node of the piece before; a smaller number


@cython.final
cdef class PiecePrefixes:
    cdef readonly Splitter splitter
    cdef readonly bytes text            # UTF-8, or whatever bytes were given
    cdef readonly size_t n              # bytes
    cdef readonly size_t nodes          # in use; node 0 is the root, an empty piece at 0
    cdef Node *node                     # by node
    cdef uint32_t *at                   # by i, 0 to n: the last piece of text[:i]
    cdef uint32_t *reach                # by i, 0 to n: the largest end of a node that begins at i; 0 if none does
    cdef size_t capacity                # of `node`

    cdef uint32_t add(self, size_t begin, size_t end, uint32_t parent, size_t i) except? 0
    cdef uint32_t add_all(self, const size_t *ends, int n, size_t begin, uint32_t parent, size_t i) except? 0
    cdef int fill(self) except -1
