"""Chunks, what lies between certain cuts of a text, and a table of bounded size that knows the ids of those seen lately.

    text ── cuts (cuts.h) ──► chunks ── table (subwordio/chunktable.h, farchunks.h) ──► ids
                                └── not there: splitter, Pieces; entered ───────────────┘

A chunk's ids depend on its own bytes alone (cutrules, Proposition 24). One that is longer than any key is cut into its
pieces, which are chunks too. Ids of chunks that the table has go straight to the output; the others are put aside, so that
the pieces of many are merged together, and then their ids are put in between.

Without a splitter the cuts are the seams that no token reaches across (seams.h, Proposition 26), and a chunk is a piece.
A table belongs to one thread, one splitter and one merge core.
Always: what the table says of a chunk are the ids of its pieces (`desk_check`).

Cost  O(n) beside the merging: a byte is in one chunk, which is hashed and compared with at most 24 slots (counted), and at
      most once split and merged; an id is moved at most once
"""
from libc.stdint cimport SIZE_MAX, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memcpy, memset

from incbpe.piece cimport Pieces, Work, work_free
from incbpe.piece cimport LONG as ALONE
from incbpe.pretokenize cimport Splitter
from subwordio.chunktable cimport (
    BATCH, ELSEWHERE, LONG, ROOM, SHORT, TAIL, Batch, Search, Table, copy_tail, fits, fits_long, found, is_elsewhere,
    keep_once, look_long, look_short, mark, marked, pack_row, read_slot, readable_from, set_aside, slots_of, table_free,
    table_make, table_nbytes)
from subwordio.ids cimport IdBuffer, ids_free, ids_reserve
from subwordio.vectors cimport checked, has_way

from subwordio.vectors import ways

cdef extern from "incbpe/cuts.h" nogil:
    ctypedef struct Rules "incbpe_cut_rules":
        uint8_t lines, slash, apart
    ctypedef struct CutState "incbpe_cut_state":
        uint64_t cut
    uint32_t *cuts_of "incbpe_cuts"(int way, const Rules *rules, const uint8_t *text, size_t at, size_t stop, size_t n,
                                    CutState *state, uint32_t *out) noexcept

cdef extern from "incbpe/seams.h" nogil:
    uint32_t *seams "incbpe_seams"(int way, const uint64_t *joins, const uint8_t *text, size_t at, size_t stop,
                                   uint32_t *out) noexcept

cdef extern from "incbpe/farchunks.h" nogil:
    enum:
        FAR "INCBPE_FAR"            # bytes of a chunk
        FAR_ROW "INCBPE_FAR_ROW"
    ctypedef struct FarSlot "incbpe_far_slot":
        uint32_t at, count
    void far_begin "incbpe_far_begin"(Far *far, void *memory, size_t nbytes) noexcept
    const FarSlot *far_find "incbpe_far_find"(const Far *far, const uint8_t *s, size_t n) noexcept
    void far_keep "incbpe_far_keep"(Far *far, const uint8_t *s, size_t n, const uint32_t *ids, size_t count) noexcept
    size_t far_read "incbpe_far_read"(const Far *far, size_t k, uint8_t *chunk, const uint32_t **ids, size_t *count) noexcept
    size_t far_slots "incbpe_far_slots"(const Far *far) noexcept
    size_t far_nbytes "incbpe_far_nbytes"(const Far *far) noexcept

cdef enum:
    BLOCK = 2048                # bytes of text whose cuts are found at a time
    NEAR = 4096                 # ids behind a missing chunk that are moved while they are still in the first cache
    FAR_PART = 8                # one part in so many of the memory is for chunks that have no room in a slot of the table
    USUAL = 4                   # bytes of a token
    SEEN = 1024                 # a table of this many bytes is worth its memory after a byte of text

cdef int way = max(ways())     # how cuts are found, and chunks in a table made from now on: the quickest


cdef struct Run:                # one call
    const uint8_t *text
    size_t n
    uint8_t[2 * TAIL] tail     # the text's last bytes
    IdBuffer *out
    int64_t *bounds             # of the next text that ends; NULL: of none


cdef bint ready(Desk *desk, size_t nbytes, uint32_t last_id, size_t n) except -1 nogil:
    if desk.pad != NULL and desk.pad.open:      # a call has failed: marks would stay
        desk_free(desk)
    if desk.pad != NULL:
        return True
    if desk.seen + n < nbytes // SEEN:
        desk.seen += n
        return False
    desk.pad = <Pad *> calloc(1, sizeof(Pad))
    if desk.pad == NULL or not table_make(&desk.table, nbytes - nbytes // FAR_PART, last_id, nbytes // FAR_PART):
        free(desk.pad)
        desk.pad = NULL
        with gil:
            raise MemoryError()
    desk.table.way, desk.nbytes = min(desk.table.way, way), nbytes
    return True


cdef void desk_free(Desk *desk) noexcept nogil:
    if desk.pad != NULL:
        ids_free(&desk.pad.ids)
    free(desk.pad)
    desk.pad = NULL
    table_free(&desk.table)
    desk.far.slots = NULL


cdef int fetch_missing(Desk *desk, Pieces pieces, Work *work, Run *run) except -1 nogil:
    """Merge the pieces of the chunks that are not in the table, put their ids where they belong, and enter them."""
    cdef Pad *pad = desk.pad
    cdef IdBuffer *out = run.out
    cdef size_t k, first, stop, count, end, to, more = 0, text = 0
    pad.ids.length = 0
    if pad.missing == 0:
        return 0
    pieces.encode_spans(run.text, pad.spans, pad.pieces[pad.missing - 1], run.n, &pad.ids, pad.places, work)
    for k in range(pad.missing + 1):
        # `more` ids are of the first k missing chunks
        while text < pad.waiting and pad.missed[text] == k:
            pad.bounds[text] += <int64_t> more
            text += 1
        if k < pad.missing:
            more += ids_before(pad, pad.first[k] + 1) - ids_before(pad, pad.first[k])
    ids_reserve(out, more)
    end, to = out.length, out.length + more
    out.length = to
    for k in range(pad.missing, 0, -1):
        # out[to:out.length] is right; out[0:end], but for the ids of the first k missing chunks, belongs before it
        first, stop = ids_before(pad, pad.first[k - 1]), ids_before(pad, pad.first[k - 1] + 1)
        count = end - pad.at[k - 1]
        to -= count
        move_up(out.data + to, out.data + pad.at[k - 1], count)
        end -= count
        to -= stop - first
        move_up(out.data + to, pad.ids.data + first, stop - first)
    stop = 0
    for k in range(pad.missing):
        if pad.first[k] != k:
            continue
        first, stop = stop, ids_before(pad, k + 1)
        count = pad.end[k] - pad.begin[k]
        if count <= LONG and fits_long(&desk.table, stop - first) or count <= SHORT and fits(&desk.table, stop - first):
            keep_once(&desk.table, &pad.keys[k // BATCH], k % BATCH, run.text + pad.begin[k], count, pad.ids.data + first,
                      stop - first)
        elif count <= FAR:
            if desk.far.slots == NULL:
                far_begin(&desk.far, desk.table.more, desk.nbytes // FAR_PART)
            far_keep(&desk.far, readable_from(run.text, run.n, run.tail, pad.begin[k]), count, pad.ids.data + first, stop - first)
    pad.missing = pad.waiting = 0
    return 0


cdef inline void move_up(uint32_t *to, const uint32_t *ids, size_t count) noexcept nogil:
    """Copy ids, which are few, to where they or others were, but not below them."""
    cdef uint32_t[8] eight
    while count >= 8:
        count -= 8
        memcpy(eight, ids + count, sizeof(eight))
        memcpy(to + count, eight, sizeof(eight))
    while count > 0:
        count -= 1
        to[count] = ids[count]


cdef size_t ids_before(const Pad *pad, size_t k) noexcept nogil:
    """How many ids of pieces the first k missing chunks have; the first of all has one piece at least."""
    return pad.places[pad.pieces[k - 1] - 1] if k > 0 else 0


cdef int look_up(Desk *desk, Splitter splitter, Pieces pieces, Work *work, const Batch *batch, size_t i, uint32_t begin,
                 uint32_t end, Run *run) except -1 nogil:
    """Append the ids of chunk i of a batch, which its first pair of slots does not hold, or put it aside."""
    cdef Pad *pad = desk.pad
    cdef Search search
    cdef const FarSlot *slot
    cdef size_t k = pad.missing, first, count = pad.pieces[k - 1] if k > 0 else 0, at = begin
    if k == ASIDE or count + FAR > SPANS:
        fetch_missing(desk, pieces, work, run)
        k = count = 0
    ids_reserve(run.out, ROOM)
    if end - begin <= SHORT:
        if look_short(&desk.table, batch, i, run.out.data, &run.out.length, &search):
            return 0
        first = marked(&search, batch, i, pad.keys, k)
        if first < k:
            set_aside(batch, i, &pad.keys[k // BATCH], k % BATCH)
            pad.first[k], pad.pieces[k], pad.at[k] = pad.first[first], count, run.out.length
            pad.missing += 1
            return 0
    if look_long(&desk.table, batch, i, run.text + begin, end - begin, run.out.data, &run.out.length, &search):
        return 0
    if (is_elsewhere(&search) if end - begin <= SHORT else end - begin <= FAR) and desk.far.slots != NULL:
        slot = far_find(&desk.far, readable_from(run.text, run.n, run.tail, begin), end - begin)
        desk.table.slots_read += FAR_ROW
        if slot != NULL:
            ids_reserve(run.out, slot.count)
            memcpy(run.out.data + run.out.length, desk.far.ids + slot.at, slot.count * sizeof(uint32_t))
            run.out.length += slot.count
            return 0
    desk.table.missed += 1
    if end - begin >= ALONE:                # it is a piece: longer chunks than keys are cut into theirs
        fetch_missing(desk, pieces, work, run)
        return pieces.encode_one(run.text + begin, end - begin, run.out, NULL, work)
    set_aside(batch, i, &pad.keys[k // BATCH], k % BATCH)
    if end - begin <= SHORT:
        mark(&desk.table, &search, batch, i, <uint32_t> k)
    pad.begin[k], pad.end[k], pad.at[k], pad.first[k] = begin, end, run.out.length, k
    while at < end:
        pad.spans[2 * count] = at
        at = splitter.chunk_piece_end(run.text, at, end) if end - begin <= FAR else end
        pad.spans[2 * count + 1] = at
        count += 1
    pad.pieces[k] = count
    pad.missing += 1
    return 0


cdef int end_texts(Desk *desk, size_t *ended, size_t chunk, Run *run) except -1 nogil:
    """Write the bounds of the texts that end behind so many of the chunks at hand."""
    cdef Pad *pad = desk.pad
    while ended[0] < pad.texts and pad.text_ends[ended[0]] == chunk:
        run.bounds[0] = <int64_t> run.out.length
        if pad.missing > 0:
            pad.bounds = run.bounds if pad.waiting == 0 else pad.bounds
            pad.missed[pad.waiting] = pad.missing
            pad.waiting += 1
        run.bounds += 1
        ended[0] += 1
    return 0


cdef int encode_edges(Desk *desk, Splitter splitter, Pieces pieces, Work *work, Run *run) except -1 nogil:
    """Append the ids of the chunks at hand; afterwards there are none."""
    cdef Pad *pad = desk.pad
    cdef Batch batch
    cdef size_t first = 0, ended = 0, i, m, stop
    desk.table.chunks += pad.chunks
    if pad.waiting + pad.texts > TEXTS or (pad.missing > 0 and run.out.length - pad.at[0] > NEAR):
        fetch_missing(desk, pieces, work, run)
    end_texts(desk, &ended, 0, run)
    while first < pad.chunks:
        m = min(pad.chunks - first, <size_t> BATCH)
        pack_row(&desk.table, &batch, run.text, run.n, run.tail, pad.edges + first, m)
        i = 0
        while i < m:
            # the chunks before first + i are done
            stop = min(m, pad.text_ends[ended] - first) if ended < pad.texts else m
            ids_reserve(run.out, 8 * (m - i))
            i = found(&desk.table, &batch, i, stop, run.out.data, &run.out.length)
            if i < stop:
                look_up(desk, splitter, pieces, work, &batch, i, pad.edges[first + i], pad.edges[first + i + 1], run)
                i += 1
            end_texts(desk, &ended, first + i, run)
        first += m
    pad.edges[0] = pad.edges[pad.chunks]
    pad.chunks = pad.texts = 0
    return 0


cdef int cut(Desk *desk, Splitter splitter, Pieces pieces, Work *work, size_t at, Run *run) except -1 nogil:
    """A chunk ends here. Where it is longer than any key it is cut into its pieces."""
    cdef Pad *pad = desk.pad
    cdef size_t begin = pad.edges[pad.chunks]
    while begin < at:
        if pad.chunks == EDGES:
            encode_edges(desk, splitter, pieces, work, run)
        begin = at if at - begin <= FAR else splitter.chunk_piece_end(run.text, begin, at)
        pad.chunks += 1
        pad.edges[pad.chunks] = <uint32_t> begin
    return 0


cdef bint cut_text(Desk *desk, Splitter splitter, Pieces pieces, Work *work, size_t begin, size_t end, size_t most,
                   Run *run) except -1 nogil:
    """Cut text[begin:end], which is a text or begins one, at its certain cuts; whether there were not too many ids."""
    cdef Rules rules = Rules(splitter.lines, splitter.slash, splitter.apart)
    cdef CutState state
    cdef Pad *pad = desk.pad
    cdef uint32_t[BLOCK + 33] cuts
    cdef uint32_t *stop
    cdef size_t at = 0, size, k, count, start, last, held, before = run.out.length
    memset(&state, 0, sizeof(CutState))
    while at < end - begin and run.out.length - before <= most:
        size = min(end - begin - at, <size_t> BLOCK)
        if splitter.whole:
            stop = seams(way, pieces.joins, run.text + begin, at, at + size, cuts)
        else:
            stop = cuts_of(way, &rules, run.text + begin, at, at + size, end - begin, &state, cuts)
        count = (<size_t> stop - <size_t> &cuts[0]) // sizeof(uint32_t)
        held, last = pad.chunks, pad.edges[pad.chunks]
        for k in range(count):
            start = begin + cuts[k]
            if start - last <= FAR and held < EDGES:
                pad.edges[held + 1] = <uint32_t> start
                held += start > last
                last = start
            else:
                pad.chunks = held
                cut(desk, splitter, pieces, work, start, run)
                held, last = pad.chunks, start
        pad.chunks = held
        at += size
    return at == end - begin


cdef int encode_text(Desk *desk, Splitter splitter, Pieces pieces, Work *work, size_t begin, size_t end, size_t most,
                     Run *run) except -1 nogil:
    """Cut text[begin:end], which is a text, into chunks, the first of which begins at the last edge."""
    cdef Pad *pad = desk.pad
    cdef size_t start, at
    if not cut_text(desk, splitter, pieces, work, begin, end, most, run):
        return 0
    start = pad.edges[pad.chunks]
    if splitter.ends_as_chunk(run.text + start, end - start):
        return cut(desk, splitter, pieces, work, end, run)
    encode_edges(desk, splitter, pieces, work, run)
    fetch_missing(desk, pieces, work, run)
    while start < end:
        at = splitter.piece_end(run.text, start, end)
        pieces.encode_one(run.text + start, at - start, run.out, NULL, work)
        start = at
    pad.edges[0] = <uint32_t> end
    return 0


cdef int open_run(Desk *desk, Run *run, size_t begin) noexcept nogil:
    cdef Pad *pad = desk.pad
    copy_tail(run.text, run.n, run.tail)
    pad.chunks = pad.texts = pad.missing = pad.waiting = 0
    pad.edges[0] = <uint32_t> begin
    pad.open = True
    return 0


cdef int close_run(Desk *desk, Splitter splitter, Pieces pieces, Work *work, Run *run) except -1 nogil:
    encode_edges(desk, splitter, pieces, work, run)
    fetch_missing(desk, pieces, work, run)
    desk.pad.open = False
    return 0


cdef int encode_chunks(Desk *desk, Splitter splitter, Pieces pieces, Work *work, const uint8_t *text, size_t begin,
                       size_t end, size_t n, size_t most, IdBuffer *out) except -1 nogil:
    cdef Run run
    run.text, run.n, run.out, run.bounds = text, n, out, NULL
    open_run(desk, &run, begin)
    ids_reserve(out, min(end - begin, most) // USUAL)
    encode_text(desk, splitter, pieces, work, begin, end, most, &run)
    return close_run(desk, splitter, pieces, work, &run)


cdef int encode_closed(Desk *desk, Splitter splitter, Pieces pieces, Work *work, const uint8_t *text, size_t n,
                       IdBuffer *out, size_t *open) except -1 nogil:
    """Behind the last certain cut the pieces are those that the splitter closes, which are chunks too."""
    cdef Run run
    cdef size_t end
    run.text, run.n, run.out, run.bounds = text, n, out, NULL
    open_run(desk, &run, 0)
    cut_text(desk, splitter, pieces, work, 0, n, SIZE_MAX, &run)
    open[0] = desk.pad.edges[desk.pad.chunks]
    end = splitter.closed_end(text, open[0], n)
    while end > 0:
        cut(desk, splitter, pieces, work, end, &run)
        open[0] = end
        end = splitter.closed_end(text, end, n)
    return close_run(desk, splitter, pieces, work, &run)


cdef int encode_rows(Desk *desk, Splitter splitter, Pieces pieces, Work *work, const uint8_t *text, const size_t *ends,
                     size_t count, IdBuffer *out, int64_t *bounds) except -1 nogil:
    cdef Pad *pad = desk.pad
    cdef Run run
    cdef size_t i, begin = 0
    run.text, run.n, run.out, run.bounds = text, ends[count - 1] if count > 0 else 0, out, bounds
    open_run(desk, &run, 0)
    for i in range(count):
        # the texts before are cut into chunks, and of these all but the last `chunks` are done
        if begin < ends[i]:
            encode_text(desk, splitter, pieces, work, begin, ends[i], SIZE_MAX, &run)
        if pad.texts == TEXTS:
            encode_edges(desk, splitter, pieces, work, &run)
        pad.text_ends[pad.texts] = pad.chunks
        pad.texts += 1
        begin = ends[i]
    return close_run(desk, splitter, pieces, work, &run)


cdef int compute(Splitter splitter, Pieces pieces, Work *work, const uint8_t *chunk, size_t n, IdBuffer *out) except -1:
    """The ids of a chunk, piece by piece."""
    cdef size_t at = 0, end
    out.length = 0
    while at < n:
        end = splitter.chunk_piece_end(chunk, at, n)
        pieces.encode_one(chunk + at, end - at, out, NULL, work)
        at = end
    return 0


cdef size_t desk_nbytes(const Desk *desk) noexcept nogil:
    return table_nbytes(&desk.table) + far_nbytes(&desk.far)


cdef int desk_check(const Desk *desk, Splitter splitter, Pieces pieces) except -1:
    cdef const Table *table = &desk.table
    cdef Work work
    cdef IdBuffer ids = IdBuffer(NULL, 0, 0)
    cdef uint8_t[FAR + 1] chunk
    cdef uint32_t[ROOM] kept
    cdef const uint32_t *right
    cdef size_t k, n, count
    if desk.pad != NULL and desk.pad.open:      # the next call forgets it all
        return 0
    memset(&work, 0, sizeof(Work))
    try:
        ids_reserve(&ids, 1)        # so that there is memory to compare
        for k in range(slots_of(table)):
            n = read_slot(table, k, chunk, kept, &count)
            compute(splitter, pieces, &work, chunk, n, &ids)
            if count == ELSEWHERE:
                assert not fits(table, ids.length), f"{chunk[:n]}"
            else:
                assert ids.length == count and memcmp(kept, ids.data, count * sizeof(uint32_t)) == 0, f"{chunk[:n]}"
        for k in range(far_slots(&desk.far)):
            n = far_read(&desk.far, k, chunk, &right, &count)
            compute(splitter, pieces, &work, chunk, n, &ids)
            assert ids.length == count and memcmp(right, ids.data, count * sizeof(uint32_t)) == 0, f"{chunk[:n]}"
    finally:
        work_free(&work)
        ids_free(&ids)
    return 0


def cuts(bytes text not None, Splitter splitter not None, int by, size_t block=BLOCK) -> list[int]:
    """The certain cuts of a text, which is UTF-8, found in that way, so many bytes at a time.

    >>> from incbpe.pretokenize import Splitter
    >>> cuts(b"a  b\\n c2", Splitter("cl100k"), ways()[0])
    [1, 2, 4, 5, 7]
    """
    cdef Rules rules = Rules(splitter.lines, splitter.slash, splitter.apart)
    cdef CutState state
    cdef uint32_t[BLOCK + 33] room
    cdef size_t at = 0, size, i, n = len(text)
    cdef const uint8_t *s = text
    cdef uint32_t *stop
    cdef list result = []
    if not has_way(by) or not 0 < block <= BLOCK or block % 64 or not splitter.cuttable:
        raise ValueError(f"cuts: {splitter}, way {by}, blocks of {block} bytes")
    memset(&state, 0, sizeof(CutState))
    while at < n:
        size = min(block, n - at)
        stop = cuts_of(by, &rules, s, at, at + size, n, &state, room)
        result += [room[i] for i in range((<size_t> stop - <size_t> &room[0]) // sizeof(uint32_t)) if room[i] > 0]
        at += size
    return result


def use_way(int by) -> None:
    """From now on find cuts in that way, and chunks in new tables, for the tests of all ways."""
    global way
    way = checked(by)
