"""Check what a built wheel and sdist hold: what users compile against and type against, and no generated C."""
import sys
import tarfile
import zipfile
from pathlib import Path

WHEEL_HOLDS = [
    "incbpe/bytepair.pxd", "incbpe/bytepair.pyi", "incbpe/py.typed", "incbpe/theta.pyx", "incbpe/split.h",
    "incbpe/data/default-tokenizer.json", "incbpe/data/PROVENANCE.md",
    "linmaxmatch/wordpiece.pxd", "linmaxmatch/wordpiece.pyi", "linmaxmatch/py.typed", "linmaxmatch/trie.pyx",
    "linmaxmatch/data/default-vocab.txt", "linmaxmatch/data/PROVENANCE.md",
    "subwordio/ids.pxd", "subwordio/ids.pyi", "subwordio/py.typed", "subwordio/corpus/run.py",
]
SDIST_HOLDS = [*WHEEL_HOLDS, "setup.py", "README.md", "LICENSE", "proofs/worlds.py", "proofs/correspondence.csv",
               "tests/conftest.py", "scripts/make_unicode_tables.py", "benchmarks/harness.py", "docs/play/index.html"]
PACKAGES = ("incbpe/", "linmaxmatch/", "subwordio/")


def faults(names: list[str], needed: list[str], kind: str) -> list[str]:
    missing = [f"{kind} lacks {name}" for name in needed if name not in names]
    return missing + [f"{kind} holds {name}" for name in names
                      if name.startswith(PACKAGES) and name.endswith((".c", ".html"))]


def main(folder: Path) -> int:
    [wheel], [sdist] = folder.glob("*.whl"), folder.glob("*.tar.gz")
    with zipfile.ZipFile(wheel) as archive:
        in_wheel = archive.namelist()
    with tarfile.open(sdist) as archive:
        in_sdist = [name.partition("/")[2] for name in archive.getnames()]
    found = faults(in_wheel, WHEEL_HOLDS, "the wheel") + faults(in_sdist, SDIST_HOLDS, "the sdist")
    found += [f"the wheel installs {name}" for name in in_wheel if name.startswith(("tests/", "proofs/", "scripts/"))]
    found += [f"the sdist holds {name}" for name in in_sdist if name.endswith(".so")]
    if not any(name.endswith((".so", ".pyd")) for name in in_wheel):
        found.append("the wheel holds no extension")
    for fault in found:
        print(fault, file=sys.stderr)
    print(f"{wheel.name}: {len(in_wheel)} files; {sdist.name}: {len(in_sdist)} files; {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
