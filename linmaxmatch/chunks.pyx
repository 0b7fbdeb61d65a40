"""Chunks, the text between blanks, and a table of fixed size that knows the ids of those seen lately.

    text ── edges (edges.h) ──► chunks ── table (wordcache.h) ──► ids
                                  └── not there: normalizer, match_words; entered ──┘

A blank is a tab, a line feed, a carriage return or a space. Every profile ends a word at each of them, and nothing that
normalization does to a character looks across one:

    canonical ordering      a blank has combining class 0, so it ends a run of marks; the next begins without any
    dropped characters      are dropped where they stand
    the sigma of `google`   looks on to a cased letter past what is dropped or case-ignorable: a blank is neither of both,
                            and not cased, so it answers as the end of the text does
    added tokens            were cut out before

So the words of a text are those of its chunks, one after another (tests/test_chunks.py), and a chunk's ids depend on
nothing else. A table belongs to one thread, one normalizer and one automaton.

Always: what the table says of a chunk are the ids that normalizing and matching it give (`cache_check`).

Cost  O(n): a byte is in one chunk, which is hashed and compared with at most ten slots (counted), and normalized and
      matched at most once
"""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from linmaxmatch.matcher cimport match_words
from linmaxmatch.normalizer cimport Normalizer
from linmaxmatch.words cimport Words, words_free
from subwordio.ids cimport IdBuffer, ids_free, ids_reserve
from subwordio.largepages cimport prefer_large_pages

cdef extern from "linmaxmatch/edges.h" nogil:
    enum:
        WAYS "LMM_WAYS"
    bint has_way "lmm_has_way"(int way) noexcept
    uint32_t *edges_of "lmm_edges"(int way, const uint8_t *s, size_t n, uint64_t *inside, uint32_t base,
                                   uint32_t *out) noexcept

cdef extern from "linmaxmatch/wordcache.h" nogil:
    enum:
        SHORT "LMM_SHORT"
        LONG "LMM_LONG"
        ELSEWHERE "LMM_ELSEWHERE"
        BATCH "LMM_BATCH"
        ROOM "LMM_ROOM"
    ctypedef struct Slot "lmm_slot":
        uint64_t low, high
    ctypedef struct LongSlot "lmm_long_slot":
        uint64_t *key
        uint32_t count
    ctypedef struct Table "lmm_cache":
        Slot *slots
        LongSlot *long_slots
    ctypedef struct Batch "lmm_batch":
        pass
    ctypedef struct LongKey "lmm_long_key":
        pass
    void pack "lmm_pack"(const WordCache *cache, Batch *batch, const uint8_t *text, size_t n, const uint8_t *tail,
                         const uint32_t *edges, size_t m) noexcept
    size_t found "lmm_found"(const WordCache *cache, const Batch *batch, size_t i, size_t m, uint32_t *ids,
                             size_t *length) noexcept
    const Slot *find "lmm_find"(WordCache *cache, const Batch *batch, size_t i) noexcept
    bint fits "lmm_fits"(const WordCache *cache, size_t count) noexcept
    uint32_t *write "lmm_write"(uint32_t *out, const Slot *slot, bint narrow) noexcept
    void enter "lmm_enter"(WordCache *cache, const Batch *batch, size_t i, const uint32_t *ids, size_t count) noexcept
    void pack_long "lmm_pack_long"(const WordCache *cache, LongKey *key, const uint8_t *chunk, size_t n) noexcept
    const LongSlot *find_long "lmm_find_long"(WordCache *cache, const LongKey *key) noexcept
    bint fits_long "lmm_fits_long"(const WordCache *cache, size_t count) noexcept
    void write_long "lmm_write_long"(const WordCache *cache, const LongSlot *slot, uint32_t *out) noexcept
    void enter_long "lmm_enter_long"(const WordCache *cache, const LongKey *key, const uint32_t *ids, size_t count) noexcept
    size_t unpack "lmm_unpack"(const uint64_t *words, int n, uint8_t *out) noexcept

cdef enum:
    BLOCK = 2048                # bytes of text whose edges are found at a time
    TAIL = 64                   # bytes at a text's end that are read from a copy, since keys are loaded 16 bytes at a time
    PART = 16384                # bytes of words at a time, of a chunk that is longer than a key

cdef size_t LINE = 64           # of memory
cdef size_t PAGE = 1 << 21      # a large one, where the system has them
cdef int way = max(each for each in range(WAYS) if has_way(each))     # how edges are found: the quickest


cdef int cache_make(WordCache *cache, size_t nbytes, uint32_t last_id) except -1 nogil:
    cdef size_t pairs = max(<size_t> 1, nbytes // 4 * 3 // (2 * sizeof(Slot)))
    cdef size_t long_pairs = max(<size_t> 1, nbytes // 4 // (2 * sizeof(LongSlot)))
    cdef size_t size, begin, boundary
    pairs, long_pairs = min(pairs, <size_t> 0x7FFFFFFF), min(long_pairs, <size_t> 0x7FFFFFFF)
    size = pairs * 2 * sizeof(Slot) + long_pairs * 2 * sizeof(LongSlot)
    boundary = PAGE if size >= 2 * PAGE else LINE       # what lies before it is never touched, so it costs no memory
    size += boundary
    cache.memory = calloc(size, 1)
    if cache.memory == NULL:
        raise MemoryError()
    prefer_large_pages(cache.memory, size)
    begin = (<size_t> cache.memory + boundary - 1) // boundary * boundary
    cache.narrow = last_id <= 0xFFFF
    cache.pairs, cache.long_pairs = <uint32_t> pairs, <uint32_t> long_pairs
    (<Table *> cache).slots = <Slot *> begin
    (<Table *> cache).long_slots = <LongSlot *> (begin + pairs * 2 * sizeof(Slot))
    return 0


cdef size_t cache_nbytes(const WordCache *cache) noexcept nogil:
    if cache.memory == NULL:
        return 0
    return <size_t> cache.pairs * 2 * sizeof(Slot) + <size_t> cache.long_pairs * 2 * sizeof(LongSlot)


cdef void cache_free(WordCache *cache) noexcept nogil:
    free(cache.memory)
    cache.memory = NULL


cdef int compute(Normalizer normalizer, const Engine *engine, Words *words, const uint8_t *chunk, size_t n,
                 IdBuffer *out) except -1 nogil:
    """Append the ids of a chunk by normalizing and matching it."""
    cdef size_t position = 0
    while position < n:
        words.length = 0
        normalizer.run(chunk, n, &position, PART, words)
        match_words(engine.automaton, engine.rules, words.bytes, words.length, out, NULL)
    return 0


cdef int look_further(WordCache *cache, Normalizer normalizer, const Engine *engine, Words *words, const Batch *batch,
                      size_t i, const uint8_t *chunk, size_t n, IdBuffer *out) except -1 nogil:
    """Append the ids of chunk i of a batch, which its first pair of slots does not hold. It is entered where it fits."""
    cdef const Slot *slot = NULL
    cdef const LongSlot *long_slot
    cdef LongKey key
    cdef size_t first, count
    cdef bint short = n <= SHORT, keyed = False
    ids_reserve(out, ROOM)
    if short:
        slot = find(cache, batch, i)
        if slot != NULL and slot.high >> 60 != ELSEWHERE:
            out.length = (<size_t> write(out.data + out.length, slot, cache.narrow) - <size_t> out.data) // sizeof(uint32_t)
            return 0
    if n <= LONG and (not short or slot != NULL):
        keyed = True
        pack_long(cache, &key, chunk, n)
        long_slot = find_long(cache, &key)
        if long_slot != NULL:
            write_long(cache, long_slot, out.data + out.length)
            out.length += long_slot.count
            return 0
    first = out.length
    cache.missed += 1
    compute(normalizer, engine, words, chunk, n, out)
    count = out.length - first
    if short and slot == NULL and fits(cache, count):
        enter(cache, batch, i, out.data + first, count)
    elif n <= LONG and fits_long(cache, count):
        if not keyed:
            pack_long(cache, &key, chunk, n)
        enter_long(cache, &key, out.data + first, count)
        if short and slot == NULL:
            enter(cache, batch, i, NULL, ELSEWHERE)
    return 0


cdef int encode_chunks(WordCache *cache, Normalizer normalizer, const Engine *engine, Words *words,
                       const uint8_t *text, size_t n, size_t *position, size_t limit, IdBuffer *out) except -1 nogil:
    cdef Batch batch
    cdef uint32_t edges[BLOCK + 9]
    cdef uint8_t tail[TAIL + 16]
    cdef uint64_t inside = 0
    cdef size_t at = position[0], stop = n if limit >= n - at else at + limit
    cdef size_t held = 0, count, size, first, i, m
    cdef const uint32_t *pairs
    size = min(n, <size_t> TAIL)
    memcpy(tail, text + (n - size), size)
    memset(tail + size, 0, TAIL + 16 - size)
    while at < stop or (held and at < n):
        # the chunks that end in text[position:at] are done; one that does not begins at edges[0] if held = 1
        size = min(n - at, <size_t> BLOCK)
        count = (<size_t> edges_of(way, text + at, size, &inside, <uint32_t> at, edges + held)
                 - <size_t> &edges[0]) // sizeof(uint32_t)
        at += size
        if at == n and count % 2:
            edges[count] = <uint32_t> n
            count += 1
        held, first = count % 2, 0
        cache.chunks += count // 2
        while first < count // 2:
            pairs = edges + 2 * first
            m = min(count // 2 - first, <size_t> BATCH)
            pack(cache, &batch, text, n, tail, pairs, m)
            i = 0
            while True:
                ids_reserve(out, 8 * (m - i))
                i = found(cache, &batch, i, m, out.data, &out.length)
                if i == m:
                    break
                look_further(cache, normalizer, engine, words, &batch, i, text + pairs[2 * i],
                             pairs[2 * i + 1] - pairs[2 * i], out)
                i += 1
            first += m
        if held:
            edges[0] = edges[count - 1]
    position[0] = at
    return 0


cdef int cache_check(const WordCache *cache, Normalizer normalizer, const Engine *engine) except -1:
    """Each chunk in the table, read back from its slot."""
    cdef const Table *table = <const Table *> cache
    cdef Words words
    cdef IdBuffer ids = IdBuffer(NULL, 0, 0)
    cdef uint8_t chunk[32]
    cdef uint32_t kept[ROOM]
    cdef size_t i, n, count
    memset(&words, 0, sizeof(Words))
    try:
        for i in range(2 * <size_t> cache.pairs if cache.memory != NULL else 0):
            n, count = unpack(&table.slots[i].low, 2, chunk), table.slots[i].high >> 60
            ids.length = 0
            compute(normalizer, engine, &words, chunk, n, &ids)
            if count == ELSEWHERE:
                assert not fits(cache, ids.length), f"{chunk[:n]}"
                continue
            write(kept, &table.slots[i], cache.narrow)
            assert ids.length == count and [kept[k] for k in range(count)] == [ids.data[k] for k in range(count)], \
                f"{chunk[:n]}"
        for i in range(2 * <size_t> cache.long_pairs if cache.memory != NULL else 0):
            n, count = unpack(table.long_slots[i].key, 4, chunk), table.long_slots[i].count
            ids.length = 0
            compute(normalizer, engine, &words, chunk, n, &ids)
            write_long(cache, &table.long_slots[i], kept)
            assert ids.length == count and [kept[k] for k in range(count)] == [ids.data[k] for k in range(count)], \
                f"{chunk[:n]}"
    finally:
        words_free(&words)
        ids_free(&ids)
    return 0


def ways() -> list[int]:
    """The ways to find edges that this processor has; the last is used."""
    return [each for each in range(WAYS) if has_way(each)]


def edges(bytes text not None, int by, size_t block=BLOCK) -> list[int]:
    """Where the chunks of a text begin and end, found in that way, so many bytes at a time: [begin, end, begin, …].

    >>> edges(b" ab\\tc ", ways()[0])
    [1, 3, 4, 5]
    """
    cdef uint32_t room[BLOCK + 9]
    cdef uint64_t inside = 0
    cdef size_t at = 0, size, n = len(text)
    cdef const uint8_t *s = text
    cdef uint32_t *stop
    cdef list result = []
    if not has_way(by) or not 0 < block <= BLOCK or block % 64:
        raise ValueError(f"edges: way {by}, blocks of {block} bytes")
    while at < n:
        size = min(block, n - at)
        stop = edges_of(by, s + at, size, &inside, <uint32_t> at, room)
        result += [room[i] for i in range((<size_t> stop - <size_t> &room[0]) // sizeof(uint32_t))]
        at += size
    return result + [n] if len(result) % 2 else result


def use_way(int by) -> None:
    """From now on find edges in that way, for the tests of all ways."""
    global way
    if not has_way(by):
        raise ValueError(f"way {by}: this processor has {ways()}")
    way = by
