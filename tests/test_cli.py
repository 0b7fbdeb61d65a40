"""The command line: what each command writes, bad input and wrong usage, pipes, interrupts, whole files only."""
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from functools import partial

import pytest

from incbpe.bytepair import BPE
from incbpe.default import default_tokenizer_path
from linmaxmatch.cli import FLAGS, main
from linmaxmatch.wordpiece import WordPiece

PAPER = ["--entries", "a", "abcd", "##b", "##bc", "##z"]
TEXT = "Hello, world! naïve\n\nunaffable \\n\n"


@pytest.fixture
def run(run_main):
    return partial(run_main, main)


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8", newline="\n")
    return path


def ids(line):
    return [int(word) for word in line.split()]


# ------------------------------------------------------------------------------------------------------ encode

def test_a_line_is_a_record(run, file, shipped):
    found = run("encode", file)
    assert (found.code, found.err) == (0, "")
    assert [ids(line) for line in found.lines] == [shipped.encode(line) for line in TEXT.split("\n")[:-1]]


def test_standard_input_is_read_where_no_file_or_a_dash_is_given(run, file):
    expected = run("encode", file).out
    assert run("encode", stdin=TEXT).out == expected
    assert run("encode", "-", file, stdin=TEXT).out == 2 * expected


def test_a_document_is_a_record(run, file, shipped):
    found = run("encode", "--document", file, file)
    assert [ids(line) for line in found.lines] == 2 * [shipped.encode(TEXT)]


def test_tokens_and_offsets(run, file):
    assert run("encode", "--tokens", file).lines == [
        "hello , world ! na ##ive", "", "un ##aff ##able \\ n"]
    assert run("encode", "--tokens", "--offsets", file).lines[2] == "un@0:2 ##aff@2:5 ##able@5:9 \\@10:11 n@11:12"


def test_no_escapes_are_interpreted(run, shipped):
    assert ids(run("encode", stdin="a\\nb\\t\\u0041").out) == shipped.encode("a\\nb\\t\\u0041")
    assert run("encode", "--tokens", stdin="\\n").lines == ["\\ n"]


@pytest.mark.parametrize("document", [False, True])
def test_json_lines(run, file, shipped, document):
    found = run("encode", "--format", "jsonl", "--tokens", "--offsets", *["--document"] * document, file)
    records = [json.loads(line) for line in found.lines]
    texts = [TEXT] if document else TEXT.split("\n")[:-1]
    assert len(records) == len(texts)
    for record, text in zip(records, texts, strict=True):
        encoding = shipped.encode(text, offsets=True)
        assert list(record) == ["ids", "tokens", "starts", "ends"]
        assert record["ids"] == list(encoding.ids)
        assert record["tokens"] == [shipped.token(id) for id in encoding.ids]
        assert record["starts"] == list(encoding.starts)
        assert record["ends"] == list(encoding.ends)


def test_offsets_lead_back_to_the_original_text(run, file):
    record = json.loads(run("encode", "--format", "jsonl", "--document", "--offsets", file).out)
    spans = [TEXT[start:end] for start, end in zip(record["starts"], record["ends"], strict=True)]
    assert spans == ["Hello", ",", "world", "!", "na", "ïve", "un", "aff", "able", "\\", "n"]


def test_npy_holds_all_ids(run, file, shipped, tmp_path):
    numpy = pytest.importorskip("numpy")
    out = tmp_path / "ids.npy"
    assert run("encode", "--format", "npy", "-o", out, file, file).code == 0
    array = numpy.load(out)
    assert (array.dtype, array.ndim) == (numpy.uint32, 1)
    assert array.tolist() == 2 * list(shipped.encode(TEXT))
    assert run("decode", "--format", "npy", out).out == shipped.decode(array.tolist()) + "\n"


@pytest.mark.parametrize("unit", ["--lines", "--document"])
def test_special_tokens_surround_a_record(run, file, unit, monkeypatch):
    monkeypatch.setattr("subwordio.transfer.PART", 1)
    for line in run("encode", unit, "--tokens", "--special-tokens", file).lines:
        assert line.startswith("[CLS]") and line.endswith("[SEP]")
        assert line.count("[CLS]") == line.count("[SEP]") == 1


def test_nothing_in_nothing_out(run):
    assert run("encode").out == ""
    assert run("encode", "--document").out == "\n"
    found = run("encode", "--document", "--format", "jsonl", "--offsets")
    assert found.out == '{"ids": [], "starts": [], "ends": []}\n'
    assert run("count").out == "0\n"


def test_a_document_in_parts_is_the_same(run, data, shipped, monkeypatch):
    text = (data / "corpora" / "multilingual.txt").read_bytes()[:200_000]
    text = text[:text.rindex(b"\n")]           # the last line has no newline
    expected = shipped.encode(text, offsets=True)
    for size in (1, 100, 4096):
        monkeypatch.setattr("subwordio.transfer.PART", size)
        record = json.loads(run("encode", "--document", "--format", "jsonl", "--offsets", stdin=text).out)
        assert record == {"ids": list(expected.ids), "starts": list(expected.starts), "ends": list(expected.ends)}
        assert [ids(line) for line in run("encode", stdin=text).lines] == list(shipped.encode_batch(text.split(b"\n")))


@pytest.mark.parametrize(("word", "options", "unknown"), [
    ("Hello" * 20, (), False), ("Hello" * 21, (), True), ("Hello" * 21, ("--max-chars-per-word", "105"), False),
    ("Hello" * 21, ("--max-chars-per-word", "none"), False), ("Hello", ("--max-chars-per-word", "4"), True)])
def test_the_cap_on_words(run, word, options, unknown):
    tokens = run("encode", "--tokens", *options, stdin=word).out.split()
    assert (tokens == ["[UNK]"]) if unknown else ("[UNK]" not in tokens and len(tokens) >= len(word) // 5)


def test_clean_up_is_chosen(run):
    assert run("encode", "--tokens", stdin="É").lines == ["e"]
    assert run("encode", "--tokens", "--cased", stdin="A").lines == ["A"]
    assert run("encode", "--tokens", "--normalizer", "none", stdin="A").lines == ["A"]


def test_an_added_token_may_reach_over_a_line_end_of_a_document(run, data, tmp_path, monkeypatch):
    monkeypatch.setattr("subwordio.transfer.PART", 1)
    made = json.loads((data / "vocabs" / "all-minilm-l6-v2-tokenizer.json").read_text(encoding="utf-8"))
    token = {"id": 30_522, "content": "<tag>", "single_word": False, "lstrip": False, "rstrip": True,
             "normalized": False, "special": False}
    made["added_tokens"].append(token)
    made["model"]["vocab"].pop("<tag>", None)
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(made), encoding="utf-8")
    found = json.loads(run("encode", "--vocab", path, "--document", "--format", "jsonl", "--offsets",
                           stdin="a <tag>\n  b\n").out)
    expected = WordPiece.from_file(path).encode("a <tag>\n  b\n", offsets=True)
    assert found == {"ids": list(expected.ids), "starts": list(expected.starts), "ends": list(expected.ends)}
    assert found["ids"][1] == 30_522
    assert found["ends"][1] == 10              # the white space behind it, a line end with it


# ---------------------------------------------------------------------------------------------- decode and count

@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_decoding(run, file, form):
    encoded = run("encode", "--format", form, file).out
    assert run("decode", "--format", form, stdin=encoded).lines == ["hello , world ! naive", "", "unaffable \\ n"]


def test_counts(run, file):
    assert run("count", file).out == f"11\t{file}\n"
    assert run("count", file, file).out == f"11\t{file}\n11\t{file}\n22\ttotal\n"
    assert run("count", "--lines", file).lines == ["6", "0", "5"]
    assert run("count", stdin=TEXT).out == "11\n"


def test_unknown_words_are_counted(run):
    text = "Hello " + "Hello" * 21 + " \U00013000 \U00010380\n\nfine\n"
    assert run("count", "--unknown", stdin=text).out == "5\t3\n"
    assert run("count", "--unknown", "--lines", stdin=text).lines == ["4\t3", "0\t0", "1\t0"]
    assert run("count", "--unknown", "--max-chars-per-word", "none", stdin=text).out.endswith("\t2\n")


# ------------------------------------------------------------------------------------- trace, table and inspect

def test_trace_is_the_walk_through(run):
    found = run("trace", "abcdz", "abcz", *PAPER)
    assert found.code == 0
    first, second = found.out.split("\n\n")
    assert first.splitlines()[0].startswith("word abcdz")
    assert " 4  z     6 abcd   failure to 2 ##, pops abcd" in first
    assert first.splitlines()[-1] == "result  abcd ##z"
    assert second.splitlines()[-1] == "result  a ##bc ##z"
    assert "<" not in found.out                # the unknown token that the command adds is no string of V


def test_trace_by_the_shipped_vocabulary(run):
    assert run("trace", "unaffable").lines[-1] == "result  un ##aff ##able"


def test_table(run):
    lines = run("table", *PAPER).lines
    assert len(lines) == 2 + 10
    assert lines[-5].split() == ["5", "abc", "8", "[a]"]
    two = run("table", "--roots", 2, *PAPER).lines
    assert two[0] == "r = 0, r♯ = 1"


def test_entries_with_their_own_indicator_and_unknown_token(run):
    found = run("trace", "ab<unk>", "--entries", "a", "@b", "<unk>", "--suffix-indicator", "@")
    assert found.lines[-1] == "result  <unk>"
    assert run("trace", "ab", "--entries", "a", "@b", "--suffix-indicator", "@").lines[-1] == "result  a @b"


def test_inspect(run, shipped):
    facts = json.loads(run("inspect", "--format", "jsonl").out)
    said = shipped.inspect()
    assert facts["tokenizer"]["fingerprint"] == shipped.fingerprint and facts["tokenizer"]["ids"] == shipped.vocab_size
    assert facts["automaton"] == {name: said[name] for name in ("states", "cells", "sum_F", "depth")}
    assert set(said["options"]) - {"added_tokens"} <= {name for section in facts.values() for name in section}
    assert facts["one_root"]["nodes"] < facts["two_roots"]["nodes"]
    for form in ("one_root", "two_roots"):
        assert set(facts[form]) == {"nodes", "sum_F", "max_F", "nodes_without_f", "depth"}
    tries = ("one_root", "two_roots", "automaton")
    told = [(name, str(value)) for section in facts if section not in tries for name, value in facts[section].items()]
    assert len(told) == len(set(told))          # nothing is said twice
    lines = run("inspect").lines
    assert f"  nodes                 {facts['two_roots']['nodes']:,}" in lines
    assert "  template              single [CLS] $A [SEP], pair [CLS] $A [SEP] $B:1 [SEP]:1" in lines


def test_inspect_of_bert(run, data):
    vocabulary = data / "vocabs" / "bert-base-uncased-vocab.txt"
    facts = json.loads(run("inspect", "--format", "jsonl", "--vocab", vocabulary).out)
    assert facts["one_root"] == {
        "nodes": 64_583, "depth": 18, "sum_F": 76_131, "max_F": 5, "nodes_without_f": 18}
    assert facts["two_roots"]["nodes"] == 72_447


# ---------------------------------------------------------------------------------------- bad input, wrong usage

@pytest.mark.parametrize(("arguments", "stdin", "reason"), [
    (("encode",), b"fine\nab\xffc\n", "standard input, line 2: not UTF-8: invalid start byte (0xff, byte 3 of it)"),
    (("encode", "--document"), b"a\n\n\xc3", "standard input, line 3: not UTF-8: unexpected end of data (0xc3, byte 1"),
    (("count",), b"\xff\xfea\0", "standard input, line 1: not UTF-8: invalid start byte (0xff, byte 1 of it)"),
    (("encode", "--offsets"), b"a\nb\n\x80", "standard input, line 3: not UTF-8"),
    (("encode", "no-such-file"), b"", "no-such-file: No such file or directory"),
    (("encode", "-o", "no-such-folder/ids"), b"", "no-such-folder/ids: No such file or directory"),
    (("encode", "--vocab", "no-such-vocab.txt"), b"", "no-such-vocab.txt"),
    (("decode",), b"1 2\n3 x\n", "standard input, line 2: expected token ids with spaces between, found 'x'"),
    (("decode",), b"1 -2\n", "standard input, line 1: expected token ids with spaces between, found '-2'"),
    (("decode",), b'{"ids": [1]}\n', "standard input, line 1: expected token ids with spaces between, found "
     "'{\"ids\":'; JSON lines are another format, jsonl"),
    (("decode",), b"1\n8000\n", "standard input, line 2: ids[0]: 8000 "),
    (("decode",), b"9" * 30, "standard input, line 1: ids[0]: " + "9" * 30),
    (("decode", "--format", "jsonl"), b'{"ids": [1]}\n{"ids": [1.0]}', 'line 2: expected a JSON object with an'),
    (("decode", "--format", "jsonl"), b"[1", "line 1: expected a JSON object"),
    (("decode", "--format", "npy"), b"1 2", "standard input: expected a .npy file"),
    (("trace", "a", "--entries", "a", "a"), b"", "'a'"),
    (("trace", "\udcff", "--entries", "a"), b"", "'\\udcff': not UTF-8"),
])
def test_bad_input_is_one_line_and_exit_code_1(run, arguments, stdin, reason):
    found = run(*arguments, stdin=stdin)
    assert found.code == 1
    assert found.err.startswith("linmaxmatch: ") and found.err.count("\n") == 1
    assert reason in found.err


@pytest.mark.parametrize("arguments", [
    (), ("translate",), ("encode", "--format", "xml"), ("encode", "--lines", "--document"), ("trace",),
    ("encode", "--max-chars-per-word", "0"), ("encode", "--max-chars-per-word", "many"),
    ("encode", "--format", "npy"), ("encode", "--format", "npy", "--tokens", "-o", "x.npy"), ("table", "--roots", "3"),
])
def test_wrong_usage_is_exit_code_2(run, arguments):
    found = run(*arguments)
    assert found.code == 2
    assert found.err.startswith("usage: ")


@pytest.mark.parametrize(("arguments", "reason"), [
    (("trace", "a", *PAPER, "--vocab", "x"), "--entries are a vocabulary by themselves: --vocab does not go beside it"),
    (("table", *PAPER, "--unk-token", "a"), "--entries are a vocabulary by themselves: --unk-token does not go beside"),
    (("view", "--html", "--color", "auto"), "--html makes a page of its own colours: --color does not go beside it"),
])
def test_options_that_would_say_nothing_are_refused(run, arguments, reason):
    found = run(*arguments)
    assert found.code == 2 and reason in found.err


@pytest.mark.parametrize(("arguments", "reason"), [
    (("encode", "--vocab", "{json}", "--cased", "--normalizer", "tf"), "--cased, --normalizer: a tokenizer.json says"),
    (("trace", "a", "--vocab", "{json}", "--unk-token", "a"), "--unk-token: a tokenizer.json says it all"),
    (("encode", "--unk-token", "<?>"), "the unknown token '<?>' is not among the 8000 tokens"),
    (("encode", "--vocab", "{twice}"), '"a" is already on line 2 (--duplicates "last" lets'),
    (("table", "--entries", "a", "a"), "'a' repeats tokens[0] (--duplicates 'last' lets"),
    (("encode", "--vocab", "{plain}", "--special-tokens"), "--special-tokens: the vocabulary has no [CLS] and [SEP]"),
])
def test_errors_name_the_options_of_the_command(run, data, tmp_path, arguments, reason):
    names = {"json": data / "vocabs" / "all-minilm-l6-v2-tokenizer.json"}
    for name, tokens in (("plain", "[UNK]\na\n"), ("twice", "[UNK]\na\na\n")):
        names[name] = tmp_path / f"{name}.txt"
        names[name].write_text(tokens)
    found = run(*(argument.format(**names) for argument in arguments), stdin="ab")
    assert found.code in (1, 2) and reason.replace('"a"', "'a'") in found.err
    assert not [name for name in FLAGS if re.search(rf"\b{name}\b=|: {name}:", found.err)]


def test_every_option_that_an_error_may_name_is_there(run):
    helps = "".join(run(command, "--help").out for command in ("encode", "trace"))
    for flag in FLAGS.values():
        assert f" {flag} " in helps or f"[{flag}]" in helps


def test_the_last_of_a_token_that_is_twice(run, tmp_path):
    (tmp_path / "twice.txt").write_text("[UNK]\na\na\n")
    assert run("encode", "--vocab", tmp_path / "twice.txt", "--duplicates", "last", stdin="a").out == "2\n"
    assert run("trace", "aa", "--entries", "a", "##a", "a", "--duplicates", "last").lines[-1] == "result  a ##a"


def test_a_vocab_txt_with_its_own_suffix_indicator(run, tmp_path):
    (tmp_path / "vocab.txt").write_text("[UNK]\na\n@@b\n")
    options = ("--vocab", tmp_path / "vocab.txt", "--suffix-indicator", "@@")
    assert run("encode", *options, stdin="ab").out == "1 2\n"
    assert run("decode", *options, stdin="1 2").out == "ab\n"
    assert run("trace", "ab", *options).lines[-1] == "result  a @@b"


# ------------------------------------------------------------------------------ a file that WordPiece.save wrote

def test_a_saved_tokenizer_serves_every_command(run, shipped, tmp_path, file):
    saved = tmp_path / "saved"
    shipped.save(saved)
    for command, *rest in (("encode", file), ("count", "--unknown", file), ("view", file), ("trace", "unaffable"),
                           ("table",), ("draw", "--word", "unaffable")):
        found, expected = run(command, "--vocab", saved, *rest), run(command, *rest)
        assert (found.code, found.err) == (0, "") and found.out == expected.out, command
    ids = run("encode", file).out
    assert run("decode", "--vocab", saved, stdin=ids).out == run("decode", stdin=ids).out
    assert run("corpus", "--vocab", saved, file, "--out", tmp_path / "corpus", "--quiet").code == 0
    WordPiece(["[UNK]", "A"], lowercase=False).save(tmp_path / "cased")
    assert run("encode", "--vocab", tmp_path / "cased", stdin="A a").out == "1 0\n"
    for options in (("--cased",), ("--normalizer", "tf"), ("--max-chars-per-word", "none"), ("--unk-token", "A")):
        refused = run("encode", "--vocab", saved, *options)
        assert refused.code == 2 and f"{options[0]}: {saved} is a saved tokenizer, no option goes" in refused.err


def test_a_saved_tokenizer_of_the_other_package_is_named(run, tmp_path):
    BPE.from_file(default_tokenizer_path()).save(tmp_path / "saved")
    for command in (("encode",), ("trace", "a"), ("inspect",)):
        found = run(*command, "--vocab", tmp_path / "saved", stdin="a")
        assert found.code == 1 and f"{tmp_path / 'saved'}: holds a BPE, not a WordPiece" in found.err


def test_special_tokens_count_where_they_are_allowed(run, data, tmp_path):
    vocab = data / "vocabs" / "all-minilm-l6-v2-tokenizer.json"
    options, text = ("--vocab", vocab, "--allow-special"), "a [SEP] b [CLS]"
    assert run("encode", *options, "all", stdin=text).out == "1037 102 1038 101\n"
    assert run("encode", "--tokens", *options, "[SEP]", stdin=text).out == "a [SEP] b [ cl ##s ]\n"
    assert run("encode", "--offsets", *options, "[SEP]", stdin="a[SEP]").out == "1037@0:1 102@1:6\n"
    assert run("count", "--lines", *options, "all", stdin=text).out == "4\n"
    assert run("view", *options, "all", stdin="a[SEP]b").out == "a|[SEP]|b|"
    (tmp_path / "text.txt").write_text(text)
    assert run("corpus", *options, "all", tmp_path / "text.txt", "--out", tmp_path / "corpus", "--quiet").code == 0
    assert json.loads((tmp_path / "corpus" / "manifest.json").read_text())["totals"]["tokens"] == 4
    for option, vocabulary in (("<x>", vocab), ("[SEP]", data / "vocabs" / "bert-base-uncased-vocab.txt")):
        refused = run("encode", "--vocab", vocabulary, "--allow-special", option, "no-such-file")
        assert refused.code == 1 and "--allow-special" in refused.err and "no-such-file" not in refused.err


def test_which_unit_is_the_default_is_said(run):
    assert "a record is a line (default)" in run("encode", "--help").out
    assert "a record is a whole file (default)" in " ".join(run("count", "--help").out.split())


def test_help_and_version(run):
    assert run("--version").out.startswith("linmaxmatch ")
    shown = run("--help")
    assert shown.code == 0
    for command in ("encode", "decode", "count", "trace", "table", "inspect"):
        assert command in shown.out
        assert run(command, "--help").code == 0


# ------------------------------------------------------------------------------------------- files whole or not

def test_an_output_file_is_whole_or_not_there(run, file, tmp_path):
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"a\n\xff\n")
    out = tmp_path / "ids.txt"
    assert run("encode", "-o", out, file).code == 0
    before = out.read_text()
    assert run("encode", "-o", out, file, bad).code == 1
    assert out.read_text() == before
    assert run("encode", "-o", tmp_path / "new", file, bad).code == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.txt", "ids.txt", "text.txt"]


def test_an_output_file_keeps_its_mode_and_links(run, file, tmp_path):
    out, link = tmp_path / "ids.txt", tmp_path / "link"
    out.write_text("")
    out.chmod(0o640)
    link.symlink_to(out)
    assert run("encode", "-o", link, file).code == 0
    assert link.is_symlink()
    assert out.read_text() == run("encode", file).out
    assert out.stat().st_mode & 0o777 == 0o640


def test_a_new_output_file_has_the_usual_mode(run, file, tmp_path):
    usual = tmp_path / "usual"
    usual.touch()
    run("encode", "-o", tmp_path / "ids", file)
    assert (tmp_path / "ids").stat().st_mode == usual.stat().st_mode


def test_output_to_a_device(run, file):
    assert run("encode", "-o", os.devnull, file).code == 0
    assert not os.path.isfile(os.devnull)


# --------------------------------------------------------------------------- in a process: pipes and interrupts

COMMAND = [sys.executable, "-m", "linmaxmatch"]


def start(*arguments, **pipes):
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.Popen([*COMMAND, *map(str, arguments)], stderr=subprocess.PIPE, env=buffered, **pipes)


def test_the_module_runs_as_a_command(file):
    found = subprocess.run([*COMMAND, "count", str(file)], capture_output=True, check=True)
    assert found.stdout == f"11\t{file}\n".encode()
    assert found.stderr == b""
    assert subprocess.run([*COMMAND, "count", "no-such-file"], capture_output=True, check=False).returncode == 1


def test_a_closed_pipe_is_quiet(tmp_path):
    big = tmp_path / "big.txt"
    big.write_text("a line of text\n" * 200_000)
    with start("encode", big, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline()
        process.stdout.close()
        assert process.wait(60) == 0
        assert process.stderr.read() == b""


@pytest.mark.parametrize("arguments", [("count",), ("encode",), ("decode",), ("inspect",), ("--help",)])
def test_a_pipe_closed_before_the_first_byte_is_quiet(arguments):
    reading, writing = os.pipe()
    os.close(reading)
    with start(*arguments, stdin=subprocess.PIPE, stdout=writing) as process:
        os.close(writing)
        process.stdin.write(b"1 2 3\n")
        process.stdin.close()
        assert process.wait(60) == 0
        assert process.stderr.read() == b""


def test_a_line_is_answered_when_it_comes():
    with start("encode", "--tokens", stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for word in (b"hello", b"world"):
            process.stdin.write(word + b"\n")
            process.stdin.flush()
            answered = select.select([process.stdout], [], [], 60)[0]
            if not answered:
                process.kill()
            assert answered
            assert process.stdout.readline() == word + b"\n"
        process.stdin.close()
        assert process.wait(60) == 0


def test_an_interrupt_leaves_nothing_behind(tmp_path):
    out = tmp_path / "ids.txt"
    out.write_text("before")
    with start("encode", "-o", out, stdin=subprocess.PIPE) as process:
        process.stdin.write(b"hello\n" * 10_000)
        process.stdin.flush()
        until = time.monotonic() + 60
        while not any(path.suffix == ".part" and path.stat().st_size for path in tmp_path.iterdir()):
            assert time.monotonic() < until, "no output was begun"
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr.read() == b""
    assert [path.name for path in tmp_path.iterdir()] == ["ids.txt"]
    assert out.read_text() == "before"


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="the peak memory is read from /proc")
@pytest.mark.parametrize("arguments", [
    ("encode",), ("encode", "--document"), ("encode", "--document", "--format", "jsonl", "--tokens"), ("count",)])
def test_memory_does_not_grow_with_the_input(tmp_path, arguments):
    # What getrusage calls the peak includes the process that started this one; /proc has this one's alone.
    script = ("import re, sys; from linmaxmatch.cli import main; code = main(sys.argv[1:]); "
              "print(re.search(r'VmHWM:\\s*(\\d+) kB', open('/proc/self/status').read())[1], file=sys.stderr); "
              "sys.exit(code)")
    peaks = []
    for lines in (300_000, 1_200_000):         # 4.8 and 19.2 MB
        path = tmp_path / "text"
        path.write_text("a line of text,\n" * lines)
        done = subprocess.run([sys.executable, "-c", script, *arguments, "--quiet", str(path)], check=True,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        peaks.append(int(done.stderr))
    assert peaks[1] - peaks[0] < 5_000         # kB, of 14 MB more


@pytest.mark.parametrize("command", ["encode", "decode", "count", "view"])
def test_the_output_may_not_be_an_input(run, tmp_path, command):
    path, link = tmp_path / "ids.txt", tmp_path / "link"
    path.write_text("1 2\n", encoding="utf-8")
    link.symlink_to(path)
    for output in (path, link):
        result = run(command, path, "-o", output)
        assert (result.code, result.out) == (1, "")
        assert f"{path}: is read, and would be lost if the output took its place" in result.err
        assert path.read_text(encoding="utf-8") == "1 2\n"


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="this system has no /dev/stdout")
def test_output_to_a_pipe_by_name(tmp_path):
    command = [sys.executable, "-m", "linmaxmatch", "encode", "--quiet", "-o", "/dev/stdout"]
    done = subprocess.run(command, input=b"hello\n", capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.split()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize("arguments", [["encode"], ["encode", "-o", "/dev/full"], ["decode"], ["count"], ["inspect"]])
def test_an_output_without_room_is_named(arguments):
    command = [sys.executable, "-m", "linmaxmatch", *arguments]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, input=b"1 2", stdout=full, stderr=subprocess.PIPE, check=False)
    name = arguments[-1] if "-o" in arguments else "standard output"
    assert (done.returncode, done.stderr.decode()) == (1, f"linmaxmatch: {name}: No space left on device\n")
