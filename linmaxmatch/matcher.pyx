"""LinMaxMatch over bytes, many words in one loop.        (Algorithm 1 of the paper, on two roots: no special case for ♯)

A word is followed by 0x20, the ␣ of the paper: no state has an edge for it, so the word's end is met exactly where the
loop would look for a failure link anyway, and costs nothing before. What Algorithm 1 does at ␣ is then done at once:
failure moves until r♯, or <unk> where there is none.

Cost  for a word of n bytes at most n edges and n failure moves (counted in `Steps`), <unk> and rollback included
"""
from libc.stdint cimport uint8_t, uint32_t

from linmaxmatch.layout cimport NOWHERE, ONE_TOKEN, Automaton
from subwordio.ids cimport IdBuffer, ids_reserve


cdef inline size_t characters(const uint8_t *s, size_t n) noexcept nogil:
    cdef size_t k, count = 0
    for k in range(n):
        count += (s[k] & 0xC0) != 0x80
    return count


cdef inline size_t pop(const Automaton *a, uint32_t F, uint32_t *ids, size_t length) noexcept nogil:
    """Write the list F behind ids[:length]; the new length. Every pop is at least one byte of the word."""
    cdef const uint32_t *pops
    cdef uint32_t k
    if F & ONE_TOKEN:
        ids[length] = F ^ ONE_TOKEN
        return length + 1
    pops = a.pops + F
    for k in range(pops[0]):
        ids[length + k] = pops[1 + k]
    return length + pops[0]


cdef inline bint too_long(const Rules *rules, const uint8_t *word, size_t n) noexcept nogil:
    return n > rules.cap and (rules.cap_in_bytes or characters(word, n) > rules.cap)


cdef int match_words(const Automaton *a, const Rules *rules, const uint8_t *s, size_t n, IdBuffer *out,
                     Steps *steps) except -1 nogil:
    """The ids of the words in s[0:n], each followed by 0x20, appended to `out`."""
    cdef uint32_t u, v
    cdef size_t i = 0, begin, first, length
    cdef size_t edges = 0, moves = 0
    cdef uint32_t *ids
    if rules.split_unknown:
        return match_words_split(a, rules, s, n, out, steps)
    ids_reserve(out, n)                    # a token has at least one byte
    ids, length = out.data, out.length
    while i < n:
        begin, first, u = i, length - rules.before, rules.start
        # ids[first:length] spelt out, then χ_u, is s[begin:i]
        while True:
            v = a.cells[u].base ^ s[i]
            if a.cells[v].owner == u:
                u = v
                i += 1
                continue
            if s[i] == 0x20:
                break
            if a.failures[u].f == NOWHERE:
                u = NOWHERE
                break
            length = pop(a, a.failures[u].F, ids, length)
            u = a.failures[u].f
            moves += 1
        edges += i - begin
        if u == NOWHERE:
            i = word_end(s, i, n)
        else:
            while u != a.suffix_root:
                if a.failures[u].f == NOWHERE:
                    u = NOWHERE
                    break
                length = pop(a, a.failures[u].F, ids, length)
                u = a.failures[u].f
                moves += 1
        if u == NOWHERE or too_long(rules, s + begin, i - begin):
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
    cdef uint32_t u, v, before
    cdef size_t i = 0, begin, first, length, end, kept
    cdef Steps counted = Steps(0, 0)
    ids_reserve(out, n)
    cdef uint32_t *ids = out.data
    length = out.length
    while i < n:
        begin, first, u = i, length, 0
        while s[i] != 0x20:
            end, before, kept = i + char_width(s[i]), u, length
            while i < end:
                v = a.cells[u].base ^ s[i]
                if a.cells[v].owner == u:
                    u = v
                    i += 1
                    counted.edges += 1
                elif a.failures[u].f == NOWHERE:
                    break
                else:
                    length = pop(a, a.failures[u].F, ids, length)
                    u = a.failures[u].f
                    counted.moves += 1
            if i < end:
                length = finish(a, before, ids, kept, &counted)
                ids[length] = rules.unk
                length += 1
                u = a.suffix_root
                i = end
        if i > begin and u != a.suffix_root:
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


cdef inline size_t finish(const Automaton *a, uint32_t u, uint32_t *ids, size_t length, Steps *steps) noexcept nogil:
    """Pop χ_u to its end, which it is known to have."""
    while u != a.suffix_root and a.failures[u].f != NOWHERE:
        length = pop(a, a.failures[u].F, ids, length)
        u = a.failures[u].f
        steps.moves += 1
    return length
