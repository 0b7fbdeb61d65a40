/* Ways to look at 64 bytes at a time: plain C, or vector instructions where the processor has them. All ways give the
   same results. */
#ifndef SUBWORDIO_VECTORS_H
#define SUBWORDIO_VECTORS_H
#include <stdint.h>

#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#define SUBWORDIO_X86 1
#include <immintrin.h>
#else
#define SUBWORDIO_X86 0
#endif

enum { SUBWORDIO_PLAIN, SUBWORDIO_SSE2, SUBWORDIO_AVX2, SUBWORDIO_AVX512, SUBWORDIO_WAYS };

static inline int subwordio_has_way(int way) {          /* whether this processor can go that way */
#if SUBWORDIO_X86
    if (way == SUBWORDIO_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vbmi2") && subwordio_has_way(SUBWORDIO_AVX2);
    if (way == SUBWORDIO_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
    if (way == SUBWORDIO_SSE2) return 1;
#endif
    return way == SUBWORDIO_PLAIN;
}

static inline int subwordio_best_way(void) {
    int way = SUBWORDIO_WAYS - 1;
    while (!subwordio_has_way(way)) way--;
    return way;
}

static inline int subwordio_lowest(uint64_t bits) {     /* the index of the lowest set bit; bits != 0 */
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_ctzll(bits);
#else
    int i = 0;
    while (!(bits >> i & 1)) i++;
    return i;
#endif
}

/* Write the places of the set bits of `bits`, counted from `base`, at `out`, and move it behind them. */
#define SUBWORDIO_WRITE_BITS(bits, base, out) \
    while (bits) { *out++ = (base) + (uint32_t)subwordio_lowest(bits); bits &= bits - 1; }

/* The same for bmi and popcnt, 8 at a time, so that the processor seldom guesses wrong when the loop ends; needs room
   for 7 more. */
#define SUBWORDIO_WRITE_BITS_BY_8(bits, base, out) \
    const int bits_set = (int)_mm_popcnt_u64(bits); \
    for (int done = 0; done < bits_set; done += 8) \
        for (int j = 0; j < 8; j++) { out[done + j] = (base) + (uint32_t)_tzcnt_u64(bits); bits = _blsr_u64(bits); } \
    out += bits_set;

/* The same for avx512f, avx512bw, avx512vbmi2 and popcnt, 16 or 32 at a time; needs room for 31 more. */
#define SUBWORDIO_WRITE_BITS_BY_16(bits, base, out) \
    const __m512i places_set = _mm512_maskz_compress_epi8(bits, _mm512_load_si512((const void *)subwordio_places)); \
    const __m512i from = _mm512_set1_epi32((int)(base)); \
    const int bits_set = (int)_mm_popcnt_u64(bits); \
    _mm512_storeu_si512((void *)out, _mm512_add_epi32(from, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(places_set)))); \
    if (bits_set > 16) \
        _mm512_storeu_si512((void *)(out + 16), _mm512_add_epi32(from, \
            _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(places_set, 1)))); \
    if (bits_set > 32) { \
        _mm512_storeu_si512((void *)(out + 32), _mm512_add_epi32(from, \
            _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(places_set, 2)))); \
        _mm512_storeu_si512((void *)(out + 48), _mm512_add_epi32(from, \
            _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32(places_set, 3)))); \
    } \
    out += bits_set;

#if SUBWORDIO_X86
static const uint8_t subwordio_places[64] __attribute__((aligned(64))) = {      /* of the bits of a word */
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
    32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61,
    62, 63,
};
#endif

#endif
