"""Large arrays in pages of 2 MB, where the system has them."""

cdef extern from "subwordio/largepages.h" nogil:
    # To be told of memory that was just allocated; does nothing below 4 MB.
    void prefer_large_pages(void *memory, size_t nbytes) noexcept
