"""What the checks said, as a table and as a few lines."""
import time

from proofs import check
from proofs.check import LEDGER, Verdict

COLUMNS = ("statement", "worlds", "strings", "random", "faults caught", "seconds", "verdict")


def row(verdict: Verdict) -> tuple[str, ...]:
    counts = [f"{LEDGER[verdict.statement, kind]:,}" for kind in ("worlds", "strings", "random")]
    return (verdict.title.rstrip("."), *counts, f"{verdict.caught} of {verdict.controls}", f"{verdict.seconds:.1f}",
            "holds" if verdict.holds else "FAILS")


def table(verdicts: list[Verdict]) -> str:
    """One line for each statement, and every failure in full below."""
    rows = [COLUMNS, *map(row, verdicts)]
    widths = [max(len(line[k]) for line in rows) for k in range(len(COLUMNS))]
    lines = ["  ".join(cell.ljust(width) if k in (0, 6) else cell.rjust(width)
                       for k, (cell, width) in enumerate(zip(line, widths, strict=True))).rstrip() for line in rows]
    lines.insert(1, "-" * max(map(len, lines)))
    lines += [f"\n{verdict.statement}: {failure}" for verdict in verdicts for failure in verdict.failures]
    return "\n".join(lines)


def run_all(every: int | None = None) -> list[Verdict]:
    """Run every statement; with `every`, the first of every so many worlds only, and no random ones."""
    if every is None:
        check.quiet_hypothesis()
    return [check.run(path, every) for path in check.statement_files()]


def summary(every: int = 100) -> str:
    """What a quick run of the checks says, in a few lines: one for each kind of statement, then the totals.

    The first of every hundred of the small worlds and all planted faults; `python -m proofs` takes all worlds.
    """
    began = time.perf_counter()
    before = LEDGER.copy()
    verdicts = run_all(every)
    done = LEDGER - before
    worlds = sum(count for (_, kind), count in done.items() if kind == "worlds")
    lines = []
    for second, paper in ((False, "LinMaxMatch"), (True, "Incremental BPE")):
        for kind in check.KINDS:
            these = [v for v in verdicts if v.statement.startswith(check.SECOND) is second
                     and check.kind_and_number(v.statement)[0] == kind]
            numbers = " ".join(check.kind_and_number(v.statement)[1] + ("" if v.holds else " FAILS") for v in these)
            if these:
                lines.append(f"{paper:<17}{kind:<12}{numbers:<34}"
                             f"{'hold' if all(v.holds for v in these) else 'DO NOT ALL HOLD'}")
    lines += [f"{verdict.statement}: {failure}" for verdict in verdicts for failure in verdict.failures]
    failed = sum(not verdict.holds for verdict in verdicts)
    lines.append(f"{worlds:,} small vocabularies and dictionaries; {sum(v.caught for v in verdicts)} of "
                 f"{sum(v.controls for v in verdicts)} planted faults caught; {time.perf_counter() - began:.1f} s: "
                 + (f"{failed} FAIL" if failed else "all hold"))
    return "\n".join(lines)
