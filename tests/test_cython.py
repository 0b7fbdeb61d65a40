"""The packages from Cython: extensions compiled against what is installed, as another project would."""
import random
import re
from pathlib import Path

import pytest

from incbpe import BPE
from incbpe.default import default_tokenizer_path
from incbpe.model import Config, Form, Model, Split
from linmaxmatch.wordpiece import WordPiece
from subwordio.added import AddedToken

TOKENS = ["[UNK]", "[SEP]", "un", "##aff", "##able", "the", "##m", "a", "##b", "!", "caf", "##e", "東", "##京"]
TEXTS = ["", " ", "Unaffable, them!", "the\u00a0café ab a 東京", "\u0301" * 50, "[SEP] the", "a" * 150, "the " * 5000]


@pytest.fixture(scope="module")
def wordpiece_threads(cython):
    return cython("wordpiece_threads")


@pytest.mark.parametrize("options", [{}, {"normalizer": "google", "cache": 0}, {"normalizer": None},
                                     {"added_tokens": [AddedToken("café", 20, normalized=True)]}])
@pytest.mark.parametrize("threads", [1, 4])
def test_wordpiece_from_threads_without_the_gil(wordpiece_threads, options, threads):
    tokenizer = WordPiece(TOKENS, **options)
    draw = random.Random(1)
    texts = TEXTS + ["".join(draw.choices("the m!ab 東京é\n", k=draw.randrange(60))) for _ in range(500)]
    found = wordpiece_threads.encode(tokenizer, [text.encode() for text in texts], threads)
    assert found == [tokenizer.encode(text) for text in texts]
    assert sum(map(len, found)) > 3000
    tokenizer.check()


def test_wordpiece_gathers_in_one_buffer(wordpiece_threads):
    tokenizer = WordPiece(TOKENS)
    ids, error = wordpiece_threads.append(tokenizer, [b"unaffable", b"the \xff", b"", b"them \xe6\x9d", b"!"])
    assert ids == tokenizer.encode("unaffable !")
    with pytest.raises(ValueError) as same:
        tokenizer.encode(b"the \xff")
    assert str(error) == str(same.value)


@pytest.mark.parametrize("cache", [0, 1, 1 << 16])
def test_nothing_beyond_the_text_is_read(wordpiece_threads, cache):
    """Seen by AddressSanitizer (make asan)."""
    tokenizer = WordPiece(TOKENS, cache=cache)
    tokenizer.encode("the " * 5000)
    draw = random.Random(4)
    for n in [*range(140), 2047, 2048, 2049, 4096]:
        text = "".join(draw.choices(draw.choice(["the m!ab\n", "unaffable  ", "ab東é "]), k=n)).encode()
        assert wordpiece_threads.from_exact_memory(tokenizer, text) == tokenizer.encode(text)


def test_what_composes_first_lends_no_worker(wordpiece_threads):
    with pytest.raises(ValueError, match="nfc=True"):
        wordpiece_threads.append(WordPiece(TOKENS, nfc=True), [b"a"])


@pytest.fixture(scope="module")
def bpe_threads(cython):
    return cython("bpe_threads")


LETTERS = tuple(bytes((b,)) for b in range(256))
CONFIGS = [
    Config(Model((*LETTERS, b"ab", b" a", b"the"), None, whole_piece=True), "tiktoken", "o200k"),
    Config(Model((*LETTERS, b"ab", b" a"), ((b"a", b"b"), (b" ", b"a"))), "tokenizers", "gpt2",
           added_tokens=(AddedToken("!", 300),)),
    Config(Model(("a", "é", "ab", "b"), (("a", "b"),)), "tokenizers", normalizer=(Form("NFC"),),
           splits=(Split(r"\s+"),)),        # both take the GIL
    Config(Model(("a", "b", "bb", "bbb"), (("bb", "b"), ("b", "b"))), "tokenizers"),
]


@pytest.mark.parametrize("config", CONFIGS)
@pytest.mark.parametrize("threads", [1, 4])
def test_bpe_from_threads_without_the_gil(bpe_threads, config, threads):
    if config.splits:
        pytest.importorskip("regex")
    tokenizer = BPE(config)
    draw = random.Random(1)
    texts = TEXTS + ["".join(draw.choices("the ab! 東京é\u0301\n", k=draw.randrange(60))) for _ in range(300)]
    spelt = [text.encode() for text in texts]
    assert bpe_threads.count(tokenizer, spelt, threads) == [
        sum(tokenizer.count(text) for text in texts[t::threads]) for t in range(threads)]
    ids, error = bpe_threads.append(tokenizer, spelt)
    assert error is None and ids == [id for text in texts for id in tokenizer.encode(text)] and len(ids) > 100


def test_bpe_gathers_in_one_buffer(bpe_threads, tmp_path):
    tokenizer = BPE.from_file(default_tokenizer_path())
    tokenizer.save(tmp_path / "saved")
    tokenizer = BPE.load(tmp_path / "saved")
    ids, error = bpe_threads.append(tokenizer, [b"unaffable", b"the \xff", b"", b"them \xe6\x9d", b"!"])
    assert ids == [*tokenizer.encode("unaffable"), *tokenizer.encode("!")]
    with pytest.raises(ValueError) as same:
        tokenizer.encode(b"the \xff")
    assert str(error) == str(same.value)
    lacking = BPE(Config(Model((b"a", b"ab"), None, whole_piece=True), "tiktoken", "none"))
    ids, error = bpe_threads.append(lacking, [b"a", b"ax", b"a"])
    assert list(ids) == [0, 0] and "no token for b'x'" in str(error)


def test_the_reference_shows_the_code_that_is_tested():
    folder = Path(__file__).parent
    page = (folder.parent / "docs" / "reference.md").read_text("utf-8")
    shown = re.findall(r"^```cython\n(.*?)^```", page, re.S | re.M)
    sources = [path.read_text("utf-8") for path in (folder / "cython").glob("*.pyx")]
    assert shown
    for block in shown:
        assert any(all(line in source for line in block.split("\n")) for source in sources)
