"""The lines of a run as it goes: what runs now (on a terminal), and each statement when its last check has ended.

Statements come out in reading order however the checks end, so that runs with one process and with many print the same
but for the times. Colours only on a terminal, and not where NO_COLOR is set.
"""
import os
import sys
from collections.abc import Sequence

from proofs.running import Task
from proofs.verdicts import Outcome, Verdict

WIDEST = 70
HEADINGS = ("worlds", "strings", "random", "faults caught", "seconds")
WIDTHS = (11, 13, 11, 15, 9)
GREEN, RED, PLAIN = "\033[32m", "\033[31m", "\033[0m"
CLEAR = "\r\033[K"


class Lines:
    """Prints the rows of a table whose widths are known before it begins."""

    def __init__(self, titles: Sequence[str]) -> None:
        self.terminal = sys.stdout.isatty()
        self.colours = self.terminal and "NO_COLOR" not in os.environ
        self.width = min(WIDEST, max(map(len, titles), default=9))
        self.running: dict[str, int] = {}
        self.open = False

    def say(self, line: str = "") -> None:
        self.clear()
        print(line, flush=True)

    def clear(self) -> None:
        if self.open:
            print(CLEAR, end="")
            self.open = False

    def header(self) -> None:
        cells = "".join(heading.rjust(width) for heading, width in zip(HEADINGS, WIDTHS, strict=True))
        self.say(f"{'statement':<{self.width}}{cells}  verdict")
        self.say("-" * (self.width + sum(WIDTHS) + 9))

    def started(self, task: Task) -> None:
        """Show on a terminal which check has begun last."""
        if self.terminal:
            self.clear()
            print(f"{task.path.stem}: {task.check} …", end="", flush=True)
            self.open = True

    def ended(self, verdict: Verdict) -> None:
        counts = (f"{verdict.count('worlds'):,}", f"{verdict.count('strings'):,}", f"{verdict.count('random'):,}",
                  f"{verdict.caught} of {len(verdict.controls)}", f"{verdict.seconds:.1f}")
        cells = "".join(cell.rjust(width) for cell, width in zip(counts, WIDTHS, strict=True))
        said = self.coloured("holds", GREEN) if verdict.holds else self.coloured("FAILS", RED)
        self.say(f"{shortened(verdict.title, self.width):<{self.width}}{cells}  {said}")
        for outcome in verdict.outcomes:
            if not outcome.holds:
                self.failed(outcome)

    def failed(self, outcome: Outcome) -> None:
        """The smallest world in which a check fails, the two sides, and how to see it again."""
        self.say(f"  {outcome.statement}.{outcome.check}")
        if outcome.witness:
            *world, left, right = ("", "", *outcome.witness) if len(outcome.witness) < 2 else outcome.witness
            self.say(f"    world   {', '.join(part for part in world if part)}")
            self.say(f"    this    {left}\n    not     {right}")
        else:
            self.say("    " + outcome.failure.replace("\n", "\n    "))
        self.say(f"    repeat  {outcome.repeat}")

    def coloured(self, text: str, colour: str) -> str:
        return f"{colour}{text}{PLAIN}" if self.colours else text


def shortened(text: str, width: int) -> str:
    return text if len(text) <= width else text[:width - 1] + "…"
