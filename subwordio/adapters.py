"""A tokenizer as a function that data systems call on their batches: Ray Data, Spark, Dask, datasets, polars, DuckDB.

Each of them cuts its data into batches, sends them to processes, and calls a function there; what they need from us is
that function. `Encoder` is one, with an entry for each shape of a batch:

    encoder(batch)              a pyarrow Table or RecordBatch, a pandas DataFrame, a dict of lists: and a column more
    encoder.batches(batches)    an iterator of record batches, likewise
    encoder.array(column)       a column of texts to a column of ids, as pyarrow arrays
    encoder.series(column)      the same as polars Series

Texts go in and ids come out as Arrow memory, without a Python object for each; nulls stay null. Batches, retries, order
and the number of processes are the system's.

An `Encoder` pickles with its tokenizer, or with the path of its file where that is a `by_path()`. A process that
unpickles it again and again, once a task, makes the tokenizer only once, and keeps the last few.

Cost  that of `encode_batch`; pickling: that of the tokenizer, once.
"""
from __future__ import annotations

import hashlib
import pickle
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from threading import Lock
from typing import Any

KEPT = 4                                        # tokenizers that a process keeps for encoders to come
_kept: OrderedDict[str, Any] = OrderedDict()    # by the digest of their pickles, the least recently used first
_lock = Lock()


class Encoder:
    """Encoder(tokenizer, column="text", to="ids", *, signed=False, threads=1, **options)

    tokenizer   any object with `encode_batch(column, threads=…)`: a WordPiece, a BPE, or what its `by_path()` gives
    column, to  the names of the column of texts and of the one that gets the ids, which replaces another of that name
    signed      ids as list<int32> in place of large_list<uint32>, for systems that have no unsigned integers
    threads     for each batch; None: one for each processor. 1 where the system itself runs a process for each
    options     further arguments of `encode_batch`

    KeyError for a batch without the column; TypeError for a column that holds no texts, and for what is no batch; an
    ImportError that names the extra where pyarrow is missing.

    >>> import pickle
    >>> from linmaxmatch import WordPiece
    >>> encoder = Encoder(WordPiece(["[UNK]", "un", "##aff", "##able"]))
    >>> pickle.loads(pickle.dumps(encoder))({"text": ["unaffable", "able"]})
    {'text': ['unaffable', 'able'], 'ids': [[1, 2, 3], [0]]}
    """

    def __init__(self, tokenizer: Any, column: str = "text", to: str = "ids", *, signed: bool = False,
                 threads: int | None = 1, **options: Any) -> None:
        self.tokenizer, self.column, self.to, self.signed, self.threads = tokenizer, column, to, signed, threads
        self.options = options
        self._pickled: tuple[str, bytes] | None = None      # of the tokenizer: digest and pickle

    def lists(self, texts: Any) -> Any:
        """What the tokenizer makes of a column of texts."""
        return self.tokenizer.encode_batch(texts, threads=self.threads, **self.options)

    def array(self, texts: Any) -> Any:
        """The ids of a column of texts (whatever `encode_batch` takes) as a pyarrow array, over the same memory.

        With `signed` they are copied once: ArrowInvalid for an id, or for a number of ids in a batch, of 2³¹ or more.
        """
        arrow = _arrow()
        ids = arrow.array(self.lists(texts), arrow.large_list(arrow.uint32()))
        return ids.cast(arrow.list_(arrow.int32())) if self.signed else ids

    def series(self, texts: Any) -> Any:
        """The ids of a column of texts as a polars Series of lists, over the same memory."""
        return import_module("polars").Series(self.to, self.lists(texts))

    def __call__(self, batch: Any) -> Any:
        """The batch with the ids of its texts: a new one, which shares the columns."""
        if isinstance(batch, Mapping):
            texts = batch[self.column]
            found = self.lists([text for text in texts if text is not None])
            ids = iter(found.tolist() if hasattr(found, "tolist") else found)
            return {**batch, self.to: [None if text is None else next(ids) for text in texts]}
        if hasattr(batch, "set_column"):
            return self._extended(batch)
        if hasattr(batch, "assign"):
            pandas = import_module("pandas")
            ids = self.array(_arrow().Array.from_pandas(batch[self.column]))
            return batch.assign(**{self.to: pandas.Series(pandas.arrays.ArrowExtensionArray(ids), batch.index)})
        raise TypeError("expected a pyarrow Table or RecordBatch, a pandas DataFrame or a dict, "
                        f"got {type(batch).__name__}")

    def batches(self, batches: Iterable[Any]) -> Iterator[Any]:
        """The record batches, or tables, with the ids of their texts, one after the other."""
        return map(self._extended, batches)

    def _extended(self, batch: Any) -> Any:
        ids, at = self.array(batch.column(self.column)), batch.schema.get_field_index(self.to)
        return batch.append_column(self.to, ids) if at < 0 else batch.set_column(at, self.to, ids)

    def __reduce__(self) -> tuple[Callable[..., Encoder], tuple[Any, ...]]:
        if self._pickled is None:
            pickled = pickle.dumps(self.tokenizer, protocol=4)
            self._pickled = hashlib.sha256(pickled).hexdigest(), pickled
        return _unpickled, (*self._pickled, self.column, self.to, self.signed, self.threads, self.options)

    def __repr__(self) -> str:
        return f"Encoder({self.tokenizer!r}, {self.column!r}, {self.to!r})"


def _unpickled(digest: str, pickled: bytes, column: str, to: str, signed: bool, threads: int | None,
               options: dict[str, Any]) -> Encoder:
    with _lock:         # the other threads of the process wait for the tokenizer, and do not make one each
        tokenizer = _kept.get(digest)
        if tokenizer is None:
            tokenizer = _kept[digest] = pickle.loads(pickled)
        _kept.move_to_end(digest)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    encoder = Encoder(tokenizer, column, to, signed=signed, threads=threads, **options)
    encoder._pickled = digest, pickled
    return encoder


def _arrow() -> Any:
    try:
        return import_module("pyarrow")
    except ImportError as error:
        raise ImportError("pyarrow is needed here: pip install 'linmaxmatch-incbpe[arrow]'") from error
