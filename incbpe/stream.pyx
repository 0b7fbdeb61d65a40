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
                    of an open piece where atoms are characters and a splitter cuts, or where a byte is no token; with a
                    pattern of the caller's, all up to the next added token (`piecestage`)

Cost  that of the stages: amortised O(log² t) a byte in a piece of t bytes. Memory: what is held back.
"""
import codecs

from incbpe.eager import CRITERIA

from incbpe.addedstage cimport adding
from incbpe.bytepair cimport BPE
from incbpe.piecestage cimport last_stage
from incbpe.pipeline cimport Pipeline
from incbpe.stages cimport Stage, prepending, rewriting
from incbpe.streamtables cimport StreamTables
from subwordio.ids cimport token_ids_take
from subwordio.text cimport ByteBuffer, Utf8, bytes_free, utf8_view


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
    stage = stream.last
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
    taken back. `str` and `bytes` of UTF-8 may alternate between characters.

    >>> from incbpe.model import Config, Model
    >>> from incbpe.bytepair import BPE
    >>> ranks = tuple(bytes((b,)) for b in range(256)) + (b"lo", b"low")
    >>> stream = BPE(Config(Model(ranks, None, whole_piece=True), "tiktoken", "gpt2")).stream()
    >>> stream.feed("slow"), stream.feed(b"ly"), stream.finish()
    (TokenIds([115, 257]), TokenIds([108, 121]), TokenIds([]))
    """

    def __cinit__(self):
        self.rest, self.half = b"", ""

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
        if not isinstance(chunk, bytes):
            raise TypeError(f"chunk: expected str or bytes, got {type(chunk).__name__}")
        data = self.rest + chunk
        if not data:
            return "", b"", self.half
        try:
            text, done = codecs.utf_8_decode(data, "strict", False)
        except UnicodeDecodeError as error:
            raise ValueError(f"ill-formed UTF-8 at byte {self.position + 3 * len(self.half) + error.start}: "
                             f"{error.reason}") from None
        return self.half + text, data[done:], half

    cdef int put(self, str text) except -1:
        cdef Utf8 view
        cdef ByteBuffer scratch = ByteBuffer(NULL, 0, 0)
        try:
            utf8_view(text, &view, &scratch)
            self.failed = True
            self.first.put(view.data, view.length)
            self.failed = False
            self.position += view.length
        finally:
            bytes_free(&scratch)
        return 0

    cdef object take(self):
        return token_ids_take(&self.last.out)

    cdef int ready(self) except -1:
        if self.first is None:
            raise TypeError("a Stream is made by BPE.stream()")
        if self.failed:
            raise ValueError("the stream has failed before: what came then is lost")
        return 0

    def feed(self, chunk):
        """The ids that are certain now that a chunk more has come, as `TokenIds`.

        ValueError names the byte, counted in UTF-8 from the text's beginning, where bytes are not UTF-8; TypeError:
        neither str nor bytes. The stream is then as it was. A ValueError that the vocabulary has no token for some bytes is the
        stream's last: until `reset` it goes on with none.
        """
        self.ready()
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
        return 0 if self.first is None else self.first.memory()

    def check(self):
        """Raise AssertionError unless the invariants of all stages hold, between feeds. Cost: what is held."""
        self.ready()
        self.first.check()

    def __repr__(self):
        return f"<Stream: {self.position} bytes read>"
