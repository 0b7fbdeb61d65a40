"""The progress bar: on a terminal for long inputs only, and the speed at the end."""
import io
import os

import pytest

from subwordio import progress
from subwordio.progress import Progress, bar_wanted


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def errors():
    return Terminal()


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "STEP", 0.0)


def test_a_long_input_shows_a_bar_and_its_speed(errors, impatient):
    with Progress(4_000_000, bar=True, errors=errors) as shown:
        for _ in range(4):
            shown.advance(1_000_000)
    states = errors.getvalue().split("\r")
    assert [state[32:38] for state in states[1:5]] == ["  25 %", "  50 %", "  75 %", " 100 %"]
    assert states[-2].strip() == ""            # the bar is wiped out
    assert states[-1].startswith("4.0 MB in ") and states[-1].endswith(" MB/s\n")


def test_an_input_of_unknown_length_shows_how_far_it_is(errors, impatient):
    with Progress(None, bar=True, errors=errors) as shown:
        shown.advance(2_500_000)
    assert errors.getvalue().split("\r")[1].startswith("2.5 MB  ")


def test_a_short_input_shows_nothing(errors):
    with Progress(1000, bar=True, errors=errors) as shown:
        shown.advance(1000)
    assert errors.getvalue() == ""


def test_without_a_bar_a_long_input_still_tells_its_speed(errors):
    with Progress(5_000_000, errors=errors) as shown:
        shown.advance(5_000_000)
    assert errors.getvalue().startswith("5.0 MB in ")
    assert "\r" not in errors.getvalue()


def test_quiet(errors, impatient):
    with Progress(5_000_000, bar=True, quiet=True, errors=errors) as shown:
        shown.advance(5_000_000)
    assert errors.getvalue() == ""


def test_after_an_error_no_speed_is_told(errors, impatient):
    with pytest.raises(ValueError, match="bad"), Progress(5_000_000, bar=True, errors=errors) as shown:
        shown.advance(2_000_000)
        raise ValueError("bad")
    assert "in" not in errors.getvalue()
    assert errors.getvalue().endswith("\r")


def test_a_bar_is_wanted_on_a_terminal_only(tmp_path):
    reading, writing = os.pipe()
    with open(tmp_path / "out", "wb") as file, os.fdopen(reading), os.fdopen(writing, "wb") as pipe:
        assert bar_wanted(file, Terminal())
        assert not bar_wanted(file, io.StringIO())             # errors go to a file or a pipe
        assert not bar_wanted(pipe, Terminal())                # the output is piped
        assert not bar_wanted(io.BytesIO(), Terminal())
