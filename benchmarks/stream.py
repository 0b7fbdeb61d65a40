"""BPE in streams: what a byte takes, what streaming costs beside encoding at once, and when tokens come.

    python -m benchmarks.stream [--slice 100kB] [--settings cl100k o200k llama2 ...] [--corpora english ...]

latency     `feed` of single bytes: the nanoseconds that half of the calls, 99 % and 99.99 % of them are at or below,
            with what asking the clock takes, each call by the median of the rounds; and, which no machine changes, the
            range tests and the tokens looked at for a byte, by the same quantiles
eager       a text by a stream, criterion by criterion, and in chunks of 4,096 bytes, against the same text at once
cells       a text in chunks of 4,096 bytes, and by single bytes: a stream against each peer that encodes the line so
            far again with what comes, which is what is done without a stream, and against the peer that streams; not
            of repetitions, which peers remember when they come again
arrival     from a byte's coming to its token's, a text in chunks of 16 bytes: the time of a chunk in a stream, of the
            line so far again, and in the peer's stream; and how many bytes that came are in no token yet

A stream's ids are compared with those of the text at once before anything is timed. A peer whose ids differ is marked,
and is never the best one.
"""
import argparse
import itertools
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks import bpe, bpe_linear, harness, report, suite
from benchmarks.bpe_peers import IreeArray, IreeList, Ours
from benchmarks.harness import Peer, Setting

CRITERIA = ("window", "chain", "maximal")
SETTINGS = ("cl100k", "o200k", "llama2", bpe.NONE)
CORPORA = ("english", "multilingual", "code", "a")
ROUNDS = 5
CHUNK = 16              # bytes that arrive together
MOST_ARRIVALS = 500     # chunks: encoding a line again and again is quadratic in the line
MOST_BYTES = 2_000      # that arrive singly
REPETITIONS = 2**15
COUNTED = 2**14
QUANTILES = (0.5, 0.99, 0.9999)


def text_of(corpus: str, limit: int) -> str:
    if corpus in bpe_linear.TEXTS:
        return bpe_linear.TEXTS[corpus](min(limit, REPETITIONS))
    return "\n".join(suite.lines(corpus, limit))


def quantile(ordered: Sequence[float], q: float) -> float:
    """The least value that a part q of all are at or below.

    >>> quantile([1, 2, 3, 4], 0.5), quantile([1, 2, 3, 4], 0.99), quantile([1, 2, 3, 4], 0.75)
    (2, 4, 3)
    """
    return ordered[max(0, min(len(ordered) - 1, -int(-q * len(ordered) // 1) - 1))]


def must_be(right: list[int], found: list[int], what: str) -> None:
    if right != found:
        raise harness.NotEqualError(f"{what}: a stream's ids are not those of the text; nothing was timed")


def spread(values: Sequence[float]) -> dict[str, float]:
    """The quantiles, and the most.

    >>> spread([3, 1, 2])
    {'50 %': 2, '99 %': 3, '99.99 %': 3, 'most': 3}
    """
    ordered = sorted(values)
    return {f"{100 * q:g} %": quantile(ordered, q) for q in QUANTILES} | {"most": ordered[-1]}


# Latency

def nanoseconds(feed: Callable[[Any], object], parts: Sequence[Any]) -> list[int]:
    """Of each call."""
    now, times = time.perf_counter_ns, []
    for part in parts:
        begin = now()
        feed(part)
        times.append(now() - begin)
    return times


def usual(rounds: Sequence[Sequence[int]]) -> dict[str, float]:
    """Of the calls' times, each the median of its rounds: what the call does, and not what came between once.

    >>> usual([[3, 1], [9, 1], [3, 7]])
    {'50 %': 1, '99 %': 3, '99.99 %': 3, 'most': 3}
    """
    return spread([statistics.median(times) for times in zip(*rounds, strict=True)])


def latency(tokenizer: Any, text: str, rounds: int) -> dict[str, float]:
    """Of single bytes."""
    parts = harness.bytes_of(text)
    return usual([nanoseconds(tokenizer.stream().feed, parts) for _ in range(rounds)])


def counts(tokenizer: Any, text: bytes) -> dict[str, dict[str, float]]:
    """Of the notation layer's search for θ, over the text as one piece: range tests and tokens looked at, by byte."""
    from incbpe import Incremental

    found = Incremental(tokenizer.normalized())
    tests, visits = [0], [0]
    for byte in text:
        found.feed(byte)
        tests.append(found.tests)
        visits.append(found.visits)
    return {name: {"mean": totals[-1] / len(text)} | spread([b - a for a, b in itertools.pairwise(totals)])
            for name, totals in (("tests", tests), ("visits", visits))}


# Eager output

def by_stream(tokenizer: Any, chunks: Sequence[Any], criterion: str = "chain") -> None:
    stream = tokenizer.stream(criterion=criterion)
    feed = stream.feed
    for chunk in chunks:
        feed(chunk)
    stream.finish()


def eager(tokenizer: Any, text: str, rounds: int) -> dict[str, float]:
    """Seconds of one pass: "at once", a stream by each criterion that is given all of the text, and one in chunks."""
    ways: dict[str, Callable[[], object]] = {"at once": lambda: tokenizer.encode(text)}
    for criterion in CRITERIA:
        ways[criterion] = lambda criterion=criterion: by_stream(tokenizer, [text], criterion)  # type: ignore[misc]
    chunks = harness.chunks_of(text)
    ways["in chunks"] = lambda: by_stream(tokenizer, chunks)
    turns = {name: harness.warm_turn(way) for name, way in ways.items()}
    return {name: statistics.median(seconds) for name, seconds in harness.interleaved(turns, rounds).items()}


# Against encoding again

def line_again(encode: Callable[[str], Any]) -> Callable[[str], Any]:
    """Like a stream's `feed`, by encoding the line so far once more, and what comes."""
    line = ""

    def feed(chunk: str) -> Any:
        nonlocal line
        text = line + chunk
        line = text.rpartition("\n")[2]
        return encode(text)

    return feed


def again(encode: Callable[[str], Any], chunks: Sequence[str]) -> None:
    feed = line_again(encode)
    for chunk in chunks:
        feed(chunk)


def able(setting: Setting) -> list[type[Peer]]:
    """The reference, all others that can do the model and give arrays, as ours does, and the one that streams."""
    kinds = [kind for kind in bpe.others(setting.name) if kind.kind == "array" and kind is not IreeArray]
    kinds = [bpe.reference(setting.name), *kinds, *([IreeList] if setting.name in IreeList.NAMES else [])]
    return [kind for kind in kinds if kind.version() is not None]


def loaded(setting: Setting) -> dict[str, Peer]:
    return {kind.name: harness.fresh(kind, setting) for kind in able(setting)}


def cell(tokenizer: Any, peers: dict[str, Peer], chunks: Sequence[str], rounds: int) -> dict[str, Any]:
    """Nanoseconds of CPU time a byte, by way, and which peers are exact. A name alone is a stream's."""
    text = "".join(chunks)
    right, n = tokenizer.encode(text).tolist(), len(text.encode())
    ways: dict[str, Callable[[], object]] = {
        "stream": lambda: by_stream(tokenizer, chunks), "again, ours": lambda: again(tokenizer.encode, chunks)}
    exact = {}
    for name, peer in peers.items():
        ways[f"again, {name}"] = lambda peer=peer: again(peer.encode_line, chunks)  # type: ignore[misc]
        exact[f"again, {name}"] = peer.row(peer.encode_line(text)) == right
        if peer.encode_chunks is not None:
            ways[name] = lambda peer=peer: peer.encode_chunks(chunks)  # type: ignore[misc]
            exact[name] = peer.row(peer.encode_chunks(list(chunks))) == right
    seconds = harness.interleaved({name: harness.warm_turn(way) for name, way in ways.items()}, rounds)
    ns = {name: 1e9 * statistics.median(times) / n for name, times in seconds.items()}
    best = min((name for name in exact if exact[name]), key=lambda name: ns[name], default=None)
    return {"bytes": n, "ns": ns, "exact": exact, "best": best, "ratio": best and ns[best] / ns["stream"]}


# Arrival

def held_back(tokenizer: Any, stream: Any, chunks: Sequence[str]) -> dict[str, float] | None:
    """Bytes that came and are in no token that is out, after each chunk. None: what is out is not right."""
    found = tokenizer.encode("".join(chunks), offsets=True)
    right, ends = list(found.ids), [0, *found.byte_ends]
    came, out, held = 0, 0, []
    for chunk in chunks:
        came += len(chunk.encode())
        ids = list(stream.feed(chunk))
        if right[out:out + len(ids)] != ids:
            return None
        out += len(ids)
        held.append(came - ends[out])
    return {"mean": statistics.mean(held)} | spread(held)


def arrival(tokenizer: Any, peers: dict[str, Peer], again_by: str | None, chunks: Sequence[str], rounds: int
            ) -> dict[str, Any]:
    """Nanoseconds of a chunk, by way, and what streams hold back."""
    text = "".join(chunks)
    stream = tokenizer.stream()
    must_be(tokenizer.encode(text).tolist(),
            [*itertools.chain.from_iterable(map(stream.feed, chunks)), *stream.finish()], f"chunks of {CHUNK} bytes")
    feeds: dict[str, Callable[[], Callable[[str], Any]]] = {
        "stream": lambda: tokenizer.stream().feed, "again, ours": lambda: line_again(tokenizer.encode)}
    streams = {"stream": tokenizer.stream()}
    if again_by is not None and again_by.startswith("again, "):
        encode = peers[again_by.removeprefix("again, ")].encode_line
        feeds[again_by] = lambda: line_again(encode)
    for name, peer in peers.items():
        if (make := getattr(peer, "make_stream", None)) is not None:
            feeds[name], streams[name] = (lambda make=make: make().feed), make()  # type: ignore[misc]
    times: dict[str, list[list[int]]] = {name: [] for name in feeds}
    for _ in range(rounds + 1):                 # the first one warms up
        for name, feed in feeds.items():
            times[name].append(nanoseconds(feed(), chunks))
    return {"chunks": len(chunks),
            "ns": {name: usual(found[1:]) for name, found in times.items()},
            "held": {name: held_back(tokenizer, stream, chunks) for name, stream in streams.items()}}


# All of it

def measure(name: str, tokenizer: Any, peers: dict[str, Peer], corpus: str, limit: int, rounds: int) -> dict[str, Any]:
    text = text_of(corpus, limit)
    right = tokenizer.encode(text).tolist()
    for criterion in CRITERIA:
        stream = tokenizer.stream(criterion=criterion)
        must_be(right, [*stream.feed(text), *stream.finish()], f"{name}, {corpus}, {criterion}")
    single = tokenizer.stream()
    must_be(right, [*itertools.chain.from_iterable(map(single.feed, harness.bytes_of(text))), *single.finish()],
            f"{name}, {corpus}, single bytes")
    once = eager(tokenizer, text, rounds)
    few = text.encode()[:MOST_BYTES].decode(errors="ignore")
    cells = None if corpus in bpe_linear.TEXTS else {
        "chunks": cell(tokenizer, peers, harness.chunks_of(text), rounds),
        "bytes": cell(tokenizer, peers, list(few), rounds)}
    best = None if cells is None else cells["bytes"]["best"]
    some = harness.chunks_of(text, CHUNK)[:MOST_ARRIVALS]
    return {"setting": name, "corpus": corpus, "bytes": len(text.encode()),
            "latency_ns": latency(tokenizer, text, rounds),
            "counts": counts(tokenizer, text.encode()[:COUNTED]) if tokenizer.binary else None, "seconds": once,
            "overhead": {way: once[way] / once["at once"] for way in (*CRITERIA, "in chunks")}, "cells": cells,
            "arrival": arrival(tokenizer, peers, best, some, rounds)}


def against(found: dict[str, Any] | None) -> str:
    """A stream's speed over that of the best exact peer.

    >>> against({"ratio": 2.5, "best": "again, tiktoken"}), against({"ratio": None, "best": None}), against(None)
    ('x2.50 tiktoken', '-', '-')
    """
    if found is None or found["best"] is None:
        return "-"
    return f"x{found['ratio']:.2f} {found['best'].removeprefix('again, ')}"


def summary(results: Sequence[dict[str, Any]]) -> str:
    names = [f"{result['setting']}: {result['corpus']}" for result in results]
    quantiles = list(results[0]["latency_ns"])
    first = report.table(["feed of a byte, ns", *quantiles, "tests", "most", "visits", "most"], [
        [name, *(f"{result['latency_ns'][q]:.0f}" for q in quantiles),
         *("-" if result["counts"] is None else f"{result['counts'][kind][key]:.3g}"
           for kind in ("tests", "visits") for key in ("mean", "most"))]
        for name, result in zip(names, results, strict=True)])
    header = ["time of a stream / at once", *CRITERIA, "chain, in chunks", "chunks / again", "bytes / again"]
    second = report.table(header, [
        [name, *(f"x{value:.2f}" for value in result["overhead"].values()),
         *(against(result["cells"] and result["cells"][kind]) for kind in ("chunks", "bytes"))]
        for name, result in zip(names, results, strict=True)])
    rows = [[f"{name}, {way}", *(f"{ns[q]:.0f}" for q in quantiles),
             *(f"{held[key]:.4g}" if (held := found["held"].get(way)) else "-" for key in ("mean", "99 %", "most"))]
            for name, found in zip(names, [result["arrival"] for result in results], strict=True)
            for way, ns in found["ns"].items()]
    third = report.table([f"a chunk of {CHUNK} bytes, ns", *quantiles, "bytes held back", "99 %", "most"], rows)
    return f"{first}\n\n{second}\n\n{third}"


def main(argv: Sequence[str] | None = None) -> None:
    from incbpe import BPE

    parser = argparse.ArgumentParser(prog="python -m benchmarks.stream", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--slice", type=suite.size, default=suite.size("100kB"), metavar="SIZE")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--settings", nargs="+", default=SETTINGS, choices=bpe.SETTINGS)
    parser.add_argument("--corpora", nargs="+", default=CORPORA, choices=(*CORPORA[:3], *bpe_linear.TEXTS))
    parser.add_argument("--output", type=Path, default=report.folder() / "stream.json")
    options = parser.parse_args(argv)
    core = harness.pin()
    versions: dict[str, str | None] = {Ours.name: Ours.version()}
    results, absent = [], set()
    for name in options.settings:
        setting = bpe.setting(name)
        tokenizer: Any = BPE.from_file(setting.vocabulary, pattern=setting.pattern)
        peers = loaded(setting)
        found = {kind.name: kind.version() for kind in (bpe.reference(name), *bpe.others(name))}
        versions |= {kind: version for kind, version in found.items() if kind in peers}
        absent |= {kind for kind, version in found.items() if version is None}
        for corpus in options.corpora:
            results.append(measure(name, tokenizer, peers, corpus, options.slice, options.rounds))
            print(name, corpus, file=sys.stderr, flush=True)
    report.write(options.output, report.results_of(results, sorted(absent), core=core, slice=options.slice,
                                                   versions=versions))
    print(summary(results))


if __name__ == "__main__":
    main()
