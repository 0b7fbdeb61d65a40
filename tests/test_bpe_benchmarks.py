"""The BPE measurements beyond one text in one call: streams, counts, crates, pictures. No time is asserted."""
import itertools
import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks import bpe, bpe_linear, bpe_rust, charts, growth, harness, pictures, stream, suite
from benchmarks.bpe_peers import IreeArray, Ours, OursList, Tiktoken, ToktokArray, streamed, write_ranks
from benchmarks.harness import Cell, NotEqualError, Setting
from incbpe.bytemap import byte_name

TOKENS = [*(bytes((b,)) for b in range(256)), b"lo", b"low", b"er", b" l", " é".encode()]
TEXTS = ["low lower", "", " élan  vital 東京", "l" * 5000]


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    path = write_ranks(tmp_path / "tiny.tiktoken", {token: i for i, token in enumerate(TOKENS)})
    return Setting("tiny", path, pattern="gpt2")


class NoStream(OursList):
    name = "no stream"

    def load(self, setting: Setting) -> None:
        super().load(setting)
        self.encode_chunks = self.encode_bytes = self.count = None


class Short(OursList):
    """Loses the last token wherever it may."""

    name = "short"

    def load(self, setting: Setting) -> None:
        super().load(setting)
        chunks, single, count = self.encode_chunks, self.encode_bytes, self.count
        self.encode_chunks = lambda given: chunks(given)[:-1]
        self.encode_bytes = lambda given: single(given)[:-1]
        self.count = lambda text: max(0, count(text) - 1)


def test_chunks_end_with_characters():
    for size in (4, 5, 7, harness.CHUNK):
        for text in [*TEXTS, "a東" * 50, "🧠é" * 40]:
            chunks = harness.chunks_of(text, size)
            assert "".join(chunks) == text and all(0 < len(chunk.encode()) <= size for chunk in chunks)
            assert all(len((a + b[:1]).encode()) > size for a, b in itertools.pairwise(chunks))
    assert b"".join(harness.bytes_of(TEXTS[2])) == TEXTS[2].encode()


def test_off_is_without_a_cache(setting: Setting) -> None:
    for cache in (True, False):
        peer = harness.fresh(Ours, replace(setting, cache=cache))
        peer.encode_line("low lower " * 2000)
        assert (peer.encode_line.__self__.inspect()["cache"]["bytes"] > 0) == cache


@pytest.mark.parametrize("call", ["count", "chunks", "bytes"])
def test_counts_and_streams_are_held_to_the_reference(setting: Setting, call: harness.Call) -> None:
    cell = Cell("tiny", "tiny", call, "warm")
    result = harness.measure(cell, setting, TEXTS, reference=Tiktoken, ours=[Ours], others=[NoStream, Short], rounds=1)
    assert set(result.peers) == {"incbpe array", "short"} and result.like("list") is None
    assert result.peers["incbpe array"].exact and not result.peers["short"].exact
    assert result.best_exact("list", ["incbpe array"]) is None and result.peers["short"].times_reference is None
    with pytest.raises(NotEqualError, match="short differs"):
        harness.measure(cell, setting, TEXTS, reference=Tiktoken, ours=[Short], rounds=1)
    assert "-" in suite.summary([result], [Ours])


def test_chinese_lines_are_measured_uncached_only(data) -> None:
    cells = bpe.HEADLINE
    assert {cell.state for cell in cells if cell.corpus == "Chinese"} == {"off"}
    options = suite.arguments(bpe.SUITE, ["--settings", "cl100k", "--calls", "document"], "")
    assert {cell.state for cell in suite.chosen(bpe.SUITE, options) if cell.corpus == "Chinese"} == {"off"}
    lines = bpe.texts("Chinese", 200_000, "cl100k")
    assert all(2 * sum(map(bpe_linear.is_han, line)) > len(line) for line in lines)
    assert len("\n".join(lines).encode()) <= 200_000 and len(set(lines)) < len(lines)


def test_batches_of_others_are_cut_where_texts_end() -> None:
    import numpy

    ids = numpy.array([5, 6, 7], "uint32")
    assert ToktokArray().rows((ids, [0, 2, 2, 3])) == [[5, 6], [], [7]]
    assert IreeArray().rows((ids, numpy.array([2, 0, 1]))) == [[5, 6], [], [7]]


def test_streamed() -> None:
    class Stream:
        def feed(self, chunk):
            return [len(chunk)]

        def finish(self):
            return [9]

    assert streamed(Stream(), "finish", ["a", "bc"]) == [1, 2, 9]


# stream.py

def test_a_stream_is_measured(setting: Setting, monkeypatch, capsys, tmp_path) -> None:
    monkeypatch.setattr(bpe, "setting", lambda name: setting)
    monkeypatch.setattr(stream, "text_of", lambda corpus, limit: "low lower lowlow\nl\n" * 40)
    monkeypatch.setattr(stream, "able", lambda setting: [Tiktoken])
    monkeypatch.setattr(stream.harness, "pin", lambda: 0)
    stream.main(["--settings", "gpt2", "--corpora", "english", "--rounds", "1", "--output", str(tmp_path / "x.json")])
    result, = json.loads((tmp_path / "x.json").read_text())["results"]
    latency = list(result["latency_ns"].values())
    assert latency == sorted(latency) and len(latency) == 4 and latency[0] > 0
    visits = result["counts"]["visits"]
    assert 1 <= visits["mean"] <= visits["most"] and set(result["overhead"]) == {*stream.CRITERIA, "in chunks"}
    for kind in ("chunks", "bytes"):
        cell = result["cells"][kind]
        assert cell["best"] == "again, tiktoken" and cell["exact"] == {"again, tiktoken": True}
        assert cell["ratio"] == cell["ns"]["again, tiktoken"] / cell["ns"]["stream"]
    arrival = result["arrival"]
    assert set(arrival["ns"]) == {"stream", "again, ours", "again, tiktoken"} and set(arrival["held"]) == {"stream"}
    assert 0 <= arrival["held"]["stream"]["mean"] <= arrival["held"]["stream"]["most"] < 40
    assert "feed of a byte" in capsys.readouterr().out


def test_an_inexact_peer_is_never_the_best_at_streams(setting: Setting) -> None:
    from incbpe import BPE

    class Wrong(Tiktoken):
        name = "wrong"

        def load(self, setting: Setting) -> None:
            self.encode_line = lambda text: [1]
            self.encode_chunks = lambda chunks: [1]

    tokenizer = BPE.from_file(setting.vocabulary, pattern=setting.pattern)
    found = stream.cell(tokenizer, {"wrong": harness.fresh(Wrong, setting)}, ["low l", "ow"], 1)
    assert found["exact"] == {"again, wrong": False, "wrong": False} and found["best"] is found["ratio"] is None
    assert set(found["ns"]) == {"stream", "again, ours", "again, wrong", "wrong"}


def test_a_stream_that_differs_is_not_timed() -> None:
    with pytest.raises(NotEqualError, match="nothing was timed"):
        stream.must_be([1, 2], [1], "x")


def test_what_is_held_back_and_encoded_again(setting: Setting) -> None:
    from incbpe import BPE

    tokenizer = BPE.from_file(setting.vocabulary, pattern="none")
    held = stream.held_back(tokenizer, tokenizer.stream(), ["l", "o", "w", "x"])
    assert held == {"mean": 3 / 4, "50 %": 0, "99 %": 2, "99.99 %": 2, "most": 2}

    class Wrong:
        def feed(self, chunk: str) -> list[int]:
            return [9_999]

    assert stream.held_back(tokenizer, Wrong(), ["l", "o"]) is None
    lines = []
    stream.again(lines.append, ["a", "b\nc", "d", "\n", "e"])
    assert lines == ["a", "ab\nc", "cd", "cd\n", "e"]
    assert stream.quantile([1.0], 0.9999) == 1.0


# bpe_rust.py: its program is played by a script, since cargo may be absent

PROGRAM = """
import struct, sys, time
name, ranks, merges, json = sys.argv[1:]
from tokenizers import Tokenizer
encode = Tokenizer.from_file(json).encode
print("right\\twrong\\ttokenizers", flush=True)
for line in sys.stdin:
    what, *rest = line.removesuffix("\\n").split("\\t")
    if what == "text":
        text = open(rest[0], encoding="utf-8").read()
        print("ok", flush=True)
        continue
    ids = encode(text, add_special_tokens=False).ids[rest[0] == "wrong":]
    if what == "ids":
        open(rest[1], "wb").write(struct.pack(f"<{len(ids)}I", *ids))
        print(len(ids), flush=True)
    else:
        print(1000, flush=True)
"""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "peers"
    path.write_text(f"#!{sys.executable}\n{PROGRAM}")
    path.chmod(0o755)
    return path


def test_crates_are_compared_and_timed(program: Path, tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(bpe_rust, "build", lambda target: program)
    monkeypatch.setattr(bpe_rust.harness, "pin", lambda: 0)
    bpe_rust.main(["--settings", "deep", "chains", "--depth", "16", "--lengths", "400", "900", "--rounds", "1",
                   "--output", str(tmp_path / "x.json")])
    content = json.loads((tmp_path / "x.json").read_text())
    assert [(result["setting"], result["text"], result["bytes"]) for result in content["results"]] == [
        (name, f"16, {n}", n) for name in ("deep", "chains") for n in (400, 900)]
    for result in content["results"]:
        assert result["exact"] == {"right": True, "wrong": False, "tokenizers": True}
        assert result["ns_per_byte"]["right"] == 1000 / result["bytes"]
    assert "mtc-inc-bpe" in content["absent"] and content["crates"]["mtc-inc-bpe"]
    assert " *" in capsys.readouterr().out
    assert list(pictures.bpe_rust(content)) == ["crates-deep", "crates-chains"]


def test_crates_that_ours_differs_from(program: Path, tmp_path: Path, monkeypatch) -> None:
    program.write_text(program.read_text().replace('== "wrong"', '!= "right"'))
    found = bpe_rust.case("deep", tmp_path, 100, [300], 8)
    crates = bpe_rust.Crates(program, tmp_path, *found.arguments)
    monkeypatch.setattr(harness, "cpu_seconds", lambda *arguments: pytest.fail("something was timed"))
    try:
        with pytest.raises(NotEqualError, match="deep: 8, 300"):
            bpe_rust.measure(found, crates, 1)
    finally:
        crates.close()


def test_without_cargo(monkeypatch, capsys, tmp_path) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert bpe_rust.build(tmp_path) is None
    bpe_rust.main(["--output", str(tmp_path / "x.json")])
    assert "cargo is absent" in capsys.readouterr().err and not (tmp_path / "x.json").exists()


def test_a_crate_that_does_not_build_is_left_out(monkeypatch, capsys, tmp_path) -> None:
    cargo = tmp_path / "cargo"
    cargo.write_text('#!/bin/sh\ncase "$*" in *tiktoken-rs*) echo "no such crate" >&2; exit 1;; esac\n'
                     f'mkdir -p {tmp_path}/release && echo "$*" > {tmp_path}/release/peers\n')
    cargo.chmod(0o755)
    monkeypatch.setattr(bpe_rust.shutil, "which", lambda name: str(cargo) if name == "cargo" else None)
    program = bpe_rust.build(tmp_path)
    assert program == tmp_path / "release" / "peers"
    assert "--features=mtc-inc-bpe,bpe,bpe-openai,tokenizers" in program.read_text()
    assert "tiktoken-rs: not built: ['no such crate']" in capsys.readouterr().err


def test_merges_of_a_rank_table_and_what_the_program_reads(tmp_path: Path) -> None:
    table = {token: i for i, token in enumerate(TOKENS)}
    merges = bpe_rust.merges_of(table)
    assert merges == [(b"l", b"o"), (b"lo", b"w"), (b"e", b"r"), (b" ", b"l")]       # é takes two bytes, of no token
    first, second = bpe_rust.hexadecimal(tmp_path, "x", TOKENS, merges)
    assert [bytes.fromhex(line) for line in first.read_text().splitlines()] == TOKENS
    assert second.read_text().splitlines()[1] == "6c6f 77" and byte_name(b" ") == "Ġ"


# What is shown of them

LINEAR = {"first_calls": [
    {"case": "a, none", "peer": "slow list", "exact": True, "ns_per_byte": {"1000": 100.0, "100000": 1000.0}},
    {"case": "a, none", "peer": "other", "exact": False, "ns_per_byte": {"1000": 1.0}},
    {"case": "deep", "peer": "broken", "failed": "panic"}],
    "results": [{"case": "a, none", "ns_per_byte": {"1000": 10.0, "100000": 10.0}},
                {"case": "0, none", "ns_per_byte": {"1000": 10.0}},
                {"case": "deep, 4096", "ns_per_byte": {"1000": 9.0}}]}


def test_curves() -> None:
    assert growth.curves(LINEAR) == {
        "repetitions": [charts.Series("incbpe", ((1000, 10.0), (100_000, 10.0)), True),
                        charts.Series("slow", ((1000, 100.0), (100_000, 1000.0)))],
        "deep": [charts.Series("incbpe", ((1000, 9.0),), True)]}
    none = {"setting": "none", "ns_per_byte": {"x": 2.0, "incbpe": 1.0, "y": 3.0}, "exact": {"x": True, "y": False}}
    rust = {"results": [none | {"text": "a, 100", "bytes": 100}, none | {"text": "a, 10", "bytes": 10},
                        none | {"text": "english", "bytes": 10}]}
    assert growth.curves(rust) == {"repetitions": [charts.Series("incbpe", ((10, 1.0), (100, 1.0)), True),
                                                   charts.Series("x", ((10, 2.0), (100, 2.0)))]}


def test_a_picture_has_its_points_where_they_belong() -> None:
    drawn = pictures.bpe_linear(LINEAR)
    assert list(drawn) == ["bpe-repetitions", "bpe-deep"]
    root = ElementTree.fromstring(drawn["bpe-repetitions"])
    texts = [text.text for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"slow", "incbpe", "1,000", "100,000", "10"} <= set(texts) and "other" not in texts
    lines = [[tuple(map(float, point.split(","))) for point in line.get("points").split()]
             for line in root.iter("{http://www.w3.org/2000/svg}polyline")]
    ours, slow = lines
    assert slow[0][0] == ours[0][0] == charts.LEFT and slow[1][0] == ours[1][0] == charts.WIDTH - charts.RIGHT
    assert ours[0][1] == ours[1][1] and slow[1][1] == charts.TOP + 8        # level; and at the top
    assert ours[0][1] - slow[0][1] == pytest.approx(slow[0][1] - slow[1][1], abs=0.2)       # a decade each
