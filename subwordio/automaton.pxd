"""The longest pattern that begins at each place of a text: Aho–Corasick, run from the text's end to its beginning."""
from libc.stdint cimport int32_t, int64_t, uint8_t


cdef struct Found:
    size_t start            # where in the text the pattern begins
    int32_t pattern         # its index


cdef struct FoundBuffer:
    Found *data             # malloc'd; NULL while capacity is 0
    size_t length           # entries in use
    size_t capacity         # entries that fit without growing


cdef void found_free(FoundBuffer *buffer) noexcept nogil


cdef class Automaton:
    cdef readonly tuple patterns        # by pattern: its bytes, not empty
    cdef readonly int32_t nodes         # nodes: the suffixes of the patterns; 0 is the root, ""
    cdef int32_t[::1] parent            # by node: the node of all but its first byte; the root's is the root
    cdef int32_t[::1] fail              # by node: the longest proper prefix of what it spells that is a node
    cdef int32_t[::1] own               # by node: the first pattern that spells it, or -1
    cdef int32_t[::1] same              # by pattern: the next pattern of the same bytes, or -1
    cdef int32_t[::1] order             # the nodes by depth, the root first
    cdef int64_t[::1] keys              # hash table: 1 + parent * 256 + first byte of the node in this cell; 0: none
    cdef int32_t[::1] children          # by cell of the hash table: that node
    cdef int32_t[256] first             # by byte: the root's child, or 0
    cdef int32_t child(self, int32_t node, uint8_t byte) noexcept nogil     # the node's child, or 0 where there is none
    # by node: the longest pattern with allowed[pattern] that what it spells begins with, or -1; a table for each choice
    cdef int32_t[::1] best(self, const uint8_t[::1] allowed)
    # Append what begins in text[0:n], from its end to its beginning, the longest at each place. O(n).
    cdef int search(self, const int32_t[::1] best, const uint8_t *text, size_t n, FoundBuffer *out) except -1 nogil
