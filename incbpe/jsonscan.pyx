"""Where the values of a JSON text begin and end, and what plain strings and numbers say.

It tells parts apart, and does not check what is outside of those that are taken: whoever cuts a text into parts gives what
is left to a reader that does. What is not plain is a MISS: control characters, surrogates, numbers that are no digits.
Cost  one look at each byte
"""
from libc.string cimport memcmp, strlen

from subwordio.spelling cimport hex_digit, put_character, unescaped


cdef size_t blanks(const uint8_t *text, size_t i) noexcept nogil:
    while text[i] == 0x20 or text[i] == 10 or text[i] == 13 or text[i] == 9:
        i += 1
    return i


cdef size_t string_end(const uint8_t *text, size_t i) noexcept nogil:
    if text[i] != 0x22:
        return MISS
    i += 1
    while text[i] != 0x22:
        if text[i] < 0x20:
            return MISS
        i += 1
        if text[i - 1] == 0x5C:                 # whatever is escaped is no end, but the text's
            if text[i] < 0x20:
                return MISS
            i += 1
    return i + 1


cdef size_t value_end(const uint8_t *text, size_t i) noexcept nogil:
    cdef size_t depth = 0
    while True:
        if text[i] == 0x22:
            i = string_end(text, i)
            if i == MISS:
                return MISS
        elif text[i] == 0:
            return MISS
        else:
            depth += text[i] == 0x7B or text[i] == 0x5B         # { [
            if text[i] == 0x7D or text[i] == 0x5D:              # } ]
                if depth == 0:
                    return MISS
                depth -= 1
            i += 1
        if depth == 0 and (text[i] == 0x2C or text[i] == 0x7D or text[i] == 0x5D or blanks(text, i) > i or text[i] == 0):
            return i


cdef size_t take_string(const uint8_t *text, size_t i, uint8_t *out, size_t *n, size_t most) noexcept nogil:
    cdef size_t k = n[0], end
    cdef uint32_t code
    cdef int digit
    cdef uint8_t c
    if text[i] != 0x22:
        return MISS
    i += 1
    while text[i] != 0x22:
        c = text[i]
        if c < 0x20 or k + 4 > most:
            return MISS
        i += 1
        if c == 0x5C:
            c = text[i]
            i += 1
            if c == 0x75:                       # u and four digits
                code, end = 0, i + 4
                while i < end:
                    digit = hex_digit(text[i])
                    if digit < 0:
                        return MISS
                    code = 16 * code + <uint32_t> digit
                    i += 1
                if 0xD800 <= code < 0xE000:
                    return MISS
                k += put_character(code, out + k)
                continue
            c = unescaped(c)
            if c == 0:
                return MISS
        out[k] = c
        k += 1
    n[0] = k
    return i + 1


cdef size_t take_number(const uint8_t *text, size_t i, int64_t *number) noexcept nogil:
    cdef size_t begin = i
    number[0] = 0
    while 0x30 <= text[i] <= 0x39 and i - begin < 10:
        number[0] = 10 * number[0] + text[i] - 0x30
        i += 1
    if i == begin or text[begin] == 0x30 and i - begin > 1 or number[0] > 0x7FFFFFFF:
        return MISS
    return i


cdef size_t member_value(const uint8_t *text, size_t i, Extent *key) noexcept nogil:
    key.begin, key.end = i, string_end(text, i)
    if key.end == MISS:
        return MISS
    i = blanks(text, key.end)
    return blanks(text, i + 1) if text[i] == 0x3A else MISS


cdef bint is_key(const uint8_t *text, Extent key, const char *name) noexcept nogil:
    cdef size_t n = strlen(name)
    return key.end - key.begin == n + 2 and memcmp(text + key.begin + 1, name, n) == 0
