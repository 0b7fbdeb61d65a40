"""Fixtures for the real data and for command lines, and the Hypothesis profiles."""
import importlib.util
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

SLOW_MACHINES = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("dev", max_examples=60, **SLOW_MACHINES)
settings.register_profile("ci", max_examples=150, derandomize=True, **SLOW_MACHINES)
settings.register_profile("brief", max_examples=40, derandomize=True, **SLOW_MACHINES)     # beside a run of "ci"
settings.register_profile("deep", max_examples=20_000, **SLOW_MACHINES)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def folder(variable: str) -> Path:
    value = os.environ.get(variable)
    if value and Path(value).is_dir():
        return Path(value)
    reason = f"${variable} names no folder (CONTRIBUTING.md says what to put there)"
    if os.environ.get("REQUIRE_TOKENIZER_DATA") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real vocabularies and text."""
    return folder("TOKENIZER_DATA")


@pytest.fixture(scope="session")
def vectors() -> Path:
    """The folder of small cases with expected results."""
    return folder("TOKENIZER_VECTORS")


@pytest.fixture(scope="session")
def deep() -> bool:
    """Whether the long form of a check was asked for (HYPOTHESIS_PROFILE=deep)."""
    return os.environ.get("HYPOTHESIS_PROFILE") == "deep"


BUILD = """
import sys
from pathlib import Path
from Cython.Build import cythonize
from setuptools import Extension, setup
import linmaxmatch
name, source = sys.argv[1:]
headers = str(Path(linmaxmatch.__file__).parents[1])
setup(name=name, script_args=["-q", "build_ext", "-i"], ext_modules=cythonize(
    [Extension(name, [source], include_dirs=[headers], extra_compile_args=["-O0", "-g0", "-Wno-unused-function"])],
    build_dir="cython", language_level=3, quiet=True))
"""


@pytest.fixture(scope="session")
def cython(tmp_path_factory):
    """cython(name): the module tests/cython/name.pyx, compiled in an empty folder against the installed packages."""
    def build(name):
        folder = tmp_path_factory.mktemp(name)
        source = (Path(__file__).parent / "cython" / f"{name}.pyx").read_bytes()
        (folder / f"{name}.pyx").write_bytes(source)
        done = subprocess.run([sys.executable, "-c", BUILD, name, f"{name}.pyx"], cwd=folder, capture_output=True,
                              text=True, check=False,
                              env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))})
        assert done.returncode == 0, done.stdout + done.stderr
        binary = next(path for path in folder.iterdir() if path.suffix in {".so", ".pyd"})
        spec = importlib.util.spec_from_file_location(name, binary)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    return build


@pytest.fixture(scope="session")
def shipped():
    """The tokenizer of the vocabulary that linmaxmatch ships."""
    from linmaxmatch import WordPiece
    from linmaxmatch.default import default_vocabulary_path
    return WordPiece.from_file(default_vocabulary_path())


class Result:
    """What a command line returned and wrote."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out.decode(), err.decode()
        self.lines = self.out.splitlines()


@pytest.fixture
def run_main(capsysbinary, monkeypatch):
    """main(arguments) of a command line with what it returned and wrote; `stdin` is text or bytes."""
    def run(main, *arguments, stdin=b""):
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as stop:             # argparse: wrong usage, --help, --version
            code = stop.code
        return Result(code, *capsysbinary.readouterr())
    return run
