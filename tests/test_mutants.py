"""The mutants: which there are of a small source, that they are chosen, how their outcomes are judged."""
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mutants import MODULES, report
from mutants.schemata import CHOOSER

SOURCE = '''
cdef int helper(int a, int b) except -1:
    cdef int i, total = 0
    for i in range(a, b):
        if a < i <= b and not total:
            continue
        total += i
    return total


def f(int a, b=3):
    if a == 0:
        raise ValueError("a")
    return min(helper(a, b), b - 1)
'''

KINDS = {
    "helper": ["constant: 0 → 1", "constant: 0 → -1", "order: for i in range(b - 1, a - 1, -1)",
               "comparison: a < i <= b → a <= i <= b", "comparison: a < i <= b → a < i < b",
               "logic: a < i <= b and not total → a < i <= b or not total", "logic: not total → not not total",
               "jump: continue → break", "arithmetic: total += … → total -= i", "dropped", "result: total → total + 1"],
    "f": ["comparison: a == 0 → a != 0", "constant: 0 → 1", "constant: 0 → -1", "dropped",
          "result: min(helper(a, b), b - 1) → None", "extreme: min(helper(a, b), b - 1) → max(helper(a, b), b - 1)",
          "arithmetic: b - 1 → b + 1", "arithmetic: b - 1 → 1 - b", "constant: 1 → 2", "constant: 1 → 0"],
}

BUILD = """
import sys
from pathlib import Path
from Cython.Build import cythonize
from mutants import build
build.MODULES = ("small.source",)
build.install(Path.cwd())
from setuptools import Extension, setup
setup(name="small", script_args=["-q", "build_ext", "-i"],
      ext_modules=cythonize([Extension("small.source", ["small/source.pyx"])], language_level=3, nthreads=0))
"""


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """The source's mutants, built, and the module itself."""
    folder = tmp_path_factory.mktemp("mutants")
    (folder / "small").mkdir()
    (folder / "small" / "__init__.py").touch()
    (folder / "small" / "source.pyx").write_text(SOURCE + CHOOSER)
    done = subprocess.run([sys.executable, "-c", BUILD], cwd=folder, capture_output=True, text=True, check=False,
                          env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])})
    assert done.returncode == 0, done.stderr
    path, = (folder / "small").glob("source.*.so")
    spec = importlib.util.spec_from_file_location("small.source", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return json.loads((folder / "small.source.json").read_text()), module


def test_which_mutants_there_are(small):
    sites, _ = small
    found = {}
    for site in sites:
        module, function, line, change = site["address"].split(" | ")
        assert module == "small.source" and line in map(str.strip, SOURCE.splitlines())
        found.setdefault(function, []).append(change.removesuffix(" (2)"))
    assert {name: sorted(changes) for name, changes in found.items()} == {
        name: sorted(changes) for name, changes in KINDS.items()}
    assert len({site["address"] for site in sites}) == len(sites)


def test_a_mutant_is_chosen(small):
    sites, module = small

    def expected(a, b, number):
        """Some mutants by hand; None for the others."""
        change = sites[number - 1]["address"].split(" | ", 1)[1] if number else ""
        total, stop = 0, False
        for i in range(a, b) if "order" not in change else reversed(range(a, b)):
            if a < i <= b and not total:
                continue
            total += i
        result = "f | return min(helper(a, b), b - 1)"
        return {"": min(total, b - 1), f"{result} | arithmetic: b - 1 → b + 1": min(total, b + 1),
                f"{result} | extreme: min(helper(a, b), b - 1) → max(helper(a, b), b - 1)": max(total, b - 1),
                "helper | return total | result: total → total + 1": min(total + 1, b - 1),
                "helper | for i in range(a, b): | order: for i in range(b - 1, a - 1, -1)": min(total, b - 1),
                }.get(change, stop or None)

    tried = 0
    for number in range(len(sites) + 1):
        module.choose_mutant(number)
        for a, b in ((1, 4), (2, 9), (5, 5)):
            wanted = expected(a, b, number)
            if wanted is not None:
                assert module.f(a, b) == wanted, (number, a, b)
                tried += 1
    module.choose_mutant(0)
    assert tried == 15


def test_arguments_have_addresses_and_reasons(tmp_path):
    path = tmp_path / "equivalent.txt"
    one, two, three = (f"m | {name} | x | dropped" for name in "fgh")
    path.write_text(f"# a comment\n{one}\n{two}\n    Both are\n    the same.\n\n{three}\n  Why.\n")
    assert report.arguments(path) == {one: "Both are the same.", two: "Both are the same.", three: "Why."}
    path.write_text("m | f | x | dropped\n")
    with pytest.raises(SystemExit, match="no argument for 'm | f | x | dropped'"):
        report.arguments(path)


def outcome(address, verdict):
    return {"address": address, "verdict": verdict, "by": "lemma_1" if verdict == "killed" else "", "level": "sample",
            "how": "", "seconds": 1.0}


@pytest.mark.parametrize(("outcomes", "argued", "fine", "said"), [
    ([("a", "killed")], {}, True, ""),
    ([("a", "survived")], {}, False, "SURVIVES    a"),
    ([("a", "survived")], {"a": "why"}, True, ""),
    ([("a", "killed")], {"a": "why"}, False, "ARGUED FOR, AND KILLED by lemma_1    a"),
    ([("a", "killed")], {"b": "why"}, False, "ARGUED FOR, AND NOT THERE    b"),
])
def test_what_the_report_says(outcomes, argued, fine, said, tmp_path):
    table = report.Report({"m": [outcome(*each) for each in outcomes]}, argued, {"a"})
    assert table.fine() is fine
    assert said in table.text()
    table.save(tmp_path)
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".json", ".md"]


def test_the_arguments_fit_the_sources():
    """Each address has a module, a line of it and a function that are there; `make mutants` compares the whole."""
    root = Path(__file__).parents[1]
    for address in report.arguments(root / "mutants" / "equivalent.txt"):
        module, function, change = address.split(" | ", 2)
        assert module in MODULES
        package, _, name = module.partition(".")
        folder = Path(*importlib.util.find_spec(package).submodule_search_locations)
        lines = [text.strip() for text in (folder / f"{name}.pyx").read_text(encoding="utf-8").splitlines()]
        assert any(line and change.startswith(f"{line} | ") for line in lines), address
        assert any(f"{function.split('.')[-1]}(" in text for text in lines), address


def test_every_notation_module_is_there():
    import incbpe
    import linmaxmatch

    files = {f"{package.__name__}.{path.stem}" for package in (linmaxmatch, incbpe)
             for folder in package.__path__ for path in Path(folder).glob("*.pyx")}
    assert set(MODULES) <= files
