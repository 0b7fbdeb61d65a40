"""The essays: their code runs, their pictures are what is drawn now, and what they name in proofs is there."""
import ast
import doctest
import importlib.util
import json
import re
from pathlib import Path

import pytest

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
    spec = importlib.util.spec_from_file_location("make_pictures", ROOT / "scripts" / "make_pictures.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    drawn = script.pictures()
    assert {path.stem for path in (ROOT / "docs/pictures").glob("*.svg")} == set(drawn)
    for name, drawing in drawn.items():
        assert (ROOT / f"docs/pictures/{name}.svg").read_text(encoding="utf-8") == drawing.svg, \
            "run python scripts/make_pictures.py"
    shown = {name for page in ESSAYS for name in re.findall(r"\]\(pictures/(\w+)\.svg\)", read(page))}
    assert shown == set(drawn)


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name):
    targets = [link for link in re.findall(r"\]\(([^)]*)\)", read(name)) if not link.startswith("http")]
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
