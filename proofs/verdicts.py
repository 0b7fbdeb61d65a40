"""What running checks gave: an `Outcome` for each function of a statement's file, a `Verdict` for each file.

Both are plain data: worker processes send them, `--json` writes them, and the lines on the terminal are made of them.
"""
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from proofs.check import KINDS, SECOND, kind_and_number

CONTROL = "test_control_"
COUNTS = ("worlds", "strings", "random")


@dataclass
class Outcome:
    """What one check said."""

    statement: str
    check: str
    """the function's name"""
    seconds: float = 0.0
    counts: Counter[str] = field(default_factory=Counter)
    """worlds and strings of enumerations, random worlds"""
    failure: str = ""
    """the error and its message; empty: it holds"""
    witness: tuple[str, ...] = ()
    """the counterexample's parts, the world first, where the failure is one"""
    repeat: str = ""
    """the command that runs this check alone, with the same worlds"""
    counterexample: str = ""
    """what caught the fault, for a control that caught it"""
    skipped: str = ""
    """why it could not run"""

    @property
    def holds(self) -> bool:
        return not self.failure

    @property
    def control(self) -> bool:
        return self.check.startswith(CONTROL)

    @property
    def fault(self) -> str:
        """The fault that a control plants, in words.

        >>> Outcome("lemma_4_gist", "test_control_one_symbol_short").fault
        'one symbol short'
        """
        return self.check.removeprefix(CONTROL).replace("_", " ")


@dataclass
class Verdict:
    """What one statement's checks said."""

    statement: str
    title: str
    outcomes: list[Outcome]

    @property
    def holds(self) -> bool:
        return all(outcome.holds for outcome in self.outcomes)

    @property
    def seconds(self) -> float:
        return sum(outcome.seconds for outcome in self.outcomes)

    @property
    def controls(self) -> list[Outcome]:
        return [outcome for outcome in self.outcomes if outcome.control]

    @property
    def caught(self) -> int:
        return sum(outcome.holds for outcome in self.controls)

    @property
    def skipped(self) -> list[str]:
        """Why checks could not run, each reason once."""
        return list(dict.fromkeys(outcome.skipped for outcome in self.outcomes if outcome.skipped))

    def count(self, what: str) -> int:
        return sum(outcome.counts[what] for outcome in self.outcomes)

    def as_json(self) -> dict[str, object]:
        """The verdict as plain values: every check with its counts, and what failed with its witness."""
        kind, number = kind_and_number(self.statement)
        return {
            "statement": self.statement, "title": self.title,
            "paper": "Incremental BPE" if self.statement.startswith(SECOND) else "LinMaxMatch",
            "kind": kind, "number": number, "holds": self.holds, "seconds": round(self.seconds, 3),
            **{what: self.count(what) for what in COUNTS},
            "controls": len(self.controls), "caught": self.caught, "checks": [
                {"check": outcome.check, "holds": outcome.holds, "seconds": round(outcome.seconds, 3),
                 **{what: outcome.counts[what] for what in COUNTS},
                 **{name: value for name in ("failure", "witness", "repeat", "counterexample", "skipped")
                    if (value := getattr(outcome, name))}} for outcome in self.outcomes]}


def title_of(path: Path, doc: str | None) -> str:
    """What a statement's file says that it is about, in its first line."""
    return (doc or path.stem).splitlines()[0].rstrip(".")


def by_kind(verdicts: list[Verdict]) -> list[tuple[str, str, list[Verdict]]]:
    """The verdicts by paper and kind of statement, in reading order; kinds without any left out."""
    found = []
    for second, paper in ((False, "LinMaxMatch"), (True, "Incremental BPE")):
        for kind in KINDS:
            these = [verdict for verdict in verdicts if verdict.statement.startswith(SECOND) is second
                     and kind_and_number(verdict.statement)[0] == kind]
            if these:
                found.append((paper, kind, these))
    return found
