"""The rules of benchmarks/harness.py: no time without equality, the inexact marked, medians and ratios right."""
import argparse
import json
import os
import re
import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks import (
    bpe,
    bpe_linear,
    bpe_peers,
    charts,
    harness,
    linear,
    load,
    newlines,
    page,
    report,
    scale,
    suite,
    tables,
    threads,
    wordpiece,
    words,
)
from benchmarks.bpe_peers import Ours
from benchmarks.harness import Cell, NotEqualError, Peer, Setting
from benchmarks.peers import Ours as OursWordPiece
from benchmarks.peers import Tokenizers
from incbpe import BPE, SuffixAutomaton

DEEP = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
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
@pytest.mark.parametrize("state", ["warm", "other", "cold", "off"])
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


@pytest.mark.parametrize("state", ["warm", "other", "cold", "off"])
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
    row = suite.summary([result], [Same]).split("\n")[-1]
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


def test_the_other_state_times_texts_that_were_not_seen(setting: Setting, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    timed: list[list[str]] = []

    class Counted(Tokenizers):
        def load(self, setting: Setting) -> None:
            super().load(setting)
            self.encode_line = calls.append

    def clock(action: Callable[[], object]) -> float:
        calls.clear()
        action()
        timed.append(calls.copy())
        return 1.0

    monkeypatch.setattr(harness, "cpu_seconds", clock)
    turn = harness.other_turn(Counted, setting, "line", TEXTS[::2], TEXTS[1::2])
    assert [turn(), turn()] == [1.0, 1.0]
    assert timed == [TEXTS[::2]] * 2


def test_without_a_cache_ours_is_told_so(tmp_path: Path) -> None:
    tokens = tmp_path / "vocab.txt"
    tokens.write_text("[UNK]\na\n")
    for cache, some in ((True, 1), (False, 0)):
        ours = harness.fresh(OursWordPiece, Setting("tiny", tokens, cache=cache))
        ours.encode_line(" " * (1 << 20))
        ours.encode_line("a")
        assert ours.encode_line.__self__.inspect()["cache"]["tables"] == some  # type: ignore[attr-defined]


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
    assert suite.present([Absent, Tokenizers]) == [Tokenizers]


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
    assert suite.kept(path, {"slice": None}) == []
    stopped = report.results_of([asdict(result)], [], slice=None, versions={"same": "1"}, complete=False)
    report.write(path, stopped)
    assert suite.kept(path, {"slice": None, "versions": {"same": "1"}}) == [result]
    assert suite.kept(path, {"slice": 1_000_000, "versions": {"same": "1"}}) == []
    assert suite.kept(path, {"slice": None, "versions": {"same": "2"}}) == []
    report.write(path, {**stopped, "complete": True})
    assert suite.kept(path, {"slice": None, "versions": {"same": "1"}}) == []
    report.write(path, {**stopped, "machine": {}})
    assert suite.kept(path, {"slice": None, "versions": {"same": "1"}}) == []


def test_a_run_ends_after_its_minutes(setting: Setting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                      capsys: pytest.CaptureFixture[str]) -> None:
    cells = tuple(Cell("tiny", "tiny", call, "warm") for call in ("line", "batch", "document"))
    tiny = suite.Suite("tiny", ("tiny",), ("tiny",), cells, (Same,), lambda name: setting, lambda name: Tokenizers,
                       lambda name: (Wrong,), lambda *which: TEXTS, lambda *which: {"reading": lambda: None})
    now = 0.0

    def measured(cell: Cell, *arguments: object, **options: object) -> harness.Result:
        nonlocal now
        now += 50
        timing = harness.Timing("1", "array", True, 0, 2.0, [2.0], 3.0, 1.5)
        slow = {name: replace(timing, seconds=seconds) for name, seconds in (("x array", 5.0), ("tokenizers", 6.0))}
        peers = {Same.name: replace(timing, kind="list"), "incbpe array": timing, **slow}
        return harness.Result(cell, 1, 1.0, "tokenizers", peers, {"reading": 0.01})

    monkeypatch.setattr(harness, "pin", lambda: 0)
    monkeypatch.setattr(harness, "measure", measured)
    monkeypatch.setattr(suite.time, "monotonic", lambda: now)
    path = tmp_path / "x.json"
    suite.run(tiny, ["--slice", "1kB", "--minutes", "1", "--output", str(path)], "")
    content = json.loads(path.read_text())
    assert (content["complete"], len(content["results"]), len(content["left"])) == (True, 2, 1)
    assert "no time for 1 of 3 cells" in capsys.readouterr().err
    assert tables.cells(content).splitlines()[2] == (
        "| tiny, tiny, line, warm | 2.50 x | – | 1.5 tokenizers | 1/200 |")
    suite.run(tiny, ["--slice", "1kB", "--output", str(path)], "")
    content = json.loads(path.read_text())
    assert (content["complete"], len(content["results"]), content["left"]) == (True, 3, [])


def test_sizes() -> None:
    assert suite.size("1MB") == 1_000_000
    assert suite.size("1.5kB") == 1_500
    with pytest.raises(argparse.ArgumentTypeError, match="as in 1MB"):
        suite.size("1")


def test_slices_end_at_lines_and_the_cleaned_text_needs_no_cleaning(data: Path,
                                                                    monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKENIZER_DATA", str(data))
    whole, some = wordpiece.texts("sentences82", None, "cased"), wordpiece.texts("sentences82", 10_000, "cased")
    assert len(whole) == 1000
    assert some == whole[:len(some)]
    assert len("\n".join(some).encode()) <= 10_000
    cased = wordpiece.setting("cased")
    cleaned = wordpiece.texts("sentences82", None, "none")
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
    where, (_, reference, *_) = load.setting("uncased")
    same = load.Program("same", reference.package, reference.imports, reference.construct, reference.encode)
    result = load.measure("uncased", where, [same, reference], rounds=1)
    peer = result["peers"]["tokenizers"]
    assert peer["exact"] and peer["load_ms"] > 0 and peer["import_ms"] > 0 and peer["rss_mb"] > 1
    assert "uncased" in load.summary([result])
    wrong = load.Program("linmaxmatch", "tokenizers", reference.imports, reference.construct, "[1]")
    with pytest.raises(NotEqualError, match="linmaxmatch differs"):
        load.measure("uncased", where, [wrong, reference], rounds=1)
    broken = load.Program("broken", "tokenizers", "import no_such_module", "None", "[]")
    with pytest.raises(RuntimeError, match="no_such_module"):
        load.run(broken, where, where.vocabulary)


def test_a_saved_tokenizer_is_made_and_held_to_the_reference(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKENIZER_DATA", str(data))
    where, programs = load.setting("uncased")
    saved = programs[-1]
    assert saved.prepare and not any(program.prepare for program in programs[:-1])
    peers = load.measure("uncased", where, [*programs[:2], saved], rounds=1)["peers"]
    assert peers[saved.name]["exact"] and peers[saved.name]["load_ms"] < peers["linmaxmatch"]["load_ms"]
    wrong = load.Program("saved", saved.package, saved.imports, saved.construct, "[1]", prepare=saved.prepare)
    with pytest.raises(NotEqualError, match="saved differs"):
        load.measure("uncased", where, [*programs[:2], wrong], rounds=1)
    broken = load.Program("broken", saved.package, saved.imports, saved.construct, saved.encode, prepare="no_such_name")
    with pytest.raises(RuntimeError, match="no_such_name"):
        load.measure("uncased", where, [*programs[:2], broken], rounds=1)


def test_ours_and_the_reference_load_a_rank_table(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOKENIZER_DATA", str(data))
    where, programs = load.setting("gpt2")
    assert [program.name for program in programs[:2]] == ["incbpe", "tiktoken"]
    assert all(peer["exact"] for peer in load.measure("gpt2", where, programs[:2], rounds=1)["peers"].values())


def test_what_is_timed_beside_takes_its_turn(setting: Setting) -> None:
    calls: list[int] = []
    result = harness.measure(CELL, setting, TEXTS, reference=Tokenizers, ours=[Same], rounds=2,
                             beside={"reading": lambda: calls.append(sum(range(10**6)))})
    assert result.beside["reading"] > 0 and len(calls) >= 4
    assert "1/" in suite.summary([result], [Same]).split("\n")[-1]


def test_the_reference_in_the_form_of_this_kind(setting: Setting) -> None:
    result = harness.measure(CELL, setting, TEXTS, reference=Tokenizers, ours=[Same], rounds=1)
    assert result.like("array") == result.like("list") == "tokenizers"
    result.peers["tokenizers array"] = harness.Timing(**{**asdict(result.peers["same"]), "kind": "array"})
    assert (result.like("array"), result.like("list")) == ("tokenizers array", "tokenizers")


def test_newlines_are_counted() -> None:
    count = newlines.counter()
    assert count is not None
    for text in (b"", b"\n", b"a\n\nb", b"no newline", b"\n" * 1000 + b"\0\n"):
        assert count(text) == text.count(b"\n")


# BPE

def test_parts_are_what_tiktoken_merges_from() -> None:
    table = {token: i for i, token in enumerate([b"a", b"b", b"ab", b"bb", b"abb", b"ba", b"babb"])}
    assert bpe_peers.parts(b"abb", table) == [b"ab", b"b"]
    assert bpe_peers.parts(b"babb", table) == [b"b", b"abb"]
    assert bpe_peers.parts(b"a", table) == [b"a"]


def test_a_rank_table_without_splitting_is_one_model_for_all(tmp_path: Path) -> None:
    tokens = [bytes([b]) for b in range(256)] + [b"ab", b" a", b"aa", b"ba", b"abab", b"\n\n", b" ab"]
    path = bpe_peers.write_ranks(tmp_path / "tiny.tiktoken", {token: i for i, token in enumerate(tokens)})
    setting = Setting("tiny", path, pattern="none")
    text = "aab abab  ab\n\nbaa né abababab"
    given = {kind.name: harness.answers(harness.fresh(kind, setting), "document", [text, text])
             for kind in (bpe_peers.Tokenizers, bpe_peers.Tiktoken, bpe_peers.TiktokenArray, *bpe_peers.OURS)}
    assert set(map(str, given.values())) == {str(given["tokenizers"])}
    assert len(given["tokenizers"][0]) < 2 * len(text.encode())


@pytest.mark.parametrize("name", bpe.SETTINGS if DEEP else ("gpt2", "llama2"))
def test_ours_equals_the_reference(data: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("TOKENIZER_DATA", str(data))
    texts = bpe.SUITE.texts("multilingual", 3_000, name)
    result = harness.measure(Cell("multilingual", name, "line", "warm"), bpe.setting(name), texts,
                             reference=bpe.reference(name), ours=bpe.OURS, rounds=1)
    assert all(peer.exact for peer in result.peers.values())


@pytest.mark.parametrize("case", [*bpe_linear.TEXTS, *(hard.name for hard in bpe_linear.HARD)])
def test_the_hard_texts_have_their_length(data: Path, monkeypatch: pytest.MonkeyPatch, case: str) -> None:
    monkeypatch.setenv("TOKENIZER_DATA", str(data))
    hard = {hard.name: partial(hard.text, depth=64) for hard in bpe_linear.HARD}
    make = {**bpe_linear.TEXTS, **hard}[case]
    for n in (12, 4096, 65536):
        assert n - 3 < len(make(n).encode()) <= n


@pytest.mark.parametrize("hard", bpe_linear.HARD, ids=lambda hard: hard.name)
def test_hard_dictionaries(hard: bpe_linear.Hard, tmp_path: Path) -> None:
    depth = 64
    as_json, as_ranks = hard.setting(tmp_path, depth)
    engine = BPE.from_file(as_json.vocabulary)
    text = hard.text(2000, depth)
    given = [harness.answers(harness.fresh(kind, setting), "document", [text])
             for kind, setting in ((Ours, as_json), (Ours, as_ranks), (bpe_peers.Tiktoken, as_ranks),
                                   (bpe_peers.Tokenizers, as_json))]
    assert given == [given[0]] * 4
    counts = bpe_linear.counted(engine, text.encode())
    longest = b"a" * depth if hard.name == "chains" else b"a" * depth + b"b"
    assert len(SuffixAutomaton(engine.normalized()).chain(longest)) >= depth
    if hard.name == "chains":
        assert counts["longest_first"] > 20 > counts["most"]
    depths = {"a": 0, "b": 0}
    for x, y in hard.merges(depth):
        depths[x + y] = 1 + max(depths[x], depths[y])
    assert hard.name != "deep" or max(depths.values()) == depth


def test_the_count_is_held_to_its_bound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    as_json, _ = bpe_linear.HARD[1].setting(tmp_path, 64)
    engine = BPE.from_file(as_json.vocabulary)
    monkeypatch.setattr(bpe_linear.math, "log2", lambda n: -2)
    with pytest.raises(AssertionError, match="are allowed"):
        bpe_linear.counted(engine, b"a" * 100)


def test_a_first_call_that_fails_is_reported(setting: Setting) -> None:
    class Panics(Tokenizers):
        name = "panics"

        def load(self, setting: Setting) -> None:
            super().load(setting)
            self.encode_document = lambda text: 1 / 0

    rows = bpe_linear.first_calls("tiny", [(Panics, setting), (Tokenizers, setting)],
                                  harness.fresh(Tokenizers, setting).encode_document, "ab ".__mul__, [4, 8])
    assert [row.get("failed", row.get("exact")) for row in rows] == ["division by zero", True]
    line = {"case": "x", "ns_per_byte": {"4": 1.0}, "spread": 2.0,
            "counts": {"tests": 1, "visits": 1, "most": 1, "longest_first": 1}}
    table = bpe_linear.summary([line], rows)
    assert "2.00 !" in table and "failed" in table


def test_words_of_each_length(data: Path) -> None:
    sample = words.by_length([*(c * 3 for c in "abc"), *("abcd"[:k] for k in range(4)), "x" * 60, "y" * 61])
    assert list(sample) == [1, 2, 3, 60] and all(len(each) == words.SAMPLE for each in sample.values())
    assert set(sample[3]) == {"aaa", "bbb", "ccc", "abc"}
    assert words.words_of(["ab, c", "d"]) == ["ab", ",", "c", "d"]


def test_percentiles() -> None:
    assert words.percentile(range(1, 101), 0.95) == 95 and words.percentile([3, 1, 2], 0.95) == 3
    assert words.percentile([7], 0.95) == 7 and words.percentile(range(1, 21), 0.95) == 19


def test_words_and_texts_one_by_one(setting: Setting) -> None:
    peers = {kind.name: harness.fresh(kind, setting) for kind in (Tokenizers, OursWordPiece, Wrong)}
    right = [peers["tokenizers"].row(peers["tokenizers"].encode_line(text)) for text in TEXTS]
    assert words.must_equal(right, peers, TEXTS) == {"tokenizers": 0, OursWordPiece.name: 0, "wrong": 3}
    with pytest.raises(NotEqualError):
        words.must_equal([*right[1:], [9]], peers, TEXTS)
    table = words.table_three(peers, TEXTS, 2)
    assert set(table) == set(peers) and all(0 < row["mean"] <= row["p95"] * len(TEXTS) for row in table.values())


def test_two_threads_give_the_ids_of_one(data: Path) -> None:
    row = threads.measured("sentences82", "uncased", 20_000, 2)
    assert row["threads"] == 2 and set(row["seconds"]) == {"ours 1", "ours 2", "machine 1", "machine 2"}
    assert row["times"] == row["seconds"]["ours 1"] / row["seconds"]["ours 2"] and row["cpu"] > 0


def test_the_pictures_are_those_of_the_results(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("BENCHMARK_RESULTS", raising=False)
    page.main(["--check"])
    shown, there = (report.folder() / "README.md").read_text(encoding="utf-8"), set(os.listdir(report.folder()))
    sections = [section for section in page.SECTIONS if there.intersection(section.files)]
    assert all(f"## {section.title}\n" in shown for section in sections) and len(sections) >= 7
    assert {name for name in there if name.endswith(".svg")} == set(re.findall(r"\]\((.*?\.svg)\)", shown))
    for file in report.folder().glob("*.json"):
        shutil.copy(file, tmp_path)
    monkeypatch.setenv("BENCHMARK_RESULTS", str(tmp_path))
    with pytest.raises(SystemExit, match="texts.svg"):
        page.main(["--check"])
    page.main([])
    page.main(["--check"])
    (tmp_path / "words.svg").write_text("<svg/>")
    with pytest.raises(SystemExit, match=r": words\.svg$"):
        page.main(["--check"])


def test_charts_are_pictures_that_say_what_they_show() -> None:
    series = [charts.Series("ours", ((1, 2.0), (4, 30.0)), True), charts.Series("a <peer>", ((1, 3.0), (4, 31.0)))]
    rows = [("row", {"ours": 3.0, "a <peer>": 40.0}), ("other", {"ours": 5.0})]
    drawn = ((charts.lines("Title & more", "x", series), 6),
             (charts.dots("Title & more", "x", rows, ["ours", "a <peer>"]), 5),
             (charts.bars("Title & more", [("ours", 1.0, "1"), ("a <peer>", 30.0, "30")]), 2))
    for svg, marks in drawn:
        root = ElementTree.fromstring(svg)
        texts = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
        assert {"Title & more", "ours", "a <peer>"} <= set(texts)
        shapes = [root.iter(f"{{http://www.w3.org/2000/svg}}{name}") for name in ("circle", "polygon", "rect")]
        assert sum(len(list(each)) for each in shapes) == marks + 1         # and the paper
    assert charts.decades(3, 40) == [2, 5, 10, 20, 50]
    assert charts.apart({"a": 1, "b": 2, "c": 50}, 10) == {"a": 1, "b": 11, "c": 50}
    place = charts.logarithmic([1, 100], 0, 10)
    assert [round(place(value), 6) for value in (1, 10, 100)] == [0, 5, 10]


def test_the_figures_of_the_page_on_scale(tmp_path: Path) -> None:
    one = {"mb_s": 50.0, "cpu_s_per_gb": 18.0, "peak_mb": 60.0}
    speeds = {f"{way}, {cores}": one for way in scale.WAYS for cores in ("1 core", "2 cores")}
    speeds |= {"corpus, 2 cores": one | {"mb_s": 90.0}, "alone, 2 cores": one | {"mb_s": 100.0}, "disk, 2 cores": one}
    stages = {"read, gzip": 100.0, "line ends": 2000.0, "JSON lines of 89 bytes": 300.0, "checksum, in memory": 9}
    content = {"machine": report.machine(), "date": "2026-11-30T00:00:00", "load": [0.0], "results": [{
        "stages": stages, "speeds": [{"setting": "uncased", "bytes": 10**9, "tokens": 3 * 10**8, "speeds": speeds,
                                      "runs": {"alone": [one, one]}}],
        "long": [{"setting": "uncased", "bytes": 5e9, "seconds": 50.0, "mb_s": 100.0, "peak_mb": 80.0,
                  "parts": [{"ids_mb_s": 30.0 + i, "resident_mb": 70.0} for i in range(10)]}]}]}
    path = tmp_path / "scale.md"
    path.write_text(f"before\n{scale.BEGIN}\nold\n{scale.END}\nafter\n")
    page = scale.page(path, content)
    assert page.startswith("before\n") and page.endswith("after\n") and "old" not in page
    assert "corpus | 50 | 90 | 1.80 | 1.00, 0.90 | 18.0, 18.0 | 60 |" in page
    assert "| read, gzip | 100 of text | one thread |" in page and "| line ends | 2,000 of text | all threads |" in page
    assert "5.0 GB in 50 s, 100 MB/s of text, at most 80 MB resident" in page and "| 30.0 | 31.0 |" in page
    assert "| 5.0 core-hours | 500 core-hours |" in page and "| 0.60 TB | 60 TB |" in page
