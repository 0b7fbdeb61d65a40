"""What a second thread adds: `encode_batch(threads=2)` against `threads=1` on every text, wall time.

    python -m benchmarks.threads [--corpora ...] [--setting uncased]

Two cores are needed, idle ones. What the machine itself gives at the time is measured in the same rounds: two SHA-256
digests, one after the other and on two threads. And what no neighbour changes: the CPU time that both threads take
together, against one, which is what sharing costs; and the CPU time of one thread over that of the busier of the two,
each in its best round, which is how many times as fast two would be with a core each to themselves.
"""
import argparse
import functools
import gc
import hashlib
import os
import statistics
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks import harness, report
from benchmarks.harness import fresh
from benchmarks.peers import Ours
from benchmarks.wordpiece import CORPORA, SETTINGS, setting, texts

THREADS = 2
ENOUGH = 0.01       # seconds; the texts are repeated until one thread needs so long. Short: only a round that nothing
ROUNDS = 101        # else disturbs on either core counts, so many are tried
DIGESTED = bytes(8_000_000)


def wall_seconds(action: Callable[[], object], cpu: list[tuple[float, float]] | None = None) -> float:
    """Seconds on the clock; to `cpu` goes the time that this thread worked, and that all others did."""
    gc.collect()
    gc.disable()
    try:
        start, used, own = time.perf_counter(), time.process_time(), time.thread_time()
        action()
        own = time.thread_time() - own
        if cpu is not None:
            cpu.append((own, time.process_time() - used - own))
        return time.perf_counter() - start
    finally:
        gc.enable()


def digests(threads: int) -> None:
    """Two digests, by one thread or by two."""
    def digest() -> None:
        hashlib.sha256(DIGESTED)
    if threads == 1:
        digest()
        digest()
        return
    second = threading.Thread(target=digest)
    second.start()
    digest()
    second.join()


def measured(corpus: str, name: str, limit: int | None, rounds: int) -> dict[str, Any]:
    """The quickest round of each, and how many times as fast two threads are."""
    peer = fresh(Ours, setting(name))
    encode_batch = functools.partial(peer.encode_batch.func)  # type: ignore[attr-defined]
    lines = texts(corpus, limit, name)
    once = encode_batch(lines, threads=1)
    assert encode_batch(lines, threads=THREADS) == once, f"{corpus}: {THREADS} threads give other ids than one"
    repeated = lines * max(1, round(ENOUGH / wall_seconds(lambda: encode_batch(lines, threads=1))))
    turns: dict[str, Callable[[], float]] = {}
    cpu: dict[int, list[tuple[float, float]]] = {1: [], THREADS: []}
    for threads in (1, THREADS):
        turns[f"ours {threads}"] = functools.partial(
            wall_seconds, functools.partial(encode_batch, repeated, threads=threads), cpu[threads])
        turns[f"machine {threads}"] = functools.partial(wall_seconds, functools.partial(digests, threads))
    seconds = harness.interleaved(turns, rounds)
    best = {turn: min(times) for turn, times in seconds.items()}
    return {"corpus": corpus, "setting": name, "threads": THREADS, "texts": len(repeated),
            "megabytes": sum(len(text.encode()) + 1 for text in repeated) / 1e6, "seconds": best, "rounds": seconds,
            "cpu": statistics.median(map(sum, cpu[THREADS])) / statistics.median(map(sum, cpu[1])),
            "own_cores": min(map(sum, cpu[1])) / min(map(max, cpu[THREADS])),
            "times": best["ours 1"] / best[f"ours {THREADS}"],
            "machine": best["machine 1"] / best[f"machine {THREADS}"]}


def summary(results: Sequence[dict[str, Any]]) -> str:
    return report.table(
        ["two threads against one", "MB/s, one", "MB/s, two", "times as fast", "the machine",
         "with a core each", "CPU time"],
        [[f"{row['corpus']} {row['setting']}", f"{row['megabytes'] / row['seconds']['ours 1']:.0f}",
          f"{row['megabytes'] / row['seconds'][f'ours {THREADS}']:.0f}", f"{row['times']:.2f}", f"{row['machine']:.2f}",
          f"{row['own_cores']:.2f}", f"{row['cpu']:.2f}"]
         for row in results])


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.threads", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--corpora", nargs="+", default=CORPORA, choices=CORPORA)
    parser.add_argument("--setting", default="uncased", choices=SETTINGS)
    parser.add_argument("--slice", type=int, metavar="BYTES", help="the first whole lines within so many bytes")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--output", type=Path, default=report.folder() / "threads.json")
    options = parser.parse_args(argv)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if cores < THREADS:
        raise SystemExit(f"{THREADS} processors are needed; this process may use {cores}")
    results = []
    for corpus in options.corpora:
        results.append(measured(corpus, options.setting, options.slice, options.rounds))
        print(corpus, file=sys.stderr, flush=True)
    report.write(options.output, report.results_of(results, [], version=Ours.version()))
    print(summary(results))


if __name__ == "__main__":
    main()
