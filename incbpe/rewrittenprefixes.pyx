"""The tokens of every prefix of a text that is rewritten before it is split.            (beyond the paper)

Mostly a prefix is rewritten as a prefix of what the whole text is rewritten as. Two kinds of rewriting are served so:

    characters   steps that replace single characters or put something before a text: each character has its own image
    a form       of Unicode normalization: the text falls into sequences, each rewritten by itself (`begins_sequence`);
                 a prefix that ends inside one is looked at by itself: "e" is no beginning of "é"

Where a prefix is rewritten as something else, that is the beginning of the whole up to the sequence, and some bytes more,
which are kept: the same where it ends inside a character that is replaced.

Marks of one class that follow each other, however many, are put one behind the other.

Cost  building: O(n), and for each sequence its length times the number of its `turns`; memory: 4 bytes a byte and what
      is below
"""
import unicodedata
from bisect import bisect_right
from functools import cache
from itertools import pairwise

from libc.stdint cimport uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memset

from incbpe.model import Form, Prepend, Replace
from incbpe.rewrite cimport Plain, Rewriter, plain_free
from incbpe.segmentprefixes cimport NEVER, Layer
from incbpe.tokens cimport NO_ID
from subwordio.ids cimport IdBuffer, ids_free
from subwordio.memory cimport zeroed

cdef extern from "subwordio/charclass.h" nogil:
    size_t character_end(const uint8_t *text, size_t i, size_t n) noexcept

cdef str MARK = "\N{REPLACEMENT CHARACTER}"
cdef int FIRST = 0x300          # the characters below begin sequences


def served(rewriter: Rewriter) -> bool:
    """Whether `RewrittenPrefixes` knows how its steps rewrite prefixes.

    >>> from incbpe.rewrite import Rewriter
    >>> [served(Rewriter(steps)) for steps in ([Replace(" ", "_")], [Replace("ab", "c")], [Form("NFC")])]
    [True, False, True]
    """
    steps = rewriter.steps
    if len(steps) == 1 and isinstance(steps[0], Form):
        return True
    return all(isinstance(step, Prepend) or isinstance(step, Replace) and len(step.old) == 1 and step.new
               and step.old != MARK for step in steps)


@cache
def joined() -> frozenset[str]:
    """The characters that some canonical decomposition ends with: they may become one with what is before them."""
    found = {chr(c) for c in [*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)]}     # Hangul, composed by arithmetic
    for c in range(0xC0, 0x30000):
        parts = unicodedata.decomposition(chr(c))
        if parts and parts[0] != "<" and " " in parts:
            found.add(chr(int(parts.rpartition(" ")[2], 16)))
    return frozenset(found)


def begins_sequence(c: str) -> bool:
    """Whether no form of Unicode normalization looks at what is before c and at c together.

    >>> [begins_sequence(c) for c in ("e", "\\u0301", "\\u1161", "日")]
    [True, False, False, True]
    """
    if ord(c) < FIRST:
        return True
    first = unicodedata.normalize("NFKD", c)[0]
    return not unicodedata.combining(first) and first not in joined()


def stays_apart(form: str, before: str, c: str) -> bool:
    """Whether a mark behind one of the same class, where that one is kept, is just put behind it.

    >>> [stays_apart("NFC", "\\u0301", c) for c in ("\\u0301", "\\u0300", "\\u0323", "\\u0344", "a")]
    [True, True, False, False, False]
    """
    mark = unicodedata.combining(c)
    return mark != 0 and mark == unicodedata.combining(before) and unicodedata.normalize(
        "NFKD" if "K" in form else "NFD", c) == c


def turns(form: str, text: str) -> int:
    """How many characters of a sequence are more than put behind the one before, at most.

    >>> turns("NFC", "ae\\u0301\\u0301\\u0323\\u0301b")
    3
    """
    most = here = 0
    for before, c in pairwise(text):
        if begins_sequence(c):
            here = 0
        elif not stays_apart(form, before, c):
            here += 1
            most = max(most, here)
    return most


cdef class RewrittenPrefixes(Layer):
    """``RewrittenPrefixes(rewriter, text, below)``: `below` makes the layer of the text, rewritten.

    The rewriter must be `served`. Below must be no added tokens.
    """

    def __cinit__(self, Rewriter rewriter not None, bytes text not None, below):
        self.text, self.n, self.others, self.counts = text, len(text), {}, {}
        self.place = <uint32_t *> zeroed((self.n + 1) * sizeof(uint32_t))
        if rewriter.steps and isinstance(rewriter.steps[0], Form):
            self.closed = []
            self.below = below(self.fill_form(rewriter.steps[0].form))
        else:
            self.below = below(self.fill_characters(rewriter))
        for i, other in self.others.items():
            self.counts[i] = count_other(self.below, self.place[i], other)

    def __dealloc__(self):
        free(self.place)

    cdef bytes fill_characters(self, Rewriter rewriter):
        cdef const uint8_t *text = self.text
        cdef Plain plain, spare
        cdef size_t i = 0, j, k = 0, end, same
        cdef bytes result, before = rewriter.rewrite(MARK)[0].encode()[:-len(MARK.encode())]
        memset(&plain, 0, sizeof(Plain))
        memset(&spare, 0, sizeof(Plain))
        try:
            rewriter.run(text, self.n, True, &plain, &spare)
            result = plain.text.data[:plain.text.length]
            while i < self.n:
                # place[:i + 1] is filled: result[:k] comes from text[:i]
                end = character_end(text, i, self.n)
                same = len(before) if i == 0 else k     # what is put before the text is there from its first byte on
                for j in range(i + 1, end):
                    self.place[j] = <uint32_t> same
                    if result[same:same + j - i] == self.text[i:j]:
                        self.place[j] += <uint32_t> (j - i)
                    else:
                        self.others[j] = self.text[i:j]
                while k < plain.ends.length and plain.ends.data[k] <= end:
                    k += 1
                self.place[end] = <uint32_t> k
                i = end
        finally:
            plain_free(&plain)
            plain_free(&spare)
        return result

    cdef bytes fill_form(self, str form):
        cdef str text = self.text.decode()
        cdef size_t at = 0, written = 0
        cdef Py_ssize_t first = 0, k
        cdef list parts = []
        for k in range(1, len(text) + 1):
            if k == len(text) or begins_sequence(text[k]):
                # closed[-1] is `at`, where text[first:k] begins
                self.closed.append(at)
                self.fill_sequence(form, text[first:k], at, parts, written)
                at += len(text[first:k].encode())
                written += len(parts[len(parts) - 1])
                first = k
        return b"".join(parts)

    cdef int fill_sequence(self, str form, str sequence, size_t begin, list parts, size_t written) except -1:
        """The places in and behind a sequence that begins there, and is written after `written` bytes."""
        cdef bytes whole = unicodedata.normalize(form, sequence).encode(), part = b"", spelt, seen
        cdef size_t same = 0                # sequence[:k] is rewritten as so many bytes: `part`, or, None, whole[:same]
        cdef Py_ssize_t k, j, _
        parts.append(whole)
        for k in range(len(sequence)):
            spelt = sequence[k].encode()
            if k > 0 and whole[same:same + len(spelt)] == spelt and stays_apart(form, sequence[k - 1], sequence[k]) and (
                    part is None or part.endswith(sequence[k - 1].encode()) and whole.startswith(part)):
                for _ in range(len(spelt)):
                    begin, same = begin + 1, same + 1
                    self.place[begin] = <uint32_t> (written + same)
                part = None
                continue
            if part is None:
                part = whole[:same]
            for j in range(1, len(spelt) + 1):
                seen = part + spelt[:j] if j < len(spelt) else unicodedata.normalize(form, sequence[:k + 1]).encode()
                begin += 1
                self.place[begin] = <uint32_t> written
                if whole.startswith(seen):
                    self.place[begin] += <uint32_t> len(seen)
                else:
                    self.others[begin] = seen
            part, same = seen, len(seen)
        return 0

    cdef uint32_t count_of(self, size_t i) except? 0:
        if self.others and i in self.others:
            return self.counts[i]
        return self.below.count_of(self.place[i])

    cdef int put_ids(self, size_t i, IdBuffer *out) except -1:
        if i in self.others:
            return self.below.put_other(self.place[i], self.others[i], out)
        return self.below.put_ids(self.place[i], out)

    cdef uint32_t last_id(self, size_t i) except? 0:
        return NO_ID if self.others and i in self.others else self.below.last_id(self.place[i])

    cdef size_t least(self, size_t i) except? 0:
        cdef const uint8_t *text = self.text
        if self.closed is not None:
            i = self.closed[max(bisect_right(self.closed, i) - 1, 0)] if self.closed else 0
        else:
            while i > 0 and i < self.n and (text[i] & 0xC0) == 0x80:
                i -= 1
        return self.below.least(self.place[i])


cdef class SpacedPrefixes(Layer):
    """``SpacedPrefixes(text, below)``: the text gets a space before it unless it begins with one or is empty."""

    def __cinit__(self, bytes text not None, below):
        self.text, self.n = text, len(text)
        self.shift = 1 if text and text[:1] != b" " else 0
        self.below = below(b" " + text if self.shift else text)

    cdef uint32_t count_of(self, size_t i) except? 0:
        return self.below.count_of(i + self.shift if i > 0 else 0)

    cdef int put_ids(self, size_t i, IdBuffer *out) except -1:
        return self.below.put_ids(i + self.shift if i > 0 else 0, out)

    cdef int put_other(self, size_t i, bytes end, IdBuffer *out) except -1:
        if i > 0:
            return self.below.put_other(i + self.shift, end, out)
        return self.below.put_other(0, b" " + end if end and end[:1] != b" " else end, out)

    cdef uint32_t last_id(self, size_t i) except? 0:
        return self.below.last_id(i + self.shift if i > 0 else 0)

    cdef size_t least(self, size_t i) except? 0:
        return self.below.least(i + self.shift) if i > 0 else 0


cdef uint32_t count_other(Layer below, size_t i, bytes other) except? 0:
    cdef IdBuffer out = IdBuffer(NULL, 0, 0)
    try:
        below.put_other(i, other, &out)
        return <uint32_t> out.length
    except ValueError:          # the vocabulary has no token for it
        return NEVER
    finally:
        ids_free(&out)
