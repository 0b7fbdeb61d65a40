"""Write the README's notation tables from proofs/correspondence.csv:  python scripts/notation_table.py [--check]

One table for each package, in the order of the file. With --check nothing is written, and the exit code is 1 if the
README's tables are not those of the file.
"""
import argparse
import csv
import re
import sys
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parents[1]
BEGIN, END = "<!-- notation:begin -->", "<!-- notation:end -->"
COLUMNS = ("symbol", "paper item", "definition", "Cython name", "alias", "engine name", "proof file", "cost")
HEADINGS = {"paper item": "paper", "engine name": "tokenizer", "proof file": "checked by"}
CODE = {"definition", "Cython name", "alias", "engine name"}


def cell(column: str, value: str) -> str:
    """One cell of the table, its bars escaped."""
    if column == "Cython name":
        value = value.partition(".")[2]
    if column == "proof file":
        return f"[{value.removesuffix('.py')}](proofs/{value})"
    value = value.replace("|", r"\|")
    return f"`{value}`" if value and column in CODE else value.replace("<", "&lt;")


def package(row: dict[str, str]) -> str:
    """The package that a row is about."""
    return row["Cython name"].partition(".")[0]


def table(rows: list[dict[str, str]]) -> str:
    """The rows as Markdown, a table for each package."""
    return "\n\n".join(table_of(name, list(these)) for name, these in groupby(rows, package))


def table_of(name: str, rows: list[dict[str, str]]) -> str:
    """The rows of one package as a Markdown table."""
    headings = [name if column == "Cython name" else HEADINGS.get(column, column) for column in COLUMNS]
    lines = [headings, ["---"] * len(COLUMNS), *([cell(c, row[c]) for c in COLUMNS] for row in rows)]
    return "\n".join(re.sub(r" +", " ", f"| {' | '.join(line)} |") for line in lines)


def replaced(readme: str, rows: list[dict[str, str]]) -> str:
    """The README with the tables between its two marks."""
    if readme.count(BEGIN) != 1 or readme.count(END) != 1 or readme.index(BEGIN) > readme.index(END):
        raise ValueError(f"README.md: expected one {BEGIN} and, after it, one {END}")
    before, rest = readme.split(BEGIN)
    return f"{before}{BEGIN}\n{table(rows)}\n{END}{rest.split(END)[1]}"


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description="Write the README's notation tables.")
    parser.add_argument("--check", action="store_true", help="only say whether the table is up to date")
    options = parser.parse_args(arguments)
    with (root / "proofs/correspondence.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    path = root / "README.md"
    readme = path.read_text(encoding="utf-8")
    new = replaced(readme, rows)
    if options.check:
        if new != readme:
            print("README.md: the notation table is stale; run python scripts/notation_table.py", file=sys.stderr)
        return int(new != readme)
    path.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
