"""Any accepted text as UTF-8, and the way back from byte offsets to the text's own indices.

A text is a `str` or UTF-8 `bytes`. Engines read UTF-8 only, so that one loop serves both:

    bytes           validated, unless somebody has done that before; never copied
    ASCII str       its own memory, never copied
    other str       the UTF-8 that it keeps, if somebody has asked for that before; else converted from the str's memory
                    into the caller's scratch: the str does not grow a copy
    surrogates      in a str a pair is its character and a lone one U+FFFD; in bytes they are ill-formed

Results count bytes of the UTF-8; a caller counts what indexes the text: code units of a `str` (a surrogate pair is
two) or code points of `bytes`. `char_offsets_of` goes from one to the other.

Cost  Utf8: O(length), or O(1) for an ASCII str. Offsets: one pass for all of them, or O(1) each in ASCII.
"""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.number cimport PyNumber_Index
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memmove

from subwordio.largepages cimport prefer_large_pages
from subwordio.vectors cimport checked

from subwordio.vectors import ways

cdef extern from *:
    """
    #if PY_VERSION_HEX < 0x030C0000
    #define subwordio_ready(text) PyUnicode_READY(text)     /* strings of the old, lazily laid out form */
    #else
    #define subwordio_ready(text) 0
    #endif
    /* The UTF-8 that a str other than ASCII keeps since somebody asked for it, or NULL. It never has surrogates. */
    static inline const void *subwordio_kept(PyObject *text, Py_ssize_t *length) {
    #if defined(PYPY_VERSION) || defined(Py_GIL_DISABLED)
        *length = 0;
        return NULL;
    #else
        const PyCompactUnicodeObject *compact = (const PyCompactUnicodeObject *)text;
        if (!PyUnicode_IS_COMPACT(text)) return NULL;
        *length = compact->utf8_length;
        return compact->utf8;
    #endif
    }
    """
    const size_t PY_SSIZE_T_MAX
    int subwordio_ready(object text) except -1
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    bint PyUnicode_IS_ASCII(object text)
    int PyUnicode_KIND(object text)
    const void *PyUnicode_DATA(object text)
    const void *subwordio_kept(object text, Py_ssize_t *length)

cdef extern from "subwordio/narrow.h" nogil:
    size_t narrow "subwordio_narrow"(const void *s, size_t width, size_t n, uint8_t *out) noexcept

cdef extern from "subwordio/spell.h" nogil:
    size_t spell "subwordio_spell"(int way, const void *s, size_t width, size_t n, uint8_t *out, size_t *length) noexcept

cdef extern from "subwordio/wellformed.h" nogil:
    size_t well_formed "subwordio_well_formed"(int way, const uint8_t *s, size_t i, size_t n) noexcept

cdef int way = max(ways())     # how characters are spelt and looked at: the quickest
cdef uint64_t HIGH_BITS = 0x8080808080808080    # the bits that no ASCII byte has
cdef size_t MOST_BYTES = 0xFFFFFFFF             # offsets are uint32
cdef size_t BLOCK = 4096                        # units converted between two looks at the scratch's capacity
cdef size_t SPARE = 64                          # bytes behind them that may be written

ctypedef fused code_unit:
    uint8_t
    uint16_t
    uint32_t


cdef int bytes_reserve(ByteBuffer *buffer, size_t extra) except -1 nogil:
    cdef size_t capacity
    cdef void *grown
    if extra <= buffer.capacity - buffer.length:
        return 0
    if extra > PY_SSIZE_T_MAX - buffer.length:
        raise MemoryError()
    capacity = max(buffer.length + extra, min(buffer.capacity + buffer.capacity // 2, PY_SSIZE_T_MAX))
    grown = realloc(buffer.data, capacity)
    if grown == NULL:
        raise MemoryError()
    buffer.data = <uint8_t *> grown
    buffer.capacity = capacity
    prefer_large_pages(grown, capacity)
    return 0


cdef void bytes_free(ByteBuffer *buffer) noexcept nogil:
    free(buffer.data)
    buffer.data = NULL
    buffer.length = buffer.capacity = 0


cdef size_t ascii_end(const uint8_t *s, size_t i, size_t n) noexcept nogil:
    """The end of the run of ASCII bytes that begins at i."""
    cdef uint64_t eight
    while n - i >= 8:
        memcpy(&eight, s + i, 8)
        if eight & HIGH_BITS:
            break
        i += 8
    while i < n and s[i] < 0x80:
        i += 1
    return i


cdef bint continues(uint8_t byte) noexcept nogil:
    return (byte & 0xC0) == 0x80


cdef size_t well_formed_end(const uint8_t *s, size_t i, size_t n) noexcept nogil:
    """The offset of the first ill-formed sequence from i on, or n. (Unicode 16, table 3-7)"""
    cdef uint8_t lead
    i = well_formed(way, s, i, n)
    while i < n:
        # s[0:i] is well formed and i begins a sequence.
        lead = s[i]
        if lead < 0x80:
            i = ascii_end(s, i, n)
        elif lead < 0xC2:
            return i
        elif lead < 0xE0:
            if n - i < 2 or not continues(s[i + 1]):
                return i
            i += 2
        elif lead < 0xF0:
            if n - i < 3 or not (continues(s[i + 1]) and continues(s[i + 2])):
                return i
            if (lead == 0xE0 and s[i + 1] < 0xA0) or (lead == 0xED and s[i + 1] >= 0xA0):
                return i
            i += 3
        elif lead < 0xF5:
            if n - i < 4 or not (continues(s[i + 1]) and continues(s[i + 2]) and continues(s[i + 3])):
                return i
            if (lead == 0xF0 and s[i + 1] < 0x90) or (lead == 0xF4 and s[i + 1] >= 0x90):
                return i
            i += 4
        else:
            return i
    return n


cdef bint is_well_formed(const uint8_t *s, size_t n) noexcept nogil:
    return well_formed_end(s, 0, n) == n


cdef str reason(const uint8_t *s, size_t i, size_t n):
    """What is wrong with the sequence at i, which `well_formed_end` has refused."""
    cdef uint8_t lead = s[i], second = s[i + 1] if n - i > 1 else 0
    cdef size_t k, length = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    if lead < 0xC0:
        return "a continuation byte that continues nothing"
    if lead < 0xC2 or (continues(second) and ((lead == 0xE0 and second < 0xA0) or (lead == 0xF0 and second < 0x90))):
        return "an overlong form"
    if lead == 0xED and continues(second) and second >= 0xA0:
        return "a surrogate, which UTF-8 does not encode"
    if lead >= 0xF8:
        return "a byte that UTF-8 does not use"
    if lead > 0xF4 or (lead == 0xF4 and continues(second) and second >= 0x90):
        return "a code point above U+10FFFF"
    for k in range(1, min(length, n - i)):
        if not continues(s[i + k]):
            return f"byte 0x{s[i + k]:02x} where a continuation byte belongs"
    return "the text ends inside a character"


cdef int too_long(size_t length) except -1 nogil:
    with gil:
        raise ValueError(f"the text has at least {length} bytes of UTF-8, but at most {MOST_BYTES} (4 GiB) are taken")


cdef int convert(const code_unit *s, size_t n, ByteBuffer *out, bint *pairs) except -1 nogil:
    """Append the UTF-8 of n units; set `pairs` if surrogate pairs are among them."""
    cdef size_t i = 0, stop, w, k
    cdef uint32_t c
    cdef uint8_t *to
    bytes_reserve(out, n + n // 8 + SPARE)      # enough for most texts in Latin letters: to grow is to move it all
    while i < n:
        stop = min(n, i + BLOCK)
        bytes_reserve(out, (stop - i) * (sizeof(code_unit) + 1 if sizeof(code_unit) < 4 else 4) + SPARE)
        to = out.data
        w = out.length
        while i < stop:
            # to[0:w] spells s[0:i]; a pair may reach one unit beyond `stop`, for which there are spare bytes.
            if stop - i >= 16:
                if s[i] < 0x80:
                    k = narrow(s + i, sizeof(code_unit), stop - i, to + w)
                    i += k
                    w += k
                k = spell(way, s + i, sizeof(code_unit), stop - i, to, &w)
                if k > 0:
                    i += k
                    continue
            while stop - i >= 4 and (s[i] | s[i + 1] | s[i + 2] | s[i + 3]) < 0x80:
                to[w] = <uint8_t> s[i]
                to[w + 1] = <uint8_t> s[i + 1]
                to[w + 2] = <uint8_t> s[i + 2]
                to[w + 3] = <uint8_t> s[i + 3]
                i += 4
                w += 4
            if i == stop:
                break
            c = s[i]
            i += 1
            if c < 0x80:
                to[w] = <uint8_t> c
                w += 1
                continue
            if c < 0x800:
                to[w] = <uint8_t> (0xC0 | c >> 6)
                to[w + 1] = <uint8_t> (0x80 | c & 0x3F)
                w += 2
                continue
            if code_unit is not uint8_t:
                if 0xD800 <= c < 0xE000:
                    if c < 0xDC00 and i < n and 0xDC00 <= s[i] < 0xE000:
                        c = 0x10000 + ((c - 0xD800) << 10) + (s[i] - 0xDC00)
                        i += 1
                        pairs[0] = True
                    else:
                        c = 0xFFFD
                if c < 0x10000:
                    to[w] = <uint8_t> (0xE0 | c >> 12)
                    to[w + 1] = <uint8_t> (0x80 | c >> 6 & 0x3F)
                    to[w + 2] = <uint8_t> (0x80 | c & 0x3F)
                    w += 3
                else:
                    to[w] = <uint8_t> (0xF0 | c >> 18)
                    to[w + 1] = <uint8_t> (0x80 | c >> 12 & 0x3F)
                    to[w + 2] = <uint8_t> (0x80 | c >> 6 & 0x3F)
                    to[w + 3] = <uint8_t> (0x80 | c & 0x3F)
                    w += 4
        out.length = w
        if out.length > MOST_BYTES:
            too_long(out.length)
    return 0


cdef int text_ref(object text, TextRef *out) except -1:
    cdef int width
    out.utf8 = NULL
    if isinstance(text, str):
        subwordio_ready(text)
        width = PyUnicode_KIND(text)
        out.kind = (TEXT_ASCII if PyUnicode_IS_ASCII(text) else TEXT_UCS1 if width == 1
                    else TEXT_UCS2 if width == 2 else TEXT_UCS4)
        out.data = PyUnicode_DATA(text)
        out.length = PyUnicode_GET_LENGTH(text)
        if out.kind != TEXT_ASCII:
            out.utf8 = subwordio_kept(text, &out.utf8_length)
    elif isinstance(text, bytes):
        out.kind = TEXT_BYTES
        out.data = PyBytes_AS_STRING(text)
        out.length = PyBytes_GET_SIZE(text)
    else:
        raise TypeError(f"expected str or bytes, got {type(text).__name__}")
    return 0


cdef int utf8_of(const TextRef *text, Utf8 *out, ByteBuffer *scratch) except -1 nogil:
    cdef size_t length = text.length, end
    if length > MOST_BYTES:
        too_long(length)
    out.source = text[0]
    out.data = <const uint8_t *> text.data
    out.length = length
    out.ascii = text.kind == TEXT_ASCII or text.kind == TEXT_NULL
    out.ill_formed = out.pairs = False
    if out.ascii or text.kind == TEXT_UTF8:
        return 0
    if text.kind == TEXT_BYTES or text.kind == TEXT_ANY:
        end = ascii_end(out.data, 0, length)
        out.ascii = end == length
        end = well_formed_end(out.data, end, length)
        out.ill_formed = end < length
        if out.ill_formed and text.kind == TEXT_BYTES:
            refuse_ill_formed(out.data, length)
        return 0
    if text.utf8 != NULL:
        if <size_t> text.utf8_length > MOST_BYTES:
            too_long(text.utf8_length)
        out.data = <const uint8_t *> text.utf8
        out.length = text.utf8_length
        return 0
    scratch.length = 0
    if text.kind == TEXT_UCS1:
        convert(<const uint8_t *> text.data, length, scratch, &out.pairs)
    elif text.kind == TEXT_UCS2:
        convert(<const uint16_t *> text.data, length, scratch, &out.pairs)
    else:
        convert(<const uint32_t *> text.data, length, scratch, &out.pairs)
    out.data = scratch.data
    out.length = scratch.length
    return 0


cdef int refuse_ill_formed(const uint8_t *data, size_t n) except -1 nogil:
    cdef size_t end = well_formed_end(data, 0, n)
    with gil:
        raise ValueError(f"ill-formed UTF-8 at byte {end}: {reason(data, end, n)}")


cdef int utf8_view(object text, Utf8 *out, ByteBuffer *scratch) except -1:
    cdef TextRef ref
    text_ref(text, &ref)
    return utf8_of(&ref, out, scratch)


cdef uint32_t units(const Utf8 *text, uint32_t index) noexcept nogil:
    """How many units of the str spell the character at `index` that takes four bytes in UTF-8."""
    if text.source.kind == TEXT_UCS4 and (<const uint32_t *> text.source.data)[index] >= 0x10000:
        return 1
    return 2


cdef int char_offsets_of(const Utf8 *text, const uint32_t *byte_offsets, Py_ssize_t n, uint32_t *out) except -1 nogil:
    cdef Py_ssize_t k
    cdef uint32_t position = 0, index = 0, stop
    if text.ascii:
        memmove(out, byte_offsets, n * sizeof(uint32_t))
        return 0
    for k in range(n):
        # `index` units of the text begin before byte `position`.
        stop = byte_offsets[k]
        assert position <= stop <= text.length
        if text.pairs:
            while position < stop:
                if text.data[position] >= 0xF0:
                    index += units(text, index)
                elif not continues(text.data[position]):
                    index += 1
                position += 1
        else:
            while position < stop:
                index += not continues(text.data[position])
                position += 1
        out[k] = index
    return 0


def utf8(text):
    """The UTF-8 that every engine sees of a text; cost O(len(text)).

    >>> utf8("\\ud83d\\udc4d \\ud83d") == "\\N{THUMBS UP SIGN} \\ufffd".encode()
    True
    >>> utf8(b"caf\\xc3")
    Traceback (most recent call last):
    ValueError: ill-formed UTF-8 at byte 3: the text ends inside a character
    """
    cdef Utf8 view
    cdef ByteBuffer scratch = ByteBuffer(NULL, 0, 0)
    try:
        utf8_view(text, &view, &scratch)
        return PyBytes_FromStringAndSize(<const char *> view.data, view.length)
    finally:
        bytes_free(&scratch)


def is_utf8(bytes data not None) -> bool:
    """Whether bytes are well-formed UTF-8. O(n), and quick.

    >>> is_utf8("caf\\xe9".encode()), is_utf8(b"caf\\xc3")
    (True, False)
    """
    return is_well_formed(<const uint8_t *> PyBytes_AS_STRING(data), len(data))


def char_offsets(text, byte_offsets):
    """The text's own indices for offsets into its UTF-8 that do not decrease; cost O(len(text) + len(byte_offsets)).

    >>> text = "na\\N{LATIN SMALL LETTER I WITH DIAERESIS}ve"
    >>> char_offsets(text, [0, 2, 4, 6]), char_offsets(text.encode(), [0, 2, 4, 6])
    ([0, 2, 3, 5], [0, 2, 3, 5])
    """
    cdef Utf8 view
    cdef ByteBuffer scratch = ByteBuffer(NULL, 0, 0)
    cdef list wanted = [PyNumber_Index(offset) for offset in byte_offsets]
    cdef Py_ssize_t k, n = len(wanted)
    cdef uint32_t *out = NULL
    try:
        utf8_view(text, &view, &scratch)
        out = <uint32_t *> malloc(n * sizeof(uint32_t) + 1)
        if out == NULL:
            raise MemoryError()
        for k in range(n):
            if not (wanted[k - 1] if k else 0) <= wanted[k] <= view.length:
                raise ValueError(f"byte_offsets[{k}]: expected an offset from {wanted[k - 1] if k else 0} "
                                 f"to {view.length}, got {wanted[k]!r}")
            out[k] = wanted[k]
        char_offsets_of(&view, out, n, out)
        return [out[k] for k in range(n)]
    finally:
        free(out)
        bytes_free(&scratch)


def use_way(int by) -> None:
    """From now on spell characters and look at bytes in that way, for the tests of all ways."""
    global way
    way = checked(by)
