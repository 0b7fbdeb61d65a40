"""Damaged inputs, full disks and killed runs: one clear line, nothing lost, and the same bytes in the end."""
import contextlib
import gzip
import io
import itertools
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import zlib
from functools import partial

import pytest

from linmaxmatch.cli import main
from linmaxmatch.default import default_vocabulary_path
from linmaxmatch.wordpiece import WordPiece
from subwordio.corpus import Recipe, faults_of, make_corpus
from subwordio.corpus import run as running
from subwordio.corpus.verify import CODES
from tests.test_corpus import contents, manifest_of, sequences


@pytest.fixture
def run(run_main):
    return partial(run_main, main)


@pytest.fixture(scope="module")
def tokenizer():
    return WordPiece.from_file(default_vocabulary_path())


@pytest.fixture
def inside(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


LINES = [f"line {i} of unaffable text" for i in range(400)]
TEXT = "".join(line + "\n" for line in LINES).encode()


# ------------------------------------------------------------------------------------------------- damaged inputs

def parquet(column, **more):
    pyarrow, files = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    sink = pyarrow.BufferOutputStream()
    files.write_table(pyarrow.table({"text": column, **more}), sink, row_group_size=3)
    return sink.getvalue().to_pybytes()


def cut_parquet():
    """Whole at both ends, and overwritten between."""
    data = parquet(["word " * 50] * 9)
    return data[:100] + bytes(200) + data[300:]


ZIPPED = gzip.compress(TEXT, mtime=0)
DAMAGED = {     # name: (bytes, what is said of it, how many faults, the documents that are left)
    "utf8.txt": (b"one\ntw\xffo\nthree\n", "utf8.txt, line 2: not UTF-8: invalid start byte (0xff, byte 3 of it)", 1,
                 ["one", "three"]),
    "long.txt": (b"one\n" + b"x" * 3_000_000 + b"\ntwo\n",
                 "long.txt, line 2: a document of more than 2000000 bytes (--max-document)", 1, ["one", "two"]),
    "last.txt": (b"one\n" + b"x" * 3_000_000,
                 "last.txt, line 2: a document of more than 2000000 bytes (--max-document)", 1, ["one"]),
    "broken.jsonl": (b'{"text": "one"}\n{"text": "tw\n{"text": "three"}',
                     "broken.jsonl, line 2: not JSON: Unterminated string starting at (column 10)", 1,
                     ["one", "three"]),
    "field.jsonl": (b'{"text": "one"}\n\n{"txt": "two"}\n', "field.jsonl, line 3: no field 'text'", 1, ["one"]),
    "type.jsonl": (b'{"text": 1}\n{"text": null}\n{"text": ["a"]}\n{"text": "ok"}',
                   "type.jsonl, line 1: field 'text': expected a string, found a number", 3, ["ok"]),
    "array.jsonl": (b'["text"]\n"text"\n12\n', "array.jsonl, line 1: expected an object, found an array", 3, []),
    "utf8.jsonl": (b'{"text": "\xc3"}\n', "utf8.jsonl, line 1: not UTF-8: invalid continuation byte (0xc3", 1, []),
    "deep.jsonl": (b"[" * 100_000 + b"\n", "deep.jsonl, line 1: nested too deep", 1, []),
    "digits.jsonl": (b'{"text": ' + b"1" * 5000 + b"}\n", "digits.jsonl, line 1: not JSON that can be read: ", 1, []),
    "cut.gz": (ZIPPED[:-300], "is cut off: its gzip data end before their end is marked", 1, None),
    "tail.gz": (ZIPPED[:-4], "cut off: its gzip data end before their end is marked", 1, LINES),
    "sum.gz": (ZIPPED[:-8] + b"1234" + ZIPPED[-4:],
               "is damaged: Error -3 while decompressing data: incorrect data check", 1, None),
    "more.gz": (ZIPPED + b"more", "more.gz, after line 400: is damaged: Error -3", 1, LINES),
    "none.parquet": (b"PAR1 is how it begins", "none.parquet: is no Parquet file that can be read: ", 1, []),
    "column.parquet": (partial(parquet, ["a"], field=[1]), "column.parquet: no column 'body' among text, field", 1, []),
    "type.parquet": (partial(parquet, ["a"], body=[1]), "type.parquet: column 'body': expected strings, found int64", 1,
                     []),
    "null.parquet": (partial(parquet, ["a"] * 5, body=["a", "b", None, "c", None]),
                     "null.parquet, row 3: field 'body': expected a string, found null", 2, ["a", "b", "c"]),
    "utf8.parquet": (partial(parquet, ["a"] * 3, body=[b"a", b"b\xff", b"c"]),
                     "utf8.parquet, row 2: not UTF-8: invalid start byte (0xff, byte 2 of it)", 1, ["a", "c"]),
    "pages.parquet": (cut_parquet, "pages.parquet", 1, None),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_input(run, inside, tokenizer, name):
    data, message, faults, left = DAMAGED[name]
    data = data() if callable(data) else data
    (inside / name).write_bytes(data)
    (inside / "before").write_text("before\n")
    field = ["--field", "body"] if name.endswith(".parquet") else []
    arguments = ["corpus", "before", name, "before", *field, "--max-document", "2MB"]

    stopped = run(*arguments, "--out", "stop")
    assert stopped.code == 1
    assert stopped.err.startswith(f"linmaxmatch: {name}")
    assert message in stopped.err
    assert stopped.err.count("\n") == 1
    assert os.listdir("stop") == ["journal.jsonl"]

    skipped = run(*arguments, "--on-error", "skip", "--out", "skip")
    assert (skipped.code, skipped.err.splitlines()[-1]) == (
        0, f"linmaxmatch: {faults} left out: skip/manifest.json lists them")
    listed = manifest_of(inside / "skip")["skipped"]
    assert len(listed) == faults == manifest_of(inside / "skip")["totals"]["skipped"]
    assert all(fault["file"] == name for fault in listed)
    rows = sequences(inside / "skip")
    before = list(tokenizer.encode("before"))
    assert rows[0] == rows[-1] == before
    if left is not None:
        assert rows[1:-1] == [tokenizer.encode(text) for text in left]
    assert list(faults_of("skip")) == []
    resumed = run(*arguments, "--on-error", "skip", "--resume", "--out", "stop")
    assert resumed.code == 0
    assert contents(inside / "stop") == contents(inside / "skip")
    assert manifest_of(inside / "stop") == manifest_of(inside / "skip")


def test_damaged_zstandard(run, inside):
    zstd = pytest.importorskip("backports.zstd")
    data = zstd.compress(TEXT)
    for name, content, message in (("cut.zst", data[:-40], "cut.zst"), ("bad.zst", data[:300] + bytes(20), "bad.zst")):
        (inside / name).write_bytes(content)
        found = run("corpus", name, "--out", name + ".out")
        assert (found.code, found.err.count("\n")) == (1, 1)
        assert message in found.err


def test_what_was_read_before_the_damage_is_whole_lines(run, inside, tokenizer):
    for cut in range(20, len(ZIPPED), 211):
        (inside / "cut.gz").write_bytes(ZIPPED[:cut])
        assert run("corpus", "cut.gz", "--on-error", "skip", "--out", f"{cut}").code == 0
        rows = sequences(inside / f"{cut}")
        assert rows == [tokenizer.encode(line) for line in LINES[:len(rows)]]


def test_files_that_are_documents_are_damaged(run, inside, tokenizer):
    for name, data in (("a", b"one"), ("b", b"\xff"), ("c", ZIPPED[:-9]), ("d", b"y" * 3000), ("e", b"two")):
        (inside / name).write_bytes(data)
    arguments = ["corpus", *"abcde", "--document", "--max-document", "1kB", "--out", "out"]
    assert run(*arguments).err == "linmaxmatch: b: not UTF-8: invalid start byte (0xff, byte 1 of it)\n"
    assert run(*arguments, "--on-error", "skip", "--resume").code == 0
    assert sequences(inside / "out") == [tokenizer.encode("one"), tokenizer.encode("two")]
    assert [(fault["file"], fault["reason"][:20]) for fault in manifest_of(inside / "out")["skipped"]] == [
        ("b", "not UTF-8: invalid s"), ("c", "a document of more t"), ("d", "a document of more t")]


def test_of_several_faults_the_first_is_told_whatever_the_threads(run, inside):
    lines = TEXT.split(b"\n")
    for i in (350, 100, 20):
        lines[i] = b"\xff"
        (inside / "in").write_bytes(b"\n".join(lines))
        for threads in (1, 7):
            found = run("corpus", "in", "--out", f"{i}-{threads}", "--threads", threads, "--shard-size", "300")
            assert found.err.startswith(f"linmaxmatch: in, line {i + 1}: not UTF-8")


def test_more_faults_than_are_listed_are_counted(tokenizer, inside, monkeypatch):
    monkeypatch.setattr("subwordio.corpus.writer.MOST_LISTED", 5)
    monkeypatch.setattr("subwordio.corpus.journal.MOST_LISTED", 7)
    (inside / "in").write_bytes(b"\xff\n" * 40)
    made = make_corpus(tokenizer, ["in"], "out", Recipe(shard_size=40), skip=True)
    assert (made.skipped, made.documents) == (40, 0)
    assert manifest_of(inside / "out")["totals"]["skipped"] == 40
    assert len(manifest_of(inside / "out")["skipped"]) == 7


# ------------------------------------------------------------------------------------------------- the disk

def limited(most):
    """For the child: no file of more than `most` bytes."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def command(*arguments):
    return [sys.executable, "-c", f"import sys; sys.path[:0] = {sys.path}; from linmaxmatch.cli import main; "
            "sys.exit(main(sys.argv[1:]))", "corpus", *map(str, arguments)]


def test_a_full_disk(inside):
    (inside / "in").write_bytes(TEXT * 10)
    arguments = ["in", "--out", "out", "--shard-size", "20kB"]
    full = subprocess.run(command(*arguments), preexec_fn=limited(6000), capture_output=True,
                          text=True, check=False)
    assert full.returncode == 1
    assert full.stderr.startswith("linmaxmatch: out/shard-00000") and full.stderr.count("\n") == 1
    assert "File too large" in full.stderr
    assert [name for name in os.listdir("out") if name.endswith(".part")] == []
    kept = contents(inside / "out")
    assert subprocess.run(command(*arguments, "--resume"), capture_output=True, check=False).returncode == 0
    assert subprocess.run(command(*arguments[:2], "whole", *arguments[3:]), check=False).returncode == 0
    assert contents(inside / "out") == contents(inside / "whole")
    assert kept.items() <= contents(inside / "whole").items()


@pytest.fixture
def disk(tmp_path):
    """disk(kB): a file system of that size at one place, which keeps what is on it; only root can mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()

    def mount(*options):
        return shutil.which("mount") and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", folder], capture_output=True,
            check=False).returncode

    if not mount("size=64k"):
        pytest.skip("no file system can be mounted here")

    def resized(size):
        assert mount("remount", f"size={size}k")
        return folder
    yield resized
    subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.mark.parametrize("form", ["bin", "arrow", "parquet"])
def test_a_full_file_system(run, inside, disk, form):
    """It has room for one page more, again and again: whatever could not be written, the run says it in a line, nothing
    unfinished stays, what was finished is kept, and the next run goes on from there."""
    if form != "bin":
        pytest.importorskip("pyarrow.parquet")
    (inside / "in").write_bytes(TEXT)
    arguments = ["corpus", "in", "--format", form, "--shard-size", "3kB"]
    assert run(*arguments, "--out", "whole").code == 0
    whole, kept, full, seen = contents(inside / "whole"), {}, 0, set()
    for size in range(4, 400, 4):
        out = disk(size) / "out"
        found = run(*arguments, "--out", out, "--resume", "--on-error", "skip" if size % 8 else "stop")
        if not found.code:
            break
        name, reason = found.err.removeprefix("linmaxmatch: ").removesuffix("\n").rsplit(": ", 1)
        assert (found.code, found.err.count("\n"), reason) == (1, 1, "No space left on device")
        assert name.startswith(f"{out}")
        full, seen = full + 1, seen | {re.sub(r"\d+", "", name.rpartition("/")[2])}
        if out.exists():
            assert [name for name in os.listdir(out) if name.endswith(".part")] == []
            assert kept.items() <= contents(out).items() <= whole.items()
            kept = contents(out)
    assert contents(out) == whole and manifest_of(out) == manifest_of(inside / "whole")
    # which files there was no room for is by their sizes and the file system's: of all of them, the test below
    assert full >= 3 and f"shard-.{form}" in seen, (full, seen)
    assert run("corpus", "verify", out).code == 0


def test_whichever_file_finds_the_disk_full(inside, tokenizer, monkeypatch):
    """Each of a run's files in turn, when it is put on the disk: the run says which, and the next one goes on."""
    (inside / "in").write_bytes(TEXT)
    recipe = Recipe(shard_size=1000)
    make_corpus(tokenizer, ["in"], "whole", recipe)
    real, left, seen = os.fsync, 0, set()

    def fsync(handle):
        nonlocal left
        left -= 1
        if not left:
            raise OSError(28, "No space left on device")
        real(handle)

    for which in itertools.count(1):
        out, left = f"out-{which}", which
        with monkeypatch.context() as patch:
            patch.setattr(os, "fsync", fsync)
            try:
                make_corpus(tokenizer, ["in"], out, recipe, threads=2)
                break
            except OSError as error:
                assert (error.strerror, os.path.dirname(error.filename)) == ("No space left on device", out)
                seen.add(re.sub(r"\d+", "", os.path.basename(error.filename)))
        assert not (inside / out / "manifest.json").exists()
        make_corpus(tokenizer, ["in"], out, recipe, resume=True)
        assert contents(inside / out) == contents(inside / "whole")
    assert which > 12 and seen == {"shard-.bin", "shard-.idx", "journal.jsonl", "manifest.json"}


@pytest.fixture
def run_as_nobody(run):
    """`run`, by a user to whom not all is open: in a forked child where we are root."""
    def forked(*arguments):
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            code, err = 99, io.StringIO()
            try:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
                with contextlib.redirect_stderr(err):
                    code = main([str(argument) for argument in arguments])
            finally:
                os.write(writing, err.getvalue().encode())
                os._exit(code)
        os.close(writing)
        with open(reading, "rb") as file:
            err = file.read().decode()
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), err

    def direct(*arguments):
        found = run(*arguments)
        return found.code, found.err
    if not hasattr(os, "geteuid"):
        pytest.skip("there are no users here")
    return direct if os.geteuid() else forked


def test_a_folder_that_cannot_be_written(run, run_as_nobody, inside):
    (inside / "in").write_bytes(TEXT)
    (inside / "file").write_text("")
    found = run("corpus", "in", "--out", "file/out")
    assert (found.code, found.err) == (1, "linmaxmatch: file/out: Not a directory\n")
    (inside / "bad").write_bytes(TEXT + b"\xff")
    begun = ["bad", "--out", "begun", "--shard-size", "1kB"]
    assert run("corpus", *begun).code == 1
    kept = contents(inside / "begun")
    (inside / "closed").write_bytes(TEXT)
    for name, mode in (("closed", 0), ("out", 0o555), ("begun", 0o555), ("begun/journal.jsonl", 0o444), (".", 0o555)):
        if name == "out":
            (inside / name).mkdir()
        (inside / name).chmod(mode)
    try:
        for arguments, named in ((["in", "--out", "new"], "new"), (["in", "--out", "out"], "out/journal.jsonl"),
                                 (["closed", "--out", "out"], "closed"),
                                 ([*begun, "--resume"], "begun/journal.jsonl")):
            for on_error in ("stop", "skip"):
                assert run_as_nobody("corpus", *arguments, "--on-error", on_error) == (
                    1, f"linmaxmatch: {named}: Permission denied\n")
    finally:
        for name in (".", "begun", "begun/journal.jsonl"):
            (inside / name).chmod(0o755)
    assert contents(inside / "begun") == kept and kept and os.listdir("out") == [] and not os.path.exists("new")
    assert run("corpus", *begun, "--resume", "--on-error", "skip").code == 0
    assert kept.items() <= contents(inside / "begun").items()


# ------------------------------------------------------------------------------------------------- going on

@pytest.fixture(scope="module")
def killable(tmp_path_factory):
    """Inputs of every kind that is read to where it was, and the corpus of a run that nobody disturbs."""
    folder = tmp_path_factory.mktemp("killable")
    chance = random.Random(4)
    lines = [" ".join(chance.choices(["unaffable", "hello", "naïve", "東京"], k=chance.randrange(40)))
             for _ in range(1500)]
    text = "\n".join(lines).encode()
    (folder / "a.txt").write_bytes(text)
    (folder / "b.gz").write_bytes(gzip.compress(text))
    (folder / "c.jsonl").write_text("".join(json.dumps({"text": line}) + "\n" for line in lines))
    arguments = [folder / "a.txt", folder / "b.gz", folder / "c.jsonl", "--shard-size", "5kB", "--end-token", "[SEP]",
                 "--sequence-length", "32", "--threads", "2"]
    assert subprocess.run(command(*arguments, "--out", folder / "whole"), check=False).returncode == 0
    return folder, arguments


def test_killed_at_any_moment_it_goes_on(killable, tmp_path, deep):
    """SIGKILL at random moments, some runs more than once: the same files and the same manifest in the end."""
    folder, arguments = killable
    chance = random.Random(time.time_ns())
    whole = contents(folder / "whole")
    killed = 0
    for trial in range(50 if deep else 2):
        out = tmp_path / f"{trial}"
        while True:
            child = subprocess.Popen(command(*arguments, "--out", out, "--resume"))
            until = len(list(out.glob("shard-*.bin"))) + chance.randrange(1, len(whole) // 3)
            while child.poll() is None and len(list(out.glob("shard-*.bin"))) < until:
                time.sleep(0.0005)
            done = {path.name: path.stat().st_mtime_ns for path in out.glob("shard-*")}
            child.send_signal(signal.SIGKILL)
            if child.wait() == 0:
                break
            killed += 1
            if (out / "manifest.json").exists():                            # just before it had ended by itself
                continue
            journal = out / "journal.jsonl"
            finished = journal.read_bytes().count(b'"documents"') if journal.exists() else 0
            files = [*out.glob("shard-*.bin"), *out.glob("shard-*.idx")]
            assert len(files) - 2 * finished <= 4                           # those of two threads
            assert len(list(out.glob(".shard-*.bin.part"))) <= 2           # one a thread
            assert done.keys() <= {path.name for path in out.glob("shard-*")}
        assert contents(out) == whole
        assert manifest_of(out) == manifest_of(folder / "whole")
        assert sorted(path.name for path in out.iterdir()) == sorted([*whole, "manifest.json"])
        shutil.rmtree(out)
    assert killed >= (50 if deep else 2)


def test_what_is_finished_is_not_made_again(tokenizer, inside, monkeypatch):
    """Every document is encoded once, but those of the shards that were not finished: one a thread at most."""
    (inside / "in.gz").write_bytes(ZIPPED)
    recipe = Recipe(shard_size=1000)
    journal, enough = inside / "out/journal.jsonl", 300 - 4 * 40        # of about 40 documents a shard

    def finished() -> int:
        lines = journal.read_bytes().split(b"\n")[:-1] if journal.exists() else []
        return sum(record["documents"] for record in map(json.loads, lines) if "format" not in record)

    class Counting:
        fingerprint, vocab_size, texts = tokenizer.fingerprint, tokenizer.vocab_size, 0

        def encode_batch(self, texts, threads):
            Counting.texts += len(texts)
            if Counting.texts > 300 and self.stops:
                for _ in range(6000):       # a minute at most, for a thread that is kept waiting
                    if finished() >= enough:
                        break
                    time.sleep(0.01)
                raise KeyboardInterrupt
            return tokenizer.encode_batch(texts, threads=threads)

        def __init__(self, stops):
            self.stops = stops

    with pytest.raises(KeyboardInterrupt):
        make_corpus(Counting(True), ["in.gz"], "out", recipe, threads=2)
    assert [name for name in os.listdir("out") if name.endswith(".part")] == []
    done = finished()
    assert done >= enough
    Counting.texts = 0
    make_corpus(Counting(False), ["in.gz"], "out", recipe, threads=2, resume=True)
    assert Counting.texts == len(LINES) - done
    assert sequences(inside / "out") == [tokenizer.encode(line) for line in LINES]


def test_going_on_with_something_else_is_refused(run, inside, tokenizer):
    (inside / "a").write_bytes(TEXT)
    (inside / "b").write_bytes(TEXT + b"\xff")
    options = ["--out", "out", "--shard-size", "1kB"]
    assert run("corpus", "a", "b", *options).code == 1
    journal = (inside / "out/journal.jsonl").read_bytes()
    for other, message in (
            (["a", "b", *options[:-1], "2kB"], "was begun with other options: --shard-size was 1000, is 2000"),
            (["a", "b", *options, "--document"], "was begun with other options: --document was False, is True"),
            (["a", "b", *options, "--end-token", "[SEP]"], "was begun with other options: --end-token was None, is "),
            (["a", "b", *options, "--cased"], "was begun with other tokenizer: fingerprint was "),
            (["b", "a", *options], "was begun with other inputs: was ['a', 'b'], is ['b', 'a']")):
        found = run("corpus", *other, "--resume")
        assert (found.code, message in found.err) == (1, True), found.err
    (inside / "a").write_bytes(TEXT + b"more\n")
    found = run("corpus", "a", "b", *options, "--resume")
    assert found.err == f"linmaxmatch: a: had {len(TEXT)} bytes when it was read, now {len(TEXT) + 5}\n"
    (inside / "a").write_bytes(TEXT)
    assert (inside / "out/journal.jsonl").read_bytes() == journal           # a refusal writes nothing
    (inside / "b").write_bytes(TEXT + b"repaired")      # behind what was read, an input may change
    assert run("corpus", "a", "b", *options, "--resume").code == 0
    assert sequences(inside / "out") == [tokenizer.encode(line) for line in [*LINES, *LINES, "repaired"]]
    assert manifest_of(inside / "out")["inputs"][1]["size"] == len(TEXT) + 8
    before = contents(inside / "out")
    assert run("corpus", "a", "b", *options, "--resume").code == 0         # nothing is left to do
    assert contents(inside / "out") == before


def test_a_finished_shard_that_is_gone_is_made_again(run, inside):
    (inside / "in").write_bytes(TEXT + b"\xff")
    arguments = ["corpus", "in", "--out", "out", "--shard-size", "1kB"]
    assert run(*arguments).code == 1
    kept = contents(inside / "out")
    assert len(kept) > 12
    os.unlink("out/shard-000003.idx")
    os.truncate("out/shard-000005.bin", 7)
    (inside / "in").write_bytes(TEXT)
    assert run(*arguments, "--resume").code == 0
    assert kept.items() <= contents(inside / "out").items()
    assert list(faults_of("out")) == []


def test_a_line_of_the_journal_that_was_cut_off(run, inside):
    (inside / "in").write_bytes(TEXT + b"\xff")
    arguments = ["corpus", "in", "--out", "out", "--shard-size", "1kB"]
    assert run(*arguments).code == 1
    with open("out/journal.jsonl", "ab") as file:
        file.write(b'{"files": [{"na')
    assert run(*arguments, "--resume").err.startswith("linmaxmatch: in, line 401: not UTF-8: invalid start byte")
    (inside / "in").write_bytes(TEXT)
    whole = (inside / "out/journal.jsonl").read_bytes()
    (inside / "out/journal.jsonl").write_bytes(whole.replace(b'"files"', b"files"))
    assert "out/journal.jsonl: is damaged: " in run(*arguments, "--resume").err
    (inside / "out/journal.jsonl").write_bytes(whole)
    assert run(*arguments, "--resume").code == 0
    assert list(faults_of("out")) == []


def test_a_name_that_is_not_utf8(run, inside):
    name = os.fsdecode(b"\xff.txt")
    (inside / name).write_bytes(b"one\n\xff\n")
    found = run("corpus", name, "--out", "out", "--on-error", "skip")
    assert found.code == 0
    assert manifest_of(inside / "out")["skipped"][0]["file"] == name
    assert list(faults_of("out")) == []
    assert run("corpus", name, "--out", "out", "--resume").code == 0


def test_an_input_that_became_shorter(run, inside):
    (inside / "a").write_bytes(TEXT + b"\xff")
    assert run("corpus", "a", "--out", "out", "--shard-size", "1kB").code == 1
    (inside / "a").write_bytes(b"short\n")
    assert run("corpus", "a", "--out", "out", "--shard-size", "1kB", "--resume").err == (
        "linmaxmatch: a, after line 372: is shorter than when it was read before\n")


def test_two_runs_do_not_write_to_one_folder(run, inside, tokenizer):
    fcntl = pytest.importorskip("fcntl")
    (inside / "in").write_bytes(TEXT)
    (inside / "out").mkdir()
    with open("out/journal.jsonl", "wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        found = run("corpus", "in", "--out", "out", "--resume")
        assert (found.code, found.err) == (1, "linmaxmatch: out: another process is writing to it\n")
    assert run("corpus", "in", "--out", "out", "--resume").code == 0


def test_an_interrupt_leaves_what_is_finished(inside):
    (inside / "in").write_bytes(TEXT * 400)
    child = subprocess.Popen(command("in", "--out", "out", "--shard-size", "100kB"), stderr=subprocess.PIPE)
    while child.poll() is None and not os.path.exists("out/shard-000003.bin"):
        time.sleep(0.001)
    child.send_signal(signal.SIGINT)
    errors = child.communicate()[1]
    assert (child.returncode, errors) == (130, b"")
    assert [name for name in os.listdir("out") if name.endswith(".part")] == []
    assert os.path.exists("out/journal.jsonl")


def test_a_machine_without_threads_to_spare(tokenizer, inside, monkeypatch):
    (inside / "in").write_bytes(TEXT)
    real, started = running.threading.Thread.start, []

    def start(thread):
        if len(started) >= 2:           # the one that finishes shards, and one more
            raise RuntimeError("can't start new thread")
        started.append(thread)
        real(thread)

    monkeypatch.setattr(running.threading.Thread, "start", start)
    make_corpus(tokenizer, ["in"], "out", Recipe(shard_size=1000), threads=5)
    assert sequences(inside / "out") == [tokenizer.encode(line) for line in LINES]


# ------------------------------------------------------------------------------------------------- verify

@pytest.fixture
def made(run, inside):
    (inside / "in").write_bytes(TEXT)
    assert run("corpus", "in", "--out", "out", "--shard-size", "6kB").code == 0
    return inside / "out"


def test_verify_reads_all_of_it(run, made, tokenizer):
    tokens = sum(len(tokenizer.encode(line)) for line in LINES)
    assert run("corpus", "verify", made).out == f"{made}: 400 documents, {tokens} tokens: all as the manifest says\n"


def overwrite(path, at, data):
    with open(path, "r+b") as file:
        file.seek(at, os.SEEK_SET if at >= 0 else os.SEEK_END)
        file.write(data)


def resigned(folder, number, name):
    """Write the checksum of a file that was changed into the manifest, so that only what it means is wrong."""
    manifest = manifest_of(folder)
    file = next(file for file in manifest["shards"][number]["files"] if file["name"] == name)
    data = (folder / name).read_bytes()
    file.update(crc32=f"{zlib.crc32(data):08x}", size=len(data))
    (folder / "manifest.json").write_text(json.dumps(manifest))


def edited(folder, change):
    manifest = manifest_of(folder)
    change(manifest)
    (folder / "manifest.json").write_text(json.dumps(manifest))


FAULTS = {
    "a byte": (lambda out: overwrite(out / "shard-000001.bin", 100, b"\xee"), "shard-000001.bin: its CRC-32 is not"),
    "a byte of the index": (lambda out: overwrite(out / "shard-000001.idx", 60, b"\xee"), "shard-000001.idx: its CRC"),
    "an end": (lambda out: os.truncate(out / "shard-000001.bin", 99), "shard-000001.bin: has 99 bytes, not "),
    "a file": (lambda out: os.unlink(out / "shard-000000.idx"), "shard-000000.idx: No such file or directory"),
    "one more file": (lambda out: (out / "shard-000009.bin").write_bytes(b""), "shard-000009.bin: is not in"),
    "a total": (lambda out: edited(out, lambda m: m["totals"].update(tokens=1)), "the manifest counts 1 tokens, its"),
    "a shard": (lambda out: edited(out, lambda m: m["shards"].pop()), "out: the manifest counts"),
    "a key": (lambda out: edited(out, lambda m: m["shards"][0].pop("tokens")), "is damaged: KeyError: 'tokens'"),
    "the format": (lambda out: edited(out, lambda m: m.update(format="other")), "is no manifest of a corpus"),
    "the version": (lambda out: edited(out, lambda m: m.update(version=2)), "version 2, of which only 1 is known"),
    "JSON": (lambda out: os.truncate(out / "manifest.json", 99), "manifest.json: is damaged: "),
    "the manifest": (lambda out: os.rename(out / "manifest.json", out / "journal.jsonl"), "is not finished: run"),
    "documents": (lambda out: edited(out, lambda m: (m["shards"][0].update(documents=7), m["totals"].update(
        documents=sum(shard["documents"] for shard in m["shards"])))), "shard-000000.bin: has 226 documents, not 7"),
    "an id": (lambda out: (overwrite(out / "shard-000000.bin", 0, b"\xff\xff"), resigned(out, 0, "shard-000000.bin")),
              "shard-000000.bin: has the id 65535, of a vocabulary of 8000"),
    "a size": (lambda out: (overwrite(out / "shard-000000.idx", 34, b"\xff"), resigned(out, 0, "shard-000000.idx")),
               "shard-000000.idx: its sequences are not where they should be"),
    "a document": (lambda out: (overwrite(out / "shard-000000.idx", -8, b"\x01"), resigned(out, 0, "shard-000000.idx")),
                   "shard-000000.idx: its sequences are not where they should be"),
    "the magic": (lambda out: (overwrite(out / "shard-000000.idx", 0, b"X"), resigned(out, 0, "shard-000000.idx")),
                  "shard-000000.idx: is no index"),
    "the type": (lambda out: (overwrite(out / "shard-000000.idx", 17, bytes([CODES[4]])),
                              resigned(out, 0, "shard-000000.idx")), "shard-000000.idx: its sequences are not where"),
    "half an index": (lambda out: (os.truncate(out / "shard-000000.idx", 200), resigned(out, 0, "shard-000000.idx")),
                      "shard-000000.idx: has 200 bytes, which 226 sequences do not fill"),
    "ids": (lambda out: (os.truncate(out / "shard-000000.bin", 500), resigned(out, 0, "shard-000000.bin")),
            "shard-000000.bin: has 500 bytes, where its index has "),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_verify_sees(run, made, fault):
    change, message = FAULTS[fault]
    change(made)
    found = run("corpus", "verify", made)
    assert (found.code, found.out) == (1, "")
    assert message in found.err


@pytest.mark.parametrize("form", ["arrow", "parquet"])
def test_verify_sees_what_is_wrong_with_a_table(run, inside, form):
    pyarrow, files = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    (inside / "in").write_bytes(TEXT)
    assert run("corpus", "in", "--out", "out", "--format", form).code == 0
    name = f"shard-000000.{form}"
    table = pyarrow.table({"ids": pyarrow.array([[1, 9000]], pyarrow.list_(pyarrow.uint32()))})
    if form == "parquet":
        files.write_table(table, inside / "out" / name)
    else:
        with pyarrow.ipc.new_file(inside / "out" / name, table.schema) as file:
            file.write_table(table)
    resigned(inside / "out", 0, name)
    found = run("corpus", "verify", "out").err
    assert f"{name}: has 1 sequences, not 400" in found and f"{name}: has the id 9000, of a vocabulary of 8000" in found
    (inside / "out" / name).write_bytes(b"neither")
    resigned(inside / "out", 0, name)
    assert f"{name}: cannot be read: " in run("corpus", "verify", "out").err
