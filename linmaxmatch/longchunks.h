/* Chunks of 16 to 63 bytes that a slot of subwordio/chunktable.h does not hold: a table in the same manner, with two
   pairs of slots for a chunk, whose slots hold longer keys and more ids. */
#ifndef LMM_LONGCHUNKS_H
#define LMM_LONGCHUNKS_H
#include "subwordio/chunktable.h"

enum { LMM_LONGEST = 63, LMM_MOST_IDS = 15 };           /* bytes of a chunk, and ids, in a slot */

typedef struct {
    uint64_t key[8];                /* the bytes, zeros, and in the last byte the length; 0: the slot is free */
    uint32_t ids[LMM_MOST_IDS];
    uint32_t count;                 /* of the ids */
} lmm_long_slot;

typedef struct {
    void *memory;                   /* what is allocated; NULL: no table yet */
    lmm_long_slot *slots;           /* `pairs` pairs */
    uint32_t pairs;
} lmm_long_table;

typedef struct {                    /* a chunk, and its two pairs */
    uint64_t key[8];
    lmm_long_slot *pairs[2];
} lmm_long_key;

static inline size_t lmm_long_nbytes(const lmm_long_table *table) {
    return table->memory == NULL ? 0 : (size_t)table->pairs * 2 * sizeof(lmm_long_slot);
}

/* Memory for a table of about `nbytes` bytes. 0: there is none. */
static inline int lmm_long_make(lmm_long_table *table, size_t nbytes) {
    size_t pairs = nbytes / (2 * sizeof(lmm_long_slot));
    pairs = pairs < 1 ? 1 : pairs > INT32_MAX ? INT32_MAX : pairs;
    table->memory = calloc(pairs * 2 * sizeof(lmm_long_slot) + 64, 1);
    if (table->memory == NULL) return 0;
    table->slots = (lmm_long_slot *)(((uintptr_t)table->memory + 63) / 64 * 64);
    table->pairs = (uint32_t)pairs;
    return 1;
}

static inline void lmm_long_free(lmm_long_table *table) {
    free(table->memory);
    table->memory = NULL;
}

/* Of the chunk s[0:n]; 64 bytes are read. */
static inline void lmm_long_pack(const lmm_long_table *table, lmm_long_key *chunk, const uint8_t *s, size_t n) {
    uint64_t hash = 0;
    subwordio_mask(chunk->key, 8, s, n);
    for (int k = 0; k < 8; k += 2) hash = subwordio_hash(hash + chunk->key[k], chunk->key[k + 1]);
    chunk->pairs[0] = table->slots + 2 * subwordio_scaled(hash, table->pairs);
    chunk->pairs[1] = table->slots + 2 * subwordio_scaled(hash * 0xE7037ED1A0B428DBu, table->pairs);
}

static inline const lmm_long_slot *lmm_long_find(const lmm_long_key *chunk) {
    for (int k = 0; k < 4; k++) {
        const lmm_long_slot *slot = chunk->pairs[k / 2] + k % 2;
        if (memcmp(slot->key, chunk->key, sizeof(slot->key)) == 0) return slot;
    }
    return NULL;
}

static inline const lmm_long_slot *lmm_long_first(const lmm_long_key *chunk) {
    const lmm_long_slot *slot = chunk->pairs[0];
    uint64_t first = 0, second = 0;
    for (int k = 0; k < 8; k++) {
        first |= slot[0].key[k] ^ chunk->key[k];
        second |= slot[1].key[k] ^ chunk->key[k];
    }
    return first == 0 ? slot : second == 0 ? slot + 1 : NULL;
}

/* As subwordio_found, of chunks of 16 to 63 bytes, text[edges[2 * i]:edges[2 * i + 1]]: up to the first that is shorter or
   longer, or not in its first pair of slots. Room for 16 ids a chunk. */
static inline size_t lmm_found_long(const subwordio_table *table, const lmm_long_table *longs, const subwordio_batch *batch,
                                    const uint8_t *text, size_t n, const uint8_t *tail, const uint32_t *edges, size_t i,
                                    size_t m, uint32_t *ids, size_t *length) {
    uint32_t *out = ids + *length;
    for (; i < m; i++) {
        const size_t begin = edges[2 * i], size = edges[2 * i + 1] - begin;
        if (size <= SUBWORDIO_SHORT || size > LMM_LONGEST) break;
        if (size <= SUBWORDIO_LONG) {
            const subwordio_long_slot *slot = subwordio_first_long(&batch->longs[i]);
            if (slot == NULL) break;
            subwordio_write_long(table, slot, out);
            out += slot->count;
        } else {
            lmm_long_key chunk;
            lmm_long_pack(longs, &chunk, subwordio_readable(text, n, tail, begin), size);
            const lmm_long_slot *slot = lmm_long_first(&chunk);
            if (slot == NULL) break;
            memcpy(out, slot->ids, sizeof(slot->ids));
            out += slot->count;
        }
    }
    *length = (size_t)(out - ids);
    return i;
}

/* Enter a chunk that is not there: in a free slot, or in the first one, whose chunk goes to the second. */
static inline void lmm_long_enter(const lmm_long_key *chunk, const uint32_t *ids, size_t count) {
    lmm_long_slot *slot = NULL;
    for (int k = 0; k < 4 && slot == NULL; k++)
        if (chunk->pairs[k / 2][k % 2].key[7] == 0) slot = chunk->pairs[k / 2] + k % 2;
    if (slot == NULL) {
        slot = chunk->pairs[0];
        slot[1] = slot[0];
    }
    memcpy(slot->key, chunk->key, sizeof(slot->key));
    memcpy(slot->ids, ids, count * sizeof(uint32_t));
    slot->count = (uint32_t)count;
}
#endif
