"""Integers: what NumPy gives is taken, truth values and floats are not, and the error names the argument."""
import tempfile
from array import array
from itertools import chain
from mmap import ACCESS_READ, mmap

import numpy
import pytest

from incbpe import BPE, Config, Dictionary, Incremental, Model, Prefixes, TokenTree, normalize
from incbpe.default import default_tokenizer_path
from incbpe.stream import Stream
from linmaxmatch import WordPiece
from linmaxmatch.default import default_vocabulary_path
from subwordio.integers import integer


@pytest.fixture(scope="module")
def tokenizers():
    return WordPiece.from_file(default_vocabulary_path()), BPE.from_file(default_tokenizer_path())


def test_ids_of_arrays_name_tokens(tokenizers):
    for tokenizer in tokenizers:
        ids = tokenizer.encode("hello world")
        assert [tokenizer.token(id) for id in numpy.asarray(ids)] == [tokenizer.token(id) for id in ids]
        assert tokenizer.count("hello world", limit=numpy.int64(1)) == 2


def test_limits(tokenizers):
    bpe = tokenizers[1]
    two = numpy.uint8(2)
    assert bpe.truncate("hello world", two) == bpe.truncate("hello world", 2)
    assert bpe.prefixes("hello world").longest_within(two) == bpe.prefixes("hello world").longest_within(2)
    normalized = normalize(Dictionary(["a", "b", "ab"], [("a", "b")]))
    assert Prefixes(normalized, "abab").longest_within(numpy.int8(1)) == 2
    inc = Incremental(normalized)
    inc.extend("abab")
    inc.pop(two)
    assert inc.tokens() == ["ab"]


@pytest.mark.parametrize("value", [True, numpy.True_, 1.0, "1", None])
def test_what_is_no_integer(tokenizers, value):
    with pytest.raises(TypeError, match=r"^k: expected an int, got "):
        integer("k", value)
    for tokenizer in tokenizers:
        with pytest.raises(TypeError, match=r"^id: expected an int, got "):
            tokenizer.token(value)
    with pytest.raises(TypeError, match=r"^max_tokens: expected an int, got "):
        tokenizers[1].truncate("a", value)


def test_bytes_of_other_kinds(tokenizers):
    bpe = tokenizers[1]
    data = "hello é".encode() + b"\xff"
    with tempfile.TemporaryFile() as file:
        file.write(data)
        file.flush()
        with mmap(file.fileno(), 0, access=ACCESS_READ) as mapped:
            forms = [bytearray(data), memoryview(data), memoryview(data[::-1])[::-1], array("B", data), mapped,
                     numpy.frombuffer(data, numpy.uint8)]
            assert [bpe.encode_bytes(form) for form in forms] == [bpe.encode_bytes(data)] * len(forms)
            stream = bpe.stream()
            for form in forms:
                got = stream.feed(form[:7]), stream.feed(form[7:8]), stream.feed(b""), stream.feed(form[8:-1])
                assert [*chain(*got), *stream.finish()] == bpe.encode(data[:-1])
    for call, wanted in ((bpe.encode_bytes, "data: expected a"), (bpe.stream().feed, "chunk: expected a str or")):
        for wrong, kind in ((3, "int"), ([97], "list"), (array("I", [97]), "array with items of 4 bytes")):
            with pytest.raises(TypeError, match=f"^{wanted} bytes-like object, got {kind}"):
                call(wrong)
    with pytest.raises(TypeError, match="data: expected a bytes-like object, got str"):
        bpe.encode_bytes("a")


@pytest.mark.parametrize(("model", "error"), [
    ({"byte_ids": (1, 2)}, r"byte_ids: expected 256 ids, got 2"),
    ({"byte_ids": tuple(range(256))}, r"byte_ids\[2\]=2: expected -1 to 1"),
    ({"byte_ids": (-2,) * 256}, r"byte_ids\[0\]=-2: expected -1 to 1"),
    ({"byte_ids": ()}, r"byte_ids: expected 256 ids, got 0"),
    ({"unk_id": 7}, r"unk_id=7: expected 0 to 1"),
    ({"unk_id": -7}, r"unk_id=-7: expected 0 to 1"),
])
def test_a_model_whose_ids_name_no_token(model, error):
    with pytest.raises(ValueError, match=error):
        BPE(Config(Model(("a", "b"), (), **model), "tokenizers"))


def test_a_model_of_mixed_tokens_and_a_config_of_none():
    with pytest.raises(TypeError, match="tokens: expected all bytes or all str, got bytes and str"):
        BPE(Config(Model(("a", b"b"), ()), "tokenizers"))
    with pytest.raises(TypeError, match="model: expected a Model, got NoneType"):
        BPE(Config(None, "tiktoken"))
    with pytest.raises(ValueError, match="unicode='foo': expected 'tiktoken' or 'tokenizers'"):
        BPE(Config(Model(("a",), ()), "foo"))


def test_a_token_tree_that_goes_round():
    with pytest.raises(ValueError, match=r"parents\[0\]: expected a row before, or -1, got 0"):
        TokenTree([5], ["a"], [9], [0], [1], [0])


def test_a_stream_of_no_tokenizer():
    stream = Stream()
    for use in (lambda: stream.feed("a"), stream.finish, stream.reset, stream.check):
        with pytest.raises(TypeError, match=r"a Stream is made by BPE.stream\(\)"):
            use()
    assert stream.nbytes == 0
