/* Seams: places between two bytes that no token has next to each other.

   No token reaches across one, so a text may be cut there before it is merged, whatever stands around (Proposition 26).
   `joins` has a bit for each pair of bytes: joined or not. */
#ifndef INCBPE_SEAMS_H
#define INCBPE_SEAMS_H
#include <stddef.h>
#include <stdint.h>
#include "subwordio/vectors.h"

enum { INCBPE_JOINS = 1024 };       /* words of 64 bits, for 65,536 pairs */

static inline void incbpe_join(uint64_t *joins, uint8_t x, uint8_t y) {
    joins[4 * x + (y >> 6)] |= (uint64_t)1 << (y & 63);
}

static inline int incbpe_joined(const uint64_t *joins, uint8_t x, uint8_t y) {
    return (int)(joins[4 * x + (y >> 6)] >> (y & 63) & 1);
}

#if SUBWORDIO_X86
/* Append those in text[i:stop], 0 < i, from 64 places at a time; returns where it stopped. */
__attribute__((target("avx512f,avx512bw,avx512vbmi2,popcnt")))
static size_t incbpe_seams_avx512(const uint64_t *joins, const uint8_t *text, size_t i, size_t stop, uint32_t **places) {
    uint32_t *out = *places;
    const __m512i one = _mm512_set1_epi32(1), low = _mm512_set1_epi32(31);
    for (; stop - i >= 64; i += 64) {
        uint64_t bits = 0;
        for (int k = 0; k < 64; k += 16) {
            const __m512i x = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(text + i + k - 1)));
            const __m512i y = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(text + i + k)));
            const __m512i half = _mm512_or_si512(_mm512_slli_epi32(x, 3), _mm512_srli_epi32(y, 5));
            const __m512i joined = _mm512_srlv_epi32(_mm512_i32gather_epi32(half, joins, 4), _mm512_and_si512(y, low));
            bits |= (uint64_t)_mm512_testn_epi32_mask(joined, one) << k;
        }
        SUBWORDIO_WRITE_BITS_BY_16(bits, (uint32_t)i, out)
    }
    *places = out;
    return i;
}
#endif

/* Append the seams of a text that are behind its first byte and in text[at:stop]. Room for stop - at + 1 places. */
static inline uint32_t *incbpe_seams(int way, const uint64_t *joins, const uint8_t *text, size_t at, size_t stop,
                                     uint32_t *out) {
    size_t i = at > 0 ? at : 1;
#if SUBWORDIO_X86
    if (way == SUBWORDIO_AVX512 && i < stop) i = incbpe_seams_avx512(joins, text, i, stop, &out);
#endif
    (void)way;
    for (; i < stop; i++) {
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
