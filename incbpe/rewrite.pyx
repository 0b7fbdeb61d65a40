"""What a model does to a text before it is split: Unicode normalization, prepending, replacing; and the way back.

Each step reads the result of the one before it. Where offsets are asked for, every byte of the result knows the
character of the original that it comes from, as the tokenizers library has it: an inserted character comes from the
one before it, at the beginning from the first; what replaces a string comes from its last character.

ASCII needs no Unicode normalization, and neither does NFC for what is below U+0300; other text goes through
`unicodedata`, with the GIL.

Cost  linear in the text and the result, a step
"""
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr, memcmp, memcpy, memset

import unicodedata

from incbpe.forms import aligned as aligned_form
from incbpe.model import Form, Prepend, Replace
from subwordio.ids cimport ids_free, ids_push, ids_reserve
from subwordio.text cimport ByteBuffer, Utf8, bytes_free, bytes_reserve, utf8_view

cdef extern from "subwordio/charclass.h" nogil:
    size_t character_end(const uint8_t *text, size_t i, size_t n) noexcept
    size_t character_begin(const uint8_t *text, size_t i) noexcept

cdef extern from "incbpe/expand.h" nogil:
    size_t count_of "incbpe_count"(const uint8_t *text, size_t n, uint8_t b) noexcept
    size_t expand "incbpe_expand"(const uint8_t *text, size_t n, uint8_t b, const uint8_t *new, size_t n_new,
                                  uint8_t *out) noexcept

cdef enum:
    PREPEND = 0                 # kinds of steps
    REPLACE = 1
    FORM = 2
    ALWAYS_NFC = 0xCC           # no character below U+0300, whose first byte this is, takes part in composition


cdef void plain_free(Plain *plain) noexcept nogil:
    bytes_free(&plain.text)
    ids_free(&plain.starts)
    ids_free(&plain.ends)


cdef int put(Plain *out, const uint8_t *text, size_t n) except -1 nogil:
    bytes_reserve(&out.text, n)
    memcpy(out.text.data + out.text.length, text, n)
    out.text.length += n
    return 0


cdef int origin(Plain *out, const Source *source, size_t begin, size_t end, size_t n) except -1 nogil:
    """The next n bytes come from source.text[begin:end]."""
    cdef size_t _
    cdef uint32_t first, last
    if end > begin:
        first = source.starts[begin] if source.starts != NULL else <uint32_t> begin
        last = source.ends[end - 1] if source.ends != NULL else <uint32_t> end
    else:
        first = last = 0
    ids_reserve(&out.starts, n)
    ids_reserve(&out.ends, n)
    for _ in range(n):
        ids_push(&out.starts, first)
        ids_push(&out.ends, last)
    return 0


cdef int same_origin(Plain *out, const Source *source, size_t begin, size_t end) except -1 nogil:
    """The next bytes are source.text[begin:end], whole characters."""
    cdef size_t stop, n = end - begin
    if source.starts == NULL:
        while begin < end:
            stop = character_end(source.text, begin, source.n)
            origin(out, source, begin, stop, stop - begin)
            begin = stop
        return 0
    ids_reserve(&out.starts, n)
    ids_reserve(&out.ends, n)
    memcpy(out.starts.data + out.starts.length, source.starts + begin, n * sizeof(uint32_t))
    memcpy(out.ends.data + out.ends.length, source.ends + begin, n * sizeof(uint32_t))
    out.starts.length += n
    out.ends.length += n
    return 0


cdef int prepend(const Source *source, const uint8_t *new, size_t n_new, bint aligned, Plain *out) except -1 nogil:
    if source.n == 0:
        return 0
    put(out, new, n_new)
    put(out, source.text, source.n)
    if aligned:
        origin(out, source, 0, character_end(source.text, 0, source.n), n_new)
        same_origin(out, source, 0, source.n)
    return 0


cdef int replace_byte(const uint8_t *text, size_t n, uint8_t old, const uint8_t *new, size_t n_new,
                      ByteBuffer *out) except -1 nogil:
    cdef uint8_t[EXPANDED] padded
    cdef size_t count = count_of(text, n, old)
    bytes_reserve(out, n + count * n_new + 2 * EXPANDED)
    if count == 0:
        memcpy(out.data + out.length, text, n)
        out.length += n
        return 0
    memset(padded, 0, EXPANDED)
    memcpy(padded, new, n_new)
    out.length += expand(text, n, old, padded, n_new, out.data + out.length)
    return 0


cdef int replace(const Source *source, const uint8_t *old, size_t n_old, const uint8_t *new, size_t n_new, bint aligned,
                 Plain *out) except -1 nogil:
    cdef size_t at = 0, done = 0, last
    cdef const void *found
    if n_old == 1 and n_new <= EXPANDED and not aligned:
        return replace_byte(source.text, source.n, old[0], new, n_new, &out.text)
    while source.n - at >= n_old:
        # text[0:done] is rewritten, and no match begins in text[done:at].
        found = memchr(source.text + at, old[0], source.n - at - n_old + 1)
        if found == NULL:
            break
        at = distance(source.text, found)
        if memcmp(source.text + at, old, n_old) != 0:
            at += 1
            continue
        put(out, source.text + done, at - done)
        put(out, new, n_new)
        if aligned:
            same_origin(out, source, done, at)
            last = character_begin(source.text, at + n_old)
            origin(out, source, last, at + n_old, n_new)
        at += n_old
        done = at
    put(out, source.text + done, source.n - done)
    if aligned:
        same_origin(out, source, done, source.n)
    return 0


cdef bint all_below(const uint8_t *text, size_t n, uint8_t below) noexcept nogil:
    """Whether every byte is below `below`."""
    cdef size_t i
    cdef uint8_t most = 0
    for i in range(n):
        most = max(most, text[i])
    return most < below


cdef class Rewriter:
    """``Rewriter(steps)``: the steps of a `Config`'s normalizer, in order.

    >>> from incbpe.model import Prepend, Replace
    >>> Rewriter([Prepend("_"), Replace(" ", "_")]).rewrite("a bc")
    ('_a_bc', [0, 0, 1, 2, 3], [1, 1, 2, 3, 4])
    """

    def __cinit__(self, steps):
        cdef Step *compiled
        self.steps, self.held = tuple(steps), []
        if len(self.steps) > MOST_STEPS:
            raise ValueError(f"steps: {len(self.steps)}, of which at most {MOST_STEPS} are taken")
        for step in self.steps:
            compiled = &self.compiled[self.n_steps]
            self.n_steps += 1
            old = step.old.encode() if isinstance(step, Replace) else b""
            new = step.new.encode() if isinstance(step, Replace) else step.text.encode() if isinstance(step, Prepend) else b""
            if isinstance(step, Replace):
                compiled.kind = REPLACE
                if not old:
                    raise ValueError("Replace: the empty string is found everywhere")
            elif isinstance(step, Prepend):
                compiled.kind = PREPEND
            elif isinstance(step, Form):
                compiled.kind = FORM
                compiled.below = ALWAYS_NFC if step.form == "NFC" else 0x80
            else:
                raise TypeError(f"steps: expected Form, Prepend or Replace, got {type(step).__name__}")
            self.held += [old, new]
            compiled.old, compiled.n_old = old, len(old)
            compiled.new, compiled.n_new = new, len(new)

    cdef int run(self, const uint8_t *text, size_t n, bint aligned, Plain *out, Plain *spare) except -1 nogil:
        cdef Source source = Source(text, n, NULL, NULL)
        cdef Plain *here = out if self.n_steps % 2 else spare       # so that the last step writes `out`
        cdef const Step *step
        cdef int i
        for i in range(self.n_steps):
            here.text.length = here.starts.length = here.ends.length = 0
            step = &self.compiled[i]
            if step.kind == PREPEND:
                prepend(&source, step.new, step.n_new, aligned, here)
            elif step.kind == REPLACE:
                replace(&source, step.old, step.n_old, step.new, step.n_new, aligned, here)
            else:
                self.take_form(i, &source, aligned, here)
            source.text, source.n = here.text.data, here.text.length
            if aligned:
                source.starts, source.ends = here.starts.data, here.ends.data
            here = spare if here == out else out
        if self.n_steps == 0:
            out.text.length = out.starts.length = out.ends.length = 0
            keep(&source, aligned, out)
        return 0

    cdef int take_form(self, int i, const Source *source, bint aligned, Plain *out) except -1 nogil:
        if all_below(source.text, source.n, self.compiled[i].below):
            return keep(source, aligned, out)
        with gil:
            return form(source, self.steps[i].form, aligned, out)

    def rewrite(self, text):
        """The text rewritten, and for every byte of its UTF-8 where its source begins and ends in that of `text`."""
        cdef Utf8 view
        cdef ByteBuffer scratch = ByteBuffer(NULL, 0, 0)
        cdef Plain out, spare
        cdef size_t k
        memset(&out, 0, sizeof(Plain))
        memset(&spare, 0, sizeof(Plain))
        try:
            utf8_view(text, &view, &scratch)
            self.run(view.data, view.length, True, &out, &spare)
            return (PyUnicode_DecodeUTF8(<const char *> out.text.data, out.text.length, NULL),
                    [out.starts.data[k] for k in range(out.text.length)],
                    [out.ends.data[k] for k in range(out.text.length)])
        finally:
            plain_free(&out)
            plain_free(&spare)
            bytes_free(&scratch)


cdef int form(const Source *source, str name, bint aligned, Plain *out) except -1:
    """The text in a form of Unicode normalization."""
    cdef str text = PyUnicode_DecodeUTF8(<const char *> source.text, source.n, NULL)
    cdef bytes result
    cdef size_t begin = 0, end, at = 0
    if unicodedata.is_normalized(name, text):
        return keep(source, aligned, out)
    if not aligned:
        result = unicodedata.normalize(name, text).encode()
        return put(out, result, len(result))
    # text[0:at] is source.text[0:begin]
    for c, first, _ in aligned_form(text, name):
        while at < first:
            begin, at = character_end(source.text, begin, source.n), at + 1
        while at > first:
            begin, at = character_begin(source.text, begin), at - 1
        end = character_end(source.text, begin, source.n) if begin < source.n else begin
        result = c.encode()
        put(out, result, len(result))
        origin(out, source, begin, end, len(result))
    return 0


cdef int keep(const Source *source, bint aligned, Plain *out) except -1 nogil:
    put(out, source.text, source.n)
    if aligned:
        same_origin(out, source, 0, source.n)
    return 0
