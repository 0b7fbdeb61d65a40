"""How everything here is measured: equality before timing, peers interleaved, medians, ratios within one run.

A *peer* is a tokenizer behind one small class (benchmarks/peers.py). One peer is the *reference*, which defines the
right ids; *ours* must equal it on every text or `NotEqualError` is raised and nothing is timed; any other peer that
differs is timed, marked with its count of differing texts, and never counts as the best.

The clock is the CPU time of this process, which is pinned to one core. Peers take turns (A B C A B C ...), so that
what the machine does meanwhile falls on all of them alike; a peer's time is the median of its rounds.
"""
import gc
import importlib.metadata
import os
import statistics
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

# Read by the libraries' thread pools when they first start, so set before any of them is imported.
os.environ["RAYON_NUM_THREADS"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"

ROUNDS = 7
SHORTEST = 0.02  # seconds; a quicker pass is repeated until its clock reading is this long
CHUNK = 4096  # bytes of a stream's chunk, or a few less, since it ends with a character
Call = Literal["line", "batch", "document", "count", "chunks", "bytes"]
State = Literal["warm", "other", "cold", "off"]


class NotEqualError(AssertionError):
    """Ours gives other ids than the reference, so there is nothing to time."""


@dataclass(frozen=True)
class Setting:
    """What is asked of a tokenizer: a vocabulary file; for WordPiece a clean-up (`lowercase` is meaningless where not
    `clean`); for BPE how texts are split, by name (`incbpe.patterns`), None: the file says it."""

    name: str
    vocabulary: Path
    clean: bool = False
    lowercase: bool = False
    max_chars_per_word: int = 100
    pattern: str | None = None
    cache: bool = True  # False: ours without its cache, where it has one to leave out


class Peer:
    """One tokenizer, called by its fastest public way that gives ids of its `kind` and no special tokens.

    `load` builds a fresh tokenizer, caches empty, and sets the calls; they are attributes and not methods, so that
    where the peer's own function will do, it is what is timed. A call that the peer does not offer stays None.
    """

    name: ClassVar[str]
    package: ClassVar[str]
    kind: ClassVar[Literal["array", "list"]]

    encode_line: Callable[[str], Any]
    encode_batch: Callable[[list[str]], Any]
    encode_document: Callable[[str], Any]
    count: Callable[[str], int] | None = None  # the number of a text's tokens
    encode_chunks: Callable[[list[str]], Any] | None = None  # one text that comes in chunks, by a stream
    encode_bytes: Callable[[list[bytes]], Any] | None = None  # the same by single bytes

    def load(self, setting: Setting) -> None:
        raise NotImplementedError

    def row(self, ids: Any) -> list[int]:
        """One text's ids as a list, for the comparison; never timed."""
        return ids.tolist() if hasattr(ids, "tolist") else list(ids)

    def offers(self, call: Call) -> bool:
        asked: dict[str, object] = {"count": self.count, "chunks": self.encode_chunks, "bytes": self.encode_bytes}
        return asked.get(call, self) is not None

    def rows(self, batch: Any) -> list[list[int]]:
        return [self.row(ids) for ids in batch]

    @classmethod
    def version(cls) -> str | None:
        """The installed version, or None: an absent peer is reported and skipped."""
        return installed(cls.package)


def installed(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def fresh(kind: type[Peer], setting: Setting) -> Peer:
    peer = kind()
    peer.load(setting)
    return peer


@dataclass(frozen=True)
class Cell:
    """What one row of a table measures: these texts, called so, under this setting, in this state."""

    corpus: str
    setting: str
    call: Call
    state: State


@dataclass
class Timing:
    version: str
    kind: str
    exact: bool
    differing: int
    seconds: float  # the median round, for one pass over the texts
    rounds: list[float]
    mb_per_s: float
    times_reference: float | None  # None: the reference does not offer the call


@dataclass
class Result:
    cell: Cell
    texts: int
    megabytes: float
    reference: str
    peers: dict[str, Timing] = field(default_factory=dict)
    beside: dict[str, float] = field(default_factory=dict)  # seconds of what is no tokenizer, in the same rounds

    def like(self, kind: str) -> str | None:
        """The reference, in its form with this kind of output where it has one; None: it does not offer the call."""
        forms = [name for name, timing in self.peers.items()
                 if name.split()[0] == self.reference.split()[0] and timing.kind == kind]
        return forms[0] if forms else self.reference if self.reference in self.peers else None

    def best_exact(self, kind: str, ours: Iterable[str]) -> str | None:
        """The fastest peer of this output kind, ours and the inexact left out."""
        rivals = [name for name, timing in self.peers.items()
                  if timing.exact and timing.kind == kind and name not in set(ours)]
        return min(rivals, key=lambda name: self.peers[name].seconds, default=None)


# Equality

def answers(peer: Peer, call: Call, texts: list[str]) -> list[list[int]]:
    """The ids of every text; a document is one text, all lines together."""
    match call:
        case "line":
            return [peer.row(peer.encode_line(text)) for text in texts]
        case "batch":
            return peer.rows(peer.encode_batch(texts))
        case "document":
            return [peer.row(peer.encode_document("\n".join(texts)))]
        case "count":
            return [[one_of(peer.count)(text)] for text in texts]
        case "chunks":
            return [peer.row(one_of(peer.encode_chunks)(chunks_of("\n".join(texts))))]
        case "bytes":
            return [peer.row(one_of(peer.encode_bytes)(bytes_of("\n".join(texts))))]


def right_answers(reference: Peer, call: Call, texts: list[str]) -> list[list[int]]:
    """What all must give: of a stream the ids of the document, and of a count the number of ids."""
    if call == "count":
        return [[len(ids)] for ids in answers(reference, "line", texts)]
    return answers(reference, "document" if call in ("chunks", "bytes") else call, texts)


def one_of(offered: Callable[..., Any] | None) -> Callable[..., Any]:
    assert offered is not None
    return offered


def chunks_of(text: str, size: int = CHUNK) -> list[str]:
    """The text in chunks of `size` bytes, at least 4, each a few less where that would cut a character."""
    data, chunks, begin = text.encode(), [], 0
    while begin < len(data):
        end = min(begin + size, len(data))
        while end < len(data) and data[end] & 0xC0 == 0x80:
            end -= 1
        chunks.append(data[begin:end].decode())
        begin = end
    return chunks


def bytes_of(text: str) -> list[bytes]:
    return [bytes((byte,)) for byte in text.encode()]


def differing(right: Sequence[list[int]], given: Sequence[list[int]]) -> int:
    return sum(a != b for a, b in zip(right, given, strict=False)) + abs(len(right) - len(given))


def must_equal(name: str, cell: Cell, right: Sequence[list[int]], given: Sequence[list[int]]) -> None:
    wrong = differing(right, given)
    if wrong:
        first = next((i for i, (a, b) in enumerate(zip(right, given, strict=False)) if a != b),
                     min(len(right), len(given)))
        raise NotEqualError(f"{name} differs from the reference on {wrong} of {len(right)} texts of {cell}; "
                       f"the first is text {first}; nothing was timed")


# Time

def pin() -> int:
    """Keep this process on one core, the last that it may use, and say which."""
    if not hasattr(os, "sched_setaffinity"):
        return -1
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


def one_pass(peer: Peer, call: Call, texts: list[str]) -> Callable[[], object]:
    """A function of no argument that encodes all texts once; each result is dropped as soon as it is complete."""
    match call:
        case "line":
            encode = peer.encode_line
            return lambda: deque(map(encode, texts), maxlen=0)
        case "batch":
            return lambda: peer.encode_batch(texts)
        case "document":
            text = "\n".join(texts)
            return lambda: peer.encode_document(text)
        case "count":
            count = one_of(peer.count)
            return lambda: deque(map(count, texts), maxlen=0)
        case "chunks":
            stream, chunks = one_of(peer.encode_chunks), chunks_of("\n".join(texts))
            stream([])  # what a tokenizer makes for its first stream is not in the time
            return lambda: stream(chunks)
        case "bytes":
            stream, single = one_of(peer.encode_bytes), bytes_of("\n".join(texts))
            stream([])
            return lambda: stream(single)


def cpu_seconds(action: Callable[[], object], repeats: int = 1) -> float:
    """CPU time of one call of `action`, the mean over `repeats`, garbage collection off."""
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        for _ in range(repeats):
            action()
        return (time.process_time() - start) / repeats
    finally:
        gc.enable()


def interleaved(turns: dict[str, Callable[[], float]], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """Every turn once a round, in the same order in each; a turn returns its own seconds."""
    seconds: dict[str, list[float]] = {name: [] for name in turns}
    for _ in range(rounds):
        for name, turn in turns.items():
            seconds[name].append(turn())
    return seconds


def warm_turn(action: Callable[[], object]) -> Callable[[], float]:
    action()
    repeats = max(1, round(SHORTEST / max(cpu_seconds(action), 1e-7)))
    return lambda: cpu_seconds(action, repeats)


def cold_turn(kind: type[Peer], setting: Setting, call: Call, texts: list[str]) -> Callable[[], float]:
    """The first pass of an instance that has seen nothing; building it is not in the time."""
    return lambda: cpu_seconds(one_pass(fresh(kind, setting), call, texts))


def other_turn(kind: type[Peer], setting: Setting, call: Call, texts: list[str], before: list[str]
               ) -> Callable[[], float]:
    """The first pass over `texts` of an instance that has encoded `before`, which is not in the time."""
    def turn() -> float:
        peer = fresh(kind, setting)
        one_pass(peer, call, before)()
        return cpu_seconds(one_pass(peer, call, texts))
    return turn


def measure(cell: Cell, setting: Setting, texts: list[str], *, reference: type[Peer], ours: Sequence[type[Peer]],
            others: Sequence[type[Peer]] = (), beside: Mapping[str, Callable[[], object]] | None = None,
            rounds: int = ROUNDS) -> Result:
    """Compare, then time. Raises NotEqualError, having timed nothing, if one of `ours` differs from `reference`.

    `beside` are passes over the texts that make no ids, timed (warm) in turn with the peers. In the state "other" every
    second text is measured, after the texts between them.
    """
    timed, before = (texts[::2], texts[1::2]) if cell.state == "other" else (texts, [])
    if cell.state == "off":
        setting = replace(setting, cache=False)
    loaded = {kind: fresh(kind, setting) for kind in (reference, *others, *ours)}
    right = right_answers(loaded[reference], cell.call, texts)
    loaded = {kind: peer for kind, peer in loaded.items() if peer.offers(cell.call)}
    for kind in ours:
        must_equal(kind.name, cell, right, answers(loaded[kind], cell.call, texts))
    wrong = {kind: differing(right, answers(peer, cell.call, texts)) for kind, peer in loaded.items()}
    kinds = list(loaded)
    if cell.state == "warm":
        turns = {kind.name: warm_turn(one_pass(peer, cell.call, timed)) for kind, peer in loaded.items()}
    else:
        turns = {kind.name: other_turn(kind, setting, cell.call, timed, before) if cell.state == "other" else
                 cold_turn(kind, setting, cell.call, timed) for kind in kinds}
        loaded.clear()
    turns |= {name: warm_turn(action) for name, action in (beside or {}).items()}
    seconds = interleaved(turns, rounds)
    size = len("\n".join(timed).encode()) / 1e6
    base = statistics.median(seconds[reference.name]) if reference in kinds else None
    result = Result(cell, len(texts), size, reference.name)
    for kind in kinds:
        median = statistics.median(seconds[kind.name])
        result.peers[kind.name] = Timing(kind.version() or "?", kind.kind, wrong[kind] == 0, wrong[kind], median,
                                         seconds[kind.name], size / median, None if base is None else base / median)
    result.beside = {name: statistics.median(seconds[name]) for name in beside or {}}
    return result
