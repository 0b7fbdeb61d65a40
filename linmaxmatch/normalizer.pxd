"""The C surface of the normalizer: the kernel that fills a `Words` without the GIL."""
from libc.stdint cimport uint8_t, uint32_t
from linmaxmatch.charmap cimport CharMap
from linmaxmatch.words cimport Words, words_free, words_reserve
from subwordio.text cimport Utf8


cdef class Normalizer:
    cdef CharMap map                    # what becomes of each code point, composed for this profile and its options
    cdef readonly str profile           # "hf", "google", "tf"; None: no cleaning
    cdef readonly bint lowercase        # the options, as resolved: strip_accents is never None here
    cdef readonly bint strip_accents
    cdef readonly bint clean_text
    cdef readonly bint handle_chinese_chars
    cdef readonly bint nfc              # `prepare` composes the text before `run` sees it

    # What `run` must be given for this text (str): the text itself, but with nfc=True its composed form. Needs the GIL.
    cdef object prepare(self, object text)

    # Whether a tab, a line feed, a carriage return and a space each end a word and do no more.
    cdef bint cuts_at_blanks(self) noexcept

    # Appends to `out` the normalized words of text[position[0]:n] until at least `limit` bytes are appended and a word
    # is complete, or the text ends; moves position[0] to where the next call goes on (n when done). `text` is valid
    # UTF-8 of n < 2**32 bytes, given whole each time. No word spans two calls. MemoryError.
    cdef int run(self, const uint8_t *text, size_t n, size_t *position, size_t limit, Words *out) except -1 nogil

    # The same, and fills out.starts and out.ends.
    cdef int run_aligned(self, const uint8_t *text, size_t n, size_t *position, size_t limit,
                         Words *out) except -1 nogil

    # What `words`, `words_with_offsets` and `parts` share; the second's indices.
    cdef list cut(self, object text, size_t limit, bint aligned)
    cdef tuple spans(self, const Utf8 *utf8, Words *words)
