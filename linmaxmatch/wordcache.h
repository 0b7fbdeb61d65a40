/* A table of fixed size from chunks to their ids: exact, since whole keys are compared.

   A chunk of at most 15 bytes is two 64-bit words: its bytes, zeros, and its length in the last byte; a slot of 32 bytes
   holds it and its ids. A chunk of 16 to 31 bytes, or with more ids than fit there, has a slot of 64 bytes in the same
   manner. Slots come in pairs, which are looked at in one go. A chunk has two pairs, so that few are crowded out; what
   is new takes a free slot, or else the first one of the first pair, and what was there the second. */
#include <stdint.h>
#include <stddef.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum {
    LMM_SHORT = 15, LMM_LONG = 31,          /* bytes of a chunk in a slot, and in a long slot */
    LMM_ELSEWHERE = 15,                     /* instead of the number of ids: they are in a long slot */
    LMM_BATCH = 64,                         /* chunks whose slots are fetched before the first is looked at */
    LMM_ROOM = 14                           /* the most ids of any slot */
};

typedef union { uint16_t narrow[8]; uint32_t wide[4]; } lmm_ids;          /* narrow: where all ids are below 2^16 */
typedef union { uint16_t narrow[LMM_ROOM]; uint32_t wide[7]; } lmm_long_ids;

typedef struct {
    uint64_t low;                   /* bytes 0 to 7 */
    uint64_t high;                  /* bytes 8 to 14; then 4 bits of length (0: the slot is free), 4 bits of number of ids */
    lmm_ids ids;
} lmm_slot;

typedef struct {
    uint64_t key[4];                /* bytes 0 to 30, then the length; 0: the slot is free */
    lmm_long_ids ids;
    uint32_t count;                 /* of the ids */
} lmm_long_slot;

typedef struct {
    void *memory;                   /* what is allocated; NULL: no cache yet */
    lmm_slot *slots;                /* `pairs` pairs */
    lmm_long_slot *long_slots;      /* `long_pairs` pairs */
    uint32_t pairs;
    uint32_t long_pairs;
    int narrow;                     /* which of the two forms ids have */
    uint64_t chunks;                /* looked up */
    uint64_t missed;                /* not found, or longer than a key */
    uint64_t slots_read;            /* compared with a chunk */
} lmm_cache;

typedef struct {                    /* chunks looked up together */
    uint64_t low[LMM_BATCH];
    uint64_t high[LMM_BATCH];
    uint64_t hash[LMM_BATCH];
    lmm_slot *pair[LMM_BATCH];
} lmm_batch;

/* The bits that belong to a chunk of n bytes, and its length; a longer one has length 0 here. */
static const uint64_t lmm_masks[LMM_SHORT + 2][3] = {
#define LMM_L(n) ((uint64_t)(n) << 56)
    {0, 0, LMM_L(0)},
    {0xFF, 0, LMM_L(1)}, {0xFFFF, 0, LMM_L(2)}, {0xFFFFFF, 0, LMM_L(3)}, {0xFFFFFFFF, 0, LMM_L(4)},
    {0xFFFFFFFFFF, 0, LMM_L(5)}, {0xFFFFFFFFFFFF, 0, LMM_L(6)}, {0xFFFFFFFFFFFFFF, 0, LMM_L(7)},
    {0xFFFFFFFFFFFFFFFF, 0, LMM_L(8)},
    {0xFFFFFFFFFFFFFFFF, 0xFF, LMM_L(9)}, {0xFFFFFFFFFFFFFFFF, 0xFFFF, LMM_L(10)},
    {0xFFFFFFFFFFFFFFFF, 0xFFFFFF, LMM_L(11)}, {0xFFFFFFFFFFFFFFFF, 0xFFFFFFFF, LMM_L(12)},
    {0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFF, LMM_L(13)}, {0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFF, LMM_L(14)},
    {0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF, LMM_L(15)},
    {0, 0, 0},
};

static inline uint64_t lmm_load(const uint8_t *s) {         /* 8 bytes, the first the lowest */
    uint64_t word;
    memcpy(&word, s, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

static inline void lmm_prefetch(const void *at) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(at);
#else
    (void)at;
#endif
}

static inline uint64_t lmm_mix(uint64_t h) {
    h *= 0x9E3779B97F4A7C15u;
    return h ^ h >> 32;
}

static inline size_t lmm_scaled(uint64_t h, uint32_t n) {   /* a place below n, by the upper half of h */
    return (size_t)((h >> 32) * n >> 32);
}

static inline uint64_t lmm_hash(uint64_t low, uint64_t high) {
    return lmm_mix(low * 0xD6E8FEB86659FD93u ^ lmm_mix(high));
}

/* A chunk's two pairs. */
static inline lmm_slot *lmm_first(const lmm_cache *cache, uint64_t hash) {
    return cache->slots + 2 * lmm_scaled(hash, cache->pairs);
}

static inline lmm_slot *lmm_second(const lmm_cache *cache, uint64_t hash) {
    return cache->slots + 2 * lmm_scaled(hash * 0xE7037ED1A0B428DBu, cache->pairs);
}

typedef struct {                    /* a chunk that is looked for among the long slots */
    uint64_t key[4];
    lmm_long_slot *pairs[2];
} lmm_long_key;

static inline void lmm_pack_long(const lmm_cache *cache, lmm_long_key *chunk, const uint8_t *s, size_t n) {
    uint8_t bytes[32] = {0};
    memcpy(bytes, s, n);
    bytes[31] = (uint8_t)n;
    for (int k = 0; k < 4; k++) chunk->key[k] = lmm_load(bytes + 8 * k);
    const uint64_t hash = lmm_hash(lmm_hash(chunk->key[0], chunk->key[1]) + chunk->key[2], chunk->key[3]);
    chunk->pairs[0] = cache->long_slots + 2 * lmm_scaled(hash, cache->long_pairs);
    chunk->pairs[1] = cache->long_slots + 2 * lmm_scaled(hash * 0xE7037ED1A0B428DBu, cache->long_pairs);
}

/* Keys and places of the m <= LMM_BATCH chunks edges[0] to edges[1], edges[2] to edges[3] ... of text[0:n]. `tail` has
   text[n - 64:n], or all of a shorter text, and 16 bytes more. */
static inline void lmm_pack(const lmm_cache *cache, lmm_batch *batch, const uint8_t *text, size_t n,
                            const uint8_t *tail, const uint32_t *edges, size_t m) {
    const size_t from = n > 64 ? n - 64 : 0;
    for (size_t i = 0; i < m; i++) {
        const size_t begin = edges[2 * i], length = edges[2 * i + 1] - begin;
        const uint8_t *s = begin + 64 <= n ? text + begin : tail + (begin - from);
        const uint64_t *mask = lmm_masks[length <= LMM_SHORT ? length : LMM_SHORT + 1];
        const uint64_t low = lmm_load(s) & mask[0], high = (lmm_load(s + 8) & mask[1]) | mask[2];
        const uint64_t hash = lmm_hash(low, high);
        batch->low[i] = low;
        batch->high[i] = high;
        batch->hash[i] = hash;
        batch->pair[i] = lmm_first(cache, hash);
        lmm_prefetch(batch->pair[i]);
        if (length > LMM_SHORT && length <= LMM_LONG) {
            lmm_long_key chunk;
            lmm_pack_long(cache, &chunk, text + begin, length);
            lmm_prefetch(chunk.pairs[0]);
            lmm_prefetch(chunk.pairs[0] + 1);
        }
    }
}

static inline uint32_t *lmm_write(uint32_t *out, const lmm_slot *slot, int narrow) {
    if (narrow) {
#if defined(__SSE2__)
        const __m128i eight = _mm_loadu_si128((const __m128i *)slot->ids.narrow), zero = _mm_setzero_si128();
        _mm_storeu_si128((__m128i *)out, _mm_unpacklo_epi16(eight, zero));
        _mm_storeu_si128((__m128i *)(out + 4), _mm_unpackhi_epi16(eight, zero));
#else
        for (int k = 0; k < 8; k++) out[k] = slot->ids.narrow[k];
#endif
    }
    else memcpy(out, slot->ids.wide, sizeof(slot->ids.wide));
    return out + (slot->high >> 60);
}

static inline size_t lmm_found_as(const lmm_batch *batch, size_t i, size_t m, uint32_t *ids, size_t *length, int narrow) {
    uint32_t *out = ids + *length;
    for (; i < m; i++) {
        const lmm_slot *slot = batch->pair[i];
        const uint64_t low = batch->low[i], high = batch->high[i];
        const uint64_t first = (slot[0].low ^ low) | (slot[0].high ^ high) << 4;
        const uint64_t second = (slot[1].low ^ low) | (slot[1].high ^ high) << 4;
        slot += second == 0;
        if (((first != 0) & (second != 0)) | (slot->high >> 60 == LMM_ELSEWHERE) | (high >> 56 == 0)) break;
        out = lmm_write(out, slot, narrow);
    }
    *length = (size_t)(out - ids);
    return i;
}

/* Write the ids of chunks i, i + 1 ... behind ids[0:*length] up to the first, below m, whose ids are not in its first
   pair; returns it. Room for 8 ids a chunk. */
static inline size_t lmm_found(const lmm_cache *cache, const lmm_batch *batch, size_t i, size_t m, uint32_t *ids,
                               size_t *length) {
    return cache->narrow ? lmm_found_as(batch, i, m, ids, length, 1) : lmm_found_as(batch, i, m, ids, length, 0);
}

/* The slot of a short chunk, or NULL. The second pair takes chunks only when the first is full, and no slot is ever freed:
   while the first has room there is no need to fetch the second. */
static inline const lmm_slot *lmm_find(lmm_cache *cache, const lmm_batch *batch, size_t i) {
    const lmm_slot *pairs[2] = {batch->pair[i], lmm_second(cache, batch->hash[i])};
    for (int k = 0; k < 4; k++) {
        const lmm_slot *slot = pairs[k / 2] + k % 2;
        cache->slots_read += 1;
        if (slot->high == 0 && k < 2) return NULL;
        if (((slot->low ^ batch->low[i]) | (slot->high ^ batch->high[i]) << 4) == 0) return slot;
    }
    return NULL;
}

static inline int lmm_fits(const lmm_cache *cache, size_t count) {
    return count <= (cache->narrow ? 8 : 4);
}

static inline int lmm_fits_long(const lmm_cache *cache, size_t count) {
    return count <= (cache->narrow ? LMM_ROOM : 7);
}

/* Enter a short chunk that is not there: its ids, or LMM_ELSEWHERE and none. */
static inline void lmm_enter(lmm_cache *cache, const lmm_batch *batch, size_t i, const uint32_t *ids, size_t count) {
    lmm_slot *first = batch->pair[i], *second = lmm_second(cache, batch->hash[i]);
    lmm_slot *slot = !first[0].high ? first : !first[1].high ? first + 1 : !second[0].high ? second :
                     !second[1].high ? second + 1 : NULL;
    if (slot == NULL) {
        first[1] = first[0];
        slot = first;
    }
    slot->low = batch->low[i];
    slot->high = batch->high[i] | (uint64_t)count << 60;
    for (size_t k = 0; count != LMM_ELSEWHERE && k < count; k++)
        if (cache->narrow) slot->ids.narrow[k] = (uint16_t)ids[k];
        else slot->ids.wide[k] = ids[k];
}

static inline const lmm_long_slot *lmm_find_long(lmm_cache *cache, const lmm_long_key *chunk) {
    for (int k = 0; k < 4; k++) {
        const lmm_long_slot *slot = chunk->pairs[k / 2] + k % 2;
        cache->slots_read += 1;
        if (slot->key[3] == 0 && k < 2) return NULL;
        if (((slot->key[0] ^ chunk->key[0]) | (slot->key[1] ^ chunk->key[1]) | (slot->key[2] ^ chunk->key[2]) |
             (slot->key[3] ^ chunk->key[3])) == 0) return slot;
    }
    return NULL;
}

/* Write a slot's ids; room for LMM_ROOM of them. */
static inline void lmm_write_long(const lmm_cache *cache, const lmm_long_slot *slot, uint32_t *out) {
    if (cache->narrow) for (int k = 0; k < LMM_ROOM; k++) out[k] = slot->ids.narrow[k];
    else memcpy(out, slot->ids.wide, sizeof(slot->ids.wide));
}

static inline void lmm_enter_long(const lmm_cache *cache, const lmm_long_key *chunk, const uint32_t *ids, size_t count) {
    lmm_long_slot *slot = NULL;
    for (int k = 0; k < 4 && slot == NULL; k++)
        if (chunk->pairs[k / 2][k % 2].key[3] == 0) slot = chunk->pairs[k / 2] + k % 2;
    if (slot == NULL) {
        slot = chunk->pairs[0];
        slot[1] = slot[0];
    }
    memcpy(slot->key, chunk->key, sizeof(slot->key));
    slot->count = (uint32_t)count;
    for (size_t k = 0; k < count; k++)
        if (cache->narrow) slot->ids.narrow[k] = (uint16_t)ids[k];
        else slot->ids.wide[k] = ids[k];
}

/* For checks: the chunk of a slot, as bytes; returns how many. */
static inline size_t lmm_unpack(const uint64_t *words, int n, uint8_t *out) {
    for (int k = 0; k < 8 * n; k++) out[k] = (uint8_t)(words[k / 8] >> 8 * (k % 8));
    return n == 2 ? out[15] & 15 : out[31];
}
