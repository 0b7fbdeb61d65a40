/* The table of whole pieces: from the bytes of a piece to the id of the token that it is.

   A bucket is one cache line of four slots. A piece of at most eight bytes is its own key, so that a slot whose key and
   length agree is the piece; the key of a longer one is a hash, and the caller compares the bytes. */
#ifndef INCBPE_LOOKUP_H
#define INCBPE_LOOKUP_H
#include <stdint.h>
#include <string.h>

typedef struct {
    uint64_t key;       /* see incbpe_key */
    uint32_t id;
    uint16_t length;    /* bytes; 0: a free slot */
    uint16_t alone;     /* whether a piece that is this token is encoded as this token */
} incbpe_slot;

enum { INCBPE_BUCKET = 4, INCBPE_SHORT = 8 };

static inline uint64_t incbpe_mix(uint64_t a, uint64_t b) {
    a ^= b;
    a *= 0x9E3779B97F4A7C15u;
    a ^= a >> 29;
    a *= 0xBF58476D1CE4E5B9u;
    return a ^ a >> 32;
}

static inline uint64_t incbpe_eight(const uint8_t *at) {
    uint64_t eight;
    memcpy(&eight, at, 8);
    return eight;
}

/* The key of the piece at[0:length], length > 0; at[0:readable] may be read. */
static inline uint64_t incbpe_key(const uint8_t *at, size_t length, size_t readable) {
    uint64_t key = 0;
    size_t i;
    if (length <= INCBPE_SHORT) {
        if (readable >= 8) {
            const uint64_t one = 1;
            key = incbpe_eight(at);
            if (*(const uint8_t *)&one)                         /* the least significant byte comes first */
                return key & UINT64_MAX >> (64 - 8 * length);
            return key & ~(length == 8 ? 0 : UINT64_MAX >> 8 * length);
        }
        memcpy(&key, at, length);
        return key;
    }
    for (i = 0; i + 8 < length; i += 8) key = incbpe_mix(key, incbpe_eight(at + i));
    return incbpe_mix(key, incbpe_eight(at + length - 8));
}

static inline uint32_t incbpe_bucket(uint64_t key, size_t length, uint32_t buckets) {   /* buckets: a power of two */
    return (uint32_t)incbpe_mix(key, length) & (buckets - 1);
}

static inline int incbpe_same(const void *a, const void *b, size_t n) { return memcmp(a, b, n) == 0; }

static inline void *incbpe_line(void *memory) { return (void *)(((uintptr_t)memory + 63) & ~(uintptr_t)63); }

static inline void incbpe_prefetch(const void *address) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(address);
#else
    (void)address;
#endif
}

#endif
