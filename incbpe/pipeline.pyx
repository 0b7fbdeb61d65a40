"""The engine: a text cut at added tokens, rewritten, split into pieces, and the pieces merged, a group at a time.

    text ── added tokens ──► parts ── rewriter ──► added tokens ──► segments ── splitter ──► pieces ── Pieces ──► ids

Where nothing splits a segment and there is a table of chunks, it is cut at seams, which no token reaches across (seams.h,
Proposition 26).
Most models have neither a rewriter nor added tokens in rewritten text: a part is then a segment. A segment is well-formed
UTF-8; pieces are its bytes, and what they become does not depend on what stands around them.
Where each token stands is worked out in a form of its own, `align_…`, piece by piece. Bytes that are not UTF-8 are split
as if each maximal ill-formed run were one U+FFFD, and merged as they are.

Cost  O(n) for a text of n bytes, times O(log² t) in a piece of t bytes; in memory, beside the result, six bytes a byte
      of the longest piece, and with a rewriter the longest part rewritten. A cutter makes no such promise
"""
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport SIZE_MAX, int64_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free

from incbpe.chunks cimport desk_check, desk_free, desk_nbytes, encode_chunks, encode_rows, ready
from incbpe.model import Prepend

from incbpe.illformed cimport replaced
from incbpe.piece cimport GROUP, LONG, Pieces, work_bytes, work_free
from incbpe.pretokenize cimport Splitter
from incbpe.rewrite cimport Rewriter, plain_free
from incbpe.trim cimport outer_space
from subwordio.added cimport Matcher, segments_free, segments_init
from subwordio.batch cimport Kernel
from subwordio.chunktable cimport Table
from subwordio.ids cimport IdBuffer, ids_free, ids_push, ids_reserve

cdef extern from "subwordio/charclass.h" nogil:
    size_t character_end(const uint8_t *text, size_t i, size_t n) noexcept
    size_t character_begin(const uint8_t *text, size_t i) noexcept

cdef Splitter UNSPLIT = Splitter("none")

cdef enum:
    KEPT_BYTES = 4194304        # scratch above this is given back after the call


cdef int put(Aligned *out, size_t start, size_t stop) except -1 nogil:
    """The place of the next token, of the present piece."""
    ids_reserve(&out.starts, 1)
    ids_reserve(&out.ends, 1)
    ids_reserve(&out.words, 1)
    ids_push(&out.starts, <uint32_t> start)
    ids_push(&out.ends, <uint32_t> stop)
    ids_push(&out.words, out.word)
    return 0


cdef int put_added(Aligned *out, uint32_t id, const uint8_t *found, size_t n, size_t start, size_t stop) except -1 nogil:
    """The next token is an added one, which was found as found[0:n]."""
    ids_reserve(&out.added, 3)
    ids_push(&out.added, <uint32_t> out.ids.length)
    outer_space(found, n, out.added.data + out.added.length, out.added.data + out.added.length + 1)
    out.added.length += 2
    ids_reserve(&out.ids, 1)
    ids_push(&out.ids, id)
    put(out, start, stop)
    out.word += 1
    return 0


cdef void free_aligned(Aligned *out) noexcept:
    ids_free(&out.ids)
    ids_free(&out.starts)
    ids_free(&out.ends)
    ids_free(&out.words)
    ids_free(&out.added)


cdef class Pipeline(Kernel):
    """What `BPE` runs. Immutable; a choice of added tokens is another Pipeline over the same parts."""

    def __cinit__(self, Pieces pieces not None, Splitter splitter, cutter, Rewriter rewriter, bint prefix_space,
                  size_t cache_bytes):
        if splitter is not None and cutter is not None:
            raise ValueError("a splitter or a cutter, not both")
        if splitter is not None and splitter.whole:
            splitter = None
        self.pieces, self.splitter, self.cutter, self.rewriter = pieces, splitter, cutter, rewriter
        self.prefix_space = prefix_space
        if prefix_space:
            self.spacer = Rewriter([Prepend(" ")])
        # Where unknown symbols are errors or vanish, pieces are not worth keeping: such models are small.
        self.chunked = splitter
        if splitter is None and cutter is None and pieces.set_joins():
            self.chunked = UNSPLIT
        self.cache_bytes = cache_bytes if self.chunked is UNSPLIT or (
            splitter is not None and splitter.cuttable and pieces.complete and not pieces.vanish) else 0
        self.together = self.plain = (
            cutter is None and rewriter is None and not prefix_space and pieces.complete and not pieces.vanish)

    cdef Pipeline with_added(self, Matcher raw, Matcher normalized):
        cdef Pipeline other = Pipeline(self.pieces, self.splitter, self.cutter, self.rewriter, self.prefix_space,
                                       self.cache_bytes)
        other.raw, other.normalized, other.ints = raw, normalized, self.ints
        other.together = self.plain and raw is None and normalized is None
        return other

    # -- the frame (subwordio.batch)

    cdef void *new_scratch(self) except NULL:
        scratch = <Scratch *> calloc(1, sizeof(Scratch))
        if scratch == NULL:
            raise MemoryError()
        segments_init(&scratch.raw)
        segments_init(&scratch.normalized)
        return scratch

    cdef void free_scratch(self, void *pointer) noexcept:
        scratch = <Scratch *> pointer
        empty(scratch)
        desk_free(&scratch.desk)
        free(scratch)

    cdef void trim_scratch(self, void *pointer) noexcept:
        scratch = <Scratch *> pointer
        if work_bytes(&scratch.work) + (scratch.raw.capacity + scratch.normalized.capacity) * sizeof(
                scratch.raw.data[0]) + scratch.plain.text.capacity + scratch.spare.text.capacity + (
                scratch.spaced.text.capacity) + 4 * (scratch.ids.capacity + scratch.plain.starts.capacity) > KEPT_BYTES:
            empty(scratch)

    # -- ids

    cdef int encode_utf8(self, const uint8_t *text, size_t n, IdBuffer *out, void *pointer) except -1 nogil:
        return self.encode_some(text, n, SIZE_MAX, out, <Scratch *> pointer)

    cdef int encode_some(self, const uint8_t *text, size_t n, size_t most, IdBuffer *out, Scratch *scratch) except -1 nogil:
        cdef size_t k, before = out.length
        if self.raw is None:
            return self.encode_part(text, n, most, out, scratch)
        scratch.raw.length = 0
        self.raw.segments_of(text, n, &scratch.raw)
        for k in range(scratch.raw.length):
            if out.length - before > most:
                break
            segment = scratch.raw.data[k]
            if segment.id < 0:
                self.encode_part(text + segment.start, segment.stop - segment.start, most - (out.length - before), out,
                                 scratch)
            else:
                ids_reserve(out, 1)
                ids_push(out, <uint32_t> segment.id)
        return 0

    cdef int encode_part(self, const uint8_t *text, size_t n, size_t most, IdBuffer *out, Scratch *scratch) except -1 nogil:
        cdef size_t k, before = out.length
        if self.rewriter is not None:
            self.rewriter.run(text, n, False, &scratch.plain, &scratch.spare)
            text, n = scratch.plain.text.data, scratch.plain.text.length
        if self.normalized is None:
            return self.encode_segment(text, n, most, out, scratch)
        scratch.normalized.length = 0
        self.normalized.segments_of(text, n, &scratch.normalized)
        for k in range(scratch.normalized.length):
            if out.length - before > most:
                break
            segment = scratch.normalized.data[k]
            if segment.id < 0:
                self.encode_segment(text + segment.start, segment.stop - segment.start, most - (out.length - before), out,
                                    scratch)
            else:
                ids_reserve(out, 1)
                ids_push(out, <uint32_t> segment.id)
        return 0

    cdef int encode_segment(self, const uint8_t *text, size_t n, size_t most, IdBuffer *out, Scratch *scratch) except -1 nogil:
        cdef size_t[GROUP] ends
        cdef size_t start = 0, begin, count, last, before = out.length
        if self.prefix_space and n > 0 and text[0] != 0x20:
            self.spacer.run(text, n, False, &scratch.spaced, &scratch.spare)
            text, n = scratch.spaced.text.data, scratch.spaced.text.length
        if self.cutter is not None:
            with gil:
                return self.encode_cut(text, n, out, scratch)
        if self.cache_bytes > 0 and n > 0 and self.keeps(n, scratch):
            return encode_chunks(&scratch.desk, self.chunked, self.pieces, &scratch.work, text, 0, n, n, most, out)
        if self.splitter is None:
            return self.pieces.encode_one(text, n, out, NULL, &scratch.work) if n > 0 else 0
        while start < n and out.length - before <= most:
            # text[0:start] is encoded
            begin, count = start, 0
            while start < n and count < GROUP:
                last = start
                start = self.splitter.piece_end(text, start, n)
                if start - last >= LONG:
                    break
                ends[count] = start
                count += 1
            self.pieces.encode(text, begin, ends, count, n, out, NULL, &scratch.work)
            if start - last >= LONG:
                self.pieces.encode_one(text + last, start - last, out, NULL, &scratch.work)
        return 0

    cdef bint keeps(self, size_t n, Scratch *scratch) except -1 nogil:
        """Whether there is a table of chunks for the next n bytes."""
        return ready(&scratch.desk, self.cache_bytes, self.pieces.tokens.size - 1, n)

    cdef int encode_texts(self, const uint8_t *text, const size_t *ends, size_t count, IdBuffer *out, int64_t *bounds,
                          void *pointer) except -1 nogil:
        """The pieces of all texts in one row, so that a group has many of them."""
        cdef Scratch *scratch = <Scratch *> pointer
        cdef size_t[GROUP] pieces, places       # of the present group: where each piece ends, and its ids
        cdef size_t[GROUP] texts                # and by text that ends in it: after how many pieces
        cdef size_t begin = 0, start = 0, held = 0, ended = 0, i, end
        cdef bint long_one
        if self.cache_bytes > 0 and count > 0 and self.keeps(ends[count - 1], scratch):
            return encode_rows(&scratch.desk, self.chunked, self.pieces, &scratch.work, text, ends, count, out, bounds)
        for i in range(count):
            # text[0:start] is in pieces; bounds[0:i - ended] are written, and text[0:begin] is encoded
            while start < ends[i]:
                end = ends[i] if self.splitter is None else self.splitter.piece_end(text, start, ends[i])
                long_one = end - start >= LONG
                if long_one or held == GROUP:
                    self.flush(text, begin, pieces, held, places, ends[count - 1], texts, ended, out, bounds + i - ended, scratch)
                    begin, held, ended = start, 0, 0
                if long_one:
                    self.pieces.encode_one(text + start, end - start, out, NULL, &scratch.work)
                    begin = end
                else:
                    pieces[held] = end
                    held += 1
                start = end
            texts[ended] = held
            ended += 1
            if ended == GROUP:
                self.flush(text, begin, pieces, held, places, ends[count - 1], texts, ended, out, bounds + i + 1 - ended, scratch)
                begin, held, ended = start, 0, 0
        return self.flush(text, begin, pieces, held, places, ends[count - 1], texts, ended, out, bounds + count - ended, scratch)

    cdef int flush(self, const uint8_t *text, size_t begin, const size_t *pieces, size_t held, size_t *places, size_t n,
                   const size_t *texts, size_t ended, IdBuffer *out, int64_t *bounds, Scratch *scratch) except -1 nogil:
        """Encode a group of `held` pieces, and write the bounds of the `ended` texts that end in it."""
        cdef size_t k, before = out.length
        self.pieces.encode(text, begin, pieces, held, n, out, places, &scratch.work)
        for k in range(ended):
            bounds[k] = <int64_t> (places[texts[k] - 1] if texts[k] > 0 else before)
        return 0

    cdef int encode_cut(self, const uint8_t *text, size_t n, IdBuffer *out, Scratch *scratch) except -1:
        """The same with a cutter."""
        for begin, end in self.spans(text, n):
            self.pieces.encode_one(text + <size_t> begin, end - begin, out, NULL, &scratch.work)
        return 0

    cdef list spans(self, const uint8_t *text, size_t n):
        """Where the pieces of a segment begin and end."""
        cdef size_t start = 0, end
        cdef list spans = []
        if self.cutter is not None:
            return byte_spans(PyUnicode_DecodeUTF8(<const char *> text, n, NULL), self.cutter)
        while start < n:
            end = self.splitter.piece_end(text, start, n) if self.splitter is not None else n
            spans.append((start, end))
            start = end
        return spans

    # -- how many

    cdef size_t count_utf8(self, const uint8_t *text, size_t n, size_t most, void *pointer) except? 0xFFFFFFFFFFFFFFFF nogil:
        scratch = <Scratch *> pointer
        scratch.ids.length = 0
        self.encode_some(text, n, most, &scratch.ids, scratch)
        return scratch.ids.length

    # -- bytes that are not UTF-8

    cdef int encode_ill_formed(self, const uint8_t *data, size_t n, IdBuffer *out, void *pointer) except -1 nogil:
        with gil:
            raw = (<const char *> data)[:n]
            text, fills = replaced(raw)
            return self.encode_filled(text, len(text), raw, fills, out, <Scratch *> pointer)

    cdef int encode_filled(self, const uint8_t *text, size_t n, const uint8_t *raw, list fills, IdBuffer *out,
                           Scratch *scratch) except -1:
        """The ids of text[0:n] in which the bytes raw[a:b] stand for each U+FFFD, one for each (a, b) of `fills`."""
        cdef size_t k, j, filled = 0
        cdef const uint8_t *part
        cdef const uint8_t *segment
        scratch.raw.length = 0
        if self.raw is not None:
            self.raw.segments_of(text, n, &scratch.raw)
        for start, stop, id in segments(&scratch.raw, self.raw is not None, n):
            if id is not None:
                filled += marks(text + <size_t> start, stop - start)
                ids_reserve(out, 1)
                ids_push(out, id)
                continue
            part, k = text + <size_t> start, stop - start
            if self.rewriter is not None:
                self.rewriter.run(part, k, False, &scratch.plain, &scratch.spare)
                part, k = scratch.plain.text.data, scratch.plain.text.length
            scratch.normalized.length = 0
            if self.normalized is not None:
                self.normalized.segments_of(part, k, &scratch.normalized)
            for first, last, inner in segments(&scratch.normalized, self.normalized is not None, k):
                segment, j = part + <size_t> first, last - first
                if inner is not None:
                    filled += marks(segment, j)
                    ids_reserve(out, 1)
                    ids_push(out, inner)
                    continue
                if self.prefix_space and j > 0 and segment[0] != 0x20:
                    self.spacer.run(segment, j, False, &scratch.spaced, &scratch.spare)
                    segment, j = scratch.spaced.text.data, scratch.spaced.text.length
                for begin, end in self.spans(segment, j):
                    piece = (<const char *> segment)[<size_t> begin:<size_t> end]
                    filled = self.encode_piece_filled(piece, raw, fills, filled, out, scratch)
        return 0

    cdef size_t encode_piece_filled(self, bytes piece, const uint8_t *raw, list fills, size_t filled, IdBuffer *out,
                                    Scratch *scratch) except? 0xFFFFFFFFFFFFFFFF:
        parts = piece.split(b"\xef\xbf\xbd")
        for k in range(len(parts) - 1):
            begin, end = fills[filled]
            parts[k] += (<const char *> raw)[<size_t> begin:<size_t> end]
            filled += 1
        piece = b"".join(parts)
        self.pieces.encode_one(piece, len(piece), out, NULL, &scratch.work)
        return filled

    # -- ids and places

    cdef int align_utf8(self, const uint8_t *text, size_t n, Aligned *out, void *pointer) except -1 nogil:
        scratch = <Scratch *> pointer
        cdef size_t k
        if self.raw is None:
            return self.align_part(text, n, 0, out, scratch)
        scratch.raw.length = 0
        self.raw.segments_of(text, n, &scratch.raw)
        for k in range(scratch.raw.length):
            segment = scratch.raw.data[k]
            if segment.id < 0:
                self.align_part(text + segment.start, segment.stop - segment.start, segment.start, out, scratch)
            else:
                put_added(out, <uint32_t> segment.id, text + segment.start, segment.stop - segment.start, segment.start,
                          segment.stop)
        return 0

    cdef int align_part(self, const uint8_t *text, size_t n, size_t origin, Aligned *out, Scratch *scratch) except -1 nogil:
        cdef Segment segment = Segment(text, n, NULL, NULL, origin)
        cdef size_t k
        if self.rewriter is not None:
            self.rewriter.run(text, n, True, &scratch.plain, &scratch.spare)
            segment = Segment(scratch.plain.text.data, scratch.plain.text.length, scratch.plain.starts.data,
                              scratch.plain.ends.data, origin)
        if self.normalized is None:
            return self.align_segment(&segment, out, scratch)
        cdef Segment part
        scratch.normalized.length = 0
        self.normalized.segments_of(segment.text, segment.n, &scratch.normalized)
        for k in range(scratch.normalized.length):
            found = scratch.normalized.data[k]
            if found.id < 0:
                part = Segment(segment.text + found.start, found.stop - found.start, NULL, NULL, origin)
                if segment.starts == NULL:
                    part.origin += found.start
                else:
                    part.starts, part.ends = segment.starts + found.start, segment.ends + found.start
                self.align_segment(&part, out, scratch)
            elif segment.starts == NULL:
                put_added(out, <uint32_t> found.id, segment.text + found.start, found.stop - found.start,
                          origin + found.start, origin + found.stop)
            else:
                put_added(out, <uint32_t> found.id, segment.text + found.start, found.stop - found.start,
                          origin + segment.starts[found.start], origin + segment.ends[found.stop - 1])
        return 0

    cdef int align_segment(self, Segment *segment, Aligned *out, Scratch *scratch) except -1 nogil:
        cdef size_t start = 0, end, k
        cdef IdBuffer *starts = &scratch.spaced.starts
        cdef IdBuffer *ends = &scratch.spaced.ends
        if self.prefix_space and segment.n > 0 and segment.text[0] != 0x20:
            self.spacer.run(segment.text, segment.n, True, &scratch.spaced, &scratch.spare)
            if segment.starts != NULL:
                for k in range(starts.length):
                    ends.data[k] = segment.ends[ends.data[k] - 1]
                    starts.data[k] = segment.starts[starts.data[k]]
            segment.text, segment.n = scratch.spaced.text.data, scratch.spaced.text.length
            segment.starts, segment.ends = starts.data, ends.data
        if self.cutter is not None:
            with gil:
                for begin, stop in self.spans(segment.text, segment.n):
                    self.align_piece(segment, begin, stop, out, scratch)
            return 0
        while start < segment.n:
            end = segment.n if self.splitter is None else self.splitter.piece_end(segment.text, start, segment.n)
            self.align_piece(segment, start, end, out, scratch)
            start = end
        return 0

    cdef int align_piece(self, const Segment *segment, size_t begin, size_t end, Aligned *out, Scratch *scratch) except -1 nogil:
        cdef size_t k, start = begin, stop, first, last
        scratch.ends.length = 0
        self.pieces.encode_one(segment.text + begin, end - begin, &out.ids, &scratch.ends, &scratch.work)
        for k in range(scratch.ends.length):
            stop = begin + scratch.ends.data[k]
            if segment.starts != NULL:
                first, last = segment.starts[start], segment.ends[stop - 1]
            else:
                # whole characters: a token may begin or end within one
                first = character_begin(segment.text, start + 1)
                last = character_end(segment.text, stop - 1, segment.n)
            put(out, segment.origin + first, segment.origin + last)
            start = stop
        out.word += 1
        return 0

    # -- the table of chunks

    cdef const Table *table_of(self, void *scratch, size_t *nbytes) noexcept:
        cdef const Desk *desk = &(<Scratch *> scratch).desk
        nbytes[0] = desk_nbytes(desk)
        return &desk.table

    cdef int check_table(self, void *scratch) except -1:
        return desk_check(&(<Scratch *> scratch).desk, self.chunked, self.pieces)


cdef list byte_spans(str text, object cutter):
    """The spans of a text's pieces in bytes of its UTF-8; those between them, which are left out, are not."""
    cdef list spans = []
    cdef Py_ssize_t done = 0
    cdef size_t at = 0, start
    for begin, end in cutter(text):
        at += len(text[done:begin].encode())
        start, at = at, at + len(text[begin:end].encode())
        if at > start:
            spans.append((start, at))
        done = end
    return spans


cdef list segments(const SegmentBuffer *found, bint cut, size_t n):
    """(start, stop, id) of the segments; id is None for text. Uncut, all is one."""
    cdef size_t k
    if not cut:
        return [(0, n, None)]
    return [(found.data[k].start, found.data[k].stop, None if found.data[k].id < 0 else found.data[k].id)
            for k in range(found.length)]


cdef size_t marks(const uint8_t *text, size_t n):
    """How many U+FFFD there are."""
    return (<const char *> text)[:n].count(b"\xef\xbf\xbd")


cdef void empty(Scratch *scratch) noexcept:
    """Give back all memory; the scratch may be used again."""
    work_free(&scratch.work)
    segments_free(&scratch.raw)
    segments_free(&scratch.normalized)
    plain_free(&scratch.plain)
    plain_free(&scratch.spare)
    plain_free(&scratch.spaced)
    ids_free(&scratch.ids)
    ids_free(&scratch.ends)
