"""Threads that read, encode and write: each does all of it, one block after the other.

A thread takes the next block (one at a time reads and decompresses), encodes it (all at once: the tokenizer releases
the GIL) and hands the ids over. Whoever hands over the block that is next in order writes it, and those after it that
wait. So reading, decompressing and writing overlap with encoding, and the output is in the order of the input. A full
shard goes to one more thread, which forces it to the disk while the next is written; no more shards are unfinished than
there are threads.

Memory  2 · threads + 2 blocks with their ids, or one document that is larger; and what `shards` says.
"""
import os
import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

from subwordio.commands import installed_version
from subwordio.corpus.blocks import Block, check_inputs, read_blocks
from subwordio.corpus.documents import Encoded, encode_block
from subwordio.corpus.journal import Journal, header_of
from subwordio.corpus.meter import Meter
from subwordio.corpus.recipe import BLOCK, Recipe
from subwordio.corpus.sinks import remove_parts
from subwordio.corpus.writer import Finisher, Writer
from subwordio.errors import FormatError

SHORT = 1 << 16         # a vocabulary up to here has ids of two bytes
WAIT = 0.1              # seconds between two looks of the main thread
KEPT = 8 * BLOCK        # bytes, more than a block takes with its ids


class Result(NamedTuple):
    """What a run has made."""

    documents: int
    tokens: int
    shards: int
    skipped: int        # damaged documents and places


def make_corpus(tokenizer: Any, inputs: Sequence[str], folder: str, recipe: Recipe = Recipe(), *,  # noqa: B008
                threads: int | None = None, skip: bool = False, resume: bool = False,
                meter: Meter | None = None) -> Result:
    """Write the ids of all documents of the inputs to shards in `folder`, and a manifest.

    tokenizer   has encode_batch(texts, threads=), fingerprint and vocab_size
    inputs      paths; "-" is standard input
    skip        leave out what is damaged, and list it in the manifest; else it is a FormatError
    resume      go on where a run that was stopped or killed has finished its last shard

    The bytes of the shards depend on tokenizer, inputs and recipe only. FormatError names file and line; what was
    finished before it stays.
    """
    threads = processors() if threads is None else threads
    if threads < 1:
        raise FormatError(f"--threads: expected at least 1, got {threads}")
    inputs = list(inputs) or ["-"]
    check_inputs(inputs, recipe)
    os.makedirs(folder, exist_ok=True)
    with Journal(folder, header_of(tokenizer, inputs, recipe, installed_version()), resume) as journal:
        if not journal.complete:
            remove_parts(folder)
            keep_memory()
            journal.finish(Run(tokenizer, inputs, folder, recipe, journal, threads, skip, meter or Meter()).work())
        shards = journal.shards
        return Result(sum(shard["documents"] for shard in shards), sum(shard["tokens"] for shard in shards),
                      len(shards), sum(shard["faults"] for shard in shards) + len(journal.tail))


def keep_memory() -> None:
    """Have the C library keep for the next block what the one before took.

    Else glibc gives it back, and takes it again in pages that the system must clear first: 6 % of the CPU time of short
    ids. It learns from the largest piece that was freed, which need not have been touched.
    """
    bytes(KEPT)


def processors() -> int:
    """Those that we may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Run:
    """One run, from where the journal ends."""

    def __init__(self, tokenizer: Any, inputs: Sequence[str], folder: str, recipe: Recipe, journal: Journal,
                 threads: int, skip: bool, meter: Meter) -> None:
        self.tokenizer, self.recipe, self.meter = tokenizer, recipe, meter
        self.width = 2 if recipe.form == "bin" and tokenizer.vocab_size <= SHORT else 4
        self.blocks = read_blocks(inputs, recipe, journal.place.position)
        self.reading = threading.Lock()         # held while a block is read
        self.taken = 0                          # blocks
        self.change = threading.Condition()     # guards what follows
        self.waiting: dict[int, tuple[Block, Encoded]] = {}     # encoded, by number, and not yet written
        self.written = 0                        # blocks
        self.ahead = 0                          # bytes of the blocks that were taken and are not written
        self.writing = False                    # some thread is writing
        self.error: BaseException | None = None
        self.begun = self.ended = 0             # threads
        self.most = 2 * threads + 2             # blocks on their way
        self.workers = [threading.Thread(target=self.carry, daemon=True) for _ in range(threads)]
        self.finisher = Finisher(journal, threads, self.fail)
        self.writer = Writer(inputs, folder, recipe, self.width, journal, self.finisher, skip, meter)

    def work(self) -> list[dict[str, Any]]:
        """Do all of it; the faults after the last shard."""
        try:
            started = self.start()
            while self.ended < started:
                with self.change:
                    self.change.wait(WAIT)
                self.meter.show()
            if self.error is None:
                self.writer.end_shard()
        except BaseException as error:          # an interrupt, as a rule
            self.fail(error)
        self.await_end()
        self.finisher.close()
        self.writer.discard()
        self.blocks.close()
        if self.error is not None:
            raise self.error
        return self.writer.faults

    def start(self) -> int:
        """Start the threads; how many there are."""
        for i, worker in enumerate(self.workers):
            try:
                worker.start()
            except RuntimeError:                # no more to be had
                if not i:
                    raise
                return i
        return len(self.workers)

    def await_end(self) -> None:
        """Wait for all threads, whatever happens: Thread.join may not outlast an interrupt."""
        while True:
            try:
                with self.change:
                    while self.ended < self.begun:
                        self.change.wait()
                return
            except KeyboardInterrupt as error:
                self.fail(error)

    def fail(self, error: BaseException) -> None:
        """Stop; the first error is the one that is told."""
        with self.change:
            self.error = self.error or error
            self.change.notify_all()

    def carry(self) -> None:
        """What a thread does."""
        with self.change:
            self.begun += 1
        try:
            while (taken := self.take()) is not None:
                number, block = taken
                self.hand_over(number, block, encode_block(self.tokenizer, block, self.recipe, self.width))
        except BaseException as error:
            self.fail(error)
        finally:
            with self.change:
                self.ended += 1
                self.change.notify_all()

    def take(self) -> tuple[int, Block] | None:
        """The next block and its number, when there is room for it."""
        with self.reading:
            block = None if self.error else next(self.blocks, None)
            if block is None:
                return None
            number, self.taken = self.taken, self.taken + 1
            with self.change:
                while self.error is None and not self.has_room(number, block):
                    self.change.wait()
                self.ahead += block.size
            return number, block

    def has_room(self, number: int, block: Block) -> bool:
        on_their_way = number - self.written
        return not on_their_way or (on_their_way < self.most and
                                    self.ahead + block.size <= self.most * self.recipe.block)

    def hand_over(self, number: int, block: Block, encoded: Encoded) -> None:
        """Write the block, if it is next, and those that waited for it."""
        with self.change:
            self.waiting[number] = block, encoded
            if self.writing:
                return
            self.writing = True
        while True:
            with self.change:
                next_one = None if self.error else self.waiting.pop(self.written, None)
                if next_one is None:
                    self.writing = False
                    return
            self.writer.write(*next_one)
            with self.change:
                self.written += 1
                self.ahead -= next_one[0].size
                self.change.notify_all()
