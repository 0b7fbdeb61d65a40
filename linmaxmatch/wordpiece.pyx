"""WordPiece, the compiled tokenizer: original WordPiece by LinMaxMatch on two roots.        (Algorithms 1 and 2)

What Python sees of the engine (`pipeline`). Nothing changes after construction: what a call works in is borrowed for
that call, so threads may share one object.

Cost  of every method on a text of n bytes: O(n), whatever they are
"""
import os
from functools import partial

from libc.stdint cimport SIZE_MAX, uint8_t
from libc.string cimport memset

from linmaxmatch.decoding import decode
from linmaxmatch.loading import arguments_of, explain
from linmaxmatch.plaintext import normalized
from linmaxmatch.portable import pack, unpack
from linmaxmatch.vocab_txt import TOKEN_LIMIT
from linmaxmatch.vocabulary import VocabularyError
from subwordio.added import AddedToken
from subwordio.decoding import decode_each
from subwordio.defaults import FILE, Default, padding_of, truncation_of
from subwordio.encoding import Encoding, assemble
from subwordio.errors import no_token
from subwordio.integers import integer
from subwordio.padding import Padding, Truncation, pad_and_truncate
from subwordio.paths import ByPath
from subwordio.template import PLAIN, Template

from linmaxmatch.cells cimport place
from linmaxmatch.layout cimport Layout, engine_tables
from linmaxmatch.matcher cimport Steps
from linmaxmatch.normalizer cimport Normalizer
from linmaxmatch.saved cimport Saved, write_saved
from linmaxmatch.words cimport Words, words_reserve
from linmaxmatch.pipeline cimport Aligned, Pipeline, Scratch, free_aligned
from linmaxmatch.vocabulary cimport Vocabulary
from subwordio.added cimport AddedTokens
from subwordio.batch cimport Worker, count_text, encode_batch, encode_checked, encode_text, mapped
from subwordio.ids cimport IdBuffer, ids_free, ids_reserve, token_ids_take
from subwordio.ints cimport ReadyInts
from subwordio.text cimport Utf8, char_offsets_of, utf8_view

cdef int MOST_PIPELINES = 64    # kept, one for each choice of special tokens; a further one makes room

CACHE = 1 << 22                 # bytes of a thread's table unless told otherwise
MOST_CACHE = 1 << 36

CAPS = {"hf": 100, "google": 200, "tf": 100, None: None}


PROFILE = Default("PROFILE")    # the cap that the normalizer's model has
SUFFIX = Default("SUFFIX")      # the suffix indicator


cdef class WordPiece:
    """A vocabulary compiled for tokenizing text.

    ``WordPiece(tokens, suffix_indicator="##", unk_token="[UNK]", normalizer="hf", lowercase=True, strip_accents=None,
    clean_text=True, handle_chinese_chars=True, max_chars_per_word=PROFILE, split_unknown=False, nfc=False, *,
    duplicates="error", added_tokens=(), template=None, truncation=None, padding=None, cleanup=False,
    decoder_prefix=SUFFIX, cache=4 MiB)``

    tokens              an iterable of str; a token's position is its id
    normalizer          "hf" (the tokenizers library), "google" (the original code), "tf" (TensorFlow Text), or None:
                        the text is clean already and only split at white space and punctuation
    max_chars_per_word  a longer word is one unknown token; None lifts the cap. Characters after normalization, for "tf"
                        bytes. PROFILE: 100 (hf), 200 (google), 100 bytes (tf), none (normalizer=None)
    split_unknown       a character that no token has is an unknown token by itself, and the word goes on behind it
    added_tokens        AddedTokens, found in the text before all else; the special ones only where a call allows them
    template            what `special_tokens=True` puts around texts; None: [CLS] and [SEP] as in BERT, if there are such
    truncation, padding what `encode_padded` does where it is not told; a Padding that does not say with which id rows
                        are filled up: with that of [PAD]
    cleanup, decoder_prefix     what `decode` does: whether it closes up English punctuation, and what it takes off
                        tokens that continue a word; None: tokens are only joined by spaces
    cache               bytes of a table, for each thread at work, of the ids of chunks seen lately; 0: no table.
                        It changes how fast ids come, not which: it is no part of the fingerprint, nor of a pickle

    >>> wp = WordPiece(["[UNK]", "un", "##aff", "##able", "!"])
    >>> wp.encode("Unaffable!"), wp.tokenize("unaffable café")
    (TokenIds([1, 2, 3, 4]), ['un', '##aff', '##able', '[UNK]'])
    """

    def __cinit__(self, tokens, suffix_indicator="##", unk_token="[UNK]", normalizer="hf", lowercase=True,
                  strip_accents=None, clean_text=True, handle_chinese_chars=True, max_chars_per_word=PROFILE,
                  split_unknown=False, nfc=False, *, duplicates="error", added_tokens=(), template=None,
                  truncation=None, padding=None, cleanup=False, decoder_prefix=SUFFIX, cache=CACHE):
        for name, given, kind in (("template", template, Template), ("truncation", truncation, Truncation),
                                  ("padding", padding, Padding), ("strip_accents", strip_accents, bool),
                                  ("normalizer", normalizer, str)):
            if given is not None and not isinstance(given, kind):
                raise TypeError(f"{name}: expected a {kind.__name__} or None, got {type(given).__name__}")
        for name, given in (("lowercase", lowercase), ("clean_text", clean_text), ("split_unknown", split_unknown),
                            ("handle_chinese_chars", handle_chinese_chars), ("nfc", nfc), ("cleanup", cleanup)):
            if not isinstance(given, bool):
                raise TypeError(f"{name}: expected a bool, got {type(given).__name__}")
        if decoder_prefix is not None and decoder_prefix is not SUFFIX and not isinstance(decoder_prefix, str):
            raise TypeError(f"decoder_prefix: expected a str or None, got {type(decoder_prefix).__name__}")
        for name, given in (("tokens", tokens), ("added_tokens", added_tokens)):
            if not isinstance(given, Saved) and not hasattr(given, "__iter__"):
                raise TypeError(f"{name}: expected an iterable, got {type(given).__name__}")
        added_tokens = tuple(added_tokens)
        cdef Saved saved = tokens if isinstance(tokens, Saved) else None
        self.normalizer = Normalizer(normalizer, lowercase, strip_accents, clean_text, handle_chinese_chars, nfc,
                                     map=None if saved is None else saved.map)
        if max_chars_per_word is PROFILE:
            max_chars_per_word = CAPS[normalizer]
        elif max_chars_per_word is not None and type(max_chars_per_word) is not int:
            raise TypeError(f"max_chars_per_word: expected an int or None, got {type(max_chars_per_word).__name__}")
        elif max_chars_per_word is not None and max_chars_per_word < 0:
            raise ValueError(f"max_chars_per_word={max_chars_per_word}: expected 0 or more, or None")
        if type(cache) is not int:
            raise TypeError(f"cache: expected an int, got {type(cache).__name__}")
        if not 0 <= cache <= MOST_CACHE:
            raise ValueError(f"cache={cache}: expected from 0 to {MOST_CACHE} bytes")
        self.cache_bytes = cache
        self.vocabulary = Vocabulary(tokens if saved is None else saved.strings, suffix_indicator, unk_token, duplicates)
        literals = split_unknown or not splits_after_first(self.normalizer, suffix_indicator)
        self.layout = saved.layout if saved is not None else Layout(
            engine_tables(self.vocabulary, split_unknown, literals), len(self.vocabulary), self.vocabulary.unk_id)
        self.pipeline = Pipeline(
            self.normalizer, self.layout, self.vocabulary,
            SIZE_MAX if max_chars_per_word is None else min(max_chars_per_word, SIZE_MAX), split_unknown, literals,
            self.cache_bytes)
        self.take_added(added_tokens)
        self.pipeline.ints = ReadyInts(self.vocab_size)
        self.notes = ()
        self.around = template
        self.options = {
            "suffix_indicator": suffix_indicator, "unk_token": unk_token, "normalizer": normalizer,
            "lowercase": lowercase, "strip_accents": strip_accents, "clean_text": clean_text,
            "handle_chinese_chars": handle_chinese_chars, "max_chars_per_word": max_chars_per_word,
            "split_unknown": split_unknown, "nfc": nfc, "duplicates": duplicates,
            "added_tokens": added_tokens, "template": template, "truncation": truncation, "padding": padding,
            "cleanup": cleanup,
            "decoder_prefix": suffix_indicator if decoder_prefix is SUFFIX else decoder_prefix,
        }

    cdef int take_added(self, tuple added_tokens) except -1:
        """Enter added tokens: those that are new to the vocabulary follow it."""
        self.vocab_size, self.added_ids = len(self.vocabulary), {}
        if not added_tokens:
            return 0
        tokens = list(self.vocabulary.tokens)
        for i, token in enumerate(added_tokens):
            if not isinstance(token, AddedToken):
                raise TypeError(f"added_tokens[{i}]: expected an AddedToken, got {type(token).__name__}")
            if token.content in self.added_ids:
                raise VocabularyError(f"added_tokens[{i}]: {token.content!r} is added twice")
            if token.content in self.vocabulary and self.vocabulary.id(token.content) != token.id:
                raise VocabularyError(f"added_tokens[{i}]: {token.content!r} has the id {token.id}, but the vocabulary "
                                      f"gives it {self.vocabulary.id(token.content)}")
            if token.id >= TOKEN_LIMIT:
                raise VocabularyError(f"added_tokens[{i}]: the id {token.id} is not below the limit of {TOKEN_LIMIT}")
            tokens += [""] * (token.id + 1 - len(tokens))
            if tokens[token.id] not in ("", token.content):
                raise VocabularyError(f"added_tokens[{i}]: {token.id} is the id of {tokens[token.id]!r} already")
            tokens[token.id] = token.content
            self.added_ids[token.content] = token.id
        self.extended, self.vocab_size = tuple(tokens), len(tokens)
        self.added = AddedTokens(added_tokens, partial(normalized, self.normalizer))
        self.pipelines = {}
        self.pipeline = self.pipeline.with_added(self.added.stage((), False), self.added.stage((), True))
        return 0

    @classmethod
    def from_file(cls, path, *, sha256=None, **options):
        """The tokenizer of a `vocab.txt` (one token a line) or of a `tokenizer.json` with a WordPiece model.

        A `vocab.txt` says nothing but the tokens: `options` are the constructor's. A `tokenizer.json` says everything:
        no option may be given beside it, and what it asks for and we do not do is a FormatError that names the field.
        `sha256`: the file's expected digest, in hexadecimal. What reading changed, such as a byte order mark that was
        removed, is in `notes`.
        """
        tokens, arguments, notes = arguments_of(path, sha256, options)
        cdef WordPiece tokenizer
        try:
            tokenizer = cls(tokens, **arguments)
        except VocabularyError:
            explain(path, tokens, arguments)
            raise
        tokenizer.origin, tokenizer.notes = (os.path.abspath(path), options), notes
        return tokenizer

    def save(self, path) -> None:
        """Write the tokenizer to a file that `load` reads in a fraction of a millisecond. O(size).

        The file is complete or not there: it is written under a temporary name, then renamed. OSError as from `open`.
        """
        write_saved(path, self.vocabulary, self.layout, self.normalizer, self.options, self.notes)

    @classmethod
    def load(cls, path, *, verify=True, cache=CACHE):
        """The tokenizer that `save` wrote: equal in all it does, in its fingerprint, and in what it pickles to.

        The file is mapped into memory and used as it stands, so processes that load one file share its pages. FormatError
        for a file that is none, is damaged or cut short, or that another release wrote in another form. `verify=False`
        leaves out the digest of the content, and so the pass over it: for a file known to be whole. Load files of
        whom you trust only: a forged one passes, and could make the process crash, though never run code of its own.
        `cache` as in the constructor.

        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "tokenizer")
        ...     WordPiece(["[UNK]", "play", "##ing"]).save(path)
        ...     WordPiece.load(path).tokenize("Playing")
        ['play', '##ing']
        """
        cdef Saved saved = Saved(path, verify)
        cdef WordPiece tokenizer = cls(saved, **saved.options, cache=cache)
        tokenizer.origin, tokenizer.notes = (os.path.abspath(path), None), saved.notes
        return tokenizer

    # -- text to ids

    cdef Worker *borrow(self) except NULL:
        if self.normalizer.nfc:
            raise ValueError("nfc=True: the text is composed first, which needs the GIL")
        return self.pipeline.borrow()

    cdef void give_back(self, Worker *worker) noexcept:
        self.pipeline.give_back(worker)

    cdef int encode_bytes(self, const uint8_t *text, size_t n, IdBuffer *out, Worker *worker) except -1 nogil:
        return encode_checked(self.pipeline, text, n, out, worker)

    cdef Pipeline pipeline_for(self, object allowed_special):
        """The pipeline in which these special tokens count."""
        if not allowed_special:
            return self.pipeline
        if self.added is None:
            if allowed_special != "all":
                raise ValueError(f"allowed_special={allowed_special!r}: the tokenizer has no added tokens; "
                                 "a vocab.txt does not name its special ones")
            return self.pipeline
        chosen = self.added.choice(allowed_special)
        found = self.pipelines.get(chosen)
        if found is None:
            if len(self.pipelines) >= MOST_PIPELINES:
                self.pipelines.clear()
            found = self.pipeline.with_added(self.added.stage(chosen, False), self.added.stage(chosen, True))
            self.pipelines[chosen] = found
        return found

    cdef object encoding_of(self, object text, Pipeline pipeline):
        cdef Utf8 view
        cdef Aligned out
        cdef IdBuffer starts, ends
        if self.normalizer.nfc:
            raise ValueError("nfc=True: the text is composed first, which keeps no offsets")
        memset(&out, 0, sizeof(Aligned))
        memset(&starts, 0, sizeof(IdBuffer))
        memset(&ends, 0, sizeof(IdBuffer))
        cdef Worker *worker = pipeline.borrow()
        try:
            utf8_view(text, &view, &worker.text)
            with nogil:
                pipeline.align_utf8(view.data, view.length, &out, worker.scratch)
                ids_reserve(&starts, out.ids.length)
                ids_reserve(&ends, out.ids.length)
                starts.length = ends.length = out.ids.length
                char_offsets_of(&view, out.starts.data, starts.length, starts.data)
                char_offsets_of(&view, out.ends.data, ends.length, ends.data)
            return Encoding(token_ids_take(&out.ids), token_ids_take(&starts), token_ids_take(&ends),
                            token_ids_take(&out.starts), token_ids_take(&out.ends), token_ids_take(&out.words))
        finally:
            pipeline.give_back(worker)
            free_aligned(&out)
            ids_free(&starts)
            ids_free(&ends)

    def encode(self, text, pair=None, *, special_tokens=False, offsets=False, allowed_special=()):
        """The ids of a text (`str`, or `bytes` of UTF-8), or of a text and its pair.

        special_tokens   put the template's special tokens around: for BERT, [CLS] text [SEP] pair [SEP]
        offsets          return an `Encoding`: the ids, and where in the original text each token stands
        allowed_special  special added tokens that count where the text spells them: a set of them, or "all" that there
                         are, even if there are none: a vocab.txt names none. Without, text that looks like a special
                         token is text

        Cost O(n). TypeError for another type; ValueError naming the byte offset for bytes that are not UTF-8.

        >>> wp = WordPiece(["[UNK]", "play", "##ing", "!"])
        >>> wp.encode("Playing!", offsets=True).ends
        TokenIds([4, 7, 8])
        """
        cdef Pipeline pipeline = self.pipeline_for(allowed_special)
        if pair is None and not special_tokens and not offsets:
            return encode_text(pipeline, self.normalizer.prepare(text))
        texts = (text,) if pair is None else (text, pair)
        if offsets:
            parts = [self.encoding_of(one, pipeline) for one in texts]
        else:
            parts = [encode_text(pipeline, self.normalizer.prepare(one)) for one in texts]
        if pair is None and not special_tokens:
            return parts[0]
        return assemble(self.template_for(special_tokens).pieces(pair is not None, special_tokens), parts)

    def encode_batch(self, texts, *, threads=None, allowed_special=()):
        """The ids of many texts as `TokenLists`, by as many threads as there are processors unless told otherwise.

        Equal to `[self.encode(text) for text in texts]`. A small batch is done at once, without threads.
        TypeError names the index and the type of what is no text.

        `texts` may also be a column of strings or bytes: whatever offers it as Arrow (`__arrow_c_array__` or
        `__arrow_c_stream__`), or `subwordio.Texts`. No Python object is made for its texts (unless nfc=True), and its nulls
        stay null. ValueError names a text that is not UTF-8, TypeError another type of column.
        """
        if self.normalizer.nfc:
            texts = mapped(texts, self.normalizer.prepare)
        return encode_batch(self.pipeline_for(allowed_special), texts, threads)

    def encode_padded(self, texts, pairs=None, *, max_length=FILE, stride=FILE, return_overflow=False, truncation=FILE,
                      padding=FILE, special_tokens=FILE, allowed_special=(), dtype="int64", threads=None):
        """Ids, attention mask and type ids of texts, or of texts and their pairs: three matrices of one row a text.

        What is not given is as the tokenizer's file asks: `special_tokens` (whether the template's are put around:
        where there is one, they are), `truncation` (a Truncation, or None: keep all), of which `max_length` and
        `stride` change one field, and `padding` (a Padding, or None: to the longest row). With `return_overflow`, what
        is cut off goes on in further rows, and a fourth result names each row's text. `dtype` is "int64" or "int32".
        The matrices have the buffer protocol: `numpy.asarray(ids)` copies nothing.

        ValueError: a row is to be filled up, and neither the file nor `padding` says with which id, nor has the
        vocabulary [PAD]; special_tokens=True where there is no template; what does not go together, or not into the
        dtype.

        >>> wp = WordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "play", "##ing"])
        >>> ids, mask, types = wp.encode_padded(["playing", "play"])
        >>> ids.tolist(), mask.tolist()
        ([[2, 4, 5, 3], [2, 4, 3, 0]], [[1, 1, 1, 1], [1, 1, 1, 0]])
        """
        encode = lambda those: self.encode_batch(those, threads=threads, allowed_special=allowed_special)  # noqa: E731
        padded = pad_and_truncate(
            encode(texts), None if pairs is None else encode(pairs),
            template=self.template_for(special_tokens is not FILE and special_tokens),
            special_tokens=bool(special_tokens),
            truncation=truncation_of(self.options["truncation"], truncation, max_length, stride),
            padding=padding_of(self.options["padding"], padding, pad_id(self)), return_overflow=return_overflow,
            dtype=dtype)
        return padded if return_overflow else padded[:3]

    def encode_word(self, word):
        """The ids of one word as it stands: not normalized, not split, without a cap.        (Algorithm 1)"""
        return self.word_ids(word, NULL)

    def steps(self, word) -> tuple[int, int]:
        """The edges and the failure moves that `encode_word` takes: each at most the bytes of the word."""
        cdef Steps steps = Steps(0, 0)
        self.word_ids(word, &steps)
        return steps.edges, steps.moves

    cdef object word_ids(self, object word, Steps *steps):
        cdef Utf8 view
        cdef IdBuffer result = IdBuffer(NULL, 0, 0)
        cdef Words *words
        cdef size_t k
        cdef Worker *worker = self.pipeline.borrow()
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
                    self.pipeline.match(words.bytes, view.length, &result, steps)
            return token_ids_take(&result)
        finally:
            self.pipeline.give_back(worker)
            ids_free(&result)

    def count(self, text, limit=None, *, allowed_special=()) -> int:
        """The number of the text's tokens; with a limit, exact up to it, and limit + 1 where there are more."""
        return count_text(self.pipeline_for(allowed_special), self.normalizer.prepare(text), limit)

    def tokenize(self, text, *, allowed_special=()) -> list[str]:
        """The text's tokens as strings. With `split_unknown`, one inside a word carries the suffix indicator."""
        cdef tuple tokens = self.tokens
        if not self.pipeline.rules.split_unknown:
            return [tokens[id] for id in self.encode(text, allowed_special=allowed_special)]
        encoding = self.encode(text, offsets=True, allowed_special=allowed_special)
        indicator, before, spelt = self.options["suffix_indicator"], None, []
        for id, word in zip(encoding.ids, encoding.words):
            spelt.append(indicator + tokens[id] if id == self.pipeline.rules.unk and word == before else tokens[id])
            before = word
        return spelt

    def trace(self, text) -> list:
        """Algorithm 1 step by step on each word of a text, as it is after normalization: a list of `Trace`.

        Together their tokens are those of the text, but for added tokens, which are not looked for. On the paper's one
        trie, made anew: O(Mm) for a vocabulary of M characters, a second for the largest. ValueError with split_unknown.

        >>> wp = WordPiece(["[UNK]", "a", "abcd", "##b", "##bc", "##z"])
        >>> [trace.tokens() for trace in wp.trace("Abcz a")], len(list(wp.trace("a")[0]))
        ([['a', '##bc', '##z'], ['a']], 3)
        """
        from linmaxmatch.trace import trace_text    # what shows stands above the tokenizer

        return trace_text(self, text)

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

    def decode_batch(self, lists, *, skip_special_tokens=False, cleanup=None) -> list[str]:
        """The texts of many lists of ids, or of `TokenLists`: `[self.decode(ids) for ids in lists]`.

        Errors are those of `decode`, and name the list; a null is a TypeError.

        >>> wp = WordPiece(["[UNK]", "play", "##ing"])
        >>> wp.decode_batch(wp.encode_batch(["Playing", "", "play"]))
        ['playing', '', 'play']
        """
        return decode_each(partial(self.decode, skip_special_tokens=skip_special_tokens, cleanup=cleanup), lists)

    # -- the vocabulary

    @property
    def tokens(self) -> tuple[str, ...]:
        """The tokens by id: the vocabulary's, and added tokens behind them."""
        return self.vocabulary.tokens if self.extended is None else self.extended

    def id(self, token) -> int:
        """The token's id; an error of the vocabulary's where there is none."""
        found = self.added_ids.get(token)
        return self.vocabulary.id(token) if found is None else found

    def token(self, id) -> str:
        """The token of an id. TokenIdError where there is none."""
        id = integer("id", id)
        token = ""
        if 0 <= id < self.vocab_size:
            token = self.vocabulary.token(id) if id < len(self.vocabulary) else self.extended[id]
        if not token:
            raise no_token("", id, self.vocab_size)
        return token

    @property
    def template(self) -> Template | None:
        """The Template that special_tokens=True puts around texts; None: there is none, which is an error then."""
        if self.around is None:             # made when it is first asked for, and then the same
            self.around = bert_template(self)
        return self.around

    def template_for(self, special_tokens) -> Template:
        """The template that a call uses."""
        template = self.template
        if template is not None:
            return template
        if special_tokens:
            raise ValueError("special_tokens=True: the vocabulary has no [CLS] and [SEP], and no template was given")
        return PLAIN

    # -- the object

    @property
    def fingerprint(self) -> str:
        """A digest of the tokens and the options alone: the same on every host and in every run. O(size), once."""
        if self.digest is None:
            import hashlib          # only where it is needed: importing it costs more than a small vocabulary
            self.digest = hashlib.sha256(self.source()).hexdigest()
        return self.digest

    def __eq__(self, other):
        """Whether the other has the same tokens and options: one fingerprint.

        >>> tokens = ["[UNK]", "play", "##ing"]
        >>> WordPiece(tokens) == WordPiece(tokens, cache=0), WordPiece(tokens) == WordPiece(tokens, lowercase=False)
        (True, False)
        """
        if not isinstance(other, WordPiece):
            return NotImplemented
        return self is other or (self.vocab_size == other.vocab_size and self.fingerprint == other.fingerprint)

    def __hash__(self):
        return hash(self.fingerprint)

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
            "depth": layout.depth, "automaton_bytes": layout.nbytes, "normalizer_bytes": self.normalizer.nbytes,
            "vocabulary_bytes": self.vocabulary.nbytes, "ints_bytes": self.pipeline.ints.nbytes,
            "cache": self.pipeline.cache_counts(), "options": dict(self.options),
            "unicode": self.normalizer.sources, "fingerprint": self.fingerprint, "notes": list(self.notes),
        }

    def check(self) -> None:
        """Assert the invariants of the layout and the normalizer."""
        self.layout.check()
        self.normalizer.check()
        self.pipeline.check_caches()


cdef bint splits_after_first(Normalizer normalizer, str indicator):
    """Whether ♯ begins with a mark that is a word by itself and goes on, so that no word of a text can start with ♯."""
    return len(indicator) > 1 and normalizer.words(indicator[0] + "a") == [indicator[0], "a"]


def bert_template(WordPiece wp):
    """[CLS] and [SEP] around texts, where the vocabulary has both."""
    if "[CLS]" in wp.vocabulary and "[SEP]" in wp.vocabulary:
        return Template.bert(wp.id("[CLS]"), wp.id("[SEP]"))
    return None


def pad_id(WordPiece wp):
    """The id of [PAD], where the vocabulary has it."""
    return wp.id("[PAD]") if "[PAD]" in wp.vocabulary else None


def rebuild(source: bytes) -> WordPiece:
    """The tokenizer that `WordPiece.__reduce__` described."""
    tokens, options = unpack(source)
    return WordPiece(tokens, **options)
