"""What the trials gave: a line a module, the survivors, and whether the arguments of equivalent.txt still fit."""
import datetime
import json
import os
import platform
from collections import Counter
from pathlib import Path
from typing import Any

Outcomes = dict[str, list[dict[str, Any]]]


def arguments(path: Path) -> dict[str, str]:
    """Why a mutant cannot be told from the original, by its address.

    A file of addresses at the beginning of a line, and below one or more of them, indented, the argument for these.
    """
    found: dict[str, str] = {}
    waiting: list[str] = []
    argument: list[str] = []
    for line in [*path.read_text(encoding="utf-8").splitlines(), "#"]:
        if line.startswith(" ") and line.strip():
            argument.append(line.strip())
            continue
        if argument:
            found |= dict.fromkeys(waiting, " ".join(argument))
            waiting, argument = [], []
        if line and not line.startswith("#"):
            waiting.append(line)
    if waiting:
        raise SystemExit(f"{path}: no argument for {waiting[-1]!r}")
    return found


class Report:
    """The outcomes by module, beside the arguments for those that cannot be told apart."""

    def __init__(self, outcomes: Outcomes, argued: dict[str, str], sites: set[str]) -> None:
        self.outcomes = outcomes
        self.argued = argued
        every = [outcome for these in outcomes.values() for outcome in these]
        self.survivors = [o["address"] for o in every if o["verdict"] == "survived" and o["address"] not in argued]
        self.refuted = [(o["address"], o["by"]) for o in every if o["verdict"] == "killed" and o["address"] in argued]
        self.stale = sorted(set(argued) - sites)

    def fine(self) -> bool:
        return not (self.survivors or self.refuted or self.stale)

    def rows(self) -> list[tuple[str, ...]]:
        rows: list[tuple[str, ...]] = [("module", "mutants", "killed", "equivalent", "survive", "killed most by", "s")]
        for module, these in self.outcomes.items():
            by = Counter(outcome["by"] for outcome in these if outcome["verdict"] == "killed")
            most = ", ".join(f"{statement} {count}" for statement, count in by.most_common(2))
            survive = sum(outcome["address"] in self.survivors for outcome in these)
            killed = by.total()
            rows.append((module, str(len(these)), str(killed), str(len(these) - killed - survive), str(survive), most,
                         f"{sum(outcome['seconds'] for outcome in these):.0f}"))
        totals = [sum(int(row[k]) for row in rows[1:]) for k in range(1, 5)]
        return [*rows, ("all", *map(str, totals), "", f"{sum(int(row[6]) for row in rows[1:])}")]

    def text(self) -> str:
        rows = self.rows()
        widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
        lines = ["  ".join(cell.ljust(width) if k in (0, 5) else cell.rjust(width)
                           for k, (cell, width) in enumerate(zip(row, widths, strict=True))).rstrip() for row in rows]
        lines += [f"SURVIVES    {address}" for address in self.survivors]
        lines += [f"ARGUED FOR, AND KILLED by {by}    {address}" for address, by in self.refuted]
        lines += [f"ARGUED FOR, AND NOT THERE    {address}" for address in self.stale]
        return "\n".join(lines)

    def machine(self) -> str:
        model = [line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                 if line.startswith("model name")] if Path("/proc/cpuinfo").exists() else [platform.processor()]
        named = model[0] if model else platform.machine()
        return f"{named}, {os.cpu_count()} CPUs, CPython {platform.python_version()}"

    def save(self, folder: Path) -> None:
        """Write DATE.md and DATE.json."""
        folder.mkdir(parents=True, exist_ok=True)
        date = datetime.date.today().isoformat()
        head, *rows = self.rows()
        lines = [f"# Mutants of the notation layer, {date}", "", self.machine(), "",
                 "| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
        lines += ["| " + " | ".join(row) + " |" for row in rows]
        ways = Counter("endless" if outcome["how"] == "endless" else "ended" if outcome["how"].startswith("ended by")
                       else outcome["level"] for these in self.outcomes.values() for outcome in these
                       if outcome["verdict"] == "killed")
        lines += ["", "Killed: " + ", ".join(f"{way} {count}" for way, count in ways.most_common()) + "."]
        lines += ["", *(f"- survives: `{address}`" for address in self.survivors)]
        (folder / f"{date}.md").write_text("\n".join(lines).rstrip() + "\n", encoding="utf-8")
        record = {"date": date, "machine": self.machine(), "modules": self.outcomes, "equivalent": self.argued}
        (folder / f"{date}.json").write_text(json.dumps(record, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
