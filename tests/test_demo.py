"""The demonstration: one page, and exit code 1 where something does not agree."""
import importlib.util
import sys
from pathlib import Path

import pytest

import proofs

SCRIPT = Path(__file__).parents[1] / "scripts" / "demo.py"
README = Path(__file__).parents[1] / "README.md"


@pytest.fixture
def demo(monkeypatch):
    monkeypatch.setattr(sys, "path", [*sys.path])
    spec = importlib.util.spec_from_file_location("demo", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "LONG", 50_000)
    monkeypatch.setattr(proofs, "summary", lambda: "lemma 1\nall hold")
    monkeypatch.setattr(sys, "argv", ["demo.py", str(README)])
    return module


def test_one_page(demo, capsys):
    assert demo.main() == 0
    out = capsys.readouterr().out
    assert len(out.splitlines()) <= 60
    for part in ("result  abcd ##z", "result  a ##bc ##z", "T    ab bb", "WordPiece, README.md: ", "BPE, README.md: ",
                 "MB/s", "the same ids", "all hold"):
        assert part in out


@pytest.mark.parametrize("text", ["", "one", "two words"])
def test_a_short_text(demo, capsys, tmp_path, monkeypatch, text):
    path = tmp_path / "short.txt"
    path.write_text(text)
    monkeypatch.setattr(sys, "argv", ["demo.py", str(path)])
    assert demo.main() == 0
    out = capsys.readouterr().out
    assert f"short.txt: {len(text)} bytes" in out
    assert ("MB/s" in out) == bool(text)


def test_other_ids_are_told(demo, capsys, monkeypatch):
    monkeypatch.setattr(demo, "lin_max_match", lambda tables, word: ["[UNK]"])
    assert demo.main() == 1
    assert "OTHER IDS" in capsys.readouterr().out


def test_a_statement_that_fails_is_told(demo, monkeypatch):
    monkeypatch.setattr(proofs, "summary", lambda: "1 FAIL")
    assert demo.main() == 1


def test_a_file_that_is_not_there(demo, capsys, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["demo.py", "no-such-file"])
    with pytest.raises(SystemExit) as stop:
        demo.main()
    assert stop.value.code == 2
    assert "no-such-file" in capsys.readouterr().err
