/* UTF-8, 64 bytes at a time: of each byte a bit says what it is, and words of such bits what may follow what. */
#ifndef SUBWORDIO_WELLFORMED_H
#define SUBWORDIO_WELLFORMED_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "subwordio/vectors.h"

#if SUBWORDIO_X86
/* Of 64 bytes: those that are 80 or more, and of those 80 to 8F, 9F and BF, C2 or more, E0, F0, and F5; and those that
   are just one of the leads after which not every continuation is right. */
typedef struct { uint64_t high, to_8f, to_9f, to_bf, c2, e0, f0, f5, is_e0, is_ed, is_f0, is_f4; } subwordio_octets;

/* What the bytes before leave to the next 64: bits of those that must be continuations, and the lead just before. */
typedef struct { uint64_t owed, is_e0, is_ed, is_f0, is_f4; } subwordio_owed;

/* Bits of the bytes that are out of place (Unicode 16, table 3-7). */
static inline uint64_t subwordio_misplaced(const subwordio_octets *b, subwordio_owed *before) {
    const uint64_t one = b->high & ~b->to_bf, two = b->e0, three = b->f0;      /* owe at least so many */
    const uint64_t owed = one << 1 | two << 2 | three << 3 | before->owed;
    const uint64_t wrong = (owed ^ b->to_bf) | (one & ~b->c2) | b->f5 |
        ((b->is_e0 << 1 | before->is_e0) & b->to_9f) | ((b->is_ed << 1 | before->is_ed) & ~b->to_9f) |
        ((b->is_f0 << 1 | before->is_f0) & b->to_8f) | ((b->is_f4 << 1 | before->is_f4) & ~b->to_8f);
    before->owed = one >> 63 | two >> 62 | three >> 61;
    before->is_e0 = b->is_e0 >> 63;
    before->is_ed = b->is_ed >> 63;
    before->is_f0 = b->is_f0 >> 63;
    before->is_f4 = b->is_f4 >> 63;
    return wrong;
}

/* A walk by one way. AT loads the 64 bytes, HIGH, IS and UP_TO say which are 80 or more, are a byte, and are 80 to a byte:
   as signed numbers those from 80 on are in order and below all others. */
#define SUBWORDIO_WELL_FORMED(NAME, TARGET, VECTOR, AT, HIGH, IS, UP_TO) \
__attribute__((target(TARGET))) \
static size_t NAME(const uint8_t *s, size_t i, size_t n) { \
    subwordio_owed before = {0, 0, 0, 0, 0}; \
    uint8_t rest[64]; \
    while (i < n) { \
        const uint8_t *at = s + i; \
        if (n - i < 64) {                       /* zeros behind the end are owed by nobody */ \
            memset(rest, 0, 64); \
            memcpy(rest, at, n - i); \
            at = rest; \
        } \
        VECTOR; \
        AT(at); \
        const uint64_t high = HIGH; \
        if (high | before.owed) { \
            const subwordio_octets octets = { \
                high, UP_TO(0x8F), UP_TO(0x9F), UP_TO(0xBF), high & ~UP_TO(0xC1), high & ~UP_TO(0xDF), \
                high & ~UP_TO(0xEF), high & ~UP_TO(0xF4), IS(0xE0), IS(0xED), IS(0xF0), IS(0xF4)}; \
            const uint64_t owed = before.owed; \
            if (subwordio_misplaced(&octets, &before)) { \
                if (owed) do i--; while ((s[i] & 0xC0) == 0x80); \
                return i; \
            } \
        } \
        i = n - i < 64 ? n : i + 64; \
    } \
    if (before.owed) do i--; while ((s[i] & 0xC0) == 0x80); \
    return i; \
}

#define SUBWORDIO_AT_AVX2(at) \
    low = _mm256_loadu_si256((const __m256i *)(at)); top = _mm256_loadu_si256((const __m256i *)((at) + 32))
#define SUBWORDIO_BITS_AVX2(of_low, of_top) \
    ((uint64_t)(uint32_t)_mm256_movemask_epi8(of_low) | (uint64_t)(uint32_t)_mm256_movemask_epi8(of_top) << 32)
#define SUBWORDIO_IS_AVX2(byte) SUBWORDIO_BITS_AVX2(_mm256_cmpeq_epi8(low, _mm256_set1_epi8((char)(byte))), \
                                                    _mm256_cmpeq_epi8(top, _mm256_set1_epi8((char)(byte))))
#define SUBWORDIO_UP_TO_AVX2(byte) SUBWORDIO_BITS_AVX2(_mm256_cmpgt_epi8(_mm256_set1_epi8((char)((byte) + 1)), low), \
                                                       _mm256_cmpgt_epi8(_mm256_set1_epi8((char)((byte) + 1)), top))
SUBWORDIO_WELL_FORMED(subwordio_well_formed_avx2, "avx2,bmi", __m256i low; __m256i top, SUBWORDIO_AT_AVX2,
                      SUBWORDIO_BITS_AVX2(low, top), SUBWORDIO_IS_AVX2, SUBWORDIO_UP_TO_AVX2)

#define SUBWORDIO_AT_AVX512(at) all = _mm512_loadu_si512((const void *)(at))
#define SUBWORDIO_IS_AVX512(byte) ((uint64_t)_mm512_cmpeq_epi8_mask(all, _mm512_set1_epi8((char)(byte))))
#define SUBWORDIO_UP_TO_AVX512(byte) ((uint64_t)_mm512_cmple_epi8_mask(all, _mm512_set1_epi8((char)(byte))))
SUBWORDIO_WELL_FORMED(subwordio_well_formed_avx512, "avx512f,avx512bw,bmi", __m512i all, SUBWORDIO_AT_AVX512,
                      (uint64_t)_mm512_movepi8_mask(all), SUBWORDIO_IS_AVX512, SUBWORDIO_UP_TO_AVX512)
#endif

/* How far s[i:n], in which i begins a character, is surely well formed: to n, or to the end of a character before which
   there is no fault and after which the first comes in 67 bytes; or to i, where the processor has no way to tell. */
static inline size_t subwordio_well_formed(int way, const uint8_t *s, size_t i, size_t n) {
#if SUBWORDIO_X86
    if (way == SUBWORDIO_AVX512) return subwordio_well_formed_avx512(s, i, n);
    if (way == SUBWORDIO_AVX2) return subwordio_well_formed_avx2(s, i, n);
#endif
    (void)way; (void)s; (void)n;
    return i;
}
#endif
