"""Write the notation tables of the README and of the site from proofs/correspondence.csv:

    python scripts/notation_table.py [--check]

One table for each package, in the order of the file. With --check nothing is written, and the exit code is 1 if a
page's tables are not those of the file.
"""
import argparse
import csv
import re
import sys
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = {"README.md": "proofs", "docs/notation.md": "../proofs"}        # and how each leads to the files that check
BEGIN, END = "<!-- notation:begin -->", "<!-- notation:end -->"
COLUMNS = ("symbol", "paper item", "definition", "Cython name", "alias", "engine name", "proof file", "cost")
HEADINGS = {"paper item": "paper", "engine name": "tokenizer", "proof file": "checked by"}
CODE = {"definition", "Cython name", "alias", "engine name"}


def cell(column: str, value: str, proofs: str) -> str:
    """One cell of the table, its bars escaped."""
    if column == "Cython name":
        value = value.partition(".")[2]
    if column == "proof file":
        return f"[{value.removesuffix('.py')}]({proofs}/{value})"
    value = value.replace("|", r"\|")
    return f"`{value}`" if value and column in CODE else value.replace("<", "&lt;")


def package(row: dict[str, str]) -> str:
    """The package that a row is about."""
    return row["Cython name"].partition(".")[0]


def table(rows: list[dict[str, str]], proofs: str) -> str:
    """The rows as Markdown, a table for each package."""
    return "\n\n".join(table_of(name, list(these), proofs) for name, these in groupby(rows, package))


def table_of(name: str, rows: list[dict[str, str]], proofs: str) -> str:
    """The rows of one package as a Markdown table."""
    headings = [name if column == "Cython name" else HEADINGS.get(column, column) for column in COLUMNS]
    lines = [headings, ["---"] * len(COLUMNS), *([cell(c, row[c], proofs) for c in COLUMNS] for row in rows)]
    return "\n".join(re.sub(r" +", " ", f"| {' | '.join(line)} |") for line in lines)


def replaced(name: str, page: str, rows: list[dict[str, str]]) -> str:
    """A page with the tables between its two marks."""
    if page.count(BEGIN) != 1 or page.count(END) != 1 or page.index(BEGIN) > page.index(END):
        raise ValueError(f"{name}: expected one {BEGIN} and, after it, one {END}")
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n{table(rows, PAGES[name])}\n{END}{rest.split(END)[1]}"


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description="Write the notation tables.")
    parser.add_argument("--check", action="store_true", help="only say whether the tables are up to date")
    options = parser.parse_args(arguments)
    with (root / "proofs/correspondence.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    stale = 0
    for name in PAGES:
        page = (root / name).read_text(encoding="utf-8")
        new = replaced(name, page, rows)
        if options.check and new != page:
            print(f"{name}: the notation table is stale; run python scripts/notation_table.py", file=sys.stderr)
            stale = 1
        elif not options.check:
            (root / name).write_text(new, encoding="utf-8")
    return stale


if __name__ == "__main__":
    raise SystemExit(main())
