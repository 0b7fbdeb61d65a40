"""Any accepted text as UTF-8, and the way back from byte offsets to the text's own indices."""
from libc.stdint cimport uint8_t, uint32_t


cdef struct ByteBuffer:
    uint8_t *data       # malloc'd; NULL while capacity is 0
    size_t length       # bytes in use
    size_t capacity     # bytes that fit without growing


# Make room for `extra` more bytes; grows by half at least. MemoryError.
cdef int bytes_reserve(ByteBuffer *buffer, size_t extra) except -1 nogil
# Give the memory back; the buffer is then empty and may be used again.
cdef void bytes_free(ByteBuffer *buffer) noexcept nogil


cdef enum TextKind:
    TEXT_BYTES          # bytes, not yet known to be UTF-8
    TEXT_ASCII          # a str of ASCII only: its memory is its UTF-8
    TEXT_UCS1           # a str of one, two or four bytes a character
    TEXT_UCS2
    TEXT_UCS4
    TEXT_ANY            # bytes that need not be UTF-8
    TEXT_UTF8           # bytes that are known to be
    TEXT_NULL           # no text, where a column has none: of length 0


cdef struct TextRef:
    const void *data    # the Python object's own memory: valid while a reference to the object is held
    Py_ssize_t length   # units in `data`: bytes or characters
    TextKind kind       # what a unit is
    const void *utf8    # its UTF-8, where a str has that already (CPython keeps it once somebody asked); else NULL
    Py_ssize_t utf8_length


cdef struct Utf8:
    const uint8_t *data     # well-formed UTF-8, unless `ill_formed`: the text's own memory or the scratch's; never NULL
    size_t length           # bytes; at most 2^32 - 1
    bint ascii              # every byte is known to be below 0x80, so that byte offsets are the text's own indices
    bint ill_formed         # the text is of kind TEXT_ANY, and not UTF-8
    bint pairs              # the text is a str that spells some characters as surrogate pairs
    TextRef source          # the text itself


# Look at a str or bytes; needs the GIL. TypeError names any other type.
cdef int text_ref(object text, TextRef *out) except -1
# Its UTF-8, without the GIL. `scratch` is overwritten where a str must be converted, and must then outlive `out`.
# A surrogate pair is its character, a lone surrogate U+FFFD. ValueError: ill-formed bytes unless they may be any, more
# than 2^32 - 1 bytes.
cdef int utf8_of(const TextRef *text, Utf8 *out, ByteBuffer *scratch) except -1 nogil
# Whether bytes are UTF-8.
cdef bint is_well_formed(const uint8_t *s, size_t n) noexcept nogil
# Raise the ValueError that says what is wrong with bytes that are not UTF-8.
cdef int refuse_ill_formed(const uint8_t *data, size_t n) except -1 nogil
# Both steps; the caller holds a reference to `text` for as long as `out` is used.
cdef int utf8_view(object text, Utf8 *out, ByteBuffer *scratch) except -1
# out[k] = the text's index that belongs to byte_offsets[k], for n offsets that do not decrease: code units of a str,
# code points of bytes. An offset inside a character counts that character. One pass: O(last offset + n).
# `out` may be `byte_offsets` itself.
cdef int char_offsets_of(const Utf8 *text, const uint32_t *byte_offsets, Py_ssize_t n, uint32_t *out) except -1 nogil
