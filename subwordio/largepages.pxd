"""Large arrays in pages of 2 MB, where the system has them."""

cdef extern from "subwordio/largepages.h" nogil:
    enum:
        LARGE_PAGE "SUBWORDIO_LARGE_PAGE"
    # To be told of memory that was just allocated; does nothing below 4 MB.
    void prefer_large_pages(void *memory, size_t nbytes) noexcept
    # Memory for a table that is read all over, for `free`; NULL where there is none.
    void *table_alloc "subwordio_table_alloc"(size_t nbytes) noexcept
    # Zeros in large pages, whose number `nbytes` must be a multiple of; NULL if there is no memory.
    void *map_large_pages "subwordio_map"(size_t nbytes) noexcept
    void unmap_large_pages "subwordio_unmap"(void *memory, size_t nbytes) noexcept
