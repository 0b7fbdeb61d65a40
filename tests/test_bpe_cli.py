"""The command line `incbpe`: what each command writes, options, bad input and wrong usage. The frame is in test_cli."""
import base64
import io
import json
import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from incbpe.bytepair import BPE
from incbpe.cli import FLAGS, main
from incbpe.default import default_tokenizer_path
from linmaxmatch.wordpiece import WordPiece

TEXT = "Hello, world! née\n\n  x<|endoftext|> \\n\n"
PAPER = ["--rules", "a b", "b b", "ab b"]


@pytest.fixture
def run(run_main):
    return partial(run_main, main)


@pytest.fixture(scope="module")
def shipped():
    return BPE.from_file(default_tokenizer_path())


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8", newline="\n")
    return path


@pytest.fixture
def ranks(tmp_path):
    """A rank table of single bytes, ab, b, abb."""
    path = tmp_path / "ab.tiktoken"
    tokens = [b"a", b"b", b"ab", b"abb", b" ", b"bb"]
    path.write_bytes(b"".join(b"%b %d\n" % (base64.b64encode(token), i) for i, token in enumerate(tokens)))
    return path


def ids(line):
    return [int(word) for word in line.split()]


# Text to ids and back

def test_lines_and_documents(run, file, shipped):
    lines = TEXT.split("\n")[:-1]
    assert [ids(line) for line in run("encode", file).lines] == [list(shipped.encode(line)) for line in lines]
    assert ids(run("encode", "--document", file).out) == list(shipped.encode(TEXT))
    assert run("encode", stdin=TEXT).out == run("encode", file).out


def test_a_document_is_not_cut_at_line_ends(run, shipped, monkeypatch):
    monkeypatch.setattr("subwordio.transfer.PART", 1)
    text = "def f():\n    return\n\n\n    x\n"
    assert ids(run("encode", "--document", stdin=text).out) == list(shipped.encode(text))
    assert run("count", stdin=text).out == f"{len(shipped.encode(text))}\n"
    assert list(shipped.encode(text)) != [i for line in text.splitlines(True) for i in shipped.encode(line)]


def test_tokens_and_offsets(run):
    assert run("encode", "--tokens", stdin="né \tx").lines == ["n Ã© Ġ ĉ x"]
    found = run("encode", "--tokens", "--offsets", stdin="Hello né").out
    assert found == "H@0:1 ell@1:4 o@4:5 Ġn@5:7 Ã©@7:8\n"
    record = json.loads(run("encode", "--format", "jsonl", "--tokens", "--offsets", stdin="Hello né").out)
    assert record["tokens"] == ["H", "ell", "o", "Ġn", "Ã©"]
    assert (record["starts"], record["ends"]) == ([0, 1, 4, 5, 7], [1, 4, 5, 7, 8])


def test_names_have_no_white_space(run, shipped):
    text = "".join(map(chr, range(128)))
    names = run("encode", "--document", "--tokens", stdin=text).out.split()
    assert len(names) == len(shipped.encode(text))


def test_b37_nothing_is_an_escape(run, shipped):
    assert ids(run("encode", stdin="\\n \\u0041").out) == list(shipped.encode("\\n \\u0041"))


def test_special_tokens_count_only_where_allowed(run, shipped):
    plain = run("encode", stdin="x<|endoftext|>")
    allowed = run("encode", "--allow-special", "all", stdin="x<|endoftext|>")
    assert ids(plain.out) == list(shipped.encode("x<|endoftext|>"))
    assert ids(allowed.out) == [shipped.id("x"), 7_999]
    assert run("encode", "--allow-special", "<|endoftext|>", stdin="x<|endoftext|>").out == allowed.out
    assert run("count", "--allow-special", "all", stdin="x<|endoftext|>").out == "2\n"
    assert run("encode", "--tokens", "--allow-special", "all", stdin="<|endoftext|>").out == "<|endoftext|>\n"


# What comes in parts

def test_stream(run, file, shipped):
    whole = run("stream", file)
    assert ids(whole.out) == list(shipped.encode(TEXT)) and whole.out.count("\n") == 1
    assert ids(run("stream", "--allow-special", "all", stdin=TEXT).out) == list(shipped.encode(TEXT, "all"))
    assert run("stream", "--tokens", "--criterion", "maximal", stdin="né \tx").out == "n Ã© Ġ ĉ x\n"
    assert run("stream", file, file).lines == 2 * whole.lines
    assert run("stream", stdin="").out == "\n"


def test_stream_answers_what_is_there(monkeypatch, capsysbinary, shipped):
    """Ids are out while the writer of the text still waits; a character may be cut."""
    outs, chunks = [], [b"Hello wor", b"ld\xc3", b"\xa9!", b""]

    class Slow(io.BytesIO):
        def read1(self, size=-1):
            outs.append(capsysbinary.readouterr().out)
            return chunks.pop(0)

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Slow()))
    assert main(["stream"]) == 0
    outs.append(capsysbinary.readouterr().out)
    assert ids(b"".join(outs).decode()) == list(shipped.encode("Hello worldé!"))
    assert outs[1].split() == [b"%d" % id for id in shipped.encode("Hello")]


def test_stream_of_ill_formed_bytes(run, tmp_path):
    path = tmp_path / "bad.txt"
    path.write_bytes(b"abc\xffdef")
    found = run("stream", path)
    assert found.code == 1 and found.err.endswith(f"{path}: ill-formed UTF-8 at byte 3: invalid start byte\n")
    assert run("stream", stdin=b"a\xc3").err.endswith("ill-formed UTF-8 at byte 1: unexpected end of data\n")


@pytest.mark.parametrize("form", ["text", "jsonl"])
def test_decoding(run, file, form):
    encoded = run("encode", "--format", form, file).out
    assert run("decode", "--format", form, stdin=encoded).out == TEXT


def test_npy(run, file, shipped, tmp_path):
    out = tmp_path / "ids.npy"
    assert run("encode", "--format", "npy", "--document", "-o", out, file).code == 0
    assert run("decode", "--format", "npy", out).out == TEXT + "\n"


def test_counts(run, file, shipped):
    n = shipped.count(TEXT)
    assert run("count", file).out == f"{n}\t{file}\n"
    assert run("count", file, file).lines[-1] == f"{2 * n}\ttotal"
    assert ids(run("count", "--lines", file).out) == [shipped.count(line) for line in TEXT.split("\n")[:-1]]


# Files and their options

def test_a_rank_table(run, ranks):
    found = run("encode", "--vocab", ranks, "--pattern", "none", stdin="abbb ab")
    assert ids(found.out) == [3, 1, 4, 2]
    assert run("encode", "--vocab", ranks, "--pattern", r"b+|[^b]+", stdin="abbb").out == "0 5 1\n"
    assert run("decode", "--vocab", ranks, "--pattern", "none", stdin="3 4 2\n").out == "abb ab\n"
    missing = run("encode", "--vocab", ranks, stdin="ab")
    assert missing.code == 2
    assert "a rank table does not say how texts are split" in missing.err
    assert run("inspect", "--vocab", ranks).code == 0      # splits nothing


def test_published_special_tokens(run, data):
    found = run("encode", "--vocab", data / "vocabs" / "gpt2.tiktoken", "--pattern", "gpt2", "--specials", "gpt2",
                "--allow-special", "all", stdin="Hello,<|endoftext|>")
    assert ids(found.out) == [15496, 11, 50256]


def test_vocab_json_and_merges(run, tmp_path):
    (tmp_path / "vocab.json").write_text('{"a": 0, "b": 1, "ab": 2}', encoding="utf-8")
    (tmp_path / "merges.txt").write_text("#version: 0.2\na b\n", encoding="utf-8")
    found = run("encode", "--vocab", tmp_path / "vocab.json", "--merges", tmp_path / "merges.txt", stdin="abab b\n"[:4])
    assert ids(found.out) == [2, 2]
    assert run("encode", "--merges", tmp_path / "merges.txt").code == 2
    assert "merges.txt" in run("encode", "--vocab", tmp_path / "vocab.json").err


# The paper's structures

def test_trace(run):
    found = run("trace", "bbb", "abbb", *PAPER)
    first, second = found.out.split("\n\n")
    assert first.splitlines()[0] == "text bbb"
    assert "no: before b stands bb, below pre(z) = b through bb, whose rule 1 is not later than 1" in first
    assert first.splitlines()[-1] == "T    bb b"
    assert second.splitlines()[-1] == "T    ab bb"
    for search in ("root", "centroid"):
        assert run("trace", "abbb", "--search", search, *PAPER).lines[-1] == "T    ab bb"


def test_trace_by_both_semantics(run):
    rules = ["--rules", "aa a", "a a"]
    assert run("trace", "aaa", "--semantics", "rank", *rules).lines[-1] == "T    aaa"
    assert run("trace", "aaa", "--semantics", "equation", *rules).lines[-1] == "T    aa a"


def test_trace_by_files(run, ranks):
    assert run("trace", " the cat").lines[-1] == "T    Ġthe Ġcat"
    assert run("trace", "é\x00").lines[-1] == "T    Ã© Ā"
    assert run("trace", "abb?", "--vocab", ranks).lines[-1] == "T    abb ?"


def test_table(run):
    lines = run("table", *PAPER).lines
    assert len(lines) == 2 + 5
    assert lines[4].split() == ["2", "3", "2", "ab", "[4,", "5)", "abb"]
    assert len(run("table").lines) == 2 + 7_999


def test_table_of_a_token(run):
    found = run("table", "abb", "bb", *PAPER)
    first, second = found.out.split("\n\n")
    assert first.splitlines()[1] == "chain  abb bb b"
    assert second.splitlines()[0] == "token bb"
    assert run("table", " the").lines[1] == "chain  Ġthe the he e"
    assert run("table", "abc", *PAPER).code == 1


def test_inspect(run, shipped):
    facts = json.loads(run("inspect", "--format", "jsonl").out)
    assert list(facts) == ["tokenizer", "dictionary", "memory_bytes"]
    assert facts["dictionary"]["proper"] is True
    assert [facts["dictionary"][name] for name in ("tokens", "rules", "canonical")] == [7_999, 7_743, 7_999]
    assert facts["tokenizer"]["fingerprint"] == shipped.fingerprint
    assert facts["tokenizer"]["special_tokens"] == {"<|endoftext|>": shipped.id("<|endoftext|>")}
    told = [(name, str(value)) for section in facts.values() for name, value in section.items()]
    assert len(told) == len(set(told))          # nothing is said twice
    assert "  canonical          7,999" in run("inspect").lines


def test_inspect_lists_where_unicode_versions_differ(run, tmp_path):
    file = json.loads(Path(default_tokenizer_path()).read_bytes()) | {"normalizer": {"type": "NFKC"}}
    (tmp_path / "tokenizer.json").write_text(json.dumps(file))
    found = run("inspect", "--vocab", tmp_path / "tokenizer.json")
    assert found.code == 0 and "NFKC" in found.out and "U+32FF" in found.out


def test_inspect_of_published_tables(run, data):
    facts = json.loads(run("inspect", "--format", "jsonl", "--vocab", data / "vocabs" / "gpt2.tiktoken").out)
    row = {"tokens": 50_256, "rules": 108_299, "canonical": 50_256, "proper": True, "longest_token": 128,
           "chain_max": 23, "chain_mean": 4.47, "forest_depth": 7, "automaton_states": 98_024}
    assert row.items() <= facts["dictionary"].items()


def test_inspect_of_an_improper_model(run, data):
    lines = run("inspect", "--vocab", data / "vocabs" / "llama3-tokenizer.json").lines
    assert lines[:2] == ["tokenizer", "  ids               128,256"]
    assert "  canonical         127,412" in lines and "  canonical         127,305" in lines
    special = next(line for line in lines if line.startswith("  special_tokens"))
    assert special.startswith("  special_tokens    <|begin_of_text|> 128000, ") and special.endswith(" and 248 more")


# Bad input and wrong usage

@pytest.mark.parametrize(("arguments", "stdin", "reason"), [
    (("encode",), b"fine\nab\xffc\n", "standard input, line 2: not UTF-8: invalid start byte (0xff, byte 3 of it)"),
    (("count",), b"\xff\xfea\0", "standard input, line 1: not UTF-8"),
    (("encode", "no-such-file"), b"", "no-such-file: No such file or directory"),
    (("encode", "--vocab", "no-such.json"), b"", "no-such.json: No such file or directory"),
    (("decode",), b"1\n8000\n", "standard input, line 2: ids[0]: 8000"),
    (("encode", "--allow-special", "<x>"), b"", "--allow-special: '<x>' is no special token"),
    (("encode", "--special-tokens"), b"", "the shipped vocabulary: --special-tokens: the tokenizer's file has no"),
    (("trace", "a", "--rules", "ab"), b"", "rule 0: 'ab': expected two tokens with a space between"),
    (("table", "--rules", "a b", "zz b"), b"", "rule 1: 'zz b': 'zz' is no character, and no rule makes it"),
    (("trace", "\udcff", *PAPER), b"", "'\\udcff': not UTF-8"),
    (("trace", "a", "--search", "pairs", *PAPER), b"", "search 'pairs': the form 'rules'"),
    (("table", "--rules", "aa a", "a a"), b"", "form 'pairs'"),
])
def test_bad_input_is_one_line_and_exit_code_1(run, arguments, stdin, reason):
    found = run(*arguments, stdin=stdin)
    assert found.code == 1
    assert found.err.startswith("incbpe: ")
    assert found.err.count("\n") == 1
    assert reason in found.err


@pytest.mark.parametrize(("arguments", "reason"), [
    (("trace", "a", *PAPER, "--vocab", "x"), "--rules are a dictionary by themselves: --vocab does not go beside it"),
    (("table", *PAPER, "--merges", "x"), "--rules are a dictionary by themselves: --merges does not go beside it"),
    (("draw", "forest", *PAPER, "--duplicates", "last"), "themselves: --duplicates does not go beside it"),
    (("draw", "automaton", *PAPER, "--criterion", "window"), "draw automaton shows no output: --criterion does not go"),
    (("trace", "a", *PAPER, "--pattern", "gpt2"), "unrecognized arguments: --pattern gpt2"),
    (("decode", "--allow-special", "all"), "unrecognized arguments: --allow-special"),
    (("inspect", "--allow-special", "all"), "unrecognized arguments: --allow-special"),
    (("view", "--html", "--color", "never"), "--html makes a page of its own colours: --color does not go beside it"),
])
def test_options_that_would_say_nothing_are_refused(run, arguments, reason):
    found = run(*arguments)
    assert found.code == 2 and reason in found.err
    assert "unrecognized" in reason or found.err.startswith(f"usage: incbpe {arguments[0]} ")


@pytest.mark.parametrize(("arguments", "reason"), [
    (("--pattern", "gpt2"), "--pattern: {shipped} says it all"),
    (("--specials", "gpt2"), "--specials: {shipped} says it all"),
    (("--vocab", "{ranks}"), "give --pattern 'gpt2', "),
    (("--vocab", "{ranks}", "--pattern", "gtp2"), "--pattern 'gtp2': expected 'gpt2', "),
    (("--vocab", "{ranks}", "--pattern", "a("), "--pattern: "),
    (("--vocab", "{ranks}", "--pattern", "gpt2", "--specials", "gpt2"), "--specials 'gpt2': they go with a table of"),
    (("--vocab", "{ranks}", "--pattern", "gpt2", "--specials", "gpt"), "--specials 'gpt': expected none, "),
    (("--vocab", "{ranks}", "--pattern", "gpt2", "--duplicates", "last"), "--duplicates: {ranks} is read as a rank"),
    (("--vocab", "{ranks}", "--pattern", "gpt2", "--allow-special", "<x>"), "--allow-special ['<x>']: the tokenizer"),
    (("--vocab", "{ranks}", "--pattern", "none", "--special-tokens"), "--special-tokens: the tokenizer's file"),
    (("--vocab", "{json}"), "both are needed, --vocab ... with --merges ... (BPE.from_files)"),
    (("--vocab", "{json}", "--merges", "{merges}"), "(--duplicates \"last\" lets"),
])
def test_errors_name_the_options_of_the_command(run, ranks, tmp_path, arguments, reason):
    (tmp_path / "vocab.json").write_text('{"a": 0, "b": 1, "ab": 2}', encoding="utf-8")
    (tmp_path / "merges.txt").write_text("a b\na b\n", encoding="utf-8")
    names = {"ranks": ranks, "json": tmp_path / "vocab.json", "merges": tmp_path / "merges.txt",
             "shipped": default_tokenizer_path()}
    found = run("encode", *(argument.format(**names) for argument in arguments), stdin="ab")
    assert found.code in (1, 2) and reason.format(**names) in found.err
    assert not [name for name in FLAGS if re.search(rf"\b{name}\b=|: {name}:", found.err)]


def test_every_option_that_an_error_may_name_is_there(run):
    helps = "".join(run(command, "--help").out for command in ("encode", "stream", "trace", "table", "inspect"))
    for flag in FLAGS.values():
        assert f" {flag} " in helps or f"[{flag}]" in helps


# A file that BPE.save wrote

def test_a_saved_tokenizer_serves_every_command(run, ranks, shipped, tmp_path, file):
    saved = tmp_path / "saved"
    shipped.save(saved)
    commands = [("encode", file), ("encode", "--tokens", "--offsets", "--format", "jsonl", file), ("count", file),
                ("view", file), ("stream", file), ("inspect",), ("trace", " the"), ("table", " the"),
                ("draw", "suffixes", " the", "--format", "dot")]
    for command, *rest in commands:
        found, expected = run(command, "--vocab", saved, *rest), run(command, *rest)
        assert (found.code, found.err) == (0, "") and found.out == expected.out, command
    found = run("encode", file).out
    assert run("decode", "--vocab", saved, stdin=found).out == run("decode", stdin=found).out
    table = tmp_path / "table"
    BPE.from_file(ranks, pattern="none").save(table)
    assert run("encode", "--vocab", table, stdin="abbb ab").out == "3 1 4 2\n"
    assert run("table", "--vocab", table).out == run("table", "--vocab", ranks).out
    for option in ("--pattern", "--merges", "--specials"):
        refused = run("encode", "--vocab", table, option, "gpt2")
        assert refused.code == 2 and f"{table} is a saved tokenizer: {option} does not go beside it" in refused.err
    corpus = run("corpus", "--vocab", saved, file, "--out", tmp_path / "corpus", "--quiet")
    assert corpus.code == 0 and run("corpus", "verify", tmp_path / "corpus").code == 0


def test_a_saved_tokenizer_of_the_other_package_is_named(run, tmp_path):
    WordPiece(["[UNK]", "a"]).save(tmp_path / "saved")
    found = run("encode", "--vocab", tmp_path / "saved", stdin="a")
    assert found.code == 1 and f"{tmp_path / 'saved'}: holds a WordPiece, not a BPE" in found.err


@pytest.mark.parametrize("arguments", [
    (), ("translate",), ("encode", "--format", "xml"), ("encode", "--lines", "--document"), ("trace",),
    ("encode", "--pattern", "gpt2"), ("encode", "--specials", "gpt2"), ("encode", "--unicode", "icu"),
    ("encode", "--format", "npy"), ("trace", "a", "--search", "best"), ("inspect", "--merges", "x"),
])
def test_wrong_usage_is_exit_code_2(run, arguments):
    found = run(*arguments)
    assert found.code == 2
    assert found.err.startswith("usage: ")


def test_help_and_version(run):
    assert run("--version").out.startswith("incbpe ")
    shown = run("--help")
    assert shown.code == 0
    for command in ("encode", "decode", "count", "trace", "table", "inspect"):
        assert command in shown.out
        assert run(command, "--help").code == 0


def test_the_module_runs_as_a_command(file, shipped):
    found = subprocess.run([sys.executable, "-m", "incbpe", "count", str(file)], capture_output=True, check=True)
    assert found.stdout == f"{shipped.count(TEXT)}\t{file}\n".encode()
    assert found.stderr == b""


def test_a_closed_pipe_is_quiet():
    reading, writing = os.pipe()
    os.close(reading)
    with subprocess.Popen([sys.executable, "-m", "incbpe", "table"], stdout=writing, stderr=subprocess.PIPE) as process:
        os.close(writing)
        assert process.wait(120) == 0
        assert process.stderr.read() == b""
