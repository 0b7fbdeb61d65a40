"""Added tokens: leftmost-longest matching over UTF-8 in linear time, with the flags of the tokenizers library.

An added token is found in the text before anything else looks at it. Tokens with normalized=False are looked for in
the text itself (stage one); those with normalized=True in what the normalizer makes of each piece between (stage two),
where they too are spelt as the normalizer spells them.

Candidates are the leftmost-longest matches of all tokens that count, one after the other, without overlap. Then
single_word   a candidate with a word character beside it is dropped: its place is text, and no shorter token is tried
lstrip        white space before it, up to the segment before, belongs to it
rstrip        white space behind it belongs to it, up to a token that begins inside that white space (the library lets
              the two overlap); a token with lstrip begins where the white space ends

Which special tokens count is a choice of each call; the others are not looked for at all.
Cost  O(bytes of the text), whatever the tokens are.
"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.stdlib cimport free, realloc

from array import array
from dataclasses import dataclass

from subwordio.automaton cimport Automaton, found_free

cdef extern from "subwordio/charclass.h" nogil:
    bint is_word(uint32_t c) noexcept
    bint is_white_space(uint32_t c) noexcept
    size_t character_end(const uint8_t *text, size_t i, size_t n) noexcept
    size_t character_begin(const uint8_t *text, size_t i) noexcept
    uint32_t character(const uint8_t *text, size_t i, size_t end) noexcept

MOST_MATCHERS = 64      # kept by an AddedTokens; a further choice of special tokens makes room


@dataclass(frozen=True)
class AddedToken:
    """A token that is found in the text as it stands.

    single_word   not beside a word character · lstrip, rstrip: takes the white space before, behind it
    normalized    found in the normalized text · special: found only where it is allowed
    """

    content: str
    id: int
    special: bool = False
    single_word: bool = False
    lstrip: bool = False
    rstrip: bool = False
    normalized: bool = False

    def __post_init__(self) -> None:
        if type(self.content) is not str:
            raise TypeError(f"content: expected str, got {type(self.content).__name__}")
        if type(self.id) is not int:
            raise TypeError(f"id: expected int, got {type(self.id).__name__}")
        if not 0 <= self.id < 2**32:
            raise ValueError(f"id={self.id}: expected 0 to {2**32 - 1}")
        for flag in ("special", "single_word", "lstrip", "rstrip", "normalized"):
            if type(getattr(self, flag)) is not bool:
                raise TypeError(f"{flag}: expected bool, got {type(getattr(self, flag)).__name__}")
        if any("\ud800" <= c <= "\udfff" for c in self.content):
            raise ValueError(f"content={self.content!r}: holds a surrogate, which is no character")


cdef void segments_init(SegmentBuffer *buffer) noexcept nogil:
    buffer.data, buffer.length, buffer.capacity = NULL, 0, 0
    buffer.found.data, buffer.found.length, buffer.found.capacity = NULL, 0, 0


cdef void segments_free(SegmentBuffer *buffer) noexcept nogil:
    free(buffer.data)
    found_free(&buffer.found)
    segments_init(buffer)


cdef int push(SegmentBuffer *buffer, size_t start, size_t stop, int64_t id) except -1 nogil:
    """Append; amortised O(1)."""
    cdef size_t capacity
    cdef void *data
    if buffer.length == buffer.capacity:
        capacity = 2 * buffer.capacity + 16
        data = realloc(buffer.data, capacity * sizeof(Segment))
        if data == NULL:
            with gil:
                raise MemoryError("the segments of a text")
        buffer.data, buffer.capacity = <Segment *> data, capacity
    buffer.data[buffer.length].start, buffer.data[buffer.length].stop = start, stop
    buffer.data[buffer.length].id = id
    buffer.length += 1
    return 0


cdef bint word_beside(const uint8_t *text, size_t start, size_t stop, size_t n) noexcept nogil:
    """Whether a word character ends at start or begins at stop."""
    if start > 0 and is_word(character(text, character_begin(text, start), start)):
        return True
    return stop < n and is_word(character(text, stop, character_end(text, stop, n)))


cdef size_t space_begin(const uint8_t *text, size_t lowest, size_t i) noexcept nogil:
    """Where the white space that ends at `i` begins, not before `lowest`."""
    cdef size_t before
    while i > lowest:
        before = character_begin(text, i)
        if not is_white_space(character(text, before, i)):
            break
        i = before
    return i


cdef size_t space_end(const uint8_t *text, size_t i, size_t n) noexcept nogil:
    """Where the white space that begins at `i` ends."""
    cdef size_t after
    while i < n:
        after = character_end(text, i, n)
        if not is_white_space(character(text, i, after)):
            break
        i = after
    return i


cdef class Matcher:
    """The added tokens of one stage and one choice of special tokens; made by `AddedTokens.matcher`."""

    def __cinit__(self, Automaton automaton, tokens, allowed):
        self.automaton, self.tokens = automaton, tokens
        self.best = automaton.best(bytes(allowed) if tokens else b"\0")
        self.empty = not any(allowed)
        self.ids = array("q", [token.id for token in tokens] or [0])
        self.lengths = array("i", [len(pattern) for pattern in automaton.patterns] or [0])
        self.flags = bytearray([SINGLE_WORD * token.single_word + LSTRIP * token.lstrip + RSTRIP * token.rstrip
                                for token in tokens] or [0])

    cdef int segments_of(self, const uint8_t *text, size_t n, SegmentBuffer *out) except -1 nogil:
        cdef size_t i, start, stop, scanned = 0, done = 0
        cdef size_t space_from = 0, space_to = 0    # the white space last measured: each is read once
        cdef int32_t pattern
        out.found.length = 0
        if not self.empty:
            self.automaton.search(self.best, text, n, &out.found)
        # text[0:done] is in segments; no candidate begins before `scanned`
        for i in range(out.found.length, 0, -1):
            start, pattern = out.found.data[i - 1].start, out.found.data[i - 1].pattern
            if start < scanned:
                continue
            stop = scanned = start + <size_t> self.lengths[pattern]
            if self.flags[pattern] & SINGLE_WORD and word_beside(text, start, stop, n):
                continue
            if self.flags[pattern] & LSTRIP:
                start = max(space_begin(text, done, start), done)
            if self.flags[pattern] & RSTRIP:
                if not space_from <= stop < space_to:
                    space_from, space_to = stop, space_end(text, stop, n)
                stop = space_to
            if start >= stop:       # all of it was taken by an rstrip before it
                continue
            if done < start:
                push(out, done, start, -1)
            elif start < done:      # in the white space that the segment before took: it takes only what is before this
                out.data[out.length - 1].stop = start
            push(out, start, stop, self.ids[pattern])
            done = stop
        if done < n:
            push(out, done, n, -1)
        return 0

    def segments(self, text):
        """(start, stop, id) of the segments of a `str` or UTF-8 `bytes`, in bytes; id is None for text between.

        >>> tokens = AddedTokens([AddedToken("<x>", 7, rstrip=True)])
        >>> tokens.matcher().segments("a<x> b")
        [(0, 1, None), (1, 5, 7), (5, 6, None)]
        """
        cdef SegmentBuffer out
        cdef bytes data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
        cdef size_t k
        segments_init(&out)
        try:
            self.segments_of(data, len(data), &out)
            return [(out.data[k].start, out.data[k].stop, None if out.data[k].id < 0 else out.data[k].id)
                    for k in range(out.length)]
        finally:
            segments_free(&out)


cdef class AddedTokens:
    """The added tokens of a tokenizer.

    ``AddedTokens(tokens, normalize=None)``; `normalize`, a function from str to str, spells the tokens with
    normalized=True. Where several are then spelt alike, special tokens win over others, and earlier ones over later
    (in the library, whichever its hash map gives first).
    """

    def __cinit__(self, tokens, normalize=None):
        self.tokens = tuple(tokens)
        self.matchers = {}
        self.special = frozenset([token.content for token in self.tokens if token.special])
        for token in self.tokens:
            if not token.content:
                raise ValueError(f"added token {token.id}: its content must not be empty")
        by_rank = sorted(self.tokens, key=lambda token: not token.special)
        self.raw = self.build([token for token in by_rank if not token.normalized], None)
        self.normalized = self.build([token for token in by_rank if token.normalized], normalize)

    def build(self, tokens, normalize):
        """The automaton of one stage, with its tokens by pattern."""
        patterns = []
        for token in tokens:
            spelt = normalize(token.content) if normalize else token.content
            if not spelt:
                raise ValueError(f"added token {token.content!r}: the normalizer leaves nothing of it")
            patterns.append(spelt.encode())
        return Automaton(patterns), tuple(tokens)

    cdef Matcher stage(self, object allowed_special, bint normalized):
        return self.matcher(allowed_special, normalized)

    def matcher(self, allowed_special=(), normalized=False):
        """The matcher of one stage, in which of the special tokens those count whose contents are in `allowed_special`
        (or all of them: "all"); None where nothing counts. Matchers are made once for each choice.

        >>> tokens = AddedTokens([AddedToken("[CLS]", 101, special=True), AddedToken("my1", 102)])
        >>> tokens.matcher().segments("[CLS]my1")
        [(0, 5, None), (5, 8, 102)]
        >>> tokens.matcher("all").segments("[CLS]my1")
        [(0, 5, 101), (5, 8, 102)]
        """
        key = (self.choice(allowed_special), bool(normalized))
        try:
            return self.matchers[key]
        except KeyError:
            pass
        automaton, tokens = self.normalized if normalized else self.raw
        allowed = [not token.special or token.content in key[0] for token in tokens]
        made = Matcher(automaton, tokens, allowed) if any(allowed) else None
        if len(self.matchers) >= MOST_MATCHERS:
            self.matchers.clear()
        self.matchers[key] = made
        return made

    def choice(self, allowed_special):
        """The contents of the special tokens that count, as a set; unknown ones are a ValueError."""
        special = self.special
        if isinstance(allowed_special, str):
            if allowed_special != "all":
                raise ValueError(f"allowed_special={allowed_special!r}: expected \"all\" or a collection of tokens")
            return special
        chosen = frozenset(allowed_special)
        for content in chosen:
            if content not in special:
                raise ValueError(f"allowed_special: {content!r} is no special token")
        return chosen
