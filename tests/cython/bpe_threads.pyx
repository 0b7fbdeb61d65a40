"""incbpe from Cython: texts encoded by threads that never hold the GIL while they do (test_cython.py compiles it)."""
from libc.stdint cimport uint8_t
from libc.string cimport memset

from incbpe.bytepair cimport BPE
from subwordio.batch cimport Worker
from subwordio.ids cimport IdBuffer, ids_free, token_ids_copy

import threading


cdef size_t count_all(BPE tokenizer, list texts) except? 0xFFFFFFFFFFFFFFFF:
    """The number of the texts' ids, which one thread finds with one worker and one buffer."""
    cdef IdBuffer ids
    cdef const uint8_t *data
    cdef size_t n, count = 0
    cdef bytes text
    cdef Worker *worker = tokenizer.borrow()
    memset(&ids, 0, sizeof(IdBuffer))
    try:
        for text in texts:
            data, n = text, len(text)
            ids.length = 0
            with nogil:
                tokenizer.encode_utf8(data, n, &ids, worker)
            count += ids.length
        return count
    finally:
        ids_free(&ids)
        tokenizer.give_back(worker)


def count(BPE tokenizer not None, list texts not None, int threads):
    """The number of ids of texts (bytes of UTF-8), of which thread t encodes texts[t::threads]: one number a thread."""
    cdef list counts = [None] * threads

    def work(t):
        try:
            counts[t] = count_all(tokenizer, texts[t::threads])
        except Exception as error:
            counts[t] = error

    workers = [threading.Thread(target=work, args=(t,)) for t in range(threads)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    return counts


def append(BPE tokenizer not None, list texts not None):
    """The ids of all texts in one buffer, and the first error, which leaves the buffer as it was: (ids, error)."""
    cdef IdBuffer ids
    cdef const uint8_t *data
    cdef bytes text
    cdef Worker *worker = tokenizer.borrow()
    memset(&ids, 0, sizeof(IdBuffer))
    first = None
    try:
        for text in texts:
            data = text
            try:
                tokenizer.encode_utf8(data, len(text), &ids, worker)
            except ValueError as error:
                first = first or error
        return token_ids_copy(&ids), first
    finally:
        ids_free(&ids)
        tokenizer.give_back(worker)
