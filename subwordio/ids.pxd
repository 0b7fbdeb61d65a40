"""Token ids in C memory: the growing buffer that engines append to, and the read-only result."""
from libc.stdint cimport uint32_t

from subwordio.ints cimport ReadyInts


cdef struct IdBuffer:
    uint32_t *data      # the ids, malloc'd; NULL while capacity is 0
    size_t length       # ids in use: data[0:length]
    size_t capacity     # ids that fit without growing; length <= capacity


# For `ids_reserve`: the buffer grows by half at least, so that pushing n ids costs O(n).
cdef int ids_grow(IdBuffer *buffer, size_t extra) except -1 nogil
# Give the memory back; the buffer is then empty and may be used again.
cdef void ids_free(IdBuffer *buffer) noexcept nogil
# Give back what an over-large buffer does not use. Never fails.
cdef int fit(IdBuffer *buffer) except -1 nogil
# Append what an iterable of ints holds. ValueError and TypeError name the index.
cdef int fill_buffer(IdBuffer *buffer, object values) except -1


cdef inline int ids_reserve(IdBuffer *buffer, size_t extra) except -1 nogil:
    """Make room for `extra` more ids. MemoryError."""
    return 0 if extra <= buffer.capacity - buffer.length else ids_grow(buffer, extra)


cdef inline void ids_push(IdBuffer *buffer, uint32_t id) noexcept nogil:
    """Append one id; the caller has reserved its place (`ids_reserve`)."""
    buffer.data[buffer.length] = id
    buffer.length += 1


cdef class TokenIds:
    cdef const uint32_t *data       # the ids; never NULL, also where there are none
    cdef Py_ssize_t length          # data[0:length] are ours to read
    cdef object owner               # whose memory `data` points into; None: our own malloc, or NO_IDS
    cdef ReadyInts ints             # what `tolist` takes ints from, or None


cdef const uint32_t *NO_IDS         # what `data` is where there are no ids: it is not freed
# Take the memory over: afterwards it is the result's, also on an error, and the buffer is empty.
cdef TokenIds token_ids_take(IdBuffer *buffer)
# A copy, in memory of its size; the buffer is as before.
cdef TokenIds token_ids_copy(const IdBuffer *buffer)
# A view of the owner's memory; the owner's own `owner` is None. `ints` is for `tolist`, or None.
cdef TokenIds ids_view(const uint32_t *data, Py_ssize_t length, object owner, ReadyInts ints)


cdef enum Likeness:
    UNKNOWN             # for the other object to say
    UNEQUAL             # text, or a buffer of other dimensions
    SEQUENCE            # to be compared item by item


cdef Likeness likeness(object other, int dimensions) except *
cdef str shown(object sequence, Py_ssize_t most)        # a repr of the first few items
