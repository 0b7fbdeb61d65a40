"""How proofs/ is written: pure definitions, every statement with its parts and a control, all of it collected."""
import ast
import doctest
import importlib
import re
import subprocess
import sys
from collections import Counter
from math import perm
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

from proofs import bpe_worlds, check, kinds, ledger, report, worlds
from proofs.verdicts import Outcome, Verdict

ROOT = Path(__file__).parents[1]
PROOFS = ROOT / "proofs"
HEADINGS = ["Statement", "Why", "Predicate", "Exhaustive", "Random", "Control", "Limits"]
STATEMENTS = check.statement_files()


def imported(source: str) -> set[str]:
    """The top-level names of all modules that a source imports, wherever it does."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or "."} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def impure(source: str) -> set[str]:
    """Imports of a definition that are neither the standard library nor another definition."""
    return {name for name in imported(source) if name.split(".")[0] not in sys.stdlib_module_names
            and not name.startswith("proofs.definitions")}


def headings(source: str) -> list[str]:
    """The parts of a statement's file, in the order in which they come."""
    return re.findall(rf"^(?:# )?({'|'.join(HEADINGS)})$", source, re.MULTILINE)


@pytest.mark.parametrize("path", sorted((PROOFS / "definitions").glob("*.py")), ids=lambda path: path.name)
def test_definitions_are_pure(path: Path) -> None:
    assert impure(path.read_text(encoding="utf-8")) == set()


def test_an_impure_definition_is_seen() -> None:
    assert impure("def f():\n    from linmaxmatch import p") == {"linmaxmatch", "linmaxmatch.p"}
    assert impure("import numpy, math") == {"numpy"}


def importers(folders: list[Path], module: str) -> tuple[int, list[Path]]:
    """How many sources there are in some folders, and those that import a module."""
    kinds = {".py", ".pyx", ".pxd", ".pyi"}
    sources = [path for folder in folders for path in folder.rglob("*") if path.suffix in kinds]
    wanted = re.compile(rf"^\s*(from|import|cimport) {re.escape(module)}\b", re.MULTILINE)
    return len(sources), [path for path in sources if wanted.search(path.read_text(encoding="utf-8"))]


def test_nothing_but_proofs_and_tests_imports_the_definitions() -> None:
    packages = [Path(path) for name in ("linmaxmatch", "incbpe", "subwordio")
                for path in importlib.import_module(name).__path__]
    count, found = importers(packages, "proofs")
    assert count > 20 and found == []
    assert importers([ROOT / "benchmarks", ROOT / "scripts"], "proofs.definitions")[1] == []
    assert importers([PROOFS], "proofs.definitions")[1] != []


@pytest.mark.parametrize("path", STATEMENTS, ids=lambda path: path.stem)
def test_a_statement_has_its_parts(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert headings(source) == HEADINGS
    tree = ast.parse(source)
    functions = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    assert {"predicate", "exhaustive", "test_exhaustive", "test_random"} <= set(functions)
    controls = [node for node in tree.body
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test_control_")]
    assert controls
    for control in controls:
        compared = [node.test for node in ast.walk(control)
                    if isinstance(node, ast.Assert) and isinstance(node.test, ast.Compare)]
        assert compared, f"{control.name} asserts no counterexample"
        assert all(not (isinstance(right, ast.Constant) and right.value is None) and ast.unparse(right) != "()"
                   for node in compared for right in node.comparators), control.name
    assert source.rstrip().endswith('if __name__ == "__main__":\n    check.alone(__file__)')


def test_a_missing_part_is_seen() -> None:
    source = STATEMENTS[0].read_text(encoding="utf-8")
    assert headings(source.replace("# Limits", "# Limitations")) != HEADINGS
    assert headings(source.replace("# Control\n", "# Predicate\n")) != HEADINGS


NUMBERED = {"1": [f"{kind} {n}" for kind, most in (("Definition", 5), ("Lemma", 5), ("Algorithm", 4))
                  for n in range(1, most + 1)],
            "2": ["Equation 1", "Equation 2", "Lemma 3.1", "Section 3.3", "Section 3.4", "Section 3.5",
                  "Definition 4.1", "Theorem 4.2", "Section 4.3", "Section 5", "Section 5.2", "Section 6",
                  "Appendix A"]}


def test_the_ledger_has_every_file_and_every_number() -> None:
    rows = ledger.rows("ledger.csv")
    assert sorted(row["files"] for row in rows) == sorted(path.stem for path in STATEMENTS)
    for paper, items in NUMBERED.items():
        assert set(items) <= {row["item"] for row in rows if row["paper"] == paper}
    for row in rows:
        kind, number = check.kind_and_number(row["files"])
        assert row["files"].startswith(check.SECOND) is (row["paper"] == "2")
        if row["item"] not in ("ours", "cost", "Appendix A"):
            assert row["item"].lower() == f"{kind} {number}", row
    for paper in ("1", "2"):
        for item, kind in (("ours", "proposition"), ("cost", "cost")):
            named = [check.kind_and_number(row["files"]) for row in rows if row["paper"] == paper
                     and (row["item"] == item or (row["item"] == "Appendix A" and item == "ours"))]
            assert sorted(int(number) for _, number in named) == list(range(1, len(named) + 1)) and len(named) > 2
            assert {found for found, _ in named} == {kind}


def test_the_ledger_s_page_is_written_anew(tmp_path: Path) -> None:
    old = ledger.PAGE.read_text(encoding="utf-8")
    assert ledger.written(old) == old, "python -m proofs.ledger"
    copy = tmp_path / "README.md"
    copy.write_text(f"{ledger.BEGIN}stale{ledger.END}", encoding="utf-8")
    assert ledger.main(copy) == 0
    said = copy.read_text(encoding="utf-8")
    assert "stale" not in said and all(f"[{path.stem}]" in said for path in STATEMENTS)


@pytest.mark.parametrize("row", ledger.rows("faults.csv"), ids=lambda row: row["control"])
def test_every_fault_has_its_control(row: dict[str, str]) -> None:
    assert row["control"].replace("_", " ") in ledger.controls(row["file"])


def test_no_fault_is_missing() -> None:
    """So many faults were asked of each statement; a fault that goes unnamed shows."""
    named = Counter(row["statement"] for row in ledger.rows("faults.csv"))
    assert len(named) == 27 and sum(named.values()) == len({tuple(row.values()) for row in ledger.rows("faults.csv")})
    assert [named[statement] for statement in (
        "Normalizing finds what running T on every token finds", "The valid tokens are the root path",
        "θ of every prefix by three searches", "Eager output is safe and comes to T",
        "LinMaxMatch is the original WordPiece", "End to end is splitting and then matching")] == [3, 3, 3, 3, 3, 3]


def test_the_files_come_in_reading_order() -> None:
    names = [path.stem for path in STATEMENTS]
    assert names[0].startswith("definition_1_") and names[-1].startswith(("bpe_cost_", "bpe_proposition_"))
    first = [name for name in names if not name.startswith(check.SECOND)]
    assert names[:len(first)] == first
    named = ["lemma_3_one_step", "bpe_theorem_4_2_monotonic_path"]
    assert [check.kind_and_number(name) for name in named] == [("lemma", "3"), ("theorem", "4.2")]
    assert check.kind_and_number("bpe_worlds")[0] not in check.KINDS


def test_pytest_collects_the_folder() -> None:
    run = subprocess.run([sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", "proofs"],
                         cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    collected = {Path(line.split("::")[0]).name for line in run.stdout.splitlines() if "::" in line}
    assert collected == {path.name for path in STATEMENTS}


@pytest.mark.parametrize("name", ["definitions.wordpiece", "definitions.two_roots", "definitions.bpe", "worlds",
                                  "bpe_worlds", "check"])
def test_the_examples_run(name: str) -> None:
    result = doctest.testmod(importlib.import_module(f"proofs.{name}"))
    assert result.attempted > 0 and result.failed == 0


def test_the_worlds_are_as_many_as_stated() -> None:
    for indicator, count in worlds.PIECE_VOCABULARIES.items():
        assert sum(1 for _ in worlds.every_piece_vocabulary(indicator)) == count
        assert worlds.vocabularies_count(len(worlds.pieces(indicator))) == count
    assert tuple(worlds.PIECE_VOCABULARIES) == worlds.INDICATORS
    assert len(worlds.strings(worlds.LETTERS, worlds.LONGEST_WORD)) == worlds.WORDS
    assert sum(1 for _ in worlds.small_vocabularies()) == worlds.small_vocabularies_count() == 9_827
    assert sum(1 for _ in worlds.long_chains()) == worlds.vocabularies_count(len(worlds.LONG_CHAINS), 5)
    assert (len(bpe_worlds.RUN_RULES), len(bpe_worlds.PAIR_RULES)) == (6, 20)
    assert len(set(bpe_worlds.run_worlds())) == bpe_worlds.RUN_WORLDS == sum(perm(6, k) for k in range(7)) == 1_957
    assert len(set(bpe_worlds.pair_worlds())) == bpe_worlds.PAIR_WORLDS == sum(perm(20, k) for k in range(4)) == 7_241
    assert len(bpe_worlds.every_world()) == bpe_worlds.WORLDS == 1_957 + 7_241
    assert len(set(bpe_worlds.grown_worlds())) == bpe_worlds.GROWN_WORLDS == 485
    assert len(set(bpe_worlds.repeated_worlds())) == bpe_worlds.REPEATED_WORLDS == 1_256
    assert sum(1 for _ in bpe_worlds.larger_worlds()) == bpe_worlds.LARGER_WORLDS == perm(20, 4) == 116_280
    assert sum(1 for _ in worlds.spaced_vocabularies()) == worlds.vocabularies_count(11, 3) == 232
    assert len(bpe_worlds.table_worlds()) == bpe_worlds.TABLE_WORLDS == sum(perm(7, k) for k in range(5)) == 1_100


SAMPLES = {
    "vocabularies": (worlds.random_worlds(), {*kinds.OF_VOCABULARIES} - {"marks within tokens"} | {
        "a word starts with ♯", "a word is ♯", "an unknown character", "an empty text"}),
    "texts": (worlds.random_text_worlds(), {"marks within tokens", "a text with a space", "an unknown character"}),
    "dictionaries": (bpe_worlds.random_worlds(unknown=True), {*kinds.OF_DICTIONARIES, *kinds.OF_TEXTS}),
    "tables": (bpe_worlds.random_tables(), {*kinds.OF_TABLES}),
    "real vocabularies": (worlds.real_worlds(), {"tokens nest", "tokens overlap", "an unknown character"}),
    "real rules": (bpe_worlds.real_worlds(), {"forest three deep", "several rules for a token", "a letter repeated"})}


@pytest.mark.parametrize("name", SAMPLES)
def test_every_hard_kind_is_drawn(name: str) -> None:
    strategy, expected = SAMPLES[name]

    @settings(max_examples=200, derandomize=True, database=None, deadline=None, phases=[Phase.generate],
              suppress_health_check=list(HealthCheck))
    @worlds.given(strategy)
    def draw(world: object) -> None:
        """Only drawn."""

    before = check.LEDGER.copy()
    draw()
    drawn = check.LEDGER - before
    found = {kind.removeprefix(kinds.KIND): count for (_, kind), count in drawn.items()}
    assert {kind: found.get(kind, 0) for kind in expected if found.get(kind, 0) < 3} == {}


def test_the_distribution_is_told() -> None:
    told = kinds.lines({kinds.KIND + "improper": 7})
    assert len(told) == 5 and "improper 7" in told[2] and "no rules 0" in told[2]
    outcome = Outcome("lemma", "test_random", counts=Counter({kinds.KIND + "improper": 7, "random": 9}))
    assert report.distribution([Verdict("lemma", "Lemma", [outcome])]) == told
    assert report.distribution([Verdict("lemma", "Lemma", [])]) == []


def test_the_findings_are_true() -> None:
    text = (PROOFS / "FINDINGS.md").read_text(encoding="utf-8")
    result = doctest.testfile(str(PROOFS / "FINDINGS.md"), module_relative=False, encoding="utf-8")
    assert result.failed == 0 and result.attempted > 45
    linked = re.findall(r"\]\((\w+)\.py\)", text)
    assert set(linked) <= {path.stem for path in STATEMENTS} and len(set(linked)) >= 20
    sections = re.findall(r"^\*\*.*?(?=^\*\*|^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert len(sections) >= 20 and all("    >>> " in section and ".py)" in section for section in sections)
