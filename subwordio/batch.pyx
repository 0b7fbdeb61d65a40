"""The frame around an engine: scratch memory, single texts, and batches over threads.

A batch has three phases:

    capture     with the GIL: a reference to each text, or to the column that has them, and the addresses of their memory
                (`TextRef`)
    encode      without the GIL: contiguous parts of about equal size, which threads take one after the other
    gather      the parts' ids in one piece of memory: whoever has encoded the part that is next in order appends it, and
                those after it that are encoded

where encoding and gathering run at the same time.

Small batches are one part, encoded by the calling thread. The result and the error of a batch do not depend on the
number of threads: of several bad texts, the first is named.

Cost  that of the engine, plus O(1) for each text, and one copy of the ids where there are several parts.
"""
cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport SIZE_MAX, int64_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy

from subwordio.columns cimport speaks_arrow, texts_of_column
from subwordio.ids cimport IdBuffer, TokenIds, ids_free, ids_reserve, token_ids_copy, token_ids_take
from subwordio.lists cimport TokenLists, token_lists_take
from subwordio.memory cimport zeroed
from subwordio.text cimport (
    TEXT_ANY, TEXT_BYTES, TEXT_NULL, TEXT_UTF8, TextRef, Utf8, bytes_free, bytes_reserve, refuse_ill_formed, text_ref,
    utf8_of, utf8_view,
)
from subwordio.textlines cimport TextLines
from subwordio.texts cimport Texts

import _thread
import os

from subwordio.integers import integer

cdef extern from *:
    """
    #include <time.h>
    static inline int64_t subwordio_milliseconds(void) {
        struct timespec now;
        return timespec_get(&now, TIME_UTC) ? (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000 : 0;
    }
    """
    int64_t milliseconds "subwordio_milliseconds"() noexcept nogil

cdef int MOST_IDLE = 16             # workers kept for later
cdef size_t KEPT_BYTES = 1 << 21    # the largest text buffer kept for later
cdef size_t COPIED_IDS = 1 << 14    # so many ids are copied to memory of their own size
cdef size_t GIL_BYTES = 2048        # below this the GIL is kept: taking it back may mean waiting for another thread
cdef size_t THREAD_BYTES = 100_000  # below this a batch is one part: about 1 ms of work; a helper takes 40 µs to start
cdef size_t CLOCK_BYTES = 1 << 14   # the calling thread looks at the clock so often
cdef int INTERRUPT_MS = 100         # and for an interrupt so often, which needs the GIL
cdef size_t TEXT_COST = 32          # what a text costs besides its bytes, counted in bytes
cdef size_t SHORT_TEXT = 2000       # up to so many characters a text may be encoded together with others
cdef size_t BYTES_TOGETHER = 1 << 15    # so many bytes of them, a text's cost included
cdef enum:
    MOST_TOGETHER = 512             # and so many of them
cdef int PARTS_PER_THREAD = 32      # so that no thread waits long for the last one
cdef size_t FIRST_IDS = 1 << 20     # ids for which a part makes room at once; it grows as they come


cdef class Kernel:
    """What an engine derives from: encodes UTF-8 without the GIL, with scratch memory of the calling thread.

    Its methods are C functions, for engines in Cython (batch.pxd); Python sees only which objects are engines.

    >>> isinstance(Kernel(), Kernel)
    True
    """

    def __dealloc__(self):
        while self.idle != NULL:
            self.idle = discard(self, self.idle)

    cdef int encode_utf8(self, const uint8_t *utf8, size_t n, IdBuffer *out, void *scratch) except -1 nogil:
        with gil:
            raise NotImplementedError("encode")

    cdef int encode_texts(self, const uint8_t *text, const size_t *ends, size_t count, IdBuffer *out, int64_t *bounds,
                          void *scratch) except -1 nogil:
        with gil:
            raise NotImplementedError("encode_texts")

    cdef int encode_ill_formed(self, const uint8_t *data, size_t n, IdBuffer *out, void *scratch) except -1 nogil:
        return refuse_ill_formed(data, n)

    cdef size_t count_utf8(self, const uint8_t *utf8, size_t n, size_t most, void *scratch) except? 0xFFFFFFFFFFFFFFFF nogil:
        with gil:
            raise NotImplementedError("count")

    cdef void *new_scratch(self) except NULL:
        return <void *> self

    cdef void free_scratch(self, void *scratch) noexcept:
        pass

    cdef void trim_scratch(self, void *scratch) noexcept:
        pass

    cdef const Table *table_of(self, void *scratch, size_t *nbytes) noexcept:
        return NULL

    cdef int check_table(self, void *scratch) except -1:
        return 0

    cdef dict cache_counts(self):
        cdef size_t tables = 0, nbytes = 0, more = 0
        cdef uint64_t chunks = 0, missed = 0, read = 0
        cdef const Table *table
        cdef Worker *worker = self.idle
        while worker != NULL:
            table = self.table_of(worker.scratch, &more)
            if table != NULL:
                tables += table.memory != NULL
                nbytes += more
                chunks += table.chunks
                missed += table.missed
                read += table.slots_read
            worker = worker.next
        return {"tables": tables, "bytes": nbytes, "chunks": chunks, "missed": missed, "slots_read": read}

    cdef int check_caches(self) except -1:
        cdef Worker *worker = self.idle
        while worker != NULL:
            self.check_table(worker.scratch)
            worker = worker.next
        return 0

    cdef Worker *borrow(self) except NULL:
        cdef Worker *worker = self.idle
        if worker != NULL:
            self.idle = worker.next
            self.n_idle -= 1
            return worker
        worker = <Worker *> calloc(1, sizeof(Worker))
        if worker == NULL:
            raise MemoryError()
        try:
            worker.scratch = self.new_scratch()
        except BaseException:
            free(worker)
            raise
        return worker

    cdef void give_back(self, Worker *worker) noexcept:
        if self.n_idle >= MOST_IDLE:
            discard(self, worker)
            return
        if worker.text.capacity > KEPT_BYTES:
            bytes_free(&worker.text)
        if worker.ids.capacity > COPIED_IDS:
            ids_free(&worker.ids)
        if worker.joined.capacity > KEPT_BYTES:
            bytes_free(&worker.joined)
        self.trim_scratch(worker.scratch)
        worker.next = self.idle
        self.idle = worker
        self.n_idle += 1


cdef Worker *discard(Kernel kernel, Worker *worker) noexcept:
    """Free a worker; returns the one after it."""
    cdef Worker *after = worker.next
    kernel.free_scratch(worker.scratch)
    bytes_free(&worker.text)
    ids_free(&worker.ids)
    bytes_free(&worker.joined)
    free(worker)
    return after


cdef int encode_ref(Kernel kernel, const TextRef *text, IdBuffer *out, Worker *worker) except -1 nogil:
    cdef Utf8 view
    utf8_of(text, &view, &worker.text)
    if view.ill_formed:
        return kernel.encode_ill_formed(view.data, view.length, out, worker.scratch)
    return kernel.encode_utf8(view.data, view.length, out, worker.scratch)


cdef TokenIds encode_text(Kernel kernel, object text):
    cdef TextRef ref
    text_ref(text, &ref)
    return encode_one(kernel, &ref)


cdef TokenIds encode_any(Kernel kernel, bytes data):
    cdef TextRef ref
    text_ref(data, &ref)
    ref.kind = TEXT_ANY
    return encode_one(kernel, &ref)


cdef TokenIds encode_one(Kernel kernel, const TextRef *ref):
    cdef TokenIds ids
    cdef Worker *worker = kernel.borrow()
    try:
        worker.ids.length = 0
        if <size_t> ref.length < GIL_BYTES:
            encode_ref(kernel, ref, &worker.ids, worker)
        else:
            with nogil:
                encode_ref(kernel, ref, &worker.ids, worker)
        ids = token_ids_take(&worker.ids) if worker.ids.length > COPIED_IDS else token_ids_copy(&worker.ids)
        ids.ints = kernel.ints
        return ids
    finally:
        kernel.give_back(worker)


cdef int encode_checked(Kernel kernel, const uint8_t *text, size_t n, IdBuffer *out, Worker *worker) except -1 nogil:
    cdef TextRef ref = TextRef(text, <Py_ssize_t> n, TEXT_BYTES, NULL, 0)
    return encode_ref(kernel, &ref, out, worker)


cdef object count_text(Kernel kernel, object text, object limit):
    cdef Utf8 view
    cdef Worker *worker
    cdef size_t total, most = SIZE_MAX - 1
    if limit is not None:
        limit = integer("limit", limit)
        if limit < 0:
            raise ValueError(f"limit={limit}: expected 0 or more")
        most = min(limit, SIZE_MAX - 1)
    worker = kernel.borrow()
    try:
        utf8_view(text, &view, &worker.text)
        with nogil:
            total = kernel.count_utf8(view.data, view.length, most, worker.scratch)
    finally:
        kernel.give_back(worker)
    return min(total, limit + 1) if limit is not None else total


cdef struct Part:
    Py_ssize_t begin        # texts[begin:end]
    Py_ssize_t end
    size_t size             # about how many bytes they have
    bint encoded
    IdBuffer ids


@cython.final
@cython.no_gc
@cython.freelist(4)
cdef class Batch:
    """One call of `encode_batch`; whatever it holds is freed with it.

    Parts follow one another and cover texts[0:n]. Those below `needed` are encoded or will be. When part p is, then
    bounds[i + 1] is, for each of its texts i, where text i ends in the part's ids; when it is gathered, in `ids`.
    """
    cdef Kernel kernel
    cdef object held                # references to the texts, which nobody else can drop; or
    cdef Texts column               # the texts, with their memory
    cdef TextRef *texts             # the column's, or our own
    cdef Py_ssize_t n               # number of texts
    cdef size_t size                # about how many bytes they have
    cdef Py_ssize_t in_place        # texts[0:in_place] are UTF-8 and lie end to end, a line feed behind each
    cdef int64_t *bounds            # n + 1 entries
    cdef Part *parts
    cdef Py_ssize_t n_parts
    cdef Py_ssize_t next_part       # the first that no thread has taken; touched with the GIL held only, as what follows
    cdef Py_ssize_t needed          # parts from here on are no longer wanted; lowered by an error
    cdef Py_ssize_t gathered        # `ids` has the parts before this one
    cdef bint gathering             # some thread appends to `ids`
    cdef IdBuffer ids
    cdef object error               # what to raise, or None

    def __dealloc__(self):
        cdef Py_ssize_t p
        for p in range(self.n_parts):
            ids_free(&self.parts[p].ids)
        ids_free(&self.ids)
        free(self.parts)
        free(self.bounds)
        if self.column is None:
            free(self.texts)


cdef Texts column_of(object texts):
    """The texts of a column; None for another iterable."""
    if isinstance(texts, Texts):
        return texts
    if not speaks_arrow(texts):
        return None
    try:
        return texts_of_column(texts)
    except (TypeError, ValueError) as error:
        if type(error) is not TypeError and type(error) is not ValueError:      # a producer's own
            raise
        raise type(error)(f"texts: {error}") from None


cdef object mapped(object texts, object function):
    column = column_of(texts)
    if column is not None:
        return column.mapped(function)
    if isinstance(texts, (str, bytes)) or not hasattr(texts, "__iter__"):
        return texts        # which encode_batch refuses
    return map(function, texts)


cdef int capture(Batch batch, object texts) except -1:
    """Hold the texts."""
    cdef Py_ssize_t i = 0
    if type(texts) is TextLines:
        return capture_lines(batch, texts)
    if type(texts) is not tuple and type(texts) is not list:
        column = column_of(texts)
        if column is not None:
            return capture_column(batch, column)
        if isinstance(texts, (str, bytes, bytearray, memoryview)):
            raise TypeError(f"texts: expected an iterable of str or bytes, got one {type(texts).__name__}: "
                            "encode takes a single text")
        try:
            texts = iter(texts)
        except TypeError:
            raise TypeError(f"texts: expected an iterable of str or bytes, got {type(texts).__name__}") from None
    texts = tuple(texts)        # so that nobody can drop one; a tuple itself is not copied
    hold(batch, texts, len(texts))
    try:
        for i in range(batch.n):
            text_ref((<tuple> texts)[i], &batch.texts[i])
            batch.size += batch.texts[i].length + TEXT_COST
    except TypeError as error:
        raise TypeError(f"texts[{i}]: {error}") from None
    return 0


cdef int hold(Batch batch, object held, Py_ssize_t n) except -1:
    """Room for n texts, of which `held` keeps the memory."""
    batch.held, batch.n = held, n
    batch.texts = <TextRef *> malloc(n * sizeof(TextRef) + 1)
    batch.bounds = <int64_t *> malloc((n + 1) * sizeof(int64_t))
    if batch.texts == NULL or batch.bounds == NULL:
        raise MemoryError()
    return 0


cdef int capture_lines(Batch batch, TextLines lines) except -1:
    """The same for lines where they stand, of which no objects are made."""
    cdef Py_ssize_t i
    hold(batch, lines, lines.length)
    for i in range(batch.n):
        batch.texts[i] = TextRef(lines.data + lines.bounds[i], lines.bounds[i + 1] - 1 - lines.bounds[i],
                                 TEXT_UTF8 if lines.utf8 else TEXT_BYTES, NULL, 0)
        batch.size += batch.texts[i].length + TEXT_COST
    if lines.utf8 and batch.kernel.ended:
        batch.in_place = batch.n - 1        # the last one's line feed may be missing
    return 0


cdef int capture_column(Batch batch, Texts column) except -1:
    """The same for texts that lie in a column."""
    batch.column = column
    batch.texts, batch.n = column.refs, column.length
    batch.size = column.size + column.length * TEXT_COST
    batch.bounds = <int64_t *> malloc((batch.n + 1) * sizeof(int64_t))
    if batch.bounds == NULL:
        raise MemoryError()
    return 0


cdef int divide(Batch batch, size_t part_size) except -1:
    """Cut the texts into parts that reach `part_size`; the last may stay below."""
    cdef Py_ssize_t i, p = 0
    batch.parts = <Part *> calloc(batch.size // part_size + 1, sizeof(Part))
    if batch.parts == NULL:
        raise MemoryError()
    for i in range(batch.n):
        if batch.parts[p].size >= part_size:
            p += 1
            batch.parts[p].begin = i
        batch.parts[p].end = i + 1
        batch.parts[p].size += batch.texts[i].length + TEXT_COST
    batch.n_parts = batch.needed = p + 1
    return 0


cdef size_t encode_joined(Batch batch, Part *part, Worker *worker, Py_ssize_t *i) except? 0 nogil:
    """Encode short texts from text i on, and return about how many bytes they have; text i is the one at work.

    One that is not UTF-8 comes after them, so there may be none.
    """
    cdef size_t[MOST_TOGETHER] ends
    cdef size_t count = 0, size = 0
    cdef Utf8 view
    cdef const TextRef *text
    worker.joined.length = 0
    while i[0] < part.end and count < MOST_TOGETHER and size < BYTES_TOGETHER:
        text = &batch.texts[i[0]]
        if <size_t> text.length > SHORT_TEXT:
            break
        utf8_of(text, &view, &worker.text)
        if view.ill_formed:
            break
        bytes_reserve(&worker.joined, view.length + 1)
        memcpy(worker.joined.data + worker.joined.length, view.data, view.length)
        worker.joined.length += view.length
        if batch.kernel.ended:
            worker.joined.data[worker.joined.length] = 0x0A
            worker.joined.length += 1
        ends[count] = worker.joined.length
        count += 1
        size += text.length + TEXT_COST
        i[0] += 1
    if count:
        batch.kernel.encode_texts(worker.joined.data, ends, count, &part.ids, batch.bounds + i[0] + 1 - count, worker.scratch)
    return size


cdef size_t encode_in_place(Batch batch, Part *part, Worker *worker, Py_ssize_t *i) except? 0 nogil:
    """The same for texts that lie as those that are put together."""
    cdef size_t[MOST_TOGETHER] ends
    cdef size_t count = 0, size = 0
    cdef Py_ssize_t end = min(part.end, batch.in_place)
    cdef const TextRef *text = &batch.texts[i[0]]
    cdef const uint8_t *begin = <const uint8_t *> text.data
    while i[0] < end and count < MOST_TOGETHER and size < BYTES_TOGETHER:
        text = &batch.texts[i[0]]
        if <size_t> text.length > SHORT_TEXT:
            break
        ends[count] = <size_t> text.data - <size_t> begin + text.length + 1
        count += 1
        size += text.length + TEXT_COST
        i[0] += 1
    if count:
        batch.kernel.encode_texts(begin, ends, count, &part.ids, batch.bounds + i[0] + 1 - count, worker.scratch)
    return size


cdef int encode_part(Batch batch, Py_ssize_t p, Worker *worker, bint caller, Py_ssize_t *i) except -1 nogil:
    """Encode part p; text i is the one at work. Stops early when the part is no longer needed."""
    cdef Part *part = &batch.parts[p]
    cdef size_t unchecked = 0, size
    cdef int64_t checked = milliseconds() if caller and batch.size >= CLOCK_BYTES else 0
    ids_reserve(&part.ids, min(part.size // 4, FIRST_IDS))
    i[0] = part.begin
    while i[0] < part.end and p < batch.needed:
        # bounds[part.begin + 1:i + 1] are written.
        size = 0
        if batch.kernel.together and <size_t> batch.texts[i[0]].length <= SHORT_TEXT:
            if i[0] < batch.in_place:
                size = encode_in_place(batch, part, worker, i)
            else:
                size = encode_joined(batch, part, worker, i)
            unchecked += size
        if size == 0:
            encode_ref(batch.kernel, &batch.texts[i[0]], &part.ids, worker)
            batch.bounds[i[0] + 1] = part.ids.length
            unchecked += batch.texts[i[0]].length + TEXT_COST
            i[0] += 1
        if caller and unchecked >= CLOCK_BYTES:
            unchecked = 0
            if not 0 <= milliseconds() - checked < INTERRUPT_MS:    # the clock may also be set back
                with gil:
                    PyErr_CheckSignals()
                checked = milliseconds()
    return 0


cdef int fail(Batch batch, Py_ssize_t p, Py_ssize_t i, object error) except -1:
    """Text i of part p failed, or the batch was interrupted."""
    if not isinstance(error, Exception):
        stop(batch, error)
    elif p < batch.needed:
        batch.needed = p
        if type(error) is ValueError:
            error = ValueError(f"texts[{i}]: {error}")
        else:
            error.add_note(f"while encoding texts[{i}]")
        batch.error = error
    return 0


cdef int gather(Batch batch, bint caller) except -1:
    """Append the parts that are next in order and encoded, unless another thread does: it then finds ours too."""
    if batch.gathering:
        return 0
    batch.gathering = True
    try:
        while batch.gathered < batch.needed and batch.parts[batch.gathered].encoded:
            # With the GIL from the last look at a part until `gathering` says that nobody looks.
            with nogil:
                append(batch, &batch.parts[batch.gathered])
            batch.gathered += 1
            if caller:
                PyErr_CheckSignals()
    finally:
        batch.gathering = False
    return 0


cdef int append(Batch batch, Part *part) except -1 nogil:
    """A part's ids behind those before it."""
    cdef Py_ssize_t i
    cdef size_t base = batch.ids.length, room = part.ids.length
    if batch.n_parts == 1:
        batch.ids, part.ids = part.ids, batch.ids
        return 0
    if base == 0:       # room for all at once, if the others have as many ids a byte
        room *= batch.size // part.size + 1
    ids_reserve(&batch.ids, room)
    if part.ids.length:
        memcpy(batch.ids.data + base, part.ids.data, part.ids.length * sizeof(part.ids.data[0]))
    batch.ids.length += part.ids.length
    ids_free(&part.ids)
    for i in range(part.begin + 1, part.end + 1):
        batch.bounds[i] += base
    return 0


cdef int work(Batch batch, bint caller) except -1:
    """What every thread does: take parts until none is left."""
    cdef Py_ssize_t p, i = 0
    cdef Worker *worker = batch.kernel.borrow()
    try:
        while batch.next_part < batch.needed:
            p = batch.next_part
            batch.next_part += 1
            try:
                if batch.size < GIL_BYTES:
                    encode_part(batch, p, worker, caller, &i)
                else:
                    with nogil:
                        encode_part(batch, p, worker, caller, &i)
                if p < batch.needed:
                    batch.parts[p].encoded = True
                    gather(batch, caller)
                if caller:
                    PyErr_CheckSignals()        # parts may be too short for a look at the clock
            except BaseException as error:
                fail(batch, p, i, error)
    finally:
        batch.kernel.give_back(worker)
    return 0


def _helper(Batch batch, done):
    try:
        work(batch, False)
    except MemoryError:
        pass            # no worker to be had: the other threads do its share
    except BaseException as error:
        stop(batch, error)
    finally:
        done.release()


cdef int stop(Batch batch, object error) except -1:
    batch.needed = 0
    batch.error = error
    return 0


cdef int spread(Batch batch, Py_ssize_t threads) except -1:
    """Let helpers and the calling thread work, and wait for them, whatever happens."""
    cdef list helpers = []      # a lock for each, which it releases at its end; Thread.join may not outlast interrupts
    try:
        for _ in range(threads - 1):
            done = _thread.allocate_lock()
            done.acquire()
            helpers.append(done)
            try:
                _thread.start_new_thread(_helper, (batch, done))
            except BaseException:
                helpers.pop()
                raise
    except (RuntimeError, MemoryError):
        pass            # no more threads to be had: those that run do all the work
    except BaseException as error:
        stop(batch, error)
    try:
        work(batch, True)
    except BaseException as error:
        stop(batch, error)
    for done in helpers:
        while True:
            try:
                done.acquire()
                break
            except BaseException as error:
                stop(batch, error)
    return 0


cdef uint8_t *validity_of(Batch batch) except? NULL:
    """The bitmap of the texts that are not null; NULL where none is."""
    cdef uint8_t *validity
    cdef Py_ssize_t i
    if batch.column is None or batch.column.nulls == 0:
        return NULL
    validity = <uint8_t *> zeroed(batch.n // 8 + 1)
    for i in range(batch.n):
        validity[i >> 3] |= (batch.texts[i].kind != TEXT_NULL) << (i & 7)
    return validity


cdef TokenLists collect(Batch batch):
    cdef TokenLists lists
    cdef int64_t *bounds = batch.bounds
    cdef uint8_t *validity = validity_of(batch)
    assert batch.gathered == batch.n_parts
    bounds[0] = 0
    batch.bounds = NULL
    lists = token_lists_take(&batch.ids, bounds, batch.n, validity)
    lists.ints = batch.kernel.ints
    return lists


cdef Py_ssize_t thread_count(object threads) except -1:
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if isinstance(threads, bool) or not hasattr(threads, "__index__"):
        raise TypeError(f"threads: expected int or None, got {type(threads).__name__}")
    if threads < 1:
        raise ValueError(f"threads: expected at least 1, got {threads}")
    return min(threads, 4096)


cdef TokenLists encode_batch(Kernel kernel, object texts, object threads):
    cdef Batch batch = Batch.__new__(Batch)
    cdef Py_ssize_t most = 1 if threads is None else thread_count(threads)
    batch.kernel = kernel
    capture(batch, texts)
    if batch.size >= THREAD_BYTES:
        most = thread_count(threads)
        divide(batch, batch.size + 1 if most == 1 else max(THREAD_BYTES // 4, batch.size // (most * PARTS_PER_THREAD)))
        spread(batch, min(most, batch.n_parts))
    else:
        divide(batch, batch.size + 1)
        work(batch, True)
    if batch.error is not None:
        raise batch.error
    return collect(batch)
