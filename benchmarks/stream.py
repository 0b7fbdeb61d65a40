"""BPE in streams: what a byte takes, what eager output costs, and how long tokens are held back.

    python -m benchmarks.stream [--slice 200kB] [--settings cl100k o200k llama2 ...] [--corpora english ...]

latency     `feed` of single bytes: the nanoseconds of CPU time that half of the calls, 99 % and 99.99 % of them are at
            or below, with what asking the clock takes; and the range tests and tokens looked at, on average and at most
            for any byte, which no machine changes
eager       a text by a stream, criterion by criterion, against the same text encoded at once: CPU time
arrival     a text that comes in chunks of 16 bytes: the time of a chunk in a stream, against encoding the line so far
            again and again, which is what is done without one, and against the peer that streams; and how many bytes of
            what came are in no token yet, on average and at most

A stream's ids are compared with those of the text at once before anything is timed.
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
from benchmarks.bpe_peers import IreeList, Ours, Tiktoken, Tokenizers
from benchmarks.harness import Peer, Setting

CRITERIA = ("window", "chain", "maximal")
SETTINGS = ("cl100k", "o200k", "llama2", bpe.NONE)
CORPORA = ("english", "multilingual", "code", "a")
CHUNK = 16
MOST_ARRIVALS = 500     # chunks: encoding a line again and again is quadratic in the line
REPETITIONS = 2**16
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


# Latency

def latency(tokenizer: Any, text: str) -> dict[str, float]:
    """Of single bytes."""
    stream = tokenizer.stream()
    feed, now, times = stream.feed, time.thread_time_ns, []
    for byte in harness.bytes_of(text):
        begin = now()
        feed(byte)
        times.append(now() - begin)
    stream.finish()
    times.sort()
    return {f"{100 * q:g} %": quantile(times, q) for q in QUANTILES} | {"most": times[-1]}


def counts(tokenizer: Any, text: str) -> dict[str, float]:
    """Of the notation layer's θ, over the text as one piece: at most 2 + log2 of a chain at any byte."""
    found = bpe_linear.counted(tokenizer, text.encode())
    return {name: found[name] for name in ("tests", "visits", "most")}


# Eager output

def eager(tokenizer: Any, text: str, rounds: int) -> dict[str, float]:
    """Seconds of one pass: "at once", and a stream by each criterion that is given all of the text."""
    def by_stream(criterion: str) -> object:
        stream = tokenizer.stream(criterion=criterion)
        return stream.feed(text), stream.finish()

    turns = {"at once": harness.warm_turn(lambda: tokenizer.encode(text))}
    turns |= {criterion: harness.warm_turn(lambda criterion=criterion: by_stream(criterion))  # type: ignore[misc]
              for criterion in CRITERIA}
    return {name: statistics.median(seconds) for name, seconds in harness.interleaved(turns, rounds).items()}


# Arrival

def held_back(tokenizer: Any, chunks: Sequence[str]) -> dict[str, float]:
    """Bytes that came and are in no token that is out, after each chunk."""
    stream, came, out, held = tokenizer.stream(), 0, 0, []
    for chunk in chunks:
        came += len(chunk.encode())
        out += sum(len(tokenizer.token_bytes(id)) for id in stream.feed(chunk))
        held.append(came - out)
    return {"mean": statistics.mean(held), "most": max(held)}


def again(encode: Callable[[str], Any], chunks: Sequence[str]) -> Any:
    """With every chunk, the line so far is encoded once more."""
    line = ""
    for chunk in chunks:
        line = (line + chunk).rpartition("\n")[2]
        found = encode(line)
    return found


def arrival(tokenizer: Any, setting: Setting, text: str, rounds: int) -> dict[str, Any]:
    """Nanoseconds of CPU time a chunk, by way; which of the other streams are exact; and what ours holds back."""
    chunks = harness.chunks_of(text, CHUNK)[:MOST_ARRIVALS]
    right = tokenizer.encode("".join(chunks)).tolist()
    peers = {kind: harness.fresh(kind, setting) for kind in able(setting)}

    def ours() -> list[int]:
        stream = tokenizer.stream()
        return [*itertools.chain.from_iterable(map(stream.feed, chunks)), *stream.finish()]

    must_be(right, ours(), f"{setting.name} in chunks of {CHUNK} bytes")
    turns = {"stream": harness.warm_turn(ours),
             "again, ours": harness.warm_turn(lambda: again(tokenizer.encode, chunks))}
    exact = {}
    for kind, peer in peers.items():
        if peer.encode_chunks is None:
            turns[f"again, {kind.name}"] = harness.warm_turn(lambda peer=peer: again(peer.encode_line, chunks))  # type: ignore[misc]
        else:
            exact[kind.name] = peer.row(peer.encode_chunks(chunks)) == right
            turns[kind.name] = harness.warm_turn(lambda peer=peer: peer.encode_chunks(chunks))  # type: ignore[misc]
    seconds = harness.interleaved(turns, rounds)
    return {"chunks": len(chunks), "exact": exact, "held": held_back(tokenizer, chunks),
            "ns": {name: 1e9 * statistics.median(times) / len(chunks) for name, times in seconds.items()}}


def able(setting: Setting) -> list[type[Peer]]:
    """The reference, and the peer that streams, where it can do the model."""
    reference = bpe.reference(setting.name)
    kinds: list[type[Peer]] = [reference, *([IreeList] if setting.name in IreeList.NAMES else [])]
    return [kind for kind in kinds if kind.version() is not None]


# All of it

def measure(name: str, corpus: str, limit: int, rounds: int) -> dict[str, Any]:
    from incbpe import BPE

    setting = bpe.setting(name)
    tokenizer: Any = BPE.from_file(setting.vocabulary, pattern=setting.pattern)
    text = text_of(corpus, limit)
    right = tokenizer.encode(text).tolist()
    for criterion in CRITERIA:
        stream = tokenizer.stream(criterion=criterion)
        must_be(right, [*stream.feed(text), *stream.finish()], f"{name}, {corpus}, {criterion}")
    single = tokenizer.stream()
    must_be(right, [*itertools.chain.from_iterable(map(single.feed, harness.bytes_of(text))), *single.finish()],
            f"{name}, {corpus}, single bytes")
    once = eager(tokenizer, text, rounds)
    return {"setting": name, "corpus": corpus, "bytes": len(text.encode()), "latency_ns": latency(tokenizer, text),
            "counts": counts(tokenizer, text[:bpe_linear.COUNTED]) if tokenizer.binary else None, "seconds": once,
            "overhead": {criterion: once[criterion] / once["at once"] for criterion in CRITERIA},
            "arrival": arrival(tokenizer, setting, text, rounds)}


def summary(results: Sequence[dict[str, Any]]) -> str:
    names = [f"{result['setting']}: {result['corpus']}" for result in results]
    quantiles = list(results[0]["latency_ns"])
    first = report.table(["feed of a byte, ns", *quantiles, "tests", "visits", "most"], [
        [name, *(f"{result['latency_ns'][q]:.0f}" for q in quantiles),
         *("-" if result["counts"] is None else f"{result['counts'][key]:.3g}" for key in ("tests", "visits", "most"))]
        for name, result in zip(names, results, strict=True)])
    second = report.table(["time of a stream / at once", *CRITERIA], [
        [name, *(f"x{result['overhead'][criterion]:.2f}" for criterion in CRITERIA)]
        for name, result in zip(names, results, strict=True)])
    ways = list(dict.fromkeys(way for result in results for way in result["arrival"]["ns"]))
    third = report.table([f"a chunk of {CHUNK} bytes, ns", *ways, "bytes held back", "most"], [
        [name, *("-" if way not in found["ns"] else
                 f"{found['ns'][way]:.0f}" + ("" if found["exact"].get(way, True) else " *") for way in ways),
         f"{found['held']['mean']:.1f}", f"{found['held']['most']}"]
        for name, found in zip(names, [result["arrival"] for result in results], strict=True)])
    return f"{first}\n\n{second}\n\n{third}"


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stream", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--slice", type=suite.size, default=suite.size("200kB"), metavar="SIZE")
    parser.add_argument("--rounds", type=int, default=harness.ROUNDS)
    parser.add_argument("--settings", nargs="+", default=SETTINGS, choices=bpe.SETTINGS)
    parser.add_argument("--corpora", nargs="+", default=CORPORA, choices=(*CORPORA[:3], *bpe_linear.TEXTS))
    parser.add_argument("--output", type=Path, default=report.folder() / "stream.json")
    options = parser.parse_args(argv)
    core = harness.pin()
    results = []
    for name, corpus in itertools.product(options.settings, options.corpora):
        results.append(measure(name, corpus, options.slice, options.rounds))
        print(name, corpus, file=sys.stderr, flush=True)
    kinds: tuple[type[Peer], ...] = (Ours, Tiktoken, Tokenizers, IreeList)
    report.write(options.output, report.results_of(
        results, [kind.name for kind in kinds if kind.version() is None], core=core, slice=options.slice,
        versions={kind.name: kind.version() for kind in kinds}))
    print(summary(results))


if __name__ == "__main__":
    main()
