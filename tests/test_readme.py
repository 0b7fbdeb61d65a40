"""What README.md shows is what happens: its Python examples, its commands, and the notation that it names."""
import doctest
import io
import re
import shlex
import sys
from pathlib import Path

import pytest

import incbpe.cli
import linmaxmatch.cli

README = Path(__file__).parents[1] / "README.md"
TEXT = README.read_text(encoding="utf-8")
SESSIONS = re.findall(r"^```console\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
COMMANDS = [command for session in SESSIONS for command in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]]


def test_the_python_examples():
    result = doctest.testfile(str(README), module_relative=False, encoding="utf-8")
    assert result.attempted >= 10
    assert result.failed == 0


def test_there_are_commands():
    assert len(COMMANDS) == 7


@pytest.mark.parametrize("shown", COMMANDS, ids=lambda shown: shown.partition("\n")[0])
def test_a_command(shown, capsysbinary, monkeypatch):
    line, _, output = shown.partition("\n")
    words = shlex.split(line)
    stdin = ""
    if words[0] == "echo":
        assert words[2] == "|"
        stdin, words = words[1] + "\n", words[3:]
    main = {"linmaxmatch": linmaxmatch.cli.main, "incbpe": incbpe.cli.main}[words[0]]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
    assert main(words[1:]) == 0
    assert capsysbinary.readouterr().out.decode() == output


def test_the_two_commands_are_named():
    assert "make demo" in TEXT
    assert "make test" in TEXT


def test_the_marked_sections_are_there():
    for name in ("notation", "speed"):
        assert TEXT.count(f"<!-- {name}:begin -->") == TEXT.count(f"<!-- {name}:end -->") == 1
