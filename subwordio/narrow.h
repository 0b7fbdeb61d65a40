/* ASCII characters of a str, of one or two bytes each, as bytes: 16 at a time. */
#include <stddef.h>
#include <stdint.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Write the leading units of s[0:n], of `width` bytes each, up to the first 16 that are not all ASCII; returns how many. */
static inline size_t subwordio_narrow(const void *s, size_t width, size_t n, uint8_t *out) {
    size_t i = 0;
#if defined(__SSE2__)
    const __m128i high = _mm_set1_epi16((short)0xFF80), zero = _mm_setzero_si128();
    for (; width < 4 && n - i >= 16; i += 16) {
        const __m128i *at = (const __m128i *)((const char *)s + width * i);
        const __m128i x = _mm_loadu_si128(at);
        if (width == 1) {
            if (_mm_movemask_epi8(x)) break;
            _mm_storeu_si128((__m128i *)(out + i), x);
        } else {
            const __m128i y = _mm_loadu_si128(at + 1), odd = _mm_and_si128(_mm_or_si128(x, y), high);
            if (_mm_movemask_epi8(_mm_cmpeq_epi16(odd, zero)) != 0xFFFF) break;
            _mm_storeu_si128((__m128i *)(out + i), _mm_packus_epi16(x, y));
        }
    }
#else
    (void)s; (void)width; (void)n; (void)out;
#endif
    return i;
}
