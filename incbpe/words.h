/* Texts eight bytes at a time, as numbers that are ordered as the texts are. */
#ifndef INCBPE_WORDS_H
#define INCBPE_WORDS_H
#include <stddef.h>
#include <stdint.h>

/* The first n bytes of a text, eight at most and the first of them the highest, then zeros. at[0:8] may be read. */
static inline uint64_t incbpe_word(const uint8_t *at, size_t n) {
    const uint64_t whole = (uint64_t)at[0] << 56 | (uint64_t)at[1] << 48 | (uint64_t)at[2] << 40 | (uint64_t)at[3] << 32 |
                           (uint64_t)at[4] << 24 | (uint64_t)at[5] << 16 | (uint64_t)at[6] << 8 | (uint64_t)at[7];
    return n >= 8 ? whole : n == 0 ? 0 : whole & ~(UINT64_MAX >> 8 * n);
}

/* How many bytes two texts have in common from their beginnings on, `least` at most; eight more may be read of both. */
static inline size_t incbpe_alike(const uint8_t *a, const uint8_t *b, size_t least) {
    size_t k = 0;
    while (k < least && incbpe_word(a + k, 8) == incbpe_word(b + k, 8)) k += 8;
    while (k < least && a[k] == b[k]) k++;
    return k < least ? k : least;
}

#endif
