"""The tokens of every prefix of a text, as a tokenizer makes them.              (Section 3.2; beyond the paper)

Tokens are not the beginnings of tokens, nor are counts of tokens monotone: in cl100k "internationa" is three tokens and
"international" is one. So a text is never cut by its own tokens here. What every prefix becomes, if the text ended there,
is known at once, in layers that do what the tokenizer's pipeline does, each for all prefixes:

    text ── added tokens ──► rewriter ──► added tokens ──► space before ──► pieces, θ
            cutprefixes      rewrittenprefixes  cutprefixes       rewrittenprefixes      segmentprefixes

A part of a text is its longest prefix with so many tokens at most, and what is left is a text of its own. To find such a
prefix, a window on the text is enlarged until no longer text can do: its closed pieces are those of the whole, and in the
rest each token has only so many bytes.

Some tokenizers no layer serves: with a caller's own pattern, which may look anywhere; a normalizer that replaces strings
of several characters or does several kinds of things; added tokens that hold U+FFFD or are found in rewritten text. There
each prefix that is asked about is encoded by itself (`EachPrefix`): a count is O(n), `longest_within` O(n²) once.

Cost  see the layers; `longest_within`: O(n) once
"""
import unicodedata

from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free

from incbpe.cutprefixes cimport CutPrefixes
from incbpe.dictionary cimport holds
from incbpe.pipeline cimport Pipeline
from incbpe.pretokenize cimport Splitter
from incbpe.rewrittenprefixes cimport RewrittenPrefixes, SpacedPrefixes
from incbpe.segmentprefixes cimport NEVER, Layer, SegmentPrefixes
from incbpe.tokens cimport NO_ID
from subwordio.added cimport Matcher
from subwordio.ids cimport IdBuffer, TokenIds, ids_free, ids_push, ids_reserve
from subwordio.memory cimport zeroed
from subwordio.text cimport ByteBuffer, Utf8, bytes_free, char_offsets_of, utf8_view

from incbpe.rewrittenprefixes import served

cdef extern from "subwordio/charclass.h" nogil:
    size_t character_end(const uint8_t *text, size_t i, size_t n) noexcept
    size_t character_begin(const uint8_t *text, size_t i) noexcept

cdef enum:
    STRIDE = 32                 # characters from entry to entry of `jump`
    WINDOW = 256                # bytes of the first window at least
    PER_TOKEN = 6               # and a token

cdef str MARK = "\N{REPLACEMENT CHARACTER}"
cdef Splitter WHOLE = Splitter("none")


cdef class EachPrefix(Layer):
    """``EachPrefix(text, encode_bytes)``: every prefix encoded by itself, when it is asked about."""

    cdef object encode_bytes

    def __cinit__(self, bytes text not None, encode_bytes):
        self.text, self.n, self.encode_bytes = text, len(text), encode_bytes

    cdef uint32_t count_of(self, size_t i) except? 0:
        try:
            return len(self.encode_bytes(self.text[:i]))
        except ValueError:      # the vocabulary has no token for some byte
            return NEVER

    cdef int put_ids(self, size_t i, IdBuffer *out) except -1:
        cdef TokenIds ids = self.encode_bytes(self.text[:i])
        cdef Py_ssize_t k
        ids_reserve(out, ids.length)
        for k in range(ids.length):
            ids_push(out, ids.data[k])
        return 0

    cdef size_t least(self, size_t i) except? 0:
        return 0


cdef bint marked(Matcher matcher):
    """Whether some added token holds U+FFFD, as which the beginning of a character is read."""
    return matcher is not None and any(MARK.encode() in pattern for pattern in matcher.automaton.patterns)


cdef Layer layer_of(Pipeline pipeline, bytes text, object encode_bytes):
    if pipeline.cutter is not None or marked(pipeline.raw) or marked(pipeline.normalized) or (
            pipeline.rewriter is not None and (pipeline.normalized is not None or not served(pipeline.rewriter))):
        return EachPrefix(text, encode_bytes)
    splitter = WHOLE if pipeline.splitter is None else pipeline.splitter
    below = lambda part: SegmentPrefixes(pipeline.pieces, splitter, part)       # noqa: E731
    if pipeline.prefix_space:
        below = spaced(below)
    if pipeline.normalized is not None:
        below = cut(pipeline.normalized, below)
    if pipeline.rewriter is not None:
        below = rewritten(pipeline.rewriter, below)
    if pipeline.raw is not None:
        below = cut(pipeline.raw, below)
    return below(text)


def spaced(below):
    return lambda part: SpacedPrefixes(part, below)


def cut(matcher, below):
    return lambda part: CutPrefixes(matcher, part, below)


def rewritten(rewriter, below):
    """Nothing is rewritten of a text, nor of its prefixes, that is in a form of Unicode normalization already."""
    def layer(part: bytes):
        steps = rewriter.steps
        if len(steps) == 1 and hasattr(steps[0], "form") and unicodedata.is_normalized(steps[0].form, part.decode()):
            return below(part)
        return RewrittenPrefixes(rewriter, part, below)
    return layer


cdef class TextPrefixes:
    """The tokens of every prefix of a text: made by `BPE.prefixes`. Places count bytes of the text's UTF-8.

    >>> from incbpe import BPE
    >>> from incbpe.model import Config, Model
    >>> ranks = (b"l", b"o", b"w", b" ", b"lo", b"low")
    >>> P = BPE(Config(Model(ranks, None, whole_piece=True), "tiktoken", "gpt2")).prefixes("low lo")
    >>> [P.count(i) for i in range(7)], P.tokens(2), P.theta(3), P.longest_within(1)
    ([0, 1, 1, 1, 2, 3, 3], TokenIds([4]), 5, 3)
    """

    def __cinit__(self, Pipeline pipeline not None, text, encode_bytes):
        cdef Utf8 view
        cdef ByteBuffer scratch = ByteBuffer(NULL, 0, 0)
        try:
            utf8_view(text, &view, &scratch)
            self.data = view.data[:view.length]
        finally:
            bytes_free(&scratch)
        self.text, self.n = text, len(self.data)
        self.pipeline, self.encode_bytes = pipeline, encode_bytes
        self.layer = layer_of(pipeline, self.data, encode_bytes)
        self.set_jump()

    def __dealloc__(self):
        free(self.jump)

    cdef int set_jump(self) except -1:
        cdef const uint8_t *data = self.data
        cdef size_t i, k = 0
        for i in range(self.n):
            k += (data[i] & 0xC0) != 0x80
        self.characters = k
        self.jump = <uint32_t *> zeroed((k // STRIDE + 1) * sizeof(uint32_t))
        k = 0
        for i in range(self.n):
            if (data[i] & 0xC0) != 0x80:
                if k % STRIDE == 0:
                    self.jump[k // STRIDE] = <uint32_t> i
                k += 1
        return 0

    cdef size_t place(self, object i) except? 0:
        if i is None:
            return self.n
        if not isinstance(i, int):
            raise TypeError(f"a place is an int, got {type(i).__name__}")
        if not 0 <= i <= self.n:
            raise IndexError(f"place {i}: expected 0 to {self.n}")
        return i

    def tokens(self, i=None):
        """The ids of the first i bytes, or of all: `encode_bytes` of them, also inside a character. O(their number).

        TypeError and IndexError for what is no place; ValueError where the vocabulary has no token for some byte.
        """
        return self.layer.ids(self.place(i))

    def theta(self, i=None):
        """The last id of `tokens(i)`; None where there is none. O(1), but for unknown symbols O(tokens)."""
        cdef size_t at = self.place(i)
        cdef uint32_t found = self.layer.last_id(at)
        if found != NO_ID:
            return found
        ids = self.tokens(at)
        return ids[len(ids) - 1] if len(ids) else None

    def count(self, i=None):
        """How many tokens the first i bytes, or all, are. O(1). It is not monotone."""
        cdef size_t at = self.place(i)
        cdef uint32_t found = self.layer.count_of(at)
        if found == NEVER:
            return len(self.tokens(at))         # raises the error that encoding does
        return found

    def at_char(self, k):
        """Where the first k characters end. O(1). A surrogate pair is one. TypeError and IndexError."""
        cdef size_t i, left
        cdef const uint8_t *data = self.data
        if not isinstance(k, int):
            raise TypeError(f"a number of characters is an int, got {type(k).__name__}")
        if not 0 <= k <= self.characters:
            raise IndexError(f"character {k}: expected 0 to {self.characters}")
        if k == self.characters:
            return self.n
        left = k % STRIDE
        i = self.jump[k // STRIDE]
        while left:
            i = character_end(data, i, self.n)
            left -= 1
        return i

    def least(self):
        """A number of tokens that every text has which begins with this one: those of its end may come to nothing. O(1).

        With added tokens, O(their number); 0 where each prefix is encoded by itself.

        >>> from incbpe import BPE
        >>> from incbpe.model import Config, Model
        >>> ranks = (b"l", b"o", b"w", b" ", b"lo", b"low")
        >>> BPE(Config(Model(ranks, None, whole_piece=True), "tiktoken", "gpt2")).prefixes("lo lo lo lo lo lo lo").least()
        9
        """
        return self.layer.least(self.n)

    def longest_within(self, max_tokens):
        """The longest prefix, up to a character's end, that is `max_tokens` tokens at most; as a place.

        Whatever shorter prefixes are. O(1) after the first call. TypeError, and ValueError for one below 0.
        """
        limit(max_tokens, 0)
        if self.longest is None:
            self.longest = longest_of(self.layer)
        return self.longest[min(max_tokens, len(self.longest) - 1)]

    def split(self, max_tokens):
        """The text in parts of at most `max_tokens` tokens, as a list of what it is, `str` or `bytes`.

        Each part is the longest prefix of what is left, which is a text of its own. Together they are the text.
        TypeError; ValueError for one below 1, and where one character alone is more tokens.
        O(n), except where it says "each prefix by itself" above.

        >>> from incbpe import BPE
        >>> from incbpe.model import Config, Model
        >>> ranks = (b"l", b"o", b"w", b" ", b"lo", b"low")
        >>> BPE(Config(Model(ranks, None, whole_piece=True), "tiktoken", "gpt2")).prefixes("low loll").split(2)
        ['low ', 'lol', 'l']
        """
        cdef size_t begin = 0, size = 0
        cdef list ends = []
        limit(max_tokens, 1)
        while begin < self.n:
            size = first_within(self.pipeline, self.data[begin:], max_tokens, self.encode_bytes, size + size // 4)
            if size == 0:
                raise ValueError(f"max_tokens={max_tokens}: the character at byte {begin} is more tokens by itself")
            begin += size
            ends.append(begin)
        return parts(self.text, ends)

    def __len__(self):
        return self.n + 1

    def __repr__(self):
        return f"<TextPrefixes of {self.n} bytes>"

    def check(self):
        """Raise AssertionError unless every prefix has the tokens that encoding it gives. O(n²)"""
        cdef size_t i
        for i in range(self.n + 1):
            try:
                wanted = self.encode_bytes(self.data[:i])
            except ValueError:
                holds("NEVER", self.layer.count_of(i) == NEVER, (self.data, i))
                continue
            holds("tokens", self.tokens(i) == wanted, (self.data, i))
            holds("count", self.count(i) == len(wanted), (self.data, i))


cdef list longest_of(Layer layer):
    """By number of tokens: the longest prefix with as many at most."""
    cdef const uint8_t *text = layer.text
    cdef size_t i = 0
    cdef uint32_t count
    cdef list longest = [0]
    while i < layer.n:
        i = character_end(text, i, layer.n)
        count = layer.count_of(i)
        if count == NEVER:
            continue
        while len(longest) <= count:
            longest.append(0)
        longest[count] = i
    for count in range(1, len(longest)):
        longest[count] = max(longest[count], longest[count - 1])
    return longest


cdef size_t first_within(Pipeline pipeline, bytes text, object most, object encode_bytes, size_t window) except? 0:
    """The longest prefix of a text that is `most` tokens at most, by windows of which the first has so many bytes."""
    cdef const uint8_t *data = text
    cdef size_t n = len(text), i, best = 0, size = max(window, WINDOW + PER_TOKEN * min(<size_t> min(most, n), n))
    cdef uint32_t count
    cdef Layer layer
    while True:
        size = min(size, n)
        while size < n and (data[size] & 0xC0) == 0x80:
            size += 1
        layer = layer_of(pipeline, text[:size], encode_bytes)
        if isinstance(layer, EachPrefix) and size < n:
            size = n
            continue
        if size == n or layer.least(size) > most:
            break
        size *= 2
    i = size
    while i > 0:
        count = layer.count_of(i)
        if count != NEVER and count <= most:
            return i
        i = character_begin(data, i)
    return best


def limit(max_tokens, least) -> None:
    if type(max_tokens) is not int:
        raise TypeError(f"max_tokens: expected an int, got {type(max_tokens).__name__}")
    if max_tokens < least:
        raise ValueError(f"max_tokens={max_tokens}: expected {least} or more")


def truncated(Pipeline pipeline not None, text, max_tokens, encode_bytes):
    """The longest beginning of a text, up to a character's end, that is `max_tokens` tokens at most."""
    cdef Utf8 view
    cdef ByteBuffer scratch = ByteBuffer(NULL, 0, 0)
    limit(max_tokens, 0)
    try:
        utf8_view(text, &view, &scratch)
        data = view.data[:view.length]
    finally:
        bytes_free(&scratch)
    return parts(text, [first_within(pipeline, data, max_tokens, encode_bytes, 0)])[0]


cdef list parts(object text, list ends):
    """The text cut at these places of its UTF-8, ends of characters; what is behind the last one is left out."""
    cdef Utf8 view
    cdef ByteBuffer scratch = ByteBuffer(NULL, 0, 0)
    cdef IdBuffer places = IdBuffer(NULL, 0, 0)
    cdef size_t begin = 0
    cdef list found = []
    if isinstance(text, str):
        try:
            utf8_view(text, &view, &scratch)
            ids_reserve(&places, len(ends) + 1)
            for end in ends:
                ids_push(&places, <uint32_t> end)
            char_offsets_of(&view, places.data, places.length, places.data)
            ends = [places.data[k] for k in range(places.length)]
        finally:
            bytes_free(&scratch)
            ids_free(&places)
    for end in ends:
        found.append(text[begin:end])
        begin = end
    return found
