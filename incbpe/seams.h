/* Seams: places between two bytes that no token has next to each other.

   No token reaches across one, so a text may be cut there before it is merged, whatever stands around (Proposition 26).
   `joins` has a bit for each pair of bytes: joined or not. */
#ifndef INCBPE_SEAMS_H
#define INCBPE_SEAMS_H
#include <stddef.h>
#include <stdint.h>

enum { INCBPE_JOINS = 1024 };       /* words of 64 bits, for 65,536 pairs */

static inline void incbpe_join(uint64_t *joins, uint8_t x, uint8_t y) {
    joins[4 * x + (y >> 6)] |= (uint64_t)1 << (y & 63);
}

static inline int incbpe_joined(const uint64_t *joins, uint8_t x, uint8_t y) {
    return (int)(joins[4 * x + (y >> 6)] >> (y & 63) & 1);
}

/* Append the seams of a text that are behind its first byte and in text[at:stop]. Room for stop - at + 1 places. */
static inline uint32_t *incbpe_seams(const uint64_t *joins, const uint8_t *text, size_t at, size_t stop, uint32_t *out) {
    for (size_t i = at > 0 ? at : 1; i < stop; i++) {
        *out = (uint32_t)i;
        out += !incbpe_joined(joins, text[i - 1], text[i]);
    }
    return out;
}

/* The last seam of a text that is behind its first byte and in text[at:n]; 0: there is none. */
static inline size_t incbpe_last_seam(const uint64_t *joins, const uint8_t *text, size_t at, size_t n) {
    for (size_t i = n; i > at && i > 1; i--)
        if (!incbpe_joined(joins, text[i - 2], text[i - 1])) return i - 1;
    return 0;
}
#endif
