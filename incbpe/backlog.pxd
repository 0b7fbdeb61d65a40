"""The backlog as the modules above see it from C. Positions count symbols from the text's beginning."""
cimport cython
from libc.stdint cimport int32_t, int64_t, uint8_t


cdef struct Position:
    int32_t symbol      # the symbol that ends here where it is unknown, so that θ is NONE; else of no meaning
    int32_t children    # how many live positions have this one as parent
    int32_t together    # the xor of child - here over these: with one child, it says which
    uint8_t flags       # OPEN: the criterion's · HELD: the caller's


@cython.final
cdef class Backlog:
    cdef const int32_t[::1] length          # by token index: its symbols
    cdef int64_t reach                      # so many positions before the end are kept for θ, whatever the root is
    cdef readonly int64_t base              # the first position that is stored
    cdef readonly int64_t root              # all before it has been released
    cdef readonly int64_t end               # n: the symbols so far
    cdef int32_t *theta                     # theta[b - base]: the token θ_b; NONE where it is unknown, and for b = 0
    cdef Position *at                       # at[b - base]
    cdef Py_ssize_t room                    # entries that `theta` and `at` have place for
    cdef int64_t *opened                    # the open positions, ascending: opened[first : last]
    cdef Py_ssize_t first, last
    cdef Py_ssize_t kept, seen              # within a sweep: opened[first : kept] stay, opened[seen : last] are to come
    cdef Py_ssize_t opened_room             # entries that `opened` has place for
    cdef int64_t *held                      # the held positions: held[0 : n_held]
    cdef Py_ssize_t n_held, held_room
    cdef int32_t *out                       # what was released: token indices, or ~symbol for an unknown symbol
    cdef Py_ssize_t released                # entries of `out`; the caller takes them and sets it to 0
    cdef Py_ssize_t out_room

    cdef int clear(self) except -1 nogil                    # to the empty text; `out` stays
    cdef void give_back(self) noexcept nogil
    cdef int push(self, int32_t token, int32_t symbol) except -1 nogil      # a symbol more, and its θ; it is open
    cdef int hold_only(self, const int64_t *ends, Py_ssize_t n) except -1 nogil
    # ... these count, whatever the criterion says, until the next time; ValueError where one is not live
    cdef int keep_from(self, int64_t b) except -1 nogil     # the open positions before b close
    cdef int begin_sweep(self) noexcept nogil               # then for ascending b < end: `reached` and perhaps `keep`
    cdef bint reached(self, int64_t b) except -1 nogil      # closes the open positions before b; whether b is open
    cdef int keep(self) noexcept nogil                      # the position just reached stays open
    cdef int end_sweep(self) except -1 nogil                # closes the rest, but for the end
    cdef int64_t next_final(self) noexcept nogil            # where the next token that all of them share ends, or NONE
    cdef int step(self) except -1 nogil                     # releases that token, which there is
    cdef int advance(self) except -1 nogil                  # releases all that they share
    cdef int finish(self, int64_t e) except -1 nogil        # releases all of T of the first e symbols; then clear
    cdef int64_t parent(self, int64_t b) noexcept nogil     # b - |θ_b|, for a b after the base
    cdef bint is_live(self, int64_t b) noexcept nogil       # open, held, or with a live child
    cdef int close(self, int64_t b) except -1 nogil         # b is not open any more
    cdef int retire(self, int64_t b) except -1 nogil        # takes b away if it is not live, and its parents likewise
    cdef int reserve_positions(self) except -1 nogil        # place for one more position
    cdef int reserve_opened(self) except -1 nogil           # place for one more open position
    cdef int reserve_out(self, Py_ssize_t extra) except -1 nogil    # place for so many more released tokens
    cdef int32_t name(self, int64_t b) noexcept nogil       # θ_b as `out` has it
