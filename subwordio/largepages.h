/* Large arrays in pages of 2 MB where Linux gives them: they are filled with few page faults. Elsewhere as it comes. */
#include <stdint.h>
#include <stddef.h>
#include <stdlib.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

enum { SUBWORDIO_LARGE_PAGE = 1 << 21 };

static inline void prefer_large_pages(void *memory, size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (bytes < 4 << 20) return;                /* not worth a call */
    const uintptr_t page = SUBWORDIO_LARGE_PAGE;
    const uintptr_t begin = ((uintptr_t)memory + page - 1) & ~(page - 1);
    const uintptr_t end = ((uintptr_t)memory + bytes) & ~(page - 1);
    if (end > begin) madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
    (void)memory; (void)bytes;
#endif
}

/* Memory for a table that is read all over, for free() to take back: from half a large page on it begins with one. NULL
   where there is none to be had. */
static inline void *subwordio_table_alloc(size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const size_t page = SUBWORDIO_LARGE_PAGE;
    if (bytes >= page / 2 && bytes < SIZE_MAX - page) {
        const size_t whole = (bytes + page - 1) & ~(page - 1);
        void *memory = NULL;
        if (posix_memalign(&memory, page, whole)) return NULL;
        madvise(memory, whole, MADV_HUGEPAGE);
        return memory;
    }
#endif
    return malloc(bytes);
}

/* Zeros, a whole number of large pages and at the beginning of one; NULL if there is no memory. */
static inline void *subwordio_map(size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    const size_t page = SUBWORDIO_LARGE_PAGE;
    if (bytes > SIZE_MAX - page) return NULL;
    char *const mapped = mmap(NULL, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return NULL;
    const size_t before = (page - (uintptr_t)mapped % page) % page;
    if (before > 0) munmap(mapped, before);
    munmap(mapped + before + bytes, page - before);
    madvise(mapped + before, bytes, MADV_HUGEPAGE);     /* where it is refused, pages are small ones */
    return mapped + before;
#else
    return calloc(bytes, 1);
#endif
}

static inline void subwordio_unmap(void *memory, size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (memory != NULL) munmap(memory, bytes);
#else
    (void)bytes;
    free(memory);
#endif
}
