r"""One field of many JSON lines, without a Python object for a line and without the GIL: `json_fields`.

Only of lines that are plain: an object by the grammar of JSON (RFC 8259), nested DEPTH deep at most, in whose names
nothing is escaped, with numbers of at most LONGEST characters, and whose field is a string without lone surrogates. So
nothing is decided here that Python's `json` decides in its own way: if any line is otherwise, the caller asks `json`
about all of them.

Of a name that is given twice the last string is kept, as `json` does. Every function named take… moves over what it is
named for and says whether it stood there; after a no nothing more is read of the line.

Cost  O(bytes): each byte is looked at once, and once before to see that it is UTF-8. Only strings that are spelt with
escapes are copied.
"""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memchr, memcmp, memcpy

from subwordio.spelling cimport hex_digit, put_character, unescaped
from subwordio.text cimport is_well_formed
from subwordio.texts cimport Texts

cdef extern from *:
    """
    #include <stdint.h>
    #include <string.h>
    #include "subwordio/vectors.h"
    #if defined(__SSE2__)
    #include <emmintrin.h>
    #endif
    /* Of how many bytes none is a quote, a backslash or below a space: so far a string goes on as it is spelt. */
    static inline size_t subwordio_json_plain(const uint8_t *text, size_t n) {
        size_t i = 0;
    #if defined(__SSE2__)
        for (; n - i >= 16; i += 16) {
            const __m128i x = _mm_loadu_si128((const __m128i *)(text + i));
            const __m128i mark = _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8(34)), _mm_cmpeq_epi8(x, _mm_set1_epi8(92)));
            const __m128i low = _mm_cmpeq_epi8(_mm_min_epu8(x, _mm_set1_epi8(31)), x);
            const unsigned bits = (unsigned)_mm_movemask_epi8(_mm_or_si128(mark, low));
            if (bits) return i + (size_t)subwordio_lowest(bits);
        }
    #else
        const uint64_t ones = 0x0101010101010101u;
        for (; n - i >= 8; i += 8) {
            uint64_t word, quote, escape;
            memcpy(&word, text + i, 8);
            quote = word ^ ones * 34;
            escape = word ^ ones * 92;
            if ((((quote - ones) & ~quote) | ((escape - ones) & ~escape) | ((word - ones * 32) & ~word)) & ones * 128) break;
        }
    #endif
        while (i < n && text[i] >= 32 && text[i] != 34 && text[i] != 92) i++;
        return i;
    }
    """
    size_t subwordio_json_plain(const uint8_t *text, size_t n) noexcept nogil

cdef enum:
    DEPTH = 64
    LONGEST = 1000

cdef struct Field:              # its name, and the string text[begin:end] that was found, if it was
    const uint8_t *name
    size_t length
    size_t begin
    size_t end
    bint found
    bint escaped


cdef struct Line:               # text[i:end] is still to be read
    const uint8_t *text
    size_t i
    size_t end


cdef inline uint8_t ahead(const Line *line) noexcept nogil:
    """The next byte; 0, which is in no value, at the end."""
    return line.text[line.i] if line.i < line.end else 0


cdef inline void skip_space(Line *line) noexcept nogil:
    while ahead(line) == 32 or ahead(line) == 9 or ahead(line) == 13:
        line.i += 1


cdef inline bint take(Line *line, uint8_t c) noexcept nogil:
    if ahead(line) != c:
        return False
    line.i += 1
    return True


cdef bint take_string(Line *line, bint *escaped) noexcept nogil:
    """Whether a string stands here, which is passed over; and whether anything in it is escaped."""
    cdef uint8_t c
    cdef int _k
    escaped[0] = False
    if not take(line, 34):
        return False
    while line.i < line.end:
        line.i += subwordio_json_plain(line.text + line.i, line.end - line.i)
        c = ahead(line)
        line.i += 1
        if c == 34:
            return True
        if c < 32:
            return False
        if c == 92:
            escaped[0] = True
            c = ahead(line)
            line.i += 1
            if c == 117:
                for _k in range(4):
                    if hex_digit(ahead(line)) < 0:
                        return False
                    line.i += 1
            elif unescaped(c) == 0:
                return False
    return False


cdef inline bint take_digits(Line *line) noexcept nogil:
    cdef size_t begin = line.i
    while 48 <= ahead(line) <= 57:
        line.i += 1
    return line.i > begin


cdef bint take_number(Line *line) noexcept nogil:
    cdef size_t begin = line.i
    take(line, 45)
    if not take(line, 48) and not take_digits(line):
        return False
    if take(line, 46) and not take_digits(line):
        return False
    if ahead(line) == 101 or ahead(line) == 69:
        line.i += 1
        if not take(line, 43):
            take(line, 45)
        if not take_digits(line):
            return False
    return line.i - begin <= LONGEST


cdef bint take_word(Line *line, const char *word, size_t length) noexcept nogil:
    if length > line.end - line.i or memcmp(line.text + line.i, word, length) != 0:
        return False
    line.i += length
    return True


cdef bint take_value(Line *line, int depth) noexcept nogil:
    cdef uint8_t c = ahead(line)
    cdef bint escaped
    if c == 34:
        return take_string(line, &escaped)
    if c == 123:
        return take_object(line, NULL, depth + 1)
    if c == 91:
        return take_array(line, depth + 1)
    if c == 116:
        return take_word(line, b"true", 4)
    if c == 102:
        return take_word(line, b"false", 5)
    if c == 110:
        return take_word(line, b"null", 4)
    return take_number(line)


cdef bint take_array(Line *line, int depth) noexcept nogil:
    if depth > DEPTH or not take(line, 91):
        return False
    skip_space(line)
    if take(line, 93):
        return True
    while True:
        if not take_value(line, depth):
            return False
        skip_space(line)
        if take(line, 93):
            return True
        if not take(line, 44):
            return False
        skip_space(line)


cdef bint take_object(Line *line, Field *field, int depth) noexcept nogil:
    """Whether an object stands here, in which `field`, where one is asked for, is a string each time."""
    cdef size_t begin
    cdef bint escaped, asked
    if depth > DEPTH or not take(line, 123):
        return False
    skip_space(line)
    if take(line, 125):
        return True
    while True:
        begin = line.i + 1
        if not take_string(line, &escaped) or escaped:
            return False
        asked = field != NULL and line.i - 1 - begin == field.length and (
            memcmp(line.text + begin, field.name, field.length) == 0)
        skip_space(line)
        if not take(line, 58):
            return False
        skip_space(line)
        if asked:
            begin = line.i + 1
            if not take_string(line, &field.escaped):
                return False
            field.found, field.begin, field.end = True, begin, line.i - 1
        elif not take_value(line, depth):
            return False
        skip_space(line)
        if take(line, 125):
            return True
        if not take(line, 44):
            return False
        skip_space(line)


cdef inline uint32_t unit_at(const uint8_t *text) noexcept nogil:
    """The four hexadecimal digits."""
    return <uint32_t> (hex_digit(text[0]) << 12 | hex_digit(text[1]) << 8 | hex_digit(text[2]) << 4 | hex_digit(text[3]))


cdef int64_t unescape(const uint8_t *text, size_t n, uint8_t *to) noexcept nogil:
    """The string that is spelt so, never more bytes than its spelling; how many, or -1 where a surrogate is alone."""
    cdef size_t i = 0, out = 0, plain
    cdef uint32_t c, low
    cdef uint8_t kind
    cdef const uint8_t *escape
    while i < n:
        escape = <const uint8_t *> memchr(text + i, 92, n - i)
        plain = n - i if escape == NULL else <size_t> escape - <size_t> text - i
        memcpy(to + out, text + i, plain)
        i, out = i + plain, out + plain
        if i == n:
            break
        kind = text[i + 1]
        i += 2
        if kind != 117:
            to[out] = unescaped(kind)
            out += 1
            continue
        c = unit_at(text + i)
        i += 4
        if 0xD800 <= c < 0xE000:
            if c >= 0xDC00 or n - i < 6 or text[i] != 92 or text[i + 1] != 117:
                return -1
            low = unit_at(text + i + 2)
            if not 0xDC00 <= low < 0xE000:
                return -1
            c = 0x10000 + ((c - 0xD800) << 10 | (low - 0xDC00))
            i += 6
        out += put_character(c, to + out)
    return <int64_t> out


cdef Py_ssize_t read_lines(const uint8_t *text, size_t n, Field *field, Texts texts, size_t *units) except -2 nogil:
    """Put the strings to `texts`, and count the lines; how many strings there are, or -1: not all lines are plain."""
    cdef size_t at = 0
    cdef int64_t length
    cdef uint8_t *to = NULL                     # where strings go that are spelt with escapes
    cdef Line line = Line(text, 0, n)           # take_… stop at a newline, which is in no value
    while line.i < n:
        # text[0:line.i] are `units` lines, whose strings are put.
        skip_space(&line)
        if line.i < n and text[line.i] != 10:   # else it is no document, and no fault
            field.found = False
            if not take_object(&line, field, 1) or not field.found:
                return -1
            skip_space(&line)
            if line.i < n and text[line.i] != 10:
                return -1
            texts.reserve(1)
            length = <int64_t> (field.end - field.begin)
            if field.escaped:
                if to == NULL:
                    to = room_for(texts, n - field.begin)
                length = unescape(text + field.begin, field.end - field.begin, to + at)
                if length < 0:
                    return -1
                texts.put_utf8(to + at, length)
                at += <size_t> length
            else:
                texts.put_utf8(text + field.begin, length)
        line.i += 1
        units[0] += 1
    return texts.length


cdef uint8_t *room_for(Texts texts, size_t n) except NULL nogil:
    """Memory that goes with the texts."""
    with gil:
        room = PyBytes_FromStringAndSize(NULL, <Py_ssize_t> n)
        texts.held.append(room)
        return <uint8_t *> PyBytes_AS_STRING(room)


cdef void find_places(const uint8_t *text, size_t n, int64_t *places) noexcept nogil:
    """Which lines are of more than white space."""
    cdef Line line = Line(text, 0, n)
    cdef Py_ssize_t found = 0
    cdef int64_t units = 0
    cdef const uint8_t *newline
    while line.i < n:
        skip_space(&line)
        newline = <const uint8_t *> memchr(text + line.i, 10, n - line.i)
        if line.i < n and newline != text + line.i:
            places[found] = units
            found += 1
        line.i = (n if newline == NULL else <size_t> newline - <size_t> text) + 1
        units += 1


def json_fields(bytes data not None, Py_ssize_t size, str name not None):
    r"""The strings of a field of the objects in data[:size], a line each; of which lines; and how many lines there are.

    None where a line is not plain (above). Lines of white space are passed over.

    >>> data = b'{"n": [1, {}], "text": "a\\u00e9\\n"}\n\n{"text": "", "text": "b"}'
    >>> texts, places, lines = json_fields(data, len(data), "text")
    >>> list(texts) == ["aé\n".encode(), b"b"], list(places), lines
    (True, [0, 2], 3)
    >>> json_fields(b'{"text": NaN}', 13, "text")
    """
    cdef const uint8_t *text = <const uint8_t *> PyBytes_AS_STRING(data)
    cdef bytes spelt, places
    cdef int64_t *lines
    cdef size_t units = 0, n = <size_t> size
    cdef Py_ssize_t found = -1
    cdef Field field
    cdef Texts texts = Texts()
    if not 0 <= size <= len(data):
        raise ValueError(f"size={size}: expected 0 to {len(data)}")
    try:
        spelt = name.encode()
    except UnicodeEncodeError:
        return None
    field = Field(<const uint8_t *> PyBytes_AS_STRING(spelt), <size_t> len(spelt), 0, 0, False, False)
    texts.held.append(data)
    with nogil:
        if is_well_formed(text, n):
            found = read_lines(text, n, &field, texts, &units)
    if found < 0:
        return None
    if <size_t> found == units:
        return texts, range(found), found
    places = PyBytes_FromStringAndSize(NULL, found * <Py_ssize_t> sizeof(int64_t))
    lines = <int64_t *> PyBytes_AS_STRING(places)
    with nogil:
        find_places(text, n, lines)
    return texts, memoryview(places).cast("q"), units
