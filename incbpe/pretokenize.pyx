"""Splitting a text into the pieces that BPE runs on, exactly as the published patterns do.

A piece is read by the machine of its grammar (`grammars`) from its beginning to where it is seen to end. Where it ends
at the mark, the characters between the mark and the place where that was seen are read again. That happens

    after the last white space       one character is read twice
    after an apostrophe              at most two characters are read twice
    white space after a line break   is read again as the next piece, and its last character a third time
    capitals after a letter without case, o200k     are read again as the next piece, which ends where they do

so every character is read at most four times, whatever the text: linear, without a stack and without backtracking.
In a word the machine is not asked letter by letter: a run of ASCII letters is passed eight bytes at a time. Nor is it
where a byte leaves it in its state: those after it that are the same do so too, and so do characters of the same class.

I1  the tables are those of the machine
I2  every piece has at least one character, so that splitting ends
I3  an ASCII letter that a word keeps begins one, and so it does behind U+0020; neither moves the mark
Cost  O(n) in time, nothing in memory: a table look-up a character, and less in words of ASCII letters.
"""
import string

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t

from incbpe.classes cimport classes
from subwordio.text cimport ByteBuffer, Utf8, bytes_free, utf8_view

from incbpe.classes import SINGLE
from incbpe.cutrules import rules
from incbpe.grammars import CLASSES, machine
from incbpe.patterns import ENGINES, NAMES, PUBLISHED, named

cdef extern from "incbpe/split.h":
    size_t incbpe_character(const uint8_t *text, size_t i, size_t n) noexcept nogil
    size_t incbpe_length(uint8_t lead) noexcept nogil
    size_t incbpe_letters_end(const uint8_t *text, size_t i, size_t n, bint capitals) noexcept nogil
    size_t incbpe_last_ideograph(const uint8_t *text, size_t i, size_t n) noexcept nogil
    size_t incbpe_last_alike(const uint8_t *text, size_t i, size_t n) noexcept nogil

cdef extern from "subwordio/charclass.h" nogil:
    size_t character_begin(const uint8_t *text, size_t i) noexcept

cdef enum:
    ILL_FORMED = 0          # the class of U+FFFD, "other"
    BLANK = 4               # the class of U+0020
    SPACE = 5               # of other white space, but for line breaks
    LETTER = 10             # of letters without case


cdef uint8_t class_in_bytes(Splitter self, const uint8_t *text, size_t i, size_t n, size_t *after) noexcept nogil:
    """The class of what begins at i < n, a character or an ill-formed run, and where that ends."""
    cdef size_t length = incbpe_character(text, i, n)
    if length:
        after[0] = i + length
        return self.classes.of(text + i)
    i += 1
    while i < n and incbpe_character(text, i, n) == 0:
        i += 1
    after[0] = i
    return ILL_FORMED


cdef size_t last_of_class(Splitter self, const uint8_t *text, size_t i, size_t n, uint8_t cls) noexcept nogil:
    """The last of the characters from text[i] on, one that is not ASCII, that are not and have its class."""
    cdef size_t after = i + incbpe_length(text[i])
    while after < n and text[after] >= 0x80 and self.classes.of(text + after) == cls:
        i = after
        if cls == LETTER and 0xE0 <= text[i] < 0xF0:
            i = incbpe_last_ideograph(text, i, n)
        after = i + incbpe_length(text[i])
    return i


cdef inline size_t scan(Splitter self, const uint8_t *text, size_t start, size_t n, const uint8_t *at_end,
                        bint trusted) noexcept nogil:
    """The end of the piece that begins at `start`; `trusted`: the text is well-formed. With at_end NULL the text goes on
    at n, and where the end is not decided it is 0."""
    cdef size_t i = start, after, mark = start
    cdef uint8_t q = 0, to, cls
    if self.whole:
        return n
    i += start < n and text[start] == 0x20
    after = incbpe_letters_end(text, i, n, self.capitals)
    if after > i:                           # a word, most often (I3)
        q, i = WORD, after
    else:
        i = start
    while i < n:
        # text[start:i] belongs to the piece, unless it turns out to end at the mark; q is the state after it.
        if text[i] < 0x80:
            cls = self.classes.ascii[text[i]]
            after = i + 1
        elif trusted:
            cls = self.classes.of(text + i)
            after = i + incbpe_length(text[i])
        else:
            cls = class_in_bytes(self, text, i, n, &after)
        to = self.step[q * WIDTH + cls]
        if to == q and text[i] < 0x80:      # and so after each byte that is the same
            i = incbpe_last_alike(text, i, n)
            after = i + 1
        elif to == q and trusted:           # and so after each character of the same class
            i = last_of_class(self, text, i, n, cls)
            after = i + incbpe_length(text[i])
        if to >= self.plain:
            if to >= HERE:
                return i if to == HERE else mark if to == AT_MARK else after
            mark = i if to < self.before else after
        q = to
        i = after
        if q == WORD:
            i = incbpe_letters_end(text, i, n, self.capitals)
    if at_end == NULL:
        return 0
    return n if at_end[q] == HERE else mark


cdef class Splitter:
    """The splitter of a published pattern.

    ``Splitter(pattern, unicode="tiktoken")``: `pattern` is a name ("gpt2", "cl100k", "o200k", "llama3", "qwen",
    "qwen35", "tekken", "none") or a regular expression that `named` knows, else ValueError. `unicode` is the library
    that the result is equal to, tiktoken 0.14.0 or tokenizers 0.23.3. Immutable; threads may share it.

    >>> Splitter("cl100k").split("I'll pay  $1000\\n")
    ['I', "'ll", ' pay', ' ', ' $', '100', '0', '\\n']
    >>> Splitter("o200k").split(b"camelCase don't")
    [b'camel', b'Case', b" don't"]
    """

    def __cinit__(self, str pattern not None, str unicode not None="tiktoken"):
        cdef size_t k
        if unicode not in ENGINES:
            raise ValueError(f"unicode: expected one of {', '.join(ENGINES)}, got {unicode!r}")
        name = pattern if pattern in NAMES else named(pattern, unicode)
        if name is None:
            raise ValueError(f"pattern: expected one of {', '.join(NAMES)} or a published regular expression, "
                             f"got {pattern!r}")
        self.pattern, self.unicode, self.machine, self.classes = name, unicode, machine(name), classes
        for k in range(len(self.machine.step)):
            self.step[k] = self.machine.step[k]
        for k in range(len(self.machine.states)):
            self.at_end[k], self.possible[k] = self.machine.at_end[k], self.machine.possible[k]
        self.plain, self.before = self.machine.plain, self.machine.before
        self.capitals, self.whole = self.machine.capitals, name == "none"
        cuts = rules(name)
        if cuts is not None:
            for k in range(len(self.machine.states)):
                self.close[k] = cuts.close[k]
            self.cuttable, self.alike = True, cuts.alike
            self.lines, self.slash, self.apart = cuts.lines, cuts.slash, cuts.apart

    cdef size_t piece_end(self, const uint8_t *text, size_t start, size_t n) noexcept nogil:
        return scan(self, text, start, n, self.at_end, True)

    cdef size_t piece_end_of_bytes(self, const uint8_t *text, size_t start, size_t n) noexcept nogil:
        return scan(self, text, start, n, self.at_end, False)

    cdef size_t chunk_piece_end(self, const uint8_t *text, size_t start, size_t n) noexcept nogil:
        return scan(self, text, start, n, self.close, True)

    cdef size_t closed_end(self, const uint8_t *text, size_t start, size_t n) noexcept nogil:
        return scan(self, text, start, n, NULL, True)

    cdef bint ends_as_chunk(self, const uint8_t *text, size_t n) noexcept nogil:
        cdef uint8_t cls
        if self.alike or self.whole or n == 0:
            return True
        cls = self.classes.of(text + character_begin(text, n))
        return cls != BLANK and cls != SPACE

    cdef size_t piece_ends(self, const uint8_t *text, size_t start, size_t n, size_t *ends, size_t room) noexcept nogil:
        cdef size_t k = 0
        while start < n and k < room:
            start = scan(self, text, start, n, self.at_end, True)
            ends[k] = start
            k += 1
        return k

    def split(self, text):
        """The pieces of a text, in order: str of a str, bytes of bytes; together they are the text. O(n).

        Bytes need not be UTF-8: a maximal ill-formed run is split as U+FFFD would be and keeps its bytes. A lone
        surrogate of a str comes back as U+FFFD, a surrogate pair as its character. TypeError for any other type.

        >>> Splitter("gpt2").split("It's  so")
        ['It', "'s", ' ', ' so']
        """
        cdef Utf8 view
        cdef ByteBuffer scratch = ByteBuffer(NULL, 0, 0)
        cdef const uint8_t *data
        cdef size_t start = 0, end, n
        cdef list pieces = []
        if isinstance(text, bytes):
            data, n = text, len(text)
            while start < n:
                end = self.piece_end_of_bytes(data, start, n)
                pieces.append((<const char *>data)[start:end])
                start = end
            return pieces
        try:
            utf8_view(text, &view, &scratch)
            while start < view.length:
                end = self.piece_end(view.data, start, view.length)
                pieces.append(PyUnicode_DecodeUTF8(<const char *>view.data + start, end - start, NULL))
                start = end
            return pieces
        finally:
            bytes_free(&scratch)

    @property
    def regex(self):
        """A published spelling of the pattern, or None for "none"."""
        return next(iter(PUBLISHED[self.pattern]), None)

    def __repr__(self):
        return f"Splitter({self.pattern!r}, unicode={self.unicode!r})"

    def __reduce__(self):
        return Splitter, (self.pattern, self.unicode)

    def check(self):
        """Raise AssertionError unless I1 and I2 hold. O(states × classes).

        >>> Splitter("o200k").check()
        """
        m = self.machine
        size = len(m.states)
        assert bytes(self.step[:WIDTH * size]) == m.step, "I1"
        assert bytes(self.at_end[:size]) == m.at_end and bytes(self.possible[:size]) == m.possible, "I1"
        assert (self.plain, self.before) == (m.plain, m.before) and m.states[WORD] == "word", "I1"
        assert self.classes.of("\ufffd".encode()) == ILL_FORMED == CLASSES.index("other"), "I1"
        assert (CLASSES[BLANK], CLASSES[SPACE], CLASSES[LETTER]) == ("blank", "space", "letter"), "I1"
        assert {self.classes.of(chr(c).encode()) for c in range(0x4E00, 0x9FC0)} == {LETTER}, "I1"
        cuts = rules(self.pattern)
        assert self.cuttable == (cuts is not None), "I1"
        if cuts is not None:
            assert bytes(self.close[:size]) == cuts.close, "I1"
            assert (self.lines, self.slash, self.apart) == (cuts.lines, cuts.slash, cuts.apart), "I1"
            assert self.alike == cuts.alike, "I1"
        assert set(SINGLE) < set(CLASSES) and len(CLASSES) <= WIDTH, "I1"
        for cls in range(len(CLASSES)):         # the start takes any character: no piece is empty
            assert m.step[cls] not in (HERE, AT_MARK), "I2"
            assert m.step[cls] == AFTER or m.plain > m.step[cls] or m.step[cls] >= m.before, "I2"
        blank = m.step[BLANK]
        assert WORD < m.plain and blank < m.plain, "I3"
        for letter in string.ascii_letters if self.capitals else string.ascii_lowercase:
            cls = self.classes.ascii[ord(letter)]
            assert m.step[cls] == m.step[blank * WIDTH + cls] == m.step[WORD * WIDTH + cls] == WORD, "I3"
