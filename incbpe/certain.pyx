"""What is certain of a text whose θ the engine has found.                       (Section 6, and beyond it)

Where much of a text has come at once, the engine finds θ of all its prefixes, quicker than eager output, which reads it
symbol by symbol. The positions that are open now, and not those that were on the way, say what is certain: they are on
the failure chain of the automaton, which a walk over as many bytes as the longest token has comes to. The tokens up to
the deepest position that all of them descend from are certain, as in `backlog`; only the positions on the way from the
open ones to it are looked at.

What stands behind a token that is certain may be read by itself, and what is certain of it is the rest of what is certain
(Proposition 27). So what is read here begins where the tokens that are out end.

Notation   b a position, by bytes · θ_b the last token of T up to b · parent(b) = b - |θ_b|
Cost  O(longest token), a question for each open position by "maximal", and O(1) for each position on the way
"""
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memmove

from incbpe.automaton cimport SuffixAutomaton
from incbpe.dictionary cimport NONE
from incbpe.eager cimport MAXIMAL, WINDOW
from subwordio.ids cimport IdBuffer, ids_push, ids_reserve

cdef extern from "subwordio/charclass.h" nogil:
    size_t character_begin(const uint8_t *text, size_t i) noexcept


cdef size_t before(Pieces pieces, const uint8_t *text, size_t b) noexcept nogil:
    """Where the symbol before begins."""
    return character_begin(text, b) if pieces.unknown.characters else b - 1


cdef size_t parent(Pieces pieces, const uint8_t *text, size_t b, const Work *work) noexcept nogil:
    if work.theta.data[b] == pieces.automaton.none:
        return before(pieces, text, b)
    return b - (<const uint16_t *> work.lengths.data)[b]


cdef int set_open(Pieces pieces, EagerOutput eager, const uint8_t *text, size_t n, Work *work) except -1:
    """Append the open positions before n to work.numbers, descending."""
    cdef SuffixAutomaton A = eager.automaton
    cdef size_t at = n, i = n - min(n, <size_t> pieces.automaton.longest)
    cdef int32_t v, depth = 0, wanted
    cdef list chain = []
    while pieces.unknown.characters and i < n and text[i] & 0xC0 == 0x80:
        i += 1
    v = A.walk(0, text + i, n - i)
    if eager.how == WINDOW:
        chain = list(range(A.depth[v], 0, -1))
    while v != 0 and eager.how != WINDOW:
        if A.inner[v]:
            chain.append(v)
        v = A.fail[v]
    ids_reserve(&work.numbers, len(chain))
    for v in reversed(chain):
        wanted = v if eager.how == WINDOW else A.depth[v]
        while depth < wanted:
            at = before(pieces, text, at)
            depth += 1
        if eager.how != MAXIMAL or eager.answers.any_stands(
                pieces.automaton.tokens[work.theta.data[at]] if at > 0 else NONE, v, eager.kind):
            ids_push(&work.numbers, <uint32_t> at)
    return 0


cdef int hold(IdBuffer *found, size_t held) except -1:
    """Enter a position into those found, if it is not there."""
    cdef size_t k = 0
    while k < found.length and found.data[k] > held:
        k += 1
    if k == found.length or found.data[k] != held:
        ids_reserve(found, 1)
        memmove(found.data + k + 1, found.data + k, (found.length - k) * sizeof(uint32_t))
        found.data[k] = <uint32_t> held
        found.length += 1
    return 0


cdef size_t certain(Pieces pieces, EagerOutput eager, const uint8_t *text, size_t n, size_t held, bint goes_on,
                    Work *work) except? 0xFFFFFFFFFFFFFFFF:
    cdef IdBuffer *numbers = &work.numbers
    cdef uint32_t *found
    cdef size_t first = 0, k, above
    numbers.length = 0
    ids_reserve(numbers, 1)
    ids_push(numbers, <uint32_t> n)
    if goes_on:
        set_open(pieces, eager, text, n, work)
    if held > 0:
        hold(numbers, held)
    found = numbers.data
    while numbers.length - first > 1:
        # found[first:numbers.length] descends; where they meet has not changed
        above, k = parent(pieces, text, found[first], work), first + 1
        while k < numbers.length and found[k] > above:
            k += 1
        if k < numbers.length and found[k] == above:
            first += 1
            continue
        memmove(found + first, found + first + 1, (k - 1 - first) * sizeof(uint32_t))
        found[k - 1] = <uint32_t> above
    return found[first]
