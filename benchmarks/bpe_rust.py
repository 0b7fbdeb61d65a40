"""BPE against Rust crates: the paper's own implementation and others, on the same texts, in one run with ours.

    python -m benchmarks.bpe_rust [--slice 1MB] [--target FOLDER] [--settings ...]

The program in `rust/` depends on the published crates mtc-inc-bpe, bpe, bpe-openai, tiktoken-rs and tokenizers. It is
built by cargo, which downloads them and may take some twenty minutes once; where a crate is absent or does not build,
that is said and the rest goes on, and where cargo is absent nothing is measured. Each encoder's ids are written once
and their digests compared with ours before anything is timed: where the reference, which is the crate of tokenizers or
else of tiktoken, differs, nothing is; another one is marked with *. Then all take turns on one core: ours here, and
the crates in their process, each by the CPU time of its process.
"""
import argparse
import hashlib
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import bpe_linear, harness, report, suite
from benchmarks.bpe_peers import Ours, model_json, parts, ranks, ranks_json
from benchmarks.suite import data

SOURCES = Path(__file__).parent / "rust"
CRATES = ("mtc-inc-bpe", "bpe", "bpe-openai", "tiktoken-rs", "tokenizers")
CORPORA = ("english", "multilingual", "code")
KINDS = ("spaces", "base64", "Chinese", "letters")
REPETITIONS = (2**12, 2**16, 2**20)
SETTINGS = ("none", "cl100k", "o200k", "deep", "chains")
HARD_LENGTHS = (2**14, 2**17)
DEPTH = 1024    # of their merges: the crate bpe takes the cube of it to be made
ROUNDS = 5


# The program

def build(target: Path) -> Path | None:
    """The built program, with as many of the crates as can be had; None where there is none, with the reason."""
    cargo = shutil.which("cargo")
    if cargo is None:
        print("cargo is absent, so no crate is measured", file=sys.stderr)
        return None

    def built(features: Sequence[str]) -> bool:
        command = [cargo, "build", "--release", "--quiet", "--jobs=1", "--locked", "--no-default-features",
                   f"--features={','.join(features)}", f"--manifest-path={SOURCES / 'Cargo.toml'}",
                   f"--target-dir={target}"]
        nice = [] if shutil.which("nice") is None else ["nice"]
        done = subprocess.run([*nice, *command], capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{', '.join(features)}: not built: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return done.returncode == 0

    if not built(CRATES):
        able = [crate for crate in CRATES if built([crate])]
        if not able or not built(able):
            return None
    return next(path for path in (target / "release" / name for name in ("peers", "peers.exe")) if path.exists())


class Crates:
    """The running program, with one model; `encoders` are those that it could make."""

    def __init__(self, program: Path, folder: Path, *arguments: str | Path) -> None:
        self.folder = folder
        self.process = subprocess.Popen([program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.encoders = self.line().split("\t")

    def line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the program in rust/ ended with {self.process.wait()}")
        return line.removesuffix("\n")

    def ask(self, *words: str | Path) -> str:
        assert self.process.stdin is not None
        self.process.stdin.write("\t".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        return self.line()

    def take(self, text: str) -> None:
        path = self.folder / "text"
        path.write_bytes(text.encode())
        self.ask("text", path)

    def digest(self, encoder: str) -> str:
        path = self.folder / "ids"
        self.ask("ids", encoder, path)
        return hashlib.sha256(path.read_bytes()).hexdigest()

    def seconds(self, encoder: str) -> float:
        return int(self.ask("time", encoder)) / 1e9

    def close(self) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


# What is measured

@dataclass(frozen=True)
class Case:
    """One model: how ours is made, the program's arguments, and the texts by name."""

    setting: str
    ours: Callable[[], Any]
    arguments: Sequence[str | Path]
    texts: dict[str, Callable[[], str]]


def merges_of(table: dict[bytes, int]) -> list[tuple[bytes, bytes]]:
    """A merge for each token of a rank table, by rank, as `ranks_json` has them."""
    found = (parts(token, table) for token in sorted(table, key=table.__getitem__))
    return [(pieces[0], pieces[1]) for pieces in found if len(pieces) == 2]


def hexadecimal(folder: Path, name: str, tokens: Sequence[bytes], merges: Sequence[tuple[bytes, bytes]]
                ) -> tuple[Path, Path]:
    """The files of tokens and of merges that the program reads."""
    first, second = folder / f"{name}.tokens", folder / f"{name}.merges"
    first.write_text("".join(f"{token.hex()}\n" for token in tokens))
    second.write_text("".join(f"{x.hex()} {y.hex()}\n" for x, y in merges))
    return first, second


def case(setting: str, folder: Path, limit: int, lengths: Sequence[int], depth: int) -> Case:
    from incbpe import BPE

    texts: dict[str, Callable[[], str]] = {
        corpus: lambda corpus=corpus: "\n".join(suite.lines(corpus, limit)) for corpus in CORPORA}  # type: ignore[misc]
    if setting in ("deep", "chains"):
        hard = next(hard for hard in bpe_linear.HARD if hard.name == setting)
        merges = hard.merges(depth)
        tokens = ["a", "b", *(x + y for x, y in merges)]
        json = model_json(folder / f"{setting}.json", {token: i for i, token in enumerate(tokens)},
                          [[x, y] for x, y in merges])
        files = hexadecimal(folder, setting, [token.encode() for token in tokens],
                            [(x.encode(), y.encode()) for x, y in merges])
        return Case(setting, lambda: BPE.from_file(json, cache=0), ("-", *files, json),
                    {f"{depth}, {n}": lambda n=n: hard.text(n, depth) for n in lengths})  # type: ignore[misc]
    name = {"o200k": "o200k_base"}.get(setting, "cl100k_base")
    path = data() / "vocabs" / f"{name}.tiktoken"
    if setting != "none":
        return Case(setting, lambda: BPE.from_file(path, pattern=setting, cache=0), (setting, "-", "-", "-"), texts)
    table = ranks(path)
    files = hexadecimal(folder, name, sorted(table, key=table.__getitem__), merges_of(table))
    texts |= {f"a, {n}": lambda n=n: "a" * n for n in REPETITIONS}  # type: ignore[misc]
    kinds = {kind: lambda kind=kind: bpe_linear.TEXTS[kind](limit) for kind in KINDS}
    return Case(setting, lambda: BPE.from_file(path, pattern="none", cache=0), ("-", *files, ranks_json(path)),
                texts | kinds)


def measure(case: Case, crates: Crates, rounds: int) -> list[dict[str, Any]]:
    bpe = case.ours()
    results = []
    for name, make in case.texts.items():
        text = make()
        n = len(text.encode())
        crates.take(text)
        right = hashlib.sha256(bytes(memoryview(bpe.encode(text)))).hexdigest()
        exact = {encoder: crates.digest(encoder) == right for encoder in crates.encoders}
        if not exact.get("tokenizers", exact.get("tiktoken-rs", True)):
            raise harness.NotEqualError(f"ours differs from the reference on {case.setting}: {name}; nothing was timed")
        turns: dict[str, Callable[[], float]] = {"incbpe": harness.warm_turn(lambda text=text: bpe.encode(text))}  # type: ignore[misc]
        turns |= {encoder: lambda encoder=encoder: crates.seconds(encoder) for encoder in crates.encoders}  # type: ignore[misc]
        rows = harness.interleaved(turns, rounds)
        ns = {peer: 1e9 * statistics.median(seconds) / n for peer, seconds in rows.items()}
        results.append({"setting": case.setting, "text": name, "bytes": n, "ns_per_byte": ns, "exact": exact,
                        "times_ours": {peer: ns[peer] / ns["incbpe"] for peer in exact}, "rounds": rows})
        print(case.setting, name, file=sys.stderr, flush=True)
    return results


def summary(results: Sequence[dict[str, Any]]) -> str:
    names = list(dict.fromkeys(peer for result in results for peer in result["exact"]))
    rows = [[f"{result['setting']}: {result['text']}", f"{result['ns_per_byte']['incbpe']:.2f}",
             *(f"{result['ns_per_byte'][name]:.2f} (x{result['times_ours'][name]:.2f})"
               + ("" if result["exact"][name] else " *") if name in result["exact"] else "-" for name in names)]
            for result in results]
    return report.table(["ns a byte (times ours)", "incbpe", *names], rows)


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bpe_rust", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slice", type=suite.size, default=suite.size("1MB"), metavar="SIZE")
    parser.add_argument("--lengths", type=int, nargs="+", default=HARD_LENGTHS, help="of texts of hard dictionaries")
    parser.add_argument("--depth", type=int, default=DEPTH, help="of their merges")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--settings", nargs="+", default=SETTINGS, choices=SETTINGS)
    parser.add_argument("--target", type=Path, default=SOURCES / "target", help="where cargo builds")
    parser.add_argument("--output", type=Path, default=report.folder() / "bpe_rust.json")
    options = parser.parse_args(argv)
    data()                      # that it is absent should not be found after the building
    program = build(options.target.absolute())
    if program is None:
        return
    core = harness.pin()
    results = []
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as name:
        for setting in options.settings:
            found = case(setting, Path(name), options.slice, options.lengths, options.depth)
            crates = Crates(program, Path(name), *found.arguments)
            try:
                results += measure(found, crates, options.rounds)
            finally:
                crates.close()
    measured = {encoder.split()[0] for result in results for encoder in result["exact"]}
    report.write(options.output, report.results_of(
        results, [crate for crate in CRATES if crate not in measured], core=core, slice=options.slice,
        depth=options.depth, crates=locked(), versions={Ours.name: Ours.version()}))
    print(summary(results))


def locked() -> dict[str, str]:
    """The versions of the crates that Cargo.lock names."""
    import tomllib

    packages = tomllib.loads((SOURCES / "Cargo.lock").read_text())["package"]
    return {package["name"]: package["version"] for package in packages if package["name"] in CRATES}


if __name__ == "__main__":
    main()
