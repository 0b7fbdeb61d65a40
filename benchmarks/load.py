"""From a vocabulary file to the first ids: CPU time and memory, every measurement in a process of its own.

    python -m benchmarks.load

The processes of the peers alternate. Each says how long importing took, and how long from there to the ids of one
short text; memory is what the process holds more after that than after the import.
"""
import argparse
import json
import statistics
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import harness, report
from benchmarks.wordpiece import setting

TEXT = "Unaffable people say: naïve 東京 1234 times!"
ROUNDS = 15
CHILD = """
import gc, json, os, sys, time
path, lowercase, text = sys.argv[1], sys.argv[2] == "1", sys.argv[3]
page = os.sysconf("SC_PAGE_SIZE")
resident = lambda: int(open("/proc/self/statm").read().split()[1]) * page
start = time.process_time()
{imports}
imported, before = time.process_time(), resident()
tokenizer = {construct}
ids = {encode}
done = time.process_time()
gc.collect()
print(json.dumps({{"import": imported - start, "load": done - imported, "rss": resident() - before, "ids": list(ids),
                  "memory": {memory}}}))
"""


@dataclass(frozen=True)
class Program:
    """What a user of this library writes to get from `path` (a vocab.txt) to the ids of `text`."""

    name: str
    package: str
    imports: str
    construct: str
    encode: str
    memory: str = "None"

    def source(self) -> str:
        return CHILD.format(imports=self.imports, construct=self.construct, encode=self.encode, memory=self.memory)


OURS = Program("linmaxmatch", "linmaxmatch-incbpe", "from linmaxmatch import WordPiece",
               "WordPiece.from_file(path, lowercase=lowercase)", "tokenizer.encode(text)",
               "tokenizer.inspect()")
REFERENCE = Program("tokenizers", "tokenizers", "from tokenizers import BertWordPieceTokenizer",
                    "BertWordPieceTokenizer(path, lowercase=lowercase)",
                    "tokenizer.encode(text, add_special_tokens=False).ids")
OTHERS = (
    Program("nanotoken", "nanotoken", "from nanotoken import Tokenizer",
            "Tokenizer.from_vocab(path, lowercase=lowercase)",
            "tokenizer.encode(text, add_special_tokens=False).tolist()"),
    Program("splintr", "splintr-rs", "from splintr import WordPieceTokenizer",
            "WordPieceTokenizer(tokens := open(path, encoding='utf-8').read().removesuffix('\\n').split('\\n'), "
            "tokens.index('[UNK]'), 100, lowercase)", "tokenizer.encode_ordinary(text)"),
)


def run(program: Program, vocabulary: Path, lowercase: bool) -> dict[str, Any]:
    done = subprocess.run([sys.executable, "-c", program.source(), str(vocabulary), str(int(lowercase)), TEXT],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{program.name} failed:\n{done.stderr}")
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def measure(name: str, programs: Sequence[Program], rounds: int) -> dict[str, Any]:
    where = setting(name)
    runs: dict[str, list[dict[str, Any]]] = {program.name: [] for program in programs}
    for program in programs:  # the vocabulary file and the binaries are in the page cache from here on
        run(program, where.vocabulary, where.lowercase)
    for _ in range(rounds):
        for program in programs:
            runs[program.name].append(run(program, where.vocabulary, where.lowercase))
    right = runs[REFERENCE.name][0]["ids"]
    if OURS.name in runs and runs[OURS.name][0]["ids"] != right:
        raise harness.NotEqualError(f"{OURS.name} differs from the reference on {TEXT!r} with {where.vocabulary.name}")
    peers = {}
    for program in programs:
        found = runs[program.name]
        loads, imports = [one["load"] for one in found], [one["import"] for one in found]
        peers[program.name] = {
            "version": harness.installed(program.package), "exact": found[0]["ids"] == right,
            "load_ms": 1e3 * statistics.median(loads), "import_ms": 1e3 * statistics.median(imports),
            "both_ms": 1e3 * statistics.median(a + b for a, b in zip(loads, imports, strict=True)),
            "rss_mb": statistics.median(one["rss"] for one in found) / 1e6, "memory": found[0]["memory"],
            "loads": loads, "imports": imports}
    return {"setting": name, "vocabulary": where.vocabulary.name, "peers": peers}


def summary(results: Sequence[dict[str, Any]]) -> str:
    rows = []
    for result in results:
        base = result["peers"][REFERENCE.name]
        for name, peer in result["peers"].items():
            rows.append([f"{result['vocabulary']}: {name}",
                         f"{peer['load_ms']:.1f}", f"x{peer['load_ms'] / base['load_ms']:.2f}",
                         f"{peer['both_ms']:.1f}", f"x{peer['both_ms'] / base['both_ms']:.2f}",
                         f"{peer['rss_mb']:.1f}", "" if peer["exact"] else "inexact"])
    relative = f"/ {REFERENCE.name}"
    return report.table(["CPU ms", "load + encode", relative, "with import", relative, "RSS MB", ""], rows)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--output", type=Path, default=report.folder() / "load.json")
    options = parser.parse_args(argv)
    core = harness.pin()
    every = (OURS, REFERENCE, *OTHERS)
    absent = [program.name for program in every if not present(program)]
    print(f"absent, so skipped: {', '.join(absent) or 'none'}", file=sys.stderr)
    programs = [program for program in every if program.name not in absent]
    results = [measure(name, programs, options.rounds) for name in ("uncased", "cased")]
    report.write(options.output, report.results_of(results, absent, core=core))
    print(summary(results))


def present(program: Program) -> bool:
    return subprocess.run([sys.executable, "-c", program.imports], capture_output=True, check=False).returncode == 0


if __name__ == "__main__":
    main()
