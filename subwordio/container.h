/* A file in memory, and a digest of bytes that is as quick as reading them. */
#include <stdint.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#if defined(_WIN32)
#include <io.h>
#else
#include <sys/mman.h>
#include <unistd.h>
#endif

/* The `size` bytes of the open file `handle`, or NULL and errno; subwordio_unmap_file takes them back. What is written
   there is this process's own, and the pages that nobody writes are shared by all that map the file. */
static inline void *subwordio_map_file(int handle, size_t size) {
#if defined(_WIN32)
    char *memory = malloc(size);
    for (size_t at = 0; memory != NULL && at < size;) {
        const unsigned part = size - at < 1 << 30 ? (unsigned)(size - at) : 1u << 30;
        const int got = _read(handle, memory + at, part);
        if (got <= 0) { free(memory); memory = NULL; errno = EIO; break; }
        at += got;
    }
    return memory;
#else
    void *const memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, handle, 0);
    return memory == MAP_FAILED ? NULL : memory;
#endif
}

static inline void subwordio_unmap_file(void *memory, size_t size) {
#if defined(_WIN32)
    (void)size;
    free(memory);
#else
    if (memory != NULL) munmap(memory, size);
#endif
}

static inline uint64_t subwordio_digest_step(uint64_t lane, uint64_t word) {
    lane ^= word;
    return (lane << 29 | lane >> 35) * UINT64_C(0x9E3779B97F4A7C15);
}

/* Eight sums side by side, which the processor works on together; then one of them all. For a given sum every step is
   one-to-one in the word, and for a given word in the sum: so bytes that differ within one word never have one digest.
   The words are read as the machine has them, little-endian where the file is of use. */
static inline uint64_t subwordio_digest(const uint8_t *s, size_t n) {
    uint64_t lanes[8] = {1, 2, 3, 4, 5, 6, 7, 8}, words[8], sum = n;
    size_t at = 0;
    for (; n - at >= 64; at += 64) {
    #if defined(__GNUC__)
        __builtin_prefetch(s + at + 2048);              /* of a file that no cache holds, across pages: twice as quick */
    #endif
        memcpy(words, s + at, 64);
        for (int k = 0; k < 8; k++) lanes[k] = subwordio_digest_step(lanes[k], words[k]);
    }
    if (at < n) {
        memset(words, 0, 64);
        memcpy(words, s + at, n - at);
        for (int k = 0; k < 8; k++) lanes[k] = subwordio_digest_step(lanes[k], words[k]);
    }
    for (int k = 0; k < 8; k++) {
        sum = subwordio_digest_step(sum, lanes[k]);
        sum ^= sum >> 32;
    }
    return sum;
}
