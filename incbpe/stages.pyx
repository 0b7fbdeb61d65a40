"""Rewriting a text that is still coming: each step of a normalizer as a stage that holds back as little as it can.

    Prepending  holds nothing
    Replacing   the longest end of the text that `old` begins with, while no match has taken it
    Forming     the open sequence: from the last character on that goes together with no earlier one;
                nothing where that character is all of it and goes together with none that may follow

What a stage has handed on, no continuation changes. A form of Unicode normalization may be cut before a character that
is, decomposed, a starter first, and one that is never the second of a primary composite: neither reordering nor
composition reaches across.

Cost  amortised O(1) a byte, whatever the parts; a form that of `unicodedata`
"""
from functools import cache, lru_cache
from sys import getsizeof
from unicodedata import combining, decomposition, normalize

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.string cimport memchr, memcpy
from libc.stdint cimport uint8_t, uint32_t

from incbpe.model import Form, Prepend, Replace
from incbpe.rewrite cimport EXPANDED, Rewriter, distance, replace_byte
from subwordio.text cimport bytes_free, bytes_reserve

cdef extern from "subwordio/charclass.h" nogil:
    size_t character_begin(const uint8_t *text, size_t i) noexcept

cdef enum:
    ALWAYS_NFC = 0xCC           # no character below U+0300, whose first byte this is, is the second of a composite

cdef int MOST_ANSWERS = 2**16      # about characters, that are remembered
cdef int HANGUL = 0xAC00        # the first syllable; there are
cdef int SYLLABLES = 11172
cdef int FINALS = 28            # to each beginning


cdef class Stage:
    """A stage that changes nothing."""

    cdef int put(self, const uint8_t *text, size_t n) except -1:
        return self.next.put(text, n)

    cdef int end(self) except -1:
        return self.next.end()

    cdef int put_id(self, uint32_t id) except -1:
        return self.next.put_id(id)

    cdef int pause(self) except -1:
        return self.next.pause()

    cdef int reset(self) except -1:
        return self.next.reset()

    cdef size_t memory(self) except 1:
        return self.next.memory()

    def check(self):
        """Raise AssertionError unless the invariants of this stage and those behind hold."""
        self.next.check()


cdef class Prepending(Stage):
    """A text before every part."""

    cdef int put(self, const uint8_t *text, size_t n) except -1:
        if n and not self.begun:
            self.begun = True
            if not (self.unless_space and text[0] == 0x20):
                self.next.put(self.text, len(self.text))
        return self.next.put(text, n)

    cdef int end(self) except -1:
        self.begun = False
        return self.next.end()

    cdef int reset(self) except -1:
        self.begun = False
        return self.next.reset()


cdef class Replacing(Stage):
    """Every `old` becomes `new`: the algorithm of Knuth, Morris and Pratt, which holds back what it has matched."""

    def __dealloc__(self):
        bytes_free(&self.out)

    cdef int append(self, const uint8_t *text, size_t n) except -1:
        bytes_reserve(&self.out, n)
        memcpy(self.out.data + self.out.length, text, n)
        self.out.length += n
        return 0

    cdef int put(self, const uint8_t *text, size_t n) except -1:
        cdef const uint8_t *old = self.old
        cdef size_t i = 0, begin, k = self.matched, shorter, n_old = len(self.old)
        cdef const void *found
        self.out.length = 0
        if n_old == 1 and len(self.new) <= EXPANDED:
            replace_byte(text, n, old[0], self.new, len(self.new), &self.out)
            i = n
        while i < n:
            if k == 0:              # nothing is matched: what is copied goes up to where something may be
                begin, found = i, memchr(text + i, old[0], n - i)
                i = n if found == NULL else begin + distance(text + begin, found)
                self.append(text + begin, i - begin)
                if i == n:
                    break
            # `out` and then old[0:k] is the text up to i, rewritten
            while k > 0 and old[k] != text[i]:
                shorter = self.border[k]
                self.append(old, k - shorter)
                k = shorter
            if old[k] != text[i]:
                self.append(text + i, 1)
            elif k + 1 < n_old:
                k += 1
            else:
                self.append(self.new, len(self.new))
                k = 0
            i += 1
        self.matched = k
        return self.next.put(self.out.data, self.out.length)

    cdef int end(self) except -1:
        self.next.put(self.old, self.matched)
        self.matched = 0
        return self.next.end()

    cdef int reset(self) except -1:
        self.matched = 0
        return self.next.reset()

    cdef size_t memory(self) except 1:
        return self.out.capacity + self.next.memory()


cdef class Forming(Stage):
    """A form of Unicode normalization."""

    cdef int hand_on(self, str text) except -1:
        cdef bytes whole = normalize(self.form, text).encode()
        return self.next.put(whole, len(whole))

    cdef int put(self, const uint8_t *text, size_t n) except -1:
        cdef size_t i = 0, last
        cdef uint8_t most = 0
        cdef str more
        cdef Py_ssize_t k
        if n == 0:
            return 0
        for i in range(n):
            most = max(most, text[i])
        if most < self.below:           # each character may be cut before, and only the last one is open
            if self.held:
                self.hand_on("".join(self.held))
                self.held.clear()
            last = character_begin(text, n)
            self.next.put(text, last)
            text, n = text + last, n - last
        more = PyUnicode_DecodeUTF8(<const char *> text, n, NULL)
        for k in range(len(more) - 1, -1, -1):
            if begins_segment(self.form, more[k]):
                self.hand_on("".join(self.held) + more[:k])
                self.held, more = [], more[k:]
                break
        if not self.held and len(more) == 1 and stands_alone(self.form, more):
            self.hand_on(more)
        else:
            self.held.append(more)
        return 0

    cdef int end(self) except -1:
        if self.held:
            self.hand_on("".join(self.held))
        self.held = []
        return self.next.end()

    cdef int reset(self) except -1:
        self.held = []
        return self.next.reset()

    cdef size_t memory(self) except 1:
        return sum(map(getsizeof, self.held)) + self.next.memory()


cdef Stage rewriting(Rewriter rewriter, Stage last):
    cdef Stage first = last
    if rewriter is not None:
        for step in reversed(rewriter.steps):
            if isinstance(step, Prepend):
                first = prepending(step.text.encode(), False, first)
            elif isinstance(step, Replace):
                first = replacing(step.old.encode(), step.new.encode(), first)
            else:
                assert isinstance(step, Form)
                first = forming(step.form, first)
    return first


cdef Stage prepending(bytes text, bint unless_space, Stage last):
    cdef Prepending stage = Prepending()
    stage.text, stage.unless_space, stage.next = text, unless_space, last
    return stage


cdef Stage replacing(bytes old, bytes new, Stage last):
    cdef Replacing stage = Replacing()
    cdef Py_ssize_t k, shorter
    stage.old, stage.new, stage.next, stage.border = old, new, last, [0, 0]
    for k in range(1, len(old)):
        shorter = stage.border[k]
        while shorter and old[shorter] != old[k]:
            shorter = stage.border[shorter]
        stage.border.append(shorter + (old[shorter] == old[k]))
    return stage


cdef Stage forming(str form, Stage last):
    cdef Forming stage = Forming()
    stage.form, stage.below, stage.held, stage.next = form, ALWAYS_NFC if form == "NFC" else 0x80, [], last
    return stage


@cache
def composites() -> tuple[frozenset[str], frozenset[str]]:
    """The characters that are the first, and the second, of a primary composite; syllables of Hangul are not listed."""
    first, second = set(), {chr(c) for c in (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))}
    first |= {chr(c) for c in range(0x1100, 0x1113)}
    for c in (*range(0xC0, 0x3400), *range(0xF900, 0x20000)):       # the others: ideographs, Hangul, private use
        parts = decomposition(chr(c)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            a, b = (chr(int(part, 16)) for part in parts)
            if normalize("NFC", a + b) == chr(c):
                first.add(a)
                second.add(b)
    return frozenset(first), frozenset(second)


@lru_cache(MOST_ANSWERS)
def begins_segment(form: str, c: str) -> bool:
    """Whether a text may be cut before this character: the whole normalized is both sides normalized."""
    parts = normalize("NFKD" if "K" in form else "NFD", c)
    return not combining(parts[0]) and (form.endswith("D") or parts[0] not in composites()[1])


@lru_cache(MOST_ANSWERS)
def stands_alone(form: str, c: str) -> bool:
    """Whether a text may be cut behind this character too, where it may be before it."""
    if not begins_segment(form, c):
        return False
    parts = normalize("NFKD" if "K" in form else "NFD", c)
    last = parts[len(parts) - 1]
    if combining(last):
        return False
    if form.endswith("D"):
        return True
    whole = normalize(form, c)
    end = whole[len(whole) - 1]
    at = ord(end) - HANGUL
    opens = 0 <= at < SYLLABLES and at % FINALS == 0
    return not any(map(combining, parts)) and not opens and not {last, end} & composites()[0]
