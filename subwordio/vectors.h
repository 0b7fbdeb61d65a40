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
               subwordio_has_way(SUBWORDIO_AVX2);
    if (way == SUBWORDIO_AVX2)
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
    if (way == SUBWORDIO_SSE2) return 1;
#endif
    return way == SUBWORDIO_PLAIN;
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

#endif
