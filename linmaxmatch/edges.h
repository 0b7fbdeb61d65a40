/* Where chunks begin and end: the edges between blanks (tab, line feed, carriage return, space) and other bytes.

   64 bytes make one word of 64 bits, 1 where the byte is no blank; its edges are where a bit differs from the one before.
   Vector instructions are used where the processor has them; all ways give the same edges. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "subwordio/vectors.h"

static inline uint64_t lmm_solid_plain(const uint8_t *s) {      /* bit i: s[i] is no blank */
    uint64_t bits = 0;
    for (int i = 0; i < 64; i++)
        bits |= (uint64_t)!(s[i] == 0x20 || s[i] == 0x09 || s[i] == 0x0A || s[i] == 0x0D) << i;
    return bits;
}

/* One loop for every way: blocks of 64 bytes, and what was before them in *inside (1: no blank). */
#define LMM_EDGES_LOOP(solid, write) \
    uint64_t before = *inside; \
    for (size_t k = 0; k < blocks; k++) { \
        const uint64_t bits = solid(s + 64 * k); \
        uint64_t edges = bits ^ (bits << 1 | before); \
        before = bits >> 63; \
        write(edges, base + 64 * (uint32_t)k, out) \
    } \
    *inside = before; \
    return out;

static uint32_t *lmm_edges_plain(const uint8_t *s, size_t blocks, uint64_t *inside, uint32_t base, uint32_t *out) {
    LMM_EDGES_LOOP(lmm_solid_plain, SUBWORDIO_WRITE_BITS)
}

#if SUBWORDIO_X86
static inline uint64_t lmm_solid_sse2(const uint8_t *s) {
    uint64_t blanks = 0;
    for (int i = 0; i < 4; i++) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(s + 16 * i));
        const __m128i a = _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8(0x20)), _mm_cmpeq_epi8(x, _mm_set1_epi8(0x0A)));
        const __m128i b = _mm_or_si128(_mm_cmpeq_epi8(x, _mm_set1_epi8(0x09)), _mm_cmpeq_epi8(x, _mm_set1_epi8(0x0D)));
        blanks |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_or_si128(a, b)) << 16 * i;
    }
    return ~blanks;
}

static uint32_t *lmm_edges_sse2(const uint8_t *s, size_t blocks, uint64_t *inside, uint32_t base, uint32_t *out) {
    LMM_EDGES_LOOP(lmm_solid_sse2, SUBWORDIO_WRITE_BITS)
}

/* By the low four bits a byte finds the one blank that it may be: 0x20, 0x09, 0x0A or 0x0D. A byte above 0x7F finds 0,
   and those that find 0xFF have other low bits. */
#define LMM_BLANKS 0x20, -1, -1, -1, -1, -1, -1, -1, -1, 0x09, 0x0A, -1, -1, 0x0D, -1, 0

__attribute__((target("avx2,bmi,popcnt")))
static inline uint64_t lmm_solid_avx2(const uint8_t *s) {
    const __m256i blanks = _mm256_setr_epi8(LMM_BLANKS, LMM_BLANKS);
    const __m256i low = _mm256_loadu_si256((const __m256i *)s), high = _mm256_loadu_si256((const __m256i *)(s + 32));
    const uint32_t a = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_shuffle_epi8(blanks, low), low));
    const uint32_t b = (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_shuffle_epi8(blanks, high), high));
    return ~((uint64_t)a | (uint64_t)b << 32);
}

__attribute__((target("avx2,bmi,popcnt")))
static uint32_t *lmm_edges_avx2(const uint8_t *s, size_t blocks, uint64_t *inside, uint32_t base, uint32_t *out) {
    LMM_EDGES_LOOP(lmm_solid_avx2, SUBWORDIO_WRITE_BITS_BY_8)
}

__attribute__((target("avx512f,avx512bw,avx512vbmi2,bmi,popcnt")))
static inline uint64_t lmm_solid_avx512(const uint8_t *s) {
    const __m512i blanks = _mm512_broadcast_i32x4(_mm_setr_epi8(LMM_BLANKS));
    const __m512i x = _mm512_loadu_si512((const void *)s);
    return ~(uint64_t)_mm512_cmpeq_epi8_mask(_mm512_shuffle_epi8(blanks, x), x);
}

__attribute__((target("avx512f,avx512bw,avx512vbmi2,bmi,popcnt")))
static uint32_t *lmm_edges_avx512(const uint8_t *s, size_t blocks, uint64_t *inside, uint32_t base, uint32_t *out) {
    LMM_EDGES_LOOP(lmm_solid_avx512, SUBWORDIO_WRITE_BITS_BY_16)
}
#endif

/* Append the edges of s[0:n], counted from `base`; *inside is 1 while the byte before is no blank. Where n is not a
   multiple of 64, s[n] counts as a blank. Room for as many places as
   bytes in whole blocks of 64, and 8 more. */
static inline uint32_t *lmm_edges(int way, const uint8_t *s, size_t n, uint64_t *inside, uint32_t base, uint32_t *out) {
    uint8_t last[64];
    const size_t blocks = n / 64;
    uint32_t *(*of)(const uint8_t *, size_t, uint64_t *, uint32_t, uint32_t *) = lmm_edges_plain;
#if SUBWORDIO_X86
    of = way == SUBWORDIO_AVX512 ? lmm_edges_avx512 : way == SUBWORDIO_AVX2 ? lmm_edges_avx2
         : way == SUBWORDIO_SSE2 ? lmm_edges_sse2 : of;
#else
    (void)way;
#endif
    out = of(s, blocks, inside, base, out);
    if (n % 64) {
        memset(last, 0x20, 64);
        memcpy(last, s + 64 * blocks, n % 64);
        out = of(last, 1, inside, base + 64 * (uint32_t)blocks, out);
    }
    return out;
}
