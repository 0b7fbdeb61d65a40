"""Normalized text before it is split into words, from the words and what lies between them.

The words hold all characters that normalization keeps but white space, and the place in the text of each; so a space
is due for every character between two words that is one, and around a word that the normalizer isolates though it is no
punctuation mark: a CJK ideograph.

Cost  O(n) for a text of n bytes
"""
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

from linmaxmatch.charmap cimport ALONE, ALONE_SELF, KIND, SPACE
from linmaxmatch.matcher cimport char_width, word_end
from linmaxmatch.normalizer cimport Normalizer
from linmaxmatch.words cimport Words, words_free, words_reserve
from subwordio.text cimport ByteBuffer, Utf8, bytes_free, utf8_view

cdef extern from "subwordio/charclass.h" nogil:
    uint32_t character(const uint8_t *text, size_t i, size_t end) noexcept

cdef enum:
    PART = 16384                # bytes of words at a time


cdef bint isolated(Normalizer normalizer, uint32_t c) noexcept nogil:
    cdef int kind = KIND(normalizer.map.fate(c))
    return kind == ALONE or kind == ALONE_SELF


cdef int put(Words *plain, uint8_t byte, uint32_t start, uint32_t end) except -1 nogil:
    words_reserve(plain, 1, True)
    plain.bytes[plain.length], plain.starts[plain.length], plain.ends[plain.length] = byte, start, end
    plain.length += 1
    return 0


cdef int put_spaces(Normalizer normalizer, const uint8_t *text, size_t i, size_t stop, Words *plain) except -1 nogil:
    """What becomes of each white-space character of text[i:stop], in which no word is: a space, or uncleaned, itself."""
    cdef size_t width, k
    cdef uint8_t shift
    while i < stop:
        width = char_width(text[i])
        if KIND(normalizer.map.fate(character(text, i, i + width))) == SPACE:
            if normalizer.clean_text:
                put(plain, 0x20, <uint32_t> i, <uint32_t> (i + width))
            else:
                # decomposition makes U+2002 and U+2003 of U+2000 and U+2001 (E2 80 80, E2 80 81), and no other
                shift = 2 if normalizer.strip_accents and character(text, i, i + width) | 1 == 0x2001 else 0
                for k in range(width):
                    put(plain, text[i + k] + (shift if k == 2 else 0), <uint32_t> i, <uint32_t> (i + width))
        i += width
    return 0


cdef int plain_text(Normalizer normalizer, Normalizer splitter, const uint8_t *text, size_t n, Words *words,
                    Words *plain) except -1 nogil:
    cdef size_t position = 0, done = 0, begin, end, k
    cdef uint32_t start, source, first
    cdef bint ideograph
    while position < n:
        words.length = 0
        normalizer.run_aligned(text, n, &position, PART, words)
        begin = 0
        while begin < words.length:
            # text[0:done] is in `plain`
            end = word_end(words.bytes, begin, words.length)
            start = words.starts[begin]
            put_spaces(normalizer, text, done, start, plain)
            source = character(text, start, start + char_width(text[start]))
            first = character(words.bytes, begin, begin + char_width(words.bytes[begin]))
            ideograph = isolated(normalizer, source) and not isolated(splitter, first)
            if ideograph:
                put(plain, 0x20, start, words.ends[begin])
            for k in range(begin, end):
                put(plain, words.bytes[k], words.starts[k], words.ends[k])
            done = words.ends[end - 1]
            if ideograph:
                put(plain, 0x20, start, <uint32_t> done)
            begin = end + 1
    return put_spaces(normalizer, text, done, n, plain)


def normalized(Normalizer normalizer not None, text):
    """What the normalizer makes of a text before it is split.

    >>> from linmaxmatch.normalizer import Normalizer
    >>> normalized(Normalizer(), "Ça va?  漢字")
    'ca va?   漢  字 '
    """
    cdef Utf8 view
    cdef ByteBuffer scratch
    cdef Words words, plain
    memset(&scratch, 0, sizeof(scratch))
    memset(&words, 0, sizeof(words))
    memset(&plain, 0, sizeof(plain))
    try:
        utf8_view(text, &view, &scratch)
        plain_text(normalizer, Normalizer(None), view.data, view.length, &words, &plain)
        return plain.bytes[:plain.length].decode("utf-8")
    finally:
        bytes_free(&scratch)
        words_free(&words)
        words_free(&plain)
