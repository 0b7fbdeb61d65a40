/* Characters of a str, of one, two or four bytes each, as UTF-8: 16 at a time, where the processor has instructions for
   it. Each is spelt in four bytes, and those that it has are moved together. */
#ifndef SUBWORDIO_SPELL_H
#define SUBWORDIO_SPELL_H
#include <stddef.h>
#include <stdint.h>
#include "subwordio/vectors.h"

#if SUBWORDIO_X86
#define SUBWORDIO_ALL(x) _mm512_set1_epi32((int)(x))
#define SUBWORDIO_TAIL(c, by) \
    _mm512_or_si512(SUBWORDIO_ALL(0x80), _mm512_and_si512(_mm512_srli_epi32(c, by), SUBWORDIO_ALL(0x3F)))
#define SUBWORDIO_LEAD(mark, c, by) _mm512_or_si512(SUBWORDIO_ALL(mark), _mm512_srli_epi32(c, by))
#define SUBWORDIO_JOIN(a, b) _mm512_or_si512(a, _mm512_slli_epi32(b, 8))      /* b is written behind a */

__attribute__((target("avx512f,avx512bw,avx512vbmi2,popcnt")))
static size_t subwordio_spell_avx512(const uint8_t *s, size_t width, size_t n, uint8_t *out, size_t *length) {
    size_t i = 0;
    for (; n - i >= 16; i += 16) {
        const void *at = s + width * i;
        const __m512i c = width == 1 ? _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)at))
                        : width == 2 ? _mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)at))
                        : _mm512_loadu_si512(at);
        if (_mm512_cmpeq_epi32_mask(_mm512_and_si512(c, SUBWORDIO_ALL(0xFFFFF800)), SUBWORDIO_ALL(0xD800))) break;
        const __mmask16 two = _mm512_cmpge_epu32_mask(c, SUBWORDIO_ALL(0x80));
        const __mmask16 three = _mm512_cmpge_epu32_mask(c, SUBWORDIO_ALL(0x800));
        const __mmask16 four = _mm512_cmpge_epu32_mask(c, SUBWORDIO_ALL(0x10000));
        const __m512i last = SUBWORDIO_TAIL(c, 0), third = SUBWORDIO_JOIN(SUBWORDIO_TAIL(c, 6), last);
        const __m512i second = SUBWORDIO_JOIN(SUBWORDIO_TAIL(c, 12), third);
        __m512i spelt = c, has = SUBWORDIO_ALL(0xFF);
        spelt = _mm512_mask_mov_epi32(spelt, two, SUBWORDIO_JOIN(SUBWORDIO_LEAD(0xC0, c, 6), last));
        spelt = _mm512_mask_mov_epi32(spelt, three, SUBWORDIO_JOIN(SUBWORDIO_LEAD(0xE0, c, 12), third));
        spelt = _mm512_mask_mov_epi32(spelt, four, SUBWORDIO_JOIN(SUBWORDIO_LEAD(0xF0, c, 18), second));
        has = _mm512_mask_mov_epi32(has, two, SUBWORDIO_ALL(0xFFFF));
        has = _mm512_mask_mov_epi32(has, three, SUBWORDIO_ALL(0xFFFFFF));
        has = _mm512_mask_mov_epi32(has, four, SUBWORDIO_ALL(0xFFFFFFFF));
        const __mmask64 kept = _mm512_movepi8_mask(has);
        _mm512_storeu_si512((void *)(out + *length), _mm512_maskz_compress_epi8(kept, spelt));
        *length += (size_t)_mm_popcnt_u64(kept);
        if (two == 0) return i + 16;            /* ASCII is written faster otherwise */
    }
    return i;
}
#endif

/* Write units of s[0:n], of `width` bytes each, behind out[0:*length], where 16 at a time can be read and are no
   surrogates; returns how many. Room for 64 bytes more than they have. */
static inline size_t subwordio_spell(int way, const void *s, size_t width, size_t n, uint8_t *out, size_t *length) {
#if SUBWORDIO_X86
    if (way == SUBWORDIO_AVX512) return subwordio_spell_avx512((const uint8_t *)s, width, n, out, length);
#endif
    (void)way; (void)s; (void)width; (void)n; (void)out; (void)length;
    return 0;
}
#endif
