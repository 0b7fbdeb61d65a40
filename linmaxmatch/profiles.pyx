"""The profiles `hf`, `google`, `tf` and None as character maps, from the tables of their models.

Each recipe lists its model's steps from the last to the first (charmap.pyx says why). The tables are C headers that
scripts/make_unicode_tables.py makes; their first line names model and version, and `sources` returns it.
"""
from libc.stdint cimport uint8_t, uint32_t

from linmaxmatch.charmap cimport (
    ALONE_SELF, BREAK, DROP, FATE, HANGUL, KIND, SIGMA, SPACE, CharMap,
)

cdef extern from "linmaxmatch/tables_hf.h":
    const char *HF_SOURCE
    const uint32_t HF_CONTROL[1]
    const uint32_t HF_BLANK[1]
    const uint32_t HF_CHINESE[1]
    const uint32_t HF_NONSPACING[1]
    const uint32_t HF_SPACE[1]
    const uint32_t HF_PUNCTUATION[1]
    const uint32_t HF_COMBINING[1]
    const uint32_t HF_DECOMPOSITION[1]
    const uint32_t HF_LOWER[1]
    size_t HF_CONTROL_N, HF_BLANK_N, HF_CHINESE_N, HF_NONSPACING_N, HF_SPACE_N, HF_PUNCTUATION_N, HF_COMBINING_N
    size_t HF_DECOMPOSITION_N, HF_LOWER_N

cdef extern from "linmaxmatch/tables_google.h":
    const char *GOOGLE_SOURCE
    const uint32_t GOOGLE_CONTROL[1]
    const uint32_t GOOGLE_SPACE[1]
    const uint32_t GOOGLE_CHINESE[1]
    const uint32_t GOOGLE_NONSPACING[1]
    const uint32_t GOOGLE_PUNCTUATION[1]
    const uint32_t GOOGLE_COMBINING[1]
    const uint32_t GOOGLE_DECOMPOSITION[1]
    const uint32_t GOOGLE_LOWER[1]
    const uint32_t GOOGLE_CASED[1]
    const uint32_t GOOGLE_CASE_IGNORABLE[1]
    const uint32_t GOOGLE_UNASSIGNED[1]
    size_t GOOGLE_CONTROL_N, GOOGLE_SPACE_N, GOOGLE_CHINESE_N, GOOGLE_NONSPACING_N, GOOGLE_PUNCTUATION_N
    size_t GOOGLE_COMBINING_N, GOOGLE_DECOMPOSITION_N, GOOGLE_LOWER_N, GOOGLE_CASED_N, GOOGLE_CASE_IGNORABLE_N
    size_t GOOGLE_UNASSIGNED_N

cdef extern from "linmaxmatch/tables_tf.h":
    const char *TF_SOURCE
    const uint32_t TF_FOLD[1]
    const uint32_t TF_FOLDED_BLANK[1]
    const uint32_t TF_FOLDED_DROP[1]
    const uint32_t TF_SPACE[1]
    const uint32_t TF_PUNCTUATION[1]
    size_t TF_FOLD_N, TF_FOLDED_BLANK_N, TF_FOLDED_DROP_N, TF_SPACE_N, TF_PUNCTUATION_N

cdef dict maps = {}     # (profile, options) -> CharMap, kept: there are at most a few dozen, of some 300 KB each
cdef uint32_t SYLLABLES[2]
SYLLABLES[:] = [0xAC00, 0xD7A3]


cdef CharMap character_map(object profile, bint lowercase, bint strip_accents, bint clean_text,
                           bint handle_chinese_chars):
    cdef CharMap map
    key = profile, lowercase, strip_accents, clean_text, handle_chinese_chars
    if key in maps:
        return maps[key]
    map = CharMap()
    if profile == "google":
        google(map, lowercase, strip_accents, handle_chinese_chars)
    elif profile == "tf":
        tf(map, lowercase)
    else:
        hf(map, lowercase, strip_accents, clean_text, handle_chinese_chars)
    map.finish()
    return maps.setdefault(key, map)


cdef int hf(CharMap map, bint lowercase, bint strip_accents, bint clean_text, bint handle_chinese_chars) except -1:
    """BertNormalizer then BertPreTokenizer; profile None is the second alone."""
    map.fill(HF_PUNCTUATION, HF_PUNCTUATION_N, FATE(ALONE_SELF, 0))
    map.fill(HF_SPACE, HF_SPACE_N, FATE(SPACE, 0))
    if lowercase:
        map.replace(HF_LOWER, HF_LOWER_N)
    if strip_accents:
        map.fill(HF_NONSPACING, HF_NONSPACING_N, FATE(BREAK, 0))
        map.combine(HF_COMBINING, HF_COMBINING_N)
        map.replace(HF_DECOMPOSITION, HF_DECOMPOSITION_N)
        map.fill(SYLLABLES, 1, FATE(HANGUL, 0))
    if handle_chinese_chars:
        map.isolate(HF_CHINESE, HF_CHINESE_N)
    if clean_text:
        map.fill(HF_BLANK, HF_BLANK_N, FATE(SPACE, 0))
        map.fill(HF_CONTROL, HF_CONTROL_N, FATE(DROP, 0))
    return 0


cdef int google(CharMap map, bint lowercase, bint strip_accents, bint handle_chinese_chars) except -1:
    """The original Python code: lower-casing comes before decomposition here, and sees its neighbours at a sigma."""
    cdef uint32_t sigma[2]
    map.fill(GOOGLE_PUNCTUATION, GOOGLE_PUNCTUATION_N, FATE(ALONE_SELF, 0))
    if strip_accents:
        map.fill(GOOGLE_NONSPACING, GOOGLE_NONSPACING_N, FATE(BREAK, 0))
        map.combine(GOOGLE_COMBINING, GOOGLE_COMBINING_N)
        map.replace(GOOGLE_DECOMPOSITION, GOOGLE_DECOMPOSITION_N)
        map.fill(SYLLABLES, 1, FATE(HANGUL, 0))
    if lowercase:
        map.replace(GOOGLE_LOWER, GOOGLE_LOWER_N)
        sigma[0] = sigma[1] = 0x3A3
        map.fill(sigma, 1, FATE(SIGMA, 0))
    if handle_chinese_chars:
        map.isolate(GOOGLE_CHINESE, GOOGLE_CHINESE_N)
    map.fill(GOOGLE_SPACE, GOOGLE_SPACE_N, FATE(SPACE, 0))
    map.fill(GOOGLE_CONTROL, GOOGLE_CONTROL_N, FATE(DROP, 0))
    return 0


cdef int tf(CharMap map, bint lowercase) except -1:
    """FastBertNormalizer then FastBertTokenizer, which treat every code point by itself: no reordering."""
    map.fill(TF_PUNCTUATION, TF_PUNCTUATION_N, FATE(ALONE_SELF, 0))
    map.fill(TF_SPACE, TF_SPACE_N, FATE(SPACE, 0))
    if lowercase:
        map.replace(TF_FOLD, TF_FOLD_N)
        map.fill(TF_FOLDED_BLANK, TF_FOLDED_BLANK_N, FATE(SPACE, 0))
        map.fill(TF_FOLDED_DROP, TF_FOLDED_DROP_N, FATE(DROP, 0))
        map.fill(SYLLABLES, 1, FATE(HANGUL, 0))
    return 0


cdef bint within(uint32_t c, const uint32_t *ranges, size_t rows) noexcept nogil:
    """Whether c is in one of the sorted ranges."""
    cdef size_t low = 0, high = rows, middle
    while low < high:
        middle = (low + high) // 2
        if ranges[2 * middle + 1] < c:
            low = middle + 1
        else:
            high = middle
    return low < rows and ranges[2 * low] <= c


cdef inline uint32_t decode(const uint8_t *p, size_t *width) noexcept nogil:
    """The code point at p, of valid UTF-8, and its number of bytes."""
    if p[0] < 0x80:
        width[0] = 1
        return p[0]
    if p[0] < 0xE0:
        width[0] = 2
        return (p[0] & 0x1F) << 6 | p[1] & 0x3F
    if p[0] < 0xF0:
        width[0] = 3
        return (p[0] & 0x0F) << 12 | (p[1] & 0x3F) << 6 | p[2] & 0x3F
    width[0] = 4
    return (p[0] & 0x07) << 18 | (p[1] & 0x3F) << 12 | (p[2] & 0x3F) << 6 | p[3] & 0x3F


cdef bint final_sigma(CharMap map, const uint8_t *text, size_t n, size_t at) noexcept nogil:
    cdef size_t i = at, width
    cdef uint32_t c = 0
    while True:     # back to the nearest character that is neither removed nor case-ignorable
        if i == 0:
            return False
        i -= 1
        while text[i] & 0xC0 == 0x80:
            i -= 1
        c = decode(text + i, &width)
        if KIND(map.fate(c)) != DROP and not within(c, GOOGLE_CASE_IGNORABLE, GOOGLE_CASE_IGNORABLE_N):
            break
    if not within(c, GOOGLE_CASED, GOOGLE_CASED_N):
        return False
    i = at + 2
    while i < n:    # on to the next such character
        c = decode(text + i, &width)
        if KIND(map.fate(c)) != DROP and not within(c, GOOGLE_CASE_IGNORABLE, GOOGLE_CASE_IGNORABLE_N):
            return not within(c, GOOGLE_CASED, GOOGLE_CASED_N)
        i += width
    return True


def sources(profile) -> dict[str, str]:
    """What the tables of a profile were made from: name -> model and version.

    >>> sources("hf")["tables_hf.h"].startswith("tokenizers 0.23.3")
    True
    """
    name = profile or "hf"
    source = {"hf": HF_SOURCE, "google": GOOGLE_SOURCE, "tf": TF_SOURCE}[name]
    return {f"tables_{name}.h": source.decode("ascii")}


def ranges(name: str) -> list[tuple[int, int]]:
    """The [first, last] ranges of a set of profile `google`: control, space or unassigned.

    >>> (0x2000, 0x200A) in ranges("space")
    True
    """
    cdef const uint32_t *rows
    cdef size_t n
    if name == "control":
        rows, n = GOOGLE_CONTROL, GOOGLE_CONTROL_N
    elif name == "space":
        rows, n = GOOGLE_SPACE, GOOGLE_SPACE_N
    elif name == "unassigned":
        rows, n = GOOGLE_UNASSIGNED, GOOGLE_UNASSIGNED_N
    else:
        raise ValueError(f"expected control, space or unassigned, got {name!r}")
    return [(rows[2 * row], rows[2 * row + 1]) for row in range(n)]


def resolve(profile, lowercase, strip_accents, clean_text, handle_chinese_chars, nfc) -> tuple:
    """The options with None filled in; ValueError names an option that the profile's model does not have."""
    if profile not in ("hf", "google", "tf", None):
        raise ValueError(f"normalizer: expected 'hf', 'google', 'tf' or None, got {profile!r}")
    given = {"lowercase": lowercase, "strip_accents": strip_accents, "clean_text": clean_text,
             "handle_chinese_chars": handle_chinese_chars, "nfc": nfc}
    does = FIXED[profile] | ({"strip_accents": bool(lowercase)} if profile == "tf" else {})
    for option, value in given.items():
        if option in does and value not in (DEFAULTS[option], does[option]):
            raise ValueError(f"{option}={value!r}: the normalizer {profile!r} has no such option; "
                             f"it works as {option}={does[option]!r}")
    if strip_accents is None:
        strip_accents = lowercase
    given = given | {"strip_accents": strip_accents} | does
    return tuple(bool(value) for value in given.values())


DEFAULTS = {"lowercase": True, "strip_accents": None, "clean_text": True, "handle_chinese_chars": True, "nfc": False}
FIXED = {       # what a profile does, where its model leaves no choice
    "hf": {"nfc": False},
    "google": {"clean_text": True},
    "tf": {"clean_text": False, "handle_chinese_chars": True, "nfc": False},
    None: {"lowercase": False, "strip_accents": False, "clean_text": False, "handle_chinese_chars": False,
           "nfc": False},
}
