"""The cells of one kind of tokenizer, measured one after the other: what wordpiece.py and bpe.py have in common.

Results are written after every cell, and a run that was stopped goes on where it was. One that was given so many
minutes ends after them, and says which cells it left: the last ones, so that what is quoted most stands first.
"""
import argparse
import functools
import itertools
import json
import math
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, get_args

from benchmarks import harness, report
from benchmarks.harness import Call, Cell, Peer, Result, Setting, State, Timing

UNITS = {"kB": 1_000, "MB": 1_000_000}
Beside = Mapping[str, Callable[[], object]]


@dataclass(frozen=True)
class Suite:
    """What is measured against what. The functions take a setting's name."""

    name: str
    corpora: tuple[str, ...]
    settings: tuple[str, ...]
    headline: tuple[Cell, ...]  # the cells that are quoted
    ours: tuple[type[Peer], ...]
    setting: Callable[[str], Setting]
    reference: Callable[[str], type[Peer]]
    others: Callable[[str], Sequence[type[Peer]]]
    texts: Callable[[str, int | None, str], list[str]]  # of a corpus, at most so many bytes, for this setting
    beside: Callable[[str, list[str]], Beside]
    calls: tuple[Call, ...] = ("line", "batch", "document")
    uncached: tuple[str, ...] = ()  # corpora of text repeated, which only the state "off" says something about


def data() -> Path:
    value = os.environ.get("TOKENIZER_DATA")
    if not value or not Path(value).is_dir():
        raise SystemExit("$TOKENIZER_DATA names no folder; CONTRIBUTING.md says what to put there")
    return Path(value)


@functools.cache
def lines(corpus: str, limit: int | None) -> list[str]:
    """The first whole lines of at most `limit` bytes."""
    content = (data() / "corpora" / f"{corpus}.txt").read_bytes()
    if limit is not None and len(content) > limit:
        content = content[:content.rindex(b"\n", 0, limit)]
    return content.decode("utf-8").removesuffix("\n").split("\n")


def size(text: str) -> int:
    for unit, factor in UNITS.items():
        if text.endswith(unit):
            return int(float(text.removesuffix(unit)) * factor)
    raise argparse.ArgumentTypeError(f"{text!r}: expected a number and one of {', '.join(UNITS)}, as in 1MB")


def arguments(suite: Suite, argv: Sequence[str] | None, description: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks.{suite.name}", description=description)
    parser.add_argument("--slice", type=size, metavar="SIZE",
                        help="the quoted cells only, on the first whole lines within SIZE, e.g. 1MB")
    parser.add_argument("--every", action="store_true", help="every cell on the slice too")
    parser.add_argument("--fresh", action="store_true", help="begin anew, although a stopped run could go on")
    parser.add_argument("--corpora", nargs="+", default=suite.corpora, choices=suite.corpora)
    parser.add_argument("--settings", nargs="+", default=suite.settings, choices=suite.settings)
    parser.add_argument("--calls", nargs="+", default=suite.calls, choices=suite.calls)
    parser.add_argument("--states", nargs="+", default=get_args(State), choices=get_args(State))
    parser.add_argument("--rounds", type=int, default=harness.ROUNDS)
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin no cell after so many")
    parser.add_argument("--output", type=Path, help=f"default: {suite.name}[-slice].json in the results")
    return parser.parse_args(argv)


def kept(path: Path, same: dict[str, Any]) -> list[Result]:
    """The results of a run that was stopped, if it was of the same machine, versions and slice."""
    before: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {"complete": True}
    same = {**same, "machine": report.machine()}
    if before["complete"] or any(before[key] != value for key, value in same.items()):
        return []
    return [Result(**{**result, "cell": Cell(**result["cell"]),
                      "peers": {name: Timing(**timing) for name, timing in result["peers"].items()}})
            for result in before["results"]]


def present(peers: Sequence[type[Peer]]) -> list[type[Peer]]:
    return [peer for peer in peers if peer.version() is not None]


def against(result: Result, ours: str, rival: str | None) -> str:
    if rival is None or ours not in result.peers:
        return "-"
    return f"x{result.peers[rival].seconds / result.peers[ours].seconds:.2f} {rival.split()[0]}"


def summary(results: Sequence[Result], ours: Sequence[type[Peer]]) -> str:
    """MB/s of every peer (* inexact, with its differing texts), then ours against the reference and against the best
    exact peer of its kind, and what part ours is of what was timed beside it."""
    names = list(dict.fromkeys(name for result in results for name in result.peers))
    beside = list(dict.fromkeys(name for result in results for name in result.beside))
    own = [peer.name for peer in ours]
    rows = []
    for result in results:
        row = [" ".join((result.cell.corpus, result.cell.setting, result.cell.call, result.cell.state))]
        for name in names:
            timing = result.peers.get(name)
            row.append("-" if timing is None else
                       f"{timing.mb_per_s:.1f}" + ("" if timing.exact else f" *{timing.differing}"))
        row += [against(result, peer.name, result.like(peer.kind)) for peer in ours]
        row += [against(result, peer.name, result.best_exact(peer.kind, own)) for peer in ours]
        row += ["-" if name not in result.beside else
                f"1/{result.peers[peer.name].seconds / result.beside[name]:.0f}" for name in beside for peer in ours]
        rows.append(row)
    header = ["MB/s", *names, *(f"{peer.kind} / reference" for peer in ours),
              *(f"{peer.kind} / best exact" for peer in ours),
              *(f"{peer.kind} of {name}" for name in beside for peer in ours)]
    return report.table(header, rows)


def chosen(suite: Suite, options: argparse.Namespace) -> list[Cell]:
    wanted = set(itertools.product(options.corpora, options.settings, options.calls, options.states))
    quoted = options.slice is not None and not options.every
    every = suite.headline if quoted else itertools.starmap(
        Cell, itertools.product(suite.corpora, suite.settings, suite.calls, get_args(State)))
    return [cell for cell in every if (cell.corpus, cell.setting, cell.call, cell.state) in wanted
            and (cell.state == "off" or cell.corpus not in suite.uncached)]


def run(suite: Suite, argv: Sequence[str] | None, description: str) -> None:
    options = arguments(suite, argv, description)
    output = options.output or report.folder() / f"{suite.name}{'-slice' if options.slice else ''}.json"
    core = harness.pin()
    cells = chosen(suite, options)
    settings = list(dict.fromkeys(cell.setting for cell in cells))
    references = {suite.reference(name) for name in settings}
    every = list(dict.fromkeys(peer for name in settings for peer in (suite.reference(name), *suite.others(name))))
    absent = [peer.name for peer in every if peer.version() is None]
    for peer in references:
        if peer.name in absent:
            raise SystemExit(f"the reference, {peer.name}, is not installed: pip install '.[bench]'")
    print(f"absent, so skipped: {', '.join(absent) or 'none'}", file=sys.stderr)
    about = {"slice": options.slice, "rounds": options.rounds,
             "versions": {peer.name: peer.version() for peer in (*suite.ours, *present(every))}}
    results = [] if options.fresh else [result for result in kept(output, about) if result.cell in cells]
    done = {result.cell for result in results}
    begun, left = time.monotonic(), [cell for cell in cells if cell not in done]

    def save(complete: bool) -> None:
        report.write(output, report.results_of(list(map(asdict, results)), absent, core=core, **about,
                                               left=list(map(asdict, left)), complete=complete))

    while left and time.monotonic() - begun < 60 * options.minutes:
        cell = left.pop(0)
        texts = suite.texts(cell.corpus, options.slice, cell.setting)
        result = harness.measure(cell, suite.setting(cell.setting), texts, reference=suite.reference(cell.setting),
                                 ours=suite.ours, others=present(suite.others(cell.setting)),
                                 beside=suite.beside(cell.setting, texts), rounds=options.rounds)
        results.append(result)
        save(complete=not left)
        print(f"{len(results)}/{len(cells)} {cell.corpus} {cell.setting} {cell.call} {cell.state}", file=sys.stderr,
              flush=True)
    if left:
        save(complete=True)         # as far as was asked for: the next run begins anew
        print(f"no time for {len(left)} of {len(cells)} cells", file=sys.stderr)
    print(summary(results, suite.ours))
