/* Chunks as the table of chunks (chunktable.h) has them: their keys, and where those belong.

   A chunk of at most 15 bytes is two 64-bit words: its bytes, zeros, and its length in the last byte. A batch of chunks is
   packed before the first is looked at, so that the slots of all are fetched meanwhile; eight at a time, where the
   processor has instructions for it. All ways give the same keys and places. */
#ifndef SUBWORDIO_CHUNKKEYS_H
#define SUBWORDIO_CHUNKKEYS_H
#include <stdint.h>
#include <stddef.h>
#include <string.h>
#include "subwordio/packedids.h"
#include "subwordio/vectors.h"

enum {
    SUBWORDIO_SHORT = 15, SUBWORDIO_LONG = 31,    /* bytes of a chunk in a slot, and in a long slot */
    SUBWORDIO_ELSEWHERE = 15,                     /* instead of the number of ids: they are in a long slot */
    SUBWORDIO_BATCH = 64,                         /* chunks whose slots are fetched before the first is looked at */
    SUBWORDIO_TAIL = 64,                          /* bytes at a text's end, read from a copy: the most of a key */
    SUBWORDIO_GROWTH = 4, SUBWORDIO_GROWTHS = 1,  /* how a table grows, and how often */
    SUBWORDIO_LEAST = 16                          /* pairs, of either kind, with which a table begins that grows */
};

typedef struct {
    /* Of two chunks: bytes 0 to 7; then bytes 8 to 14, 4 bits of length, 4 bits of number of ids. Where the ids are
       elsewhere, 4 bits of zeros and the length. 0: the slot is free. */
    uint64_t key[2][2];
    uint8_t ids[2][SUBWORDIO_ID_BYTES];
} subwordio_pair;

typedef struct {
    uint64_t key[4];                /* bytes 0 to 30, then the length; 0: the slot is free */
    uint8_t ids[SUBWORDIO_LONG_ID_BYTES];
    uint32_t count;                 /* of the ids */
} subwordio_long_slot;

typedef struct {
    void *memory;                   /* for the full table; NULL: no table yet */
    void *more;                     /* other memory, behind it */
    subwordio_pair *slots;          /* `pairs` pairs, of the `most_pairs` that there may be */
    subwordio_long_slot *long_slots;        /* `long_pairs` pairs, of `most_long_pairs` */
    uint32_t pairs, most_pairs;
    uint32_t long_pairs, most_long_pairs;
    uint32_t filled, long_filled;   /* slots */
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
    uint64_t key[SUBWORDIO_BATCH][2];               /* as in a slot, the number of ids 0 */
    subwordio_pair *pair[SUBWORDIO_BATCH];
    subwordio_long_key longs[SUBWORDIO_BATCH];      /* of those that are too long for a slot and not for a long one */
} subwordio_batch;

#define SUBWORDIO_L(n) ((uint64_t)(n) << 56)
/* The bits that belong to a chunk of n bytes, and its length. A longer one has a key that no chunk has: its length is 1,
   and byte 8 is not 0. */
static const uint64_t subwordio_masks[SUBWORDIO_SHORT + 2][3] = {
    {0, 0, SUBWORDIO_L(0)},
    {0xFF, 0, SUBWORDIO_L(1)}, {0xFFFF, 0, SUBWORDIO_L(2)}, {0xFFFFFF, 0, SUBWORDIO_L(3)},
    {0xFFFFFFFF, 0, SUBWORDIO_L(4)},
    {0xFFFFFFFFFF, 0, SUBWORDIO_L(5)}, {0xFFFFFFFFFFFF, 0, SUBWORDIO_L(6)}, {0xFFFFFFFFFFFFFF, 0, SUBWORDIO_L(7)},
    {0xFFFFFFFFFFFFFFFF, 0, SUBWORDIO_L(8)},
    {0xFFFFFFFFFFFFFFFF, 0xFF, SUBWORDIO_L(9)}, {0xFFFFFFFFFFFFFFFF, 0xFFFF, SUBWORDIO_L(10)},
    {0xFFFFFFFFFFFFFFFF, 0xFFFFFF, SUBWORDIO_L(11)}, {0xFFFFFFFFFFFFFFFF, 0xFFFFFFFF, SUBWORDIO_L(12)},
    {0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFF, SUBWORDIO_L(13)}, {0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFF, SUBWORDIO_L(14)},
    {0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFF, SUBWORDIO_L(15)},
    {0, 0, SUBWORDIO_L(1) | 0xFF},
};

static inline void subwordio_prefetch(const void *at) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(at);
#else
    (void)at;
#endif
}

#define SUBWORDIO_BY_LOW 0x9E3779B97F4A7C15u
#define SUBWORDIO_BY_HIGH 0xD6E8FEB86659FD93u

/* Only its upper half is good, which is what says a place. */
static inline uint64_t subwordio_hash(uint64_t low, uint64_t high) {
    return low * SUBWORDIO_BY_LOW + high * SUBWORDIO_BY_HIGH;
}

static inline size_t subwordio_scaled(uint64_t h, uint32_t n) {     /* a place below n: the part of n that h is of 2^64 */
    return (size_t)((h >> 32) * n >> 32);
}

static inline uint64_t subwordio_far(uint64_t hash) { return hash * 0xE7037ED1A0B428DBu; }

/* Where the pairs of a chunk are, from the first one on, i = 0, 1, 2. */
static inline size_t subwordio_home(const subwordio_table *table, uint64_t hash, size_t first, int i) {
    return i < 2 ? first ^ (size_t)i                                        /* their number is even */
                 : subwordio_scaled(subwordio_far(hash), table->pairs);
}

static inline uint64_t subwordio_long_hash(const uint64_t *key) {
    const uint64_t h = subwordio_hash(key[0], key[1]);
    return subwordio_hash((h ^ h >> 32) + key[2], key[3]);
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
    const uint64_t hash = subwordio_long_hash(chunk->key);
    chunk->pairs[0] = table->long_slots + 2 * subwordio_scaled(hash, table->long_pairs);
    chunk->pairs[1] = table->long_slots + 2 * subwordio_scaled(subwordio_far(hash), table->long_pairs);
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

/* Key and place of chunk i, s[0:length], if it may be in a long slot; s[0:32] can be read. */
static inline void subwordio_pack_longer(const subwordio_table *table, subwordio_batch *batch, size_t i, const uint8_t *s,
                                         size_t length) {
    if (length <= SUBWORDIO_SHORT || length > SUBWORDIO_LONG) return;
    subwordio_long_key *chunk = &batch->longs[i];
    subwordio_mask(chunk->key, 4, s, length);
    subwordio_place_long(table, chunk);
    subwordio_prefetch(chunk->pairs[0]);
    subwordio_prefetch(chunk->pairs[0] + 1);
}

/* Key and place of chunk i, s[0:length]; s[0:32] can be read. */
static inline void subwordio_pack_one(const subwordio_table *table, subwordio_batch *batch, size_t i, const uint8_t *s,
                                      size_t length) {
    const uint64_t *mask = subwordio_masks[length <= SUBWORDIO_SHORT ? length : SUBWORDIO_SHORT + 1];
    const uint64_t low = subwordio_load(s) & mask[0], high = (subwordio_load(s + 8) & mask[1]) | mask[2];
    batch->key[i][0] = low;
    batch->key[i][1] = high;
    batch->pair[i] = table->slots + subwordio_scaled(subwordio_hash(low, high), table->pairs);
    subwordio_prefetch(batch->pair[i]);
    subwordio_pack_longer(table, batch, i, s, length);
}

#if SUBWORDIO_X86
/* subwordio_pack_one of eight chunks, which begin at text + begins and have so many bytes. */
__attribute__((target("avx512f,avx512dq,avx512bw,avx512vbmi2,bmi,popcnt")))
static inline void subwordio_pack_eight(const subwordio_table *table, subwordio_batch *batch, size_t i,
                                        const uint8_t *text, __m256i begins, __m256i sizes) {
    const __m512i size = _mm512_cvtepu32_epi64(sizes), bits = _mm512_slli_epi64(size, 3), ones = _mm512_set1_epi64(-1);
    const __mmask8 longer = _mm512_cmpgt_epu64_mask(size, _mm512_set1_epi64(SUBWORDIO_SHORT));
    /* A shift by 64 and more leaves nothing. */
    const __m512i left = _mm512_sub_epi64(_mm512_set1_epi64(64), bits);
    const __m512i first = _mm512_srlv_epi64(ones, _mm512_max_epi64(left, _mm512_setzero_si512()));
    const __m512i second = _mm512_srlv_epi64(ones, _mm512_sub_epi64(_mm512_set1_epi64(128), bits));
    const __m512i lower = _mm512_i32gather_epi64(begins, (const void *)text, 1);
    const __m512i low = _mm512_maskz_and_epi64((__mmask8)~longer, lower, first);
    const __m512i upper = _mm512_and_si512(_mm512_i32gather_epi64(begins, (const void *)(text + 8), 1), second);
    const __m512i high = _mm512_mask_mov_epi64(_mm512_or_si512(upper, _mm512_slli_epi64(size, 56)), longer,
                                               _mm512_set1_epi64((int64_t)subwordio_masks[SUBWORDIO_SHORT + 1][2]));
    const __m512i hash = _mm512_add_epi64(_mm512_mullo_epi64(low, _mm512_set1_epi64((int64_t)SUBWORDIO_BY_LOW)),
                                          _mm512_mullo_epi64(high, _mm512_set1_epi64((int64_t)SUBWORDIO_BY_HIGH)));
    const __m512i scaled = _mm512_mul_epu32(_mm512_srli_epi64(hash, 32), _mm512_set1_epi64(table->pairs));
    const __m512i slots = _mm512_set1_epi64((int64_t)(intptr_t)table->slots);
    const __m512i pair = _mm512_add_epi64(_mm512_slli_epi64(_mm512_srli_epi64(scaled, 32), 6), slots);
    _mm512_storeu_si512((void *)batch->key[i],
                        _mm512_permutex2var_epi64(low, _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11), high));
    _mm512_storeu_si512((void *)batch->key[i + 4],
                        _mm512_permutex2var_epi64(low, _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15), high));
    _mm512_storeu_si512((void *)(batch->pair + i), pair);
    for (int j = 0; j < 8; j++) subwordio_prefetch(batch->pair[i + j]);
    if (longer) {
        uint32_t begin[8], length[8];
        _mm256_storeu_si256((__m256i *)begin, begins);
        _mm256_storeu_si256((__m256i *)length, sizes);
        for (int j = 0; j < 8; j++) subwordio_pack_longer(table, batch, i + j, text + begin[j], length[j]);
    }
}

__attribute__((target("avx512f,avx512dq,avx512bw,avx512vbmi2,bmi,popcnt")))
static inline size_t subwordio_pack_eights(const subwordio_table *table, subwordio_batch *batch, const uint8_t *text,
                                           size_t n, const uint32_t *edges, size_t m, size_t apart) {
    size_t i = 0;
    if (n > INT32_MAX) return 0;                            /* a gather's index has a sign */
    for (; i + 8 <= m && edges[apart * (i + 7)] + (size_t)SUBWORDIO_TAIL <= n; i += 8) {
        __m256i begins, ends;
        if (apart == 1) {
            begins = _mm256_loadu_si256((const __m256i *)(edges + i));
            ends = _mm256_loadu_si256((const __m256i *)(edges + i + 1));
        }
        else {
            const __m512i both = _mm512_loadu_si512((const void *)(edges + 2 * i));
            begins = _mm512_cvtepi64_epi32(both);
            ends = _mm512_cvtepi64_epi32(_mm512_srli_epi64(both, 32));
        }
        subwordio_pack_eight(table, batch, i, text, begins, _mm256_sub_epi32(ends, begins));
    }
    return i;
}
#endif

/* The chunks edges[i] to edges[i + 1], for m <= SUBWORDIO_BATCH values of i, `apart` apart. `tail` as for
   subwordio_readable. */
static inline void subwordio_pack_some(const subwordio_table *table, subwordio_batch *batch, const uint8_t *text,
                                       size_t n, const uint8_t *tail, const uint32_t *edges, size_t m, size_t apart) {
    size_t i = 0;
#if SUBWORDIO_X86
    if (table->way == SUBWORDIO_AVX512) i = subwordio_pack_eights(table, batch, text, n, edges, m, apart);
#endif
    for (; i < m; i++)
        subwordio_pack_one(table, batch, i, subwordio_readable(text, n, tail, edges[apart * i]),
                           edges[apart * i + 1] - edges[apart * i]);
}

/* Chunk i of one batch becomes chunk k of another, all but its place, which a table that grows may change. */
static inline void subwordio_set_aside(const subwordio_batch *batch, size_t i, subwordio_batch *other, size_t k) {
    memcpy(other->key[k], batch->key[i], sizeof(other->key[k]));
    if (batch->key[i][1] == subwordio_masks[SUBWORDIO_SHORT + 1][2]) other->longs[k] = batch->longs[i];
}
#endif
