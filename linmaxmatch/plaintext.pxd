"""Normalized text before it is split into words: what normalized added tokens are looked for in."""
from libc.stdint cimport uint8_t

from linmaxmatch.normalizer cimport Normalizer
from linmaxmatch.words cimport Words

# Append to `plain`, with the sources of its bytes, what `normalizer` makes of text[0:n] and does not split. `splitter`
# is Normalizer(None); `words` is room to work in. O(n).
cdef int plain_text(Normalizer normalizer, Normalizer splitter, const uint8_t *text, size_t n, Words *words,
                    Words *plain) except -1 nogil
