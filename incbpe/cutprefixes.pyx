"""The tokens of every prefix of a text that is cut at added tokens.            (beyond the paper)

The candidates of text[:i] are those of the whole text that end up to i; then, where i lies inside a candidate, what is
found in the part of it before i: shorter added tokens, or none, so that it is text. Two flags look at what follows:
single_word sees nothing behind a candidate that ends the text; the white space that rstrip takes ends with the text.
So the answers for all prefixes are a tree of added tokens, each with the text between it and the one before; and all
texts between that begin at one place are prefixes of the longest, for which the layer below answers.

    text "a<x><xy", added <x> <xy>:   [:3] a<x   [:4] a|<x>   [:6] a|<x>|<x   [:7] a|<x>|<xy

A place inside a character is one behind the last whole character, and then there is U+FFFD, which is in no added token.

I1  parents come before their children
I2  `last` and `done` are for each place what `Matcher.segments_of` makes of the text up to there
Cost  building: O(n), and for each candidate the square of its length; memory: 12 bytes a byte and what is below
"""
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from incbpe.dictionary cimport holds
from incbpe.segmentprefixes cimport NEVER, Layer
from incbpe.tokens cimport NO_ID
from subwordio.added cimport LSTRIP, RSTRIP, SINGLE_WORD, Matcher, space_begin, space_end, word_beside
from subwordio.automaton cimport FoundBuffer, found_free
from subwordio.ids cimport IdBuffer, ids_push, ids_reserve
from subwordio.memory cimport zeroed

cdef extern from "subwordio/charclass.h" nogil:
    size_t character_end(const uint8_t *text, size_t i, size_t n) noexcept

cdef enum:
    CHARACTER = 4               # bytes of a character, at most


cdef class CutPrefixes(Layer):
    """``CutPrefixes(matcher, text, below)``: `below` makes of a text between added tokens the layer that answers for it."""

    def __cinit__(self, Matcher matcher not None, bytes text not None, below):
        cdef size_t k, begin, stop
        self.matcher, self.text, self.n, self.trunk = matcher, text, len(text), []
        self.longest = max([length for length in matcher.lengths], default=0)
        self.last = <int32_t *> zeroed((self.n + 1) * sizeof(int32_t))
        self.done = <uint32_t *> zeroed((self.n + 1) * sizeof(uint32_t))
        self.fill()
        reach = {}
        self.reach(reach)
        # A prefix may cut an added token within a character, which the layers below then have whole.
        self.layers = {begin: below(text[begin:whole(text, stop)]) for begin, stop in reach.items()}
        for k in range(self.n_cuts):
            self.cuts[k].count = self.count_up_to(self.cuts[k].parent, self.cuts[k].begin, self.cuts[k].end)
            if self.cuts[k].count != NEVER:
                self.cuts[k].count += 1

    def __dealloc__(self):
        free(self.last)
        free(self.done)
        free(self.cuts)

    cdef int fill(self) except -1:
        cdef const uint8_t *text = self.text
        cdef FoundBuffer found, inside
        cdef State state = State(-1, 0), here
        cdef size_t i = 0, j, k, end, start = 0, stop = 0, scanned = 0
        cdef int32_t pattern = -1
        memset(&found, 0, sizeof(FoundBuffer))
        memset(&inside, 0, sizeof(FoundBuffer))
        try:
            self.matcher.automaton.search(self.matcher.best, text, self.n, &found)
            k = found.length
            self.last[0], self.done[0] = -1, 0
            while i < self.n:
                # last[:i + 1] is filled; `state` is that of the candidates that end before i; text[start:stop] is the
                # next one, unless pattern < 0 and k = 0
                end = character_end(text, i, self.n)
                if pattern >= 0 and stop < end:
                    self.take(&state, start, pattern, self.n)
                    self.trunk.append((max(stop + CHARACTER, start + self.longest), start, state.done, state.cut))
                    pattern = -1
                while pattern < 0 and k > 0:
                    k -= 1
                    if found.data[k].start >= scanned:
                        start, pattern = found.data[k].start, found.data[k].pattern
                        stop = scanned = start + <size_t> self.matcher.lengths[pattern]
                here = state
                if pattern >= 0 and start < end:
                    if stop == end:
                        self.take(&here, start, pattern, end)
                    else:
                        self.take_cut_short(&here, start, end, &inside)
                for j in range(i + 1, end):         # inside the character
                    self.last[j], self.done[j] = self.last[i], self.done[i]
                self.last[end], self.done[end] = here.cut, <uint32_t> min(here.done, end)
                i = end
        finally:
            found_free(&found)
            found_free(&inside)
        return 0

    cdef int take(self, State *state, size_t start, int32_t pattern, size_t n) except -1:
        """What becomes of a candidate where the text ends at n, as in `Matcher.segments_of`."""
        cdef const uint8_t *text = self.text
        cdef size_t stop = start + <size_t> self.matcher.lengths[pattern]
        cdef void *grown
        if self.matcher.flags[pattern] & SINGLE_WORD and word_beside(text, start, stop, n):
            return 0
        if self.matcher.flags[pattern] & LSTRIP:
            start = max(space_begin(text, state.done, start), state.done)
        if self.matcher.flags[pattern] & RSTRIP and n < self.n:
            stop = space_end(text, stop, n)
        elif self.matcher.flags[pattern] & RSTRIP:
            if not self.space_from <= stop < self.space_to:
                self.space_from, self.space_to = stop, space_end(text, stop, n)
            stop = self.space_to
        if start >= stop:
            return 0
        if self.n_cuts == self.capacity:
            self.capacity += self.capacity // 2 + 16
            grown = realloc(self.cuts, self.capacity * sizeof(Cut))
            if grown == NULL:
                raise MemoryError()
            self.cuts = <Cut *> grown
        self.cuts[self.n_cuts] = Cut(state.cut, min(state.done, start), start, <uint32_t> self.matcher.ids[pattern], 0)
        state.cut, state.done = <int32_t> self.n_cuts, stop
        self.n_cuts += 1
        return 0

    cdef int take_cut_short(self, State *state, size_t start, size_t end, FoundBuffer *found) except -1:
        """The candidates in text[start:end] where the text ends, and a longer candidate that begins at `start` does not."""
        cdef const uint8_t *text = self.text
        cdef size_t k, scanned = 0
        found.length = 0
        self.matcher.automaton.search(self.matcher.best, text + start, end - start, found)
        for k in range(found.length, 0, -1):
            if found.data[k - 1].start >= scanned:
                scanned = found.data[k - 1].start + <size_t> self.matcher.lengths[found.data[k - 1].pattern]
                self.take(state, start + found.data[k - 1].start, found.data[k - 1].pattern, end)
        return 0

    cdef int reach(self, dict reach) except -1:
        """By begin of a text between: the largest place where one ends."""
        cdef size_t i, k
        for k in range(self.n_cuts):
            if self.cuts[k].begin < self.cuts[k].end:
                reach[self.cuts[k].begin] = max(self.cuts[k].end, reach.get(self.cuts[k].begin, 0))
        for i in range(self.n + 1):
            if self.done[i] < i:
                # the prefixes of one text between mostly follow each other
                if i == self.n or self.done[i + 1] != self.done[i]:
                    reach[self.done[i]] = max(i, reach.get(self.done[i], 0))
        return 0

    cdef uint32_t count_up_to(self, int32_t cut, size_t begin, size_t end) except? 0:
        cdef uint32_t before = 0 if cut < 0 else self.cuts[cut].count, text = 0
        if begin < end:
            text = (<Layer> self.layers[begin]).count_of(end - begin)
        return NEVER if before == NEVER or text == NEVER else before + text

    cdef uint32_t count_of(self, size_t i) except? 0:
        return self.count_up_to(self.last[i], self.done[i], i)

    cdef int put_ids(self, size_t i, IdBuffer *out) except -1:
        cdef list path = []
        cdef int32_t k = self.last[i]
        while k >= 0:
            path.append(k)
            k = self.cuts[k].parent
        for k in reversed(path):
            if self.cuts[k].begin < self.cuts[k].end:
                (<Layer> self.layers[self.cuts[k].begin]).put_ids(self.cuts[k].end - self.cuts[k].begin, out)
            ids_reserve(out, 1)
            ids_push(out, self.cuts[k].id)
        if self.done[i] < i:
            (<Layer> self.layers[self.done[i]]).put_ids(i - self.done[i], out)
        return 0

    cdef uint32_t last_id(self, size_t i) except? 0:
        if self.count_of(i) == NEVER:
            return NO_ID
        if self.done[i] < i:
            return (<Layer> self.layers[self.done[i]]).last_id(i - self.done[i])
        return self.cuts[self.last[i]].id if self.last[i] >= 0 else NO_ID

    cdef size_t unchanged(self, size_t i, State *state) except? 0:
        """A place up to which the search has come, to `state`, whatever follows text[:i]; text between begins at done."""
        cdef const uint8_t *text = self.text
        cdef size_t place = i - min(i, self.longest + CHARACTER)
        state.cut, state.done = -1, 0
        for decided, start, done, cut in self.trunk:
            if decided > i:
                place = min(place, <size_t> start)
                break
            state.cut, state.done = cut, done
        while place > 0 and (text[place] & 0xC0) == 0x80:
            place -= 1
        return space_begin(text, 0, place)

    cdef size_t least(self, size_t i) except? 0:
        cdef State state
        cdef size_t place = self.unchanged(i, &state), text
        cdef uint32_t before = 0 if state.cut < 0 else self.cuts[state.cut].count
        if before == NEVER:
            return NEVER
        if place <= state.done or state.done not in self.layers:
            return before
        below = <Layer> self.layers[state.done]
        text = below.least(min(place - state.done, below.n))
        return NEVER if text == NEVER else before + text

    def check(self) -> None:
        """Assert I1 and I2. O(n²)"""
        cdef size_t i, end
        for i in range(self.n_cuts):
            holds("I1", self.cuts[i].parent < <int32_t> i, i)
        for i in range(self.n + 1):
            end = i
            while end < self.n and end > 0 and (self.text[end] & 0xC0) == 0x80:
                end -= 1
            wanted = [id for _, _, id in self.matcher.segments(self.text[:end]) if id is not None]
            k, found = self.last[i], []
            while k >= 0:
                found.append(self.cuts[k].id)
                k = self.cuts[k].parent
            holds("I2", found[::-1] == wanted, (self.text, i))


cdef size_t whole(const uint8_t[::1] text, size_t i) noexcept:
    """Where the character ends that i is within; i itself between characters."""
    while i < <size_t> text.shape[0] and text[i] & 0xC0 == 0x80:
        i += 1
    return i
