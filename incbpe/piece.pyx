"""The kernel: from pieces to ids, without the GIL.          (Sections 4 and 5, Theorem 4.2)

A piece that is a token is looked up whole. The other pieces of a group lie end to end, and are worked on in two passes:

    walk      the automaton's step, a byte at a time, writes the longest suffix token k of every prefix. A step waits for
              the one before it, so several walks go on side by side (walk.h), each over pieces of its own
    settle    θ of every prefix: k where it is valid, or else the first valid token of chain(k)

and the tokens are read back from the end: θ of the whole, θ of what is before it, and so on (equation 2).
A long piece is one too, in parts: where the automaton is after t bytes depends on no more of them than the longest token
has, so that a walk may begin anywhere, that many bytes early. While it repeats, so does θ: repeats.h (Proposition 25).

Notation   θ, k, chain(k), valid as in theta · t bytes of a piece · numbers and `none` as in layout
I1  longest[t - 1] is the longest canonical suffix token of the piece's first t bytes, `none` where there is none
I2  theta[t] is θ of the first t bytes; theta[0] and θ behind an unknown symbol are `none`
I3  where there are `joins`, they are the pairs of neighbouring bytes of the canonical tokens, and of characters
Cost  a byte: two look-ups, one range test where k is valid, else O(log² t); a token: one look-up. Scratch memory: six
      bytes a byte of the longest piece
"""
from itertools import pairwise

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from incbpe.decomposition cimport ABOVE, ALONE, CENTROID, CHILDREN, FIRST
from incbpe.dictionary cimport NONE
from incbpe.dictionary cimport holds as sure
from incbpe.layout cimport WALKS, Automaton, Layout, Record, cell_base, cell_token, step, walk_in, walk_side_by_side
from incbpe.normalize cimport Normalized
from incbpe.pairtable cimport PairTable
from incbpe.tokens cimport BUCKET, NO_ID, Slot, TokenTable, bucket_of, key_of, prefetch
from subwordio.ids cimport IdBuffer, ids_free, ids_push, ids_reserve
from subwordio.text cimport bytes_free, bytes_reserve

from incbpe.theta import Incremental

cdef extern from *:
    """
    static inline int incbpe_within(uint32_t w, uint32_t lo, uint32_t width) { return w - lo < width; }
    static inline size_t incbpe_memo_slot(uint32_t w, uint32_t z) {
        return (size_t)((((uint64_t)w << 32 | z) * 0x9E3779B97F4A7C15u) >> 48);
    }
    """
    bint within "incbpe_within"(uint32_t w, uint32_t lo, uint32_t width) noexcept nogil
    size_t memo_slot "incbpe_memo_slot"(uint32_t w, uint32_t z) noexcept nogil      # below MEMO

cdef extern from "subwordio/charclass.h" nogil:
    size_t character_end(const uint8_t *text, size_t i, size_t n) noexcept
    size_t character_begin(const uint8_t *text, size_t i) noexcept

cdef extern from "incbpe/repeats.h" nogil:
    size_t period "incbpe_period"(const uint32_t *theta, const uint8_t *text, size_t t, size_t window, size_t most) noexcept
    size_t goes_on "incbpe_goes_on"(const uint8_t *text, size_t t, size_t n, size_t q) noexcept
    void repeat "incbpe_repeat"(uint32_t *theta, uint16_t *lengths, size_t t, size_t count, size_t q) noexcept

cdef extern from "incbpe/seams.h" nogil:
    enum:
        JOINS "INCBPE_JOINS"
    void join "incbpe_join"(uint64_t *joins, uint8_t x, uint8_t y) noexcept
    bint joined "incbpe_joined"(const uint64_t *joins, uint8_t x, uint8_t y) noexcept

cdef enum:
    PART = 32768                # bytes of a long piece at a time, or more where tokens are long
    FEW = 256                   # bytes up to which there is one walk
    BLOCK = 1024                # bytes of a part, or more, after which it is asked whether the piece repeats


cdef void work_free(Work *work) noexcept nogil:
    bytes_free(&work.bytes)
    bytes_free(&work.goes_on)
    bytes_free(&work.lengths)
    ids_free(&work.longest)
    ids_free(&work.theta)
    ids_free(&work.numbers)
    free(work.memo)
    work.memo = NULL


cdef size_t work_bytes(const Work *work) noexcept nogil:
    return work.bytes.capacity + work.goes_on.capacity + work.lengths.capacity + 4 * (
        work.longest.capacity + work.theta.capacity + work.numbers.capacity)


cdef void walk_pieces(const Automaton *a, const uint8_t *bytes, const uint8_t *goes_on, const uint32_t *begin, size_t count,
                      uint32_t *longest) noexcept nogil:
    """Walks over `count` pieces, bytes[begin[i]:begin[i + 1]]; goes_on[t] is 0 where one begins, elsewhere 0xFF."""
    cdef size_t[WALKS] at, end
    cdef uint32_t[WALKS] base
    cdef size_t i = 0, n = begin[count]
    cdef int w
    if n < FEW:
        walk_in(a.cells, a.fails, bytes, goes_on, 0, n, 0, longest)
        return
    for w in range(WALKS):
        at[w], base[w] = begin[i], 0
        while i < count and begin[i] < (w + 1) * n // WALKS:
            i += 1
        end[w] = begin[i]
    walk_side_by_side(a.cells, a.fails, bytes, goes_on, at, end, base, longest)


cdef uint32_t search_tree(const Automaton *a, int32_t link, const uint32_t *theta, size_t t) noexcept nogil:
    """θ of t bytes, which is in the component of a link, whose root is valid (centroid)."""
    cdef const Record *records = a.records
    cdef const Record *record
    cdef const int32_t *node
    cdef uint32_t w
    cdef int32_t low, high, middle
    while link >= 0:
        node = a.pool + link
        record = records + node[CENTROID]
        if node[ABOVE] != NONE and not within(theta[t - record.suffix], record.lo, record.width):
            link = node[ABOVE]
            continue
        w = theta[t - record.length]
        low, high = 0, node[CHILDREN]
        while low < high:                   # lo <= w for the children before `low`, and for none from `high` on
            middle = (low + high) // 2
            if records[node[FIRST + 2 * middle]].lo <= w:
                low = middle + 1
            else:
                high = middle
        if low == 0:
            return node[CENTROID]
        record = records + node[FIRST + 2 * low - 2]
        if not within(w, record.lo, record.width):
            return node[CENTROID]
        link = node[FIRST + 2 * low - 1]
    return ALONE - link


cdef class Pieces:
    """``Pieces(layout, tokens, pairs, ...)``: the kernel of a merge core. Immutable; what it works in is `Work`.

    unk, fuse, characters, byte_ids, refuse   what becomes of unknown symbols, see `Unknown`
    vanish                                    they are taken out of a piece before it is merged
    """

    def __cinit__(self, Layout layout not None, TokenTable tokens not None, PairTable pairs, *, unk=None, fuse=False,
                  characters=False, byte_ids=None, refuse=False, vanish=False):
        cdef uint32_t atom
        cdef uint8_t symbol
        cdef int b
        if (pairs is None) != layout.intervals:
            raise ValueError("pairs: given exactly where the layout has no ranges")
        self.layout, self.tokens, self.pairs = layout, tokens, pairs
        self.automaton = &layout.automaton
        self.unknown.unk = NO_ID if unk is None else unk
        self.unknown.fuse, self.unknown.characters, self.unknown.refuse = fuse, characters, refuse
        self.unknown.fallback = byte_ids is not None
        for b in range(256):
            self.unknown.bytes[b] = NO_ID
            if byte_ids is not None and byte_ids[b] >= 0:
                self.unknown.bytes[b] = byte_ids[b]
        self.vanish, self.complete = vanish, not characters
        for b in range(256):
            atom = cell_token(step(self.automaton, 0, b))
            self.complete = self.complete and self.automaton.records[atom].id != NO_ID
        self.served = byte_ids is not None and not refuse
        for b in range(256):
            self.served = self.served and self.unknown.bytes[b] != NO_ID
        self.served = self.complete or self.served
        for b in range(128 if characters else 256):
            symbol = <uint8_t> b
            self.kept[b] = self.keeps(&symbol, 0, 1)

    def __dealloc__(self):
        free(self.joins)

    cdef bint set_joins(self) except -1:
        cdef const Automaton *a = self.automaton
        cdef const Record *record
        cdef const uint8_t *token
        cdef size_t k, i, x, alone = 0, known = 0
        if self.vanish or not self.served or self.joins != NULL:
            return self.joins != NULL
        for k in range(BUCKET * <size_t> self.tokens.buckets):
            alone += self.tokens.slots[k].length > 0 and self.tokens.slots[k].alone
        for k in range(a.none):
            known += a.records[k].id != NO_ID
            if a.records[k].id == NO_ID and a.records[k].suffix != a.records[k].length:
                return False
        if alone != known:                      # a piece may be a token that merging does not give
            return False
        self.joins = <uint64_t *> calloc(JOINS, sizeof(uint64_t))
        if self.joins == NULL:
            raise MemoryError()
        for k in range(a.none):
            record = a.records + k
            if record.id != NO_ID:
                token = self.tokens.text + self.tokens.begin[record.id]
                for i in range(1, record.length):
                    join(self.joins, token[i - 1], token[i])
        if self.unknown.characters:             # none is cut, known or not
            for x in range(256):
                for i in range(0x80, 0xC0):
                    join(self.joins, <uint8_t> x, <uint8_t> i)
        return True

    # -- groups of pieces

    cdef int encode(self, const uint8_t *text, size_t start, const size_t *ends, size_t count, size_t n,
                    IdBuffer *out, size_t *places, Work *work) except -1 nogil:
        cdef size_t[2 * GROUP] spans
        cdef size_t i, begin = start
        assert count <= GROUP
        for i in range(count):
            spans[2 * i], spans[2 * i + 1] = begin, ends[i]
            begin = ends[i]
        return self.encode_spans(text, spans, count, n, out, places, work)

    cdef int encode_spans(self, const uint8_t *text, const size_t *spans, size_t count, size_t n, IdBuffer *out,
                          size_t *places, Work *work) except -1 nogil:
        cdef uint64_t[GROUP] key
        cdef uint32_t[GROUP] bucket
        cdef uint32_t[GROUP] found
        cdef uint32_t[GROUP + 1] missed     # by piece that is no token: where it begins in work.bytes
        cdef const Slot *slot
        cdef size_t i, begin, length, total = 0, misses = 0
        assert count <= GROUP
        if self.vanish:
            for i in range(count):
                self.encode_one(text + spans[2 * i], spans[2 * i + 1] - spans[2 * i], out, NULL, work)
                if places != NULL:
                    places[i] = out.length
            return 0
        for i in range(count):
            begin, length = spans[2 * i], spans[2 * i + 1] - spans[2 * i]
            total += length
            if length <= self.tokens.longest:
                key[i] = key_of(text + begin, length, n - begin)
                bucket[i] = bucket_of(key[i], length, self.tokens.buckets)
                prefetch(self.tokens.slots + BUCKET * <size_t> bucket[i])
        work.bytes.length = work.goes_on.length = 0
        bytes_reserve(&work.bytes, total)
        bytes_reserve(&work.goes_on, total)
        for i in range(count):
            begin, length, found[i] = spans[2 * i], spans[2 * i + 1] - spans[2 * i], NO_ID
            assert 0 < length < LONG
            if length <= self.tokens.longest:
                slot = self.tokens.slot(text + begin, length, key[i], bucket[i])
                if slot != NULL and slot.alone:
                    found[i] = slot.id
            if found[i] == NO_ID:
                missed[misses] = <uint32_t> work.bytes.length
                misses += 1
                memcpy(work.bytes.data + work.bytes.length, text + begin, length)
                memset(work.goes_on.data + work.bytes.length, 0xFF, length)
                work.goes_on.data[work.bytes.length] = 0
                work.bytes.length += length
        ids_reserve(out, count)
        if misses == 0:
            memcpy(out.data + out.length, found, count * sizeof(uint32_t))
            if places != NULL:
                for i in range(count):
                    places[i] = out.length + i + 1
            out.length += count
            return 0
        missed[misses] = <uint32_t> work.bytes.length
        work.longest.length = 0
        ids_reserve(&work.longest, work.bytes.length)
        self.reserve_theta(LONG, work)
        walk_pieces(self.automaton, work.bytes.data, work.goes_on.data, missed, misses, work.longest.data)
        misses = 0
        for i in range(count):
            if found[i] != NO_ID:
                ids_reserve(out, 1)
                ids_push(out, found[i])
            else:
                length = missed[misses + 1] - missed[misses]
                self.settle(work.longest.data + missed[misses], 0, length, work)
                self.read_back(work.bytes.data + missed[misses], length, out, NULL, work)
                misses += 1
            if places != NULL:
                places[i] = out.length
        return 0

    # -- one piece

    cdef int encode_one(self, const uint8_t *piece, size_t n, IdBuffer *out, IdBuffer *ends, Work *work) except -1 nogil:
        cdef uint32_t id = self.whole(piece, n)
        if id != NO_ID:
            ids_reserve(out, 1)
            ids_push(out, id)
            if ends != NULL:
                ids_reserve(ends, 1)
                ids_push(ends, <uint32_t> n)
            return 0
        if self.vanish and self.known(piece, 0, n) < n:
            self.keep_known(piece, n, work)
            piece, n = work.bytes.data, work.bytes.length
        self.set_theta(piece, n, work)
        return self.read_back(piece, n, out, ends, work)

    cdef uint32_t whole(self, const uint8_t *piece, size_t n) noexcept nogil:
        """The id of the piece where it is one token by itself, else NO_ID."""
        cdef uint64_t key
        cdef const Slot *slot
        if n > self.tokens.longest:
            return NO_ID
        key = key_of(piece, n, n)
        slot = self.tokens.slot(piece, n, key, bucket_of(key, n, self.tokens.buckets))
        return slot.id if slot != NULL and slot.alone else NO_ID

    cdef int keep_known(self, const uint8_t *piece, size_t n, Work *work) except -1 nogil:
        """work.bytes becomes the piece without its unknown symbols."""
        cdef size_t i = 0, end
        work.bytes.length = 0
        bytes_reserve(&work.bytes, n)
        while i < n:
            end = self.known(piece, i, n)
            memcpy(work.bytes.data + work.bytes.length, piece + i, end - i)
            work.bytes.length += end - i
            if end < n:
                end = character_end(piece, end, n) if self.unknown.characters else end + 1
            i = end
        return 0

    cdef size_t known(self, const uint8_t *piece, size_t i, size_t n) noexcept nogil:
        """Where the first symbol from piece[i] on begins that is taken out, or n."""
        cdef size_t end
        while i < n:
            if self.kept[piece[i]]:
                i += 1
                continue
            end = character_end(piece, i, n) if self.unknown.characters else i + 1
            if not self.keeps(piece, i, end):
                break
            i = end
        return i

    cdef bint keeps(self, const uint8_t *piece, size_t begin, size_t end) noexcept nogil:
        """Whether a symbol is not taken out."""
        return self.tokens.find(piece + begin, end - begin) != NO_ID or self.falls_back(piece, begin, end)

    cdef int reserve_theta(self, size_t n, Work *work) except -1 nogil:
        work.theta.length = work.lengths.length = 0
        ids_reserve(&work.theta, n + 1)
        bytes_reserve(&work.lengths, 2 * (n + 1))
        work.theta.data[0] = self.automaton.none
        return 0

    cdef int set_theta(self, const uint8_t *piece, size_t n, Work *work) except -1 nogil:
        cdef const Automaton *a = self.automaton
        cdef size_t[WALKS] at, end
        cdef uint32_t[WALKS] base
        cdef size_t start = 0, stop, size, early = a.longest, steps, at_most, block, settled, searches, k
        cdef uint32_t last = 0
        cdef int w
        at_most, block = max(PART, 2 * WALKS * early), max(BLOCK, early)
        self.reserve_theta(n, work)
        work.longest.length = 0
        ids_reserve(&work.longest, min(n, at_most))
        while start < n:
            # theta[0:start + 1] is settled, and a walk over piece[0:start] ends in `last`.
            stop = min(n, start + at_most)
            size = stop - start
            steps = size // WALKS
            if size <= FEW or early > steps:
                last = walk_in(a.cells, a.fails, piece + start, NULL, 0, size, last, work.longest.data)
            else:
                for w in range(WALKS):          # the first of these walks only keeps the others company
                    at[w], end[w], base[w] = max(w, 1) * steps - early, max(w, 1) * steps, 0
                walk_side_by_side(a.cells, a.fails, piece + start, NULL, at, end, base, work.longest.data)
                base[0] = last
                for w in range(WALKS):
                    at[w], end[w] = w * steps, (w + 1) * steps
                end[WALKS - 1] = size
                walk_side_by_side(a.cells, a.fails, piece + start, NULL, at, end, base, work.longest.data)
                last = base[WALKS - 1]
            settled = start
            while settled < stop:
                size = min(stop - settled, block)
                searches = self.settle(work.longest.data + (settled - start), settled, settled + size, work)
                settled += size
                if 4 * searches > size:
                    settled += self.repeat(piece, settled, n, work)
            if settled > stop:
                last = 0
                for k in range(settled - min(settled, early), settled):
                    last = cell_base(step(a, last, piece[k]))
            start = settled
        return 0

    cdef size_t repeat(self, const uint8_t *piece, size_t t, size_t n, Work *work) noexcept nogil:
        """Settle so many more bytes of a piece that repeats; theta[0:t + 1] is known."""
        cdef size_t window = self.automaton.longest, q = 0, count
        if t > window:
            q = period(work.theta.data, piece, t, window, min(2 * window, t - window))
        if q == 0:
            return 0
        count = goes_on(piece, t, n, q)
        repeat(work.theta.data, <uint16_t *> work.lengths.data, t, count, q)
        return count

    # -- θ

    cdef Py_ssize_t settle(self, const uint32_t *longest, size_t start, size_t stop, Work *work) except -1 nogil:
        cdef const Record *records = self.automaton.records
        cdef const Record *record
        cdef uint32_t *theta = work.theta.data
        cdef uint16_t *lengths = <uint16_t *> work.lengths.data
        cdef size_t t, searches = 0
        cdef uint32_t k
        for t in range(start + 1, stop + 1):
            # theta[0:t] is known
            k = longest[t - start - 1]
            record = records + k
            if not within(theta[t - record.suffix], record.lo, record.width):
                k = <uint32_t> self.search(k, theta, t, work)
                record = records + k
                searches += 1
            theta[t], lengths[t] = k, record.length
        return searches

    cdef long long search(self, uint32_t k, const uint32_t *theta, size_t t, Work *work) except -1 nogil:
        """The first valid token of chain(k), the range of which k itself has failed."""
        cdef const Automaton *a = self.automaton
        cdef const Record *record
        if self.pairs is not None:
            while True:
                record = a.records + k
                if record.width > 0 or self.holds(theta[t - record.length], k, work):
                    return k
                k = a.shorter[k]
        while True:
            k = a.shorter[k]
            record = a.records + k
            if within(theta[t - record.suffix], record.lo, record.width):
                return k
            if a.links[k] != NONE:
                return search_tree(a, a.links[k], theta, t)

    cdef bint holds(self, uint32_t w, uint32_t z, Work *work) except -1 nogil:
        """PQ(w z) = [w, z], or nothing is before z; remembered."""
        cdef uint64_t asked
        cdef uint64_t *entry
        cdef bint answer
        if w == self.automaton.none:
            return True
        if work.memo == NULL:
            work.memo = <uint64_t *> calloc(MEMO, sizeof(uint64_t))
            if work.memo == NULL:
                with gil:
                    raise MemoryError()
        entry = work.memo + memo_slot(w, z)
        asked = (<uint64_t> (w + 1) << 32) | (<uint64_t> z << 1)        # numbers are below 2^31; 0 is a free entry
        if entry[0] >> 1 != asked >> 1:
            answer = self.pairs.holds(w, z)
            entry[0] = asked | answer
        return entry[0] & 1

    # -- tokens

    cdef int read_back(self, const uint8_t *piece, size_t n, IdBuffer *out, IdBuffer *ends, Work *work) except -1 nogil:
        cdef const Automaton *a = self.automaton
        cdef const uint16_t *lengths = <const uint16_t *> work.lengths.data
        cdef uint32_t *theta = work.theta.data
        cdef size_t t = n, at = n + 1
        cdef bint plain = ends == NULL
        while plain and not self.complete and t > 0:
            plain = a.records[theta[t]].id != NO_ID
            t -= lengths[t]
        if plain:
            t = n
            while t > 0:
                # theta[at:n + 1] are the ids of piece[t:n], and theta[0:t + 1] is as it was: t < at
                at -= 1
                theta[at] = a.records[theta[t]].id
                t -= lengths[t]
            ids_reserve(out, n + 1 - at)
            memcpy(out.data + out.length, theta + at, (n + 1 - at) * sizeof(uint32_t))
            out.length += n + 1 - at
            return 0
        work.numbers.length = 0
        t = n
        while t > 0:
            ids_reserve(&work.numbers, 1)
            ids_push(&work.numbers, theta[t])
            if theta[t] != a.none:
                t -= lengths[t]
            else:
                t = character_begin(piece, t) if self.unknown.characters else t - 1
        return self.spell(piece, n, out, ends, work)

    cdef int spell(self, const uint8_t *piece, size_t n, IdBuffer *out, IdBuffer *ends, Work *work) except -1 nogil:
        """Append the tokens in work.numbers, last first, and where each ends; unknown symbols as `Unknown` says."""
        cdef const Automaton *a = self.automaton
        cdef size_t i, t = 0, end, b
        cdef size_t at = 0          # where the last token ends, by the lengths of the tokens
        cdef size_t waiting = 0     # bytes of an unknown token, which is appended before the next token that is known,
                                    # behind byte tokens: the tokenizers library's order
        cdef uint32_t k
        for i in range(work.numbers.length, 0, -1):
            # the tokens of piece[0:t] are appended, but for what waits
            k = work.numbers.data[i - 1]
            if k != a.none:
                end = t + a.records[k].length
                if a.records[k].id == NO_ID:
                    refuse(piece, t, end)
                at = self.put_unknown(out, ends, at, &waiting) + end - t
                put(out, ends, a.records[k].id, at)
                t = end
                continue
            end = character_end(piece, t, n) if self.unknown.characters else t + 1
            if self.unknown.refuse:
                refuse(piece, t, end)
            if self.falls_back(piece, t, end):
                for b in range(t, end):
                    at += 1
                    put(out, ends, self.unknown.bytes[piece[b]], at)
            elif self.unknown.unk != NO_ID:
                if not self.unknown.fuse:
                    at = self.put_unknown(out, ends, at, &waiting)
                waiting += end - t
            t = end
        self.put_unknown(out, ends, at, &waiting)
        return 0

    cdef size_t put_unknown(self, IdBuffer *out, IdBuffer *ends, size_t at, size_t *waiting) except? 0 nogil:
        """Append the unknown token that waits, if one does; returns where it ends."""
        if waiting[0] > 0:
            at += waiting[0]
            put(out, ends, self.unknown.unk, at)
            waiting[0] = 0
        return at

    cdef bint falls_back(self, const uint8_t *piece, size_t begin, size_t end) noexcept nogil:
        """Whether the bytes of a character are all tokens of byte fallback."""
        cdef size_t b
        if not self.unknown.fallback:
            return False
        for b in range(begin, end):
            if self.unknown.bytes[piece[b]] == NO_ID:
                return False
        return True

    def check(self, Normalized N not None, piece) -> None:
        """Assert I1 and I2 on one piece, by the notation layer's θ over N, of which this was made, and I3."""
        cdef Work work
        cdef bytes spelt = piece
        cdef size_t t, n = len(spelt), walked = 0
        cdef const Automaton *a = self.automaton
        inc = Incremental(N)
        if self.joins != NULL:
            pairs = {(x, y) for x in range(256) for y in range(256) if joined(self.joins, x, y)}
            spelt_tokens = [token if isinstance(token, bytes) else token.encode("utf-8", "surrogatepass")
                            for token in N.dictionary.tokens if token and N.is_canonical(token)]
            inner = {(x, y) for x in range(256) for y in range(0x80, 0xC0)} if self.unknown.characters else set()
            sure("I3", pairs == {pair for token in spelt_tokens for pair in pairwise(token)} | inner, None)
        memset(&work, 0, sizeof(Work))
        try:
            self.set_theta(spelt, n, &work)
            sure("I2", work.theta.data[0] == a.none, spelt)
            for symbol in spelt.decode("utf-8", "surrogatepass") if self.unknown.characters else spelt:
                θ = inc.feed(symbol)
                walked += len(symbol.encode("utf-8", "surrogatepass")) if self.unknown.characters else 1
                t = walked
                found = a.tokens[work.theta.data[t]]
                sure("I2", θ not in N.dictionary if found < 0 else N.dictionary.tokens[found] == θ, (spelt, t))
            if n <= PART:       # `longest` is of the last part only
                known = {token if isinstance(token, bytes) else token.encode("utf-8", "surrogatepass")
                         for token in N.dictionary.tokens if token and N.is_canonical(token)}
                for t in range(1, n + 1):
                    found = a.tokens[work.longest.data[t - 1]]
                    ending = [spelt[i:t] for i in range(t - min(t, a.longest), t) if spelt[i:t] in known]
                    token = None if found < 0 else N.dictionary.tokens[found]
                    token = token.encode("utf-8", "surrogatepass") if isinstance(token, str) else token
                    sure("I1", token == (ending[0] if ending else None), (spelt, t))
        finally:
            work_free(&work)


cdef int put(IdBuffer *out, IdBuffer *ends, uint32_t id, size_t end) except -1 nogil:
    ids_reserve(out, 1)
    ids_push(out, id)
    if ends != NULL:
        ids_reserve(ends, 1)
        ids_push(ends, <uint32_t> end)
    return 0


cdef int refuse(const uint8_t *piece, size_t begin, size_t end) except -1 nogil:
    with gil:
        raise ValueError(f"the vocabulary has no token for {bytes(piece[begin:end])!r}")
