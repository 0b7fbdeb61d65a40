"""The ledger: what the papers and we claim, and the file that checks it. `python -m proofs.ledger` writes README.md.

`ledger.csv` has a row for each claim, by the paper's own numbers where it has one, and `faults.csv` one for each fault
that a check must catch. The page is made of both and of the files themselves, so that a claim without a file, a file
without a claim, and a fault without its control show.
"""
import csv
import re
import sys
from pathlib import Path
from typing import Any

from proofs import check

PAGE = check.HERE / "README.md"
PAPERS = {"1": "LinMaxMatch (arXiv 2012.15524)", "2": "Incremental BPE (arXiv 2605.30813)"}
BEGIN, END = "<!-- ledger:begin -->", "<!-- ledger:end -->"
Row = dict[str, str]


def rows(name: str) -> list[Row]:
    """The rows of one of the two files."""
    with (check.HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def controls(statement: str) -> list[str]:
    """The faults that a statement's file is shown, in words."""
    source = (check.HERE / f"{statement}.py").read_text(encoding="utf-8")
    return [name.replace("_", " ") for name in re.findall(r"^def test_control_(\w+)", source, re.MULTILINE)]


def cells(*values: Any) -> str:
    return "| " + " | ".join(str(value).replace("|", r"\|") for value in values) + " |"


def page() -> str:
    """Both tables, as Markdown."""
    lines: list[str] = []
    for paper, title in PAPERS.items():
        lines += [f"## {title}", "", cells("item", "claim", "checked by", "planted faults"), cells(*["---"] * 4)]
        lines += [cells(row["item"], row["claim"], f"[{row['files']}]({row['files']}.py)",
                        " · ".join(controls(row["files"]))) for row in rows("ledger.csv") if row["paper"] == paper]
        lines.append("")
    lines += ["## Which fault is caught where", "", cells("statement", "fault", "caught by"), cells(*["---"] * 3)]
    lines += [cells(row["statement"], row["fault"], f"[{row['file']}]({row['file']}.py): "
                    f"{row['control'].replace('_', ' ')}") for row in rows("faults.csv")]
    return "\n".join(lines)


def written(old: str) -> str:
    """The page with the tables between its marks."""
    before, rest = old.split(BEGIN)
    return f"{before}{BEGIN}\n{page()}\n{END}{rest.split(END)[1]}"


def main(path: Path = PAGE) -> int:
    path.write_text(written(path.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
