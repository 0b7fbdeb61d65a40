"""Corpora: every kind of input and output against encoding document by document, and equal bytes however it is run."""
import gzip
import io
import json
import os
import random
import struct
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from incbpe.bytepair import BPE
from incbpe.cli import main as incbpe_main
from incbpe.default import default_tokenizer_path
from linmaxmatch.cli import main
from linmaxmatch.default import default_vocabulary_path
from linmaxmatch.wordpiece import WordPiece
from subwordio.corpus import Recipe, make_corpus
from subwordio.corpus.shards import index

WORDS = ["hello", "world", "naïve", "unaffable", "東京", "!", "tokens", "a\u0301", "🙂", "x" * 150]


@pytest.fixture
def run(run_main):
    return partial(run_main, main)


@pytest.fixture(scope="module")
def tokenizer():
    return WordPiece.from_file(default_vocabulary_path())


@pytest.fixture(scope="module")
def documents():
    chance = random.Random(8)
    return [" ".join(chance.choices(WORDS, k=chance.randrange(30))) for _ in range(2000)]


@pytest.fixture(scope="module")
def expected(tokenizer, documents):
    return [tokenizer.encode(text).tolist() for text in documents]


@pytest.fixture
def text(tmp_path, documents):
    path = tmp_path / "in.txt"
    path.write_text("".join(text + "\n" for text in documents), encoding="utf-8", newline="\n")
    return path


def trained_on(prefix):
    """Sequences of a pair of files, as their readers find them: by the published layout, with nothing of ours."""
    raw = Path(f"{prefix}.idx").read_bytes()
    assert raw[:9] == b"MMIDIDX\x00\x00"
    version, code, n, documents = struct.unpack("<QBQQ", raw[9:34])
    assert version == 1
    dtype = {8: np.uint16, 4: np.int32}[code]
    sizes = np.frombuffer(raw, np.int32, n, 34)
    pointers = np.frombuffer(raw, np.int64, n, 34 + 4 * n)
    firsts = np.frombuffer(raw, np.int64, documents, 34 + 12 * n)
    assert len(raw) == 34 + 12 * n + 8 * documents
    assert firsts.tolist() == list(range(n + 1))
    ids = np.memmap(f"{prefix}.bin", dtype, "r") if os.path.getsize(f"{prefix}.bin") else np.empty(0, dtype)
    assert len(ids) == sizes.sum()
    return [ids[at // dtype().itemsize:][:size].tolist() for at, size in zip(pointers, sizes, strict=True)]


def sequences(folder):
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    return [row for shard in manifest["shards"]
            for row in trained_on(folder / shard["files"][0]["name"].removesuffix(".bin"))]


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name.startswith("shard-")}


def manifest_of(folder):
    return json.loads((folder / "manifest.json").read_text(encoding="utf-8"))


# ------------------------------------------------------------------------------------------------------ inputs

def test_text_a_document_a_line(run, text, tmp_path, expected):
    found = run("corpus", text, "--out", tmp_path / "out")
    assert (found.code, found.out, found.err) == (0, "", "")
    assert sequences(tmp_path / "out") == expected
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "manifest.json", "shard-000000.bin", "shard-000000.idx"]


@pytest.mark.parametrize("data", [b"", b"\n", b"one\n\ntwo", b"one\r\ntwo\n"])
def test_small_texts(run, tmp_path, tokenizer, data):
    (tmp_path / "in").write_bytes(data)
    assert run("corpus", tmp_path / "in", "--out", tmp_path / "out").code == 0
    lines = data.split(b"\n")
    assert sequences(tmp_path / "out") == [tokenizer.encode(line) for line in (lines if lines[-1] else lines[:-1])]


def test_a_document_a_file(run, tmp_path, tokenizer, documents):
    for i in range(5):
        (tmp_path / f"{i}.txt").write_text("\n".join(documents[i * 9:i * 9 + 9 * (i != 3)]), encoding="utf-8")
    paths = [tmp_path / f"{i}.txt" for i in range(5)]
    assert run("corpus", *paths, "--document", "--out", tmp_path / "out", "--shard-size", "1kB").code == 0
    assert sequences(tmp_path / "out") == [tokenizer.encode(path.read_text(encoding="utf-8")) for path in paths]
    assert len(manifest_of(tmp_path / "out")["shards"]) > 1


def test_standard_input(run, text, tmp_path, expected):
    assert run("corpus", "--out", tmp_path / "out", stdin=text.read_bytes()).code == 0
    assert sequences(tmp_path / "out") == expected
    assert run("corpus", "-", "--out", tmp_path / "zipped", stdin=gzip.compress(text.read_bytes())).code == 0
    assert contents(tmp_path / "zipped") == contents(tmp_path / "out")


def test_json_lines(run, tmp_path, documents, expected):
    lines = [json.dumps({"id": i, "body": text, "more": [text]}, ensure_ascii=i % 2 == 0)
             for i, text in enumerate(documents)]
    lines.insert(7, "  ")
    (tmp_path / "in.jsonl").write_text("\n".join(lines), encoding="utf-8", newline="\n")
    assert run("corpus", tmp_path / "in.jsonl", "--field", "body", "--out", tmp_path / "out").code == 0
    assert sequences(tmp_path / "out") == expected


@pytest.mark.parametrize("kind", ["gzip", "members", "zstd"])
def test_compressed_input(run, text, tmp_path, expected, kind):
    data = text.read_bytes()
    if kind == "zstd":
        zstd = pytest.importorskip("backports.zstd")
        packed = zstd.compress(data[:30_000]) + zstd.compress(data[30_000:])
    else:
        packed = gzip.compress(data)
        if kind == "members":
            packed = b"".join([gzip.compress(data[:1000]), bytes(10), gzip.compress(b""), gzip.compress(data[1000:]),
                               bytes(70_000)])
    (tmp_path / "in.bin").write_bytes(packed)
    assert run("corpus", tmp_path / "in.bin", "--out", tmp_path / "out", "--shard-size", "20kB").code == 0
    assert sequences(tmp_path / "out") == expected


@pytest.mark.parametrize("kind", ["string", "large_string", "binary"])
def test_parquet(run, tmp_path, documents, expected, kind):
    pyarrow, files = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    column = pyarrow.array(documents).cast(getattr(pyarrow, kind)())
    table = pyarrow.table({"n": range(len(documents)), "text": column})
    files.write_table(table, tmp_path / "in.parquet", row_group_size=700)
    assert run("corpus", tmp_path / "in.parquet", "--out", tmp_path / "out", "--shard-size", "20kB").code == 0
    assert sequences(tmp_path / "out") == expected
    assert len(manifest_of(tmp_path / "out")["shards"]) > 2


def test_a_huge_line_is_one_document(run, tmp_path, tokenizer):
    line = "hello unaffable world " * 150_000
    (tmp_path / "in").write_text(f"one\n{line}\ntwo\n", encoding="utf-8")
    assert run("corpus", tmp_path / "in", "--out", tmp_path / "out").code == 0
    assert sequences(tmp_path / "out") == [tokenizer.encode(text) for text in ("one", line, "two")]


# ------------------------------------------------------------------------------------------------------ outputs

def test_end_tokens_and_sequences(run, text, tmp_path, tokenizer, expected):
    sep = tokenizer.id("[SEP]")
    assert run("corpus", text, "--end-token", "[SEP]", "--out", tmp_path / "ended").code == 0
    ended = [[*ids, sep] for ids in expected]
    assert sequences(tmp_path / "ended") == ended
    assert run("corpus", text, "--end-token", "[SEP]", "--sequence-length", 64, "--out", tmp_path / "cut").code == 0
    flat = [id for ids in ended for id in ids]
    assert sequences(tmp_path / "cut") == [flat[i:i + 64] for i in range(0, len(flat), 64)]
    totals = manifest_of(tmp_path / "cut")["totals"]
    assert (totals["documents"], totals["tokens"]) == (len(ended), len(flat))
    assert totals["sequences"] == -(-len(flat) // 64)


def test_the_last_sequence_of_a_shard_may_be_shorter(run, text, tmp_path, expected):
    assert run("corpus", text, "--sequence-length", 100, "--shard-size", "20kB", "--out", tmp_path / "out").code == 0
    shards = manifest_of(tmp_path / "out")["shards"]
    assert len(shards) > 2
    done = 0
    for i, shard in enumerate(shards):
        rows = trained_on(tmp_path / "out" / f"shard-{i:06d}")
        assert [len(row) for row in rows[:-1]] == [100] * (len(rows) - 1)
        flat = [id for ids in expected[done:done + shard["documents"]] for id in ids]
        assert [id for row in rows for id in row] == flat
        done += shard["documents"]
    assert done == len(expected)


@pytest.mark.parametrize("form", ["arrow", "parquet"])
@pytest.mark.parametrize("length", [None, 64])
def test_tables(run, text, tmp_path, expected, form, length):
    pyarrow, files = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    cut = [] if length is None else ["--sequence-length", length]
    out = tmp_path / "out"
    assert run("corpus", text, "--format", form, "--shard-size", "20kB", *cut, "--out", out).code == 0
    rows, paths = [], sorted(out.glob(f"shard-*.{form}"))
    for path in paths:
        table = files.read_table(path) if form == "parquet" else pyarrow.ipc.open_file(path).read_all()
        assert table.schema.field("ids").type == pyarrow.list_(pyarrow.uint32())
        rows += table.column("ids").to_pylist()
    assert len(paths) > 2
    if length is None:
        assert rows == expected
    assert [id for row in rows for id in row] == [id for ids in expected for id in ids]
    assert run("corpus", "verify", out).code == 0


def test_ids_of_a_large_vocabulary_take_four_bytes(tmp_path, data, run_main):
    """A published layout of a trainer has no uint32: int32 it is, which has room for every id."""
    vocabulary = data / "vocabs/multilingual-cased-wordpiece.txt"
    (tmp_path / "in").write_text("东京 hello\n", encoding="utf-8")
    done = run_main(main, "corpus", tmp_path / "in", "--vocab", vocabulary, "--cased", "--out", tmp_path / "out")
    assert done.code == 0
    assert sequences(tmp_path / "out") == [WordPiece.from_file(vocabulary, lowercase=False).encode("东京 hello")]
    assert (tmp_path / "out/shard-000000.idx").read_bytes()[17] == 4


def test_bpe(run_main, text, tmp_path, documents):
    bpe = BPE.from_file(default_tokenizer_path())
    name = next(token.content for token in bpe.config.added_tokens)
    done = run_main(incbpe_main, "corpus", text, "--out", tmp_path / "out", "--end-token", name, "--shard-size", "30kB")
    assert (done.code, done.err) == (0, "")
    assert sequences(tmp_path / "out") == [[*bpe.encode(text), bpe.id(name)] for text in documents]
    assert run_main(incbpe_main, "corpus", "verify", tmp_path / "out").code == 0


def test_the_index_by_its_bytes():
    """Three sequences of 2, 0 and 1 ids of two bytes."""
    assert b"".join(index(memoryview(np.array([2, 0, 1], np.int32)), 2)).hex(" ", 8) == bytes.fromhex(
        "4d4d494449445800 00" "0100000000000000" "08" "0300000000000000" "0400000000000000"
        "02000000 00000000 01000000" "0000000000000000 0400000000000000 0400000000000000"
        "0000000000000000 0100000000000000 0200000000000000 0300000000000000").hex(" ", 8)


# ------------------------------------------------------------------------------------- the same whatever the threads

@pytest.mark.parametrize("form", ["bin", "arrow", "parquet"])
def test_the_bytes_do_not_depend_on_threads(tokenizer, text, tmp_path, form):
    recipe = Recipe(form=form, shard_size=9000, end=3)
    (tmp_path / "gz").write_bytes(gzip.compress(text.read_bytes()))
    found = []
    for threads in (1, 2, 16):
        made = make_corpus(tokenizer, [str(text), str(tmp_path / "gz")], str(tmp_path / f"{threads}"), recipe,
                           threads=threads)
        found.append(contents(tmp_path / f"{threads}"))
        assert made.documents == 4000
    assert len(found[0]) > 20
    assert found[0] == found[1] == found[2]
    manifests = [(tmp_path / f"{threads}/manifest.json").read_bytes() for threads in (1, 2, 16)]
    assert manifests[0] == manifests[1] == manifests[2]


def test_a_slow_block_holds_no_other_up_but_keeps_its_place(tokenizer, text, tmp_path, expected):
    class Uneven:
        fingerprint, vocab_size = tokenizer.fingerprint, tokenizer.vocab_size
        chance = random.Random(1)

        def encode_batch(self, texts, threads):
            for _ in range(self.chance.randrange(4)):
                tokenizer.encode_batch(list(texts) * 3, threads=1)
            return tokenizer.encode_batch(texts, threads=threads)

    make_corpus(Uneven(), [str(text)], str(tmp_path / "out"), Recipe(shard_size=3000), threads=5)
    assert sequences(tmp_path / "out") == expected


# ------------------------------------------------------------------------------------------------------ the command

def test_the_manifest(run, text, tmp_path, tokenizer, expected):
    run("corpus", text, "--out", tmp_path / "out", "--shard-size", "20kB")
    found = manifest_of(tmp_path / "out")
    assert found["tokenizer"]["fingerprint"] == tokenizer.fingerprint
    assert set(found["versions"]) == {"linmaxmatch-incbpe", "python", "unicode"}
    assert found["inputs"] == [{"path": str(text), "size": text.stat().st_size}]
    assert found["totals"] == {"documents": 2000, "sequences": 2000, "tokens": sum(map(len, expected)),
                               "bytes": text.stat().st_size, "skipped": 0}
    assert found["shards"][-1]["end"] == {"file": 0, "offset": text.stat().st_size, "line": 2000}


def test_a_terminal_sees_a_bar_and_a_pipe_does_not(run, text, tmp_path, monkeypatch):
    from subwordio import progress

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "LONG", 1)
    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    run("corpus", text, "--out", tmp_path / "bar", "--threads", 1)
    states = terminal.getvalue().split("\r")
    assert any("documents" in state and "tokens" in state and "MB/s" in state for state in states[1:-1])
    assert states[-1].startswith("0.6 MB, 2,000 documents, ")
    terminal.truncate(0)
    run("corpus", text, "--out", tmp_path / "quiet", "--quiet")
    assert terminal.getvalue() == ""


@pytest.mark.parametrize(("arguments", "code", "message"), [
    (["in.txt"], 2, "corpus needs --out DIR"),
    (["verify"], 2, "corpus verify: of which folder?"),
    (["verify", ".", "--document"], 2, "corpus verify reads a corpus again: --document says nothing there"),
    (["verify", ".", "--vocab", "x"], 2, "corpus verify reads a corpus again: --vocab says nothing there"),
    (["verify", ".", "--max-document", "5MB"], 2, "again: --max-document says nothing there"),
    (["in.txt", "--out", "o", "--shard-size", "many"], 1, "'many': expected a size such as 64MB or 1GiB"),
    (["in.txt", "--out", "o", "--shard-size", "0"], 1, "--shard-size: expected at least 1, got 0"),
    (["in.txt", "--out", "o", "--max-document", "3GiB"], 1, "--max-document: expected 1 to 2147483648, got 3221225472"),
    (["in.txt", "--out", "o", "--sequence-length", "0"], 1, "--sequence-length: expected 1 to 2^31 - 1, got 0"),
    (["in.txt", "--out", "o", "--threads", "0"], 1, "--threads: expected at least 1, got 0"),
    (["in.txt", "--out", "o", "--end-token", "none such"], 1, "--end-token 'none such': is no token of the vocabulary"),
    (["in.txt", "none.txt", "--out", "o"], 1, "none.txt: No such file or directory"),
    (["in.txt", ".", "--out", "o"], 1, ".: is a folder, not a file"),
    (["in.txt", "--out", "in.txt"], 1, "in.txt: File exists"),
    (["--input", "parquet", "--out", "o"], 1, "standard input: Parquet is read from files, since"),
    (["verify", "in.txt"], 1, "in.txt/manifest.json: Not a directory"),
    (["verify", "."], 1, ".: holds no corpus: there is no manifest.json"),
])
def test_wrong_usage_and_what_is_not_there(run, text, tmp_path, monkeypatch, arguments, code, message):
    monkeypatch.chdir(tmp_path)
    found = run("corpus", *arguments)
    assert found.code == code
    assert message in found.err
    assert not os.path.exists("o") or not os.listdir("o")


def test_a_folder_with_a_corpus_is_left_alone(run, text, tmp_path):
    run("corpus", text, "--out", tmp_path / "out")
    before = contents(tmp_path / "out")
    found = run("corpus", text, text, "--out", tmp_path / "out")
    assert found.code == 1
    assert "holds a corpus, finished or not: go on with --resume, or name another folder" in found.err
    assert contents(tmp_path / "out") == before


def test_extras_that_are_not_there_are_named(run, text, tmp_path, monkeypatch):
    import sys
    (tmp_path / "in.zst").write_bytes(b"\x28\xb5\x2f\xfd1234")
    for module, arguments in (("pyarrow", [text, "--format", "arrow"]), ("pyarrow", [text, "--input", "parquet"]),
                              ("backports", [tmp_path / "in.zst"]), ("compression", [tmp_path / "in.zst"])):
        if module == "compression" and sys.version_info < (3, 14):
            continue
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, module, None)
            found = run("corpus", *arguments, "--out", tmp_path / "out", "--quiet", "--resume")
        assert found.code == 1
        assert "pip install 'linmaxmatch-incbpe[corpus]'" in found.err


# ------------------------------------------------------------------------------------------------------ benchmarks

def test_the_benchmark_compares_before_it_measures(tokenizer, text, tmp_path):
    from benchmarks import corpus
    from benchmarks.harness import NotEqualError

    corpus.compare(tokenizer, text, tmp_path / "out")
    assert corpus.alone(tokenizer, text, 1)["tokens"] == corpus.corpus(tokenizer, text, 2, tmp_path / "out")["tokens"]

    class Other:
        fingerprint, vocab_size = tokenizer.fingerprint, tokenizer.vocab_size

        def encode_batch(self, texts, threads=None):
            return tokenizer.encode_batch(texts if threads is None else [b"other", *texts])

    with pytest.raises(NotEqualError):
        corpus.compare(Other(), text, tmp_path / "out")


def test_parts_of_a_long_run():
    from benchmarks.corpus import parts

    found = parts([(float(i), i * 3_000_000, 50_000_000 + i) for i in range(21)], 10)
    assert [part["ids_mb_s"] for part in found] == [3.0] * 10
    assert found[-1]["resident_mb"] == pytest.approx(50.00002)
