"""An improper dictionary repaired: another order D′ of its rules with T_D′ = PQ_D, verified.          (Appendix A)

Notation   PQ rank BPE under D · ρ(r) the place of rule r in D · the trace of z: the rules that fire in PQ(z), in their
           order · its peak: the largest of them · z and its rule r are *moved* if the peak is not r itself
D′ has PQ's canonical rules in the order of (peak of the product's trace, merges after the peak's first occurrence there,
own place); where that fails, after its last occurrence. This often works, and not always, so that it is verified:
(a) D′ is proper   (b) T_D′(z) = PQ(z) for every token z   (c) T_D′(s) = PQ(s) for every overlap s = w·m·z, m not empty,
where w, z, wm and mz are canonical. A shortest string on which T_D′ and PQ differ is one token, or two tokens under both
that meet at different places: (b) or (c) has it.

Which overlaps (c) must try. Let PQ_D and PQ_D′ (which is T_D′, by (a)) differ on s, and take the first step at which, from
one list of tokens, D picks a rule r and D′ another rule r′: then ρ(r) < ρ(r′), and r comes after r′ in D′.
1. r is moved: otherwise its key starts with ρ(r), and that of r′ with its peak, which is at least ρ(r′) > ρ(r).
2. Call a step of D's run *leading* if no earlier one is larger. When a leading rule L fires no pair below it is there, so
   that all pairs below L, until the next leading step, touch the one token g that L made and that has grown since. The
   peak of r fired before r, so that r is not leading: r grows g, its product holds g and with it L's product, and the peak
   of r is the present L.
3. The key of r′ is below that of r, so that its peak is at most L. If its pair does not touch g, its rule is at least L:
   it is L itself, at another place. If it does, r and r′ grow g from its two sides, their peaks are both L, and their keys
   are in another order than ρ only if the counts after the peak differ: then one of the two neighbours of g holds a
   product of L too. (Counted from the last occurrence they never differ: both count the steps in which g grew.)
So T_D′(s) has two tokens made by the peak L of a moved rule, within the tokens that are left at the end: (c) need only try
overlaps whose two tokens under D′ hold L's product, as a step of their own making, twice between them.
Cost  three runs of BPE a token, and two for each overlap tried
"""
from bisect import bisect_left
from itertools import product

from libc.stdint cimport int32_t

from incbpe.bpe cimport NOT_CANONICAL, merge, rank_canonical
from incbpe.dictionary cimport Dictionary, ints

MOST_OVERLAPS = 2_000_000                   # more are not tried, so that a repair takes seconds at most


cdef class Verifier:
    """Runs PQ_D and T_D′ on texts that are given as tokens."""
    cdef Dictionary D, repaired
    cdef int32_t[::1] symbol, place         # token i is symbol[place[i] : place[i + 1]]
    cdef int32_t[::1] one, two, three       # room for a run each
    cdef Py_ssize_t n                       # symbols in `one`

    def __cinit__(self, Dictionary D, Dictionary repaired):
        cdef int32_t i, longest = 0
        self.D, self.repaired = D, repaired
        self.symbol, self.place = D.spelling(), ints(D.n + 1)
        for i in range(D.n):
            self.place[i + 1] = self.place[i] + D.length[i]
            longest = max(longest, D.length[i])
        self.one, self.two, self.three = ints(2 * longest), ints(2 * longest), ints(2 * longest)

    cdef int put(self, int32_t i) noexcept nogil:
        """The symbols of token i behind those that are there."""
        cdef int32_t k
        for k in range(self.place[i], self.place[i + 1]):
            self.one[self.n] = self.two[self.n] = self.three[self.n] = self.symbol[k]
            self.n += 1
        return 0

    cdef bint agree(self, bint proper) except -1 nogil:
        """PQ_D = T_D′ on what was put, and, if `proper`, also PQ_D′."""
        cdef Py_ssize_t n = self.n, left
        self.n = 0
        left = merge(self.D, &self.one[0], n, False, NULL)
        if left != merge(self.repaired, &self.two[0], n, True, NULL) or not same(self.one, self.two, left):
            return False
        return not proper or (left == merge(self.repaired, &self.three[0], n, False, NULL)
                              and same(self.one, self.three, left))


cdef bint same(int32_t[::1] one, int32_t[::1] two, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(n):
        if one[k] != two[k]:
            return False
    return True


cdef list keys(Dictionary D, int32_t[::1] last, bint first):
    """(peak, merges after its first or last occurrence, own rule) of each canonical token that is no atom, sorted."""
    cdef int32_t[::1] symbol = D.spelling(), token, fired
    cdef int32_t i, longest = 0
    cdef Py_ssize_t k, n, place = 0, peak
    cdef list found = []
    for i in range(D.n):
        longest = max(longest, D.length[i])
    token, fired = ints(longest), ints(longest)
    for i in range(D.n):
        n = D.length[i]
        token[:n] = symbol[place:place + n]
        place += n
        if last[i] < 0:
            continue
        merge(D, &token[0], n, False, &fired[0])
        peak = 0
        for k in range(1, n - 1):
            if fired[k] > fired[peak] or fired[k] == fired[peak] and not first:
                peak = k
        found.append((fired[peak], n - 2 - peak, last[i]))
    found.sort()
    return found


cdef class Overlaps:
    """The overlaps that (c) must try, as pairs of tokens under D′."""
    cdef Dictionary D
    cdef int32_t[::1] last
    cdef dict users                         # token -> tokens that have it as a part
    cdef dict index                         # canonical tokens, and their indices
    cdef dict mirrored                      # the same, spelt backwards
    cdef list ordered, mirror               # the spellings, sorted

    def __cinit__(self, Dictionary D, int32_t[::1] last):
        cdef int32_t i, z
        self.D, self.last, self.users = D, last, {}
        for z in range(D.n):
            i = last[z]
            if i >= 0:
                for part in {D.x[i], D.y[i]}:
                    self.users.setdefault(part, []).append(z)

    def holding(self, t):
        """Canonical tokens that are made with token t on the way, and how often."""
        cdef int32_t z, i
        reached, todo = {t}, [t]
        while todo:
            fresh = [z for z in self.users.get(todo.pop(), ()) if z not in reached]
            reached.update(fresh)
            todo += fresh
        times = {t: 1}
        for z in sorted(reached - {t}, key=lambda z: self.D.length[z]):
            i = self.last[z]
            times[z] = times.get(self.D.x[i], 0) + times.get(self.D.y[i], 0)
        return times

    def beside(self, t, left):
        """Canonical tokens u such that t u (or u t, unless `left`) is two canonical tokens in another way as well."""
        cdef Dictionary D = self.D
        if self.index is None:
            self.index = {token: i for token, i in D.index.items() if self.last[i] != NOT_CANONICAL}
            self.mirrored = {token[::-1]: i for token, i in self.index.items()}
            self.ordered, self.mirror = sorted(self.index), sorted(self.mirrored)
        index, ordered = (self.index, self.ordered) if left else (self.mirrored, self.mirror)
        text = D.tokens[t] if left else D.tokens[t][::-1]
        for k in range(1, len(text)):       # the other way's second token starts with text[k:]
            if text[:k] in index:
                for longer in starting_with(ordered, text[k:]):
                    if longer[len(text) - k:] in index:
                        yield index[longer[len(text) - k:]]
        for longer in starting_with(ordered, text):     # its first token starts with text
            if longer != text:
                for other in starting_with(ordered, longer[len(text):]):
                    if other[len(longer) - len(text):] in index:
                        yield index[other]

    def pairs(self, peaks):
        """The pairs to try, for the peaks of the moved rules."""
        for L in peaks:
            times = self.holding(self.D.z[L])
            yield from product(times, times)
            for t, often in times.items():
                if often > 1:
                    yield from ((t, u) for u in self.beside(t, True))
                    yield from ((u, t) for u in self.beside(t, False))


def starting_with(ordered, start):
    """Those of the sorted texts that start so."""
    i = bisect_left(ordered, start)
    while i < len(ordered) and ordered[i].startswith(start):
        yield ordered[i]
        i += 1


cdef str failure(Dictionary D, Dictionary repaired, int32_t[::1] last, set peaks, Py_ssize_t *tried):
    """What (a), (b) or (c) found, or None."""
    cdef Verifier verifier = Verifier(D, repaired)
    cdef int32_t i, w, z
    for i in range(D.n):
        verifier.put(i)
        if not verifier.agree(True):
            return f"differs on the token {D.tokens[i]!r}"
    for w, z in Overlaps(D, last).pairs(peaks):
        if tried[0] == MOST_OVERLAPS:
            return f"has more than {MOST_OVERLAPS} overlaps to verify"
        tried[0] += 1
        verifier.put(w)
        verifier.put(z)
        if not verifier.agree(False):
            return f"differs on {D.tokens[w] + D.tokens[z]!r}"
    return None


def repair(Dictionary D not None):
    """(D′, what was verified), or (None, why not): an order D′ of D's rules with T_D′ = PQ_D. (Appendix A.)

    The tokens of D′ are those of D, its rules the rules of D that are canonical for rank BPE. Sound and not complete:
    where it gives None another order may exist. Cost: three runs of BPE a token, and two for each overlap tried.

    >>> from incbpe import Dictionary
    >>> D = Dictionary(["a", "b", "ab", "abb"], [("ab", "b"), ("a", "b")])
    >>> repair(D)[0].merges
    (('a', 'b'), ('ab', 'b'))
    >>> repair(Dictionary(["a", "aa", "aaa"], [("aa", "a"), ("a", "a")]))
    (None, "by the peak's first occurrence it differs on 'aaaa', by its last it differs on 'aaaa'")
    """
    cdef int32_t[::1] last = rank_canonical(D), order
    cdef Dictionary repaired
    cdef Py_ssize_t k, tried = 0
    cdef list said = []
    for name, first in (("first occurrence", True), ("last", False)):
        sorted_keys = keys(D, last, first)
        order = ints(len(sorted_keys))
        for k in range(len(sorted_keys)):
            order[k] = sorted_keys[k][2]
        repaired = D.with_rules(order, len(sorted_keys))
        tried = 0
        why = failure(D, repaired, last, {peak for peak, _, own in sorted_keys if peak != own}, &tried)
        if why is None:
            return repaired, f"verified on {D.n} tokens and {tried} overlaps"
        said.append(f"by {'its' if said else 'the peak' + chr(39) + 's'} {name} it {why}")
    return None, ", ".join(said)
