"""WordPiece against its peers: {text} x {call} x {setting} x {state}; benchmarks/README.md defines each.

    python -m benchmarks.wordpiece --slice 1MB     the cells that are quoted, a few minutes
    python -m benchmarks.wordpiece                 every cell on the whole texts; goes on where a stopped run was
"""
import argparse
import functools
import itertools
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

from benchmarks import harness, report
from benchmarks.harness import Call, Cell, Peer, Result, Setting, State, Timing
from benchmarks.peers import OTHERS, OURS, REFERENCE

CORPORA = ("english", "multilingual", "code", "sentences82")
SETTINGS = ("uncased", "cased", "none")
HEADLINE = [
    *(Cell(corpus, "uncased", call, "warm") for corpus in CORPORA for call in get_args(Call)),
    *(Cell(corpus, "uncased", "document", "cold") for corpus in ("english", "multilingual")),
    *(Cell(corpus, "cased", "document", "warm") for corpus in ("english", "multilingual")),
    *(Cell("sentences82", "none", call, "warm") for call in get_args(Call)),
    Cell("sentences82", "none", "document", "cold"),
    *(Cell(corpus, "none", "document", "warm") for corpus in ("english", "multilingual")),
]
UNITS = {"kB": 1_000, "MB": 1_000_000}


def data() -> Path:
    value = os.environ.get("TOKENIZER_DATA")
    if not value or not Path(value).is_dir():
        raise SystemExit("$TOKENIZER_DATA names no folder; CONTRIBUTING.md says what to put there")
    return Path(value)


def setting(name: str) -> Setting:
    vocabularies = data() / "vocabs"
    uncased, cased = vocabularies / "bert-base-uncased-vocab.txt", vocabularies / "multilingual-cased-wordpiece.txt"
    return {"uncased": Setting("uncased", uncased, clean=True, lowercase=True),
            "cased": Setting("cased", cased, clean=True, lowercase=False),
            "none": Setting("none", cased, clean=False, lowercase=False)}[name]


@functools.cache
def lines(corpus: str, limit: int | None, cleaned: bool) -> list[str]:
    """The first whole lines of at most `limit` bytes. `cleaned`: as the reference's own clean-up leaves them."""
    content = (data() / "corpora" / f"{corpus}.txt").read_bytes()
    if limit is not None and len(content) > limit:
        content = content[:content.rindex(b"\n", 0, limit)]
    texts = content.decode("utf-8").removesuffix("\n").split("\n")
    if not cleaned:
        return texts
    from tokenizers.normalizers import BertNormalizer

    clean = BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=False, lowercase=False)
    return [clean.normalize_str(text) for text in texts]


def size(text: str) -> int:
    for unit, factor in UNITS.items():
        if text.endswith(unit):
            return int(float(text.removesuffix(unit)) * factor)
    raise argparse.ArgumentTypeError(f"{text!r}: expected a number and one of {', '.join(UNITS)}, as in 1MB")


def arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.wordpiece", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--slice", type=size, metavar="SIZE",
                        help="the quoted cells only, on the first whole lines within SIZE, e.g. 1MB")
    parser.add_argument("--every", action="store_true", help="every cell on the slice too")
    parser.add_argument("--fresh", action="store_true", help="begin anew, although a stopped run could go on")
    parser.add_argument("--corpora", nargs="+", default=CORPORA, choices=CORPORA)
    parser.add_argument("--settings", nargs="+", default=SETTINGS, choices=SETTINGS)
    parser.add_argument("--calls", nargs="+", default=get_args(Call), choices=get_args(Call))
    parser.add_argument("--states", nargs="+", default=get_args(State), choices=get_args(State))
    parser.add_argument("--rounds", type=int, default=harness.ROUNDS)
    parser.add_argument("--output", type=Path, help="default: wordpiece-slice.json or wordpiece.json in the results")
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


def against(result: Result, ours: str, rival: str | None) -> str:
    if rival is None or ours not in result.peers:
        return "-"
    return f"x{result.peers[rival].seconds / result.peers[ours].seconds:.2f} {rival.split()[0]}"


def summary(results: Sequence[Result]) -> str:
    """MB/s of every peer (* inexact, with its differing texts), then ours against the best exact of its kind."""
    names = list(dict.fromkeys(name for result in results for name in result.peers))
    own = [peer.name for peer in OURS]
    rows = []
    for result in results:
        row = [" ".join((result.cell.corpus, result.cell.setting, result.cell.call, result.cell.state))]
        for name in names:
            timing = result.peers.get(name)
            row.append("-" if timing is None else
                       f"{timing.mb_per_s:.1f}" + ("" if timing.exact else f" *{timing.differing}"))
        row += [f"x{result.peers[name].times_reference:.1f}" if name in result.peers else "-" for name in own]
        row += [against(result, peer.name, result.best_exact(peer.kind, own)) for peer in OURS]
        rows.append(row)
    header = ["MB/s", *names, *(f"{peer.kind} / {REFERENCE.name}" for peer in OURS),
              *(f"{peer.kind} / best exact" for peer in OURS)]
    return report.table(header, rows)


def main(argv: Sequence[str] | None = None) -> None:
    options = arguments(argv)
    quoted = options.slice is not None and not options.every
    output = options.output or report.folder() / f"wordpiece{'-slice' if options.slice else ''}.json"
    core = harness.pin()
    absent = [peer.name for peer in (REFERENCE, *OTHERS) if peer.version() is None]
    if REFERENCE.name in absent:
        raise SystemExit(f"the reference, {REFERENCE.name}, is not installed: pip install '.[bench]'")
    print(f"absent, so skipped: {', '.join(absent) or 'none'}", file=sys.stderr)
    others = present(OTHERS)
    chosen = set(itertools.product(options.corpora, options.settings, options.calls, options.states))
    every = HEADLINE if quoted else itertools.starmap(
        Cell, itertools.product(CORPORA, SETTINGS, get_args(Call), get_args(State)))
    cells = [cell for cell in every if (cell.corpus, cell.setting, cell.call, cell.state) in chosen]
    about = {"slice": options.slice, "rounds": options.rounds,
             "versions": {peer.name: peer.version() for peer in (REFERENCE, *OURS, *others)}}
    results = [] if options.fresh else [result for result in kept(output, about) if result.cell in cells]
    done = {result.cell for result in results}
    for cell in [cell for cell in cells if cell not in done]:
        texts = lines(cell.corpus, options.slice, cell.setting == "none")
        result = harness.measure(cell, setting(cell.setting), texts, reference=REFERENCE, ours=OURS, others=others,
                                 rounds=options.rounds)
        results.append(result)
        report.write(output, report.results_of(list(map(asdict, results)), absent, core=core, **about,
                                               complete=len(results) == len(cells)))
        print(f"{len(results)}/{len(cells)} {cell.corpus} {cell.setting} {cell.call} {cell.state}", file=sys.stderr,
              flush=True)
    print(summary(results))


def present(peers: Sequence[type[Peer]]) -> list[type[Peer]]:
    return [peer for peer in peers if peer.version() is not None]


if __name__ == "__main__":
    main()
