"""What the checks said: as a few lines, and as JSON."""
import json
import platform
import time
from collections import Counter
from pathlib import Path

from proofs import check, kinds, running
from proofs.running import Options, Task
from proofs.verdicts import COUNTS, Verdict, by_kind, title_of


def tasks_of(paths: list[Path], options: Options, wanted: dict[str, list[str]]) -> list[Task]:
    """The checks of statements' files in reading order; `wanted` says of a statement which checks, if not all."""
    return [Task(path, name, options) for path in paths
            for name in running.checks_of(check.load(path), options, wanted.get(path.stem, [""]))]


def run_all(options: Options) -> list[Verdict]:
    """Run every statement in this process."""
    paths = check.statement_files()
    running.prepare(paths)
    tasks = tasks_of(paths, options, {})
    return [Verdict(path.stem, title_of(path, check.load(path).__doc__),
                    [running.run(task) for task in tasks if task.path == path]) for path in paths]


def total(verdicts: list[Verdict]) -> str:
    """The last line: how much was checked and how many statements fail."""
    failed = sum(not verdict.holds for verdict in verdicts)
    worlds = sum(verdict.count("worlds") for verdict in verdicts)
    drawn = sum(verdict.count("random") for verdict in verdicts)
    return (f"{len(verdicts)} statement{'s' * (len(verdicts) != 1)}, {worlds:,} worlds and {drawn:,} random ones, "
            f"{sum(verdict.caught for verdict in verdicts)} of {sum(len(verdict.controls) for verdict in verdicts)} "
            f"planted faults caught: {f'{failed} FAIL' if failed else 'all hold'}")


def distribution(verdicts: list[Verdict]) -> list[str]:
    """How many random worlds of each kind were drawn; none if no random world was."""
    drawn: Counter[str] = Counter()
    for verdict in verdicts:
        for outcome in verdict.outcomes:
            drawn.update({kind: count for kind, count in outcome.counts.items() if kind.startswith(kinds.KIND)})
    return kinds.lines(drawn) if drawn else []


def summary() -> str:
    """What a quick run of the checks says, in a few lines: one for each kind of statement, then the totals.

    The first of every hundred of the small worlds and all planted faults; `python -m proofs` takes many more.
    """
    began = time.perf_counter()
    verdicts = run_all(Options(check.QUICK, 0))
    lines = []
    for paper, kind, these in by_kind(verdicts):
        numbers = " ".join(check.kind_and_number(verdict.statement)[1] + ("" if verdict.holds else " FAILS")
                           for verdict in these)
        holds = "hold" if all(verdict.holds for verdict in these) else "DO NOT ALL HOLD"
        lines.append(f"{paper:<17}{kind:<12}{numbers:<34}{holds}")
    lines += [f"{outcome.statement}.{outcome.check}: {outcome.failure}\n  again: {outcome.repeat}"
              for verdict in verdicts for outcome in verdict.outcomes if not outcome.holds]
    worlds = sum(verdict.count("worlds") for verdict in verdicts)
    failed = sum(not verdict.holds for verdict in verdicts)
    lines.append(f"{worlds:,} small vocabularies and dictionaries; {sum(verdict.caught for verdict in verdicts)} of "
                 f"{sum(len(verdict.controls) for verdict in verdicts)} planted faults caught; "
                 f"{time.perf_counter() - began:.1f} s: {f'{failed} FAIL' if failed else 'all hold'}")
    return "\n".join(lines)


def as_json(verdicts: list[Verdict], options: Options, seconds: float) -> str:
    """A run as JSON: what was asked for, each statement with its checks, and the totals."""
    return json.dumps({
        "python": platform.python_version(), "level": options.level, "examples": options.examples,
        "seed": options.seed, "seconds": round(seconds, 3), "holds": all(verdict.holds for verdict in verdicts),
        **{what: sum(verdict.count(what) for verdict in verdicts) for what in COUNTS},
        "controls": sum(len(verdict.controls) for verdict in verdicts),
        "caught": sum(verdict.caught for verdict in verdicts),
        "statements": [verdict.as_json() for verdict in verdicts]}, ensure_ascii=False, indent=1) + "\n"
