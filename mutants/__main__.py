"""python -m mutants [--module NAME …] [--most N | --every] [--jobs N] [--level LEVEL] [--fresh]: build, try, report.

Of each module's mutants the first N are tried (default 15), in an order that a hash of their addresses gives, so that
it neither favours a place nor changes with the rest of the file; `--every` takes them all. What was tried before on
the same sources is not tried again (`--fresh` forgets it). The exit code is 1 if a mutant survives that equivalent.txt
does not argue for, if one that it argues for is killed, or if an argument fits no mutant any more.
"""
import argparse
import functools
import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from mutants import MODULES, report
from mutants.build import build
from mutants.trial import LEVELS, state_of_module, state_of_proofs

ROOT = Path(__file__).parents[1]
Mutant = tuple[str, int, str]


def seeded(address: str) -> str:
    return hashlib.sha256(address.encode()).hexdigest()


def chosen(sites: Path, modules: list[str], most: int | None) -> dict[str, list[Mutant]]:
    """The mutants to try, by module: (module, number in the build, address)."""
    found = {}
    for module in modules:
        addresses = [site["address"] for site in json.loads((sites / f"{module}.json").read_text(encoding="utf-8"))]
        numbered = [(module, number, address) for number, address in enumerate(addresses, 1)]
        found[module] = sorted(numbered, key=lambda mutant: seeded(mutant[2]))[:most]
    return found


def read(results: Path, tree: Path) -> dict[str, dict[str, Any]]:
    """The outcomes so far, by address: how a mutant was killed, or the last level that it survived.

    One that was tried before its module was changed, that a statement killed before it was changed, or that survived
    before any was changed, is to be tried again.
    """
    lines = [line for path in results.glob("*.jsonl") for line in path.read_text(encoding="utf-8").splitlines()]
    proofs = functools.cache(functools.partial(state_of_proofs, folder=tree / "proofs"))
    module = functools.cache(functools.partial(state_of_module, folder=tree))
    outcomes = [outcome for outcome in map(json.loads, lines)
                if outcome["module"] == module(outcome["address"].split(" | ")[0])
                and outcome["proofs"] == proofs(outcome["by"])]
    outcomes.sort(key=lambda outcome: (outcome["verdict"] == "killed", list(LEVELS).index(outcome["level"])))
    seconds: Counter[str] = Counter()
    for outcome in outcomes:
        seconds[outcome["address"]] += outcome["seconds"]
        outcome["seconds"] = round(seconds[outcome["address"]], 2)
    return {outcome["address"]: outcome for outcome in outcomes}


def try_them(tree: Path, mutants: list[Mutant], levels: tuple[str, ...], jobs: int, results: Path) -> None:
    """Divide the mutants among processes; each of them is of one package."""
    for package in ("linmaxmatch", "incbpe"):
        these = [mutant for mutant in mutants if mutant[0].startswith(package)]
        running = []
        for job in range(min(jobs, len(these))):
            task = results / f"task-{package}-{job}.json"
            task.write_text(json.dumps({"package": package, "mutants": these[job::jobs], "levels": levels,
                                        "results": str(results / f"{package}-{job}.jsonl")}))
            running.append(subprocess.Popen([sys.executable, "-m", "mutants.trial", str(task)], cwd=tree))
        if any([process.wait() for process in running]):
            raise SystemExit(f"the statements of {package} do not hold without a mutant, or a trial broke off")


def main() -> int:
    parser = argparse.ArgumentParser("python -m mutants", description="Do the proofs notice a fault in the sources?")
    parser.add_argument("--module", action="append", metavar="NAME", help="only this one, such as incbpe.theta")
    parser.add_argument("--most", type=int, default=15, metavar="N", help="so many mutants of each module (15)")
    parser.add_argument("--every", action="store_true", help="all mutants of each module")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    parser.add_argument("--level", choices=list(LEVELS), default="usual", help="how far to go for one that survives")
    parser.add_argument("--fresh", action="store_true", help="forget what was tried before")
    parser.add_argument("--save", metavar="FOLDER", help="write the report there, as a dated table and as JSON")
    options = parser.parse_args()
    modules = [name for name in MODULES if not options.module or name in options.module
               or name.split(".")[1] in options.module]
    if not modules:
        parser.error(f"no module of the notation layer is named {' or '.join(options.module)}")
    folder = ROOT / "build" / "mutants"
    tree = build(ROOT, folder)
    mutants = chosen(folder / "sites", modules, None if options.every else options.most)
    argued = report.arguments(ROOT / "mutants" / "equivalent.txt")
    results = folder / "results"
    results.mkdir(parents=True, exist_ok=True)
    if options.fresh:
        for path in results.glob("*.jsonl"):
            path.unlink()
    levels = tuple(LEVELS)[:list(LEVELS).index(options.level) + 1]
    known = {address for address, outcome in read(results, tree).items()
             if outcome["verdict"] == "killed" or outcome["level"] == levels[-1] or address in argued}
    left = [mutant for these in mutants.values() for mutant in these if mutant[2] not in known]
    for more in range(1, len(levels) + 1):          # most are killed soon: go far only for what is left
        these = [mutant for mutant in left if more == 1 or mutant[2] not in argued]
        try_them(tree, these, levels[more - 1:more], options.jobs, results)
        killed = {address for address, outcome in read(results, tree).items() if outcome["verdict"] == "killed"}
        left = [mutant for mutant in left if mutant[2] not in killed]
    sites = {site["address"] for path in (folder / "sites").glob("*.*.json") if "refused" not in path.name
             for site in json.loads(path.read_text(encoding="utf-8"))}
    outcomes = read(results, tree)
    table = report.Report({module: [outcomes[address] for _, _, address in these] for module, these in mutants.items()},
                          argued, sites)
    print(table.text())
    if options.save:
        table.save(Path(options.save))
    return 0 if table.fine() else 1


if __name__ == "__main__":
    raise SystemExit(main())
