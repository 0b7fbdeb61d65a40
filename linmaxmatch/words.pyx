"""The words buffer, and canonical ordering.

Where accents are stripped, text is decomposed, and then a run of marks (characters whose combining class is not 0) is
sorted by class, in a stable way. Most marks are stripped after that; those that stay must stand in the sorted order.
With sources: like tokenizers, the characters of a sorted run take the run's sources in order, not each its own.

Cost  O(k) for a run of k marks: sorted by counting (k > 16) or by insertion (k <= 16)
"""
from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from linmaxmatch.charmap cimport KIND, MARK
from subwordio.largepages cimport prefer_large_pages

cdef enum:
    FEW = 16                # up to so many marks are sorted by insertion
    SPARE = 8               # bytes behind the buffer that may be read


cdef int words_reserve(Words *words, size_t extra, bint aligned) except -1 nogil:
    cdef size_t need = words.length + extra
    cdef size_t capacity
    cdef void *memory
    if need > words.capacity:
        capacity = max(need, 2 * words.capacity, 256)
        memory = realloc(words.bytes, capacity + SPARE)
        if not memory:
            raise MemoryError
        words.bytes = <uint8_t *>memory
        words.capacity = capacity
        prefer_large_pages(memory, capacity)
    if aligned and need > words.aligned:
        capacity = words.capacity
        memory = realloc(words.starts, capacity * sizeof(uint32_t))
        if not memory:
            raise MemoryError
        words.starts = <uint32_t *>memory
        memory = realloc(words.ends, capacity * sizeof(uint32_t))
        if not memory:
            raise MemoryError
        words.ends = <uint32_t *>memory
        words.aligned = capacity
    return 0


cdef void words_free(Words *words) noexcept nogil:
    free(words.bytes)
    free(words.starts)
    free(words.ends)
    memset(words, 0, sizeof(Words))


cdef int hold(Run *run, uint32_t fate, uint32_t order, bint first, uint32_t start, uint32_t end) except -1 nogil:
    """Keep a mark until the run of marks ends."""
    cdef size_t capacity
    cdef Mark *memory
    if run.count == run.capacity:
        capacity = max(<size_t>32, 2 * run.capacity)
        memory = <Mark *>realloc(run.marks, 2 * capacity * sizeof(Mark))
        if not memory:
            raise MemoryError
        run.marks = memory
        run.sorted = memory + capacity
        run.capacity = capacity
    run.marks[run.count] = Mark(fate, order, first, start, end)
    run.count += 1
    return 0


cdef void sort_marks(Run *run) noexcept nogil:
    """Stably by combining class, from `marks` to `sorted`."""
    cdef size_t at[257]
    cdef size_t i, k
    if run.count <= FEW:
        for i in range(run.count):
            k = i
            while k and run.sorted[k - 1].order > run.marks[i].order:
                run.sorted[k] = run.sorted[k - 1]
                k -= 1
            run.sorted[k] = run.marks[i]
        return
    memset(at, 0, sizeof(at))
    for i in range(run.count):
        at[run.marks[i].order + 1] += 1
    for k in range(256):
        at[k + 1] += at[k]
    for i in range(run.count):
        run.sorted[at[run.marks[i].order]] = run.marks[i]
        at[run.marks[i].order] += 1


cdef int release(Run *run, bint aligned) except -1 nogil:
    """A character of class 0 came: write the pending marks in canonical order."""
    cdef size_t i, taken = 0
    words_reserve(run.out, 6 * run.count, aligned)
    sort_marks(run)
    for i in range(run.count):
        if run.sorted[i].first:
            while not run.marks[taken].first:
                taken += 1
            run.last_start = run.marks[taken].start
            run.last_end = run.marks[taken].end
            taken += 1
        put_fate(run, run.sorted[i].fate, run.last_start, run.last_end, aligned)
    run.count = 0
    return 0


cdef int put_sequence(Run *run, const uint32_t *sequence, uint32_t start, uint32_t end, bint aligned) except -1 nogil:
    """Write, or hold, each of several characters that one became."""
    cdef size_t i
    cdef uint32_t fate, order
    for i in range(sequence[0]):
        fate, order = sequence[1 + 2 * i], sequence[2 + 2 * i]
        if order:
            if aligned or KIND(fate) != MARK:
                hold(run, fate, order, i == 0, start, end)
            continue
        if run.count:
            release(run, aligned)
        run.last_start, run.last_end = start, end
        put_fate(run, fate, start, end, aligned)
    return 0
