/* A table of fixed size from chunks to their ids: exact, since whole keys are compared.

   A chunk of at most 15 bytes is two 64-bit words: its bytes, zeros, and its length in the last byte; a slot of 32 bytes
   holds it and its ids. A chunk of 16 to 31 bytes, or with more ids than fit there, has a slot of 64 bytes in the same
   manner. Slots come in pairs, which are looked at in one go. A chunk has several pairs, so that few are crowded out: a
   first one, of short slots the one beside it, which the processor fetches along, and another far off. What is new takes
   a free slot, or else the first one of the first pair, and what was there the second. */
#ifndef SUBWORDIO_CHUNKTABLE_H
#define SUBWORDIO_CHUNKTABLE_H
#include <stdint.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "subwordio/largepages.h"
#include "subwordio/vectors.h"

enum {
    SUBWORDIO_SHORT = 15, SUBWORDIO_LONG = 31,          /* bytes of a chunk in a slot, and in a long slot */
    SUBWORDIO_ELSEWHERE = 15,                     /* instead of the number of ids: they are in a long slot */
    SUBWORDIO_BATCH = 64,                         /* chunks whose slots are fetched before the first is looked at */
    SUBWORDIO_TAIL = 64,                          /* bytes at a text's end that are read from a copy: the most of a key */
    SUBWORDIO_ROOM = 14                           /* the most ids of any slot */
};

/* The forms of ids: 16 bits each where all are below 2^16, 18 bits below 2^18, else 32. By form, how many fit. */
enum { SUBWORDIO_16_BITS, SUBWORDIO_18_BITS, SUBWORDIO_32_BITS };
enum { SUBWORDIO_ID_BYTES = 16, SUBWORDIO_LONG_ID_BYTES = 28 };
static const uint8_t subwordio_id_bits[3] = {16, 18, 32}, subwordio_fit[3] = {8, 7, 4}, subwordio_fit_long[3] = {14, 12, 7};

typedef struct {
    uint64_t low;                   /* bytes 0 to 7 */
    uint64_t high;                  /* bytes 8 to 14; 4 bits of length (0: the slot is free), 4 bits of number of ids */
    uint8_t ids[SUBWORDIO_ID_BYTES];
} subwordio_slot;

typedef struct {
    uint64_t key[4];                /* bytes 0 to 30, then the length; 0: the slot is free */
    uint8_t ids[SUBWORDIO_LONG_ID_BYTES];
    uint32_t count;                 /* of the ids */
} subwordio_long_slot;

typedef struct {
    void *memory;                   /* what is allocated; NULL: no table yet */
    subwordio_slot *slots;                /* `pairs` pairs */
    subwordio_long_slot *long_slots;      /* `long_pairs` pairs */
    uint32_t pairs;
    uint32_t long_pairs;
    int form;                       /* of the ids */
    int way;                        /* vectors.h */
    uint64_t chunks;                /* looked up */
    uint64_t missed;                /* not found, or longer than a key */
    uint64_t slots_read;            /* compared with a chunk */
} subwordio_table;

typedef struct {                    /* a chunk that is looked for among the long slots */
    uint64_t key[4];
    subwordio_long_slot *pairs[2];
} subwordio_long_key;

typedef struct {                    /* chunks looked up together */
    uint64_t low[SUBWORDIO_BATCH];
    uint64_t high[SUBWORDIO_BATCH];
    uint64_t hash[SUBWORDIO_BATCH];
    subwordio_slot *pair[SUBWORDIO_BATCH];
    subwordio_long_key longs[SUBWORDIO_BATCH];      /* of those that are too long for a slot and not for a long one */
} subwordio_batch;

/* The bits that belong to a chunk of n bytes, and its length; a longer one has length 0 here. */
static const uint64_t subwordio_masks[SUBWORDIO_SHORT + 2][3] = {
#define SUBWORDIO_L(n) ((uint64_t)(n) << 56)
    {0, 0, SUBWORDIO_L(0)},
    {0xFF, 0, SUBWORDIO_L(1)}, {0xFFFF, 0, SUBWORDIO_L(2)}, {0xFFFFFF, 0, SUBWORDIO_L(3)},
    {0xFFFFFFFF, 0, SUBWORDIO_L(4)},
    {0xFFFFFFFFFF, 0, SUBWORDIO_L(5)}, {0xFFFFFFFFFFFF, 0, SUBWORDIO_L(6)}, {0xFFFFFFFFFFFFFF, 0, SUBWORDIO_L(7)},
    {0xFFFFFFFFFFFFFFFF, 0, SUBWORDIO_L(8)},
    {0xFFFFFFFFFFFFFFFF, 0xFF, SUBWORDIO_L(9)}, {0xFFFFFFFFFFFFFFFF, 0xFFFF, SUBWORDIO_L(10)},
    {0xFFFFFFFFFFFFFFFF, 0xFFFFFF, SUBWORDIO_L(11)}, {0xFFFFFFFFFFFFFFFF, 0xFFFFFFFF, SUBWORDIO_L(12)},
    {0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFF, SUBWORDIO_L(13)}, {0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFF, SUBWORDIO_L(14)},
    {0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF, SUBWORDIO_L(15)},
    {0, 0, 0},
};

static inline uint64_t subwordio_load(const uint8_t *s) {         /* 8 bytes, the first the lowest */
    uint64_t word;
    memcpy(&word, s, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static inline void subwordio_prefetch(const void *at) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(at);
#else
    (void)at;
#endif
}

static inline uint64_t subwordio_mix(uint64_t h) {
    h *= 0x9E3779B97F4A7C15u;
    return h ^ h >> 32;
}

static inline size_t subwordio_scaled(uint64_t h, uint32_t n) {   /* a place below n, by the upper half of h */
    return (size_t)((h >> 32) * n >> 32);
}

static inline uint64_t subwordio_hash(uint64_t low, uint64_t high) {
    return subwordio_mix(low * 0xD6E8FEB86659FD93u ^ subwordio_mix(high));
}

/* A chunk's first pair, and the one far off. */
static inline subwordio_slot *subwordio_first(const subwordio_table *table, uint64_t hash) {
    return table->slots + 2 * subwordio_scaled(hash, table->pairs);
}

static inline subwordio_slot *subwordio_second(const subwordio_table *table, uint64_t hash) {
    return table->slots + 2 * subwordio_scaled(hash * 0xE7037ED1A0B428DBu, table->pairs);
}

/* So many bytes of 0xFF, as words that may be loaded from any place: those that belong to a chunk, and none behind. */
static const uint8_t subwordio_window[128] = {
#define SUBWORDIO_8 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF
    SUBWORDIO_8, SUBWORDIO_8, SUBWORDIO_8, SUBWORDIO_8, SUBWORDIO_8, SUBWORDIO_8, SUBWORDIO_8, SUBWORDIO_8,
};

/* Words of the chunk s[0:length], length < 8 * words <= 64, zeros behind it, and its length in the last byte. It is read
   as far as 8 * words bytes. */
static inline void subwordio_mask(uint64_t *key, int words, const uint8_t *s, size_t length) {
    for (int k = 0; k < words; k++)
        key[k] = subwordio_load(s + 8 * k) & subwordio_load(subwordio_window + 64 - length + 8 * k);
    key[words - 1] |= (uint64_t)length << 56;
}

static inline void subwordio_place_long(const subwordio_table *table, subwordio_long_key *chunk) {
    const uint64_t hash = subwordio_hash(subwordio_hash(chunk->key[0], chunk->key[1]) + chunk->key[2], chunk->key[3]);
    chunk->pairs[0] = table->long_slots + 2 * subwordio_scaled(hash, table->long_pairs);
    chunk->pairs[1] = table->long_slots + 2 * subwordio_scaled(hash * 0xE7037ED1A0B428DBu, table->long_pairs);
}

static inline void subwordio_pack_long(const subwordio_table *table, subwordio_long_key *chunk, const uint8_t *s,
                                       size_t n) {
    uint8_t bytes[32] = {0};
    memcpy(bytes, s, n);
    subwordio_mask(chunk->key, 4, bytes, n);
    subwordio_place_long(table, chunk);
}

/* Copy the last bytes of text[0:n] to `tail`, of 2 * SUBWORDIO_TAIL bytes. */
static inline void subwordio_copy_tail(const uint8_t *text, size_t n, uint8_t *tail) {
    const size_t size = n < SUBWORDIO_TAIL ? n : SUBWORDIO_TAIL;
    memcpy(tail, text + (n - size), size);
    memset(tail + size, 0, 2 * SUBWORDIO_TAIL - size);
}

/* Where the 64 bytes from text[begin] on can be read: in it, or in `tail`, which has text[n - 64:n], or all of a shorter
   text, and 64 bytes more. */
static inline const uint8_t *subwordio_readable(const uint8_t *text, size_t n, const uint8_t *tail, size_t begin) {
    return begin + 64 <= n ? text + begin : tail + (begin - (n > 64 ? n - 64 : 0));
}

/* Key and place of chunk i, text[begin:begin + length]. */
static inline void subwordio_pack_one(const subwordio_table *table, subwordio_batch *batch, size_t i, const uint8_t *text,
                                      size_t n, const uint8_t *tail, size_t begin, size_t length) {
    const uint8_t *s = subwordio_readable(text, n, tail, begin);
    const uint64_t *mask = subwordio_masks[length <= SUBWORDIO_SHORT ? length : SUBWORDIO_SHORT + 1];
    const uint64_t low = subwordio_load(s) & mask[0], high = (subwordio_load(s + 8) & mask[1]) | mask[2];
    const uint64_t hash = subwordio_hash(low, high);
    batch->low[i] = low;
    batch->high[i] = high;
    batch->hash[i] = hash;
    batch->pair[i] = subwordio_first(table, hash);
    subwordio_prefetch(batch->pair[i]);
    if (length > SUBWORDIO_SHORT && length <= SUBWORDIO_LONG) {
        subwordio_long_key *chunk = &batch->longs[i];
        subwordio_mask(chunk->key, 4, s, length);
        subwordio_place_long(table, chunk);
        subwordio_prefetch(chunk->pairs[0]);
        subwordio_prefetch(chunk->pairs[0] + 1);
    }
}

/* The m <= SUBWORDIO_BATCH chunks edges[0] to edges[1], edges[2] to edges[3] ... */
static inline void subwordio_pack(const subwordio_table *table, subwordio_batch *batch, const uint8_t *text, size_t n,
                                  const uint8_t *tail, const uint32_t *edges, size_t m) {
    for (size_t i = 0; i < m; i++)
        subwordio_pack_one(table, batch, i, text, n, tail, edges[2 * i], edges[2 * i + 1] - edges[2 * i]);
}

/* The same of chunks in a row: edges[0] to edges[1], edges[1] to edges[2] ... */
static inline void subwordio_pack_row(const subwordio_table *table, subwordio_batch *batch, const uint8_t *text, size_t n,
                                      const uint8_t *tail, const uint32_t *edges, size_t m) {
    for (size_t i = 0; i < m; i++)
        subwordio_pack_one(table, batch, i, text, n, tail, edges[i], edges[i + 1] - edges[i]);
}

/* Chunk i of one batch becomes chunk k of another. */
static inline void subwordio_set_aside(const subwordio_batch *batch, size_t i, subwordio_batch *other, size_t k) {
    other->low[k] = batch->low[i];
    other->high[k] = batch->high[i];
    other->hash[k] = batch->hash[i];
    other->pair[k] = batch->pair[i];
    if (batch->high[i] >> 56 == 0) other->longs[k] = batch->longs[i];
}

/* Ids of so many bits, the lowest first, in bytes[0:size]. */
static inline void subwordio_put_ids(uint8_t *bytes, size_t size, unsigned bits, const uint32_t *ids, size_t count) {
    uint64_t waiting = 0;
    unsigned held = 0;
    size_t at = 0;
    memset(bytes, 0, size);
    for (size_t k = 0; k < count; k++) {
        waiting |= (uint64_t)ids[k] << held;
        for (held += bits; held >= 8; held -= 8, waiting >>= 8) bytes[at++] = (uint8_t)waiting;
    }
    if (held > 0) bytes[at] = (uint8_t)waiting;
}

/* The first `count` of them; none crosses four bytes. */
static inline void subwordio_get_ids(const uint8_t *bytes, size_t size, unsigned bits, uint32_t *ids, size_t count) {
    for (size_t k = 0; k < count; k++) {
        const size_t at = bits * k / 8 < size - 4 ? bits * k / 8 : size - 4;
        const uint32_t four = bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16 |
                              (uint32_t)bytes[at + 3] << 24;
        ids[k] = four >> (bits * k - 8 * at) & (uint32_t)((1ull << bits) - 1);
    }
}

/* Write the ids of a slot, and more that mean nothing: room for 8. Returns the place behind its own. */
static inline uint32_t *subwordio_write_16(uint32_t *out, const subwordio_slot *slot) {
#if SUBWORDIO_X86
    const __m128i eight = _mm_loadu_si128((const __m128i *)slot->ids), zero = _mm_setzero_si128();
    _mm_storeu_si128((__m128i *)out, _mm_unpacklo_epi16(eight, zero));
    _mm_storeu_si128((__m128i *)(out + 4), _mm_unpackhi_epi16(eight, zero));
#else
    subwordio_get_ids(slot->ids, SUBWORDIO_ID_BYTES, 16, out, 8);
#endif
    return out + (slot->high >> 60);
}

static inline uint32_t *subwordio_write_18(uint32_t *out, const subwordio_slot *slot) {
    subwordio_get_ids(slot->ids, SUBWORDIO_ID_BYTES, 18, out, 7);
    return out + (slot->high >> 60);
}

static inline uint32_t *subwordio_write_32(uint32_t *out, const subwordio_slot *slot) {
    subwordio_get_ids(slot->ids, SUBWORDIO_ID_BYTES, 32, out, 4);
    return out + (slot->high >> 60);
}

#if SUBWORDIO_X86
/* Each lane takes the four bytes in which its 18 bits are, and moves them down. */
__attribute__((target("avx2,bmi,popcnt")))
static inline uint32_t *subwordio_write_18_avx2(uint32_t *out, const subwordio_slot *slot) {
    const __m256i bytes = _mm256_setr_epi8(0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7, 8, 9,
                                           9, 10, 11, 12, 11, 12, 13, 14, 12, 13, 14, 15, -1, -1, -1, -1);
    const __m256i down = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 12, 0);
    const __m256i both = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)slot->ids));
    const __m256i lanes = _mm256_srlv_epi32(_mm256_shuffle_epi8(both, bytes), down);
    _mm256_storeu_si256((__m256i *)out, _mm256_and_si256(lanes, _mm256_set1_epi32(0x3FFFF)));
    return out + (slot->high >> 60);
}
#endif

static inline uint32_t *subwordio_write(const subwordio_table *table, const subwordio_slot *slot, uint32_t *out) {
    return table->form == SUBWORDIO_16_BITS ? subwordio_write_16(out, slot)
           : table->form == SUBWORDIO_18_BITS ? subwordio_write_18(out, slot) : subwordio_write_32(out, slot);
}

/* One loop for every form: see subwordio_found. */
#define SUBWORDIO_FOUND_LOOP(write) \
    uint32_t *out = ids + *length; \
    for (; i < m; i++) { \
        const subwordio_slot *slot = batch->pair[i]; \
        const uint64_t low = batch->low[i], high = batch->high[i]; \
        const uint64_t first = (slot[0].low ^ low) | (slot[0].high ^ high) << 4; \
        const uint64_t second = (slot[1].low ^ low) | (slot[1].high ^ high) << 4; \
        slot += second == 0; \
        if (((first != 0) & (second != 0)) | (slot->high >> 60 == SUBWORDIO_ELSEWHERE) | (high >> 56 == 0)) break; \
        out = write(out, slot); \
    } \
    *length = (size_t)(out - ids); \
    return i;

#define SUBWORDIO_FOUND_ARGUMENTS const subwordio_batch *batch, size_t i, size_t m, uint32_t *ids, size_t *length

static inline size_t subwordio_found_16(SUBWORDIO_FOUND_ARGUMENTS) { SUBWORDIO_FOUND_LOOP(subwordio_write_16) }
static inline size_t subwordio_found_18(SUBWORDIO_FOUND_ARGUMENTS) { SUBWORDIO_FOUND_LOOP(subwordio_write_18) }
static inline size_t subwordio_found_32(SUBWORDIO_FOUND_ARGUMENTS) { SUBWORDIO_FOUND_LOOP(subwordio_write_32) }
#if SUBWORDIO_X86
__attribute__((target("avx2,bmi,popcnt")))
static inline size_t subwordio_found_18_avx2(SUBWORDIO_FOUND_ARGUMENTS) { SUBWORDIO_FOUND_LOOP(subwordio_write_18_avx2) }
#endif

/* Write the ids of chunks i, i + 1 ... behind ids[0:*length] up to the first, below m, whose ids are not in its first
   pair; returns it. Room for 8 ids a chunk. */
static inline size_t subwordio_found(const subwordio_table *table, const subwordio_batch *batch, size_t i, size_t m,
                                     uint32_t *ids, size_t *length) {
    if (table->form == SUBWORDIO_16_BITS) return subwordio_found_16(batch, i, m, ids, length);
    if (table->form == SUBWORDIO_32_BITS) return subwordio_found_32(batch, i, m, ids, length);
#if SUBWORDIO_X86
    if (table->way >= SUBWORDIO_AVX2) return subwordio_found_18_avx2(batch, i, m, ids, length);
#endif
    return subwordio_found_18(batch, i, m, ids, length);
}

static inline subwordio_slot *subwordio_beside(const subwordio_table *table, const subwordio_slot *pair) {
    return table->slots + ((size_t)(pair - table->slots) ^ 2);      /* there is an even number of pairs */
}

/* The slot of a short chunk, or NULL. A pair takes chunks only when those before it are full, and no slot is ever freed:
   where one has room there is no need to fetch the next. */
static inline const subwordio_slot *subwordio_find(subwordio_table *table, const subwordio_batch *batch, size_t i) {
    const subwordio_slot *pairs[3] = {batch->pair[i], subwordio_beside(table, batch->pair[i]),
                                      subwordio_second(table, batch->hash[i])};
    for (int k = 0; k < 6; k++) {
        const subwordio_slot *slot = pairs[k / 2] + k % 2;
        table->slots_read += 1;
        if (slot->high == 0) return NULL;
        if (((slot->low ^ batch->low[i]) | (slot->high ^ batch->high[i]) << 4) == 0) return slot;
    }
    return NULL;
}

static inline int subwordio_fits(const subwordio_table *table, size_t count) {
    return count <= subwordio_fit[table->form];
}

static inline int subwordio_fits_long(const subwordio_table *table, size_t count) {
    return count <= subwordio_fit_long[table->form];
}

/* Enter a short chunk that is not there: its ids, or SUBWORDIO_ELSEWHERE and none. */
static inline void subwordio_enter(subwordio_table *table, const subwordio_batch *batch, size_t i, const uint32_t *ids,
                                   size_t count) {
    subwordio_slot *first = batch->pair[i], *slot = NULL;
    subwordio_slot *pairs[3] = {first, subwordio_beside(table, first), subwordio_second(table, batch->hash[i])};
    for (int k = 0; k < 6 && slot == NULL; k++)
        if (pairs[k / 2][k % 2].high == 0) slot = pairs[k / 2] + k % 2;
    if (slot == NULL) {
        first[1] = first[0];
        slot = first;
    }
    slot->low = batch->low[i];
    slot->high = batch->high[i] | (uint64_t)count << 60;
    if (count != SUBWORDIO_ELSEWHERE)
        subwordio_put_ids(slot->ids, SUBWORDIO_ID_BYTES, subwordio_id_bits[table->form], ids, count);
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

static inline void subwordio_enter_long(const subwordio_table *table, const subwordio_long_key *chunk,
                                        const uint32_t *ids, size_t count) {
    subwordio_long_slot *slot = NULL;
    for (int k = 0; k < 4 && slot == NULL; k++)
        if (chunk->pairs[k / 2][k % 2].key[3] == 0) slot = chunk->pairs[k / 2] + k % 2;
    if (slot == NULL) {
        slot = chunk->pairs[0];
        slot[1] = slot[0];
    }
    memcpy(slot->key, chunk->key, sizeof(slot->key));
    slot->count = (uint32_t)count;
    subwordio_put_ids(slot->ids, SUBWORDIO_LONG_ID_BYTES, subwordio_id_bits[table->form], ids, count);
}

typedef struct {                    /* what is known of a chunk that its first pair does not hold */
    int known;                      /* a short slot says that its ids are in a long one */
    int packed;                     /* key is that of the chunk */
    subwordio_long_key key;
} subwordio_search;

/* Whether chunk i of a batch, s[0:n], is anywhere but in its first pair of slots; then its ids are written behind
   ids[0:*length], where there is room for SUBWORDIO_ROOM. */
static inline int subwordio_look_further(subwordio_table *table, const subwordio_batch *batch, size_t i,
                                         const uint8_t *s, size_t n, uint32_t *ids, size_t *length,
                                         subwordio_search *search) {
    search->known = search->packed = 0;
    if (n <= SUBWORDIO_SHORT) {
        const subwordio_slot *slot = subwordio_find(table, batch, i);
        if (slot == NULL) return 0;
        if (slot->high >> 60 != SUBWORDIO_ELSEWHERE) {
            *length = (size_t)(subwordio_write(table, slot, ids + *length) - ids);
            return 1;
        }
        search->known = 1;
    }
    if (n > SUBWORDIO_LONG) return 0;
    search->packed = 1;
    if (n > SUBWORDIO_SHORT) search->key = batch->longs[i];
    else subwordio_pack_long(table, &search->key, s, n);
    const subwordio_long_slot *slot = subwordio_find_long(table, &search->key);
    if (slot == NULL) return 0;
    subwordio_write_long(table, slot, ids + *length);
    *length += slot->count;
    return 1;
}

/* Enter that chunk, which is not there, with its ids, where they fit. */
static inline void subwordio_keep(subwordio_table *table, const subwordio_batch *batch, size_t i, const uint8_t *s,
                                  size_t n, const uint32_t *ids, size_t count, subwordio_search *search) {
    const int is_new = n <= SUBWORDIO_SHORT && !search->known;
    if (is_new && subwordio_fits(table, count)) {
        subwordio_enter(table, batch, i, ids, count);
        return;
    }
    if (n > SUBWORDIO_LONG || !subwordio_fits_long(table, count)) return;
    if (!search->packed) subwordio_pack_long(table, &search->key, s, n);
    subwordio_enter_long(table, &search->key, ids, count);
    if (is_new) subwordio_enter(table, batch, i, NULL, SUBWORDIO_ELSEWHERE);
}

static inline size_t subwordio_table_nbytes(const subwordio_table *table) {
    return table->memory == NULL ? 0 : (size_t)table->pairs * 2 * sizeof(subwordio_slot) +
                                       (size_t)table->long_pairs * 2 * sizeof(subwordio_long_slot);
}

/* Memory for a table of about `nbytes` bytes, of ids up to `last_id`: a quarter of it long slots. 0: there is none. */
static inline int subwordio_table_make(subwordio_table *table, size_t nbytes, uint32_t last_id) {
    size_t pairs = nbytes / 4 * 3 / (2 * sizeof(subwordio_slot));
    size_t long_pairs = nbytes / 4 / (2 * sizeof(subwordio_long_slot));
    pairs = pairs < 2 ? 2 : pairs > INT32_MAX ? INT32_MAX - 1 : pairs / 2 * 2;
    long_pairs = long_pairs < 1 ? 1 : long_pairs > INT32_MAX ? INT32_MAX : long_pairs;
    size_t size = pairs * 2 * sizeof(subwordio_slot) + long_pairs * 2 * sizeof(subwordio_long_slot);
    /* What lies before the boundary is never touched, so it costs no memory. */
    const size_t boundary = size >= 2 * (size_t)SUBWORDIO_LARGE_PAGE ? SUBWORDIO_LARGE_PAGE : 64;
    size += boundary;
    table->memory = calloc(size, 1);
    if (table->memory == NULL) return 0;
    prefer_large_pages(table->memory, size);
    const uintptr_t begin = ((uintptr_t)table->memory + boundary - 1) / boundary * boundary;
    table->form = last_id <= 0xFFFF ? SUBWORDIO_16_BITS : last_id <= 0x3FFFF ? SUBWORDIO_18_BITS : SUBWORDIO_32_BITS;
    table->way = subwordio_has_way(SUBWORDIO_AVX2) ? SUBWORDIO_AVX2 : SUBWORDIO_PLAIN;
    table->pairs = (uint32_t)pairs;
    table->long_pairs = (uint32_t)long_pairs;
    table->slots = (subwordio_slot *)begin;
    table->long_slots = (subwordio_long_slot *)(begin + pairs * 2 * sizeof(subwordio_slot));
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

/* For checks: what slot k holds, a chunk of up to 32 bytes, whose size is returned (0: the slot is free), and `*count` of its ids,
   or SUBWORDIO_ELSEWHERE and none. */
static inline size_t subwordio_read_slot(const subwordio_table *table, size_t k, uint8_t *chunk, uint32_t *ids,
                                         size_t *count) {
    if (k < 2 * (size_t)table->pairs) {
        const subwordio_slot *slot = table->slots + k;
        *count = slot->high >> 60;
        if (*count != SUBWORDIO_ELSEWHERE) subwordio_write(table, slot, ids);
        return subwordio_unpack(&slot->low, 2, chunk);
    }
    const subwordio_long_slot *slot = table->long_slots + (k - 2 * (size_t)table->pairs);
    *count = slot->count;
    subwordio_write_long(table, slot, ids);
    return subwordio_unpack(slot->key, 4, chunk);
}
#endif
