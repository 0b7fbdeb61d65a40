/* Chunks that have no room in a slot of subwordio/chunktable.h: of up to 55 bytes, and with any number of ids.

   A slot is a line of the cache: the chunk's bytes, zeros, and the length in the last of 56 bytes; then where its ids lie,
   and how many they are. Slots come in rows of four. The ids lie end to end; when there is no room for more of them,
   everything is forgotten, which costs no more than what was entered since the last time. */
#ifndef INCBPE_FARCHUNKS_H
#define INCBPE_FARCHUNKS_H
#include "subwordio/chunktable.h"

enum { INCBPE_FAR = 55, INCBPE_FAR_ROW = 4 };                   /* bytes of a chunk; slots of a row */

typedef struct {
    uint64_t key[7];                /* 0: the slot is free */
    uint32_t at, count;
} incbpe_far_slot;

typedef struct {
    incbpe_far_slot *slots;         /* NULL: there is nothing yet */
    uint32_t *ids;
    uint32_t rows, room, used;      /* ids that there is room for, and those that are there */
} incbpe_far;

/* Use these `nbytes` bytes, at a multiple of 64: half of them for the ids. */
static inline void incbpe_far_begin(incbpe_far *far, void *memory, size_t nbytes) {
    const size_t size = INCBPE_FAR_ROW * sizeof(incbpe_far_slot), rows = nbytes / 2 / size;
    const size_t room = (nbytes - rows * size) / sizeof(uint32_t);
    far->slots = (incbpe_far_slot *)memory;
    far->rows = (uint32_t)(rows > INT32_MAX ? INT32_MAX : rows);
    far->ids = (uint32_t *)(far->slots + (size_t)far->rows * INCBPE_FAR_ROW);
    far->room = (uint32_t)(room > INT32_MAX ? INT32_MAX : room);
    far->used = 0;
    memset(far->slots, 0, (size_t)far->rows * size);
}

/* The key of the chunk s[0:n], and its row; s[0:56] can be read. */
static inline incbpe_far_slot *incbpe_far_row(const incbpe_far *far, uint64_t *key, const uint8_t *s, size_t n) {
    uint64_t hash = 0;
    subwordio_mask(key, 7, s, n);
    for (int k = 0; k < 6; k += 2) hash = subwordio_hash((hash ^ hash >> 32) + key[k], key[k + 1]);
    hash = subwordio_hash(hash ^ hash >> 32, key[6]);
    return far->slots + INCBPE_FAR_ROW * subwordio_scaled(hash, far->rows);
}

static inline const incbpe_far_slot *incbpe_far_in_row(const incbpe_far_slot *row, const uint64_t *key) {
    for (int i = 0; i < INCBPE_FAR_ROW; i++) {
        uint64_t differ = 0;
        for (int k = 0; k < 7; k++) differ |= row[i].key[k] ^ key[k];
        if (differ == 0) return row + i;
    }
    return NULL;
}

/* The chunk s[0:n], or NULL; s[0:56] can be read. */
static inline const incbpe_far_slot *incbpe_far_find(const incbpe_far *far, const uint8_t *s, size_t n) {
    uint64_t key[7];
    if (far->rows == 0) return NULL;
    return incbpe_far_in_row(incbpe_far_row(far, key, s, n), key);
}

/* Enter a chunk, unless it is there: in front of its row, the last of which goes. */
static inline void incbpe_far_keep(incbpe_far *far, const uint8_t *s, size_t n, const uint32_t *ids, size_t count) {
    uint64_t key[7];
    incbpe_far_slot *row = incbpe_far_row(far, key, s, n);
    if (far->rows == 0 || count > far->room || incbpe_far_in_row(row, key) != NULL) return;
    if (count > far->room - far->used) {
        memset(far->slots, 0, (size_t)far->rows * INCBPE_FAR_ROW * sizeof(incbpe_far_slot));
        far->used = 0;
    }
    memmove(row + 1, row, (INCBPE_FAR_ROW - 1) * sizeof(incbpe_far_slot));
    memcpy(row->key, key, sizeof(row->key));
    row->at = far->used;
    row->count = (uint32_t)count;
    memcpy(far->ids + far->used, ids, count * sizeof(uint32_t));
    far->used += row->count;
}

/* For checks: what slot k holds, a chunk of up to 56 bytes, whose size is returned; 0: the slot is free. */
static inline size_t incbpe_far_read(const incbpe_far *far, size_t k, uint8_t *chunk, const uint32_t **ids, size_t *count) {
    const incbpe_far_slot *slot = far->slots + k;
    *ids = far->ids + slot->at;
    *count = slot->count;
    return subwordio_unpack(slot->key, 7, chunk);
}

static inline size_t incbpe_far_slots(const incbpe_far *far) {
    return far->slots == NULL ? 0 : (size_t)far->rows * INCBPE_FAR_ROW;
}

static inline size_t incbpe_far_nbytes(const incbpe_far *far) {
    return far->slots == NULL ? 0 : (size_t)far->rows * INCBPE_FAR_ROW * sizeof(incbpe_far_slot) +
                                     (size_t)far->room * sizeof(uint32_t);
}
#endif
