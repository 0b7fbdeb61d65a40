"""An improper dictionary repaired: another order D′ of its rules with T_D′ = PQ_D, verified.          (Appendix A)

Notation   PQ rank BPE under D · ρ(r) the place of rule r in D · the trace of z: the rules that fire in PQ(z), in their
           order · its peak: the largest of them · z and its rule r are *moved* if the peak is not r itself
D′ has PQ's canonical rules in the order of (peak of the product's trace, merges after the peak's first occurrence there,
own place): the moved ones come right behind their peaks. Where that fails, it counts from the peak's last occurrence. This
often works, and not always, so that it is verified:
(a) D′ is proper   (b) T_D′ and PQ have the same canonical tokens   (c) T_D′(s) = PQ(s) for every overlap s = w·m·z, m not
empty, where w, z, wm and mz are canonical. A shortest string on which T_D′ and PQ differ is one token under one of them, or
two tokens under both that meet at different places: (b) or (c) has it. (a) and (b) compare what the walks of `boundary`
and `pairs` find.

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
So PQ(s) holds the product of a moved rule r, made on the way to its tokens, and T_D′(s) holds twice that of r's peak L: (c)
need only try overlaps whose two tokens under D hold the one between them, and whose two under D′ hold the other twice.
Cost  O(depth) look-ups a rule, three times, and two runs of BPE for each overlap tried
"""
from bisect import bisect_left, bisect_right

from libc.stdint cimport int32_t, uint8_t

from incbpe.boundary cimport Boundary, difference
from incbpe.bpe cimport merge
from incbpe.dictionary cimport NONE, Dictionary, ints
from incbpe.pairs cimport Pairs
from incbpe.spelt cimport Spelt

from incbpe.bpe import trace

MOST_LOOKS = 500_000                        # for overlaps: where more are needed a repair is given up, after a second


cdef class Verifier:
    """Runs PQ_D and T_D′ on texts that are given as tokens."""
    cdef Dictionary D, repaired
    cdef int32_t[::1] symbol, place         # token i is symbol[place[i] : place[i + 1]]
    cdef int32_t[::1] one, two              # room for a run each
    cdef Py_ssize_t n                       # symbols in `one`

    def __cinit__(self, Dictionary D, Dictionary repaired):
        cdef int32_t i, longest = 0
        self.D, self.repaired = D, repaired
        self.symbol, self.place = D.spelling(), ints(D.n + 1)
        for i in range(D.n):
            self.place[i + 1] = self.place[i] + D.length[i]
            longest = max(longest, D.length[i])
        self.one, self.two = ints(2 * longest), ints(2 * longest)

    cdef int put(self, int32_t i) noexcept nogil:
        """The symbols of token i behind those that are there."""
        cdef int32_t k
        for k in range(self.place[i], self.place[i + 1]):
            self.one[self.n] = self.two[self.n] = self.symbol[k]
            self.n += 1
        return 0

    cdef bint agree(self) except -1 nogil:
        """PQ_D = T_D′ on what was put. Empties the room."""
        cdef Py_ssize_t n = self.n, left
        self.n = 0
        left = merge(self.D, &self.one[0], n, False, NULL)
        return left == merge(self.repaired, &self.two[0], n, True, NULL) and same(self.one, self.two, left)


cdef bint same(int32_t[::1] one, int32_t[::1] two, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t k
    for k in range(n):
        if one[k] != two[k]:
            return False
    return True


cdef list moved_rules(Pairs ranked, bint first):
    """(peak, merges after its first or last occurrence, own rule) of the moved rules, sorted."""
    cdef list found = []
    cdef int32_t i
    for i in range(ranked.dictionary.n):
        if ranked.last[i] >= 0 and ranked.peak[i] != ranked.last[i]:
            fired = trace(ranked.dictionary, ranked.dictionary.tokens[i])[1]
            after = fired if first else fired[::-1]
            place = after.index(ranked.peak[i])
            found.append((ranked.peak[i], len(fired) - 1 - place if first else place, ranked.last[i]))
    return sorted(found)


cdef Dictionary reordered(Dictionary D, int32_t[::1] last, list moved):
    """D′: the canonical rules in their order, but the moved ones behind their peaks."""
    cdef int32_t[::1] place = ints(D.rules), order = ints(D.rules)
    cdef int32_t i, k = 0, rules = 0, own
    for i in range(D.n):
        if last[i] >= 0:
            place[last[i]] = 1
    for _, _, own in moved:
        place[own] = 0
    for i in range(D.rules):
        if place[i]:
            order[rules] = i
            rules += 1
        while k < len(moved) and moved[k][0] == i:
            order[rules] = moved[k][2]
            rules += 1
            k += 1
    return D.with_rules(order, rules)


cdef class Overlaps:
    """The overlaps that (c) must try, as the two tokens of PQ."""
    cdef Dictionary repaired                # makes the canonical tokens, parts first
    cdef uint8_t[::1] canonical             # by token

    def __cinit__(self, Dictionary repaired):
        cdef int32_t i
        self.repaired, self.canonical = repaired, bytearray(max(repaired.n, 1))
        for i in range(repaired.n):
            self.canonical[i] = repaired.is_atom(i)
        for i in range(repaired.rules):
            self.canonical[repaired.z[i]] = 1

    cdef object find(self, object text, bint left):
        """The canonical token with this spelling, or with this backwards unless `left`."""
        cdef object found = self.repaired.by_token().get(text if left else text[::-1])
        return found if found is not None and self.canonical[<int32_t>found] else None

    def holding(self, products):
        """For each of some tokens the canonical tokens that are made with it on the way, and how often."""
        cdef Dictionary R = self.repaired
        cdef uint8_t[::1] any_held = bytearray(max(R.n, 1))
        cdef dict held = {}, times, by_product = {t: {} for t in products}
        cdef int32_t i, z
        for z in products:
            any_held[z] = 1
        for i in range(R.rules):
            z = R.z[i]
            if not (any_held[z] or any_held[R.x[i]] or any_held[R.y[i]]):
                continue
            times = {z: 1} if any_held[z] else {}
            for part in (R.x[i], R.y[i]):
                for t, often in held.get(part, {}).items():
                    times[t] = times.get(t, 0) + often
            any_held[z] = 1
            held[z] = times
            for t, often in times.items():
                by_product[t][z] = often
        return by_product

    def pairs(self, moved):
        """The overlaps as PQ's pairs, for the moved rules (peak, …, own); between them None for each vain look."""
        cdef Dictionary R = self.repaired
        cdef set movers
        by_peak = {}
        for peak, mover in moved:
            by_peak.setdefault(peak, set()).add(mover)
        held = self.holding({z for entry in moved for z in entry})
        for left in (True, False):
            spell = (lambda z: R.tokens[z]) if left else (lambda z: R.tokens[z][::-1])
            ordered = in_order([spell(z) for z in range(R.n) if self.canonical[z]])
            for peak, movers in by_peak.items():
                times = held[peak]
                needed = [ordered, sorted(map(spell, times)), sorted(spell(z) for z in times if times[z] > 1)]
                for t in sorted(set().union(*(held[mover] for mover in movers))):
                    for u in self.beside(spell(t), left, times, needed):
                        yield u if u is None else (t, u) if left else (u, t)

    def beside(self, text, left, times, needed):
        """The canonical tokens u for which text u is two tokens in another way, those two holding the peak twice.

        `times` says how often each token does, and needed[k] has, sorted, those that do k times or more. Where not
        `left`, all is spelt backwards.
        """
        for k in range(1, len(text)):       # the other way's first token ends within the text
            first = self.find(text[:k], left)
            if first is not None:
                for other in starting_with(needed[max(0, 2 - times.get(first, 0))], text[k:]):
                    yield self.find(other[len(text) - k:], left)
        for longer in starting_with(needed[0], text):       # or begins with it
            rest = longer[len(text):]
            need = max(0, 2 - times.get(self.find(longer, left), 0))
            if not rest:
                continue
            yield None
            others = starting_with(needed[0], rest)
            if len(needed[need]) < len(others):
                others = [rest + z for z in needed[need]]
            for other in others:
                u, z = self.find(other, left), self.find(other[len(rest):], left)
                yield None if z is None or times.get(z, 0) < need else u


cdef list in_order(list texts):
    """Texts, all str or all bytes, none empty, sorted."""
    cdef Spelt spelt = Spelt(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass") for text in texts)
    cdef int32_t i
    spelt.sort()            # the order of UTF-8 is that of the characters
    return [texts[i] for i in spelt.order[:spelt.given]]


def starting_with(ordered, start):
    """Those of the sorted texts that start so."""
    i = bisect_left(ordered, start)
    return ordered[i:bisect_right(ordered, start, i, key=lambda text: text[:len(start)])]


cdef str failure(Pairs ranked, Pairs again, list moved, Py_ssize_t *tried):
    """What (a), (b) or (c) found, or None."""
    cdef Dictionary D = ranked.dictionary, repaired = again.dictionary
    cdef int32_t[::1] last = again.last if again.plain else Boundary(repaired).last     # T_D′'s canonical rules
    cdef Verifier verifier = Verifier(D, repaired)
    cdef Py_ssize_t looks = 0
    cdef int32_t i, w, z
    i = difference(D, ranked.last, last)
    if i == NONE and not again.plain:       # as `normalize` says, it is not proper
        i = difference(D, again.last, last)
    if i != NONE:
        return f"differs on the token {D.tokens[i]!r}"
    for pair in Overlaps(repaired).pairs([(D.z[peak], D.z[own]) for peak, _, own in moved]):
        if looks == MOST_LOOKS:
            return f"takes more than {MOST_LOOKS} looks for overlaps to verify"
        looks += 1
        if pair is None:
            continue
        w, z = pair
        tried[0] += 1
        verifier.put(w)
        verifier.put(z)
        if not verifier.agree():
            return f"differs on {D.tokens[w] + D.tokens[z]!r}"
    return None


cdef tuple repaired_order(Pairs ranked):
    cdef Dictionary D = ranked.dictionary
    cdef Dictionary repaired
    cdef Pairs again
    cdef Py_ssize_t tried
    cdef list said = []
    for name, first in (("the peak's first occurrence", True), ("its last", False)):
        moved = moved_rules(ranked, first)
        repaired = reordered(D, ranked.last, moved)
        tried = 0
        again = Pairs(repaired)
        why = failure(ranked, again, moved, &tried)
        if why is None:
            return repaired, again.last, f"verified on {D.n} tokens and {tried} overlaps"
        said.append(f"by {name} it {why}")
    return None, None, ", ".join(said)


def repair(Dictionary D not None):
    """(D′, what was verified), or (None, why not): an order D′ of D's rules with T_D′ = PQ_D. (Appendix A.)

    The tokens of D′ are those of D, its rules those of D that are canonical for rank BPE. Sound and not complete: where it
    gives None another order may exist. Cost: O(depth) look-ups a rule, and two runs of BPE for each
    overlap tried.

    >>> from incbpe import Dictionary
    >>> D = Dictionary(["a", "b", "ab", "abb"], [("ab", "b"), ("a", "b")])
    >>> repair(D)[0].merges
    (('a', 'b'), ('ab', 'b'))
    >>> repair(Dictionary(["a", "aa", "aaa"], [("aa", "a"), ("a", "a")]))
    (None, "by the peak's first occurrence it differs on 'aaaa', by its last it differs on 'aaaa'")
    """
    repaired, _, said = repaired_order(Pairs(D))
    return repaired, said
