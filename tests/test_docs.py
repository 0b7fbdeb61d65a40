"""The essays: their code runs, their pictures are what is drawn now, and what they name in proofs is there."""
import ast
import doctest
import importlib.util
import json
import re
from pathlib import Path

import pytest

from incbpe import BPE
from linmaxmatch import WordPiece
from proofs import check

ROOT = Path(__file__).parents[1]
ESSAYS = ("linmaxmatch.md", "incbpe.md")
PAGES = sorted(path.name for path in (ROOT / "docs").glob("*.md"))


def read(name):
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ESSAYS)
def test_the_code_runs(name):
    result = doctest.testfile(str(ROOT / "docs" / name), module_relative=False, encoding="utf-8")
    assert result.attempted >= 40
    assert result.failed == 0


@pytest.mark.parametrize("name", ESSAYS)
def test_all_code_is_run(name):
    assert set(re.findall(r"^```(\w+)", read(name), re.MULTILINE)) == {"pycon"}


def test_the_pictures_are_those_of_the_structures():
    drawn = script_of("make_pictures").pictures()
    assert {path.stem for path in (ROOT / "docs/pictures").glob("*.svg")} == set(drawn)
    for name, drawing in drawn.items():
        assert (ROOT / f"docs/pictures/{name}.svg").read_text(encoding="utf-8") == drawing.svg, \
            "run python scripts/make_pictures.py"
    shown = {name for page in ESSAYS for name in re.findall(r"\]\(pictures/(\w+)\.svg\)", read(page))}
    assert shown == set(drawn)


def script_of(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def test_the_reference_is_what_the_packages_say():
    script, page = script_of("make_reference"), read("reference.md")
    assert script.replaced(page) == page, "run python scripts/make_reference.py"
    headings = {name for line in re.findall(r"^### (.*)$", page, re.MULTILINE) for name in line.split(", ")}
    for package in script.PACKAGES:
        assert set(importlib.import_module(package).__all__) <= headings
    for kind, module in ((BPE, "BPE"), (WordPiece, "WordPiece")):       # every method says what it does
        methods = {name for name in vars(kind) if not name.startswith("_") and callable(getattr(kind, name))}
        assert methods <= set(re.findall(rf"^#### {module}\.(\w+)$", page, re.MULTILINE))


def test_what_the_reference_makes_of_a_docstring():
    script = script_of("make_reference")
    assert script.marked_up("*a* and `*b*`, snake_case, _c_, <unk>") == r"\*a\* and `*b*`, snake_case, \_c\_, \<unk>"
    assert script.marked_up("one line.        (Algorithm 1)") == "one line. (Algorithm 1)"
    assert script.marked_up("name   what it is\n       and more").startswith("```text\nname   what it is\n")
    assert script.marked_up(">>> 1 + 1\n2") == "```pycon\n>>> 1 + 1\n2\n```"


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name):
    targets = [link for link in re.findall(r"\]\(([^)]*)\)", read(name)) if not link.startswith(("http", "#"))]
    assert [link for link in targets if not (ROOT / "docs" / link).exists()] == []


def controls(statement):
    return {name.removeprefix("test_control_") for name in vars(check.load(ROOT / "proofs" / f"{statement}.py"))
            if name.startswith("test_control_")}


@pytest.mark.parametrize("name", ESSAYS)
def test_statements_and_controls_that_are_named_are_there(name):
    statements = {path.stem for path in check.statement_files()}
    kinds = "|".join(check.KINDS)
    named = set(re.findall(rf"`((?:{check.SECOND})?(?:{kinds})_\w+)`", read(name)))
    assert len(named) >= 10
    assert named - statements == set()
    there = set().union(*map(controls, named))
    spoken = {re.sub(r"[^a-z ]", "", control.lower().replace("\n", " ")).replace(" ", "_")
              for control in re.findall(r'[Cc]ontrol\s"([^"]*)"', read(name))}
    assert len(spoken) >= 5
    assert spoken - there == set()


@pytest.mark.parametrize("name", ESSAYS)
def test_modules_that_are_named_are_there(name):
    package = name.removesuffix(".md")
    sentences = re.findall(r"[Tt]he modules? (?:is|are) ((?:`\w+`(?:, | and )?)+)", read(name))
    modules = {module for sentence in sentences for module in re.findall(r"`(\w+)`", sentence)}
    assert len(modules) >= 6
    assert {module for module in modules if importlib.util.find_spec(f"{package}.{module}") is None} == set()


def last_value(source, names):
    """Run a cell; the value of its last line where that is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)


@pytest.mark.parametrize("name", ["linmaxmatch", "incbpe"])
def test_a_notebook_runs(name, capsys):
    notebook = json.loads((ROOT / f"docs/notebooks/{name}.ipynb").read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) == 10
    names, pictures, tables = {}, 0, 0
    for cell in cells:
        value = last_value(cell, names)
        shown = getattr(value, "_repr_svg_", None)
        pictures += shown is not None and shown().startswith("<svg ")
        tables += hasattr(value, "_repr_html_")
        assert value is not None or capsys.readouterr().out
    assert pictures >= 4
    assert tables == 1              # of a trace
