"""Vocabulary files: what they mean, and every way in which they can be the wrong file."""
import contextlib
import copy
import hashlib
import json
import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models

import subwordio.fields
import subwordio.files
from linmaxmatch import WordPiece
from linmaxmatch.default import default_vocabulary_path
from linmaxmatch.files import BertNormalizer, WordPieceDecoder, load_tokenizer_json, load_vocab_txt
from linmaxmatch.vocabulary import VocabularyError
from subwordio.added import AddedToken
from subwordio.errors import FormatError
from subwordio.files import BOM_NOTE, member, read_json_file, read_text_file
from subwordio.padding import Padding, Truncation
from subwordio.template import PLAIN, Special, Template, Text

HTML = b"<!DOCTYPE html>\n<html><head><title>404</title></head></html>\n"
POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 231508\n"


@pytest.fixture
def write(tmp_path):
    def write_file(content: bytes | str, name: str = "vocab.txt"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path
    return write_file


# vocab.txt

def test_w31_lines_end_at_newlines_only_and_a_line_separator_keeps_its_id(write):
    assert load_vocab_txt(write("a\n\u2028\nb\n")).tokens == ("a", "", "b")
    inside = "a\x85b\x0bc\x0cd\x1ce\u2029f\rg"
    assert load_vocab_txt(write(f"{inside}\nb")).tokens == (inside, "b")
    assert load_vocab_txt(write("\n\na\n\n")).tokens == ("", "", "a", "")


def test_w33_a_repeated_token_is_an_error_naming_both_lines_unless_the_last_is_to_win(write):
    path = write("a\nb\n\n\na\n")
    with pytest.raises(VocabularyError, match=r"vocab\.txt:5: 'a' is already on line 1"):
        load_vocab_txt(path)
    assert load_vocab_txt(path, duplicates="last").tokens == ("a", "b", "", "", "a")
    with pytest.raises(VocabularyError, match=r"vocab\.txt:2: 'a' is already on line 1"):
        load_vocab_txt(write("a\na \n"))        # alike once trimmed


def test_w34_a_vocabulary_is_utf8_whatever_the_code_page(write):
    assert load_vocab_txt(write("é\n☃\n😀")).tokens == ("é", "☃", "😀")


def test_w35_carriage_returns_go_and_a_byte_order_mark_goes_and_is_said(write):
    assert load_vocab_txt(write("[UNK]\r\na\r\n")) == (("[UNK]", "a"), ())
    assert load_vocab_txt(write(b"\xef\xbb\xbf[UNK]\na")) == (("[UNK]", "a"), (BOM_NOTE,))
    assert load_vocab_txt(write(b"a\n\xef\xbb\xbfb")).tokens == ("a", "\ufeffb")


def test_w36_white_space_at_the_end_of_a_line_goes_as_in_the_library(write):
    assert load_vocab_txt(write("a \nb\t")).tokens == ("a", "b")
    assert load_vocab_txt(write(" a\n\u3000b\u3000\u00a0\nc\x1c\n")).tokens == (" a", "\u3000b", "c\x1c")


@given(st.lists(st.text(st.sampled_from("ab \t\r\x0b\x1c\x1f\x85\xa0\u2028\u3000\u200b\0é😀"), max_size=5), min_size=1,
                max_size=8), st.booleans())
@example(["a", "", "a"], True)
def test_tokens_and_ids_are_the_librarys(tmp_path_factory, lines, final):
    path = tmp_path_factory.mktemp("vocab") / "vocab.txt"
    path.write_bytes(("\n".join(lines) + "\n" * final).encode())
    if path.stat().st_size == 0:
        return
    expected = models.WordPiece.read_file(str(path))
    tokens = load_vocab_txt(path, duplicates="last").tokens
    assert {token: i for i, token in enumerate(tokens)} == expected


@pytest.mark.parametrize("space", [chr(c) for c in range(0x3100) if chr(c).isspace()])
def test_every_white_space_is_trimmed_where_the_library_trims_it(write, space):
    if space != "\n":
        path = write(f"a{space}\nb\n")
        theirs = {i: token for token, i in models.WordPiece.read_file(str(path)).items()}
        assert load_vocab_txt(path).tokens[0] == theirs[0]


def test_a_nul_is_a_character(write):
    assert load_vocab_txt(write("\0\na\0b\n")).tokens == ("\0", "a\0b")


def test_a_missing_unknown_token_is_an_error_where_one_is_asked_for(write):
    path = write("[UNK]\na\n")
    assert load_vocab_txt(path, unk_token="[UNK]").tokens == ("[UNK]", "a")
    with pytest.raises(VocabularyError, match=r"vocab\.txt: the unknown token '<unk>' is not among the 2 tokens"):
        load_vocab_txt(path, unk_token="<unk>")


def test_bytes_that_are_not_utf8_name_line_and_byte(write):
    with pytest.raises(FormatError, match=r"vocab\.txt:3: byte 2 of the line \(0xff, offset 6 of the file\) is not"):
        load_vocab_txt(write(b"a\nbc\nd\xff\n"))
    with pytest.raises(FormatError, match=r"vocab\.txt:1: byte 2 of the line \(0xc3"):
        load_vocab_txt(write(b"a\xc3"))         # truncated inside a character
    with pytest.raises(FormatError, match=r"0xed"):
        load_vocab_txt(write(b"a\xed\xa0\x80"))  # a surrogate


def test_limits_are_stated(write, monkeypatch):
    with pytest.raises(FormatError, match=r"vocab\.txt: is larger than the limit of 3 bytes for a vocabulary"):
        load_vocab_txt(write("a\nb\n"), limit=3)
    assert load_vocab_txt(write("a\nb\n"), limit=4).tokens == ("a", "b")
    long = "é" * 2**15
    assert load_vocab_txt(write(f"a\n{long}\n")).tokens == ("a", long)
    with pytest.raises(FormatError, match=r"vocab\.txt:2: a token of 65537 bytes, more than the limit of 65536"):
        load_vocab_txt(write(f"a\n{long}a\n"))
    monkeypatch.setattr("linmaxmatch.vocab_txt.TOKEN_LIMIT", 2)
    assert len(load_vocab_txt(write("a\nb")).tokens) == 2
    with pytest.raises(FormatError, match="3 lines, more than the limit of 2 tokens"):
        load_vocab_txt(write("a\nb\nc"))


def test_too_many_lines(write):
    with pytest.raises(FormatError, match=f"{2**22 + 1} lines, more than the limit of {2**22} tokens"):
        load_vocab_txt(write(b"\n" * (2**22 + 1)))


def test_a_bad_rule_for_duplicates(write):
    with pytest.raises(ValueError, match="duplicates='first': expected 'error' or 'last'"):
        load_vocab_txt(write("a"), duplicates="first")


def test_real_vocabularies_load_with_every_id_of_the_librarys(data):
    for name in ("bert-base-uncased-vocab.txt", "multilingual-cased-wordpiece.txt"):
        path = data / "vocabs" / name
        tokens = load_vocab_txt(path, unk_token="[UNK]", duplicates="last").tokens
        assert {token: i for i, token in enumerate(tokens)} == models.WordPiece.read_file(str(path))


# What is found under the name of a vocabulary

@pytest.mark.parametrize("load", [load_vocab_txt, load_tokenizer_json])
@pytest.mark.parametrize("content, message", [
    (HTML, "is an HTML or XML page"), (b" \n<HTML lang=en>", "is an HTML or XML page"),
    (b"<?xml version='1.0'?><Error><Code>NoSuchKey</Code></Error>", "is an HTML or XML page"),
    (POINTER, "is a Git LFS pointer"), (b"/annex/objects/MD5E-s1--0", "is a git-annex pointer"),
    (b"", "is empty; expected a"), (b"\x1f\x8b\x08\0", "is gzip-compressed"), (b"PK\x03\x04\x14", "is a zip archive"),
    ("[UNK]\na\n".encode("utf-16"), "begins as UTF-16"), ("[UNK]\na\n".encode("utf-16-be"), ""),
    (b"\x80\x02}q\0", "byte 1 of the line"), (bytes(range(256)), ""),
])
def test_b40_the_wrong_file_is_recognised(write, load, content, message):
    path = write(content)
    if message == "" and load is load_vocab_txt and content[:1] == b"\0" and 0xff not in content:
        assert load(path).tokens[0] == "\0[\0U\0N\0K\0]\0"     # UTF-16 without a mark is UTF-8 too, of NULs
        return
    with pytest.raises(FormatError, match=rf"vocab\.txt.*{message}"):
        load(path)


@pytest.mark.parametrize("load", [load_vocab_txt, load_tokenizer_json])
def test_a_saved_tokenizer_is_recognised(tmp_path, load):
    path = tmp_path / "vocab.txt"
    WordPiece.from_file(default_vocabulary_path()).save(path)
    with pytest.raises(FormatError, match=r"vocab\.txt: is a saved tokenizer, which WordPiece\.load reads, not a"):
        load(path)


@pytest.mark.parametrize("load", [load_vocab_txt, load_tokenizer_json])
def test_b40_a_folder_and_a_missing_file(tmp_path, load):
    with pytest.raises(FormatError, match="is a folder, not a"):
        load(tmp_path)
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "none.txt")
    with pytest.raises(FileNotFoundError):
        load(str(tmp_path / "none.txt"))


def test_a_token_that_looks_like_markup_is_a_token(write):
    assert load_vocab_txt(write("<head>\n<html>\n<!--\n")).tokens == ("<head>", "<html>", "<!--")


def test_b40_b41_the_digest_is_checked_and_nothing_is_fetched(write, monkeypatch):
    import socket
    monkeypatch.setattr(socket, "socket", None)
    path = write("[UNK]\r\na\r\n")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    assert load_vocab_txt(path, sha256=digest.upper()).tokens == ("[UNK]", "a")
    with pytest.raises(FormatError, match=f"vocab.txt: SHA-256 is {digest}, expected {'0' * 64}"):
        load_vocab_txt(path, sha256="0" * 64)
    with pytest.raises(ValueError, match="sha256='abc': expected 64 hexadecimal digits"):
        load_vocab_txt(path, sha256="abc")


def test_an_endless_file_is_read_up_to_the_limit():
    with pytest.raises(FormatError, match="larger than the limit of 1000 bytes"):
        read_text_file("/dev/zero", what="a text", limit=1000)


# JSON

@pytest.mark.parametrize("text, message", [
    ('{"a": 1,\n "b": }', r"x\.json:2: column 7: not JSON: Expecting value"),
    ('{"a": 1', r"x\.json:1: column 8: not JSON: Expecting ',' delimiter"),
    ('{"a": 1} x', r"x\.json:1: column 10: not JSON: Extra data"),
    ('{"a": NaN}', r"x\.json: NaN is no JSON value"), ('[-Infinity]', "-Infinity is no JSON value"),
    ('{"a": 1, "b": {"##c": [{"d": 1, "d": 1}]}}', r'x\.json: b\["##c"\]\[0\]: key \'d\' is given twice'),
    ('{"a": 1, "a": 1}', "the top level: key 'a' is given twice"),
    (r'{"a": ["\ud800"]}', r"x\.json: a\[0\]: '\\ud800' holds a lone surrogate"),
    (r'{"\uDFFF": 1}', "the top level: '.udfff' holds a lone surrogate"),
    ("1" * 5000, "Exceeds the limit"), ("[" * 100_000, "JSON nested too deeply"),
    ('{"a":' * 100_000 + "1" + "}" * 100_000, "JSON nested too deeply"), ("", "is empty"), (" ", "Expecting value"),
    ("nul", "Expecting value"), ('"a\nb"', "Invalid control character"),
])
def test_bad_json(write, text, message):
    with pytest.raises(FormatError, match=message):
        read_json_file(write(text, "x.json"), what="a JSON file", limit=10**6)


def test_good_json(write):
    path = write(b'\xef\xbb\xbf{"a": "\\ud83d\\ude00"}')
    assert read_json_file(path, what="JSON", limit=99) == ({"a": "😀"}, (BOM_NOTE,))


# tokenizer.json

def small() -> dict:
    tokens = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "##b", "c"]
    cls, sep = ({"SpecialToken": {"id": name, "type_id": 0}} for name in ("[CLS]", "[SEP]"))
    return {
        "version": "1.0",
        "truncation": {"direction": "Left", "max_length": 16, "strategy": "OnlyFirst", "stride": 3},
        "padding": {"strategy": "BatchLongest", "direction": "Left", "pad_to_multiple_of": 8, "pad_id": 0,
                    "pad_type_id": 1, "pad_token": "[PAD]"},
        "added_tokens": [{"id": i, "content": content, "single_word": False, "lstrip": False, "rstrip": False,
                          "normalized": i == 7, "special": i < 7}
                         for i, content in [*enumerate(tokens[:4]), (7, "new")]],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": False,
                       "strip_accents": False, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing", "single": [cls, {"Sequence": {"id": "A", "type_id": 0}}, sep],
            "pair": [cls, {"Sequence": {"id": "B", "type_id": 1}}, sep, {"Sequence": {"id": "A", "type_id": 0}}],
            "special_tokens": {"[CLS]": {"id": "[CLS]", "ids": [2, 1], "tokens": ["[CLS]", "[UNK]"]},
                               "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]}}},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": False},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": {token: i for i, token in enumerate(tokens)}},
    }


def change(state: dict, place: tuple, value) -> dict:
    state = copy.deepcopy(state)
    part = state
    for key in place[:-1]:
        part = part[key]
    if value is DELETED:
        del part[place[-1]]
    else:
        part[place[-1]] = value
    return state


DELETED = object()


@pytest.fixture
def load(write):
    return lambda state: load_tokenizer_json(write(json.dumps(state), "tokenizer.json"))


def test_all_of_a_file_is_understood(load):
    config = load(small())
    assert config.tokens == ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "##b", "c", "new")
    assert config.model_vocab_size == 7
    assert (config.unk_token, config.continuing_subword_prefix, config.max_input_chars_per_word) == ("[UNK]", "##", 100)
    assert config.normalizer == BertNormalizer(True, False, False, True)
    assert config.added_tokens[0] == AddedToken("[PAD]", 0, special=True)
    assert config.added_tokens[4] == AddedToken("new", 7, normalized=True)
    cls, sep = Special((2, 1)), Special((3,))
    assert config.template == Template((cls, Text(0), sep), (cls, Text(1, 1), sep, Text(0)))
    assert config.decoder == WordPieceDecoder("##", False)
    assert config.truncation == Truncation(16, "only_first", 3, "left")
    assert config.padding == Padding(None, "left", 0, 1, 8)
    assert config.notes == ()
    hash(config)


def test_every_section_that_may_be_null_or_missing(load):
    for value in (None, DELETED):
        state = small()
        for key in ("truncation", "padding", "added_tokens", "normalizer", "post_processor", "decoder"):
            state = change(state, (key,), value)
        config = load(state)
        assert (config.truncation, config.padding, config.normalizer, config.decoder) == (None,) * 4
        assert (config.added_tokens, config.template, len(config.tokens)) == ((), PLAIN, 7)
    state = change(small(), ("normalizer", "strip_accents"), None)
    state = change(state, ("truncation", "direction"), DELETED)
    state = change(state, ("padding", "pad_to_multiple_of"), None)
    config = load(state)
    assert config.normalizer.strip_accents is None
    assert config.truncation.direction == "right"
    assert config.padding.multiple_of is None
    with pytest.raises(FormatError, match=r"tokenizer\.json: pre_tokenizer: none is not supported"):
        load(change(small(), ("pre_tokenizer",), None))


def test_sequences_of_exactly_one_are_that_one(load):
    state = small()
    for key, parts in (("normalizer", "normalizers"), ("pre_tokenizer", "pretokenizers"), ("decoder", "decoders")):
        state[key] = {"type": "Sequence", parts: [state[key]]}
    assert load(state) == load(small())
    for n in (0, 2):
        two = change(state, ("normalizer", "normalizers"), state["normalizer"]["normalizers"] * n)
        with pytest.raises(FormatError, match=rf"normalizer\.normalizers: a sequence of {n} is not supported"):
            load(two)


def test_bert_processing(load):
    state = change(small(), ("post_processor",), {"type": "BertProcessing", "sep": ["[SEP]", 3], "cls": ["[CLS]", 2]})
    assert load(state).template == Template.bert(2, 3)
    for bad in (["[SEP]"], ["[SEP]", "3"], [3, "[SEP]"], None, {"[SEP]": 3}):
        with pytest.raises(FormatError, match=r"post_processor\.sep: expected"):
            load(change(state, ("post_processor", "sep"), bad))
    with pytest.raises(FormatError, match=r"post_processor\.sep: 4 is not the id of '\[SEP\]'"):
        load(change(state, ("post_processor", "sep"), ["[SEP]", 4]))


def test_fixed_padding(load):
    assert load(change(small(), ("padding", "strategy"), {"Fixed": 128})).padding.length == 128
    for bad in ("Fixed", {"Fixed": "1"}, {"Fixed": 1, "x": 2}, {}, None, 3):
        with pytest.raises(FormatError, match=r"tokenizer\.json: padding\.strategy"):
            load(change(small(), ("padding", "strategy"), bad))


GONE = "the field is missing"


@pytest.mark.parametrize("place, value, message", [
    (("version",), "2.0", 'version: "2.0" is not supported; expected "1.0"'),
    (("version",), DELETED, f"version: {GONE}"),
    (("zzz",), 1, r"zzz: unknown field \(value 1\)"),
    (("model", "dropout"), 0.1, r"model\.dropout: unknown field"),
    (("model", "type"), "BPE", r'model\.type: "BPE" is not supported; expected "WordPiece"'),
    (("model", "type"), DELETED, rf"model\.type: {GONE}"),
    (("model", "unk_token"), "zz", r"model\.unk_token: 'zz' is not in model\.vocab"),
    (("model", "max_input_chars_per_word"), -1, r"model\.max_input_chars_per_word: expected an integer from 0"),
    (("model", "max_input_chars_per_word"), 1.0, r"expected an integer, got 1\.0"),
    (("model", "max_input_chars_per_word"), True, "expected an integer, got true"),
    (("model", "vocab", "a"), -1, r"model\.vocab: 'a': expected an id from 0 to 4194303, got -1"),
    (("model", "vocab", "a"), "4", r"model\.vocab: 'a': expected an id"),
    (("model", "vocab", "a"), True, r"model\.vocab: 'a': expected an id"),
    (("model", "vocab", "a"), 2**22, r"model\.vocab: 'a': expected an id"),
    (("model", "vocab", "a"), 5, r"model\.vocab: 'a' and '##b' have one id, 5"),
    (("model", "vocab"), {}, r"model\.unk_token: '\[UNK\]' is not in model\.vocab"),
    (("model", "vocab", "a" * 65_537), 7, r"model\.vocab: id 7: a token of 65537 bytes"),
    (("added_tokens", 0, "id"), 3, r"added_tokens\[0\]\.id: '\[PAD\]' has the id 3 here, but 0"),
    (("added_tokens", 4, "id"), 77, r"added_tokens\[4\]\.id: 'new' has the id 77 here, but 7 is the next one"),
    (("added_tokens", 4, "id"), 4, r"added_tokens\[4\]\.id: 'new' has the id 4 here, but 7"),
    (("added_tokens", 4, "content"), "", r"added_tokens\[4\]\.content: an added token must not be empty"),
    (("added_tokens", 4, "content"), "[PAD]", r"added_tokens\[4\]\.content: '\[PAD\]' is added twice"),
    (("model", "vocab", "c"), 9, r"added_tokens\[4\]\.id: 7 is among the model's own ids, which have gaps and reach 9"),
    (("normalizer", "type"), "NFC", r'normalizer\.type: "NFC" is not supported; expected "BertNormalizer"'),
    (("pre_tokenizer", "type"), "Whitespace", r'pre_tokenizer\.type: "Whitespace" is not supported'),
    (("decoder", "type"), "BPEDecoder", r'decoder\.type: "BPEDecoder" is not supported'),
    (("post_processor", "type"), "RobertaProcessing", r"post_processor\.type: .* expected \"TemplateProcessing\" or"),
    (("post_processor", "type"), "Sequence", r'post_processor\.type: "Sequence" is not supported'),
    (("post_processor", "single"), [], r"post_processor\.single: expected each of the texts 'A' once, got ''"),
    (("post_processor", "single", 1, "Sequence", "id"), "B", r"post_processor\.single: .* got 'B'"),
    (("post_processor", "single", 1, "Sequence", "id"), "C", r"single\[1\]\.Sequence\.id: \"C\" is not supported"),
    (("post_processor", "pair", 1), {"Sequence": {"id": "A", "type_id": 0}}, r"post_processor\.pair: .* got 'AA'"),
    (("post_processor", "single", 0, "SpecialToken", "id"), "[Z]", r"id: '\[Z\]' is not among the special_tokens"),
    (("post_processor", "single", 0, "Sequence"), {}, r"single\[0\]: expected one of Sequence, SpecialToken"),
    (("post_processor", "single", 0), {"Token": {}}, r"single\[0\]\.Token: unknown piece"),
    (("post_processor", "special_tokens", "[CLS]", "id"), "[X]", r"expected the name that it has in the template"),
    (("post_processor", "special_tokens", "[CLS]", "ids"), [2], r"ids: 1 ids for 2 tokens"),
    (("post_processor", "special_tokens", "[CLS]", "ids"), [2, 4], r"ids: 4 is not the id of '\[UNK\]'"),
    (("post_processor", "special_tokens", "[CLS]", "ids"), [2, 2**40], r"ids: 1099511627776 is not the id"),
    (("truncation", "strategy"), "Longest", r'truncation\.strategy: "Longest" is not supported'),
    (("truncation", "max_length"), 2**31, r"truncation\.max_length: expected an integer from 0 to 2147483647"),
    (("padding", "pad_id"), 2**32, r"padding\.pad_id: expected an integer from 0 to 4294967295"),
    (("padding", "direction"), "left", r'padding\.direction: "left" is not supported; expected "Left" or "Right"'),
])
def test_what_a_file_asks_for_and_we_do_not_do_names_the_field(load, place, value, message):
    with pytest.raises(ValueError, match=rf"tokenizer\.json: .*{message}"):
        load(change(small(), place, value))


def test_a_missing_unknown_token_is_a_vocabulary_error(load):
    with pytest.raises(VocabularyError):
        load(change(small(), ("model", "unk_token"), "zz"))


def test_gaps_between_ids_keep_every_id_and_are_said(load):
    state = change(change(small(), ("added_tokens",), []), ("model", "vocab", "c"), 9)
    config = load(state)
    assert config.tokens[6:] == ("", "", "", "c")
    assert config.notes == ("3 ids of the model have no token",)


def leaves(value, place=()):
    if isinstance(value, (dict, list)) and value:
        yield place
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from leaves(value[key], (*place, key))
    else:
        yield place


def spelt(place) -> str:
    """A place as messages name it."""
    text = ""
    for key in place:
        text = f"{text}[{key}]" if isinstance(key, int) else member(text, key)
    return text


NULLABLE = {("truncation",), ("padding",), ("added_tokens",), ("normalizer",), ("post_processor",), ("decoder",),
            ("normalizer", "strip_accents"), ("padding", "pad_to_multiple_of")}
MAY_BE_MISSING = NULLABLE | {("truncation", "direction")}


def test_every_place_of_a_real_file_refuses_a_wrong_type_and_names_the_field(data, write):
    state = json.loads((data / "vocabs" / "all-minilm-l6-v2-tokenizer.json").read_text())
    keep = {entry["content"] for entry in state["added_tokens"]}
    state["model"]["vocab"] = {token: i for token, i in state["model"]["vocab"].items() if token in keep or i == 5}
    checked = 0
    for place in leaves(state):
        for wrong in (None, True, 0.5, -7, "7", [], {}, [[]], {"x": 1}, [None]):
            original = state
            for key in place:
                original = original[key]
            if type(wrong) is type(original) or not place or (wrong is None and place in NULLABLE):
                continue
            if wrong is True and place == ("normalizer", "strip_accents"):
                continue        # the one field that holds either
            with pytest.raises(FormatError) as caught:
                load_tokenizer_json(write(json.dumps(change(state, place, wrong)), "tokenizer.json"))
            named = str(caught.value)       # names the field, or the array or vocabulary that the value stands in
            assert any(f"{name}{end}" in named for name, end in (
                (spelt(place), ": "), (spelt(place), "."), (spelt(place[:-1]), ": "))), named
            checked += 1
    assert checked > 700


def test_every_field_that_is_taken_away_is_missed_and_every_new_one_refused(load):
    state, checked = small(), 0
    for place in leaves(state):
        part = state
        for key in place:
            part = part[key]
        if isinstance(part, dict) and place != ("model", "vocab"):
            with pytest.raises(FormatError, match=r"zzz|expected one of Sequence, SpecialToken"):
                load(change(state, (*place, "zzz"), 1))
            checked += 1
        if place and isinstance(place[-1], str) and place not in MAY_BE_MISSING and place[:2] != ("model", "vocab"):
            with pytest.raises(FormatError):
                load(change(state, place, DELETED))
            checked += 1
    assert checked > 60


def test_the_real_file_is_the_librarys_and_loads_quickly(data):
    path = data / "vocabs" / "all-minilm-l6-v2-tokenizer.json"
    config = load_tokenizer_json(path)
    peer = Tokenizer.from_file(str(path))
    assert {token: i for i, token in enumerate(config.tokens)} == peer.get_vocab()
    assert (config.truncation, config.padding) == (Truncation(128), Padding(128, pad_id=0))
    assert config.template == Template.bert(101, 102)
    assert {token.id: (token.content, token.special, token.single_word, token.lstrip, token.rstrip, token.normalized)
            for token in config.added_tokens} == {
        i: (token.content, token.special, token.single_word, token.lstrip, token.rstrip, token.normalized)
        for i, token in peer.get_added_tokens_decoder().items()}
    times = []
    for _ in range(7):
        began = time.process_time()
        load_tokenizer_json(path)
        times.append(time.process_time() - began)
    assert min(times) < 0.08     # 0.02 where nothing else runs


def test_other_models_are_refused_by_name(data):
    for name in ("llama2-tokenizer.json", "llama3-tokenizer.json"):
        with pytest.raises(FormatError, match=r'model\.type: "BPE" is not supported; expected "WordPiece"'):
            load_tokenizer_json(data / "vocabs" / name)
    for name in ("cl100k_base.tiktoken", "bert-base-uncased-vocab.txt"):
        with pytest.raises(FormatError, match=f"{name}:1: column 1: not JSON" if "bert" not in name else "not JSON"):
            load_tokenizer_json(data / "vocabs" / name)


@given(st.integers(0, 5000), st.sampled_from([b"", b"\xff", b"\0", b"}", b'"', b"{"]))
def test_a_truncated_or_spoilt_file_is_an_error_or_another_good_file(tmp_path_factory, cut, insert):
    text = json.dumps(small()).encode()
    path = tmp_path_factory.mktemp("spoilt") / "tokenizer.json"
    spoilt = text[:cut % len(text)] + insert + (text[cut % len(text):] if insert else b"")
    path.write_bytes(spoilt)
    with contextlib.suppress(FormatError, VocabularyError):
        load_tokenizer_json(path)


def test_docstrings():
    import doctest

    import linmaxmatch.decoding
    for module in (subwordio.files, subwordio.fields, linmaxmatch.decoding):
        assert doctest.testmod(module).failed == 0
        assert doctest.testmod(module).attempted > 0
