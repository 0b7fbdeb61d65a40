"""Random worlds for hours: `python -m proofs --deep 1h`.

Round after round, every statement draws worlds from the next seed, until the time is over; so each gets its share
however long the run is. A statement that has failed draws no more: its seed is in the line that repeats the failure.
"""
import re
import time
from collections.abc import Iterator
from dataclasses import replace

from proofs import check, running, workers
from proofs.live import Lines
from proofs.running import Task
from proofs.verdicts import Verdict

UNITS = {"h": 3600, "m": 60, "s": 1}
SAYING = 60.0
"""seconds between two lines where there is no terminal"""


def duration(text: str) -> float:
    """Seconds of a duration as people write it; ValueError for another.

    >>> duration("1h30m"), duration("45s"), duration("2.5h")
    (5400.0, 45.0, 9000.0)
    """
    if not re.fullmatch(r"(\d+(\.\d+)?[hms])+", text):
        raise ValueError(f"{text!r}: expected a duration such as 1h, 90m or 1h30m")
    return sum(float(number) * UNITS[unit] for number, unit in re.findall(r"([\d.]+)([hms])", text))


def draw_on(verdicts: list[Verdict], tasks: list[Task], seconds: float, jobs: int, lines: Lines) -> None:
    """Draw until the time is over; what comes is added to the verdicts."""
    outcomes = {(outcome.statement, outcome.check): outcome for verdict in verdicts for outcome in verdict.outcomes}
    random = [task for task in tasks if running.is_random(getattr(check.load(task.path), task.check))]
    failed = {key for key, outcome in outcomes.items() if not outcome.holds}
    began = said = time.monotonic()
    rounds = 0

    def rest() -> Iterator[Task]:
        nonlocal rounds
        while any((task.path.stem, task.check) not in failed for task in random):
            rounds += 1
            for task in random:
                if time.monotonic() - began >= seconds:
                    return
                if (task.path.stem, task.check) not in failed:
                    yield replace(task, options=replace(task.options, seed=task.options.seed + rounds))

    for new in workers.work(rest(), jobs, [task.path for task in tasks], lines.started):
        key = new.statement, new.check
        outcome = outcomes[key]
        outcome.seconds += new.seconds
        outcome.counts.update(new.counts)
        if not new.holds and key not in failed:
            failed.add(key)
            outcome.failure, outcome.witness, outcome.repeat = new.failure, new.witness, new.repeat
            lines.failed(outcome)
        if time.monotonic() - said >= SAYING:
            said = time.monotonic()
            drawn = sum(verdict.count("random") for verdict in verdicts)
            lines.say(f"{int(said - began) // 60} minutes, round {rounds}: {drawn:,} random worlds, "
                      + (f"{len(failed)} checks FAIL" if failed else "none fails"))
