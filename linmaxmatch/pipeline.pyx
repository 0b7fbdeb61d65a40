"""The engine: a text cut at added tokens, normalized into words, and matched, a part at a time.

    text ── added tokens ──► pieces ── normalizer ──► words, some thousand bytes at a time ── match_many ──► ids

Added tokens that are looked for in normalized text need a middle step: such a piece is normalized whole, cut once more,
and what is left is split into words by a normalizer that only splits. Where each token stands is worked out in a form of
its own, `align_…`, which keeps for every byte of a word the place in the text that it came from.

Cost  O(n) for a text of n bytes; in memory, beside the result, the longest run without white space (with normalized
      added tokens, the longest piece)
"""
from itertools import accumulate

from libc.stdint cimport SIZE_MAX, int64_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp

from linmaxmatch.cells cimport base_of, cell_t, label_of, link_of
from linmaxmatch.chunks cimport Cache, Engine, Texts, cache_check, cache_free, cache_make, cache_nbytes, encode_chunks
from linmaxmatch.lanes cimport match_many
from linmaxmatch.layout cimport TOKEN, Automaton, Layout
from linmaxmatch.matcher cimport Rules, Steps, char_width, match_words, word_end
from linmaxmatch.normalizer cimport Normalizer
from linmaxmatch.plaintext cimport plain_text
from linmaxmatch.vocabulary cimport Vocabulary
from linmaxmatch.words cimport Words, words_free
from subwordio.added cimport Matcher, segments_free, segments_init
from subwordio.batch cimport Kernel
from subwordio.chunktable cimport Table
from subwordio.ids cimport IdBuffer, ids_free, ids_push, ids_reserve

cdef enum:
    PART = 16384                # bytes of words at a time: still in the first cache when they are matched
    KEPT_BYTES = 1048576        # scratch above this is given back after the call
    SEEN = 4                    # a table of this many bytes is worth its cost after a byte of text
    SHORT = 1024                # a text of fewer bytes is not matched side by side,
    DEARER = 4                  # and what it costs more than with a table is about so many times as much


cdef int put(Aligned *out, size_t start, size_t stop) except -1 nogil:
    """The place of the next token, of the present word."""
    ids_reserve(&out.starts, 1)
    ids_reserve(&out.ends, 1)
    ids_reserve(&out.words, 1)
    ids_push(&out.starts, <uint32_t> start)
    ids_push(&out.ends, <uint32_t> stop)
    ids_push(&out.words, out.word)
    return 0


cdef int put_added(Aligned *out, uint32_t id, size_t start, size_t stop) except -1 nogil:
    ids_reserve(&out.ids, 1)
    ids_push(&out.ids, id)
    put(out, start, stop)
    out.word += 1
    return 0


cdef void free_aligned(Aligned *out) noexcept:
    ids_free(&out.ids)
    ids_free(&out.starts)
    ids_free(&out.ends)
    ids_free(&out.words)


cdef class Pipeline(Kernel):
    """What `WordPiece` runs. Immutable; a choice of added tokens is another Pipeline over the same parts."""

    def __cinit__(self, Normalizer normalizer not None, Layout layout not None, Vocabulary vocabulary not None,
                  max_chars, bint split_unknown, bint literals, size_t cache_bytes):
        self.normalizer, self.layout, self.vocabulary = normalizer, layout, vocabulary
        self.begin = vocabulary.strings.begin
        self.rules = Rules(vocabulary.unk_id, max_chars, normalizer.profile == "tf", split_unknown, 0, 0)
        self.unk = vocabulary.unk_token.encode()
        self.unk_bytes = self.unk
        self.indicator = vocabulary.suffix_indicator.encode().replace(b" ", b"\xff")    # as layout.place has it
        self.indicator_bytes = self.indicator
        self.marker = len(self.indicator)
        self.literals = literals
        self.cache_bytes = cache_bytes if normalizer.cuts_at_blanks() else 0
        self.together = self.ended = self.cache_bytes > 0
        self.last_id = len(vocabulary)
        self.engine = Engine(&self.layout.automaton, &self.rules)
        for prefix in accumulate(vocabulary.suffix_indicator):
            if prefix in vocabulary:
                self.short_id, self.short_bytes = vocabulary.id(prefix), len(prefix.encode())

    cdef Pipeline with_added(self, Matcher raw, Matcher normalized):
        cdef Pipeline other = Pipeline(self.normalizer, self.layout, self.vocabulary, self.rules.cap,
                                       self.rules.split_unknown, self.literals, self.cache_bytes)
        other.raw, other.normalized, other.ints = raw, normalized, self.ints
        other.together = other.together and raw is None and normalized is None
        if normalized is not None:
            other.splitter = Normalizer(None)
        return other

    # -- the frame (subwordio.batch)

    cdef void *new_scratch(self) except NULL:
        scratch = <Scratch *> calloc(1, sizeof(Scratch))
        if scratch == NULL:
            raise MemoryError()
        segments_init(&scratch.raw)
        segments_init(&scratch.normalized)
        return scratch

    cdef void free_scratch(self, void *pointer) noexcept:
        scratch = <Scratch *> pointer
        empty(scratch)
        cache_free(&scratch.cache)
        free(scratch)

    cdef void trim_scratch(self, void *pointer) noexcept:
        scratch = <Scratch *> pointer
        if (scratch.words.capacity + scratch.plain.capacity + (scratch.raw.capacity + scratch.normalized.capacity)
                * sizeof(scratch.raw.data[0]) + scratch.ids.capacity * sizeof(uint32_t) > KEPT_BYTES):
            empty(scratch)

    # -- ids

    cdef int encode_utf8(self, const uint8_t *text, size_t n, IdBuffer *out, void *pointer) except -1 nogil:
        scratch = <Scratch *> pointer
        cdef size_t k
        if self.raw is None:
            return self.encode_piece(text, n, out, scratch)
        scratch.raw.length = 0
        self.raw.segments_of(text, n, &scratch.raw)
        for k in range(scratch.raw.length):
            segment = scratch.raw.data[k]
            if segment.id < 0:
                self.encode_piece(text + segment.start, segment.stop - segment.start, out, scratch)
            else:
                ids_reserve(out, 1)
                ids_push(out, <uint32_t> segment.id)
        return 0

    cdef int encode_piece(self, const uint8_t *text, size_t n, IdBuffer *out, Scratch *scratch) except -1 nogil:
        cdef size_t k
        if self.normalized is None:
            return self.encode_words(self.normalizer, text, n, out, scratch)
        scratch.plain.length = scratch.normalized.length = 0
        plain_text(self.normalizer, self.splitter, text, n, &scratch.words, &scratch.plain)
        self.normalized.segments_of(scratch.plain.bytes, scratch.plain.length, &scratch.normalized)
        for k in range(scratch.normalized.length):
            segment = scratch.normalized.data[k]
            if segment.id < 0:
                self.encode_words(self.splitter, scratch.plain.bytes + segment.start, segment.stop - segment.start, out,
                                  scratch)
            else:
                ids_reserve(out, 1)
                ids_push(out, <uint32_t> segment.id)
        return 0

    cdef int encode_words(self, Normalizer normalizer, const uint8_t *text, size_t n, IdBuffer *out,
                          Scratch *scratch) except -1 nogil:
        cdef size_t position = 0
        while position < n:
            self.encode_part(normalizer, text, n, &position, n, out, scratch)
        return 0

    cdef int encode_texts(self, const uint8_t *text, const size_t *ends, size_t count, IdBuffer *out, int64_t *bounds,
                          void *pointer) except -1 nogil:
        scratch = <Scratch *> pointer
        cdef Texts texts = Texts(ends, count, bounds)
        cdef size_t k, begin = 0, n = ends[count - 1]
        if scratch.cache.table.memory != NULL:
            return encode_chunks(&scratch.cache, self.normalizer, &self.engine, &scratch.words, text, n, &begin, n, &texts,
                                 out)
        for k in range(count):
            self.encode_words(self.normalizer, text + begin, ends[k] - begin, out, scratch)
            bounds[k] = <int64_t> out.length
            begin = ends[k]
        return 0

    cdef int encode_part(self, Normalizer normalizer, const uint8_t *text, size_t n, size_t *position, size_t limit,
                         IdBuffer *out, Scratch *scratch) except -1 nogil:
        # Without a table words are matched side by side, which costs a few times what looking a chunk up does; a new chunk
        # costs more than that. So a table is made once about as much was spent without it as filling it will cost.
        cdef size_t begin = position[0]
        if self.cache_bytes > 0 and scratch.cache.table.memory == NULL and scratch.seen >= self.cache_bytes // SEEN:
            cache_make(&scratch.cache, self.cache_bytes, self.last_id)
        if scratch.cache.table.memory != NULL:
            return encode_chunks(&scratch.cache, normalizer, &self.engine, &scratch.words, text, n, position, limit, NULL,
                                 out)
        scratch.words.length = 0
        normalizer.run(text, n, position, PART, &scratch.words)
        match_many(&self.layout.automaton, &self.rules, scratch.words.bytes, scratch.words.length, out)
        begin = position[0] - begin
        scratch.seen += begin * DEARER if begin < SHORT else begin
        return 0

    # -- how many

    cdef size_t count_utf8(self, const uint8_t *text, size_t n, size_t most, void *pointer) except? 0xFFFFFFFFFFFFFFFF nogil:
        scratch = <Scratch *> pointer
        cdef size_t k, total = 0
        if self.raw is None:
            return self.count_piece(text, n, most, scratch)
        scratch.raw.length = 0
        self.raw.segments_of(text, n, &scratch.raw)
        for k in range(scratch.raw.length):
            segment = scratch.raw.data[k]
            if total > most:
                break
            if segment.id < 0:
                total += self.count_piece(text + segment.start, segment.stop - segment.start, most - total, scratch)
            else:
                total += 1
        return total

    cdef size_t count_piece(self, const uint8_t *text, size_t n, size_t most, Scratch *scratch) except? 0xFFFFFFFFFFFFFFFF nogil:
        cdef size_t position = 0, total = 0
        if self.normalized is not None:
            scratch.ids.length = 0
            self.encode_piece(text, n, &scratch.ids, scratch)
            return scratch.ids.length
        while position < n and total <= most:
            scratch.ids.length = 0
            self.encode_part(self.normalizer, text, n, &position, PART, &scratch.ids, scratch)
            total += scratch.ids.length
        return total

    # -- ids and places

    cdef int align_utf8(self, const uint8_t *text, size_t n, Aligned *out, void *pointer) except -1 nogil:
        scratch = <Scratch *> pointer
        cdef size_t k
        if self.raw is None:
            return self.align_piece(text, n, 0, out, scratch)
        scratch.raw.length = 0
        self.raw.segments_of(text, n, &scratch.raw)
        for k in range(scratch.raw.length):
            segment = scratch.raw.data[k]
            if segment.id < 0:
                self.align_piece(text + segment.start, segment.stop - segment.start, segment.start, out, scratch)
            else:
                put_added(out, <uint32_t> segment.id, segment.start, segment.stop)
        return 0

    cdef int align_piece(self, const uint8_t *text, size_t n, size_t origin, Aligned *out, Scratch *scratch) except -1 nogil:
        cdef size_t k
        cdef Words *plain = &scratch.plain
        if self.normalized is None:
            return self.align_words(self.normalizer, text, n, NULL, origin, out, scratch)
        plain.length = scratch.normalized.length = 0
        plain_text(self.normalizer, self.splitter, text, n, &scratch.words, plain)
        self.normalized.segments_of(plain.bytes, plain.length, &scratch.normalized)
        for k in range(scratch.normalized.length):
            segment = scratch.normalized.data[k]
            if segment.id < 0:
                self.align_words(self.splitter, plain.bytes + segment.start, segment.stop - segment.start, plain, origin,
                                 out, scratch)
            else:
                put_added(out, <uint32_t> segment.id, origin + plain.starts[segment.start],
                          origin + plain.ends[segment.stop - 1])
        return 0

    cdef int align_words(self, Normalizer normalizer, const uint8_t *text, size_t n, const Words *plain, size_t origin,
                         Aligned *out, Scratch *scratch) except -1 nogil:
        cdef Words *words = &scratch.words
        cdef size_t position = 0, begin, end, stop, first, k, start, finish
        while position < n:
            words.length = 0
            normalizer.run_aligned(text, n, &position, PART, words)
            begin = 0
            while begin < words.length:
                end = word_end(words.bytes, begin, words.length)
                first = out.ids.length
                match_words(&self.layout.automaton, &self.rules, words.bytes + begin, end + 1 - begin, &out.ids, NULL)
                # The tokens' spellings, end to end, are the word bytes[begin:end].
                for k in range(first, out.ids.length):
                    stop = end
                    if k + 1 < out.ids.length:
                        stop = begin + self.width(out.ids.data[k], words.bytes + begin, k > first)
                    start, finish = words.starts[begin], words.ends[stop - 1]
                    if plain != NULL:
                        start = plain.starts[<size_t> text - <size_t> plain.bytes + start]
                        finish = plain.ends[<size_t> text - <size_t> plain.bytes + finish - 1]
                    put(out, origin + start, origin + finish)
                    begin = stop
                out.word += 1
                begin = end + 1
        return 0

    cdef size_t width(self, uint32_t id, const uint8_t *at, bint suffix) noexcept nogil:
        """The bytes of the word that a token stands for; an unknown character's own, where words are split at it."""
        cdef size_t skipped = self.marker if suffix else 0, n = self.begin[id + 1] - self.begin[id]
        if id == self.rules.unk and self.rules.split_unknown and (
                n <= skipped or memcmp(self.unk_bytes + skipped, at, n - skipped) != 0):
            return char_width(at[0])
        return n - skipped

    cdef const Table *table_of(self, void *scratch, size_t *nbytes) noexcept:
        cdef const Cache *cache = &(<Scratch *> scratch).cache
        nbytes[0] = cache_nbytes(cache)
        return &cache.table

    cdef int check_table(self, void *scratch) except -1:
        return cache_check(&(<Scratch *> scratch).cache, self.splitter or self.normalizer, &self.engine)

    cdef int match(self, const uint8_t *word, size_t n, IdBuffer *out, Steps *steps) except -1 nogil:
        """One word as it stands, of n bytes and an 0x20 behind them, without a cap.

        Where r lacks the literals spelt ♯…, a word that starts with ♯ gets its first piece from r♯: the longest body
        behind ♯, or else a token that ♯ starts with. The rest goes on from r♯ (as the one-trie form does).
        """
        cdef const Automaton *a = &self.layout.automaton
        cdef Rules rules = self.rules
        cdef uint32_t id = self.short_id
        cdef cell_t u = a.cells[a.suffix_root], v
        cdef size_t i = self.marker, end = self.short_bytes
        rules.cap = SIZE_MAX
        if self.literals or n < self.marker or memcmp(word, self.indicator_bytes, self.marker) != 0:
            return match_words(a, &rules, word, n + 1, out, steps)
        while i < n:
            v = a.cells[base_of(u) + word[i]]
            if label_of(v) != word[i]:
                break
            u = v
            i += 1
            if link_of(u) & TOKEN:
                id, end = link_of(u) ^ TOKEN, i
        if steps != NULL:
            steps.edges += end
            steps.moves += end > 0
        ids_reserve(out, 1)
        ids_push(out, id if end > 0 else rules.unk)
        if end == 0 or end == n:
            return 0
        rules.start, rules.before = a.suffix_root, 1
        return match_words(a, &rules, word + end, n + 1 - end, out, steps)


cdef void empty(Scratch *scratch) noexcept:
    """Give back all memory; the scratch may be used again."""
    words_free(&scratch.words)
    words_free(&scratch.plain)
    segments_free(&scratch.raw)
    segments_free(&scratch.normalized)
    ids_free(&scratch.ids)
