"""A text with its tokens in colours: all of the text is there, each token where it stands, bytes shown as bytes."""
import html
import re

import pytest

import incbpe.cli
import linmaxmatch.cli
from incbpe import BPE
from incbpe.default import default_tokenizer_path
from linmaxmatch import WordPiece
from linmaxmatch.default import default_vocabulary_path
from subwordio.view import COLOURS, bordered, coloured, page, parts

TEXT = "Unaffable naïveté! 東京 😀\n\nnext <b>ﷺ</b>\u00a0\ttab & end\n"


@pytest.fixture(scope="module")
def wordpiece():
    return WordPiece.from_file(default_vocabulary_path())


@pytest.fixture(scope="module")
def bpe():
    return BPE.from_file(default_tokenizer_path())


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8", newline="\n")
    return path


def test_all_of_the_text_and_all_tokens(wordpiece, bpe):
    data = TEXT.encode()
    for tokenizer, spelt in ((wordpiece, None), (bpe, bpe.token_bytes)):
        encoding = tokenizer.encode(data, offsets=True)
        found = list(parts(data, encoding, str, spelt))
        assert [part.id for part in found if part.id is not None] == list(encoding.ids)
        covered = bytearray(len(data))
        for part in found:
            covered[part.start:part.stop] = b"\1" * (part.stop - part.start)
            if part.whole:
                assert part.shown == data[part.start:part.stop].decode()
        assert all(covered)


def test_bytes_of_a_character_are_shown_as_bytes(bpe):
    data = "東x".encode()
    shown = [part.shown for part in parts(data, bpe.encode(data, offsets=True), str, bpe.token_bytes)]
    assert shown == ["‹e6 9d›", "‹b1›", "x"]
    assert bytes.fromhex("".join(re.findall("[0-9a-f]{2}", "".join(shown[:2])))) == "東".encode()


def test_a_character_that_becomes_several_tokens():
    tokenizer = WordPiece(["[UNK]", "\u1100", "##\u1161", "##\u11a8"])
    data = "각x".encode()
    shown = [part.shown for part in parts(data, tokenizer.encode(data[:3], offsets=True), tokenizer.token)]
    assert shown == ["각", "‹##\u1161›", "‹##\u11a8›", "x"]


def test_colours(bpe):
    found = list(parts(b"a b", bpe.encode(b"a b", offsets=True), str))
    assert coloured(found, None) == f"{COLOURS[0]}a\033[0m{COLOURS[1]} b\033[0m"
    assert bordered(found, found[0].id) == "?a| b|"
    assert re.sub("\033\\[[0-9;]*m", "", coloured(found, None)) == "a b"


def test_a_page_escapes_and_names(bpe):
    data = b"<b>&\"'"
    written = page(parts(data, bpe.encode(data, offsets=True), str), None, lambda id: f"<{id}>", "a<b")
    assert "<title>a&lt;b</title>" in written
    body = re.search(r"<pre>(.*)</pre>", written, re.DOTALL)[1]
    assert html.unescape(re.sub(r"<[^>]*>", "", body)) == data.decode()
    assert body.count("title=") == len(bpe.encode(data))


def test_the_command(file, run_main, tmp_path):
    shown = run_main(linmaxmatch.cli.main, "view", file)
    assert (shown.code, shown.err) == (0, "")
    assert shown.lines[0].startswith("Un|aff|able| na|ïve|té|!| ?東|?京| ?😀|")
    shown = run_main(incbpe.cli.main, "view", file)
    assert shown.out.startswith("U|na|ff|able| na|‹c3›|‹af›|v|et|")
    assert "\033[" in run_main(incbpe.cli.main, "view", "--color", "always", file).out
    assert run_main(incbpe.cli.main, "view", "--html", file, "-o", tmp_path / "t.html").code == 0
    assert "<!DOCTYPE html>" in (tmp_path / "t.html").read_text(encoding="utf-8")
    assert run_main(incbpe.cli.main, "view", stdin="ab\n").lines == ["ab|", "|"]


@pytest.mark.parametrize("main", [linmaxmatch.cli.main, incbpe.cli.main])
def test_what_cannot_be_shown(main, file, run_main, tmp_path):
    result = run_main(main, "view", "--html", file, file)
    assert (result.code, result.out) == (2, "")
    assert "--html makes a page of one file" in result.err
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"a\n\xff\n")
    result = run_main(main, "view", bad)
    assert (result.code, result.out) == (1, "")
    assert f"{bad}, line 2: not UTF-8" in result.err
