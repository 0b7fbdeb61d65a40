"""linmaxmatch from Cython: texts encoded by threads that never hold the GIL while they do (test_cython.py compiles it)."""
from libc.stdint cimport uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from linmaxmatch.wordpiece cimport WordPiece
from subwordio.batch cimport Worker
from subwordio.ids cimport IdBuffer, ids_free, token_ids_copy

import threading


cdef list encode_all(WordPiece tokenizer, list texts):
    """What one thread does: it borrows a worker, and uses one buffer for all its results."""
    cdef IdBuffer ids
    cdef const uint8_t *data
    cdef size_t n
    cdef bytes text
    cdef list results = []
    cdef Worker *worker = tokenizer.borrow()
    memset(&ids, 0, sizeof(IdBuffer))
    try:
        for text in texts:
            data, n = text, len(text)
            ids.length = 0
            with nogil:
                tokenizer.encode_bytes(data, n, &ids, worker)
            results.append(token_ids_copy(&ids))
    finally:
        ids_free(&ids)
        tokenizer.give_back(worker)
    return results


def encode(WordPiece tokenizer not None, list texts not None, int threads):
    """The ids of texts (bytes of UTF-8), of which thread t encodes texts[t::threads]."""
    cdef list results = [None] * len(texts)

    def work(t):
        try:
            results[t::threads] = encode_all(tokenizer, texts[t::threads])
        except Exception as error:
            results[t::threads] = [error] * len(texts[t::threads])

    workers = [threading.Thread(target=work, args=(t,)) for t in range(threads)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    return results


def append(WordPiece tokenizer not None, list texts not None):
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
                tokenizer.encode_bytes(data, len(text), &ids, worker)
            except ValueError as error:
                first = first or error
        return token_ids_copy(&ids), first
    finally:
        ids_free(&ids)
        tokenizer.give_back(worker)


def from_exact_memory(WordPiece tokenizer not None, bytes text not None):
    """The ids of a text in memory of just its size, so that AddressSanitizer sees a read beyond."""
    cdef IdBuffer ids
    cdef size_t k, n = len(text)
    cdef const uint8_t *data = text
    cdef uint8_t *copy = <uint8_t *> malloc(n)
    cdef Worker *worker = tokenizer.borrow()
    memset(&ids, 0, sizeof(IdBuffer))
    try:
        for k in range(n):
            copy[k] = data[k]
        with nogil:
            tokenizer.encode_bytes(copy, n, &ids, worker)
        return token_ids_copy(&ids)
    finally:
        free(copy)
        ids_free(&ids)
        tokenizer.give_back(worker)
