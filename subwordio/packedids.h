/* The few ids of a chunk, packed: 16 bits each where all ids are below 2^16, 18 bits below 2^18, else 32. */
#ifndef SUBWORDIO_PACKEDIDS_H
#define SUBWORDIO_PACKEDIDS_H
#include <stdint.h>
#include <stddef.h>
#include <string.h>
#include "subwordio/vectors.h"

enum { SUBWORDIO_16_BITS, SUBWORDIO_18_BITS, SUBWORDIO_32_BITS };             /* the forms */
enum { SUBWORDIO_ID_BYTES = 16, SUBWORDIO_LONG_ID_BYTES = 28 };               /* of a slot, and of a long one */
enum { SUBWORDIO_ROOM = 14 };                                                 /* the most ids of any */
/* By form, how many fit. */
static const uint8_t subwordio_id_bits[3] = {16, 18, 32}, subwordio_fit[3] = {8, 7, 4}, subwordio_fit_long[3] = {14, 12, 7};

static inline int subwordio_form_of(uint32_t last_id) {
    return last_id <= 0xFFFF ? SUBWORDIO_16_BITS : last_id <= 0x3FFFF ? SUBWORDIO_18_BITS : SUBWORDIO_32_BITS;
}

static inline uint64_t subwordio_little(uint64_t word) {        /* a word whose first byte is the lowest */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(word);
#else
    return word;
#endif
}

static inline uint64_t subwordio_load(const uint8_t *s) {       /* 8 bytes, the first the lowest */
    uint64_t word;
    memcpy(&word, s, 8);
    return subwordio_little(word);
}

/* Ids of so many bits, the lowest first, in bytes[0:size], at most 32 bytes. */
static inline void subwordio_put_ids(uint8_t *bytes, size_t size, unsigned bits, const uint32_t *ids, size_t count) {
    uint64_t words[4] = {0};
    for (size_t k = 0; k < count; k++) {
        const size_t at = bits * k;
        words[at / 64] |= (uint64_t)ids[k] << at % 64;
        if (at % 64 + bits > 64) words[at / 64 + 1] = (uint64_t)ids[k] >> (64 - at % 64);
    }
    for (int k = 0; k < 4; k++) words[k] = subwordio_little(words[k]);
    memcpy(bytes, words, size);
}

/* The first `count` of them; none crosses four bytes. */
static inline void subwordio_get_ids(const uint8_t *bytes, size_t size, unsigned bits, uint32_t *ids, size_t count) {
    for (size_t k = 0; k < count; k++) {
        const size_t at = bits * k / 8 < size - 4 ? bits * k / 8 : size - 4;
        const uint32_t four = bytes[at] | (uint32_t)bytes[at + 1] << 8 | (uint32_t)bytes[at + 2] << 16 |
                              (uint32_t)bytes[at + 3] << 24;
        ids[k] = four >> (bits * k - 8 * at) & (uint32_t)((1ull << bits) - 1);
    }
}

/* Write all that 16 bytes may hold, of which some mean nothing: room for 8. */
static inline void subwordio_all_16(uint32_t *out, const uint8_t *bytes) {
#if SUBWORDIO_X86
    const __m128i eight = _mm_loadu_si128((const __m128i *)bytes), zero = _mm_setzero_si128();
    _mm_storeu_si128((__m128i *)out, _mm_unpacklo_epi16(eight, zero));
    _mm_storeu_si128((__m128i *)(out + 4), _mm_unpackhi_epi16(eight, zero));
#else
    subwordio_get_ids(bytes, SUBWORDIO_ID_BYTES, 16, out, 8);
#endif
}

static inline void subwordio_all_18(uint32_t *out, const uint8_t *bytes) {
    subwordio_get_ids(bytes, SUBWORDIO_ID_BYTES, 18, out, 7);
}

static inline void subwordio_all_32(uint32_t *out, const uint8_t *bytes) {
    subwordio_get_ids(bytes, SUBWORDIO_ID_BYTES, 32, out, 4);
}

#if SUBWORDIO_X86
/* Each lane takes the four bytes in which its 18 bits are, and moves them down. */
__attribute__((target("avx2,bmi,popcnt")))
static inline void subwordio_all_18_avx2(uint32_t *out, const uint8_t *bytes) {
    const __m256i four = _mm256_setr_epi8(0, 1, 2, 3, 2, 3, 4, 5, 4, 5, 6, 7, 6, 7, 8, 9,
                                          9, 10, 11, 12, 11, 12, 13, 14, 12, 13, 14, 15, -1, -1, -1, -1);
    const __m256i down = _mm256_setr_epi32(0, 2, 4, 6, 0, 2, 12, 0);
    const __m256i both = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)bytes));
    const __m256i lanes = _mm256_srlv_epi32(_mm256_shuffle_epi8(both, four), down);
    _mm256_storeu_si256((__m256i *)out, _mm256_and_si256(lanes, _mm256_set1_epi32(0x3FFFF)));
}
#endif

static inline void subwordio_all_ids(int form, uint32_t *out, const uint8_t *bytes) {
    if (form == SUBWORDIO_16_BITS) subwordio_all_16(out, bytes);
    else if (form == SUBWORDIO_18_BITS) subwordio_all_18(out, bytes);
    else subwordio_all_32(out, bytes);
}
#endif
