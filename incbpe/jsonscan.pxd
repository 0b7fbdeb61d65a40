"""Where the values of a JSON text begin and end, and what plain strings and numbers say."""
from libc.stdint cimport int64_t, uint8_t, uint32_t

cdef struct Extent:
    size_t begin                            # of a key or a value: text[begin:end], its quotes or brackets included
    size_t end

cdef size_t MISS = <size_t> -1              # what a place is where the text is not so

# All read text[i:] of a text with a zero behind it.
cdef size_t blanks(const uint8_t *text, size_t i) noexcept nogil            # the first place that is no white space
cdef size_t string_end(const uint8_t *text, size_t i) noexcept nogil        # behind the string that begins at i, or MISS
cdef size_t value_end(const uint8_t *text, size_t i) noexcept nogil         # behind the value that begins at i, or MISS
# The string that begins at i, without escapes, appended to out[0:n[0]]; behind it, or MISS where it is not plain, or would
# come within four bytes of out[most].
cdef size_t take_string(const uint8_t *text, size_t i, uint8_t *out, size_t *n, size_t most) noexcept nogil
cdef size_t take_number(const uint8_t *text, size_t i, int64_t *number) noexcept nogil      # digits alone, below 2**31; or MISS
# Behind the member's colon and white space, where its value begins; `key` is where its key stands. Or MISS.
cdef size_t member_value(const uint8_t *text, size_t i, Extent *key) noexcept nogil
cdef bint is_key(const uint8_t *text, Extent key, const char *name) noexcept nogil          # spelt without escapes
