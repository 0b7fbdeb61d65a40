/* A character as UTF-8, and what JSON writes for one that it escapes. */
#ifndef SUBWORDIO_SPELLING_H
#define SUBWORDIO_SPELLING_H
#include <stddef.h>
#include <stdint.h>

/* The UTF-8 of a code point at `to`, which has room for it; how many bytes. */
static inline size_t subwordio_put_character(uint32_t c, uint8_t *to) {
    if (c < 0x80) {
        to[0] = (uint8_t)c;
        return 1;
    }
    if (c < 0x800) {
        to[0] = (uint8_t)(0xC0 | c >> 6);
        to[1] = (uint8_t)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        to[0] = (uint8_t)(0xE0 | c >> 12);
        to[1] = (uint8_t)(0x80 | (c >> 6 & 0x3F));
        to[2] = (uint8_t)(0x80 | (c & 0x3F));
        return 3;
    }
    to[0] = (uint8_t)(0xF0 | c >> 18);
    to[1] = (uint8_t)(0x80 | (c >> 12 & 0x3F));
    to[2] = (uint8_t)(0x80 | (c >> 6 & 0x3F));
    to[3] = (uint8_t)(0x80 | (c & 0x3F));
    return 4;
}

/* The value of a hexadecimal digit; -1 for what is none. */
static inline int subwordio_hex_digit(uint8_t c) {
    if (c >= '0' && c <= '9') return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* What a backslash and this letter or sign stand for in a string of JSON; 0 where they stand for nothing by themselves. */
static inline uint8_t subwordio_unescaped(uint8_t c) {
    switch (c) {
        case 'b': return 8;
        case 't': return 9;
        case 'n': return 10;
        case 'f': return 12;
        case 'r': return 13;
        case '"': case '\\': case '/': return c;
        default: return 0;
    }
}
#endif
