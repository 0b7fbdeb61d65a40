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
of several characters or does several kinds of things; added tokens that hold U+FFFD or are found in rewritten text; nor
are texts served, with a form of Unicode normalization, that have a thousand marks in a row of changing classes. There
each prefix that is asked about is encoded by itself (`EachPrefix`): a count is O(n), `longest_within` O(n²) once.

What may come of the end of a prefix is asked of the notation layer (`openend`), and what of it is stable of a stream.

Cost  see the layers; `longest_within`: O(n) once
"""
import unicodedata
from functools import partial

from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free

from incbpe.cutprefixes cimport CutPrefixes
from incbpe.dictionary cimport holds
from incbpe.pipeline cimport Pipeline
from incbpe.pretokenize cimport Splitter
from incbpe.rewrite cimport Rewriter
from incbpe.rewrittenprefixes cimport RewrittenPrefixes, SpacedPrefixes
from incbpe.segmentprefixes cimport NEVER, Layer, SegmentPrefixes
from incbpe.streamtables cimport StreamTables
from incbpe.tokens cimport NO_ID
from subwordio.added cimport Matcher
from subwordio.ids cimport IdBuffer, TokenIds, ids_free, ids_push, ids_reserve
from subwordio.memory cimport zeroed
from subwordio.text cimport ByteBuffer, Utf8, bytes_free, char_offsets_of, utf8_view

from incbpe.idtree import IdTree
from incbpe.model import Prepend, Replace
from incbpe.openend import OpenEnd
from incbpe.rewrittenprefixes import served, turns
from subwordio.integers import integer

cdef extern from "subwordio/charclass.h" nogil:
    size_t character_end(const uint8_t *text, size_t i, size_t n) noexcept
    size_t character_begin(const uint8_t *text, size_t i) noexcept

cdef enum:
    STRIDE = 32                 # characters from entry to entry of `jump`
    WINDOW = 256                # bytes of the first window at least
    PER_TOKEN = 6               # and a token
    MOST_TURNS = 1000           # see `tangled`

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
            pipeline.rewriter is not None and (pipeline.normalized is not None or not served(pipeline.rewriter)
                                               or tangled(pipeline.rewriter, text))):
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


def tangled(rewriter, text: bytes) -> bool:
    """Whether a form of Unicode normalization has to order more marks than is worth to know for all prefixes."""
    step = rewriter.steps[0] if len(rewriter.steps) == 1 else None
    if not hasattr(step, "form"):
        return False
    spelt = text.decode()
    return not unicodedata.is_normalized(step.form, spelt) and turns(step.form, spelt) > MOST_TURNS


def by_character(rewriter) -> bool:
    """Whether what is put before a text, and characters in place of characters, is all that its steps do."""
    return all(isinstance(step, Prepend) or isinstance(step, Replace) and len(step.old) == len(step.new) == 1
               for step in rewriter.steps)


def never_written(rewriter) -> frozenset[bytes]:
    """The characters that no character is rewritten as, in UTF-8.

    >>> from incbpe.rewrite import Rewriter
    >>> sorted(never_written(Rewriter([Prepend("_"), Replace(" ", "_"), Replace("a", "b"), Replace("c", "a")])))
    [b' ', b'c']
    """
    steps = [step for step in rewriter.steps if isinstance(step, Replace)]
    written = set()
    for step in steps:
        c = step.old
        for other in steps:
            c = other.new if c == other.old else c
        written.add(c)
    return frozenset(step.old.encode() for step in steps if step.old not in written)


def may_be_written(never: frozenset[bytes], rest: bytes) -> bool:
    """Whether none of these characters is in some bytes."""
    return not any(c in rest for c in never)


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

    def __cinit__(self, Pipeline pipeline not None, text, encode_bytes, stream, tables):
        cdef Utf8 view
        cdef ByteBuffer scratch = ByteBuffer(NULL, 0, 0)
        try:
            utf8_view(text, &view, &scratch)
            self.data = view.data[:view.length]
        finally:
            bytes_free(&scratch)
        self.text, self.n = text, len(self.data)
        self.pipeline, self.encode_bytes, self.stream, self.tables = pipeline, encode_bytes, stream, tables
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
        max_tokens = limit(max_tokens, 0)
        if self.longest is None:
            self.longest = longest_of(self.layer)
        return self.longest[min(max_tokens, len(self.longest) - 1)]

    def stable(self, i=None):
        """How many tokens of the first i bytes, or of all, every continuation keeps. (Section 6; beyond it.)

        A continuation is any text: for a place inside a character, one that ends the character. What a stream has given
        out by the criterion "maximal" when it has read so far: never too many; but where a token begins or ends inside
        a character, where a piece may become a token as a whole that merging does not make, and in what added tokens
        and a normalizer hold back, it may be fewer than could be told. O(i), and the first time the streams' tables.

        >>> from incbpe.model import Config, Model
        >>> from incbpe import BPE
        >>> ranks = tuple(bytes((b,)) for b in range(256)) + (b"lo", b"low", b" l")
        >>> P = BPE(Config(Model(ranks, None, whole_piece=True), "tiktoken", "gpt2")).prefixes("low lo")
        >>> P.tokens(), P.stable(), P.unstable(), P.stable(4), P.unstable(4)
        (TokenIds([257, 32, 256]), 2, TokenIds([256]), 1, TokenIds([32]))
        """
        cdef size_t at = self.place(i)
        while at < self.n and at > 0 and (self.data[at] & 0xC0) == 0x80:
            at -= 1
        return len(self.stream().feed(self.data[:at]))

    def unstable(self, i=None):
        """The ids at the end of `tokens(i)` that may still change: those behind the first `stable(i)`. The same cost."""
        return self.tokens(i)[self.stable(i):]

    def continuations(self, i=None):
        """What may come of the unstable end of the first i bytes, or of all: pairs of ids. (Section 6; beyond it.)

        However the text goes on, its ids are, for one of the pairs (before, tokens), those `before` and then one of the
        tokens, which goes beyond i; or, where there are no tokens, those `before`, which are all of the first i bytes,
        and then anything that may follow. What the splitter lets follow is in it: of a piece that may end in several
        ways each is a pair of its own. Every token that is named does come of some continuation, unless a piece in
        which it is would as a whole be another token. With the sampling of a model restricted to them, a prompt's end
        does not bias what follows (token healing).

        ValueError for a place inside a character; and where it is not known what may follow: added tokens count, a
        pattern of the caller's splits, unknown symbols vanish, or a normalizer does more than put something before
        and replace characters by characters.
        Cost: O(i), and a question for each token that extends the end of the text (`openend`).

        >>> from incbpe.model import Config, Model
        >>> from incbpe import BPE
        >>> ranks = tuple(bytes((b,)) for b in range(256)) + (b"lo", b"low", b" l")
        >>> P = BPE(Config(Model(ranks, None, whole_piece=True), "tiktoken", "gpt2")).prefixes("low lo")
        >>> P.continuations(1), P.continuations(4)
        ([(TokenIds([]), [256, 257]), (TokenIds([108]), [])], [(TokenIds([257]), [258]), (TokenIds([257, 32]), [])])
        """
        cdef size_t at = self.place(i)
        cdef Pipeline pipeline = self.pipeline
        cdef Rewriter rewriter = pipeline.rewriter
        cdef StreamTables tables
        may_write = None
        if at < self.n and (self.data[at] & 0xC0) == 0x80:
            raise ValueError(f"place {at}: it is inside a character")
        for amiss, why in ((pipeline.raw is not None or pipeline.normalized is not None, "added tokens count"),
                           (pipeline.cutter is not None, "a pattern of the caller's splits"),
                           (pipeline.pieces.vanish, "unknown symbols vanish"),
                           (rewriter is not None and not by_character(rewriter), "the normalizer changes more than "
                                                                                 "single characters")):
            if amiss:
                raise ValueError(f"continuations: not known where {why}")
        if at == 0:
            return [(TokenIds([]), [])]
        text = self.data[:at]
        if rewriter is not None:
            text, may_write = rewriter.rewrite(text)[0].encode(), partial(may_be_written, never_written(rewriter))
        if pipeline.prefix_space and text[:1] != b" ":
            text = b" " + text
        tables = self.tables()
        tables.prepare()
        found = OpenEnd(WHOLE if pipeline.splitter is None else pipeline.splitter, pipeline.pieces, tables, text,
                        may_write)
        return [(TokenIds(before), tokens) for before, tokens in found.continuations()]

    def tree(self, places=None):
        """The part of the token prefix tree that some prefixes, given as places, need, or all: an `IdTree`, which has
        the attention mask too. (Equation 2.) O(the sum of their tokens). TypeError and IndexError for what is no place.

        >>> from incbpe.model import Config, Model
        >>> from incbpe import BPE
        >>> ranks = (b"l", b"o", b"w", b" ", b"lo", b"low")
        >>> tree = BPE(Config(Model(ranks, None, whole_piece=True), "tiktoken", "gpt2")).prefixes("low lo").tree([3, 5, 6])
        >>> tree.ids, tree.parents, tree.ends
        ([5, 3, 0, 4], [-1, 0, 1, 1], [0, 2, 3])
        """
        chosen = range(self.n + 1) if places is None else [self.place(i) for i in places]
        return IdTree.of(map(self.tokens, chosen))

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
        max_tokens = limit(max_tokens, 1)
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


def limit(max_tokens, least) -> int:
    max_tokens = integer("max_tokens", max_tokens)
    if max_tokens < least:
        raise ValueError(f"max_tokens={max_tokens}: expected {least} or more")
    return max_tokens


def truncated(Pipeline pipeline not None, text, max_tokens, encode_bytes):
    """The longest beginning of a text, up to a character's end, that is `max_tokens` tokens at most."""
    cdef Utf8 view
    cdef ByteBuffer scratch = ByteBuffer(NULL, 0, 0)
    max_tokens = limit(max_tokens, 0)
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
