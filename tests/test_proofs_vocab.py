"""`python -m proofs --vocab`: every format and statement, failures with their world, entries that no text is given."""
import base64
import doctest
import json
import re
import time
from pathlib import Path

import pytest

from proofs import __main__ as runner
from proofs import (
    bpe_vocabulary_check,
    check,
    entries,
    subvocabularies,
    vocabulary_check,
    vocabulary_file,
    vocabulary_report,
)
from proofs.definitions.wordpiece import Vocabulary, original_wordpiece

WORDS = ["[UNK]", "[CLS]", "a", "b", "ab", "abcd", "##b", "##bc", "##bcd", "##z", ".", "...", "##.", "é", "中", "##中",
         "y x"]
RULES = [("a", "b"), ("b", "b"), ("ab", "b")]
BYTES = [b"a", b"b", b" ", b"ab", b"bb", b"abb", b"a b", b"\xc3", b"\xa9", b"\xc3\xa9", b"\xff"]


def vocab_txt(folder: Path, words=WORDS) -> Path:
    path = folder / "vocab.txt"
    path.write_text("\n".join(words) + "\n", encoding="utf-8")
    return path


def wordpiece_json(folder: Path) -> Path:
    path = folder / "tokenizer.json"
    path.write_text(json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": {
            "type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None,
            "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"}, "post_processor": None, "decoder": None,
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": {word: i for i, word in enumerate(WORDS)}}}))
    return path


def ranks(folder: Path, tokens=BYTES, name="cl100k_small.tiktoken") -> Path:
    path = folder / name
    path.write_text("".join(f"{base64.b64encode(token).decode()} {i}\n" for i, token in enumerate(tokens)))
    return path


def pair(folder: Path) -> Path:
    (folder / "merges.txt").write_text("#version: 0.2\n" + "".join(f"{x} {y}\n" for x, y in RULES))
    tokens = ["a", "b", *(x + y for x, y in RULES)]
    (folder / "vocab.json").write_text(json.dumps({token: i for i, token in enumerate(tokens)}))
    return folder / "vocab.json"


def bpe_json(folder: Path) -> Path:
    path = folder / "bpe.json"
    tokens = ["a", "b", *(x + y for x, y in RULES)]
    path.write_text(json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [], "normalizer": None,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True},
        "post_processor": None, "decoder": {"type": "ByteLevel"},
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                  "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
                  "vocab": {token: i for i, token in enumerate(tokens)}, "merges": [f"{x} {y}" for x, y in RULES]}}))
    return path


def tekken(folder: Path) -> Path:
    path = folder / "tekken.json"
    every = [bytes([byte]) for byte in range(256)] + [b"ab", b"abb"]
    path.write_text(json.dumps({
        "config": {"pattern": r"[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+",
                   "num_vocab_tokens": len(every), "default_vocab_size": len(every) + 2,
                   "default_num_special_tokens": 2, "version": "v3"},
        "vocab": [{"rank": i, "token_bytes": base64.b64encode(token).decode(), "token_str": None}
                  for i, token in enumerate(every)]}))
    return path


def run(path: Path, *arguments: str) -> int:
    return runner.main(["--vocab", str(path), "--examples", "3", *arguments])


@pytest.mark.parametrize(("write", "form", "statements"), [
    (vocab_txt, "vocab.txt", "Fast WordPiece"), (wordpiece_json, "tokenizer.json, WordPiece", "Fast WordPiece"),
    (ranks, ".tiktoken rank table", "incremental BPE"), (pair, "vocab.json and merges.txt", "incremental BPE"),
    (lambda folder: pair(folder).with_name("merges.txt"), "vocab.json and merges.txt", "incremental BPE"),
    (bpe_json, "tokenizer.json, BPE", "incremental BPE"), (tekken, "tekken.json", "incremental BPE"),
], ids=["vocab.txt", "wordpiece", "tiktoken", "vocab.json", "merges.txt", "bpe", "tekken"])
def test_every_format(tmp_path, capsys, monkeypatch, write, form, statements):
    monkeypatch.setattr(bpe_vocabulary_check, "LONG_RUN", 100)
    monkeypatch.setattr(vocabulary_check, "WORDS", 600)
    path = write(tmp_path)
    names = [f"{'' if statements == 'Fast WordPiece' else 'bpe_'}{name}" for name in ("lemma", "cost_1", "cost_2")]
    assert run(path, "--only", *names) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{path}: {form}; the statements of the paper on {statements}\n")
    assert re.search(r"\d+ statements?: all hold; \d+ s\n$", out) and "longest entry: " in out
    assert " FAILS" not in out and "WRONG" not in out


def test_every_statement_of_the_paper(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(bpe_vocabulary_check, "LONG_RUN", 100)
    file = tmp_path / "said.json"
    assert run(ranks(tmp_path), "--json", str(file)) == 0
    said = json.loads(file.read_text(encoding="utf-8"))
    assert said["holds"] and said["format"] == ".tiktoken rank table"
    expected = [path.stem for path in check.statement_files() if path.stem.startswith(check.SECOND)]
    assert [told["statement"] for told in said["statements"]] == expected
    without = [told for told in said["statements"] if not told["cases"] and not told["parts"]]
    assert all(told["note"] for told in without) and len(without) <= 5
    out = capsys.readouterr().out
    assert out.count("  holds\n") == len(expected) - len(without)
    assert "proper: rank BPE and the rules in their order (equation 1) agree on every text" in out
    assert "served by the form 'rules': the dictionary is proper" in out


def test_what_is_checked_on_the_whole_names_statements():
    stems = [path.stem for path in check.statement_files()]
    for name, _ in [*vocabulary_check.CHECKS, *bpe_vocabulary_check.CHECKS]:
        assert sum(f"{stem}_".startswith(f"{name}_") for stem in stems) >= 1, name


def test_an_improper_table_says_where(tmp_path, capsys):
    assert run(ranks(tmp_path, [b"a", b"aaa", b"aa", b"b"], "other.tiktoken"), "--only", "bpe_proposition_1_") == 0
    out = capsys.readouterr().out
    assert "improper: rank BPE and the rules in their order (equation 1) differ, first on b'aaa'" in out
    assert "served by the form 'pairs'" in out and "texts are taken as not split" in out


# --------------------------------------------------------------------------------------------- failures and errors

def test_a_fault_on_the_whole_vocabulary_is_seen(tmp_path, capsys, monkeypatch):
    path = vocab_txt(tmp_path)
    monkeypatch.setattr(vocabulary_check.OnOne, "read", lambda self, u, c: (self.T.delta(u, c), []))  # no failure move
    assert run(path, "--only", "lemma_4") == 1
    out = capsys.readouterr().out
    [shown] = re.findall(r"    world   (.*)\n    this    (.*)\n    not     (.*)\n", out)
    assert "FAILS" in out and shown == ("'##z', '.'", "([], None)", "(['##z'], '##.')")
    assert f"repeat  python -m proofs --vocab {path} --seed 0 --examples 3 --only lemma_4_through_failure_links" in out


def test_equation_1_in_place_of_rank_bpe_is_seen(tmp_path, capsys, monkeypatch):
    by_rank = bpe_vocabulary_check.OnOne.PQ
    monkeypatch.setattr(bpe_vocabulary_check.OnOne, "PQ", lambda self, s, fired=None, from_rank=False: by_rank(
        self, s, fired, True))
    assert run(ranks(tmp_path, [b"a", b"aaa", b"aa", b"b"]), "--only", "bpe_section_3_3") == 1
    assert "FAILS" in capsys.readouterr().out


def test_a_fault_on_parts_shows_a_smallest_one_with_its_symbols(tmp_path, capsys, monkeypatch):
    lemma = check.load(check.HERE / "bpe_lemma_3_1_infix.py")
    monkeypatch.setattr(lemma, "holds_compiled", lambda D, texts: (D.rules, texts[0], 1, 2) if D.rules else None)
    assert run(ranks(tmp_path), "--only", "bpe_lemma_3_1", "--examples", "60", "--seed", "4") == 1
    out = capsys.readouterr().out
    assert "world   (('a', 'b'),), 'a'\n    this    1\n    not     2\n    where   a = b'a', b = b'b'\n" in out
    assert "--seed 4 --examples 60 --only bpe_lemma_3_1_infix" in out


@pytest.mark.parametrize(("name", "content", "said"), [
    ("vocab.txt", b"a\nb\n", "the unknown token '[UNK]' is not among the 2 tokens"),
    ("vocab.txt", b"[UNK]\n\xff\n", "utf-8"),
    ("cl100k.tiktoken", b"<html>\n", "cl100k.tiktoken"),
    ("cl100k.tiktoken", b"!!! 5\n", "cl100k.tiktoken"),
    ("tokenizer.json", b'{"model": {"type": "Unigram"}}', "version: the field is missing"),
    ("tokenizer.json", b'{"model": ', "is no JSON"),
    ("tokenizer.json", b"[]", "tokenizer.json"),
    ("vocab.json", b'{"a": 0}', "needs merges.txt beside it"),
    ("merges.txt", b"#version: 0.2\na b\n", "needs vocab.json beside it"),
])
def test_a_bad_file_is_one_line(tmp_path, capsys, name, content, said):
    (tmp_path / name).write_bytes(content)
    assert run(tmp_path / name) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 1 and said.lower() in lines[0].lower() and str(tmp_path) in lines[0]


def test_no_file(tmp_path, capsys):
    assert run(tmp_path / "none.txt") == 1
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_the_guesses(tmp_path):
    assert vocabulary_file.load(str(vocab_txt(tmp_path, ["<unk>", "a", "B"]))).notes == [
        "text keeps its case: 1 entries have capitals"]
    assert vocabulary_file.load(str(ranks(tmp_path, name="my-gpt2.tiktoken"))).notes[0] == (
        "texts are split as gpt2 does, by the file's name")
    plain = ranks(tmp_path, name="ranks")
    assert vocabulary_file.load(str(plain)).format == ".tiktoken rank table"


# ------------------------------------------------------------------------------------------------------- entries

def test_entries_of_wordpiece(tmp_path, capsys):
    subject = vocabulary_report.Subject(vocabulary_file.load(str(vocab_txt(tmp_path))))
    found = vocabulary_report.of_wordpiece(subject)
    assert found.wrong == []
    by_key = {next(key for key, text in vocabulary_report_reasons().items() if text == reason): some
              for reason, some in found.never.items()}
    assert by_key == {"brackets": ["[CLS]"], "mark": ["...", "##."], "character": ["é"], "ideograph": ["##中"],
                      "space": ["y x"]}
    assert (found.total, found.reached) == (17, 11)


def vocabulary_report_reasons():
    from proofs.wordpiece_entries import REASONS

    return REASONS


def test_an_entry_in_the_shadow_of_longer_ones():
    """##b after a is never alone where abc… always goes on: brute force over all words up to length 6 says the same."""
    from itertools import product

    from linmaxmatch import WordPiece
    from proofs import wordpiece_entries

    characters = wordpiece_entries.Characters(WordPiece(["[UNK]"]).normalizer)
    for tokens in (["a", "ab", "b", "##b"], ["a", "aa", "##a", "##aa", "##b"], ["ab", "##a", "##ab", "##b"],
                   ["a", "b", "aa", "ab", "ba", "bb", "##a", "##b", "##bb"], ["aab", "##b", "##ba"]):
        tokenizer = WordPiece([*tokens, "[UNK]"])
        V = Vocabulary(frozenset(tokens), "##", "[UNK]")
        found = wordpiece_entries.shortest_words(vocabulary_check.OnOne(V, tokenizer, 2), characters, None)
        words = ["".join(letters) for length in range(1, 7) for letters in product("ab", repeat=length)]
        expected = {}
        for word in words:
            for token in original_wordpiece(V, word):
                expected.setdefault(token, len(word))
        expected.pop("[UNK]", None)
        assert {token: len(word) for token, word in found.items()} == expected


def test_entries_of_bpe(tmp_path, capsys):
    subject = vocabulary_report.Subject(vocabulary_file.load(str(ranks(tmp_path))))
    found = vocabulary_report.of_bpe(subject)
    assert found.wrong == []
    reasons = {some[0]: reason for reason, some in found.never.items()}
    assert set(reasons) == {b"a b", b"\xff", b"\xc3"}
    assert "grow into other entries" in reasons[b"\xc3"]
    assert "cut by the splitter" in reasons[b"a b"] and "no UTF-8" in reasons[b"\xff"]
    assert found.instead[b"a b"] == [b"a", b" ", b"b"]


def test_entries_as_they_read():
    result = doctest.testmod(entries)
    assert result.attempted > 0 and result.failed == 0


def test_an_entry_that_merging_undoes(tmp_path):
    """Without whole pieces, a token that is not canonical is never given: aaa is aa a by the rules (a, a), (a, aa)."""
    path = bpe_json(tmp_path)
    said = json.loads(path.read_text())
    said["model"] |= {"vocab": {"a": 0, "aa": 1, "aaa": 2, "b": 3, "bb": 4}, "merges": ["a a", "a aa"]}
    path.write_text(json.dumps(said))
    found = vocabulary_report.of_bpe(vocabulary_report.Subject(vocabulary_file.load(str(path))))
    assert found.wrong == []
    assert {some[0]: len(some) for some in found.never.values()} == {b"aaa": 1, b"bb": 1}
    assert any("merging its text" in reason for reason in found.never)
    assert any("no rule makes it" in reason for reason in found.never)


def test_a_wrong_claim_about_entries_is_told(tmp_path, capsys, monkeypatch):
    from proofs import wordpiece_entries

    def too_few(*arguments):
        return {token: word for token, word in words(*arguments).items() if token != "##z"} | {"ab": "b"}

    words = wordpiece_entries.shortest_words
    monkeypatch.setattr(wordpiece_entries, "shortest_words", too_few)
    assert run(vocab_txt(tmp_path), "--only", "definition_2") == 1
    out = capsys.readouterr().out
    assert "WRONG: 'b' is not given 'ab'" in out and "is given '##z'" in out


# -------------------------------------------------------------------------------------------------- closed parts

def test_parts_are_closed(tmp_path):
    from hypothesis import given, settings

    V = Vocabulary(frozenset(WORDS), "##", "[UNK]")
    seen = set()

    @settings(max_examples=300, database=None, derandomize=True)
    @given(subvocabularies.sub_vocabularies(V))
    def each(part):
        assert part.tokens <= V.tokens and part.suffix_indicator == "##"
        seen.add(part.tokens)

    each()
    assert len(seen) > 20
    source = subvocabularies.Source(["a", "b", "ab", "bb", "abb"], RULES)
    rules = set()

    @settings(max_examples=300, database=None, derandomize=True)
    @given(subvocabularies.sub_dictionaries(source))
    def each_dictionary(D):
        rules.add(D.rules)

    each_dictionary()
    assert tuple(RULES) in rules and () in rules and len(rules) <= 2 ** 3 + 1


def test_the_worlds_are_their_own_again_afterwards(tmp_path):
    from proofs import bpe_worlds, worlds

    with subvocabularies.drawing_from(Vocabulary(frozenset({"a"}))):
        assert worlds.OWN and not bpe_worlds.OWN
    assert not worlds.OWN


# --------------------------------------------------------------------------------------------------- real files

@pytest.mark.parametrize("name", ["llama2-tokenizer.json"])
def test_a_real_file(data, name, capsys):
    began = time.process_time()
    assert run(data / "vocabs" / name) == 0
    out = capsys.readouterr().out
    assert "byte fallback that nothing needs" in out and "WRONG" not in out
    assert time.process_time() - began < 180
