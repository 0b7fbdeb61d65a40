"""A text as the model's normalizer writes it, and the way back."""
from libc.stdint cimport uint8_t, uint32_t

from subwordio.ids cimport IdBuffer
from subwordio.text cimport ByteBuffer


cdef extern from *:
    """
    static inline size_t incbpe_distance(const void *from, const void *to) {
        return (size_t)((const char *)to - (const char *)from);
    }
    """
    size_t distance "incbpe_distance"(const void *begin, const void *end) noexcept nogil     # in bytes


cdef extern from "incbpe/expand.h" nogil:
    enum:
        EXPANDED "INCBPE_EXPANDED"

# Append text[0:n] with new[0:n_new], EXPANDED bytes at most, for every byte `old`.
cdef int replace_byte(const uint8_t *text, size_t n, uint8_t old, const uint8_t *new, size_t n_new,
                      ByteBuffer *out) except -1 nogil


cdef struct Plain:              # a text that was rewritten
    ByteBuffer text
    IdBuffer starts             # by byte of `text`: where the character that it comes from begins in the original,
    IdBuffer ends               # and where it ends. Only where they are asked for

cdef void plain_free(Plain *plain) noexcept nogil


cdef struct Source:             # what a step reads: a text, and where in the original its bytes come from
    const uint8_t *text
    size_t n
    const uint32_t *starts      # NULL: it is the original itself
    const uint32_t *ends

cdef enum:
    MOST_STEPS = 16

cdef struct Step:
    int kind                    # PREPEND, REPLACE or FORM
    const uint8_t *old          # what is looked for
    size_t n_old
    const uint8_t *new          # what is put in its place, or before the text
    size_t n_new
    uint8_t below               # of a form: texts all of whose bytes are below this are in the form


cdef class Rewriter:
    cdef readonly tuple steps           # model.Step, in order
    cdef list held                      # the bytes that `compiled` points to
    cdef Step[MOST_STEPS] compiled
    cdef int n_steps

    # `out` becomes text[0:n] rewritten; `spare` is of no meaning afterwards. Offsets are into text[0:n].
    cdef int run(self, const uint8_t *text, size_t n, bint aligned, Plain *out, Plain *spare) except -1 nogil
    cdef int take_form(self, int i, const Source *source, bint aligned, Plain *out) except -1 nogil
