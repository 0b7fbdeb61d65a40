"""The rules of benchmarks/harness.py: no time without equality, the inexact marked, medians and ratios right."""
import argparse
import json
import time
from dataclasses import asdict
from pathlib import Path

import pytest

from benchmarks import harness, linear, load, report, wordpiece
from benchmarks.harness import Cell, NotEqualError, Peer, Setting
from benchmarks.peers import Tokenizers

TEXTS = ["a bc", "", "abc, b!", "unknown"]
CELL = Cell("tiny", "none", "line", "warm")


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    path = tmp_path / "vocab.txt"
    path.write_text("[UNK]\na\n##b\n##c\nb\n,\n!\n")
    return Setting("none", path, clean=False, lowercase=False)


class Same(Tokenizers):
    """A peer that is right, because it is the reference under another name."""

    name = "same"


class Other(Tokenizers):
    name = "other"


class Wrong(Tokenizers):
    """A peer whose every non-empty text has one id too many, however it is called."""

    name = "wrong"

    def load(self, setting: Setting) -> None:
        super().load(setting)
        encode = self.encode_line
        self.encode_line = lambda text: [*encode(text), 0] if text else []
        self.encode_batch = lambda texts: [self.encode_line(text) for text in texts]
        self.encode_document = self.encode_line


class ShortBatch(Tokenizers):
    """Right line by line, but its batch loses the last text."""

    name = "short batch"

    def load(self, setting: Setting) -> None:
        super().load(setting)
        encode_batch = self.encode_batch
        self.encode_batch = lambda texts: encode_batch(texts)[:-1]


def untimed(*args: object) -> float:
    raise AssertionError("something was timed")


@pytest.mark.parametrize("call", ["line", "batch", "document"])
@pytest.mark.parametrize("state", ["warm", "cold"])
def test_nothing_is_timed_when_ours_differs(setting: Setting, monkeypatch: pytest.MonkeyPatch, call: harness.Call,
                                            state: harness.State) -> None:
    monkeypatch.setattr(harness, "cpu_seconds", untimed)
    with pytest.raises(NotEqualError, match=r"wrong differs .* on (3 of 4|1 of 1) texts"):
        harness.measure(Cell("tiny", "none", call, state), setting, TEXTS, reference=Tokenizers, ours=[Wrong])


def test_a_lost_text_is_a_difference(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(harness, "cpu_seconds", untimed)
    with pytest.raises(NotEqualError, match="1 of 4 texts"):
        harness.measure(Cell("tiny", "none", "batch", "warm"), setting, TEXTS, reference=Tokenizers,
                        ours=[ShortBatch])


@pytest.mark.parametrize("state", ["warm", "cold"])
def test_an_inexact_peer_is_timed_marked_and_never_the_best(setting: Setting, monkeypatch: pytest.MonkeyPatch,
                                                            state: harness.State) -> None:
    seconds = {"tokenizers": 4.0, "other": 2.0, "wrong": 0.5, "same": 1.0}
    monkeypatch.setattr(harness, "interleaved",
                        lambda turns, rounds: {name: [seconds[name]] * rounds for name in turns})
    cell = Cell("tiny", "none", "line", state)
    result = harness.measure(cell, setting, TEXTS, reference=Tokenizers, ours=[Same],
                             others=[Wrong, Other], rounds=3)
    assert {name: (timing.exact, timing.differing) for name, timing in result.peers.items()} == {
        "tokenizers": (True, 0), "wrong": (False, 3), "other": (True, 0), "same": (True, 0)}
    assert result.peers["wrong"].seconds == 0.5
    assert result.best_exact("list", ["same"]) == "other"
    assert result.best_exact("array", ["same"]) is None
    row = wordpiece.summary([result]).split("\n")[-1]
    assert " *3" in row


def test_the_time_is_the_median_of_the_rounds_and_ratios_are_of_medians(setting: Setting,
                                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    rounds = {"tokenizers": [9.0, 1.0, 8.0, 2.0, 6.0], "same": [1.0, 100.0, 3.0, 2.0, 0.5]}
    monkeypatch.setattr(harness, "interleaved", lambda turns, n: {name: rounds[name][:n] for name in turns})
    result = harness.measure(CELL, setting, TEXTS, reference=Tokenizers, ours=[Same], rounds=5)
    assert result.peers["tokenizers"].seconds == 6.0
    assert result.peers["same"].seconds == 2.0
    assert result.peers["same"].times_reference == 3.0
    assert result.megabytes == len("\n".join(TEXTS)) / 1e6
    assert result.peers["same"].mb_per_s == result.megabytes / 2.0
    assert result.peers["same"].rounds == rounds["same"]


def test_peers_take_turns() -> None:
    order: list[str] = []
    clock = iter(range(100))

    def turn(name: str) -> float:
        order.append(name)
        return float(next(clock))

    seconds = harness.interleaved({name: lambda name=name: turn(name) for name in "ABC"}, rounds=3)  # type: ignore[misc]
    assert "".join(order) == "ABC" * 3
    assert seconds == {"A": [0, 3, 6], "B": [1, 4, 7], "C": [2, 5, 8]}


def test_a_cold_turn_is_the_first_pass_of_a_new_instance(setting: Setting) -> None:
    loads: list[int] = []
    calls: list[str] = []

    class Counted(Tokenizers):
        def load(self, setting: Setting) -> None:
            super().load(setting)
            loads.append(len(calls))
            self.encode_line = calls.append

    turn = harness.cold_turn(Counted, setting, "line", TEXTS)
    assert [turn() >= 0 for _ in range(3)] == [True] * 3
    assert loads == [0, 4, 8]
    assert calls == TEXTS * 3


def test_a_warm_turn_repeats_a_quick_pass_and_reads_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    def action() -> None:
        nonlocal now
        now += 0.005

    monkeypatch.setattr(time, "process_time", lambda: now)
    turn = harness.warm_turn(action)
    before = now
    assert turn() == pytest.approx(0.005)
    assert now - before == pytest.approx(harness.SHORTEST)


def test_an_absent_peer_has_no_version() -> None:
    class Absent(Peer):
        name, package, kind = "absent", "no-such-distribution", "list"

    assert Absent.version() is None
    assert wordpiece.present([Absent, Tokenizers]) == [Tokenizers]


def test_results_are_written_whole_with_their_origin(setting: Setting, tmp_path: Path) -> None:
    result = harness.measure(CELL, setting, TEXTS, reference=Tokenizers, ours=[Same], others=[Wrong],
                             rounds=1)
    path = tmp_path / "results" / "tiny.json"
    report.write(path, report.results_of([asdict(result)], ["absent"], slice=None, complete=False))
    content = json.loads(path.read_text())
    assert content["machine"]["processor"] and content["machine"]["python"]
    assert content["date"].endswith("+00:00")
    assert content["absent"] == ["absent"]
    assert content["results"][0]["peers"]["wrong"]["version"] == Tokenizers.version()
    assert [path.name for path in path.parent.iterdir()] == ["tiny.json"]


def test_a_stopped_run_goes_on_and_another_does_not_mix_in(setting: Setting, tmp_path: Path) -> None:
    result = harness.measure(CELL, setting, TEXTS, reference=Tokenizers, ours=[Same], others=[Wrong], rounds=1)
    path = tmp_path / "stopped.json"
    assert wordpiece.kept(path, {"slice": None}) == []
    stopped = report.results_of([asdict(result)], [], slice=None, versions={"same": "1"}, complete=False)
    report.write(path, stopped)
    assert wordpiece.kept(path, {"slice": None, "versions": {"same": "1"}}) == [result]
    assert wordpiece.kept(path, {"slice": 1_000_000, "versions": {"same": "1"}}) == []
    assert wordpiece.kept(path, {"slice": None, "versions": {"same": "2"}}) == []
    report.write(path, {**stopped, "complete": True})
    assert wordpiece.kept(path, {"slice": None, "versions": {"same": "1"}}) == []
    report.write(path, {**stopped, "machine": {}})
    assert wordpiece.kept(path, {"slice": None, "versions": {"same": "1"}}) == []


def test_sizes() -> None:
    assert wordpiece.size("1MB") == 1_000_000
    assert wordpiece.size("1.5kB") == 1_500
    with pytest.raises(argparse.ArgumentTypeError, match="as in 1MB"):
        wordpiece.size("1")


def test_slices_end_at_lines_and_the_cleaned_text_needs_no_cleaning(data: Path,
                                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKENIZER_DATA", str(data))
    whole, some = wordpiece.lines("sentences82", None, False), wordpiece.lines("sentences82", 10_000, False)
    assert len(whole) == 1000
    assert some == whole[:len(some)]
    assert len("\n".join(some).encode()) <= 10_000
    cased = wordpiece.setting("cased")
    cleaned = wordpiece.lines("sentences82", None, True)
    given = harness.answers(harness.fresh(Tokenizers, wordpiece.setting("none")), "line", cleaned)
    assert given == harness.answers(harness.fresh(Tokenizers, cased), "line", whole)


def test_the_step_counter_is_held_to_its_bounds() -> None:
    class Engine:
        def __init__(self, extra: int) -> None:
            self.extra = extra

        def steps(self, word: str) -> tuple[int, int]:
            return len(word), len(word) + self.extra

        def encode_word(self, word: str) -> list[int]:
            return [1] * len(word)

    single = linear.CASES[0]
    assert linear.count_steps(Engine(0), single, [3]) == {3: (3, 3)}
    with pytest.raises(AssertionError, match="4 moves on 3 letters"):
        linear.count_steps(Engine(1), single, [3])
    with pytest.raises(AssertionError, match="single"):
        linear.count_steps(Engine(-1), single, [3])


def test_loading_is_measured_in_processes_of_their_own(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKENIZER_DATA", str(data))
    result = load.measure("uncased", [load.REFERENCE], rounds=1)
    peer = result["peers"]["tokenizers"]
    assert peer["exact"] and peer["load_ms"] > 0 and peer["import_ms"] > 0 and peer["rss_mb"] > 1
    wrong = load.Program("linmaxmatch", "tokenizers", load.REFERENCE.imports, load.REFERENCE.construct, "[1]")
    with pytest.raises(NotEqualError, match="linmaxmatch differs"):
        load.measure("uncased", [wrong, load.REFERENCE], rounds=1)
    broken = load.Program("broken", "tokenizers", "import no_such_module", "None", "[]")
    with pytest.raises(RuntimeError, match="no_such_module"):
        load.run(broken, Path("x"), True)
