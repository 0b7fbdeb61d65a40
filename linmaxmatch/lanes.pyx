"""LinMaxMatch on several stretches of words, a step of each in turn.        (Algorithm 1, in lanes)

The loop is in lanes.h; here is what it meets seldom, a step from a state that has no edge and is no token. A lane is in
s[begin:end], of its part: ids[first:] spelt out, then χ_u, is s[begin:next]. A token has at least one byte, so the ids of
a part that begins at byte b stay in front of those of the next one if they stand behind ids[b:].

Cost  each step is an edge, a failure move or a word's end, as in `matcher`: O(n), whatever the parts are
"""
from libc.stdint cimport SIZE_MAX, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memmove

from linmaxmatch.cells cimport cell_t
from linmaxmatch.layout cimport TOKEN, Automaton, Layout
from linmaxmatch.matcher cimport Rules, fail, match_words, too_long, word_end
from subwordio.ids cimport IdBuffer, ids_reserve
from subwordio.vectors cimport checked, has_way

from subwordio.vectors import ways

cdef extern from "linmaxmatch/lanes.h" nogil:
    ctypedef struct Lane "lmm_lane":
        uint64_t u
        const uint8_t *next
        const uint8_t *end
        uint32_t *ids
        const uint8_t **begin
        uint32_t **first
    ctypedef struct Work "lmm_work":
        const uint64_t *cells
        uint64_t start, suffix_root, token
        size_t cap
        const uint8_t *s
        const size_t *ends
        size_t parts, taken
        uint32_t *ids
        size_t *counts
    ctypedef void (*Stumble "lmm_stumble")(const void *context, Lane *lane) noexcept nogil
    size_t walk "lmm_walk"(int way, Work *work, Stumble stumble, const void *context) noexcept

cdef enum:
    PARTS = 64              # into which words are cut, so that lanes end at about the same time
    LEAST = 16              # bytes of a part that is worth a lane
    LONGEST = 256           # a part with a longer word is matched faster alone

cdef int way = max(ways())     # how lanes walk: the quickest

cdef struct Context:
    const Automaton *a
    const Rules *rules


cdef void stumble(const void *pointer, Lane *lane) noexcept nogil:
    """A step from a state that has no edge for the next byte and is no token."""
    context = <const Context *> pointer
    cdef const Automaton *a = context.a
    cdef size_t length = 0, n = <size_t> lane.next - <size_t> lane.begin[1]
    if lane.next[0] != 0x20 or lane.u != a.cells[a.suffix_root]:
        if fail(a, &lane.u, lane.ids, &length):
            lane.ids += length
            return
        lane.next += word_end(lane.next, 0, <size_t> lane.end - <size_t> lane.next)
        lane.ids = lane.first[1]
    elif too_long(context.rules, lane.begin[1], n):
        lane.ids = lane.first[1]
    if lane.ids == lane.first[1]:
        lane.ids[0] = context.rules.unk
        lane.ids += 1
    lane.next += 1
    lane.u = a.cells[context.rules.start]
    lane.begin[1], lane.first[1] = lane.next, lane.ids


cdef size_t match_parts(const Automaton *a, const Rules *rules, const uint8_t *s, const size_t *ends, size_t parts,
                        uint32_t *ids, size_t *counts, int by) noexcept nogil:
    cdef Context context = Context(a, rules)
    cdef Work work = Work(a.cells, a.cells[rules.start], a.cells[a.suffix_root], <cell_t> TOKEN << 8, rules.cap, s, ends,
                          parts, 0, ids, counts)
    return walk(by, &work, stumble, &context)


cdef size_t share_out(const uint8_t *s, size_t n, size_t *ends) noexcept nogil:
    """Where parts of about equal sizes end, behind a word each; their number, or 0 where a long word is in the way."""
    cdef size_t begin = 0, parts = 0, size = n // PARTS
    while begin < n:
        # each part has more than n / PARTS bytes
        ends[parts] = n if n - begin <= size else word_end(s, begin + size, n) + 1
        if ends[parts] - begin > 2 * size + LONGEST:
            return 0
        begin = ends[parts]
        parts += 1
    return parts


cdef int match_many(const Automaton *a, const Rules *rules, const uint8_t *s, size_t n, IdBuffer *out) except -1 nogil:
    cdef size_t ends[PARTS]
    cdef size_t counts[PARTS]
    cdef size_t k, parts = 0, length
    cdef uint32_t *ids
    if n >= PARTS * LEAST and not rules.split_unknown and rules.before == 0:
        parts = share_out(s, n, ends)
    if parts == 0:
        return match_words(a, rules, s, n, out, NULL)
    ids_reserve(out, n)                     # a token has at least one byte
    ids = out.data + out.length
    match_parts(a, rules, s, ends, parts, ids, counts, way)
    length = counts[0]
    for k in range(1, parts):
        memmove(ids + length, ids + ends[k - 1], counts[k] * sizeof(uint32_t))
        length += counts[k]
    out.length += length
    return 0


def side_by_side(Layout layout not None, stretches, int by, *, uint32_t unk=0, cap=None, bint cap_in_bytes=False):
    """The ids of stretches of words, bytes in which each word is followed by a space, and the steps that matching took.

    `by` is the way (`subwordio.vectors`), `unk` the id of <unk>, and a word of more than `cap` characters is one <unk>, or
    of more than `cap` bytes. Cost O(n) for n bytes.

    >>> from linmaxmatch import WordPiece
    >>> side_by_side(WordPiece(["[UNK]", "a", "##b"]).layout, [b"ab a ", b"", b"ba "], ways()[0])
    ([[1, 2, 1], [], [0]], 7)
    """
    cdef list given = [bytes(stretch) for stretch in stretches]
    cdef bytes joined = b"".join(given) + bytes(8)
    cdef Rules rules = Rules(unk, SIZE_MAX if cap is None else cap, cap_in_bytes, False, 0, 0)
    cdef size_t parts = len(given), k, begin = 0, taken
    cdef const uint8_t *s = joined
    cdef list found = []
    if not has_way(by) or not all(stretch.endswith(b" ") or not stretch for stretch in given):
        raise ValueError(f"side_by_side: way {by}, {stretches}")
    ends = <size_t *> malloc((2 * parts + 1) * sizeof(size_t))
    ids = <uint32_t *> malloc(len(joined) * sizeof(uint32_t))
    try:
        if ends == NULL or ids == NULL:
            raise MemoryError()
        for k in range(parts):
            begin += <size_t> len(given[k])
            ends[k] = begin
        taken = match_parts(&layout.automaton, &rules, s, ends, parts, ids, ends + parts, by)
        begin = 0
        for k in range(parts):
            found.append([ids[begin + i] for i in range(ends[parts + k])])
            begin = ends[k]
        return found, taken
    finally:
        free(ends)
        free(ids)


def use_way(int by) -> None:
    """From now on match in that way, for the tests of all ways."""
    global way
    way = checked(by)
