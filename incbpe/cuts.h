/* Certain cuts of a text, 64 bytes at a time: places where a piece ends whatever stands around (cutrules.py).

   With W for white space, of which N are CR and LF and B is U+0020, and X for any other character, of which L are ASCII
   letters and digits and S other ASCII but the apostrophe, a cut lies between

       .  and  B X         the last space before a word
       X  and  W           but not before N, and here only after an ASCII X
       L  and  N           a letter or digit ends a line
       N  and  X           where `lines`, and where `slash` not before /
       N  and  W ... W X   where `lines` and no N is among the W
       .  and  .           where of letters, digits and signs S one kind goes over into another, but not S into a letter
       S  and  a letter, N where `apart`

   64 bytes make words of 64 bits, one for each kind of byte. A cut of the first kind is seen at the byte behind it, so
   all are kept one place further on: bit i of the word of a block at `base` is a cut at base + i - 1. What follows a B or
   N and is not ASCII may be white space too; only characters that begin with 0xC2, 0xE1, 0xE2 or 0xE3 are, and of these
   each is looked at. All ways give the same cuts. */
#ifndef INCBPE_CUTS_H
#define INCBPE_CUTS_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "subwordio/vectors.h"

typedef struct {                    /* what a splitter lets be cut */
    uint8_t lines;
    uint8_t slash;
    uint8_t apart;
} incbpe_cut_rules;

typedef struct {                    /* of 64 bytes, a bit each */
    uint64_t blank;                 /* 0x20 */
    uint64_t space;                 /* 0x09, 0x0B, 0x0C */
    uint64_t line;                  /* 0x0A, 0x0D */
    uint64_t letter;                /* an ASCII letter */
    uint64_t digit;                 /* and digit */
    uint64_t quote;                 /* 0x27 */
    uint64_t slash;                 /* 0x2F */
    uint64_t high;                  /* 0x80 and above */
    uint64_t rare;                  /* 0xC2, 0xE1, 0xE2, 0xE3 */
} incbpe_kinds;

typedef struct {                    /* what is known of the byte before a block, 1 or 0. All zeros: a text begins */
    uint64_t blank, line, letter, digit, solid, sign;
    uint64_t cut;                   /* whether the place before that byte is a cut */
} incbpe_cut_state;

/* Whether white space that is not ASCII begins at s[0:n], n > 0. U+0085, A0, 1680, 2000 to 200A, 2028, 2029, 202F, 205F,
   3000 */
static inline int incbpe_wide_space(const uint8_t *s, size_t n) {
    if (s[0] == 0xC2) return n > 1 && (s[1] == 0x85 || s[1] == 0xA0);
    if (n < 3) return 0;
    if (s[0] == 0xE1) return s[1] == 0x9A && s[2] == 0x80;
    if (s[0] == 0xE2)
        return s[1] == 0x80 ? s[2] <= 0x8A || s[2] == 0xA8 || s[2] == 0xA9 || s[2] == 0xAF : s[1] == 0x81 && s[2] == 0x9F;
    return s[0] == 0xE3 && s[1] == 0x80 && s[2] == 0x80;
}

/* Whether the run of white space that goes on at text[i:n] after a line break ends before something other, without
   another line break. A run that is not all ASCII does not count. */
static inline int incbpe_indents(const uint8_t *text, size_t i, size_t n) {
    while (n - i >= 8) {
        uint64_t eight;
        memcpy(&eight, text + i, 8);
        if (eight != 0x2020202020202020u) break;
        i += 8;
    }
    while (i < n && (text[i] == 0x20 || text[i] == 0x09 || text[i] == 0x0B || text[i] == 0x0C)) i++;
    return i < n && text[i] != 0x0A && text[i] != 0x0D && !incbpe_wide_space(text + i, n - i);
}

static inline void incbpe_kinds_plain(const uint8_t *s, incbpe_kinds *k) {
    memset(k, 0, sizeof(*k));
    for (int i = 0; i < 64; i++) {
        const uint8_t x = s[i], small = x | 0x20;
        const uint64_t bit = (uint64_t)1 << i;
        if (x == 0x20) k->blank |= bit;
        if (x == 0x09 || x == 0x0B || x == 0x0C) k->space |= bit;
        if (x == 0x0A || x == 0x0D) k->line |= bit;
        if (small >= 'a' && small <= 'z') k->letter |= bit;
        if (x >= '0' && x <= '9') k->digit |= bit;
        if (x == 0x27) k->quote |= bit;
        if (x == 0x2F) k->slash |= bit;
        if (x >= 0x80) k->high |= bit;
        if (x == 0xC2 || (x >= 0xE1 && x <= 0xE3)) k->rare |= bit;
    }
}

/* The cuts of `blocks` blocks, written at `out`; text[at] is the first byte, text[0:n] the whole text. */
#define INCBPE_CUTS_LOOP(kinds_of, write) \
    incbpe_cut_state state = *before; \
    const uint64_t apart = rules->apart ? ~(uint64_t)0 : 0; \
    for (size_t k = 0; k < blocks; k++) { \
        incbpe_kinds is; \
        kinds_of(bytes + 64 * k, &is); \
        const size_t base = at + 64 * k; \
        const uint64_t solid = ~(is.blank | is.space | is.line | is.high), other = solid | is.high; \
        const uint64_t after_blank = is.blank << 1 | state.blank, after_line = is.line << 1 | state.line; \
        const uint64_t after_solid = solid << 1 | state.solid, sign = solid & ~(is.letter | is.digit | is.quote); \
        const uint64_t after_letter = is.letter << 1 | state.letter, after_digit = is.digit << 1 | state.digit; \
        const uint64_t after_sign = sign << 1 | state.sign; \
        uint64_t last = after_blank & other & ~is.rare; \
        uint64_t here = (after_solid & (is.blank | is.space)) | ((after_letter | after_digit) & is.line); \
        here |= (after_letter & (is.digit | sign)) | (after_digit & (is.letter | sign)); \
        here |= after_sign & (is.digit | (apart & (is.letter | is.line))); \
        uint64_t rare = after_blank & is.rare; \
        while (rare) { \
            const int i = subwordio_lowest(rare); \
            if (!incbpe_wide_space(text + base + i, n - base - i)) last |= rare & -rare; \
            rare &= rare - 1; \
        } \
        if (rules->lines && after_line) { \
            uint64_t ask = after_line & (is.rare | is.blank | is.space); \
            here |= after_line & other & ~is.rare & ~(rules->slash ? is.slash : 0); \
            while (ask) { \
                const int i = subwordio_lowest(ask); \
                if (base + i < n && incbpe_indents(text, base + i, n)) here |= ask & -ask; \
                ask &= ask - 1; \
            } \
        } \
        uint64_t cuts = last | here << 1 | state.cut; \
        state.blank = is.blank >> 63; \
        state.line = is.line >> 63; \
        state.letter = is.letter >> 63; \
        state.digit = is.digit >> 63; \
        state.sign = sign >> 63; \
        state.solid = solid >> 63; \
        state.cut = here >> 63; \
        write(cuts, (uint32_t)base - 1, out) \
    } \
    *before = state; \
    return out;

#define INCBPE_CUTS_ARGUMENTS const incbpe_cut_rules *rules, const uint8_t *bytes, size_t blocks, const uint8_t *text, \
    size_t at, size_t n, incbpe_cut_state *before, uint32_t *out

static uint32_t *incbpe_cuts_plain(INCBPE_CUTS_ARGUMENTS) {
    INCBPE_CUTS_LOOP(incbpe_kinds_plain, SUBWORDIO_WRITE_BITS)
}

#if SUBWORDIO_X86
/* x - from <= width, for each byte as a number without sign; `eq`, `sub`, `min` and `set` are of one vector size. */
#define INCBPE_WITHIN(eq, sub, min, set, x, from, width) \
    eq(min(sub(x, set((char)(from))), set((char)(width))), sub(x, set((char)(from))))

#define INCBPE_KINDS(size, load, eq, sub, min, or, set, mask, word) \
    memset(k, 0, sizeof(*k)); \
    for (int i = 0; i < 64; i += size) { \
        const word x = load((const word *)(s + i)); \
        const word line = or(eq(x, set(0x0A)), eq(x, set(0x0D))); \
        const word letter = INCBPE_WITHIN(eq, sub, min, set, or(x, set(0x20)), 'a', 25); \
        const word rare = or(INCBPE_WITHIN(eq, sub, min, set, x, 0xE1, 2), eq(x, set((char)0xC2))); \
        const uint64_t lines = (uint32_t)mask(line); \
        k->blank |= (uint64_t)(uint32_t)mask(eq(x, set(0x20))) << i; \
        k->space |= ((uint64_t)(uint32_t)mask(INCBPE_WITHIN(eq, sub, min, set, x, 0x09, 4)) ^ lines) << i; \
        k->line |= lines << i; \
        k->letter |= (uint64_t)(uint32_t)mask(letter) << i; \
        k->digit |= (uint64_t)(uint32_t)mask(INCBPE_WITHIN(eq, sub, min, set, x, '0', 9)) << i; \
        k->quote |= (uint64_t)(uint32_t)mask(eq(x, set(0x27))) << i; \
        k->slash |= (uint64_t)(uint32_t)mask(eq(x, set(0x2F))) << i; \
        k->high |= (uint64_t)(uint32_t)mask(x) << i; \
        k->rare |= (uint64_t)(uint32_t)mask(rare) << i; \
    }

static inline void incbpe_kinds_sse2(const uint8_t *s, incbpe_kinds *k) {
    INCBPE_KINDS(16, _mm_loadu_si128, _mm_cmpeq_epi8, _mm_sub_epi8, _mm_min_epu8, _mm_or_si128, _mm_set1_epi8,
                 _mm_movemask_epi8, __m128i)
}

static uint32_t *incbpe_cuts_sse2(INCBPE_CUTS_ARGUMENTS) {
    INCBPE_CUTS_LOOP(incbpe_kinds_sse2, SUBWORDIO_WRITE_BITS)
}

__attribute__((target("avx2,bmi,popcnt")))
static inline void incbpe_kinds_avx2(const uint8_t *s, incbpe_kinds *k) {
    INCBPE_KINDS(32, _mm256_loadu_si256, _mm256_cmpeq_epi8, _mm256_sub_epi8, _mm256_min_epu8, _mm256_or_si256,
                 _mm256_set1_epi8, _mm256_movemask_epi8, __m256i)
}

__attribute__((target("avx2,bmi,popcnt")))
static uint32_t *incbpe_cuts_avx2(INCBPE_CUTS_ARGUMENTS) {
    INCBPE_CUTS_LOOP(incbpe_kinds_avx2, SUBWORDIO_WRITE_BITS_BY_8)
}

#define INCBPE_IS(x, byte) _mm512_cmpeq_epi8_mask(x, _mm512_set1_epi8((char)(byte)))
#define INCBPE_IN(x, from, width) \
    _mm512_cmple_epu8_mask(_mm512_sub_epi8(x, _mm512_set1_epi8((char)(from))), _mm512_set1_epi8(width))

__attribute__((target("avx512f,avx512bw,avx512vbmi2,bmi,popcnt")))
static inline void incbpe_kinds_avx512(const uint8_t *s, incbpe_kinds *k) {
    const __m512i x = _mm512_loadu_si512((const void *)s);
    k->blank = INCBPE_IS(x, 0x20);
    k->line = INCBPE_IS(x, 0x0A) | INCBPE_IS(x, 0x0D);
    k->space = INCBPE_IN(x, 0x09, 4) ^ k->line;
    k->letter = INCBPE_IN(_mm512_or_si512(x, _mm512_set1_epi8(0x20)), 'a', 25);
    k->digit = INCBPE_IN(x, '0', 9);
    k->quote = INCBPE_IS(x, 0x27);
    k->slash = INCBPE_IS(x, 0x2F);
    k->high = _mm512_movepi8_mask(x);
    k->rare = INCBPE_IN(x, 0xE1, 2) | INCBPE_IS(x, 0xC2);
}

__attribute__((target("avx512f,avx512bw,avx512vbmi2,bmi,popcnt")))
static uint32_t *incbpe_cuts_avx512(INCBPE_CUTS_ARGUMENTS) {
    INCBPE_CUTS_LOOP(incbpe_kinds_avx512, SUBWORDIO_WRITE_BITS_BY_16)
}
#endif

/* Append the cuts of text[0:n] that are seen in text[at:stop], in order; `at` is 0 or where the call before stopped, and
   `stop` is n or a multiple of 64 bytes further on. n is no cut. Room for stop - at + 2 places, and 31 more. */
static inline uint32_t *incbpe_cuts(int way, const incbpe_cut_rules *rules, const uint8_t *text, size_t at, size_t stop,
                                    size_t n, incbpe_cut_state *state, uint32_t *out) {
    uint8_t last[64];
    const uint32_t *const first = out;
    const size_t blocks = (stop - at) / 64;
    uint32_t *(*of)(INCBPE_CUTS_ARGUMENTS) = incbpe_cuts_plain;
#if SUBWORDIO_X86
    of = way == SUBWORDIO_AVX512 ? incbpe_cuts_avx512 : way == SUBWORDIO_AVX2 ? incbpe_cuts_avx2
         : way == SUBWORDIO_SSE2 ? incbpe_cuts_sse2 : of;
#else
    (void)way;
#endif
    out = of(rules, text + at, blocks, text, at, n, state, out);
    at += 64 * blocks;
    if (at < stop) {
        memset(last, 0x09, 64);
        memcpy(last, text + at, stop - at);
        out = of(rules, last, 1, text, at, n, state, out);
        while (out > first && out[-1] >= n) out--;          /* between the text and what it was filled up with */
    }
    else if (stop == n && state->cut) *out++ = (uint32_t)n - 1;
    return out;
}

#endif
