"""The command `corpus` against the tokenizer alone, on one core and on two; each stage alone; and a long run.

    python -m benchmarks.corpus --long 5GB     all that docs/scale.md shows: about five minutes, and two for 5 GB
    python -m benchmarks.corpus [--settings uncased cl100k] [--size 200MB] [--rounds 5] [--minutes 4] [--folder DIR]

Every measurement is a process of its own, pinned to its cores, and they alternate; input and output lie in memory
(/dev/shm). The tokenizer alone encodes the same documents from a list in memory, 4 MB at a time; the command reads them
from lines of text and from JSON lines. Wall time, of which the best round counts, and CPU time, of which the median
does: on a machine with other work only the latter says much. --minutes ends the rounds early, after two at least. The
stages are timed in one process on one core. The disk is that of --folder: what `corpus` reads and writes there, and
what plain reading (of what is not in memory) and writing (forced to the disk) take.
"""
import argparse
import hashlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks import bpe, harness, report, wordpiece
from benchmarks.corpus_stages import IN_MEMORY, stages
from benchmarks.suite import data

CORPORA = ("english", "code", "multilingual")
BATCH = 4_000_000           # bytes of documents that the tokenizer alone gets at once
LEAST_ROUNDS = 2
SAMPLE = 0.5                # seconds between two looks at a long run
UNITS = {"MB": 10**6, "GB": 10**9}
SETTINGS = ("uncased", "cl100k")


def bytes_in(text: str) -> int:
    return int(float(text[:-2]) * UNITS[text[-2:]])


def tokenizer_of(name: str) -> Any:
    if name in wordpiece.SETTINGS:
        from linmaxmatch import WordPiece
        found = wordpiece.setting(name)
        return WordPiece.from_file(found.vocabulary, lowercase=found.lowercase)
    from incbpe import BPE
    where = bpe.setting(name)
    return BPE.from_file(where.vocabulary, pattern=where.pattern)


def make_objects(path: Path, text: Path) -> None:
    """The same documents as JSON lines."""
    with open(path, "w", encoding="utf-8") as file:
        for i, line in enumerate(text.read_bytes().decode().split("\n")[:-1]):
            file.write(json.dumps({"id": i, "text": line}, ensure_ascii=False) + "\n")


def make_input(path: Path, size: int) -> None:
    """The corpora one after the other, again and again, up to `size` bytes and the end of a line."""
    text = b"".join((data() / f"corpora/{name}.txt").read_bytes() for name in CORPORA)
    with open(path, "wb") as file:
        while file.tell() + len(text) <= size:
            file.write(text)
        file.write(text[:text.rfind(b"\n", 0, size - file.tell()) + 1])


# ------------------------------------------------------------------------------------------- one measurement

def batches_of(path: Path) -> list[list[bytes]]:
    """The documents in memory."""
    batches: list[list[bytes]] = [[]]
    size = 0
    for line in path.read_bytes().split(b"\n")[:-1]:
        if size >= BATCH:
            batches.append([])
            size = 0
        batches[-1].append(line)
        size += len(line) + 1
    return batches


def alone(tokenizer: Any, path: Path, threads: int) -> dict[str, float]:
    """The tokenizer on documents in memory."""
    batches = batches_of(path)
    wall, cpu = time.perf_counter(), time.process_time()
    tokens = sum(len(tokenizer.encode_batch(batch, threads=threads).ids) for batch in batches)
    return {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "tokens": tokens}


def corpus(tokenizer: Any, path: Path, threads: int, out: Path) -> dict[str, float]:
    """The whole of it, to the last file's name."""
    from subwordio.corpus import make_corpus
    shutil.rmtree(out, ignore_errors=True)
    wall, cpu = time.perf_counter(), time.process_time()
    made = make_corpus(tokenizer, [str(path)], str(out), threads=threads)
    found = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "tokens": made.tokens}
    shutil.rmtree(out)
    return found


def compare(tokenizer: Any, path: Path, out: Path) -> None:
    """NotEqualError unless the shards hold what the tokenizer alone gives."""
    from subwordio.corpus import make_corpus
    from subwordio.packing import pack
    shutil.rmtree(out, ignore_errors=True)
    make_corpus(tokenizer, [str(path)], str(out))
    written, right = hashlib.sha256(), hashlib.sha256()
    for shard in sorted(out.glob("*.bin")):
        written.update(shard.read_bytes())
    for batch in batches_of(path):
        right.update(pack(tokenizer.encode_batch(batch), 2 if tokenizer.vocab_size <= 1 << 16 else 4)[0])
    shutil.rmtree(out)
    if written.digest() != right.digest():
        raise harness.NotEqualError(f"the shards of {path} are not the tokenizer's ids")


def child(what: str, setting: str, path: str, cores: str, out: str) -> None:
    """What the processes do that this one starts."""
    count = int(cores)
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:count])
    tokenizer = tokenizer_of(setting)
    tokenizer.encode_batch([b"warm"])
    if what == "compare":
        compare(tokenizer, Path(path), Path(out))
        print("{}")
        return
    done = alone(tokenizer, Path(path), count) if what == "alone" else corpus(tokenizer, Path(path), count, Path(out))
    pages = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    print(json.dumps(done | {"peak_mb": int(pages.split()[1]) * 1024 / 1e6}))


def started(*arguments: object) -> dict[str, float]:
    done = subprocess.run([sys.executable, "-m", "benchmarks.corpus", "--child", *map(str, arguments)],
                          capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def speeds(setting: str, path: Path, objects: Path, rounds: int, minutes: float, folder: Path) -> dict[str, Any]:
    """MB/s of text, by the tokenizer alone and by the command, on one core and two, and from and to the disk."""
    size, begun = path.stat().st_size, time.monotonic()
    on_disk = folder / "input.txt"
    shutil.copyfile(path, on_disk)
    runs: dict[str, list[dict[str, float]]] = {}
    cells = [(f"{name}, {cores} core{'s' * (cores > 1)}", what, source, cores, IN_MEMORY / f"out-{os.getpid()}")
             for cores in (1, 2) for name, what, source in (
                 ("alone", "alone", path), ("corpus", "corpus", path), ("JSON lines", "corpus", objects))]
    started("compare", setting, path, 2, IN_MEMORY / f"out-{os.getpid()}")
    cells.append(("disk, 2 cores", "corpus", on_disk, 2, folder / "out"))
    for done in range(rounds):
        if done >= LEAST_ROUNDS and time.monotonic() - begun > 60 * minutes:
            break
        for name, what, source, cores, out in cells:
            found = started(what, setting, source, cores, out)
            runs.setdefault(name, []).append(found)
            print(f"{setting}: {name}: {found['wall']:.2f} s, CPU {found['cpu']:.2f} s", file=sys.stderr, flush=True)
    if len({found["tokens"] for those in runs.values() for found in those}) != 1:
        raise harness.NotEqualError(f"{setting}: not the same number of tokens everywhere")
    return {"setting": setting, "bytes": size, "tokens": runs["alone, 1 core"][0]["tokens"], "runs": runs,
            "speeds": {name: {"mb_s": size / 1e6 / min(found["wall"] for found in those),
                              "cpu_s_per_gb": statistics.median(found["cpu"] for found in those) / size * 1e9,
                              "peak_mb": max(found["peak_mb"] for found in those)} for name, those in runs.items()}}


# ------------------------------------------------------------------------------------------- a long run

def long_run(setting: str, size: int, folder: Path) -> dict[str, Any]:
    """Speed and memory of the command from the beginning to the end of a large input."""
    source, out = folder / "long.txt", folder / "long"
    make_input(source, size)
    shutil.rmtree(out, ignore_errors=True)
    where = wordpiece.setting(setting) if setting in wordpiece.SETTINGS else bpe.setting(setting)
    package = "linmaxmatch" if setting in wordpiece.SETTINGS else "incbpe"
    options = ["--pattern", where.pattern] if where.pattern else []
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", package, "corpus", str(source), "--out", str(out), "--vocab",
                                str(where.vocabulary), *options, "--quiet"])
    samples = []
    while process.poll() is None:
        time.sleep(SAMPLE)
        try:
            resident = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        except (OSError, IndexError):
            break
        written = sum(path.stat().st_size for path in out.glob("*.bin")) if out.exists() else 0
        written += sum(path.stat().st_size for path in out.glob(".*.bin.part")) if out.exists() else 0
        samples.append((time.perf_counter() - start, written, resident))
    seconds = time.perf_counter() - start
    if process.wait():
        raise RuntimeError("corpus failed")
    subprocess.run([sys.executable, "-m", package, "corpus", "verify", str(out)], check=True, stdout=sys.stderr)
    shutil.rmtree(out)
    source.unlink()
    return {"setting": setting, "bytes": size, "seconds": seconds, "mb_s": size / 1e6 / seconds,
            "parts": parts(samples, 10), "peak_mb": max(resident for _, _, resident in samples) / 1e6,
            "samples": samples}


def parts(samples: Sequence[tuple[float, int, int]], n: int) -> list[dict[str, float]]:
    """Of each n-th part of a run: MB of ids a second, and the most memory."""
    found = []
    step = max(len(samples) // n, 2)
    for i in range(0, len(samples) - 1, step):
        some = samples[i:i + step + 1]
        if len(some) > 1:
            found.append({"ids_mb_s": (some[-1][1] - some[0][1]) / 1e6 / (some[-1][0] - some[0][0]),
                          "resident_mb": max(resident for _, _, resident in some) / 1e6})
    return found


def summary(results: Sequence[dict[str, Any]]) -> str:
    lines = []
    for result in results:
        rows = [[f"{result['setting']}: {name}", f"{one['mb_s']:.1f}", f"{one['cpu_s_per_gb']:.2f}",
                 f"{one['peak_mb']:.0f}"] for name, one in result["speeds"].items()]
        lines.append(report.table(["", "MB/s", "CPU s/GB", "peak MB"], rows))
        speed = {name: one["mb_s"] for name, one in result["speeds"].items()}
        cost = {name: one["cpu_s_per_gb"] for name, one in result["speeds"].items()}
        for cores in ("1 core", "2 cores"):
            lines.append(f"corpus / alone, {cores}: x{speed[f'corpus, {cores}'] / speed[f'alone, {cores}']:.2f} "
                         f"(by CPU time x{cost[f'alone, {cores}'] / cost[f'corpus, {cores}']:.2f})")
        lines += [f"{name}, 2 cores / 1 core: x{speed[f'{name}, 2 cores'] / speed[f'{name}, 1 core']:.2f}"
                  for name in ("alone", "corpus", "JSON lines")]
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> None:
    argv = sys.argv[1:] if argv is None else argv
    if argv[:1] == ["--child"]:
        child(*argv[1:])
        return
    parser = argparse.ArgumentParser(prog="python -m benchmarks.corpus", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--settings", nargs="*", default=SETTINGS, choices=SETTINGS)
    parser.add_argument("--size", type=bytes_in, default=bytes_in("200MB"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--minutes", type=float, default=4.0, help="for the rounds of all settings together")
    parser.add_argument("--long", type=bytes_in, help="also a run over so much")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()), help="on the disk")
    parser.add_argument("--output", type=Path, default=report.folder() / "corpus.json")
    options = parser.parse_args(argv)
    source = IN_MEMORY / f"input-{os.getpid()}.txt"
    objects = source.with_suffix(".jsonl")
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(dir=options.folder) as disk:
        try:
            make_input(source, options.size)
            make_objects(objects, source)
            results["stages"] = stages(source, Path(disk))
            results["speeds"] = [speeds(name, source, objects, options.rounds, options.minutes / len(options.settings),
                                        Path(disk)) for name in options.settings]
        finally:
            source.unlink(missing_ok=True)
            objects.unlink(missing_ok=True)
    if options.long:
        with tempfile.TemporaryDirectory(dir=IN_MEMORY) as memory:
            results["long"] = [long_run(name, options.long, Path(memory)) for name in options.settings[:1]]
    report.write(options.output, report.results_of([results], []))
    print(report.table(["stage", "MB/s"], [[name, f"{speed:.0f}"] for name, speed in results["stages"].items()]))
    print(summary(results["speeds"]))
    for run in results.get("long", ()):
        print(f"{run['setting']}: {run['bytes'] / 1e9:.1f} GB in {run['seconds']:.0f} s, {run['mb_s']:.1f} MB/s, "
              f"peak {run['peak_mb']:.0f} MB; by tenths (MB of ids a second, MB resident): "
              + "; ".join(f"{part['ids_mb_s']:.1f}, {part['resident_mb']:.0f}" for part in run["parts"]))


if __name__ == "__main__":
    main()
