"""Added tokens of a text that is still coming: what `subwordio.added` finds in a whole text, as soon as it is certain.

Patterns are matched leftmost-longest. Let h be where the longest end of the text that is a proper beginning of some
pattern begins, or the text's end. No pattern that begins before h goes on beyond the end, so all candidates that begin
before h are certain; the text before h that none covers is certain too. Forwards, the automaton of Aho and Corasick
knows h at every place, and which patterns end there. What ends at a place replaces the candidates that begin where it
begins or behind, unless one that begins before reaches into it.

A certain candidate may still wait: with single_word for the character behind it. Where some pattern has lstrip, white
space waits for what follows it; with rstrip the token is out at once, and the white space behind it is dropped.

I1  base <= done <= now <= the end of what has come, and four bytes before `done` are kept
I2  `found` ascends without overlap, and none begins before `done`
Cost  amortised O(1) a byte however the text is cut, but for candidates that others replace: of those, at most the bytes
      of the longest pattern at a time
"""
from array import array

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t
from libc.string cimport memcpy, memmove

from subwordio.added cimport Matcher
from subwordio.automaton cimport Automaton
from subwordio.text cimport bytes_free, bytes_reserve

cdef extern from "subwordio/charclass.h" nogil:
    bint is_word(uint32_t c) noexcept
    bint is_white_space(uint32_t c) noexcept
    size_t character_end(const uint8_t *text, size_t i, size_t n) noexcept
    size_t character_begin(const uint8_t *text, size_t i) noexcept
    uint32_t character(const uint8_t *text, size_t i, size_t end) noexcept

cdef enum:
    SINGLE_WORD = 1
    LSTRIP = 2
    RSTRIP = 4
    BEFORE = 4                  # bytes before `done` that are kept: a character
    SMALL = 4096                # bytes that are not worth moving


cdef class AddedPatterns:
    """What `AddedStage` looks for: ``AddedPatterns(patterns, tokens)``, of `bytes` and their AddedTokens."""

    def __cinit__(self, patterns, tokens):
        cdef Automaton automaton = Automaton([pattern[::-1] for pattern in patterns])
        cdef int32_t i, v
        cdef bytearray inner = bytearray(automaton.nodes)
        self.automaton = automaton
        self.depth, self.ending, self.opened = (array("i", bytes(4 * automaton.nodes)) for _ in range(3))
        self.ids = array("q", [token.id for token in tokens])
        self.flags = bytearray([SINGLE_WORD * token.single_word + LSTRIP * token.lstrip + RSTRIP * token.rstrip
                                for token in tokens])
        self.lstrip = any([token.lstrip for token in tokens])
        for v in range(1, automaton.nodes):
            inner[automaton.parent[v]] = True
        for i in range(1, automaton.nodes):
            v = automaton.order[i]
            self.depth[v] = self.depth[automaton.parent[v]] + 1
            self.ending[v] = v if automaton.own[v] >= 0 else self.ending[automaton.fail[v]]
            self.opened[v] = self.depth[v] if inner[v] else self.opened[automaton.fail[v]]


cdef AddedPatterns added_patterns(Matcher matcher, object chosen):
    kept = [(pattern, token) for pattern, token in zip(matcher.automaton.patterns, matcher.tokens, strict=True)
            if not token.special or token.content in chosen]
    return AddedPatterns([pattern for pattern, _ in kept], [token for _, token in kept])


cdef Stage adding(AddedPatterns patterns, Stage last):
    cdef AddedStage stage
    if patterns.ids.shape[0] == 0:
        return last
    stage = AddedStage()
    stage.patterns, stage.found, stage.next = patterns, [], last
    return stage


cdef class AddedStage(Stage):
    """The text between added tokens as parts of its own, and the tokens' ids."""

    def __dealloc__(self):
        bytes_free(&self.text)

    cdef int64_t end_of_text(self) noexcept:
        return self.base + <int64_t> self.text.length

    cdef int put(self, const uint8_t *text, size_t n) except -1:
        cdef int64_t kept
        if n == 0:
            return 0
        if self.text.length + n > SMALL and self.done - self.base > BEFORE + <int64_t> self.text.length // 2:
            kept = self.done - BEFORE - self.base
            self.text.length -= <size_t> kept
            memmove(self.text.data, self.text.data + kept, self.text.length)
            self.base += kept
        bytes_reserve(&self.text, n)
        memcpy(self.text.data + self.text.length, text, n)
        self.text.length += n
        self.read()
        return self.hand_on_certain()

    cdef int end(self) except -1:
        self.ended = True
        self.decide()
        self.hand_on(self.end_of_text())
        if self.begun:
            self.next.end()
        return self.clear()

    cdef int reset(self) except -1:
        self.clear()
        return self.next.reset()

    cdef size_t memory(self) except 1:
        return self.text.capacity + self.next.memory()

    cdef int clear(self) except -1:
        """The next part."""
        self.base = self.now = self.done = self.seen = self.dark = self.node = 0
        self.taking = self.begun = self.ended = False
        self.found, self.waiting, self.text.length = [], None, 0
        return 0

    # -- candidates

    cdef int read(self) except -1:
        """The automaton reads on. A candidate is entered as it ends."""
        cdef AddedPatterns P = self.patterns
        cdef Automaton A = P.automaton
        cdef int64_t end = self.end_of_text()
        cdef uint8_t byte
        cdef int32_t v = self.node, u
        if self.waiting is not None:
            self.decide()
        while self.now < end:
            if v == 0:
                while self.now < end and A.first[self.text.data[self.now - self.base]] == 0:
                    self.now += 1
                if self.now == end:
                    break
            byte = self.text.data[self.now - self.base]
            u = A.child(v, byte) if v else A.first[byte]
            while u == 0 and v != 0:
                v = A.fail[v]
                u = A.child(v, byte) if v else A.first[byte]
            v = u
            self.now += 1
            if v:
                u = P.ending[v]
                while u and not self.enter(self.now - P.depth[u], self.now, A.own[u]):
                    u = P.ending[A.fail[u]]
            self.node = v
            if self.found:
                self.decide()
                v = self.node
        return 0

    cdef bint enter(self, int64_t begin, int64_t end, int32_t pattern) except -1:
        cdef Py_ssize_t i = len(self.found)
        while i > 0 and self.found[i - 1][0] >= begin:
            i -= 1
        if i > 0 and self.found[i - 1][1] > begin:
            return False
        del self.found[i:]
        self.found.append((begin, end, pattern))
        return True

    cdef int decide(self) except -1:
        """Accept the candidates that are certain. What is behind one is read as if the text began there."""
        cdef AddedPatterns P = self.patterns
        cdef int64_t begin, end
        cdef tuple candidate
        if self.waiting is not None:
            candidate, self.waiting = self.waiting, None
            begin, end, pattern = candidate
            self.accept(begin, end, pattern)
        while self.found and (self.ended or self.found[0][0] < self.now - P.opened[self.node]):
            begin, end, pattern = self.found.pop(0)
            while P.depth[self.node] > self.now - end:
                self.node = P.automaton.fail[self.node]
            if P.flags[pattern] & SINGLE_WORD and end == self.end_of_text() and not self.ended:
                self.waiting = begin, end, pattern
            else:
                self.accept(begin, end, pattern)
        return 0

    cdef int accept(self, int64_t begin, int64_t end, int32_t pattern) except -1:
        cdef uint8_t flags = self.patterns.flags[pattern]
        if flags & SINGLE_WORD and self.word_beside(begin, end):
            return 0
        self.take_space(begin)
        if flags & LSTRIP and self.taking and self.space_end(begin, end) == end:
            return 0                    # the token before it takes all of it
        self.hand_on(self.space_begin(begin) if flags & LSTRIP and not self.taking else begin)
        if self.begun:
            self.next.end()
        self.next.put_id(<uint32_t> self.patterns.ids[pattern])
        self.done, self.begun, self.taking = end, False, flags & RSTRIP != 0
        return 0

    # -- characters

    cdef bint word_beside(self, int64_t begin, int64_t end) except -1:
        """Whether a word character ends at `begin` or begins at `end`."""
        cdef const uint8_t *text = self.text.data
        cdef size_t i = <size_t> (begin - self.base), j = <size_t> (end - self.base), n = self.text.length
        if i > 0 and is_word(character(text, character_begin(text, i), i)):
            return True
        return j < n and is_word(character(text, j, character_end(text, j, n)))

    cdef int64_t space_end(self, int64_t begin, int64_t limit) except -1:
        """Where the white space that begins at `begin` ends, `limit` at most."""
        cdef const uint8_t *text = self.text.data
        cdef size_t i = <size_t> (begin - self.base), n = <size_t> (limit - self.base), after
        while i < n:
            after = character_end(text, i, n)
            if not is_white_space(character(text, i, after)):
                break
            i = after
        return self.base + <int64_t> i

    cdef int64_t space_begin(self, int64_t end) except -1:
        """Where the white space that ends at `end` begins, `done` at least. `end` never falls."""
        cdef const uint8_t *text = self.text.data
        cdef size_t i, n = <size_t> (end - self.base), after
        self.seen = max(self.seen, self.done)
        while self.seen < end:
            i = <size_t> (self.seen - self.base)
            after = character_end(text, i, n)
            self.seen = self.base + <int64_t> after
            if not is_white_space(character(text, i, after)):
                self.dark = self.seen
        return max(self.dark, self.done)

    # -- text

    cdef int take_space(self, int64_t limit) except -1:
        """The token before takes white space up to `limit`."""
        if self.taking and self.done < limit:
            self.done = self.space_end(self.done, limit)
            self.taking = self.done == limit
        return 0

    cdef int hand_on(self, int64_t limit) except -1:
        """The text up to `limit` is no other token's."""
        self.take_space(limit)
        if self.done < limit:
            self.next.put(self.text.data + (self.done - self.base), <size_t> (limit - self.done))
            self.done, self.begun = limit, True
        return 0

    cdef int hand_on_certain(self) except -1:
        cdef int64_t limit = self.now - self.patterns.opened[self.node]
        if self.waiting is not None:
            limit = self.waiting[0]
        self.take_space(limit)
        if self.patterns.lstrip and not self.taking:
            limit = self.space_begin(limit)
        return self.hand_on(limit)

    def check(self):
        """Raise AssertionError unless I1 and I2 hold, and those of the stages behind. O(candidates)."""
        assert self.base <= self.done <= self.now <= self.end_of_text(), "I1"
        assert self.base == 0 or self.base + BEFORE <= self.done, "I1"
        last = self.done
        for begin, end, _ in self.found:
            assert last <= begin < end <= self.now, "I2"
            last = end
        self.next.check()
