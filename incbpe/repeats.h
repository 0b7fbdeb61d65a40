/* Texts that repeat: what θ does while a text goes on as it did before.

   θ of t bytes is decided by the last `window` bytes, which say what the longest suffix token is, and by θ of the `window`
   prefixes before, `window` being the length of the longest token. So where both agree with what they were q bytes
   earlier, and the text goes on as it did then, so does θ. */
#ifndef INCBPE_REPEATS_H
#define INCBPE_REPEATS_H
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The smallest q <= most for which theta[t - j] == theta[t - q - j] and text[t - 1 - j] == text[t - 1 - q - j] for all
   j < window; 0: there is none, or it takes more than 4 (window + most) steps to find. window + most <= t. */
static inline size_t incbpe_period(const uint32_t *theta, const uint8_t *text, size_t t, size_t window, size_t most) {
    size_t steps = 4 * (window + most), q, j;
    for (q = 1; q <= most; q++) {
        for (j = 0; j < window; j++) {
            if (steps-- == 0) return 0;
            if (theta[t - j] != theta[t - q - j] || text[t - 1 - j] != text[t - 1 - q - j]) break;
        }
        if (j == window) return q;
    }
    return 0;
}

/* How many bytes of text[t:n], from t on, are those q before them; q <= t. */
static inline size_t incbpe_goes_on(const uint8_t *text, size_t t, size_t n, size_t q) {
    size_t i = t;
    while (n - i >= 32 && memcmp(text + i, text + i - q, 32) == 0) i += 32;
    while (i < n && text[i] == text[i - q]) i++;
    return i - t;
}

/* theta[t + 1:t + 1 + count] and `lengths` become those q before them; q <= t + 1. */
static inline void incbpe_repeat(uint32_t *theta, uint16_t *lengths, size_t t, size_t count, size_t q) {
    size_t done = 0, part = q;
    while (done < count) {
        /* theta[t + 1 - q:t + 1 + done] repeats every q, of which `part` is a multiple, and part <= q + done */
        const size_t size = count - done < part ? count - done : part;
        memcpy(theta + t + 1 + done, theta + t + 1 + done - part, size * sizeof(*theta));
        memcpy(lengths + t + 1 + done, lengths + t + 1 + done - part, size * sizeof(*lengths));
        done += size;
        if (part < 2048) part *= 2;
    }
}
#endif
