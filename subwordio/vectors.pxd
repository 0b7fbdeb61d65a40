"""Ways to look at 64 bytes at a time, which all give the same results."""

cdef extern from "subwordio/vectors.h" nogil:
    enum:
        WAYS "SUBWORDIO_WAYS"           # ways are 0, which every processor has, to WAYS - 1, the quickest
    bint has_way "subwordio_has_way"(int way) noexcept

# `way`, or ValueError where this processor does not have it.
cdef int checked(int way) except -1
