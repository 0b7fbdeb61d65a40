"""A rank table from its file to tokens, all in one go.

A file has some hundred thousand lines, nearly always of the plain form; whatever is not plain is left to
`incbpe.tiktoken_file`, which looks at lines one by one and says what is wrong.

Cost  one look at each byte
"""
from array import array

from cpython.bytearray cimport PyByteArray_AS_STRING, PyByteArray_FromStringAndSize
from cpython.bytes cimport PyBytes_AS_STRING
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memset

from incbpe.spelt cimport SPARE, spelt_of

cdef enum:
    NO_DIGIT = 0x80             # a bit that no digit has
    PAD = 61                    # "="
    SHORTEST = 7                # bytes of a line

cdef uint8_t[256] DIGITS        # by byte: what it counts for in base64, or NO_DIGIT


cdef int set_digits() except -1:
    cdef bytes digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    cdef int k
    for k in range(256):
        DIGITS[k] = NO_DIGIT
    for k in range(64):
        DIGITS[digits[k]] = k
    return 0


set_digits()


cdef bint decoded(const uint8_t *s, size_t n, size_t pads, uint8_t *out) noexcept nogil:
    """The bytes that s[0:n] spells, of which the last are `pads` times "=", n > 0 and n % 4 == 0.

    False: it is not exactly what encoding them gives. What is no digit is seen by its bit, all at once.
    """
    cdef size_t k
    cdef uint32_t a, b, c, d, seen = 0
    for k in range(0, n - 4, 4):
        a, b, c, d = DIGITS[s[k]], DIGITS[s[k + 1]], DIGITS[s[k + 2]], DIGITS[s[k + 3]]
        seen |= a | b | c | d
        out[0], out[1], out[2] = <uint8_t> (a << 2 | b >> 4), <uint8_t> (b << 4 | c >> 2), <uint8_t> (c << 6 | d)
        out += 3
    a, b = DIGITS[s[n - 4]], DIGITS[s[n - 3]]
    c = DIGITS[s[n - 2]] if pads < 2 else 0
    d = DIGITS[s[n - 1]] if pads < 1 else 0
    out[0] = <uint8_t> (a << 2 | b >> 4)
    if pads < 2:
        out[1] = <uint8_t> (b << 4 | c >> 2)
    if pads < 1:
        out[2] = <uint8_t> (c << 6 | d)
    return (seen | a | b | c | d) < NO_DIGIT and (pads < 2 or b & 15 == 0) and (pads != 1 or c & 3 == 0)


def plain_ranks(bytes data not None, Py_ssize_t longest):
    r"""The tokens of a file whose lines are plain, a `Spelt`; or None where not every line is.

    Line k from 0 on is plain if it is a token of at most `longest` bytes in base64, one space, k, and "\n". A token that
    is given twice is the caller's to find.

    >>> list(plain_ranks(b"YQ== 0\nYWI= 1\n", 9)), plain_ranks(b"YQ== 1\n", 9), plain_ranks(b"YR== 0\n", 9)
    ([b'a', b'ab'], None, None)
    """
    cdef const uint8_t *s = <const uint8_t *> PyBytes_AS_STRING(data)
    cdef size_t i = 0, begin, n = len(data), size, pads, total = 0
    cdef uint32_t rank, line = 0
    cdef object counted = array("i", [0]) * (len(data) // SHORTEST + 2)
    cdef int32_t *places = <int32_t *> <Py_ssize_t> counted.buffer_info()[0]
    cdef bytearray text = PyByteArray_FromStringAndSize(NULL, <Py_ssize_t> (n // 4 * 3 + SPARE))
    cdef uint8_t *out = <uint8_t *> PyByteArray_AS_STRING(text)
    while i < n:
        # data[0:i] is `line` lines, whose tokens are in `text`. A bytes object has a zero behind its last byte
        begin = i
        while s[i] > 0x20:
            i += 1
        size = i - begin
        if s[i] != 0x20 or size == 0 or size & 3:
            return None
        pads = 0 if s[i - 1] != PAD else 1 if s[i - 2] != PAD else 2
        size = size // 4 * 3 - pads
        if <Py_ssize_t> size > longest or not decoded(s + begin, i - begin, pads, out + total):
            return None
        total += size
        begin = i = i + 1
        rank = 0
        while 0x30 <= s[i] <= 0x39 and i - begin < 9:
            rank = 10 * rank + s[i] - 0x30
            i += 1
        if i == begin or rank != line or s[i] != 10 or s[begin] == 0x30 and i > begin + 1:
            return None
        line += 1
        places[line] = <int32_t> total
        i += 1
    memset(out + total, 0, SPARE)
    del text[total + SPARE:]
    del counted[line + 1:]
    return spelt_of(text, counted, <int32_t> line)
