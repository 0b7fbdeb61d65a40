/* ASCII characters of a str, of one, two or four bytes each, as bytes: 16 at a time. */
#ifndef SUBWORDIO_NARROW_H
#define SUBWORDIO_NARROW_H
#include <stddef.h>
#include <stdint.h>
#include "subwordio/vectors.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Write the leading ASCII units of s[0:n], of `width` bytes each, where 16 at a time can be read; returns how many. What
   is written behind them, within 16, means nothing. */
static inline size_t subwordio_narrow(const void *s, size_t width, size_t n, uint8_t *out) {
    size_t i = 0;
#if defined(__SSE2__)
    const __m128i high = _mm_set1_epi16((short)0xFF80), zero = _mm_setzero_si128();
    const __m128i high_of_four = _mm_set1_epi32((int)0xFFFFFF80);
    for (; n - i >= 16; i += 16) {
        unsigned ascii;
        const __m128i *at = (const __m128i *)((const char *)s + width * i);
        const __m128i x = _mm_loadu_si128(at);
        if (width == 1) {
            ascii = ~(unsigned)_mm_movemask_epi8(x) & 0xFFFF;
            _mm_storeu_si128((__m128i *)(out + i), x);
        } else if (width == 4) {
            const __m128i y = _mm_loadu_si128(at + 1), z = _mm_loadu_si128(at + 2), w = _mm_loadu_si128(at + 3);
            const __m128i low = _mm_packs_epi32(_mm_cmpeq_epi32(_mm_and_si128(x, high_of_four), zero),
                                                _mm_cmpeq_epi32(_mm_and_si128(y, high_of_four), zero));
            const __m128i more = _mm_packs_epi32(_mm_cmpeq_epi32(_mm_and_si128(z, high_of_four), zero),
                                                 _mm_cmpeq_epi32(_mm_and_si128(w, high_of_four), zero));
            ascii = (unsigned)_mm_movemask_epi8(_mm_packs_epi16(low, more));
            _mm_storeu_si128((__m128i *)(out + i), _mm_packus_epi16(_mm_packs_epi32(x, y), _mm_packs_epi32(z, w)));
        } else {
            const __m128i y = _mm_loadu_si128(at + 1);
            ascii = (unsigned)_mm_movemask_epi8(_mm_packs_epi16(_mm_cmpeq_epi16(_mm_and_si128(x, high), zero),
                                                                _mm_cmpeq_epi16(_mm_and_si128(y, high), zero)));
            _mm_storeu_si128((__m128i *)(out + i), _mm_packus_epi16(x, y));
        }
        if (ascii != 0xFFFF) return i + (size_t)subwordio_lowest(~ascii);
    }
#else
    (void)s; (void)width; (void)n; (void)out;
#endif
    return i;
}
#endif
