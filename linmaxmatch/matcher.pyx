"""LinMaxMatch over bytes, many words in one loop.        (Algorithm 1 of the paper, on two roots: no special case for ♯)

A word is followed by 0x20, the ␣ of the paper: no state has an edge for it, so the word's end is met exactly where the
loop would look for a failure link anyway, and costs nothing before. What Algorithm 1 does at ␣ is then done there too:
failure moves until r♯, or <unk> where there is none. Most moves are from a token, which then is all that is popped: such
a state holds its id, and f of it is r♯, so the move reads no memory.

Cost  for a word of n bytes at most n edges and n failure moves (counted in `Steps`), <unk> and rollback included
"""
from libc.stdint cimport uint8_t, uint32_t

from linmaxmatch.cells cimport base_of, cell_t, label_of, link_of
from linmaxmatch.layout cimport TOKEN, Automaton
from subwordio.ids cimport IdBuffer, ids_reserve


cdef int match_words(const Automaton *a, const Rules *rules, const uint8_t *s, size_t n, IdBuffer *out,
                     Steps *steps) except -1 nogil:
    """The ids of the words in s[0:n], each followed by 0x20, appended to `out`."""
    cdef cell_t u, v, w
    cdef const cell_t *cells = a.cells
    cdef cell_t start = cells[rules.start], suffix_root = cells[a.suffix_root]
    cdef size_t i = 0, begin, first, length, before = rules.before
    cdef size_t edges = 0, moves = 0
    cdef uint32_t link
    cdef uint32_t *ids
    cdef uint8_t c
    cdef bint known
    if rules.split_unknown:
        return match_words_split(a, rules, s, n, out, steps)
    ids_reserve(out, n)                    # a token has at least one byte
    ids, length = out.data, out.length
    while i < n:
        begin, first, u, known = i, length - before, start, True
        # ids[first:length] spelt out, then χ_u, is s[begin:i]
        while True:
            c = s[i]
            v = cells[base_of(u) + c]
            if label_of(v) == c:
                u = v
                i += 1
                continue
            link = link_of(u)
            if link & TOKEN:                # most often: F(u) is χ_u, and f(u) is r♯
                ids[length] = link ^ TOKEN
                length += 1
                moves += 1
                if c == 0x20:
                    break
                u = suffix_root
                continue
            if c == 0x20 and u == suffix_root:
                break
            w = u
            known = fail(a, &u, ids, &length)
            if not known:
                break
            moves += 1
            while label_of(w) == c and cells[base_of(u) + c] == w:
                # u = f(w), and c leads back to w: where w fails again, all that the next round asks is known
                i += 1
                c = s[i]
                if label_of(cells[base_of(w) + c]) == c:
                    u = w
                    break
                length = pop(a, a.failures[link].F, ids, length)
                moves += 1
        edges += i - begin
        if not known:
            i = word_end(s, i, n)
        if not known or too_long(rules, s + begin, i - begin):
            ids[first] = rules.unk
            length = first + 1
        i += 1
    out.length = length
    if steps != NULL:
        steps.edges += edges
        steps.moves += moves
    return 0


cdef int match_words_split(const Automaton *a, const Rules *rules, const uint8_t *s, size_t n, IdBuffer *out,
                           Steps *steps) except -1 nogil:
    """As match_words, for a Layout in which every single character of a token is a token or <unk>.

    So the loop can only stop in a character that is in no token: what comes before it is complete, it is one <unk>, and
    the next character stands behind it.
    """
    cdef cell_t u, v, before
    cdef cell_t suffix_root = a.cells[a.suffix_root]
    cdef size_t i = 0, begin, first, length, end, kept
    cdef Steps counted = Steps(0, 0)
    ids_reserve(out, n)
    cdef uint32_t *ids = out.data
    length = out.length
    while i < n:
        begin, first, u = i, length, a.cells[0]
        while s[i] != 0x20:
            end, before, kept = i + char_width(s[i]), u, length
            while i < end:
                v = a.cells[base_of(u) + s[i]]
                if label_of(v) == s[i]:
                    u = v
                    i += 1
                    counted.edges += 1
                elif fail(a, &u, ids, &length):
                    counted.moves += 1
                else:
                    break
            if i < end:
                length = finish(a, before, ids, kept, &counted)
                ids[length] = rules.unk
                length += 1
                u = suffix_root
                i = end
        if i > begin:
            length = finish(a, u, ids, length, &counted)
        if too_long(rules, s + begin, i - begin):
            ids[first] = rules.unk
            length = first + 1
        i += 1
    out.length = length
    if steps != NULL:
        steps.edges += counted.edges
        steps.moves += counted.moves
    return 0


cdef inline size_t finish(const Automaton *a, cell_t u, uint32_t *ids, size_t length, Steps *steps) noexcept nogil:
    """Pop χ_u to its end, which it is known to have."""
    while u != a.cells[a.suffix_root] and fail(a, &u, ids, &length):
        steps.moves += 1
    return length
