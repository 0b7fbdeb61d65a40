/* Characters out of UTF-8, and runs of ASCII letters or of one byte, eight bytes at a time. */
#ifndef INCBPE_SPLIT_H
#define INCBPE_SPLIT_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The length of the well-formed character that begins at i < n, or 0 where none does. (Unicode 16, table 3-7) */
static inline size_t incbpe_character(const uint8_t *text, size_t i, size_t n) {
    const uint8_t *s = text + i, lead = s[0];
    const size_t left = n - i;
    if (lead < 0x80) return 1;
    if (lead < 0xC2 || lead > 0xF4 || left < 2) return 0;
    if (lead < 0xE0) return (s[1] & 0xC0) == 0x80 ? 2 : 0;
    const uint8_t least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const uint8_t most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (s[1] < least || s[1] > most || left < 3 || (s[2] & 0xC0) != 0x80) return 0;
    if (lead < 0xF0) return 3;
    return left >= 4 && (s[3] & 0xC0) == 0x80 ? 4 : 0;
}

/* Whether the `length` bytes, which are no whole character, are how one begins. */
static inline int incbpe_begins_character(const uint8_t *s, size_t length) {
    uint8_t whole[4] = {s[0], 0x80, 0x80, 0x80};
    const size_t wanted = s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : 4;
    if (length >= wanted) return 0;
    if (length == 1 && (s[0] == 0xE0 || s[0] == 0xF0)) whole[1] = 0xBF;     /* their second byte is restricted */
    memcpy(whole, s, length);
    return incbpe_character(whole, 0, 4) == wanted;
}

/* Its length by its first byte, the text being well-formed. */
static inline size_t incbpe_length(uint8_t lead) {
    return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/* The well-formed character at `s`, of two bytes or more: its code point without the last six bits, and those. */
static inline size_t incbpe_block(const uint8_t *s, unsigned *low) {
    if (s[0] < 0xE0) {
        *low = s[1] & 0x3F;
        return s[0] & 0x1F;
    }
    if (s[0] < 0xF0) {
        *low = s[2] & 0x3F;
        return (size_t)(s[0] & 0x0F) << 6 | (s[1] & 0x3F);
    }
    *low = s[3] & 0x3F;
    return (size_t)(s[0] & 0x07) << 12 | (size_t)(s[1] & 0x3F) << 6 | (s[2] & 0x3F);
}

/* The top bit of each of eight bytes that is no ASCII letter; `fold` is 0x20 for any of them, 0 for small ones only. Adding
   0x80 - first sets the top bit from the first letter on, and adding 0x7F - last beyond the last; no sum carries over,
   since the top bits are masked away before. */
static inline uint64_t incbpe_no_letters(uint64_t eight, uint8_t fold) {
    const uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080, small = (eight & ~tops) | fold * ones;
    return ~((small + (0x80 - 'a') * ones) & ~(small + (0x7F - 'z') * ones) & ~eight) & tops;
}

/* The end of the run of ASCII letters, or of small ones only, that begins at i. */
static inline size_t incbpe_letters_end(const uint8_t *text, size_t i, size_t n, int capitals) {
    const uint8_t fold = capitals ? 0x20 : 0;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t eight, stop;
    for (; n - i >= 8; i += 8) {
        memcpy(&eight, text + i, 8);
        stop = incbpe_no_letters(eight, fold);
        if (stop) return i + ((unsigned)__builtin_ctzll(stop) >> 3);
    }
    if (i < n && n >= 8) {              /* the last eight bytes again, without those before i; zeros are no letters */
        memcpy(&eight, text + n - 8, 8);
        stop = incbpe_no_letters(eight >> 8 * (8 - (n - i)), fold);
        return i + ((unsigned)__builtin_ctzll(stop) >> 3);
    }
#endif
    while (i < n && (uint8_t)((text[i] | fold) - 'a') < 26) i++;
    return i;
}

/* The last of the ideographs U+4E00 to U+9FBF, all letters without case, behind the character of three bytes at i; i
   where none is there. */
static inline size_t incbpe_last_ideograph(const uint8_t *text, size_t i, size_t n) {
    while (n - i >= 6 && (uint32_t)(text[i + 3] << 8 | text[i + 4]) - 0xE4B8 <= 0xE9BE - 0xE4B8) i += 3;
    return i;
}

/* The last of the bytes from text[i] on that are like it. */
static inline size_t incbpe_last_alike(const uint8_t *text, size_t i, size_t n) {
    const uint64_t all = text[i] * (uint64_t)0x0101010101010101;
    uint64_t eight;
    while (n - i > 8) {
        memcpy(&eight, text + i + 1, 8);
        if (eight != all) break;
        i += 8;
    }
    while (i + 1 < n && text[i + 1] == text[i]) i++;
    return i;
}
#endif
