"""Build a copy of the tree whose notation layer holds all of its mutants (verify profile)."""
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

from mutants import MODULES
from mutants.schemata import CHOOSER, Schemata

COPIED = ("subwordio", "linmaxmatch", "incbpe", "proofs", "mutants", "setup.py", "pyproject.toml", "README.md")
MADE = (".c", ".so")
ATTEMPTS = 8
"""Compiling stops at a module's first kind of error; so often it is tried anew without the mutants that are refused."""


def install(folder: Path) -> None:
    """Let Cython rewrite the notation modules as it compiles them; which mutants there are is written to `folder`."""
    from Cython.Compiler import Pipeline
    from Cython.Compiler.ParseTreeTransforms import PostParse

    plain = Pipeline.create_pyx_pipeline

    def with_mutants(context: Any, options: Any, result: Any, **more: Any) -> list[Any]:
        stages = list(plain(context, options, result, **more))
        at = next(i for i, stage in enumerate(stages) if isinstance(stage, PostParse)) + 1

        def rewrite(tree: Any) -> Any:
            module = str(tree.full_module_name)
            if module in MODULES:
                source = Path(*module.split(".")).with_suffix(".pyx").read_text(encoding="utf-8").splitlines()
                refused = folder / f"{module}.refused.json"
                schemata = Schemata(module, source, set(json.loads(refused.read_text())) if refused.exists() else set())
                schemata.module_or_class(tree.body)
                (folder / f"{module}.json").write_text(json.dumps(schemata.sites, ensure_ascii=False, indent=1))
            return tree

        stages.insert(at, rewrite)
        return stages

    Pipeline.create_pyx_pipeline = with_mutants


def refuse(folder: Path, said: str) -> int:
    """Note the mutants at the places of the compilers' errors; how many there are."""
    count = 0
    places = re.findall(r"^(\w+/\w+)\.pyx:(\d+):(\d+): ", said, re.MULTILINE)
    for c_file, line in re.findall(r"^(build/cython/\w+/\w+\.c):(\d+):\d+: error", said, re.MULTILINE):
        above = "\n".join((folder.parent / "tree" / c_file).read_text().splitlines()[:int(line)])
        places.append((*re.findall(r'/\* "(\w+/\w+)\.pyx":(\d+)$', above, re.MULTILINE)[-1], "C"))
    for path, line, column in set(places):
        module = path.replace("/", ".")
        sites = json.loads((folder / f"{module}.json").read_text())
        at_line = [site for site in sites if site["line"] == int(line)]
        found = [site["address"] for site in at_line if str(site["column"]) == column
                 or (column == "C" and site["kind"] == "arithmetic")] or [site["address"] for site in at_line]
        refused = folder / f"{module}.refused.json"
        before = json.loads(refused.read_text()) if refused.exists() else []
        refused.write_text(json.dumps(sorted({*before, *found}), ensure_ascii=False, indent=1))
        count += len({*found} - {*before})
        (folder.parent / "tree" / f"{path}.pyx").touch()
    return count


def build(root: Path, folder: Path) -> Path:
    """Copy the tree below `folder` and compile it there; returns the copy. What has not changed is not built again."""
    tree, sites = folder / "tree", folder / "sites"
    sites.mkdir(parents=True, exist_ok=True)
    for name in COPIED:
        copy(root / name, tree / name)
    rules = "".join((root / "mutants" / name).read_text(encoding="utf-8") for name in ("operators.py", "schemata.py"))
    stamp = folder / "rules"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != rules:        # then other mutants are to be built
        for module in MODULES:
            (tree / Path(*module.split(".")).with_suffix(".pyx")).touch()
            (sites / f"{module}.refused.json").unlink(missing_ok=True)
        stamp.write_text(rules, encoding="utf-8")
    for _ in range(ATTEMPTS):
        command = [sys.executable, "-c", "from mutants.build import compile_here; compile_here()", str(sites)]
        profile = {"BUILD_PROFILE": "verify", "BUILD_FOLDER": "build"}
        done = subprocess.run(command, cwd=tree, env=os.environ | profile, capture_output=True, text=True, check=False)
        (folder / "log").write_text(done.stdout + done.stderr)
        refused = refuse(sites, done.stdout + done.stderr)
        if done.returncode == 0 and not refused:
            return tree
        if not refused:
            raise SystemExit(f"the mutants do not compile: see {folder / 'log'}")
    raise SystemExit(f"after {ATTEMPTS} attempts the mutants do not compile: see {folder / 'log'}")


def copy(source: Path, target: Path) -> None:
    """Copy what has changed, and remove what is gone. A notation module gets the function behind its source that
    chooses a mutant.
    """
    if source.is_dir():
        for path in source.iterdir():
            if path.name != "__pycache__" and path.suffix not in MADE:
                copy(path, target / path.name)
        for path in target.iterdir():
            if path.is_file() and path.suffix not in MADE and not (source / path.name).exists():
                path.unlink()
        return
    wanted = source.read_bytes()
    if source.suffix == ".pyx" and f"{source.parent.name}.{source.stem}" in MODULES:
        wanted += CHOOSER.encode()
    if not target.exists() or target.read_bytes() != wanted:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(wanted)
        shutil.copymode(source, target)


def compile_here() -> None:
    """In the copy: setup.py, with Cython as `install` makes it."""
    import Cython.Build

    install(Path(sys.argv[1]).resolve())
    Cython.Build.cythonize = partial(Cython.Build.cythonize, exclude_failures=True)     # all errors at once
    sys.argv[1:] = ["-q", "build_ext", "-i"]
    runpy.run_path("setup.py", run_name="__main__")
