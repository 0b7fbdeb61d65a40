"""The planted faults: which statement catches which, and with what. `python -m proofs --controls`.

The matrix has a row for each statement and fault, with the first counterexample, which is a smallest one; a fault that
several statements are shown names the others in brackets.
"""
from collections import defaultdict

from proofs.live import GREEN, RED, Lines
from proofs.verdicts import Outcome, Verdict

WIDEST = 150
"""characters of a counterexample that are shown"""


def matrix(verdicts: list[Verdict], lines: Lines) -> int:
    """Print the matrix; return how many faults no world refutes."""
    at: dict[str, list[str]] = defaultdict(list)
    for verdict in verdicts:
        for outcome in verdict.controls:
            at[outcome.fault].append(short(verdict))
    width = max(map(len, at), default=0)
    missed = 0
    for verdict in verdicts:
        if verdict.controls:
            lines.say(f"\n{verdict.title}")
        for outcome in verdict.controls:
            missed += not outcome.holds
            others = [name for name in at[outcome.fault] if name != short(verdict)]
            lines.say(row(outcome, width, others, lines))
    faults = sum(len(verdict.controls) for verdict in verdicts)
    without = [verdict.title for verdict in verdicts if not verdict.controls]
    for title in without:
        lines.say(f"\n{title}\n  {lines.coloured('has no control', RED)}")
    lines.say(f"\n{faults} faults planted in {len(verdicts)} statements: "
              + (f"{missed} NOT CAUGHT" if missed else "all caught")
              + (f", {len(without)} STATEMENTS WITHOUT A CONTROL" if without else ""))
    return missed + len(without)


def short(verdict: Verdict) -> str:
    return verdict.title.partition(":")[0]


def row(outcome: Outcome, width: int, others: list[str], lines: Lines) -> str:
    also = f"  [also {', '.join(others)}]" if others else ""
    if not outcome.holds:
        return f"  {lines.coloured('NOT CAUGHT', RED)}  {outcome.fault:<{width}}  {outcome.failure}{also}"
    shown = outcome.counterexample
    shown = shown if len(shown) <= WIDEST else shown[:WIDEST - 1] + "…"
    return f"  {lines.coloured('caught', GREEN)}      {outcome.fault:<{width}}  {shown}{also}"
