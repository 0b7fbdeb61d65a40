/* A table of bounded size from chunks to their ids: exact, since whole keys are compared.

   A chunk of at most 15 bytes is two 64-bit words: its bytes, zeros, and its length in the last byte. Slots for them come
   in pairs of 64 bytes, a line of the cache, that are looked at in one go. A chunk of 16 to 31 bytes, or with more ids than
   fit there, has a slot of 64 bytes in the same manner. A chunk has several pairs, so that few are crowded out: a first
   one, of short slots the one beside it, which the processor fetches along, and another far off. What is new takes a free
   slot, or else the first one of the first pair, and what was there the second.

   The table begins small, so that short texts do not pay for a large one, and grows where it lies, so that old and new
   together are never larger than the full table: the memory for that one is there, but not touched. A chunk's first pair is
   a part of the pairs, which its hash says; with GROWTH times as many, the chunks of pair p go to pairs GROWTH p and on,
   which are not in use if p is taken from the last one down. Some of what was not in its first pair is forgotten then. */
#ifndef SUBWORDIO_CHUNKTABLE_H
#define SUBWORDIO_CHUNKTABLE_H
#include <stdint.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "subwordio/chunkkeys.h"
#include "subwordio/largepages.h"
#include "subwordio/packedids.h"
#include "subwordio/vectors.h"

/* One loop for every form: see subwordio_found. `find`: 1 where the first slot of a pair
   holds a key, 4 where the second does, or 0; so that no branch depends on which. */
#define SUBWORDIO_FOUND_LOOP(find, all_ids) \
    uint32_t *out = ids + *length; \
    for (; i < m; i++) { \
        const subwordio_pair *pair = batch->pair[i]; \
        const unsigned there = find(pair, batch->key[i]), k = there >> 2; \
        if (there == 0) break; \
        all_ids(out, pair->ids[k]); \
        out += pair->key[k][1] >> 60; \
    } \
    *length = (size_t)(out - ids); \
    return i;

#define SUBWORDIO_FOUND_ARGUMENTS const subwordio_batch *batch, size_t i, size_t m, uint32_t *ids, size_t *length

static inline unsigned subwordio_slot_of(const subwordio_pair *pair, const uint64_t *key) {
    const uint64_t first = (pair->key[0][0] ^ key[0]) | (pair->key[0][1] ^ key[1]) << 4;
    const uint64_t second = (pair->key[1][0] ^ key[0]) | (pair->key[1][1] ^ key[1]) << 4;
    return (unsigned)(first == 0) | (unsigned)(second == 0) << 2;
}

static inline size_t subwordio_found_16(SUBWORDIO_FOUND_ARGUMENTS) {
    SUBWORDIO_FOUND_LOOP(subwordio_slot_of, subwordio_all_16)
}
static inline size_t subwordio_found_18(SUBWORDIO_FOUND_ARGUMENTS) {
    SUBWORDIO_FOUND_LOOP(subwordio_slot_of, subwordio_all_18)
}
static inline size_t subwordio_found_32(SUBWORDIO_FOUND_ARGUMENTS) {
    SUBWORDIO_FOUND_LOOP(subwordio_slot_of, subwordio_all_32)
}
#if SUBWORDIO_X86
__attribute__((target("avx2,bmi,popcnt")))
static inline unsigned subwordio_slot_of_avx2(const subwordio_pair *pair, const uint64_t *key) {
    const __m256i wanted = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)key));
    const __m256i differ = _mm256_xor_si256(wanted, _mm256_load_si256((const __m256i *)pair->key));
    const __m256i but_count = _mm256_setr_epi64x(-1, (int64_t)(~(uint64_t)0 >> 4), -1, (int64_t)(~(uint64_t)0 >> 4));
    const __m256i same = _mm256_cmpeq_epi64(_mm256_and_si256(differ, but_count), _mm256_setzero_si256());
    const unsigned words = (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(same));
    return words & words >> 1 & 5;                          /* 1: both words of the first, 4: of the second */
}

__attribute__((target("avx2,bmi,popcnt")))
static inline size_t subwordio_found_16_avx2(SUBWORDIO_FOUND_ARGUMENTS) {
    SUBWORDIO_FOUND_LOOP(subwordio_slot_of_avx2, subwordio_all_16)
}
__attribute__((target("avx2,bmi,popcnt")))
static inline size_t subwordio_found_18_avx2(SUBWORDIO_FOUND_ARGUMENTS) {
    SUBWORDIO_FOUND_LOOP(subwordio_slot_of_avx2, subwordio_all_18_avx2)
}
__attribute__((target("avx2,bmi,popcnt")))
static inline size_t subwordio_found_32_avx2(SUBWORDIO_FOUND_ARGUMENTS) {
    SUBWORDIO_FOUND_LOOP(subwordio_slot_of_avx2, subwordio_all_32)
}
#endif

/* Write the ids of chunks i, i + 1 ... behind ids[0:*length] up to the first, below m, whose ids are not in its first
   pair; returns it. Room for 8 ids a chunk. */
static inline size_t subwordio_found(const subwordio_table *table, const subwordio_batch *batch, size_t i, size_t m,
                                     uint32_t *ids, size_t *length) {
#if SUBWORDIO_X86
    if (table->way >= SUBWORDIO_AVX2)
        return table->form == SUBWORDIO_16_BITS ? subwordio_found_16_avx2(batch, i, m, ids, length)
               : table->form == SUBWORDIO_18_BITS ? subwordio_found_18_avx2(batch, i, m, ids, length)
               : subwordio_found_32_avx2(batch, i, m, ids, length);
#endif
    return table->form == SUBWORDIO_16_BITS ? subwordio_found_16(batch, i, m, ids, length)
           : table->form == SUBWORDIO_18_BITS ? subwordio_found_18(batch, i, m, ids, length)
           : subwordio_found_32(batch, i, m, ids, length);
}

/* The second word of a key whose ids are elsewhere. */
static inline uint64_t subwordio_elsewhere(uint64_t high) {
    return (high & ~SUBWORDIO_L(15)) | (high & SUBWORDIO_L(15)) << 4;
}

static inline int subwordio_is_elsewhere(uint64_t high) { return (high & SUBWORDIO_L(15)) == 0 && high != 0; }

/* The second word of a slot's key as a chunk has it. */
static inline uint64_t subwordio_of_chunk(uint64_t high) {
    const uint64_t length = subwordio_is_elsewhere(high) ? high >> 60 << 56 : 0;
    return (high & ~(uint64_t)0 >> 4) | length;
}

static inline int subwordio_holds(const subwordio_pair *pair, int k, const uint64_t *key) {     /* here or elsewhere */
    return pair->key[k][0] == key[0] && subwordio_of_chunk(pair->key[k][1]) == key[1];
}

static inline int subwordio_fits(const subwordio_table *table, size_t count) {
    return count <= subwordio_fit[table->form];
}

static inline int subwordio_fits_long(const subwordio_table *table, size_t count) {
    return count <= subwordio_fit_long[table->form];
}

typedef struct {                    /* where a short chunk is, or where it may go */
    subwordio_pair *pair;
    int k;
    int there;
} subwordio_slot;

/* A pair takes chunks only when those before it are full, and no slot is freed but when the table grows: where one has room
   there is no need to fetch the next. Where none has any, the first slot of all. */
static inline subwordio_slot subwordio_find(subwordio_table *table, const uint64_t *key) {
    const uint64_t hash = subwordio_hash(key[0], key[1]);
    const size_t first = subwordio_scaled(hash, table->pairs);
    for (int i = 0; i < 3; i++) {
        subwordio_pair *pair = table->slots + subwordio_home(table, hash, first, i);
        table->slots_read += 2;
        for (int k = 0; k < 2; k++) {
            const int there = subwordio_holds(pair, k, key);
            const subwordio_slot slot = {pair, k, there};
            if (there || pair->key[k][1] == 0) return slot;
        }
    }
    const subwordio_slot slot = {table->slots + first, 0, 0};
    return slot;
}

static inline void subwordio_move(subwordio_pair *from, int i, subwordio_pair *to, int k) {
    memcpy(to->key[k], from->key[i], sizeof(to->key[k]));
    memcpy(to->ids[k], from->ids[i], sizeof(to->ids[k]));
}

static inline void subwordio_fill(subwordio_table *table, subwordio_slot slot, const uint64_t *key, const uint32_t *ids,
                                  size_t count) {
    slot.pair->key[slot.k][0] = key[0];
    slot.pair->key[slot.k][1] = count == SUBWORDIO_ELSEWHERE ? subwordio_elsewhere(key[1]) : key[1] | (uint64_t)count << 60;
    if (count != SUBWORDIO_ELSEWHERE)
        subwordio_put_ids(slot.pair->ids[slot.k], SUBWORDIO_ID_BYTES, subwordio_id_bits[table->form], ids, count);
}

/* Enter a short chunk: its ids, or SUBWORDIO_ELSEWHERE and none. */
static inline void subwordio_enter(subwordio_table *table, subwordio_slot slot, const uint64_t *key, const uint32_t *ids,
                                   size_t count) {
    if (slot.pair->key[slot.k][1] != 0) subwordio_move(slot.pair, 0, slot.pair, 1);
    else table->filled++;
    subwordio_fill(table, slot, key, ids, count);
}

static inline const subwordio_long_slot *subwordio_find_long(subwordio_table *table, const subwordio_long_key *chunk) {
    for (int k = 0; k < 4; k++) {
        const subwordio_long_slot *slot = chunk->pairs[k / 2] + k % 2;
        table->slots_read += 1;
        if (slot->key[3] == 0 && k < 2) return NULL;
        if (((slot->key[0] ^ chunk->key[0]) | (slot->key[1] ^ chunk->key[1]) | (slot->key[2] ^ chunk->key[2]) |
             (slot->key[3] ^ chunk->key[3])) == 0) return slot;
    }
    return NULL;
}

/* Write a slot's ids; room for SUBWORDIO_ROOM of them. Four of 18 bits are 9 bytes. */
static inline void subwordio_write_long(const subwordio_table *table, const subwordio_long_slot *slot, uint32_t *out) {
    if (table->form == SUBWORDIO_18_BITS)
        for (size_t k = 0; k < slot->count; k += 4) {
            const uint8_t *bytes = slot->ids + 9 * (k / 4);
            const uint64_t three = subwordio_load(bytes), last = subwordio_load(bytes + 1) >> 46;
            out[k] = three & 0x3FFFF;
            out[k + 1] = three >> 18 & 0x3FFFF;
            out[k + 2] = three >> 36 & 0x3FFFF;
            out[k + 3] = last & 0x3FFFF;
        }
    else
        subwordio_get_ids(slot->ids, SUBWORDIO_LONG_ID_BYTES, subwordio_id_bits[table->form], out, slot->count);
}

/* A chunk's slot, if it is in its first pair; or NULL. */
static inline const subwordio_long_slot *subwordio_first_long(const subwordio_long_key *chunk) {
    const subwordio_long_slot *slot = chunk->pairs[0];
    uint64_t first = 0, second = 0;
    for (int k = 0; k < 4; k++) {
        first |= slot[0].key[k] ^ chunk->key[k];
        second |= slot[1].key[k] ^ chunk->key[k];
    }
    return first == 0 ? slot : second == 0 ? slot + 1 : NULL;
}

static inline void subwordio_enter_long(subwordio_table *table, const subwordio_long_key *chunk, const uint32_t *ids,
                                        size_t count) {
    subwordio_long_slot *slot = NULL;
    for (int k = 0; k < 4 && slot == NULL; k++)
        if (chunk->pairs[k / 2][k % 2].key[3] == 0) slot = chunk->pairs[k / 2] + k % 2;
    if (slot == NULL) {
        slot = chunk->pairs[0];
        slot[1] = slot[0];
    }
    else table->long_filled++;
    memcpy(slot->key, chunk->key, sizeof(slot->key));
    slot->count = (uint32_t)count;
    subwordio_put_ids(slot->ids, SUBWORDIO_LONG_ID_BYTES, subwordio_id_bits[table->form], ids, count);
}

typedef struct {                    /* what is known of a chunk that its first pair does not hold */
    int packed;                     /* `key` is that of the chunk */
    subwordio_slot slot;            /* of a short chunk, whose ids it does not hold */
    subwordio_long_key key;
} subwordio_search;

/* Whether a short slot has the ids of chunk i of a batch, which is short; then they are written behind ids[0:*length], where
   there is room for SUBWORDIO_ROOM. */
static inline int subwordio_look_short(subwordio_table *table, const subwordio_batch *batch, size_t i, uint32_t *ids,
                                       size_t *length, subwordio_search *search) {
    search->slot = subwordio_find(table, batch->key[i]);
    if (!search->slot.there) return 0;
    const uint64_t high = search->slot.pair->key[search->slot.k][1];
    if (subwordio_is_elsewhere(high)) return 0;
    subwordio_all_ids(table->form, ids + *length, search->slot.pair->ids[search->slot.k]);
    *length += high >> 60;
    return 1;
}

/* Whether a short slot says of that chunk that its ids are elsewhere. */
static inline int subwordio_found_elsewhere(const subwordio_search *search) { return search->slot.there; }

/* The same of a long slot and a chunk s[0:n] of any length, which no short slot has. */
static inline int subwordio_look_long(subwordio_table *table, const subwordio_batch *batch, size_t i, const uint8_t *s,
                                      size_t n, uint32_t *ids, size_t *length, subwordio_search *search) {
    search->packed = 0;
    if (n > SUBWORDIO_LONG || (n <= SUBWORDIO_SHORT && !search->slot.there)) return 0;
    search->packed = 1;
    if (n <= SUBWORDIO_SHORT) subwordio_pack_long(table, &search->key, s, n);
    else {
        search->key = batch->longs[i];
        subwordio_place_long(table, &search->key);          /* the table may have grown */
    }
    const subwordio_long_slot *slot = subwordio_find_long(table, &search->key);
    if (slot == NULL) return 0;
    subwordio_write_long(table, slot, ids + *length);
    *length += slot->count;
    return 1;
}

/* Whether any slot has the ids of chunk i of a batch, s[0:n]. */
static inline int subwordio_look_further(subwordio_table *table, const subwordio_batch *batch, size_t i,
                                         const uint8_t *s, size_t n, uint32_t *ids, size_t *length,
                                         subwordio_search *search) {
    return (n <= SUBWORDIO_SHORT && subwordio_look_short(table, batch, i, ids, length, search)) ||
           subwordio_look_long(table, batch, i, s, n, ids, length, search);
}

/* Enter that chunk, which is not there, with its ids, where they fit; nothing was packed or entered since. */
static inline void subwordio_keep(subwordio_table *table, const subwordio_batch *batch, size_t i, const uint8_t *s,
                                  size_t n, const uint32_t *ids, size_t count, subwordio_search *search) {
    const int is_new = n <= SUBWORDIO_SHORT && !search->slot.there;
    if (is_new && subwordio_fits(table, count)) {
        subwordio_enter(table, search->slot, batch->key[i], ids, count);
        return;
    }
    if (n > SUBWORDIO_LONG || !subwordio_fits_long(table, count)) return;
    if (!search->packed) subwordio_pack_long(table, &search->key, s, n);
    subwordio_enter_long(table, &search->key, ids, count);
    if (is_new) subwordio_enter(table, search->slot, batch->key[i], NULL, SUBWORDIO_ELSEWHERE);
}

/* A chunk that is not there and whose ids are yet to be found is entered as one whose ids are elsewhere, with a number by
   which to know it when it comes again. Of any other chunk whose ids are elsewhere the number means nothing. */
static inline void subwordio_mark(subwordio_table *table, const subwordio_search *search, const subwordio_batch *batch,
                                  size_t i, uint32_t number) {
    const subwordio_slot slot = search->slot;
    if (!slot.there) subwordio_enter(table, slot, batch->key[i], NULL, SUBWORDIO_ELSEWHERE);
    memcpy(slot.pair->ids[slot.k], &number, sizeof(number));
}

/* Its number, if it is chunk `number` of `lots` of batches, below `count`; else `count`. */
static inline size_t subwordio_marked(const subwordio_search *search, const subwordio_batch *batch, size_t i,
                                      const subwordio_batch *lots, size_t count) {
    uint32_t number;
    if (!search->slot.there) return count;
    memcpy(&number, search->slot.pair->ids[search->slot.k], sizeof(number));
    if (number >= count) return count;
    const uint64_t *key = lots[number / SUBWORDIO_BATCH].key[number % SUBWORDIO_BATCH];
    return key[0] == batch->key[i][0] && key[1] == batch->key[i][1] ? number : count;
}

/* Enter chunk i of a batch with its ids, where they fit, unless it is there already with them. */
static inline void subwordio_keep_once(subwordio_table *table, const subwordio_batch *batch, size_t i, const uint8_t *s,
                                       size_t n, const uint32_t *ids, size_t count) {
    if (n <= SUBWORDIO_SHORT && subwordio_fits(table, count)) {
        const subwordio_slot slot = subwordio_find(table, batch->key[i]);
        if (!slot.there) subwordio_enter(table, slot, batch->key[i], ids, count);
        else if (subwordio_is_elsewhere(slot.pair->key[slot.k][1]))
            subwordio_fill(table, slot, batch->key[i], ids, count);
        return;
    }
    uint32_t room[SUBWORDIO_ROOM];
    size_t length = 0;
    subwordio_search search;
    if (n <= SUBWORDIO_LONG && !subwordio_look_further(table, batch, i, s, n, room, &length, &search))
        subwordio_keep(table, batch, i, s, n, ids, count, &search);
}

/* Put what slot k of a pair holds where it belongs among `pairs` pairs, those from `least` on, where there is room. */
static inline void subwordio_settle(subwordio_table *table, subwordio_pair *from, int k, uint32_t pairs, size_t least) {
    const uint64_t high = subwordio_of_chunk(from->key[k][1]);
    const size_t to = subwordio_scaled(subwordio_hash(from->key[k][0], high), pairs);
    if (high == 0 || to < least) return;
    subwordio_pair *pair = table->slots + to;
    const int free = pair->key[0][1] == 0 ? 0 : pair->key[1][1] == 0 ? 1 : 2;
    if (free == 2) return;
    subwordio_move(from, k, pair, free);
    table->filled++;
}

static inline void subwordio_grow(subwordio_table *table) {
    const uint32_t pairs = table->pairs * SUBWORDIO_GROWTH;
    table->filled = 0;
    memset(table->slots + table->pairs, 0, (size_t)(pairs - table->pairs) * sizeof(subwordio_pair));
    for (size_t p = table->pairs; p-- > 0;) {
        subwordio_pair pair = table->slots[p];              /* pairs p and on are settled, or free */
        memset(table->slots + p, 0, sizeof(pair));
        for (int k = 0; k < 2; k++) subwordio_settle(table, &pair, k, pairs, p);
    }
    table->pairs = pairs;
}

static inline void subwordio_settle_long(subwordio_table *table, subwordio_long_slot *from, uint32_t pairs,
                                         size_t least) {
    const size_t to = subwordio_scaled(subwordio_long_hash(from->key), pairs);
    if (from->key[3] == 0 || to < least) return;
    subwordio_long_slot *slot = table->long_slots + 2 * to;
    slot += slot->key[3] != 0;
    if (slot->key[3] != 0) return;
    *slot = *from;
    table->long_filled++;
}

static inline void subwordio_grow_long(subwordio_table *table) {
    const uint32_t pairs = table->long_pairs * SUBWORDIO_GROWTH;
    table->long_filled = 0;
    memset(table->long_slots + 2 * (size_t)table->long_pairs, 0,
           2 * (size_t)(pairs - table->long_pairs) * sizeof(subwordio_long_slot));
    for (size_t p = table->long_pairs; p-- > 0;) {
        subwordio_long_slot pair[2];
        memcpy(pair, table->long_slots + 2 * p, sizeof(pair));
        memset(table->long_slots + 2 * p, 0, sizeof(pair));
        for (int k = 0; k < 2; k++) subwordio_settle_long(table, pair + k, pairs, p);
    }
    table->long_pairs = pairs;
}

/* Grow where half of the slots are filled. */
static inline void subwordio_make_room(subwordio_table *table) {
    if (table->filled >= table->pairs && table->pairs < table->most_pairs) subwordio_grow(table);
    if (table->long_filled >= table->long_pairs && table->long_pairs < table->most_long_pairs) subwordio_grow_long(table);
}

/* The m <= SUBWORDIO_BATCH chunks edges[0] to edges[1], edges[2] to edges[3] ... */
static inline void subwordio_pack(subwordio_table *table, subwordio_batch *batch, const uint8_t *text, size_t n,
                                  const uint8_t *tail, const uint32_t *edges, size_t m) {
    subwordio_make_room(table);
    subwordio_pack_some(table, batch, text, n, tail, edges, m, 2);
}

/* The same of chunks in a row: edges[0] to edges[1], edges[1] to edges[2] ... */
static inline void subwordio_pack_row(subwordio_table *table, subwordio_batch *batch, const uint8_t *text, size_t n,
                                      const uint8_t *tail, const uint32_t *edges, size_t m) {
    subwordio_make_room(table);
    subwordio_pack_some(table, batch, text, n, tail, edges, m, 1);
}

static inline size_t subwordio_table_nbytes(const subwordio_table *table) {        /* that are in use */
    return table->memory == NULL ? 0 : (size_t)table->pairs * sizeof(subwordio_pair) +
                                       (size_t)table->long_pairs * 2 * sizeof(subwordio_long_slot);
}

/* With how many pairs a table begins that may have so many, which becomes a number that it can grow to. */
static inline uint32_t subwordio_first_pairs(uint32_t *most) {
    uint32_t whole = 1;
    for (int k = 0; k < SUBWORDIO_GROWTHS; k++) whole *= SUBWORDIO_GROWTH;
    if (*most < whole * SUBWORDIO_LEAST) return *most;
    *most = *most / (2 * whole) * (2 * whole);
    return *most / whole;
}

/* Memory for a table of at most about `nbytes` bytes, of ids up to `last_id`: a quarter of it long slots; and behind it for
   `more` bytes of something else, at a multiple of 64 bytes, with anything in it. 0: there is none. */
static inline int subwordio_table_make(subwordio_table *table, size_t nbytes, uint32_t last_id, size_t more) {
    size_t pairs = nbytes / 4 * 3 / sizeof(subwordio_pair);
    size_t long_pairs = nbytes / 4 / (2 * sizeof(subwordio_long_slot));
    pairs = pairs < 2 ? 2 : pairs > INT32_MAX ? INT32_MAX - 1 : pairs / 2 * 2;
    long_pairs = long_pairs < 1 ? 1 : long_pairs > INT32_MAX ? INT32_MAX : long_pairs;
    table->most_pairs = (uint32_t)pairs;
    table->most_long_pairs = (uint32_t)long_pairs;
    table->pairs = subwordio_first_pairs(&table->most_pairs);
    table->long_pairs = subwordio_first_pairs(&table->most_long_pairs);
    table->filled = table->long_filled = 0;
    /* The long slots first: all that a table begins with is then in one large page. */
    const size_t long_size = (size_t)table->most_long_pairs * 2 * sizeof(subwordio_long_slot);
    const size_t slots_size = table->most_pairs * sizeof(subwordio_pair), size = long_size + slots_size + more;
    const size_t boundary = size >= 2 * (size_t)SUBWORDIO_LARGE_PAGE ? SUBWORDIO_LARGE_PAGE : 64;
    table->memory = malloc(size + boundary);
    if (table->memory == NULL) return 0;
    prefer_large_pages(table->memory, size + boundary);
    table->form = subwordio_form_of(last_id);
    table->way = subwordio_best_way();
    table->long_slots = (subwordio_long_slot *)(((uintptr_t)table->memory + boundary - 1) / boundary * boundary);
    table->slots = (subwordio_pair *)((uint8_t *)table->long_slots + long_size);
    table->more = (uint8_t *)table->slots + slots_size;
    memset(table->slots, 0, table->pairs * sizeof(subwordio_pair));
    memset(table->long_slots, 0, (size_t)table->long_pairs * 2 * sizeof(subwordio_long_slot));
    return 1;
}

static inline void subwordio_table_free(subwordio_table *table) {
    free(table->memory);
    table->memory = NULL;
}

/* For checks: the chunk of a slot, as bytes; returns how many. */
static inline size_t subwordio_unpack(const uint64_t *words, int n, uint8_t *out) {
    for (int k = 0; k < 8 * n; k++) out[k] = (uint8_t)(words[k / 8] >> 8 * (k % 8));
    return n == 2 ? out[15] & 15 : out[8 * n - 1];
}

/* For checks: how many slots there are. */
static inline size_t subwordio_slots(const subwordio_table *table) {
    return table->memory == NULL ? 0 : 2 * ((size_t)table->pairs + table->long_pairs);
}

/* For checks: what slot k holds, a chunk of up to 32 bytes, whose size is returned (0: the slot is free), and `*count` of its
   ids, or SUBWORDIO_ELSEWHERE and none. */
static inline size_t subwordio_read_slot(const subwordio_table *table, size_t k, uint8_t *chunk, uint32_t *ids,
                                         size_t *count) {
    if (k < 2 * (size_t)table->pairs) {
        const subwordio_pair *pair = table->slots + k / 2;
        const uint64_t high = pair->key[k % 2][1], key[2] = {pair->key[k % 2][0], subwordio_of_chunk(high)};
        *count = subwordio_is_elsewhere(high) ? SUBWORDIO_ELSEWHERE : high >> 60;
        if (*count != SUBWORDIO_ELSEWHERE) subwordio_all_ids(table->form, ids, pair->ids[k % 2]);
        return subwordio_unpack(key, 2, chunk);
    }
    const subwordio_long_slot *slot = table->long_slots + (k - 2 * (size_t)table->pairs);
    *count = slot->count;
    subwordio_write_long(table, slot, ids);
    return subwordio_unpack(slot->key, 4, chunk);
}
#endif
