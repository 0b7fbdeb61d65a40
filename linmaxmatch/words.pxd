"""The output of normalization: words one after another, with or without their sources, and marks in canonical order."""
from libc.stdint cimport uint8_t, uint32_t

from linmaxmatch.charmap cimport ALONE, KIND, LETTER, SPACE, VALUE
from subwordio.spelling cimport put_character


cdef struct Words:
    # The normalized words, in UTF-8, each followed by exactly one 0x20, which no word contains. Start from all zeros
    # (`memset` or `Words(NULL, …)`); `words_free` ends it.
    uint8_t *bytes      # [0, length) valid, [0, capacity) allocated, and 8 bytes more that may be read
    size_t length
    size_t capacity
    # Filled by run_aligned only, else NULL or stale. Both by index into `bytes`: the source bytes
    # text[starts[i]:ends[i]] of the character that byte i belongs to (for a 0x20, the end of its word, twice).
    # So the piece bytes[a:b] comes from text[starts[a]:ends[b - 1]].
    uint32_t *starts
    uint32_t *ends
    size_t aligned      # allocated entries of `starts` and of `ends`


cdef struct Mark:
    uint32_t fate           # LETTER, ALONE or SPACE; when aligned also MARK, which is sorted and then dropped
    uint32_t order          # its combining class, 1 … 254
    uint32_t first          # whether it is the first character that its source character became
    uint32_t start          # the source
    uint32_t end


cdef struct Run:
    Words *out
    bint in_word            # the last byte written is not 0x20
    uint32_t last_start     # aligned: the source taken last
    uint32_t last_end       # 0, 0 before the first
    Mark *marks             # the pending ones: marks since the last character of class 0, as they came
    Mark *sorted            # room for as many
    size_t count            # of pending marks
    size_t capacity


# Makes room for `extra` more bytes (and, when asked, as many entries of `starts` and `ends`); MemoryError.
cdef int words_reserve(Words *words, size_t extra, bint aligned) except -1 nogil
cdef void words_free(Words *words) noexcept nogil


cdef inline int make_room(Words *words, size_t extra, bint aligned) except -1 nogil:
    """`words_reserve`, less the call where there is room already; `starts` never hold more than `bytes`."""
    if words.length + extra > (words.aligned if aligned else words.capacity):
        return words_reserve(words, extra, aligned)
    return 0


# Keep a mark until the run of marks ends; end the run: write it in canonical order. MemoryError.
cdef int hold(Run *run, uint32_t fate, uint32_t order, bint first, uint32_t start, uint32_t end) except -1 nogil
cdef int release(Run *run, bint aligned) except -1 nogil
# Write, or hold, each of several characters that one became (a sequence of the pool of charmap.pxd).
cdef int put_sequence(Run *run, const uint32_t *sequence, uint32_t start, uint32_t end, bint aligned) except -1 nogil


# The writers: inline, since each character passes through them. Room was made before.

cdef inline void align(Run *run, size_t width, uint32_t start, uint32_t end) noexcept nogil:
    """The source of the `width` bytes written last."""
    cdef size_t i
    for i in range(run.out.length - width, run.out.length):
        run.out.starts[i] = start
        run.out.ends[i] = end


cdef inline void end_word(Run *run, bint aligned) noexcept nogil:
    if run.in_word:
        run.out.bytes[run.out.length] = 0x20
        run.out.length += 1
        run.in_word = False
        if aligned:
            run.out.starts[run.out.length - 1] = run.out.ends[run.out.length - 2]
            run.out.ends[run.out.length - 1] = run.out.ends[run.out.length - 2]


cdef inline void put(Run *run, uint32_t c, uint32_t start, uint32_t end, bint aligned) noexcept nogil:
    """Write one character into the current word; room was made before."""
    cdef size_t width = put_character(c, run.out.bytes + run.out.length)
    run.out.length += width
    run.in_word = True
    if aligned:
        align(run, width, start, end)


cdef inline void put_alone(Run *run, uint32_t c, uint32_t start, uint32_t end, bint aligned) noexcept nogil:
    end_word(run, aligned)
    put(run, c, start, end, aligned)
    end_word(run, aligned)


cdef inline void put_fate(Run *run, uint32_t fate, uint32_t start, uint32_t end, bint aligned) noexcept nogil:
    """Write the outcome of one item: LETTER, ALONE or SPACE; the others leave nothing."""
    if KIND(fate) == LETTER:
        put(run, VALUE(fate), start, end, aligned)
    elif KIND(fate) == ALONE:
        put_alone(run, VALUE(fate), start, end, aligned)
    elif KIND(fate) == SPACE:
        end_word(run, aligned)
