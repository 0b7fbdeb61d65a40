"""Chunks, the text between blanks, and a table of bounded size that knows the ids of those seen lately.

    text ── edges (edges.h) ──► chunks ── table (subwordio/chunktable.h, longchunks.h) ──► ids
                                  └── not there: normalizer, match_many; entered ──┘

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

Cost  O(n): a byte is in one chunk, which is hashed and compared with at most sixteen slots (counted), and normalized and
      matched at most once
"""
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy, memset

from linmaxmatch.lanes cimport match_many
from linmaxmatch.normalizer cimport Normalizer
from linmaxmatch.words cimport Words, words_free
from subwordio.chunktable cimport (
    BATCH, ELSEWHERE, LONG, ROOM, SHORT, TAIL, Batch, Search, Table, copy_tail, fits, fits_long, found, keep,
    look_further, pack, read_slot, readable_from, slots_of, table_free, table_make, table_nbytes, unpack)
from subwordio.ids cimport IdBuffer, ids_free, ids_reserve
from subwordio.vectors cimport checked, has_way

from subwordio.vectors import ways

cdef extern from "linmaxmatch/edges.h" nogil:
    uint32_t *edges_of "lmm_edges"(int way, const uint8_t *s, size_t n, uint64_t *inside, uint32_t base,
                                   uint32_t *out) noexcept

cdef extern from "linmaxmatch/longchunks.h" nogil:
    enum:
        LONGEST "LMM_LONGEST"
        MOST_IDS "LMM_MOST_IDS"
    ctypedef struct LongerSlot "lmm_long_slot":
        uint64_t *key
        uint32_t *ids
        uint32_t count
    ctypedef struct LongerTable "lmm_long_table":
        LongerSlot *slots
        uint32_t pairs
    ctypedef struct LongerKey "lmm_long_key":
        pass
    bint long_make "lmm_long_make"(LongTable *table, size_t nbytes) noexcept
    size_t long_nbytes "lmm_long_nbytes"(const LongTable *table) noexcept
    void long_free "lmm_long_free"(LongTable *table) noexcept
    void long_pack "lmm_long_pack"(const LongTable *table, LongerKey *key, const uint8_t *s, size_t n) noexcept
    size_t found_long "lmm_found_long"(const Table *table, const LongTable *longs, const Batch *batch, const uint8_t *text,
                                       size_t n, const uint8_t *tail, const uint32_t *edges, size_t i, size_t m,
                                       uint32_t *ids, size_t *length) noexcept
    const LongerSlot *long_find "lmm_long_find"(const LongerKey *key) noexcept
    void long_enter "lmm_long_enter"(const LongerKey *key, const uint32_t *ids, size_t count) noexcept

cdef enum:
    BLOCK = 2048                # bytes of text whose edges are found at a time
    PART = 16384                # bytes of words at a time, of a chunk that is longer than a key
    LONG_PART = 16              # one part in so many of the memory is for long chunks

cdef int way = max(ways())     # how edges are found: the quickest


cdef int cache_make(Cache *cache, size_t nbytes, uint32_t last_id) except -1 nogil:
    if not (long_make(&cache.longs, nbytes // LONG_PART) and
            table_make(&cache.table, nbytes - nbytes // LONG_PART, last_id, 0)):
        cache_free(cache)
        with gil:
            raise MemoryError()
    return 0


cdef size_t cache_nbytes(const Cache *cache) noexcept nogil:
    return table_nbytes(&cache.table) + long_nbytes(&cache.longs)


cdef void cache_free(Cache *cache) noexcept nogil:
    table_free(&cache.table)
    long_free(&cache.longs)


cdef int compute(Normalizer normalizer, const Engine *engine, Words *words, const uint8_t *chunk, size_t n,
                 IdBuffer *out) except -1 nogil:
    """Append the ids of a chunk by normalizing and matching it."""
    cdef size_t position = 0
    while position < n:
        words.length = 0
        normalizer.run(chunk, n, &position, PART, words)
        match_many(engine.automaton, engine.rules, words.bytes, words.length, out)
    return 0


cdef int encode_missing(Cache *cache, Normalizer normalizer, const Engine *engine, Words *words, const Batch *batch,
                        size_t i, const uint8_t *chunk, size_t n, const uint8_t *readable, IdBuffer *out) except -1 nogil:
    """Append the ids of chunk i of a batch, which its first pair of slots does not hold. It is entered where it fits.

    Its bytes are also readable[0:n], where 64 may be read."""
    cdef Search search
    cdef LongerKey key
    cdef const LongerSlot *slot
    cdef size_t first = out.length, count
    cdef bint longer = SHORT < n <= LONGEST
    ids_reserve(out, max(<size_t> ROOM, <size_t> MOST_IDS))
    if look_further(&cache.table, batch, i, chunk, n, out.data, &out.length, &search):
        return 0
    if longer:
        long_pack(&cache.longs, &key, readable, n)
        slot = long_find(&key)
        cache.table.slots_read += 4
        if slot != NULL:
            memcpy(out.data + first, slot.ids, MOST_IDS * sizeof(uint32_t))
            out.length += slot.count
            return 0
    cache.table.missed += 1
    compute(normalizer, engine, words, chunk, n, out)
    count = out.length - first
    if not longer or n <= LONG and fits_long(&cache.table, count):
        keep(&cache.table, batch, i, chunk, n, out.data + first, count, &search)
    elif count <= MOST_IDS:
        long_enter(&key, out.data + first, count)
    return 0


cdef size_t last_of_text(const Texts *texts, const uint32_t *pairs, size_t i, size_t m, size_t *done,
                         size_t length) noexcept nogil:
    """The first chunk below m behind the text of chunk i. Texts that end before chunk i get their bound."""
    cdef size_t end = i + 1
    while done[0] < texts.count and texts.ends[done[0]] <= pairs[2 * i]:
        texts.bounds[done[0]] = <int64_t> length
        done[0] += 1
    while end < m and (done[0] == texts.count or pairs[2 * end] < texts.ends[done[0]]):
        end += 1
    return end


cdef int encode_chunks(Cache *cache, Normalizer normalizer, const Engine *engine, Words *words,
                       const uint8_t *text, size_t n, size_t *position, size_t limit, const Texts *texts,
                       IdBuffer *out) except -1 nogil:
    cdef Table *table = &cache.table
    cdef Batch batch
    cdef uint32_t edges[BLOCK + 9]
    cdef uint8_t tail[2 * TAIL]
    cdef uint64_t inside = 0
    cdef size_t at = position[0], stop = n if limit >= n - at else at + limit
    cdef size_t held = 0, done = 0, count, size, first, i, m, end, known
    cdef const uint32_t *pairs
    copy_tail(text, n, tail)
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
        table.chunks += count // 2
        while first < count // 2:
            pairs = edges + 2 * first
            m = min(count // 2 - first, <size_t> BATCH)
            pack(table, &batch, text, n, tail, pairs, m)
            ids_reserve(out, 16 * m)
            i = end = 0
            while i < m:
                # the ids of chunks [0, i) of the batch are written, and the bounds of texts [0, done)
                if i == end:
                    end = m
                    if texts != NULL:
                        end = last_of_text(texts, pairs, i, m, &done, out.length)
                i = found(table, &batch, i, end, out.data, &out.length)
                known = found_long(table, &cache.longs, &batch, text, n, tail, pairs, i, end, out.data, &out.length)
                if known == i < end and pairs[2 * i + 1] - pairs[2 * i] > LONGEST:
                    while known < end and pairs[2 * known + 1] - pairs[2 * known] > LONGEST:
                        known += 1          # too long for any key: such ones in a row make one text
                    table.missed += known - i
                    compute(normalizer, engine, words, text + pairs[2 * i], pairs[2 * known - 1] - pairs[2 * i], out)
                    ids_reserve(out, 16 * (m - known))
                elif known == i < end:
                    encode_missing(cache, normalizer, engine, words, &batch, i, text + pairs[2 * i],
                                   pairs[2 * i + 1] - pairs[2 * i], readable_from(text, n, tail, pairs[2 * i]), out)
                    known += 1
                    ids_reserve(out, 16 * (m - known))
                i = known
            first += m
        if held:
            edges[0] = edges[count - 1]
    while texts != NULL and done < texts.count:
        texts.bounds[done] = <int64_t> out.length
        done += 1
    position[0] = at
    return 0


cdef int cache_check(const Cache *cache, Normalizer normalizer, const Engine *engine) except -1:
    """Each chunk in the tables, read back from its slot."""
    cdef const Table *table = &cache.table
    cdef const LongerTable *longs = <const LongerTable *> &cache.longs
    cdef Words words
    cdef IdBuffer ids = IdBuffer(NULL, 0, 0)
    cdef uint8_t chunk[64]
    cdef uint32_t kept[ROOM]
    cdef size_t k, n, count
    memset(&words, 0, sizeof(Words))
    try:
        ids_reserve(&ids, 1)        # so that there is memory to compare
        for k in range(slots_of(table)):
            n, ids.length = read_slot(table, k, chunk, kept, &count), 0
            compute(normalizer, engine, &words, chunk, n, &ids)
            if count == ELSEWHERE:
                assert not fits(table, ids.length), f"{chunk[:n]}"
            else:
                assert ids.length == count and memcmp(kept, ids.data, count * sizeof(uint32_t)) == 0, f"{chunk[:n]}"
        for k in range(2 * <size_t> longs.pairs if cache.longs.memory != NULL else 0):
            unpack(longs.slots[k].key, 8, chunk)
            n, count, ids.length = chunk[63], longs.slots[k].count, 0
            compute(normalizer, engine, &words, chunk, n, &ids)
            assert ids.length == count and memcmp(longs.slots[k].ids, ids.data, count * sizeof(uint32_t)) == 0, f"{chunk[:n]}"
    finally:
        words_free(&words)
        ids_free(&ids)
    return 0


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
    way = checked(by)
