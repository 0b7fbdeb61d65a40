"""A table of bounded size from chunks, short stretches of text, to their ids; one thread's."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef extern from "subwordio/chunktable.h" nogil:
    enum:
        SHORT "SUBWORDIO_SHORT"             # bytes of a chunk in a slot
        LONG "SUBWORDIO_LONG"               # and in a long one
        ELSEWHERE "SUBWORDIO_ELSEWHERE"     # instead of a slot's number of ids: they are in a long slot
        BATCH "SUBWORDIO_BATCH"             # chunks whose slots are fetched before the first is looked at
        TAIL "SUBWORDIO_TAIL"               # bytes at a text's end that are read from a copy
        ROOM "SUBWORDIO_ROOM"               # the most ids of any slot
    # All zeros is one that holds nothing and has no memory yet.
    ctypedef struct Table "subwordio_table":
        void *memory
        void *more          # of `table_make`
        int way             # vectors.h; the ids are the same by any
        uint64_t chunks     # looked up so far
        uint64_t missed     # of those, computed
        uint64_t slots_read # compared with a chunk that its first pair did not give at once
    ctypedef struct Batch "subwordio_batch":
        pass
    ctypedef struct Search "subwordio_search":
        pass

    # Memory for a table of at most about so many bytes, of ids up to `last_id`, and for so many `more`; whether there is any.
    bint table_make "subwordio_table_make"(Table *table, size_t nbytes, uint32_t last_id, size_t more) noexcept
    # How many of them are in use: the table grows.
    size_t table_nbytes "subwordio_table_nbytes"(const Table *table) noexcept
    # Give the memory back; what was counted stays.
    void table_free "subwordio_table_free"(Table *table) noexcept

    # Copy the last bytes of text[0:n] to `tail`, of 2 * TAIL bytes.
    void copy_tail "subwordio_copy_tail"(const uint8_t *text, size_t n, uint8_t *tail) noexcept
    # Where the 64 bytes from text[begin] on can be read: in the text, or in what `copy_tail` made.
    const uint8_t *readable_from "subwordio_readable"(const uint8_t *text, size_t n, const uint8_t *tail,
                                                      size_t begin) noexcept
    # A table grows only here: what was found of a place in it before means nothing any more.
    void pack "subwordio_pack"(Table *table, Batch *batch, const uint8_t *text, size_t n, const uint8_t *tail,
                               const uint32_t *edges, size_t m) noexcept
    void pack_row "subwordio_pack_row"(Table *table, Batch *batch, const uint8_t *text, size_t n,
                                       const uint8_t *tail, const uint32_t *edges, size_t m) noexcept
    void set_aside "subwordio_set_aside"(const Batch *batch, size_t i, Batch *other, size_t k) noexcept
    size_t found "subwordio_found"(const Table *table, const Batch *batch, size_t i, size_t m, uint32_t *ids,
                                   size_t *length) noexcept
    bint look_short "subwordio_look_short"(Table *table, const Batch *batch, size_t i, uint32_t *ids, size_t *length,
                                           Search *search) noexcept
    bint is_elsewhere "subwordio_found_elsewhere"(const Search *search) noexcept     # if `look_short` did not find it
    bint look_long "subwordio_look_long"(Table *table, const Batch *batch, size_t i, const uint8_t *s, size_t n,
                                         uint32_t *ids, size_t *length, Search *search) noexcept
    bint look_further "subwordio_look_further"(Table *table, const Batch *batch, size_t i, const uint8_t *s, size_t n,
                                               uint32_t *ids, size_t *length, Search *search) noexcept
    void mark "subwordio_mark"(Table *table, const Search *search, const Batch *batch, size_t i, uint32_t number) noexcept
    size_t marked "subwordio_marked"(const Search *search, const Batch *batch, size_t i, const Batch *lots,
                                     size_t count) noexcept
    void keep_once "subwordio_keep_once"(Table *table, const Batch *batch, size_t i, const uint8_t *s, size_t n,
                                         const uint32_t *ids, size_t count) noexcept
    void keep "subwordio_keep"(Table *table, const Batch *batch, size_t i, const uint8_t *s, size_t n,
                               const uint32_t *ids, size_t count, Search *search) noexcept

    # Whether so many ids have room in a slot, and in a long one.
    bint fits "subwordio_fits"(const Table *table, size_t count) noexcept
    bint fits_long "subwordio_fits_long"(const Table *table, size_t count) noexcept

    # For checks.
    size_t slots_of "subwordio_slots"(const Table *table) noexcept
    # What slot k holds: a chunk of up to 32 bytes, whose size is returned, 0 if the slot is free, and up to ROOM ids, or
    # ELSEWHERE as their number.
    size_t read_slot "subwordio_read_slot"(const Table *table, size_t k, uint8_t *chunk, uint32_t *ids,
                                           size_t *count) noexcept
    size_t unpack "subwordio_unpack"(const uint64_t *words, int n, uint8_t *out) noexcept
