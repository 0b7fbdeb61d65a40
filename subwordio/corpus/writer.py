"""The blocks of a run, in order, as shards; and the thread that finishes shards.

A shard ends where one more block might bring it over `Recipe.shard_size` bytes of input, or when it has MOST_DOCUMENTS
documents: so its limits depend on the input alone. Its record says what is in it, what was left out, and where the
next begins.
"""
import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any

from subwordio.corpus.blocks import Block, kind_of, name_of
from subwordio.corpus.documents import Encoded, Fault
from subwordio.corpus.journal import MOST_LISTED, Journal, Place
from subwordio.corpus.meter import Meter
from subwordio.corpus.recipe import Recipe
from subwordio.corpus.shards import MOST_DOCUMENTS, FlatShard, Shard
from subwordio.corpus.tables import TableShard
from subwordio.errors import FormatError

UNITS = {"text": "line", "jsonl": "line", "parquet": "row"}


class Writer:
    """Writes blocks one after the other. One thread at a time uses it."""

    def __init__(self, inputs: Sequence[str], folder: str, recipe: Recipe, width: int, journal: Journal,
                 finisher: "Finisher", skip: bool, meter: Meter) -> None:
        self.inputs, self.folder, self.recipe, self.width = inputs, folder, recipe, width
        self.finisher, self.skip, self.meter = finisher, skip, meter
        self.place = journal.place
        self.number = len(journal.shards)           # of the next shard
        self.shard: Shard | None = None
        self.size = 0                               # bytes of input in it
        self.faults: list[dict[str, Any]] = []      # in it, or after the last one
        self.counted = 0                            # how many those are, the unlisted too

    def write(self, block: Block, encoded: Encoded) -> None:
        """The next block. FormatError for the first fault in it, unless faults are skipped."""
        if block.begin.file != self.place.position.file:
            self.place = Place(block.begin)
        for fault in encoded.faults:
            self.fault(block, fault)
        if self.shard is None:
            self.finisher.await_room()
            self.shard = self.new_shard()
        self.shard.add(encoded)
        self.size += block.size
        self.place = Place(block.end, self.place.line + encoded.units if block.kind != "files" else 0)
        self.meter.add(block.size, encoded.documents, len(encoded.ids) // self.width, block.consumed)
        if self.size + self.recipe.block > self.recipe.shard_size or self.shard.documents >= MOST_DOCUMENTS:
            self.end_shard()

    def fault(self, block: Block, fault: Fault) -> None:
        """Note a fault, or raise it."""
        file = block.begin.file + (fault.place if block.kind == "files" else 0)
        noted: dict[str, Any] = {"file": name_of(self.inputs[file])}
        unit = UNITS.get(kind_of(self.inputs[file], self.recipe))
        if unit is not None and (block.units or block.kind != "damage"):
            noted[unit] = self.place.line + fault.place + 1
        elif unit is not None and self.place.line:
            noted[f"after_{unit}"] = self.place.line
        noted["reason"] = fault.reason
        if not self.skip:
            raise FormatError(spelt(noted))
        self.counted += 1
        if len(self.faults) < MOST_LISTED:
            self.faults.append(noted)

    def new_shard(self) -> Shard:
        name = f"shard-{self.number:06d}"
        if self.recipe.form == "bin":
            return FlatShard(self.folder, name, self.recipe, self.width)
        return TableShard(self.folder, name, self.recipe)

    def end_shard(self) -> None:
        """Hand the shard over: it is complete."""
        if self.shard is not None:
            end = {"file": self.place.position.file, "offset": self.place.position.offset, "line": self.place.line}
            record = {"documents": self.shard.documents, "tokens": self.shard.tokens, "bytes": self.size,
                      "faults": self.counted, "end": end, "skipped": self.faults}
            self.finisher.put(self.shard, record)
            self.number += 1
            self.shard, self.size, self.faults, self.counted = None, 0, [], 0

    def discard(self) -> None:
        """Nothing is left of the shard that is not complete."""
        if self.shard is not None:
            self.shard.discard()
            self.shard = None


def spelt(noted: dict[str, Any]) -> str:
    """A fault as a message.

    >>> spelt({"file": "a.txt", "after_line": 3, "reason": "is cut off"}), spelt({"file": "a", "reason": "is cut off"})
    ('a.txt, after line 3: is cut off', 'a: is cut off')
    """
    places = [f", {key.replace('_', ' ')} {value}" for key, value in noted.items() if key not in ("file", "reason")]
    return f"{noted['file']}{''.join(places)}: {noted['reason']}"


class Finisher:
    """A thread that brings complete shards to the disk, one after the other, and notes each in the journal."""

    def __init__(self, journal: Journal, most: int, fail: Callable[[BaseException], None]) -> None:
        self.journal, self.fail = journal, fail
        self.room = threading.Semaphore(most)       # shards that may be unfinished
        self.queue: SimpleQueue[tuple[Shard, dict[str, Any]] | None] = SimpleQueue()
        self.broken = False
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.work, daemon=True)
        self.thread.start()

    def await_room(self) -> None:
        """Wait until one more shard may be begun."""
        self.room.acquire()

    def put(self, shard: Shard, record: dict[str, Any]) -> None:
        self.queue.put((shard, record))

    def work(self) -> None:
        while (item := self.queue.get()) is not None:
            shard, record = item
            try:
                if self.broken:         # what comes after a shard that could not be finished is made again
                    shard.discard()
                else:
                    files = shard.finish()
                    self.journal.add({"files": files, "sequences": shard.sequences, **record})
            except BaseException as error:
                self.broken = True
                shard.discard()
                self.fail(error)
            finally:
                self.room.release()
        self.ended.set()

    def close(self) -> None:
        """Finish what was handed over, whatever happens."""
        self.queue.put(None)
        while not self.ended.is_set():
            try:
                self.ended.wait()
            except KeyboardInterrupt as error:
                self.fail(error)
