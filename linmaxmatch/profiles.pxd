"""The character maps of the named profiles, and the one context rule that a map cannot hold."""
from libc.stdint cimport uint8_t, uint32_t
from linmaxmatch.charmap cimport CharMap

# The map of a profile under its resolved options; made once, then shared. Needs the GIL.
cdef CharMap character_map(object profile, bint lowercase, bint strip_accents, bint clean_text,
                           bint handle_chinese_chars)

# Whether the capital sigma text[at : at + 2] is a final one (Python's rule, in which a word's neighbours are those that
# cleaning leaves). Looks to both sides as far as case-ignorable characters go, so that all calls on one text together
# look at each byte at most twice.
cdef bint final_sigma(CharMap map, const uint8_t *text, size_t n, size_t at) noexcept nogil
