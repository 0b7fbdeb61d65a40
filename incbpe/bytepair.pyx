"""BPE, the compiled tokenizer: rank BPE, exactly, by the last token of every prefix.        (Sections 3 to 5)

What Python sees of the engine (`pipeline`, `piece`). A `Config` says what a tokenizer is; the notation layer makes its
canonical tokens, automaton and ranges, `layout` lays them out, and the notation layer's objects are let go: `normalized`
makes them again. Nothing changes after construction: what a call works in is borrowed for that call, so threads may share
one object.

Cost  of every method on a text of n bytes: O(n) pieces' bytes, O(log² t) each in a piece of t bytes
"""
import os
from dataclasses import replace
from functools import partial
from threading import Lock

from libc.stdint cimport int32_t, uint32_t
from libc.string cimport memset

from incbpe.cutting import Cutter, is_plain
from incbpe.decoding import Decoder
from incbpe.dictionary import DictionaryError
from incbpe.formdifferences import form_facts
from incbpe.loading import load, load_pair
from incbpe.model import Config, Model, Split, checked
from incbpe.normalize import normalize
from incbpe.patterns import NAMES, PUBLISHED, named
from incbpe.portable import packed, unpack
from incbpe.streamdecoder import StreamDecoder
from incbpe.textprefixes import TextPrefixes, truncated
from subwordio.added import AddedToken
from subwordio.bytelike import bytes_of
from subwordio.decoding import decode_each
from subwordio.defaults import FILE, padding_of, truncation_of
from subwordio.encoding import Encoding, assemble
from subwordio.integers import integer
from subwordio.padding import pad_and_truncate
from subwordio.paths import ByPath
from subwordio.template import PLAIN, Template

from incbpe.cells cimport Cells
from incbpe.dictionary cimport Dictionary, ints, merged, ranked
from incbpe.layout cimport Layout
from incbpe.mergelist cimport MergeList
from incbpe.normalize cimport Normalized
from incbpe.pairtable cimport PairTable
from incbpe.piece cimport Pieces
from incbpe.pipeline cimport Aligned, Pipeline, free_aligned
from incbpe.pretokenize cimport Splitter
from incbpe.rewrite cimport Rewriter
from incbpe.saved cimport Saved, write_saved
from incbpe.spelt cimport Spelt, spelt_of
from incbpe.streamtables cimport StreamTables
from incbpe.successor cimport SuccessorForest
from incbpe.tokens cimport NO_ID, TokenTable
from incbpe.tokentrie cimport TokenTrie
from incbpe.trim cimport Trimmer
from subwordio.added cimport AddedTokens
from subwordio.batch cimport Worker, count_text, encode_any, encode_batch, encode_checked, encode_text
from subwordio.ids cimport IdBuffer, ids_free, ids_reserve, token_ids_take
from subwordio.ints cimport ReadyInts
from subwordio.text cimport Utf8, char_offsets_of, utf8_view

cdef extern from *:
    """
    #if defined(__GLIBC__)
    #include <malloc.h>
    #define incbpe_give_back() malloc_trim(0)
    #else
    #define incbpe_give_back() 0
    #endif
    """
    int give_back_memory "incbpe_give_back"() noexcept      # that was freed: building takes twice what is kept

cdef int MOST_PIPELINES = 64    # kept, one for each choice of special tokens; a further one makes room
cdef int ID_LIMIT = 2**28       # ids are below this
CACHE = 1 << 22                 # bytes of a thread's table unless told otherwise
MOST_CACHE = 1 << 36
cdef object MAKING = Lock()     # the tables of streams


cdef class BPE:
    """A tokenizer compiled for encoding text.

    ``BPE(config, cache=4 MiB)``, of a `Config` (model); `BPE.from_file` and `BPE.from_files` read one. Always rank
    semantics. `cache`: the bytes of a table, for each thread at work, of the ids of chunks of text seen lately, for the
    named patterns and for texts that nothing splits; 0: no table. It changes how fast ids come, not which: it is no part of
    the fingerprint, nor of a pickle.

    >>> from incbpe.model import Config, Model
    >>> ranks = (b"l", b"o", b"w", b" ", b"lo", b"low")
    >>> bpe = BPE(Config(Model(ranks, None, whole_piece=True), "tiktoken", "gpt2"))
    >>> bpe.encode("low lo"), bpe.decode([5, 3, 4]), bpe.count("low lo")
    (TokenIds([5, 3, 4]), 'low lo', 3)
    """

    def __cinit__(self, config not None, *, cache=CACHE):
        cdef Saved saved = config if isinstance(config, Saved) else None
        if type(cache) is not int:
            raise TypeError(f"cache: expected an int, got {type(cache).__name__}")
        if not 0 <= cache <= MOST_CACHE:
            raise ValueError(f"cache={cache}: expected from 0 to {MOST_CACHE} bytes")
        self.cache_bytes = cache
        self.left = self.right = None
        if saved is not None:
            self.restore(saved)
        elif isinstance(config, Config):
            self.build(checked(config))
        else:
            raise TypeError(f"config: expected a Config, got {type(config).__name__}; files are read by BPE.from_file")
        self.take_added()
        self.decoder = Decoder(self.tokens, self.others, self.config, self.binary)

    cdef int build(self, object config) except -1:
        """The parts, from the notation layer's tables."""
        cdef object model = config.model
        cdef Normalized N
        cdef Cells cells
        cdef SuccessorForest forest = None
        cdef Layout layout
        cdef Spelt spelt
        cdef int32_t[::1] ids
        cdef bytearray alone
        cdef int32_t z
        N, ids, cells = normalized_model(model)
        spelt = spelt_tokens(model) if model.merges is None else N.dictionary.spelt
        alone = bytearray((b"\1" if model.whole_piece else b"\0") * spelt.n)
        if not model.whole_piece:
            for z in range(N.dictionary.n):
                if ids[z] >= 0:
                    alone[ids[z]] = N.canonical[z]
        self.tokens = TokenTable(spelt, alone)
        if cells is None or N.n < N.dictionary.n:
            cells = Cells(TokenTrie(N.dictionary.spelt, N.canonical))
        if N.form != "pairs":
            forest = SuccessorForest(N)
        if model.merges is not None:
            self.left, self.right = N.dictionary.x, N.dictionary.y
        self.facts = {
            "tokens": spelt.given, "rules": N.dictionary.rules, "canonical": N.n, "form": N.form,
            "proper": N.proper, "reason": N.reason, "states": cells.states, "binary": model.binary,
        }
        if config.trim is not None:
            self.trimmer = Trimmer(model.tokens, config.trim.prefix_space)
        layout = Layout(N, cells, forest, ids)
        self.config = replace(config, model=replace(model, tokens=(), merges=None if model.merges is None else ()))
        return self.join_parts(layout, None if N.pairs is None else PairTable(N.pairs, layout))

    cdef int restore(self, Saved saved) except -1:
        """The parts, as `write_saved` left them."""
        self.config, self.facts, self.tokens, self.trimmer = saved.config, saved.facts, saved.tokens, saved.trimmer
        self.left, self.right = saved.left, saved.right
        return self.join_parts(saved.layout, saved.pairs)

    cdef int join_parts(self, Layout layout, PairTable pairs) except -1:
        """The kernel and the pipeline."""
        cdef object config = self.config, model = self.config.model
        cdef bint binary = self.facts["binary"]
        cdef Py_ssize_t k
        self.ruled = model.merges is not None
        missing = not binary or any([self.tokens.find(bytes((k,)), 1) == NO_ID for k in range(256)])
        served = model.byte_ids is not None and min(model.byte_ids) >= 0
        self.pieces = Pieces(
            layout, self.tokens, pairs, unk=model.unk_id, fuse=model.fuse_unk,
            characters=not binary, byte_ids=model.byte_ids, refuse=not self.ruled,
            vanish=missing and not served and model.unk_id is None and self.ruled)
        splitter, cutter = splitting(config)
        self.pipeline = Pipeline(self.pieces, splitter, cutter, Rewriter(config.normalizer) if config.normalizer else None,
                                 config.add_prefix_space, self.cache_bytes)
        return 0

    cdef int take_added(self) except -1:
        """Enter added tokens: their ids may be the model's where they are spelt alike."""
        cdef object config = self.config
        self.added_ids, self.others, self.pipelines = {}, dict(config.unmatched), {}
        size = self.tokens.size
        for i, token in enumerate(config.added_tokens):
            if not isinstance(token, AddedToken):
                raise TypeError(f"added_tokens[{i}]: expected an AddedToken, got {type(token).__name__}")
            if token.content in self.added_ids:
                raise DictionaryError(f"added_tokens[{i}]: {token.content!r} is added twice")
            if token.id >= ID_LIMIT:
                raise DictionaryError(f"added_tokens[{i}]: the id {token.id} is not below the limit of {ID_LIMIT}")
            there = self.others.get(token.id)
            if there not in (None, token.content):
                raise DictionaryError(f"added_tokens[{i}]: {token.id} is the id of {there!r} already")
            self.added_ids[token.content] = token.id
            self.others[token.id] = token.content
            size = max(size, token.id + 1)
        self.vocab_size = size
        self.pipeline.ints = ReadyInts(size)
        if config.added_tokens:
            self.added = AddedTokens(config.added_tokens, self.rewritten if self.pipeline.rewriter is not None else None)
            self.pipeline = self.pipeline.with_added(self.added.stage((), False), self.added.stage((), True))
        return 0

    def rewritten(self, text: str) -> str:
        """The text as the model's normalizer rewrites it."""
        return text if self.pipeline.rewriter is None else self.pipeline.rewriter.rewrite(text)[0]

    @classmethod
    def from_file(cls, path, *, pattern=None, special_tokens=None, unicode=None, duplicates="error", sha256=None,
                  cache=CACHE):
        """The tokenizer of a .tiktoken file, a tokenizer.json or a tekken.json.

        pattern         how texts are split, for a file that does not say it: "gpt2", "cl100k", "o200k", "llama3", "qwen",
                        "none", or a regular expression. A .tiktoken file without it is an error
        special_tokens  of a .tiktoken file: the name of a model, or a mapping from contents to ids
        unicode         whose classes of characters the pattern uses: "tiktoken" or "tokenizers"; None: by the file
        duplicates      "last": of a pair that is twice in the merges the last place counts, else it is an error
        sha256          the file's expected digest, in hexadecimal
        cache           as in the constructor

        What a file asks for and we do not do is a FormatError that names the field.
        """
        cdef BPE tokenizer = cls(load(path, pattern=pattern, special_tokens=special_tokens, unicode=unicode,
                                      duplicates=duplicates, sha256=sha256), cache=cache)
        options = {"pattern": pattern, "special_tokens": special_tokens, "unicode": unicode}
        give_back_memory()
        tokenizer.origin = (os.path.abspath(path), {name: value for name, value in options.items() if value is not None}
                            | ({"duplicates": duplicates} if duplicates != "error" else {}))
        return tokenizer

    @classmethod
    def from_files(cls, *, vocab, merges, pattern=None, special_tokens=None, unicode=None, duplicates="error",
                   cache=CACHE):
        """The tokenizer of a vocab.json and a merges.txt; without a pattern, texts are split by GPT-2's."""
        return cls(load_pair(vocab, merges, pattern=pattern, special_tokens=special_tokens, unicode=unicode,
                             duplicates=duplicates), cache=cache)

    def save(self, path) -> None:
        """Write the tokenizer to a file that `load` reads in a fraction of the time of any other. O(size).

        The file is complete or not there: it is written under a temporary name, then renamed. OSError as from `open`.
        """
        write_saved(path, self.config, self.facts, self.pieces, self.left, self.right, self.trimmer)

    @classmethod
    def load(cls, path, *, verify=True, cache=CACHE):
        """The tokenizer that `save` wrote: equal in all it does, in its fingerprint, and in what it pickles to.

        The file is mapped into memory and used as it stands, so processes that load one file share its pages. FormatError
        for a file that is none, is damaged or cut short, or that another release wrote in another form. `verify=False`
        leaves out the digest of the content, and so the pass over it: for a file known to be whole. Load files of
        whom you trust only: a forged one passes, and could make the process crash, though never run code of its own.
        What needs the notation layer makes its tables when it is first asked, as in every tokenizer. `cache` as in the
        constructor.

        >>> import os, tempfile
        >>> from incbpe.model import Config, Model
        >>> bpe = BPE(Config(Model((b"l", b"o", b"w", b"lo", b"low"), None, whole_piece=True), "tiktoken", "gpt2"))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "tokenizer")
        ...     bpe.save(path)
        ...     BPE.load(path).encode("lowlo")
        TokenIds([4, 3])
        """
        cdef BPE tokenizer = cls(Saved(path, verify), cache=cache)
        tokenizer.origin = (os.path.abspath(path), None)
        return tokenizer

    # -- text to ids

    cdef Worker *borrow(self) except NULL:
        return self.pipeline.borrow()

    cdef void give_back(self, Worker *worker) noexcept:
        self.pipeline.give_back(worker)

    cdef int encode_utf8(self, const uint8_t *text, size_t n, IdBuffer *out, Worker *worker) except -1 nogil:
        cdef size_t before = out.length
        cdef bint done = False
        try:
            encode_checked(self.pipeline, text, n, out, worker)
            done = True
        finally:
            if not done:
                out.length = before
        return 0

    cdef Pipeline pipeline_for(self, object allowed_special):
        """The pipeline in which these special tokens count."""
        if not allowed_special:
            return self.pipeline
        if self.added is None:
            if allowed_special != "all":
                raise ValueError(f"allowed_special={allowed_special!r}: the tokenizer has no added tokens")
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
                if self.trimmer is not None:
                    self.trimmer.trim(&view, out.ids.length, out.ids.data, &out.added, starts.data, ends.data,
                                      out.starts.data, out.ends.data)
            return Encoding(token_ids_take(&out.ids), token_ids_take(&starts), token_ids_take(&ends),
                            token_ids_take(&out.starts), token_ids_take(&out.ends), token_ids_take(&out.words))
        finally:
            pipeline.give_back(worker)
            free_aligned(&out)
            ids_free(&starts)
            ids_free(&ends)

    def encode(self, text, allowed_special=(), *, pair=None, special_tokens=False, offsets=False):
        """The ids of a text (`str`, or `bytes` of UTF-8), or of a text and its pair.

        allowed_special  special added tokens that count where the text spells them: a set of them, or "all" that there
                         are, even if there are none. Without, text that looks like a special token is text
        special_tokens   put the template's special tokens around
        offsets          return an `Encoding`: the ids, and where in the original text each token stands, in whole
                         characters: each of several tokens of one character has all of it

        TypeError for another type; ValueError naming the byte offset for bytes that are not UTF-8 (see `encode_bytes`).
        """
        cdef Pipeline pipeline = self.pipeline_for(allowed_special)
        texts = (text,) if pair is None else (text, pair)
        parts = [self.encoding_of(one, pipeline) if offsets else encode_text(pipeline, one) for one in texts]
        if pair is None and not special_tokens:
            return parts[0]
        return assemble(self.template_for(special_tokens).pieces(pair is not None, special_tokens), parts)

    def encode_batch(self, texts, *, threads=None, allowed_special=()):
        """The ids of many texts as `TokenLists`, by as many threads as there are processors unless told otherwise.

        Equal to `[self.encode(text) for text in texts]`. A small batch is done at once, without threads.
        TypeError names the index and the type of what is no text.

        `texts` may also be a column of strings or bytes: whatever offers it as Arrow (`__arrow_c_array__` or
        `__arrow_c_stream__`), or `subwordio.Texts`. No Python object is made for its texts, its nulls stay null, and what
        is not UTF-8 is encoded as by `encode_bytes`. TypeError names another type of column.
        """
        return encode_batch(self.pipeline_for(allowed_special), texts, threads)

    def encode_bytes(self, data, *, allowed_special=()):
        """The ids of any bytes, in any bytes-like object. A maximal run of bytes that are not UTF-8 is split as one
        U+FFFD would be, and keeps its bytes: `decode_bytes` returns them. O(n)

        >>> from incbpe.model import Config, Model
        >>> bpe = BPE(Config(Model(tuple(bytes((b,)) for b in range(256)), None, whole_piece=True), "tiktoken", "gpt2"))
        >>> bpe.encode_bytes(b"a\\xff\\xe2"), bpe.decode_bytes([97, 255])
        (TokenIds([97, 255, 226]), b'a\\xff')
        """
        return encode_any(self.pipeline_for(allowed_special), bytes_of("data", data))

    def encode_padded(self, texts, pairs=None, *, max_length=FILE, stride=FILE, return_overflow=False, truncation=FILE,
                      padding=FILE, special_tokens=FILE, allowed_special=(), dtype="int64", threads=None):
        """Ids, attention mask and type ids of texts, or of texts and their pairs: three matrices of one row a text.

        What is not given is as the tokenizer's file asks: `special_tokens` (whether the template's are put around:
        where there is one, they are), `truncation` (a Truncation, or None: keep all), of which `max_length` and
        `stride` change one field, and `padding` (a Padding, or None: to the longest row). With `return_overflow`, what
        is cut off goes on in further rows, and a fourth result names each row's text. `dtype` is "int64" or "int32".
        The matrices have the buffer protocol: `numpy.asarray(ids)` copies nothing.

        ValueError: a row is to be filled up, and neither the file nor `padding` says with which id; special_tokens=True
        where there is no template; what does not go together, or not into the dtype.

        >>> from incbpe.model import Config, Model
        >>> from subwordio.padding import Padding
        >>> bpe = BPE(Config(Model((b"a", b"b", b"ab"), None, whole_piece=True), "tiktoken", "gpt2"))
        >>> ids, mask, types = bpe.encode_padded(["abb", "a"], padding=Padding(pad_id=3))
        >>> ids.tolist(), mask.tolist()
        ([[2, 1], [0, 3]], [[1, 1], [1, 0]])
        """
        encode = lambda those: self.encode_batch(those, threads=threads, allowed_special=allowed_special)  # noqa: E731
        padded = pad_and_truncate(
            encode(texts), None if pairs is None else encode(pairs),
            template=self.template_for(special_tokens is not FILE and special_tokens),
            special_tokens=bool(special_tokens),
            truncation=truncation_of(self.config.truncation, truncation, max_length, stride),
            padding=padding_of(self.config.padding, padding), return_overflow=return_overflow, dtype=dtype)
        return padded if return_overflow else padded[:3]

    def count(self, text, limit=None, *, allowed_special=()) -> int:
        """The number of the text's tokens; with a limit, exact up to it, and limit + 1 where there are more."""
        return count_text(self.pipeline_for(allowed_special), text, limit)

    def prefixes(self, text, *, allowed_special=()):
        """The tokens of every prefix of a text, also where it ends inside a character: a `TextPrefixes`.

        Built in one pass, O(log² t) a byte in a piece of t bytes, and about 50 bytes of memory a byte of text; see
        `textprefixes` for the tokenizers that it does not serve in this way. TypeError; ValueError for bytes that are
        not UTF-8, and for 1 GiB or more.

        >>> from incbpe.model import Config, Model
        >>> bpe = BPE(Config(Model((b"a", b"b", b"ab"), None, whole_piece=True), "tiktoken", "gpt2"))
        >>> [list(bpe.prefixes("aab").tokens(i)) for i in range(4)]
        [[], [0], [0, 0], [0, 2]]
        """
        return TextPrefixes(self.pipeline_for(allowed_special), text,
                            partial(self.encode_bytes, allowed_special=allowed_special),
                            partial(self.stream, allowed_special, "maximal"), self.tables_of_streams)

    def truncate(self, text, max_tokens, *, allowed_special=()):
        """The longest beginning of a text, up to a character's end, whose own encoding has at most `max_tokens` ids.

        Not the text of the first ids: a beginning may become more tokens than the text itself. `str` or `bytes`, as the
        text is. It reads on behind the cut only until no longer beginning can do. TypeError; ValueError for one below 0.

        >>> from incbpe.model import Config, Model
        >>> bpe = BPE(Config(Model((b"a", b"b", b"ab"), None, whole_piece=True), "tiktoken", "gpt2"))
        >>> bpe.truncate("aabb", 1), bpe.truncate("abba", 1)
        ('a', 'ab')
        """
        return truncated(self.pipeline_for(allowed_special), text, max_tokens,
                         partial(self.encode_bytes, allowed_special=allowed_special))

    def stream(self, allowed_special=(), criterion="chain"):
        """A `Stream` (stream.pyx): the ids of a text that comes in chunks, each as soon as nothing that may follow can
        change it.

        criterion   which tokens of the open piece are certain: "window", the paper's; "chain", more of them; "maximal",
                    all that every continuation agrees on, at more cost

        The first stream of a tokenizer makes the notation layer's tables again (`streamtables`), for all streams and
        threads: it takes about as long as building the tokenizer did. (Section 6.)

        >>> from incbpe.model import Config, Model
        >>> model = Model((b"l", b"o", b"w", b"lo", b"low"), None, whole_piece=True)
        >>> stream = BPE(Config(model, "tiktoken", "none")).stream()
        >>> stream.feed("lo"), stream.feed("w"), stream.finish()
        (TokenIds([]), TokenIds([4]), TokenIds([]))
        """
        from incbpe.stream import stream
        return stream(self, allowed_special, criterion)

    def tables_of_streams(self) -> StreamTables:
        """What streams share, and the ends of texts ask (`streamtables`). As costly as building the tokenizer, once."""
        return self.stream_tables()

    cdef StreamTables stream_tables(self):
        """Made once: who comes meanwhile waits."""
        if self.streams is None:
            with MAKING:
                if self.streams is None:
                    N, ids, _ = normalized_model(self.model)
                    self.streams = StreamTables(N, ids, self.tokens, self.config.model.whole_piece)
        return self.streams

    def stream_decoder(self, *, skip_special_tokens=False):
        """A `StreamDecoder` (streamdecoder.py): the text of ids that come in parts, whole characters only.

        >>> from incbpe.model import Config, Model
        >>> bpe = BPE(Config(Model(tuple(bytes((b,)) for b in range(256)), None, whole_piece=True), "tiktoken", "gpt2"))
        >>> decoder = bpe.stream_decoder()
        >>> decoder.feed([0xC3]), decoder.feed([0xA9, 0xC3]), decoder.finish()
        ('', 'é', '\ufffd')
        """
        return StreamDecoder(self.decoder, skip_special_tokens)

    def pieces_of(self, text) -> list[bytes]:
        """The pieces of a text, rewritten, as they are merged; added tokens that are not special are cut out."""
        found = []
        encoding = self.encode(text, offsets=True)
        for id, word in zip(encoding.ids, encoding.words):
            if word == len(found):
                found.append(b"")
            found[word] += self.token_bytes(id)
        return found

    def trace(self, text) -> list:
        """θ of each prefix step by step, for each piece of a text: a list of `Trace`.

        Together their tokens are those of the text; added tokens are no pieces, and have none. A piece that was looked
        up whole says so. With the notation layer's tables, made anew: seconds for the largest vocabularies.

        >>> from incbpe.model import Config, Model
        >>> bpe = BPE(Config(Model((b"a", b"b", b" ", b"ab", b" ab"), None, whole_piece=True), "tiktoken", "gpt2"))
        >>> [trace.tokens() for trace in bpe.trace("abb ab")]
        [[b'ab', b'b'], [b' ab']]
        """
        from incbpe.trace import trace_text         # what shows stands above the tokenizer

        return trace_text(self, text)

    def spans(self, text, *, allowed_special=()) -> list[tuple[int, int]]:
        """Where the text's tokens stand: `text[start:end]` each, in whole characters of the original."""
        encoding = self.encode(text, allowed_special, offsets=True)
        return list(zip(encoding.starts, encoding.ends))

    # -- ids to text

    def decode(self, ids, errors="replace", *, skip_special_tokens=False) -> str:
        """The text of ids. `errors`, as `bytes.decode` has it, says what becomes of tokens that are no whole characters.

        TokenIdError for an id that names no token.
        """
        return self.decoder.text(ids, errors, skip_special_tokens)

    def decode_batch(self, lists, errors="replace", *, skip_special_tokens=False) -> list[str]:
        """The texts of many lists of ids, or of `TokenLists`: `[self.decode(ids) for ids in lists]`.

        Errors are those of `decode`, and name the list; a null is a TypeError.

        >>> from incbpe.model import Config, Model
        >>> bpe = BPE(Config(Model((b"a", b"b", b"ab"), None, whole_piece=True), "tiktoken", "gpt2"))
        >>> bpe.decode_batch(bpe.encode_batch(["abba", "", "b"]))
        ['abba', '', 'b']
        """
        return decode_each(partial(self.decoder.text, errors=errors, skip_special=skip_special_tokens), lists)

    def decode_bytes(self, ids) -> bytes:
        """The bytes of ids, as the tokens have them. TokenIdError for an id that names no token."""
        return self.decoder.bytes(ids)

    # -- the vocabulary

    def id(self, token) -> int:
        """The id of a token, `bytes` or `str`; an added token's is its own. DictionaryError where there is none."""
        cdef bytes spelt
        found = self.added_ids.get(token) if isinstance(token, str) else None
        if found is not None:
            return found
        if not isinstance(token, (str, bytes)):
            raise TypeError(f"token: expected bytes or str, got {type(token).__name__}")
        spelt = token.encode("utf-8", "surrogatepass") if isinstance(token, str) else token
        id = self.tokens.find(spelt, len(spelt))
        if id == NO_ID:
            raise DictionaryError(f"{token!r} is no token")
        return id

    def token(self, id) -> bytes | str:
        """The token of an id: as it is spelt where atoms are characters, `bytes` where they are bytes, and an added token
        as `str`. TokenIdError where there is none."""
        id = integer("id", id)
        if id in self.others:
            return self.others[id]
        spelt = self.tokens.bytes(id, self.others)
        return spelt if self.binary else spelt.decode("utf-8", "surrogatepass")

    def token_bytes(self, id) -> bytes:
        """The bytes that a token stands for: those of an added token are its UTF-8, and that of <0x0A> is 0x0A where the
        model has byte fallback. TokenIdError where there is none."""
        return self.decoder.token_bytes(id)

    @property
    def binary(self) -> bool:
        """Whether the model's atoms are bytes; else they are characters."""
        return not self.pieces.unknown.characters

    def template_for(self, special_tokens) -> Template:
        """The template that a call uses."""
        if self.config.template is not None:
            return self.config.template
        if special_tokens:
            raise ValueError("special_tokens=True: the tokenizer's file has no template")
        return PLAIN

    # -- the object

    @property
    def model(self) -> Model:
        """The merge core as plain data, made anew. O(tokens + merges)"""
        tokens = self.tokens.tokens()
        if not self.binary:
            tokens = [token.decode("utf-8", "surrogatepass") for token in tokens]
        merges = None
        if self.ruled:
            merges = tuple([(tokens[x], tokens[y]) for x, y in zip(self.left[:self.facts["rules"]], self.right)])
        return replace(self.config.model, tokens=tuple(tokens), merges=merges)

    def normalized(self) -> Normalized:
        """The model's normalized dictionary, made anew: what the notation layer needs. As costly as building it was."""
        return normalized_model(self.model)[0]

    @property
    def fingerprint(self) -> str:
        """A digest of the tokens, rules and options alone: the same on every host and in every run. O(size), once."""
        if self.digest is None:
            import hashlib
            digest = hashlib.sha256()
            for part in self.source():
                digest.update(part)
            self.digest = digest.hexdigest()
        return self.digest

    def __eq__(self, other):
        """Whether the other has the same tokens, rules and options: one fingerprint.

        >>> from incbpe.model import Config, Model
        >>> config = Config(Model((b"a", b"b", b"ab"), None), "tiktoken", "gpt2")
        >>> BPE(config) == BPE(config, cache=0), BPE(config) == BPE(Config(config.model, "tokenizers", "gpt2"))
        (True, False)
        """
        if not isinstance(other, BPE):
            return NotImplemented
        return self is other or (self.vocab_size == other.vocab_size and self.fingerprint == other.fingerprint)

    def __hash__(self):
        return hash(self.fingerprint)

    cdef object source(self):
        cdef uint32_t n = self.tokens.size, i
        cdef const uint32_t *begin = self.tokens.begin
        cdef int32_t[::1] lengths = ints(n)
        cdef Py_ssize_t rules = self.facts["rules"]
        for i in range(n):
            lengths[i] = <int32_t> (begin[i + 1] - begin[i])
        return packed(self.config, lengths[:n], (<const char *> self.tokens.text)[:begin[n]], self.binary,
                      (self.left[:rules], self.right[:rules]) if self.ruled else None)

    def __reduce__(self):
        return rebuild, (b"".join(self.source()),)

    def by_path(self):
        """A stand-in that pickles as the path of the file this was read from, and its fingerprint."""
        if self.origin is None:
            raise ValueError("by_path: this tokenizer was not read from one file")
        return ByPath(self, *self.origin)

    def __repr__(self) -> str:
        pattern = self.config.pattern or (self.pipeline.splitter.pattern if self.pipeline.splitter is not None else None)
        return f"BPE({self.vocab_size} ids, pattern={pattern!r}, form={self.facts['form']!r})"

    def inspect(self) -> dict[str, object]:
        """What serves the table and why, sizes and memory, in bytes.

        `stream_bytes` is what streams share, 0 until there is one.

        `forms` lists, for each form of Unicode normalization that the tokenizer applies, the code points in which this
        Python's `unicodedata` differs from the tokenizers library (`formdifferences`), as "U+32FF" or
        "U+A7F2..U+A7F4": a text that has none of them is normalized alike.

        >>> from incbpe.model import Config, Form, Model
        >>> bpe = BPE(Config(Model((b"a",), None), "tokenizers", "none", normalizer=(Form("NFKC"),)))
        >>> "U+32FF" in bpe.inspect()["forms"]["NFKC"]["differ"]
        True
        """
        cdef Layout layout = self.pieces.layout
        return {
            **{name: fact for name, fact in self.facts.items() if name != "binary"},
            "vocab_size": self.vocab_size, "longest": self.tokens.longest, "cells": layout.n_cells, "automaton_bytes": layout.nbytes,
            "tokens_bytes": self.tokens.nbytes, "ints_bytes": self.pipeline.ints.nbytes,
            "cache": self.pipeline.cache_counts(),
            "rules_bytes": 8 * self.left.shape[0] if self.ruled else 0,
            "stream_bytes": 0 if self.streams is None else self.streams.nbytes,
            "pattern": None if self.pipeline.splitter is None else self.pipeline.splitter.pattern,
            "unicode": self.config.unicode, "forms": form_facts(self.config.normalizer),
            "fingerprint": self.fingerprint, "notes": list(self.config.notes),
        }

    def check(self) -> None:
        """Assert the invariants of the tokens, the layout, the pair test and the tables of chunks. As costly as building."""
        cdef Normalized N = self.normalized()
        self.tokens.check()
        self.pieces.layout.check(N)
        if N.pairs is not None:
            self.pieces.pairs.check(N.pairs, self.pieces.layout)
        self.pipeline.check_caches()


cdef Spelt spelt_tokens(object model):
    """The tokens of a rank table by id."""
    return model.tokens if isinstance(model.tokens, Spelt) else Spelt(model.tokens)


cdef tuple normalized_model(object model):
    """The normalized dictionary of a model; by its token index the ids, -1 for an atom without one; and where the automaton
    of all its tokens was made on the way, that."""
    cdef Dictionary D
    cdef Cells cells = None
    cdef Spelt spelt
    cdef MergeList merges
    cdef int32_t[::1] ids
    cdef int32_t id, n = 0
    if model.merges is not None:
        ids = ints(len(model.tokens))
        for id in range(<int32_t> len(model.tokens)):
            ids[id] = id
        if isinstance(model.merges, MergeList):
            merges = model.merges
            D = merged(merges.spelt, None if model.binary else model.tokens, merges.left, merges.right, merges.product, merges.n)
        else:
            D = Dictionary(model.tokens, model.merges, duplicates=model.duplicates)
    else:
        spelt = spelt_tokens(model)
        twice = spelt.repeated()
        if twice is not None:
            raise DictionaryError(f"the tokens {twice[0]} and {twice[1]} are the same: {spelt[twice[1]]!r}")
        D, cells = ranked(without_gaps(spelt))
        ids = ints(D.n)
        ids[:] = -1
        for id in range(spelt.n):
            if spelt.begin[id + 1] > spelt.begin[id]:
                ids[n] = id
                n += 1
    return normalize(D, "rank"), ids, cells


cdef Spelt without_gaps(Spelt spelt):
    """The tokens that are not empty."""
    cdef int32_t[::1] begin
    cdef int32_t i, n = 0
    if spelt.given == spelt.n:
        return spelt
    begin = ints(<Py_ssize_t> spelt.given + 1)
    for i in range(spelt.n):
        if spelt.begin[i + 1] > spelt.begin[i]:
            n += 1
            begin[n] = spelt.begin[i + 1]
    return spelt_of(spelt.text, begin, n)


def splitting(config) -> tuple[Splitter | None, Cutter | None]:
    """What splits a text into pieces: a splitter of ours, a cutter, or neither."""
    splits = list(config.splits)
    if config.pattern is not None:
        if config.pattern == "none":
            return None, None
        if config.pattern in NAMES:
            return Splitter(config.pattern, config.unicode), None
        splits.append(Split(config.pattern))
    if config.byte_level_regex:
        splits.append(Split(PUBLISHED["gpt2"][0]))
    if not splits:
        return None, None
    if len(splits) == 1 and not splits[0].literal and is_plain(splits[0]):
        name = named(splits[0].pattern, config.unicode)
        if name is not None:
            return Splitter(name, config.unicode), None
    return None, Cutter(splits, config.unicode)


def rebuild(source: bytes) -> BPE:
    """The tokenizer that `BPE.__reduce__` described."""
    return BPE(unpack(source))
