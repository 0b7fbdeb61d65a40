"""WordPiece, the compiled tokenizer: original WordPiece by LinMaxMatch on two roots.        (Algorithms 1 and 2)

A text is cut at added tokens, then normalized into words, some thousand bytes at a time (`normalizer`), and the words
are matched end to end by the automaton of Algorithm 2's tables (`matcher`, `layout`). Nothing changes after
construction: what a call works in is borrowed for that call, so threads may share one object.

Cost  O(n) for n bytes of text, whatever they are; beside the result, memory for the longest run without white space
"""
import hashlib
import os
from array import array
from dataclasses import replace

from cpython.mem cimport PyMem_RawCalloc, PyMem_RawFree
from libc.stdint cimport SIZE_MAX, uint8_t, uint32_t
from libc.string cimport memchr, memcmp, memset

from linmaxmatch.decoding import decode
from linmaxmatch.encoding import Encoding, assemble
from linmaxmatch.loading import arguments_of
from linmaxmatch.portable import pack, unpack
from subwordio.padding import Truncation, pad_and_truncate
from subwordio.paths import ByPath
from subwordio.template import PLAIN, Template

from linmaxmatch.layout cimport Layout, engine_tables, place
from linmaxmatch.matcher cimport Rules, Steps, char_width, match_words
from linmaxmatch.normalizer cimport Normalizer, Words, words_free, words_reserve
from linmaxmatch.vocabulary cimport Vocabulary
from subwordio.added cimport AddedTokens, Matcher, segments_free, segments_init
from subwordio.batch cimport Kernel, Worker, encode_batch, encode_text
from subwordio.ids cimport IdBuffer, ids_free, ids_push, ids_reserve, token_ids_take
from subwordio.text cimport Utf8, char_offsets_of, utf8_view

cdef enum:
    PIECE = 16384               # bytes of normalized words at a time: still in the first cache when they are matched
    KEPT_BYTES = 1048576        # scratch above this is given back after the call

CAPS = {"hf": 100, "google": 200, "tf": 100, None: None}


class Default:
    """A default that depends on other arguments, shown by its name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name


PROFILE = Default("PROFILE")    # the cap that the normalizer's model has
FILE = Default("FILE")          # what the tokenizer's file asks for


cdef Scratch *new_scratch() except NULL:
    scratch = <Scratch *> PyMem_RawCalloc(1, sizeof(Scratch))
    if scratch == NULL:
        raise MemoryError()
    segments_init(&scratch.segments)
    return scratch


cdef void free_scratch(Scratch *scratch) noexcept:
    words_free(&scratch.words)
    segments_free(&scratch.segments)
    PyMem_RawFree(scratch)


cdef int place_token(Aligned *out, size_t start, size_t stop) except -1 nogil:
    """The place of the next token, of the present word."""
    ids_reserve(&out.starts, 1)
    ids_reserve(&out.ends, 1)
    ids_reserve(&out.words, 1)
    ids_push(&out.starts, <uint32_t> start)
    ids_push(&out.ends, <uint32_t> stop)
    ids_push(&out.words, out.word)
    return 0


cdef void free_aligned(Aligned *out) noexcept:
    ids_free(&out.ids)
    ids_free(&out.starts)
    ids_free(&out.ends)
    ids_free(&out.words)


cdef class WordPiece(Kernel):
    """A vocabulary compiled for tokenizing text.

    ``WordPiece(tokens, suffix_indicator="##", unk_token="[UNK]", normalizer="hf", lowercase=True, strip_accents=None,
    clean_text=True, handle_chinese_chars=True, max_chars_per_word=PROFILE, split_unknown=False, nfc=False, *,
    duplicates="error", added_tokens=(), template=None, truncation=None, padding=None, cleanup=False)``

    tokens              an iterable of str; a token's position is its id
    normalizer          "hf" (the tokenizers library), "google" (the original code), "tf" (TensorFlow Text), or None:
                        the text is clean already and only split at white space and punctuation
    max_chars_per_word  a longer word is one unknown token; None lifts the cap. Characters after normalization, for "tf"
                        bytes. PROFILE: 100 (hf), 200 (google), 100 bytes (tf), none (normalizer=None)
    split_unknown       a character that no token has is an unknown token by itself, and the word goes on behind it
    added_tokens        AddedTokens, found in the text before all else; the special ones only where a call allows them
    template            what `special_tokens=True` puts around texts; None: [CLS] and [SEP] as in BERT, if there are such
    truncation, padding what `encode_padded` does where it is not told; cleanup: what `decode` does

    >>> wp = WordPiece(["[UNK]", "un", "##aff", "##able", "!"])
    >>> wp.encode("Unaffable!"), wp.tokenize("unaffable café")
    (TokenIds([1, 2, 3, 4]), ['un', '##aff', '##able', '[UNK]'])
    """

    def __init__(self, tokens, suffix_indicator="##", unk_token="[UNK]", normalizer="hf", lowercase=True,
                 strip_accents=None, clean_text=True, handle_chinese_chars=True, max_chars_per_word=PROFILE,
                 split_unknown=False, nfc=False, *, duplicates="error", added_tokens=(), template=None,
                 truncation=None, padding=None, cleanup=False):
        if self.layout is not None:
            raise TypeError("a WordPiece does not change: make another")
        self.normalizer = Normalizer(normalizer, lowercase, strip_accents, clean_text, handle_chinese_chars, nfc)
        if max_chars_per_word is PROFILE:
            max_chars_per_word = CAPS[normalizer]
        elif max_chars_per_word is not None and type(max_chars_per_word) is not int:
            raise TypeError(f"max_chars_per_word: expected an int or None, got {type(max_chars_per_word).__name__}")
        elif max_chars_per_word is not None and max_chars_per_word < 0:
            raise ValueError(f"max_chars_per_word={max_chars_per_word}: expected 0 or more, or None")
        self.vocabulary = Vocabulary(tokens, suffix_indicator, unk_token, duplicates)
        self.rules = Rules(self.vocabulary.unk_id, SIZE_MAX if max_chars_per_word is None else max_chars_per_word,
                           normalizer == "tf", bool(split_unknown))
        self.layout = Layout(engine_tables(self.vocabulary, split_unknown), len(self.vocabulary), self.rules.unk)
        self.unk_utf8 = unk_token.encode()
        self.unk_bytes = self.unk_utf8
        self.marker = len(suffix_indicator.encode())
        self.widths = array("I", [len(token.encode()) for token in self.vocabulary.tokens])
        self.take_added(tuple(added_tokens))
        self.template = bert_template(self) if template is None else template
        self.options = {
            "suffix_indicator": suffix_indicator, "unk_token": unk_token, "normalizer": normalizer,
            "lowercase": bool(lowercase), "strip_accents": strip_accents, "clean_text": bool(clean_text),
            "handle_chinese_chars": bool(handle_chinese_chars), "max_chars_per_word": max_chars_per_word,
            "split_unknown": bool(split_unknown), "nfc": bool(nfc), "duplicates": duplicates,
            "added_tokens": tuple(added_tokens), "template": template, "truncation": truncation, "padding": padding,
            "cleanup": bool(cleanup),
        }

    def take_added(self, added_tokens):
        """Enter added tokens: those that are new to the vocabulary follow it."""
        tokens = list(self.vocabulary.tokens)
        self.added_ids = {}
        for token in added_tokens:
            if token.id >= len(tokens):
                tokens += [""] * (token.id + 1 - len(tokens))
            tokens[token.id] = token.content
            self.added_ids[token.content] = token.id
        self.tokens = tuple(tokens)
        if added_tokens:
            self.added = AddedTokens(added_tokens)
            self.always = self.added.stage((), False)

    @classmethod
    def from_file(cls, path, *, sha256=None, **options):
        """The tokenizer of a `vocab.txt` (one token a line) or of a `tokenizer.json` with a WordPiece model.

        A `vocab.txt` says nothing but the tokens: `options` are the constructor's. A `tokenizer.json` says everything:
        no option may be given beside it, and what it asks for and we do not do is a FormatError that names the field.
        `sha256`: the file's expected digest, in hexadecimal.
        """
        tokens, arguments = arguments_of(path, sha256, options)
        cdef WordPiece tokenizer = cls(tokens, **arguments)
        tokenizer.origin = (os.path.abspath(path), options)
        return tokenizer

    # -- what single calls and batches both run, without the GIL

    cdef void *new_scratch(self) except NULL:
        return new_scratch()

    cdef void free_scratch(self, void *scratch) noexcept:
        free_scratch(<Scratch *> scratch)

    cdef void trim_scratch(self, void *pointer) noexcept:
        scratch = <Scratch *> pointer
        if scratch.words.capacity > KEPT_BYTES:
            words_free(&scratch.words)
        if scratch.segments.capacity * sizeof(scratch.segments.data[0]) > KEPT_BYTES:
            segments_free(&scratch.segments)

    cdef int encode_utf8(self, const uint8_t *text, size_t n, IdBuffer *out, void *scratch) except -1 nogil:
        return self.encode_cut(self.always, text, n, out, <Scratch *> scratch)

    cdef int encode_cut(self, Matcher matcher, const uint8_t *text, size_t n, IdBuffer *out, Scratch *scratch) except -1 nogil:
        cdef size_t k
        if matcher is None:
            return self.encode_run(text, n, out, scratch)
        scratch.segments.length = 0
        matcher.segments_of(text, n, &scratch.segments)
        for k in range(scratch.segments.length):
            segment = scratch.segments.data[k]
            if segment.id >= 0:
                ids_reserve(out, 1)
                ids_push(out, <uint32_t> segment.id)
            else:
                self.encode_run(text + segment.start, segment.stop - segment.start, out, scratch)
        return 0

    cdef int encode_run(self, const uint8_t *text, size_t n, IdBuffer *out, Scratch *scratch) except -1 nogil:
        cdef size_t position = 0
        while position < n:
            scratch.words.length = 0
            self.normalizer.run(text, n, &position, PIECE, &scratch.words)
            match_words(&self.layout.automaton, &self.rules, scratch.words.bytes, scratch.words.length, out,
                        &scratch.steps)
        return 0

    cdef int align_cut(self, Matcher matcher, const uint8_t *text, size_t n, Aligned *out, Scratch *scratch) except -1 nogil:
        cdef size_t k
        if matcher is None:
            return self.align_run(text, n, 0, out, scratch)
        scratch.segments.length = 0
        matcher.segments_of(text, n, &scratch.segments)
        for k in range(scratch.segments.length):
            segment = scratch.segments.data[k]
            if segment.id >= 0:
                ids_reserve(&out.ids, 1)
                ids_push(&out.ids, <uint32_t> segment.id)
                place_token(out, segment.start, segment.stop)
                out.word += 1
            else:
                self.align_run(text + segment.start, segment.stop - segment.start, segment.start, out, scratch)
        return 0

    cdef int align_run(self, const uint8_t *text, size_t n, size_t origin, Aligned *out, Scratch *scratch) except -1 nogil:
        cdef Words *words = &scratch.words
        cdef size_t position = 0, begin, end, first
        while position < n:
            words.length = 0
            self.normalizer.run_aligned(text, n, &position, PIECE, words)
            begin = 0
            while begin < words.length:
                end = <const uint8_t *> memchr(words.bytes + begin, 0x20, words.length - begin) - words.bytes
                first = out.ids.length
                match_words(&self.layout.automaton, &self.rules, words.bytes + begin, end + 1 - begin, &out.ids,
                            &scratch.steps)
                self.align_word(words, begin, end, first, origin, out)
                begin = end + 1
        return 0

    cdef int align_word(self, const Words *words, size_t begin, size_t end, size_t first, size_t origin,
                        Aligned *out) except -1 nogil:
        """Where the tokens ids[first:] of the word bytes[begin:end] stand: their spellings, end to end, are the word."""
        cdef size_t k, count = out.ids.length - first, stop
        for k in range(count):
            stop = end if k + 1 == count else begin + self.width(out.ids.data[first + k], words.bytes + begin, k > 0)
            place_token(out, origin + words.starts[begin], origin + words.ends[stop - 1])
            begin = stop
        out.word += 1
        return 0

    cdef size_t width(self, uint32_t id, const uint8_t *at, bint suffix) noexcept nogil:
        """The bytes of the word that a token stands for; an unknown character's own, where words are split at it."""
        cdef size_t skipped = self.marker if suffix else 0, n = self.widths[id]
        if id == self.rules.unk and self.rules.split_unknown and (
                n <= skipped or memcmp(self.unk_bytes + skipped, at, n - skipped) != 0):
            return char_width(at[0])
        return n - skipped

    cdef size_t count_cut(self, Matcher matcher, const uint8_t *text, size_t n, size_t most, Scratch *scratch,
                          IdBuffer *ids) except? 0xFFFFFFFFFFFFFFFF nogil:
        cdef size_t k, total = 0
        if matcher is None:
            return self.count_run(text, n, most, scratch, ids)
        scratch.segments.length = 0
        matcher.segments_of(text, n, &scratch.segments)
        for k in range(scratch.segments.length):
            segment = scratch.segments.data[k]
            if segment.id >= 0:
                total += 1
            elif total <= most:
                total += self.count_run(text + segment.start, segment.stop - segment.start, most - total, scratch, ids)
        return total

    cdef size_t count_run(self, const uint8_t *text, size_t n, size_t most, Scratch *scratch,
                          IdBuffer *ids) except? 0xFFFFFFFFFFFFFFFF nogil:
        cdef size_t position = 0, total = 0
        while position < n and total <= most:
            scratch.words.length = ids.length = 0
            self.normalizer.run(text, n, &position, PIECE, &scratch.words)
            match_words(&self.layout.automaton, &self.rules, scratch.words.bytes, scratch.words.length, ids,
                        &scratch.steps)
            total += ids.length
        return total

    # -- text to ids

    cdef Matcher matcher_for(self, object allowed_special):
        if self.added is None:
            if allowed_special and allowed_special != "all":
                raise ValueError(f"allowed_special={allowed_special!r}: the tokenizer has no added tokens")
            return None
        return self.added.stage(allowed_special, False) if allowed_special else self.always

    cdef Kernel kernel_for(self, object allowed_special):
        return Allowing(self, self.matcher_for(allowed_special)) if allowed_special else self

    cdef object encoding_of(self, object text, Matcher matcher):
        cdef Utf8 view
        cdef Aligned out
        cdef IdBuffer starts, ends
        if self.normalizer.nfc:
            raise ValueError("offsets=True: with nfc=True the text is composed first, which keeps no offsets")
        memset(&out, 0, sizeof(Aligned))
        memset(&starts, 0, sizeof(IdBuffer))
        memset(&ends, 0, sizeof(IdBuffer))
        cdef Worker *worker = self.borrow()
        try:
            utf8_view(text, &view, &worker.text)
            with nogil:
                self.align_cut(matcher, view.data, view.length, &out, <Scratch *> worker.scratch)
                ids_reserve(&starts, out.ids.length)
                ids_reserve(&ends, out.ids.length)
                starts.length = ends.length = out.ids.length
                char_offsets_of(&view, out.starts.data, starts.length, starts.data)
                char_offsets_of(&view, out.ends.data, ends.length, ends.data)
            return Encoding(token_ids_take(&out.ids), token_ids_take(&starts), token_ids_take(&ends),
                            token_ids_take(&out.starts), token_ids_take(&out.ends), token_ids_take(&out.words))
        finally:
            self.give_back(worker)
            free_aligned(&out)
            ids_free(&starts)
            ids_free(&ends)

    def encode(self, text, pair=None, *, special_tokens=False, offsets=False, allowed_special=()):
        """The ids of a text (`str`, or `bytes` of UTF-8), or of a text and its pair.

        special_tokens   put the template's special tokens around: for BERT, [CLS] text [SEP] pair [SEP]
        offsets          return an `Encoding`: the ids, and where in the original text each token stands
        allowed_special  special added tokens that count where the text spells them: a set of them, or "all". Without,
                         text that looks like a special token is text

        Cost O(n). TypeError for another type; ValueError naming the byte offset for bytes that are not UTF-8.

        >>> wp = WordPiece(["[UNK]", "play", "##ing", "!"])
        >>> wp.encode("Playing!", offsets=True).ends
        TokenIds([4, 7, 8])
        """
        cdef Kernel kernel = self.kernel_for(allowed_special)
        texts = (text,) if pair is None else (text, pair)
        if offsets:
            parts = [self.encoding_of(one, self.matcher_for(allowed_special)) for one in texts]
        else:
            parts = [encode_text(kernel, self.normalizer.prepare(one)) for one in texts]
        if pair is None and not special_tokens:
            return parts[0]
        return assemble(self.template_for(special_tokens).pieces(pair is not None, special_tokens), parts)

    def encode_batch(self, texts, *, threads=None, allowed_special=()):
        """The ids of many texts as `TokenLists`, by as many threads as there are processors unless told otherwise.

        Equal to `[self.encode(text) for text in texts]`. A small batch is done at once, without threads.
        TypeError names the index and the type of what is no text.
        """
        if self.normalizer.nfc:
            texts = map(self.normalizer.prepare, texts)
        return encode_batch(self.kernel_for(allowed_special), texts, threads)

    def encode_padded(self, texts, pairs=None, *, max_length=FILE, stride=FILE, return_overflow=False, truncation=FILE,
                      padding=FILE, special_tokens=True, allowed_special=(), dtype="int64", threads=None):
        """Ids, attention mask and type ids of texts, or of texts and their pairs: three matrices of one row a text.

        What is not given is as the tokenizer's file asks: `truncation` (a Truncation, or None: keep all), of which
        `max_length` and `stride` change one field, and `padding` (a Padding, or None: to the longest row).
        With `return_overflow`, what is cut off goes on in further rows, and a fourth result names each row's text.
        `dtype` is "int64" or "int32". The matrices have the buffer protocol: `numpy.asarray(ids)` copies nothing.
        """
        truncation = self.options["truncation"] if truncation is FILE else truncation
        if max_length is not FILE:
            if max_length is None:
                truncation = None
            else:
                truncation = Truncation(max_length) if truncation is None else replace(truncation, max_length=max_length)
        if stride is not FILE:
            if truncation is None:
                raise ValueError(f"stride={stride!r}: nothing is cut off without max_length")
            truncation = replace(truncation, stride=stride)
        encode = lambda those: self.encode_batch(those, threads=threads, allowed_special=allowed_special)  # noqa: E731
        padded = pad_and_truncate(
            encode(texts), None if pairs is None else encode(pairs), template=self.template_for(special_tokens),
            special_tokens=special_tokens, truncation=truncation,
            padding=self.options["padding"] if padding is FILE else padding, return_overflow=return_overflow, dtype=dtype)
        return padded if return_overflow else padded[:3]

    def encode_word(self, word):
        """The ids of one word as it stands: not normalized, not split, without a cap.        (Algorithm 1)"""
        return self.word_ids(word, NULL)

    def steps(self, word) -> tuple[int, int]:
        """The edges and the failure moves that `encode_word` takes: each at most the bytes of the word."""
        cdef Steps steps
        self.word_ids(word, &steps)
        return steps.edges, steps.moves

    cdef object word_ids(self, object word, Steps *steps):
        cdef Utf8 view
        cdef IdBuffer result = IdBuffer(NULL, 0, 0)
        cdef Steps counted = Steps(0, 0)
        cdef Rules rules = self.rules
        cdef Words *words
        cdef size_t k
        rules.cap = SIZE_MAX
        cdef Worker *worker = self.borrow()
        try:
            utf8_view(word, &view, &worker.text)
            words = &(<Scratch *> worker.scratch).words
            words.length = 0
            with nogil:
                # A space of the word itself is written as layout.place looks it up; 0x20 ends the word.
                words_reserve(words, view.length + 1, False)
                for k in range(view.length):
                    words.bytes[k] = place(view.data[k])
                words.bytes[view.length] = 0x20
                if view.length > 0:
                    match_words(&self.layout.automaton, &rules, words.bytes, view.length + 1, &result, &counted)
            if steps != NULL:
                steps[0] = counted
            return token_ids_take(&result)
        finally:
            self.give_back(worker)
            ids_free(&result)

    def count(self, text, limit=None, *, allowed_special=()) -> int:
        """The number of the text's tokens; with a limit, exact up to it, and limit + 1 where there are more."""
        cdef Utf8 view
        cdef IdBuffer ids = IdBuffer(NULL, 0, 0)
        cdef Matcher matcher = self.matcher_for(allowed_special)
        cdef size_t total, most = SIZE_MAX - 1
        if limit is not None:
            if type(limit) is not int:
                raise TypeError(f"limit: expected an int or None, got {type(limit).__name__}")
            if limit < 0:
                raise ValueError(f"limit={limit}: expected 0 or more")
            most = min(limit, SIZE_MAX - 1)
        text = self.normalizer.prepare(text)
        cdef Worker *worker = self.borrow()
        try:
            utf8_view(text, &view, &worker.text)
            with nogil:
                total = self.count_cut(matcher, view.data, view.length, most, <Scratch *> worker.scratch, &ids)
        finally:
            self.give_back(worker)
            ids_free(&ids)
        return min(total, limit + 1) if limit is not None else total

    def tokenize(self, text, *, allowed_special=()) -> list[str]:
        """The text's tokens as strings. With `split_unknown`, one inside a word carries the suffix indicator."""
        cdef tuple tokens = self.tokens
        if not self.rules.split_unknown:
            return [tokens[id] for id in self.encode(text, allowed_special=allowed_special)]
        encoding = self.encode(text, offsets=True, allowed_special=allowed_special)
        indicator, before, spelt = self.options["suffix_indicator"], None, []
        for id, word in zip(encoding.ids, encoding.words):
            spelt.append(indicator + tokens[id] if id == self.rules.unk and word == before else tokens[id])
            before = word
        return spelt

    def spans(self, text, *, allowed_special=()) -> list[tuple[int, int]]:
        """Where the text's tokens stand: `text[start:end]` each, in characters of the original."""
        encoding = self.encode(text, offsets=True, allowed_special=allowed_special)
        return list(zip(encoding.starts, encoding.ends))

    def decode(self, ids, *, skip_special_tokens=False, cleanup=None) -> str:
        """The tokens as text: words joined by a space, the suffix indicator taken off all but the first token.

        What cleaning, case and accents were is not in the ids; `spans` leads back to the original. `cleanup` closes up
        English punctuation, as old decoders did. TokenIdError for an id that names no token.
        """
        return decode(self, ids, skip_special_tokens=skip_special_tokens,
                      cleanup=self.options["cleanup"] if cleanup is None else cleanup)

    # -- the vocabulary

    @property
    def vocab_size(self) -> int:
        """The number of ids: the vocabulary's and those of added tokens."""
        return len(self.tokens)

    def id(self, token) -> int:
        """The token's id; an error of the vocabulary's where there is none."""
        found = self.added_ids.get(token)
        return self.vocabulary.id(token) if found is None else found

    def token(self, id) -> str:
        """The token of an id. TokenIdError where there is none."""
        if type(id) is int and len(self.vocabulary) <= id < len(self.tokens):
            return self.tokens[id]
        return self.vocabulary.token(id)

    def template_for(self, special_tokens) -> Template:
        """The template that a call uses."""
        if self.template is not None:
            return self.template
        if special_tokens:
            raise ValueError("special_tokens=True: the vocabulary has no [CLS] and [SEP], and no template was given")
        return PLAIN

    # -- the object

    @property
    def fingerprint(self) -> str:
        """A digest of the tokens and the options alone: the same on every host and in every run."""
        return hashlib.sha256(self.source()).hexdigest()

    cdef bytes source(self):
        return pack(self.vocabulary.tokens, self.options)

    def __reduce__(self):
        return rebuild, (self.source(),)

    def by_path(self):
        """A stand-in that pickles as the path of the file this was read from, and its fingerprint."""
        if self.origin is None:
            raise ValueError("by_path: this tokenizer was not read from a file")
        return ByPath(self, *self.origin)

    def __repr__(self) -> str:
        options = self.options
        return (f"WordPiece({self.vocab_size} tokens, suffix_indicator={options['suffix_indicator']!r}, "
                f"unk_token={options['unk_token']!r}, normalizer={options['normalizer']!r}, "
                f"lowercase={options['lowercase']})")

    def inspect(self) -> dict[str, object]:
        """Sizes of the vocabulary, the automaton and its memory, and where the Unicode tables come from."""
        layout = self.layout
        return {
            "tokens": self.vocab_size, "states": layout.states, "cells": layout.cells, "sum_F": layout.sum_F,
            "depth": layout.depth, "automaton_bytes": layout.nbytes, "options": dict(self.options),
            "unicode": self.normalizer.sources, "fingerprint": self.fingerprint,
        }

    def check(self) -> None:
        """Assert the invariants of the layout and the normalizer."""
        self.layout.check()
        self.normalizer.check()


cdef class Allowing(Kernel):
    """A tokenizer with another choice of special tokens."""
    cdef WordPiece tokenizer
    cdef Matcher matcher

    def __cinit__(self, WordPiece tokenizer, Matcher matcher):
        self.tokenizer, self.matcher = tokenizer, matcher

    cdef int encode_utf8(self, const uint8_t *text, size_t n, IdBuffer *out, void *scratch) except -1 nogil:
        return self.tokenizer.encode_cut(self.matcher, text, n, out, <Scratch *> scratch)

    cdef void *new_scratch(self) except NULL:
        return new_scratch()

    cdef void free_scratch(self, void *scratch) noexcept:
        free_scratch(<Scratch *> scratch)


def bert_template(WordPiece wp):
    """[CLS] and [SEP] around texts, where the vocabulary has both."""
    if "[CLS]" in wp.vocabulary and "[SEP]" in wp.vocabulary:
        return Template.bert(wp.id("[CLS]"), wp.id("[SEP]"))
    return None


def rebuild(source: bytes) -> WordPiece:
    """The tokenizer that `WordPiece.__reduce__` described."""
    tokens, options = unpack(source)
    return WordPiece(tokens, **options)
