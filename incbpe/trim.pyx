"""Offsets without the spaces at both ends of a token, as the tokenizers library's ByteLevel has them (`trim_offsets`).

A range loses as many characters at its ends as the token has spaces there: of a token whose atoms are bytes the byte
0x20 is one, of another a white space character or Ġ; of an added token, white space of the text that it is found as. The
end is trimmed by what the beginning leaves, and not at all where there are fewer characters before it in the text.
With `prefix_space`, a token at a text's beginning that has one space keeps it, since it may have been put there.

Cost  O(1) a token and a trimmed character; O(tokens) to make
"""
from array import array

from libc.stdint cimport uint8_t, uint32_t

from subwordio.container cimport Container
from subwordio.ids cimport IdBuffer
from subwordio.text cimport Utf8

from incbpe.bytemap import byte_name

cdef extern from "subwordio/charclass.h" nogil:
    size_t character_end(const uint8_t *text, size_t i, size_t n) noexcept
    size_t character_begin(const uint8_t *text, size_t i) noexcept
    uint32_t character(const uint8_t *text, size_t i, size_t end) noexcept
    bint is_white_space(uint32_t c) noexcept

cdef str SPACE = byte_name(b" ")


cdef void outer_space(const uint8_t *text, size_t n, uint32_t *before, uint32_t *behind) noexcept nogil:
    cdef size_t i = 0, stop
    before[0] = behind[0] = 0
    while i < n:
        stop = character_end(text, i, n)
        if not is_white_space(character(text, i, stop)):
            break
        before[0] += 1
        i = stop
    i = n
    while i > 0:
        stop, i = i, character_begin(text, i)
        if not is_white_space(character(text, i, stop)):
            break
        behind[0] += 1


cdef uint32_t leading(object characters) except? 0xFFFFFFFF:
    """How many characters are spaces before the first that is none."""
    cdef uint32_t n = 0
    for c in characters:
        if c != SPACE and not is_white_space(ord(c)):
            break
        n += 1
    return n


cdef class Trimmer:
    """``Trimmer(tokens, prefix_space)``, of the model's tokens by id.

    >>> Trimmer([b" a", b"a\\n", b"  "], False).spaces(0), Trimmer(["a\\n"], False).spaces(0)
    ((1, 0), (0, 1))
    """

    def __cinit__(self, tokens not None, bint prefix_space):
        before, behind = array("i"), array("i")
        for token in tokens:
            if isinstance(token, bytes):
                before.append(len(token) - len(token.lstrip(b" ")))
                behind.append(len(token) - len(token.rstrip(b" ")))
            else:
                before.append(leading(token))
                behind.append(leading(reversed(token)))
        self.before, self.behind, self.prefix_space = before, behind, prefix_space

    cdef dict to_sections(self):
        return {"trim.before": self.before, "trim.behind": self.behind}

    @staticmethod
    cdef Trimmer of_container(Container file, bint prefix_space, uint32_t size):
        cdef Trimmer self = Trimmer((), prefix_space)
        self.before, self.behind = file.ints("trim.before"), file.ints("trim.behind")
        if self.before.shape[0] != size or self.behind.shape[0] != size:
            file.fail(f"its tokens' spaces are not of {size} tokens")
        return self

    def spaces(self, id: int) -> tuple[int, int]:
        """How many spaces the token of an id begins and ends with."""
        return self.before[id], self.behind[id]

    cdef void trim(self, const Utf8 *text, size_t n, const uint32_t *ids, const IdBuffer *added, uint32_t *starts,
                   uint32_t *ends, uint32_t *byte_starts, uint32_t *byte_ends) noexcept nogil:
        cdef size_t i, j = 0
        cdef uint32_t before, behind
        for i in range(n):
            # added[0:j] are of the tokens before this one
            if j < added.length and added.data[j] == i:
                before, behind = added.data[j + 1], added.data[j + 2]
                j += 3
            else:
                before, behind = <uint32_t> self.before[ids[i]], <uint32_t> self.behind[ids[i]]
            if before == 1 and self.prefix_space and (i == 0 or starts[i] == 0):
                before = 0
            while before > 0 and starts[i] < ends[i]:
                byte_starts[i] = <uint32_t> character_end(text.data, byte_starts[i], text.length)
                starts[i] += 1
                before -= 1
            if ends[i] < behind:
                continue
            while behind > 0 and starts[i] < ends[i]:
                byte_ends[i] = <uint32_t> character_begin(text.data, byte_ends[i])
                ends[i] -= 1
                behind -= 1
