/* Large arrays in pages of 2 MB where Linux gives them: they are filled with few page faults. Elsewhere nothing. */
#include <stdint.h>
#include <stddef.h>
#include <stdlib.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

static inline void prefer_large_pages(void *memory, size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (bytes < 4 << 20) return;                /* not worth a call */
    const uintptr_t page = (uintptr_t)1 << 21;
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
    const size_t page = (size_t)1 << 21;
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
