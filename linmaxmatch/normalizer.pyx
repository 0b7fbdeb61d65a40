"""BERT text cleaning and pre-tokenization, as named profiles.

`hf` is BertNormalizer and BertPreTokenizer of tokenizers 0.23.3; `google` the original Python code, under Unicode
14.0.0; `tf` FastBertNormalizer and FastBertTokenizer of tensorflow-text 2.21.1; None only splits at white space and
isolates punctuation (BertPreTokenizer alone). Each is exact to its model, quirks included. Offsets are those of
tokenizers; the other two models have none of their own, or others, and get them by the same rule.

The kernel writes the words one after another, each followed by one space, which is the form that the end-to-end matcher
reads. Every character is one look-up in a composed map (charmap.pyx). Two things depend on neighbours: canonical
ordering, where a run of marks is sorted by combining class, and the capital sigma of `google`.

Cost  O(n) on every text. Memory beyond the output is that of one run of marks.
"""
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from linmaxmatch.charmap cimport (
    ALONE, ALONE_SELF, CLOSES, DROP, HANGUL, INSIDE, ISOLATED, KEPT, KIND, LETTER, MARK, OTHER, SELF, SEQUENCE, SIGMA,
    SILENT, SPACE, VALUE, CharMap,
)
from linmaxmatch.profiles cimport character_map, final_sigma
from linmaxmatch.words cimport (
    Run, Words, end_word, hold, make_room, put, put_alone, put_sequence, release, words_free,
)
from subwordio.text cimport ByteBuffer, Utf8, bytes_free, char_offsets_of, utf8_view

from linmaxmatch import profiles
from linmaxmatch.composing import compose

cdef enum:
    BLOCK = 256             # ASCII bytes handled between two looks at the limit

cdef size_t NO_LIMIT = 1 << 40


cdef inline void put_hangul(Run *run, uint32_t c, uint32_t start, uint32_t end, bint aligned) noexcept nogil:
    """The Unicode standard's arithmetic: a leading consonant, a vowel, perhaps a trailing consonant."""
    cdef uint32_t s = c - 0xAC00
    put(run, 0x1100 + s // 588, start, end, aligned)
    put(run, 0x1161 + s % 588 // 28, start, end, aligned)
    if s % 28:
        put(run, 0x11A7 + s % 28, start, end, aligned)


cdef size_t ascii_words(CharMap map, const uint8_t *text, size_t i, size_t stop, Words *out,
                        bint *in_word) noexcept nogil:
    """Write the words of the ASCII bytes text[i:stop], up to the first byte that needs more; its index.

    Needs room for 2 * (stop - i) + 2 bytes. No branch depends on the text but the exit: a space or a mark first ends an
    open word, and each of the three bytes that may be written is overwritten unless it counts.
    """
    cdef uint8_t *p = out.bytes + out.length
    cdef uint32_t inside = in_word[0], acts
    while i < stop:
        # text[…:i] is written; `inside` is 1 while a word is open
        acts = map.ascii_acts[text[i]]
        if acts & OTHER:
            break
        p[0] = 0x20
        p += acts & CLOSES & inside
        p[0] = map.ascii_byte[text[i]]
        p += acts // KEPT & 1
        p[0] = 0x20
        p += acts // ISOLATED & 1
        inside = (acts // INSIDE | (acts // SILENT & inside)) & 1
        i += 1
    out.length = p - out.bytes
    in_word[0] = inside
    return i


cdef size_t letters(CharMap map, const uint8_t *s, size_t n) noexcept nogil:
    """How many bytes s[0:n] begins with that go on with a word as they come."""
    cdef size_t i = 0
    while i < n and map.ascii_acts[s[i]] & INSIDE:
        i += 1
    return i


cdef size_t wide_letters(CharMap map, const uint8_t *s, size_t n, Words *out, bint *in_word) noexcept nogil:
    """Write the characters of several bytes that s[0:n] begins with and that stay as they are; their bytes.

    Needs room for 4 * BLOCK bytes: every character is written as four, of which the next overwrites what is too much.
    """
    cdef uint8_t *p = out.bytes + out.length
    cdef size_t i = 0, width
    cdef uint32_t c
    while i + 4 <= n and i < 3 * BLOCK and s[i] >= 0xC0:
        if s[i] < 0xE0:
            c, width = (s[i] & 0x1F) << 6 | s[i + 1] & 0x3F, 2
        elif s[i] < 0xF0:
            c, width = (s[i] & 0x0F) << 12 | (s[i + 1] & 0x3F) << 6 | s[i + 2] & 0x3F, 3
        else:
            break
        if map.fate(c) != SELF:
            break
        memcpy(p + i, s + i, 4)
        i += width
    if i > 0:
        out.length += i
        in_word[0] = True
    return i


cdef inline int normalize(CharMap map, const uint8_t *text, size_t n, size_t *position, size_t limit, Words *out,
                          Run *run, bint aligned) except -1 nogil:
    """The kernel of both entries; `aligned` is a constant in each."""
    cdef size_t i = position[0], width
    cdef size_t enough = out.length + max(limit, <size_t>1)
    cdef uint32_t c, fate, kind, start, end
    while i < n:
        # [position, i) is written but for the pending marks
        if out.length >= enough and not run.in_word and not run.count:
            break
        if not aligned and text[i] < 0x80 and not map.ascii_acts[text[i]] & OTHER:
            if run.count:
                if map.ascii_acts[text[i]] & SILENT:
                    i += 1
                    continue
                release(run, aligned)
            make_room(out, 2 * BLOCK + 8, aligned)
            # a byte becomes two at most but for one space before; past the limit, on to the word's end and no further
            if out.length < enough:
                width = min(<size_t>BLOCK, (enough - out.length) // 2 + 1)
            else:
                width = max(<size_t>1, letters(map, text + i, min(<size_t>BLOCK, n - i)))
            i = ascii_words(map, text, i, min(n, i + width), out, &run.in_word)
            continue
        if not aligned and text[i] >= 0x80 and not run.count:
            make_room(out, 4 * BLOCK, aligned)
            width = wide_letters(map, text + i, n - i, out, &run.in_word)
            if width > 0:
                i += width
                continue
        if text[i] < 0x80:
            c, width = text[i], 1
        elif text[i] < 0xE0:
            c, width = (text[i] & 0x1F) << 6 | text[i + 1] & 0x3F, 2
        elif text[i] < 0xF0:
            c = (text[i] & 0x0F) << 12 | (text[i + 1] & 0x3F) << 6 | text[i + 2] & 0x3F
            width = 3
        else:
            c = ((text[i] & 0x07) << 18 | (text[i + 1] & 0x3F) << 12 | (text[i + 2] & 0x3F) << 6
                 | text[i + 3] & 0x3F)
            width = 4
        fate = map.fate(c)
        kind = KIND(fate)
        start, end = <uint32_t>i, <uint32_t>(i + width)
        i += width
        if kind == DROP:
            continue
        if kind == MARK:
            if aligned:
                hold(run, fate, VALUE(fate), True, start, end)
            continue
        make_room(out, map.widest, aligned)
        if kind == SEQUENCE:
            put_sequence(run, &map.pool[VALUE(fate)], start, end, aligned)
            continue
        if run.count:
            release(run, aligned)
            make_room(out, map.widest, aligned)
        run.last_start, run.last_end = start, end
        if kind == SELF:
            put(run, c, start, end, aligned)
        elif kind == LETTER:
            put(run, VALUE(fate), start, end, aligned)
        elif kind == SPACE:
            end_word(run, aligned)
        elif kind == ALONE_SELF:
            put_alone(run, c, start, end, aligned)
        elif kind == ALONE:
            put_alone(run, VALUE(fate), start, end, aligned)
        elif kind == HANGUL:
            put_hangul(run, c, start, end, aligned)
        elif kind == SIGMA:
            put(run, 0x3C2 if final_sigma(map, text, n, i - width) else 0x3C3, start, end, aligned)
    if i == n:
        if run.count:
            release(run, aligned)
        make_room(out, 1, aligned)
        end_word(run, aligned)
    position[0] = i
    return 0


cdef list word_list(Words *words):
    return words.bytes[:words.length - 1].decode("utf-8").split(" ") if words.length else []


cdef class Normalizer:
    """BERT normalization under one profile.

    ``Normalizer(profile="hf", lowercase=True, strip_accents=None, clean_text=True, handle_chinese_chars=True,
    nfc=False)``

    strip_accents=None follows lowercase. An option that the profile's model does not have must be left as it is:
    `google` always cleans; `tf` knows only lowercase; profile None does none of all this; nfc (compose first, as the
    current slow Python tokenizer does) is for `google`.

    >>> Normalizer().words("Héllo, wörld")
    ['hello', ',', 'world']
    >>> Normalizer().words_with_offsets("Ça va ?")
    [('ca', 0, 2), ('va', 3, 5), ('?', 6, 7)]
    """

    def __cinit__(self, profile="hf", lowercase=True, strip_accents=None, clean_text=True,
                  handle_chinese_chars=True, nfc=False, *, CharMap map=None):
        """`map` is the one that these options make, if it is there already."""
        self.profile = profile
        options = profiles.resolve(profile, lowercase, strip_accents, clean_text, handle_chinese_chars, nfc)
        self.lowercase, self.strip_accents, self.clean_text, self.handle_chinese_chars, self.nfc = options
        self.map = map if map is not None else character_map(
            profile, self.lowercase, self.strip_accents, self.clean_text, self.handle_chinese_chars)

    cdef bint cuts_at_blanks(self) noexcept:
        return (self.map.ascii_acts[0x09] == CLOSES and self.map.ascii_acts[0x0A] == CLOSES
                and self.map.ascii_acts[0x0D] == CLOSES and self.map.ascii_acts[0x20] == CLOSES)

    cdef int run(self, const uint8_t *text, size_t n, size_t *position, size_t limit, Words *out) except -1 nogil:
        cdef Run run
        memset(&run, 0, sizeof(run))
        run.out = out
        try:
            normalize(self.map, text, n, position, limit, out, &run, False)
        finally:
            free(run.marks)
        return 0

    cdef int run_aligned(self, const uint8_t *text, size_t n, size_t *position, size_t limit,
                         Words *out) except -1 nogil:
        cdef Run run
        memset(&run, 0, sizeof(run))
        run.out = out
        try:
            normalize(self.map, text, n, position, limit, out, &run, True)
        finally:
            free(run.marks)
        return 0

    cdef object prepare(self, object text):
        return compose(text) if self.nfc else text

    def words(self, text) -> list[str]:
        """The normalized words of a text (str, or bytes of UTF-8); a punctuation mark is a word."""
        return [word for part in self.cut(text, NO_LIMIT, False) for word in part]

    def words_with_offsets(self, text) -> list[tuple[str, int, int]]:
        """The words as (word, start, end): indices into the given text, of the characters that the word came from.

        A character that left nothing belongs to no word. nfc=True keeps no such record: ValueError.
        """
        return [word for part in self.cut(text, NO_LIMIT, True) for word in part]

    def parts(self, text, limit=16384, offsets=False) -> list[list]:
        """The words as the kernel hands them out: cut after a word, once `limit` bytes of words are there.

        >>> Normalizer().parts("one two three", limit=5)
        [['one', 'two'], ['three']]
        """
        return self.cut(text, limit, offsets)

    cdef list cut(self, object text, size_t limit, bint aligned):
        cdef Utf8 utf8
        cdef ByteBuffer scratch
        cdef Words words
        cdef size_t position = 0
        cdef list out = []
        if aligned and self.nfc:
            raise ValueError("nfc=True: composing keeps no offsets")
        memset(&scratch, 0, sizeof(scratch))
        memset(&words, 0, sizeof(words))
        text = self.prepare(text)
        try:
            utf8_view(text, &utf8, &scratch)
            while position < utf8.length:
                words.length = 0
                if aligned:
                    self.run_aligned(utf8.data, utf8.length, &position, limit, &words)
                    out.append([(*pair,) for pair in zip(word_list(&words), *self.spans(&utf8, &words))])
                else:
                    self.run(utf8.data, utf8.length, &position, limit, &words)
                    out.append(word_list(&words))
        finally:
            bytes_free(&scratch)
            words_free(&words)
        return out

    cdef tuple spans(self, const Utf8 *utf8, Words *words):
        """The words' starts and ends in the text's own indices; gathered in place, at the front of the two arrays."""
        cdef size_t i
        cdef size_t n = 0
        cdef size_t begin = 0
        for i in range(words.length):
            if words.bytes[i] == 0x20:
                words.starts[n] = words.starts[begin]
                words.ends[n] = words.ends[i - 1]
                n += 1
                begin = i + 1
        char_offsets_of(utf8, words.starts, n, words.starts)
        char_offsets_of(utf8, words.ends, n, words.ends)
        return [words.starts[i] for i in range(n)], [words.ends[i] for i in range(n)]

    @property
    def sources(self) -> dict[str, str]:
        """What the tables were made from: file -> model and version."""
        return profiles.sources(self.profile)

    @property
    def nbytes(self) -> int:
        """The memory of the character map in bytes; normalizers of the same options share it."""
        return self.map.page_capacity * (256 * sizeof(uint32_t) + 1) + self.map.pool_capacity * sizeof(uint32_t)

    @property
    def options(self) -> tuple[bool, ...]:
        """The options as resolved, in the constructor's order; giving them makes an equal normalizer."""
        return self.lowercase, self.strip_accents, self.clean_text, self.handle_chinese_chars, self.nfc

    def check(self) -> None:
        """Re-derive the invariants of the character map."""
        self.map.check()

    def __reduce__(self):
        return Normalizer, (self.profile, *self.options)

    def __repr__(self) -> str:
        options = ", ".join(f"{name}={value}" for name, value in zip(profiles.DEFAULTS, self.options))
        return f"Normalizer({self.profile!r}, {options})"
