"""The tokens of a text that is still coming: each as soon as no continuation can change it.  (Section 6, and beyond it)

A text passes through the stages of `pipeline`, made for parts:

    chunk ── characters ── added tokens ── rewriting ── added tokens ── a space before ── pieces ── ids

What each holds back, and no more:
    characters      an incomplete character of bytes; of a str, a high surrogate at its end
    added tokens    from where the longest end begins that is a proper beginning of one that counts; with single_word
                    the character behind is waited for, and white space if a token takes it that may come (`addedstage`)
    rewriting       a beginning of what is replaced; the open sequence of a form of Unicode normalization (`stages`)
    pieces          of the open piece, the tokens that are not certain: by the criterion, and as far as the splitter has
                    not decided where it ends (`pieceoutput`); all of a piece that may become a whole-piece token; all
                    of an open piece where atoms are characters and a splitter cuts, or where a byte is no token
                    (`splitstage`); with a pattern of the caller's, all up to the next added token (`piecestage`)

Cost  that of the stages: amortised O(log² t) a byte in a piece of t bytes. Memory: what is held back.
"""
import codecs

from libc.stdint cimport uint8_t

from incbpe.eager import CRITERIA
from subwordio.bytelike import bytes_of

from incbpe.addedstage cimport adding
from incbpe.bytepair cimport BPE
from incbpe.piecestage cimport last_stage
from incbpe.pipeline cimport Pipeline
from incbpe.stages cimport Stage, prepending, rewriting
from incbpe.streamtables cimport StreamTables
from subwordio.ids cimport IdBuffer, TokenIds, token_ids_copy, token_ids_take
from subwordio.text cimport TEXT_BYTES, TextRef, Utf8, bytes_free, text_ref, utf8_of, utf8_view

cdef extern from "incbpe/split.h" nogil:
    bint incbpe_begins_character(const uint8_t *s, size_t length) noexcept

cdef extern from "subwordio/charclass.h" nogil:
    size_t character_begin(const uint8_t *text, size_t i) noexcept

cdef enum:
    COPIED_IDS = 16384          # so many ids are copied to memory of their own size
    KEPT_BYTES = 65536          # a larger scratch is given back


def stream(BPE bpe not None, allowed_special=(), criterion="chain"):
    """What `BPE.stream` returns."""
    cdef Pipeline pipeline = bpe.pipeline_for(allowed_special)
    chosen = frozenset() if bpe.added is None else bpe.added.choice(allowed_special)
    if criterion not in CRITERIA:
        raise ValueError(f"criterion: expected {', '.join(CRITERIA)}, got {criterion!r}")
    return stream_of(bpe.stream_tables(), pipeline, chosen, criterion)


cdef Stream stream_of(StreamTables tables, Pipeline pipeline, object chosen, str criterion):
    cdef Stream stream = Stream()
    cdef Stage stage
    tables.prepare()
    stream.last = last_stage(pipeline, tables.N, tables.ids, tables.whole, criterion)
    stage, stream.ints = stream.last, pipeline.ints
    if pipeline.prefix_space:
        stage = prepending(b" ", True, stage)
    if pipeline.normalized is not None:
        stage = adding(tables.patterns_of(pipeline.normalized, chosen, True), stage)
    stage = rewriting(pipeline.rewriter, stage)
    if pipeline.raw is not None:
        stage = adding(tables.patterns_of(pipeline.raw, chosen, False), stage)
    stream.first = stage
    return stream


cdef class Stream:
    """The ids of a text that comes in chunks; made by `BPE.stream`. Not to be shared by threads.

    All that `feed` and `finish` return, one after the other, is what `encode` of the whole text returns; nothing is
    taken back. `str` and bytes of UTF-8 may alternate between characters.

    >>> from incbpe.model import Config, Model
    >>> from incbpe.bytepair import BPE
    >>> ranks = tuple(bytes((b,)) for b in range(256)) + (b"lo", b"low")
    >>> stream = BPE(Config(Model(ranks, None, whole_piece=True), "tiktoken", "gpt2")).stream()
    >>> stream.feed("slow"), stream.feed(b"ly"), stream.finish()
    (TokenIds([115, 257]), TokenIds([108, 121]), TokenIds([]))
    """

    def __cinit__(self):
        self.rest, self.half = b"", ""

    def __dealloc__(self):
        bytes_free(&self.scratch)

    cdef tuple read(self, object chunk):
        cdef str text, half = ""
        cdef bytes data
        if isinstance(chunk, str):
            if self.rest:
                raise ValueError(f"chunk: a str, while the character at byte {self.position} has only its bytes "
                                 f"{self.rest!r}")
            text = self.half + chunk
            half = text[len(text) - 1:]
            if not "\ud800" <= half <= "\udbff":
                half = ""
            return text[:len(text) - len(half)], b"", half
        data = self.rest + chunk
        if not data:
            return "", b"", self.half
        try:
            text, done = codecs.utf_8_decode(data, "strict", False)
        except UnicodeDecodeError as error:
            raise ValueError(f"ill-formed UTF-8 at byte {self.position + 3 * len(self.half) + error.start}: "
                             f"{error.reason}") from None
        return self.half + text, data[done:], half

    cdef bint put_whole(self, object chunk) except -1:
        cdef TextRef ref
        cdef Utf8 view
        cdef str text
        cdef bytes rest = b""
        cdef const uint8_t *data
        cdef size_t n, begin
        if self.half or not chunk:
            return False
        if type(chunk) is str:
            text = chunk
            if self.rest or 0xD800 <= text[len(text) - 1] <= 0xDBFF:
                return False
        elif type(chunk) is bytes:
            chunk = self.rest + chunk
        else:
            return False
        try:
            text_ref(chunk, &ref)
            if ref.kind == TEXT_BYTES:
                data, n = <const uint8_t *> ref.data, ref.length
                begin = character_begin(data, n)
                if incbpe_begins_character(data + begin, n - begin):
                    rest, ref.length = data[begin:n], begin
            utf8_of(&ref, &view, &self.scratch)
        except ValueError:
            return False                # `read` says what is wrong
        self.put_view(&view)
        self.rest = rest
        return True

    cdef int put_view(self, const Utf8 *view) except -1:
        self.failed = True
        self.first.put(view.data, view.length)
        self.failed = False
        self.position += view.length
        if self.scratch.capacity > KEPT_BYTES:
            bytes_free(&self.scratch)
        return 0

    cdef int put(self, str text) except -1:
        cdef Utf8 view
        utf8_view(text, &view, &self.scratch)
        return self.put_view(&view)

    cdef object take(self):
        cdef IdBuffer *out = &self.last.out
        cdef TokenIds ids = token_ids_take(out) if out.length > COPIED_IDS else token_ids_copy(out)
        out.length = 0
        ids.ints = self.ints
        return ids

    cdef int ready(self) except -1:
        if self.first is None:
            raise TypeError("a Stream is made by BPE.stream()")
        if self.failed:
            raise ValueError("the stream has failed before: what came then is lost")
        return 0

    def feed(self, chunk):
        """The ids that are certain now that a chunk more has come, as `TokenIds`: a `str`, or UTF-8 in anything bytes-like.

        ValueError names the byte, counted in UTF-8 from the text's beginning, where bytes are not UTF-8; TypeError:
        neither str nor bytes-like. The stream is then as it was. A ValueError that the vocabulary has no token for some
        bytes is the stream's last: until `reset` it goes on with none.
        """
        self.ready()
        if type(chunk) is not bytes and not isinstance(chunk, str):
            chunk = bytes_of("chunk", chunk, "str or bytes-like object")
        if not self.put_whole(chunk):
            text, rest, half = self.read(chunk)
            self.put(text)
            self.rest, self.half = rest, half
        self.failed = True
        self.first.pause()
        self.failed = False
        return self.take()

    def finish(self):
        """The text has ended: the rest of its ids. The stream is then at the beginning of another text.

        ValueError where a character of bytes is incomplete; the stream is then as it was.
        """
        self.ready()
        if self.rest:
            raise ValueError(f"ill-formed UTF-8 at byte {self.position}: unexpected end of data")
        self.put(self.half)
        self.failed = True
        self.first.end()
        self.failed = False
        self.half, self.position = "", 0
        return self.take()

    def reset(self):
        """Forget the text: the stream is at the beginning of another one."""
        self.failed = False
        self.ready()
        self.first.reset()
        self.last.out.length = 0
        self.rest, self.half, self.position = b"", "", 0

    @property
    def nbytes(self):
        """The memory that the stream takes beside what all streams share, in bytes: that of what is held back."""
        return self.scratch.capacity + (0 if self.first is None else self.first.memory())

    def check(self):
        """Raise AssertionError unless the invariants of all stages hold, between feeds. Cost: what is held."""
        self.ready()
        self.first.check()

    def __repr__(self):
        return f"<Stream: {self.position} bytes read>"
