/* One byte of a text becomes several, wherever it stands: 64 bytes are looked at at a time. */
#ifndef INCBPE_EXPAND_H
#define INCBPE_EXPAND_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "subwordio/vectors.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { INCBPE_EXPANDED = 16 };      /* the most bytes that one may become, and what is copied at a time */

/* A bit for each byte of s[0:64], the lowest for the first: whether it is b. */
static inline uint64_t incbpe_equal(const uint8_t *s, uint8_t b) {
    uint64_t bits = 0;
#if defined(__SSE2__)
    for (int k = 0; k < 4; k++) {
        const __m128i equal = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)s + k), _mm_set1_epi8((char)b));
        bits |= (uint64_t)(unsigned)_mm_movemask_epi8(equal) << 16 * k;
    }
#else
    for (int k = 0; k < 64; k++) bits |= (uint64_t)(s[k] == b) << k;
#endif
    return bits;
}

/* How often a byte stands in text[0:n]. Few are counted at a time, which a vector of bytes has room for. */
static inline size_t incbpe_count(const uint8_t *text, size_t n, uint8_t b) {
    size_t count = 0;
    for (size_t i = 0; i < n;) {
        const size_t stop = n - i > 128 ? i + 128 : n;
        uint8_t few = 0;
        for (; i < stop; i++) few += text[i] == b;
        count += few;
    }
    return count;
}

/* Write text[0:n] with new[0:n_new], n_new <= EXPANDED, for each byte b; returns how many bytes that is. new[0:EXPANDED]
   can be read; room for 2 * EXPANDED bytes more. */
static inline size_t incbpe_expand(const uint8_t *text, size_t n, uint8_t b, const uint8_t *new, size_t n_new, uint8_t *out) {
    size_t done = 0, length = 0, i = 0;
    for (; n - i >= 64 + INCBPE_EXPANDED; i += 64)
        for (uint64_t bits = incbpe_equal(text + i, b); bits != 0; bits &= bits - 1) {
            /* out[0:length] is text[0:done], and there is no b in text[done:at] */
            const size_t at = i + (size_t)subwordio_lowest(bits);
            if (at - done <= INCBPE_EXPANDED) memcpy(out + length, text + done, INCBPE_EXPANDED);
            else memcpy(out + length, text + done, at - done);
            length += at - done;
            memcpy(out + length, new, INCBPE_EXPANDED);
            length += n_new;
            done = at + 1;
        }
    if (done < i) {                         /* text[done:i] has no b either */
        memcpy(out + length, text + done, i - done);
        length += i - done;
        done = i;
    }
    for (; done < n; done++) {
        if (text[done] == b) {
            memcpy(out + length, new, INCBPE_EXPANDED);
            length += n_new;
        }
        else out[length++] = text[done];
    }
    return length;
}
#endif
