"""Fixtures for the real data and for command lines, and the Hypothesis profiles."""
import io
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

SLOW_MACHINES = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("dev", max_examples=60, **SLOW_MACHINES)
settings.register_profile("ci", max_examples=150, derandomize=True, **SLOW_MACHINES)
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
