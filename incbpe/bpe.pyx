"""One rule T_r, equation 1's T_D, and rank BPE.          (Section 3.1, Equation 1)

Notation   φ a list of tokens, φ₀ the symbols of s · T_r one pass from left to right that replaces adjacent x, y by xy,
           r = (x, y) · T_D = T_{r_k} ∘ … ∘ T_{r_1} · PQ merges the leftmost pair of lowest rank until none is left
T_D passes over rules that cannot fire: it takes the leftmost pair of the earliest rule that is still to come. PQ does the
same without "still to come", so that one kernel serves both: in T_D a pair that arises after its rule's pass is dropped.
No pair of the rule in progress can arise, since its parts are shorter than its product.
Cost  T_r: O(|φ|) · T_D and PQ: O(n log n) for n symbols
"""
from libc.stdint cimport INT32_MAX, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memmove

from incbpe.dictionary cimport NONE, ints

cdef extern from *:
    """
    /* A pair in the heap: the rule, then the place of its left token, so that the least comes first in BPE's order. */
    static inline uint64_t incbpe_entry(int32_t rule, int32_t place) {
        return (uint64_t)(uint32_t)rule << 32 | (uint32_t)place;
    }
    static inline int32_t incbpe_entry_rule(uint64_t entry) { return (int32_t)(entry >> 32); }
    static inline int32_t incbpe_entry_place(uint64_t entry) { return (int32_t)entry; }
    """
    uint64_t entry_of "incbpe_entry"(int32_t rule, int32_t place) noexcept nogil
    int32_t rule_of "incbpe_entry_rule"(uint64_t entry) noexcept nogil
    int32_t place_of "incbpe_entry_place"(uint64_t entry) noexcept nogil

cdef enum:
    SHORT = 64                              # symbols: up to here looking at all pairs beats the heap
    GONE = -2                               # no token starts here any more


cdef struct Heap:
    uint64_t *entry                         # a binary heap, least first
    Py_ssize_t n


cdef void push(Heap *heap, uint64_t entry) noexcept nogil:
    cdef Py_ssize_t i = heap.n, above
    heap.n += 1
    while i > 0:
        above = (i - 1) >> 1
        if heap.entry[above] <= entry:
            break
        heap.entry[i] = heap.entry[above]
        i = above
    heap.entry[i] = entry


cdef uint64_t pop(Heap *heap) noexcept nogil:
    cdef uint64_t least = heap.entry[0], entry
    cdef Py_ssize_t i = 0, below = 1
    heap.n -= 1
    entry = heap.entry[heap.n]
    while below < heap.n:
        if below + 1 < heap.n and heap.entry[below + 1] < heap.entry[below]:
            below += 1
        if entry <= heap.entry[below]:
            break
        heap.entry[i] = heap.entry[below]
        i, below = below, 2 * below + 1
    heap.entry[i] = entry
    return least


cdef Py_ssize_t merge_short(Dictionary D, int32_t *token, Py_ssize_t n, bint once, int32_t *fired) noexcept nogil:
    cdef int32_t[SHORT] rule                # rule[k] of token[k], token[k + 1]; INT32_MAX for none, or none to come
    cdef int32_t now = NONE, r              # the rule in progress, where each comes once
    cdef Py_ssize_t k, best, steps = 0
    for k in range(n - 1):
        r = D.rule(token[k], token[k + 1])
        rule[k] = INT32_MAX if r == NONE else r
    while n > 1:
        best = 0
        for k in range(1, n - 1):
            if rule[k] < rule[best]:
                best = k
        r = rule[best]
        if r == INT32_MAX:
            break
        if once:
            now = r
        if fired != NULL:
            fired[steps] = r
        steps += 1
        n -= 1
        token[best] = D.z[r]
        memmove(token + best + 1, token + best + 2, (n - 1 - best) * sizeof(int32_t))
        if best + 1 < n:
            memmove(rule + best + 1, rule + best + 2, (n - 2 - best) * sizeof(int32_t))
            r = D.rule(token[best], token[best + 1])
            rule[best] = r if r > now else INT32_MAX
        if best > 0:
            r = D.rule(token[best - 1], token[best])
            rule[best - 1] = r if r > now else INT32_MAX
    return n


cdef Py_ssize_t merge_long(Dictionary D, int32_t *token, Py_ssize_t n, bint once, int32_t *fired,
                           int32_t *after, int32_t *before, uint64_t *entries) noexcept nogil:
    # Each token stands at the place of its first symbol, and after, before lead to its neighbours' places.
    cdef Heap heap
    cdef uint64_t entry
    cdef int32_t now = NONE, r, k, next
    cdef Py_ssize_t steps = 0, left = 0
    heap.entry, heap.n = entries, 0
    for k in range(<int32_t>n):
        before[k], after[k] = k - 1, k + 1
        r = NONE if k + 1 == n else D.rule(token[k], token[k + 1])
        if r != NONE:
            push(&heap, entry_of(r, k))
    while heap.n:
        entry = pop(&heap)
        r, k = rule_of(entry), place_of(entry)
        next = after[k]
        if token[k] != D.x[r] or next == n or token[next] != D.y[r]:
            continue                        # one of the two was merged away since
        if once:
            now = r
        if fired != NULL:
            fired[steps] = r
        steps += 1
        token[k], token[next] = D.z[r], GONE
        after[k] = next = after[next]
        if next < n:
            before[next] = k
            r = D.rule(token[k], token[next])
            if r > now:
                push(&heap, entry_of(r, k))
        if before[k] >= 0:
            r = D.rule(token[before[k]], token[k])
            if r > now:
                push(&heap, entry_of(r, before[k]))
    for k in range(<int32_t>n):
        if token[k] != GONE:
            token[left] = token[k]
            left += 1
    return left


cdef Py_ssize_t merge(Dictionary D, int32_t *token, Py_ssize_t n, bint once, int32_t *fired) except -1 nogil:
    cdef void *memory
    cdef uint64_t *entries
    cdef int32_t *after
    if n <= SHORT:
        return merge_short(D, token, n, once, fired)
    memory = malloc(<size_t>n * (3 * sizeof(uint64_t) + 2 * sizeof(int32_t)))   # at most 3n pairs are ever pushed
    if memory == NULL:
        with gil:
            raise MemoryError(f"merging {n} symbols")
    entries = <uint64_t *>memory
    after = <int32_t *>(entries + 3 * n)
    n = merge_long(D, token, n, once, fired, after, after + n, entries)
    free(memory)
    return n


cdef tuple spelt(Dictionary D, object s, bint once):
    """The tokens of s, cut out of s, and the rules that fired."""
    cdef int32_t[::1] token = D.symbols(s), fired = ints(len(s))
    cdef Py_ssize_t n = len(s), left, k, i = 0, end
    cdef list found = []
    with nogil:
        left = merge(D, &token[0], n, once, &fired[0])
    for k in range(left):
        end = i + (1 if token[k] == NONE else D.length[token[k]])
        found.append(s[i:end])
        i = end
    return found, list(fired[:n - left])


def apply_rule(Dictionary D not None, i, tokens):
    """T_r(φ) for the rule r = D.merges[i]: one pass from left to right. (Section 3.1.) O(|φ|).

    Raises IndexError, or TypeError.

    >>> from incbpe import Dictionary
    >>> D = Dictionary(["a", "aa"], [("a", "a")])
    >>> apply_rule(D, 0, ["a", "a", "a"])
    ['aa', 'a']
    """
    cdef list found = []
    cdef Py_ssize_t k = 0
    if not isinstance(i, int):
        raise TypeError(f"a rule is an int, got {type(i).__name__}")
    if not 0 <= i < D.rules:
        raise IndexError(f"{i} is no rule: expected 0 to {D.rules - 1}")
    φ = [D.text_of(token) for token in tokens]
    x, y = D.tokens[D.x[i]], D.tokens[D.y[i]]
    while k < len(φ):
        if k + 1 < len(φ) and φ[k] == x and φ[k + 1] == y:
            found.append(x + y)
            k += 2
        else:
            found.append(φ[k])
            k += 1
    return found


def T(Dictionary D not None, s):
    """T_D(s): every rule once, in order, each in one pass. (Equation 1.) O(n log n) for n symbols.

    A symbol that is no atom is a token by itself. TypeError unless s is as the tokens are, str or bytes.

    >>> from incbpe import Dictionary
    >>> D = Dictionary(["a", "aa", "aaa"], [("aa", "a"), ("a", "a")])
    >>> T(D, "aaa"), T(D, "aa?")           # (aa, a) came before there was an aa
    (['aa', 'a'], ['aa', '?'])
    """
    return spelt(D, s, True)[0]


def rank_bpe(Dictionary D not None, s):
    """PQ(s): merge the leftmost pair of lowest rank until no pair has a rule. O(n log n) for n symbols.

    This is what tiktoken, SentencePiece and the tokenizers library do, and it equals Equation 1 where D is proper.
    TypeError unless s is as the tokens are, str or bytes.

    >>> from incbpe import Dictionary
    >>> D = Dictionary(["a", "aa", "aaa"], [("aa", "a"), ("a", "a")])
    >>> rank_bpe(D, "aaa")
    ['aaa']
    """
    return spelt(D, s, False)[0]


def trace(Dictionary D not None, s, semantics="rank"):
    """The tokens of s, and the rules by which they were merged, in the order of time: the trace. O(n log n).

    Under rank BPE (semantics="rank") or Equation 1 ("equation"). TypeError unless s is as the tokens are; ValueError.

    >>> from incbpe import Dictionary
    >>> D = Dictionary(["a", "aa", "aaa"], [("aa", "a"), ("a", "a")])
    >>> trace(D, "aaa"), trace(D, "aaa", "equation")
    ((['aaa'], [1, 0]), (['aa', 'a'], [1]))
    """
    if semantics not in ("equation", "rank"):
        raise ValueError(f"semantics: expected 'equation' or 'rank', got {semantics!r}")
    return spelt(D, s, semantics == "equation")
