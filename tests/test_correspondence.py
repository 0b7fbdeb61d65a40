"""Every row of proofs/correspondence.csv: names that exist, a docstring with the paper's item, a file of proofs/."""
import ast
import csv
import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

import incbpe
import linmaxmatch
from proofs import check
from proofs.definitions import bpe, wordpiece

ROOT = Path(__file__).parents[1]
PACKAGES = {"linmaxmatch": linmaxmatch, "incbpe": incbpe}
DEFINITIONS = {"linmaxmatch": wordpiece, "incbpe": bpe}
NOTATION = {"linmaxmatch": ("vocabulary", "trie", "maxmatch", "minpop", "onestep", "failure", "matchloop", "endtoend",
                            "transducer"),
            "incbpe": ("dictionary", "bpe", "normalize", "successor", "automaton", "sufsuc", "centroid", "theta",
                       "prefixes", "eager", "tokentree", "unstable", "pieceoutput")}
WITHOUT_ITEM = {"is_punctuation", "is_whitespace"}      # parameters of Algorithm 3, but not the paper's
NO_SYMBOL = {"VocabularyError", "DictionaryError"}
with (ROOT / "proofs/correspondence.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))


def named(start: object, path: str) -> object:
    """The object behind a dotted name."""
    for part in path.split(".")[1:]:
        start = getattr(start, part)
    return start


def mentions(text: str, item: str) -> bool:
    """Whether a docstring names a paper item, alone or in a list such as "Lemmas 3 and 4"."""
    kind, number = item.split(" ")
    numbers = re.findall(rf"(?i:{kind})s? ((?:[\d.]+(?:, | and |–)?)+)", text)
    return any(number in re.findall(r"[\d.]*\d", found) for found in numbers)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["symbol"])
def test_row(row: dict[str, str]) -> None:
    package = PACKAGES[row["Cython name"].partition(".")[0]]
    target = named(package, row["Cython name"])
    owner, name = row["Cython name"].split(".")[-2:]
    if row["definition"]:
        definitions = DEFINITIONS[package.__name__]
        assert definitions.__name__.endswith(row["definition"].partition(".")[0])
        if row["definition"].count(".") == 1:
            assert getattr(definitions, row["definition"].split(".")[1]).__doc__
    if callable(target) and name not in WITHOUT_ITEM:
        said = target.__doc__
        described = target if isinstance(target, type) else named(package, row["Cython name"].rpartition(".")[0])
        if isinstance(described, type):         # a class, or a method: its class and module speak for it too
            said += described.__doc__ + importlib.import_module(described.__module__).__doc__
        assert mentions(said, row["paper item"]), said
    else:
        assert owner not in PACKAGES or name in WITHOUT_ITEM        # attributes have no text of their own
    if row["alias"]:
        assert getattr(package, row["alias"]) is target
        assert row["alias"] in package.__all__
    if row["engine name"]:
        file, names = row["engine name"].split(": ")
        text = (Path(package.__path__[0]) / file).read_text(encoding="utf-8")
        assert all(re.search(rf"\b{name}\b", text) for name in names.split())
    proof = (ROOT / "proofs" / row["proof file"]).read_text(encoding="utf-8")
    assert proof.startswith('"""')


@pytest.mark.parametrize(("name", "at_least"), [("linmaxmatch", 30), ("incbpe", 15)])
def test_every_public_name_is_in_the_table(name: str, at_least: int) -> None:
    rows = [row for row in ROWS if row["Cython name"].startswith(name + ".")]
    listed = {row["Cython name"].replace(".bpe.", ".").split(".")[1] for row in rows} | {row["alias"] for row in rows}
    package, modules = PACKAGES[name], {f"{name}.{module}" for module in NOTATION[name]}
    public = {each for each in package.__all__ if getattr(getattr(package, each), "__module__", "") in modules}
    assert len(public) >= at_least
    assert public - listed - NO_SYMBOL == set()
    assert listed - {"", "trace"} <= set(package.__all__)


PLUMBING = {"N", "automaton", "binary", "check", "criterion", "depth", "dictionary", "draw", "final", "forest",
            "from_ranks", "id", "ids", "k", "n", "nbytes", "pairs", "pieces", "position", "punctuation", "reason",
            "search", "semantics", "symbols", "tables", "text", "to_dot", "token", "token_of", "tokens", "tree", "trie",
            "unk_id", "vocabulary", "whitespace", "Unstable.longest"}
"""Members that are no symbol: what an object was made from, how it is looked at, and ids."""
NOT_PUBLIC = {"incbpe.Token", "incbpe.CRITERIA", "incbpe.Follow", "incbpe.Answers", "incbpe.PatternFollow",
              "incbpe.Machine", "incbpe.DictionaryError", "incbpe.mask_of", "incbpe.rows_above",
              "linmaxmatch.VocabularyError"}
"""Names of the modules that other modules need and no formula has, and the errors."""


def members(name: str) -> tuple[set[str], set[str]]:
    """The names that a package's notation modules define in their stubs: classes and functions, and their members."""
    names, inside = set(), set()
    for module in NOTATION[name]:
        folder = Path(PACKAGES[name].__path__[0])
        stub = folder / f"{module}.pyi"
        source = (stub if stub.exists() else folder / f"{module}.py").read_text(encoding="utf-8")
        for node in ast.parse(source).body:
            if isinstance(node, ast.ClassDef):
                names.add(f"{name}.{node.name}")
                inside |= {f"{name}.{node.name}.{each.name}" for each in node.body
                           if isinstance(each, ast.FunctionDef) and not each.name.startswith("_")}
            elif isinstance(node, ast.FunctionDef):
                names.add(f"{name}.{node.name}")
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                names.add(f"{name}.{ast.unparse(target)}")
    return names, inside


@pytest.mark.parametrize(("name", "at_least"), [("linmaxmatch", 20), ("incbpe", 55)])
def test_every_symbol_of_the_modules_is_in_the_table(name: str, at_least: int) -> None:
    """Both ways: what the modules define has a row, and what has a row they define."""
    rows = [row for row in ROWS if row["Cython name"].startswith(name + ".")]
    listed = {row["Cython name"].replace(".bpe.", ".") for row in rows}
    listed |= {f"{name}.{row['alias']}" for row in rows if row["alias"]}
    names, inside = members(name)
    assert names - listed - NOT_PUBLIC == set()
    of_public = {each for each in inside if ".".join(each.split(".")[:2]) not in NOT_PUBLIC}
    assert {each for each in of_public - listed
            if not PLUMBING & {each.rpartition(".")[2], each.partition(".")[2]}} == set()
    assert listed - names - inside == set() and len(inside & listed) >= at_least
    assert len({row["Cython name"] for row in rows}) == len(rows)


def test_every_proof_file_of_a_symbol_is_a_statement_s() -> None:
    assert {row["proof file"] for row in ROWS} <= {path.name for path in check.statement_files()}
    assert all(row["symbol"] and row["paper item"] for row in ROWS)


def test_every_statement_with_a_symbol_is_in_the_table() -> None:
    files = {path.name for path in check.statement_files()
             if check.kind_and_number(path.stem)[0] in ("equation", "definition", "algorithm", "section")}
    assert len(files) >= 20
    assert files <= {row["proof file"] for row in ROWS}


def test_a_docstring_without_the_item_is_seen() -> None:
    assert mentions("(Definition 1, Lemma 5, Algorithm 2)", "Lemma 5")
    assert mentions("(Lemmas 3 and 4)", "Lemma 4")
    assert mentions("(Definitions 2, 3 and 4)", "Definition 3")
    assert mentions("(Section 3.1, Lemma 2)", "Section 3.1")
    assert not mentions("(Lemmas 3 and 4)", "Lemma 5")
    assert not mentions("(Definition 1)", "Lemma 1")
    assert not mentions("(Lemma 14)", "Lemma 1")


def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("notation_table", ROOT / "scripts/notation_table.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_readme_has_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert script().main(["--check"]) == 0, capsys.readouterr().err


def test_a_stale_table_is_seen_and_mended(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs/correspondence.csv").write_text(
        (ROOT / "proofs/correspondence.csv").read_text(encoding="utf-8"), encoding="utf-8")
    readme = tmp_path / "README.md"
    (tmp_path / "docs").mkdir()
    for page in (readme, tmp_path / "docs/notation.md"):
        page.write_text("x\n<!-- notation:begin -->\n<!-- notation:end -->\ny\n", encoding="utf-8")
    assert script().main(["--check"], tmp_path) == 1
    assert "stale" in capsys.readouterr().err
    assert script().main([], tmp_path) == 0
    assert script().main(["--check"], tmp_path) == 0
    assert readme.read_text(encoding="utf-8").startswith("x\n") and readme.read_text(encoding="utf-8").endswith("\ny\n")
    readme.write_text("no marks", encoding="utf-8")
    with pytest.raises(ValueError, match="notation:begin"):
        script().main([], tmp_path)
