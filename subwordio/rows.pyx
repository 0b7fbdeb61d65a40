"""The loops behind `subwordio.padding`: which windows of which texts make the rows, and the filling of the rows.

Notation   la, lb the lengths of the two texts of a sample (lb = 0 where there is one text) · room, the ids of a row
           that are not special tokens · na, nb how many of la, lb a row keeps · window w of a text: ids [start, stop)
           na + nb <= room wherever there is a room; the windows of a text cover it, and each but the first begins
           `stride` ids before the one before it ends
Cost  linear in the number of cells; the filling is one pass without the GIL.
"""
from cpython.buffer cimport PyObject_CheckBuffer
from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t, uint32_t

from array import array

from subwordio.errors import TokenIdError
from subwordio.template import Special

from subwordio.lists cimport TokenLists

cdef enum Strategy:
    LONGEST_FIRST, ONLY_FIRST, ONLY_SECOND

cdef enum Kind:
    FIRST, SECOND, SPECIAL      # what a slot of a row holds: ids of text A, ids of text B, one special id

cdef struct Slot:
    Kind kind
    uint32_t id                 # of a SPECIAL
    int64_t type_id

cdef struct Window:
    int64_t start
    int64_t stop

ctypedef fused cell_t:
    int32_t
    int64_t

STRATEGIES = {"longest_first": LONGEST_FIRST, "only_first": ONLY_FIRST, "only_second": ONLY_SECOND}
SLOT_LIMIT = 256
ROW_LIMIT = 2**40


def gather(lists, str name):
    """The ids of all `lists` end to end, and the offsets at which each begins, as arrays; `name` is for messages."""
    if isinstance(lists, (str, bytes)):
        raise TypeError(f"{name}: expected lists of ids, got {type(lists).__name__}")
    ids, offsets = array("I"), array("q", [0])
    if isinstance(lists, TokenLists) and (<TokenLists> lists).validity == NULL:
        gather_token_lists(lists, ids, offsets)
        return ids, offsets
    for index, row in enumerate(lists):
        if row is None or isinstance(row, (str, bytes)):
            raise TypeError(f"{name}[{index}]: expected ids, got {type(row).__name__}")
        try:
            if PyObject_CheckBuffer(row) and memoryview(row).format == "I":
                ids.frombytes(memoryview(row).tobytes())
            else:
                row = row if isinstance(row, (list, tuple)) else list(row)
                ids.extend(array("I", row))
        except TypeError as error:
            raise TypeError(f"{name}[{index}]: expected ids: {error}") from None
        except OverflowError:
            position = next(i for i, value in enumerate(row) if not 0 <= value < 2**32)
            raise TokenIdError(f"{name}[{index}][{position}]: {row[position]} is no id") from None
        offsets.append(len(ids))
    return ids, offsets


cdef int gather_token_lists(TokenLists lists, object ids, object offsets) except -1:
    """The same, for what a batch gives: its memory copied in one piece."""
    cdef const int64_t *bounds = lists.bounds + lists.first
    cdef Py_ssize_t n = bounds[lists.length] - bounds[0], i
    if n:
        ids.frombytes(<const uint8_t[:4 * n]> <const uint8_t *> (lists.data + bounds[0]))
    offsets.extend(array("q", bytes(8 * lists.length)))
    cdef int64_t[::1] view = offsets
    for i in range(lists.length + 1):
        view[i] = bounds[i] - bounds[0]
    return 0


cdef inline Window window(int64_t length, int64_t kept, int64_t stride, bint left, int64_t w) noexcept nogil:
    """Window `w` of a text of `length` ids, cut to `kept` ids from the right or from the left."""
    cdef Window found
    cdef int64_t shift = w * (kept - stride) if w else 0
    if left:
        found.stop = length - shift
        found.start = max(found.stop - kept, 0)
    else:
        found.start = shift
        found.stop = min(found.start + kept, length)
    return found


cdef class Plan:
    """Which rows the samples give; `fill` writes them."""

    cdef readonly object samples            # array of int64, by row: the index of its sample
    cdef readonly int64_t rows              # how many rows
    cdef readonly int64_t longest           # the ids in the longest row
    cdef readonly int64_t longest_sample    # the index of its sample
    cdef readonly int64_t shortest          # the ids in the shortest row
    cdef readonly int64_t shortest_sample   # the index of its sample
    cdef const uint32_t[::1] ids_a          # the ids of the first texts, end to end
    cdef const uint32_t[::1] ids_b          # the ids of the second texts; the first ones' again where there are none
    cdef const int64_t[::1] begin_a         # by sample, and one more: where its first text begins in ids_a
    cdef const int64_t[::1] begin_b         # by sample, and one more: where its second text begins in ids_b
    cdef int64_t[::1] kept_a                # by sample: na
    cdef int64_t[::1] kept_b                # by sample: nb
    cdef int64_t[::1] windows_a             # by sample: how many windows of the first text make rows, at least 1
    cdef int64_t[::1] windows_b             # by sample: how many windows of the second text make rows, at least 1
    cdef int64_t count                      # how many samples
    cdef bint pair                          # whether there are second texts
    cdef bint b_first                       # whether the template puts the second text first
    cdef bint limited                       # whether there is a truncation
    cdef bint left                          # whether it cuts from the left
    cdef bint overflow                      # whether the windows after the first make rows
    cdef int64_t room, stride, added
    cdef Strategy strategy
    cdef Slot[256] slots                    # the template, special tokens of several ids spelt out
    cdef int slot_count

    def __cinit__(self, ids_a, begin_a, ids_b, begin_b, pieces, int64_t added, room, truncation, bint overflow):
        self.pair = begin_b is not None
        self.ids_a, self.begin_a = ids_a, begin_a
        self.ids_b, self.begin_b = (ids_b, begin_b) if self.pair else (ids_a, begin_a)
        self.count = len(begin_a) - 1
        self.added = added
        self.limited = truncation is not None
        self.overflow = overflow and self.limited
        if self.limited:
            self.room, self.stride = room, truncation.stride
            self.left = truncation.direction == "left"
            self.strategy = STRATEGIES[truncation.strategy]
        self.take_pieces(pieces)
        zeros = bytes(8 * self.count)
        self.kept_a, self.kept_b = array("q", zeros), array("q", zeros)
        self.windows_a, self.windows_b = array("q", zeros), array("q", zeros)
        self.samples = array("q")
        cdef int64_t i, length, each
        for i in range(self.count):
            self.keep(i)
            self.windows_a[i] = self.windows(i, self.begin_a[i + 1] - self.begin_a[i], self.kept_a[i])
            self.windows_b[i] = 1
            if self.pair:
                self.windows_b[i] = self.windows(i, self.begin_b[i + 1] - self.begin_b[i], self.kept_b[i])
            length = self.kept_a[i] + self.kept_b[i] + added
            if length > self.longest:
                self.longest, self.longest_sample = length, i
            length = added + self.last(self.begin_a[i + 1] - self.begin_a[i], self.kept_a[i], self.windows_a[i])
            if self.pair:
                length += self.last(self.begin_b[i + 1] - self.begin_b[i], self.kept_b[i], self.windows_b[i])
            if length < self.shortest or i == 0:
                self.shortest, self.shortest_sample = length, i
            if self.windows_a[i] > ROW_LIMIT // self.windows_b[i]:
                raise MemoryError(f"texts[{i}]: overflow of more than {ROW_LIMIT} rows")
            each = self.windows_a[i] * self.windows_b[i]
            self.samples.extend(array("q", [i]) * each)
        self.rows = len(self.samples)

    cdef int take_pieces(self, pieces) except -1:
        """The template as slots."""
        for piece in pieces:
            ids = piece.ids if isinstance(piece, Special) else (0,)
            for each in ids:
                if self.slot_count == SLOT_LIMIT:
                    raise ValueError(f"a template of more than {SLOT_LIMIT} ids")
                self.slots[self.slot_count].type_id = piece.type_id
                self.slots[self.slot_count].id = each
                self.slots[self.slot_count].kind = SPECIAL
                if not isinstance(piece, Special):
                    self.slots[self.slot_count].kind = SECOND if piece.sequence else FIRST
                    if piece.sequence and self.slot_count_of(FIRST) == 0:
                        self.b_first = True
                self.slot_count += 1
        return 0

    cdef int slot_count_of(self, Kind kind) noexcept:
        """How many slots so far are of a kind."""
        cdef int found = 0, i
        for i in range(self.slot_count):
            found += self.slots[i].kind == kind
        return found

    cdef int keep(self, int64_t i) except -1:
        """Decide na and nb of sample `i`."""
        cdef int64_t la = self.begin_a[i + 1] - self.begin_a[i]
        cdef int64_t lb = self.begin_b[i + 1] - self.begin_b[i] if self.pair else 0
        cdef int64_t excess = la + lb - self.room, shorter, longer
        self.kept_a[i], self.kept_b[i] = la, lb
        if not self.limited or excess <= 0:
            return 0
        if self.room == 0:
            self.kept_a[i] = self.kept_b[i] = 0
        elif self.strategy == LONGEST_FIRST:
            shorter = min(min(la, lb), self.room)
            longer = max(shorter, self.room - shorter)
            if shorter + longer > self.room:
                shorter = self.room // 2
                longer = self.room - shorter
            self.kept_a[i], self.kept_b[i] = (longer, shorter) if la > lb else (shorter, longer)
            if not self.pair:
                self.kept_a[i], self.kept_b[i] = self.room, 0
        else:
            if self.strategy == ONLY_SECOND and not self.pair:
                raise ValueError(f"texts[{i}]: {la} ids are too long, and strategy='only_second' has no second text to "
                                 "truncate")
            if (la if self.strategy == ONLY_FIRST else lb) <= excess:
                raise ValueError(f"texts[{i}]: {excess} ids too many, and the text that strategy="
                                 f"'{'only_first' if self.strategy == ONLY_FIRST else 'only_second'}' truncates has "
                                 f"{la if self.strategy == ONLY_FIRST else lb}")
            if self.strategy == ONLY_FIRST:
                self.kept_a[i] = la - excess
            else:
                self.kept_b[i] = lb - excess
        return 0

    cdef int64_t windows(self, int64_t i, int64_t length, int64_t kept) except -1:
        """How many windows of `kept` ids a text of `length` ids makes rows of."""
        if kept >= length or not self.overflow:
            return 1
        if self.stride >= kept:
            raise ValueError(f"texts[{i}]: overflow with stride={self.stride} needs windows longer than that, and "
                             f"there is room for {kept} ids of this text")
        return (length - self.stride - 1) // (kept - self.stride) + 1     # ⌈(length - stride) / (kept - stride)⌉

    cdef int64_t last(self, int64_t length, int64_t kept, int64_t windows) except -1:
        """How many ids the last of a text's windows has: of all windows it has the fewest."""
        return kept if windows == 1 else length - (windows - 1) * (kept - self.stride)

    def fill(self, ids, attention_mask, type_ids, padding):
        """Write all rows into three matrices of `rows` rows, as wide as the longest row or wider."""
        cdef bint left = padding.direction == "left"
        if self.rows == 0 or ids.shape[1] == 0:
            return
        if memoryview(ids).itemsize == 8:
            fill_rows[int64_t](self, ids, attention_mask, type_ids, padding.pad_id, padding.pad_type_id, left)
        else:
            self.check_narrow(padding)
            fill_rows[int32_t](self, ids, attention_mask, type_ids, padding.pad_id, padding.pad_type_id, left)

    cdef int check_narrow(self, padding) except -1:
        """Refuse what an int32 does not hold."""
        cdef int64_t i
        cdef uint32_t highest = 0
        for i in range(self.ids_a.shape[0]):
            highest = max(highest, self.ids_a[i])
        for i in range(self.ids_b.shape[0]):
            highest = max(highest, self.ids_b[i])
        for i in range(self.slot_count):
            highest = max(highest, self.slots[i].id, <uint32_t> self.slots[i].type_id)
        for value in (highest, padding.pad_id, padding.pad_type_id):
            if value > INT32_MAX:
                raise ValueError(f"dtype='int32' does not hold {value}")
        return 0


cdef int fill_rows(Plan plan, cell_t[:, ::1] ids, cell_t[:, ::1] mask, cell_t[:, ::1] types,
                   cell_t pad_id, cell_t pad_type_id, bint left) except -1:
    """The rows of all samples in order; after the row of a pair its overflow, in the library's order: the windows of
    the text that comes first from the second on, each with all of the other's, then its first with the other's rest."""
    cdef int64_t row = 0, i, x, y, nx, ny
    with nogil:
        for i in range(plan.count):
            nx, ny = plan.windows_a[i], plan.windows_b[i]
            if plan.b_first:
                nx, ny = ny, nx
            for x in range(nx + 1):     # x = 0: both first windows; x = nx: the first window of x again
                for y in range(1 if x == nx else 0, 1 if x == 0 else ny):
                    fill_row(plan, i, y if plan.b_first else x % nx, x % nx if plan.b_first else y,
                             ids[row], mask[row], types[row], pad_id, pad_type_id, left)
                    row += 1
    assert row == plan.rows
    return 0


cdef int fill_row(Plan plan, int64_t i, int64_t window_a, int64_t window_b, cell_t[::1] ids, cell_t[::1] mask,
                  cell_t[::1] types, cell_t pad_id, cell_t pad_type_id, bint left) except -1 nogil:
    """One row: the slots of the template, and the padding before or behind them.

    As in the library, the template's type ids are those of a text's first window; the others have 0 (A) or 1 (B).
    """
    cdef Window a = window(plan.begin_a[i + 1] - plan.begin_a[i], plan.kept_a[i], plan.stride, plan.left, window_a)
    cdef Window b = window(plan.begin_b[i + 1] - plan.begin_b[i] if plan.pair else 0, plan.kept_b[i], plan.stride,
                           plan.left, window_b)
    cdef int64_t width = ids.shape[0], length = a.stop - a.start + b.stop - b.start + plan.added
    cdef int64_t column = width - length if left else 0, j, k
    for j in range(width):
        ids[j], mask[j], types[j] = pad_id, 0, pad_type_id
    for j in range(plan.slot_count):
        if plan.slots[j].kind == SPECIAL:
            ids[column], mask[column], types[column] = <cell_t> plan.slots[j].id, 1, <cell_t> plan.slots[j].type_id
            column += 1
        elif plan.slots[j].kind == FIRST:
            for k in range(plan.begin_a[i] + a.start, plan.begin_a[i] + a.stop):
                ids[column], mask[column] = <cell_t> plan.ids_a[k], 1
                types[column] = 0 if window_a else <cell_t> plan.slots[j].type_id
                column += 1
        else:
            for k in range(plan.begin_b[i] + b.start, plan.begin_b[i] + b.stop):
                ids[column], mask[column] = <cell_t> plan.ids_b[k], 1
                types[column] = 1 if window_b else <cell_t> plan.slots[j].type_id
                column += 1
    return 0
