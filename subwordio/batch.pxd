"""The frame around an engine: scratch memory, single texts, and batches over threads."""
from libc.stdint cimport int64_t, uint8_t

from subwordio.chunktable cimport Table
from subwordio.ids cimport IdBuffer, TokenIds
from subwordio.ints cimport ReadyInts
from subwordio.lists cimport TokenLists
from subwordio.text cimport ByteBuffer


cdef struct Worker:         # what one thread needs while it encodes
    void *scratch           # the kernel's own
    ByteBuffer text         # where a str that is not ASCII becomes UTF-8
    IdBuffer ids            # where a single text's ids are gathered
    ByteBuffer joined       # texts of a batch, end to end
    Worker *next            # in the kernel's list of idle workers


cdef class Kernel:
    cdef Worker *idle       # workers that no thread uses; touched with the GIL held only
    cdef int n_idle         # how many those are, at most MOST_IDLE
    cdef bint together      # short texts of a batch are encoded several at a time
    cdef bint ended         # behind each of those stands a line feed, which `ends` counts
    cdef ReadyInts ints     # what its results' lists take ints from; None unless the engine sets it

    # For an engine to define. Append the ids of n bytes of well-formed UTF-8, none if n is 0. Any thread, no GIL; `scratch` is this
    # call's alone, may hold anything that earlier calls left (also one that failed), and is left fit for the next.
    cdef int encode_utf8(self, const uint8_t *utf8, size_t n, IdBuffer *out, void *scratch) except -1 nogil
    # Of several texts, which are text[0:ends[0]], text[ends[0]:ends[1]], …: append their ids, and bounds[i] becomes where
    # those of text i end in `out`. Called only where `together`, and never fails for what is in a text.
    cdef int encode_texts(self, const uint8_t *text, const size_t *ends, size_t count, IdBuffer *out, int64_t *bounds,
                          void *scratch) except -1 nogil
    # Append the ids of n bytes that are not UTF-8; an engine that does not define it refuses them: ValueError.
    cdef int encode_ill_formed(self, const uint8_t *data, size_t n, IdBuffer *out, void *scratch) except -1 nogil
    # The number of a text's ids, or some number over `most` where there are more.
    cdef size_t count_utf8(self, const uint8_t *utf8, size_t n, size_t most, void *scratch) except? 0xFFFFFFFFFFFFFFFF nogil
    # Scratch memory for one thread. A kernel that needs none leaves all three as they are.
    cdef void *new_scratch(self) except NULL
    # May run while the kernel is being destroyed: must not look at the kernel's Python attributes.
    cdef void free_scratch(self, void *scratch) noexcept
    # Called before scratch is kept for later: give back what an unusually long text made it grow to.
    cdef void trim_scratch(self, void *scratch) noexcept

    # An engine that keeps chunks defines both: the table in a scratch, with the bytes of all memory for it, and an
    # assertion of its invariant.
    cdef const Table *table_of(self, void *scratch, size_t *nbytes) noexcept
    cdef int check_table(self, void *scratch) except -1
    # Of the tables of all idle workers: how many, their bytes, and what they counted; and all of them checked.
    cdef dict cache_counts(self)
    cdef int check_caches(self) except -1

    # A worker for the calling thread, which then may release the GIL, and gives it back with the GIL held.
    cdef Worker *borrow(self) except NULL
    cdef void give_back(self, Worker *worker) noexcept


# One text. The GIL is released unless the text is so short that this would cost more than it gives.
cdef TokenIds encode_text(Kernel kernel, object text)
# The same of bytes that may be any.
cdef TokenIds encode_any(Kernel kernel, bytes data)
# The same from C: append the ids of n bytes. ValueError, and none appended, where they are not UTF-8; `worker` is borrowed.
cdef int encode_checked(Kernel kernel, const uint8_t *text, size_t n, IdBuffer *out, Worker *worker) except -1 nogil
# How many ids the text has: with a limit, an int or None, exact up to it, and limit + 1 where there are more.
cdef object count_text(Kernel kernel, object text, object limit)
# `texts` with function(text) in the place of each, for encode_batch.
cdef object mapped(object texts, object function)
# Many texts, an iterable or a column of them (`columns`, `Texts`), on at most `threads` threads (None: one for each
# processor that we may use).
cdef TokenLists encode_batch(Kernel kernel, object texts, object threads)
