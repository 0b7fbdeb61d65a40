"""What data systems call: every shape of a batch, and what travels by pickle. The systems are in docs/systems."""
import doctest
import pickle
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pyarrow as pa
import pytest

from incbpe import BPE
from incbpe.default import default_tokenizer_path
from linmaxmatch import WordPiece
from linmaxmatch.default import default_vocabulary_path
from subwordio import adapters
from subwordio.adapters import Encoder

TOKENIZERS = [WordPiece.from_file(default_vocabulary_path()), BPE.from_file(default_tokenizer_path())]
TEXTS = ["the thing", None, "", "unaffable é"]
both = pytest.mark.parametrize("tokenizer", TOKENIZERS, ids=["WordPiece", "BPE"])
PAGE = Path(__file__).parents[1] / "docs" / "data.md"


def test_the_page_on_data():
    result = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert result.attempted >= 12 and result.failed == 0


@both
def test_every_shape_of_a_batch(tokenizer):
    encoder = Encoder(tokenizer, "words", "numbers")
    ids = [None if text is None else list(tokenizer.encode(text)) for text in TEXTS]
    expected = {"n": [1, 2, 3, 4], "words": TEXTS, "numbers": ids}
    batch = pa.record_batch({"n": [1, 2, 3, 4], "words": TEXTS})
    table = pa.concat_tables([pa.table(batch[:2]), pa.table(batch[2:])])
    for given in (batch, table):
        found = encoder(given)
        assert type(found) is type(given) and found.to_pydict() == expected
        assert found["numbers"].type == pa.large_list(pa.uint32()) and given.num_columns == 2
        assert list(encoder(found).to_pydict()) == list(expected)       # the column is replaced
    assert [found.to_pydict() for found in encoder.batches(iter([batch, batch[:0]]))] == [
        expected, {"n": [], "words": [], "numbers": []}]
    assert encoder({"words": TEXTS, "n": [1, 2, 3, 4]}) == expected
    assert encoder.array(pa.array(TEXTS)).to_pylist() == encoder.array(pa.chunked_array([TEXTS])).to_pylist() == ids
    signed = Encoder(tokenizer, "words", signed=True, threads=None)(batch)["ids"]
    assert signed.type == pa.list_(pa.int32()) and signed.to_pylist() == ids
    assert repr(encoder).startswith("Encoder(") and repr(encoder).endswith(", 'words', 'numbers')")


def test_options_reach_the_tokenizer():
    class Tokenizer:
        def encode_batch(self, texts, threads, **options):
            self.seen = len(texts), threads, options
            return [[1, 2**31] if str(text) != "None" else None for text in texts]
    tokenizer = Tokenizer()
    encoder = Encoder(tokenizer, threads=3, allowed_special="all")
    assert encoder.array(pa.array(["a", None])).to_pylist() == [[1, 2**31], None]
    assert encoder({"text": ["a", None]})["ids"] == [[1, 2**31], None]
    assert tokenizer.seen == (1, 3, {"allowed_special": "all"})
    with pytest.raises(pa.ArrowInvalid, match="2147483648"):
        Encoder(tokenizer, signed=True).array(pa.array(["a"]))


@both
def test_what_is_no_batch_is_named(tokenizer):
    encoder = Encoder(tokenizer)
    for batch in (["the"], "the", None, pa.array(["the"])):
        with pytest.raises(TypeError, match=f"or a dict, got {type(batch).__name__}"):
            encoder(batch)
    for batch in (pa.table({"n": [1]}), pa.record_batch({"n": [1]}), {"n": [1]}):
        with pytest.raises(KeyError, match="text"):
            encoder(batch)
    with pytest.raises(TypeError, match="got int64"):
        encoder(pa.table({"text": [1]}))


def test_without_pyarrow(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install 'linmaxmatch-incbpe\[arrow\]'"):
        Encoder(TOKENIZERS[0]).array(["the"])


@both
def test_a_process_makes_a_tokenizer_once(tokenizer, monkeypatch):
    monkeypatch.setattr(adapters, "_kept", type(adapters._kept)())
    sent = pickle.dumps(Encoder(tokenizer, "a", "b", signed=True, threads=2, allowed_special="all"))
    first, again = pickle.loads(sent), pickle.loads(sent)
    assert first.tokenizer is again.tokenizer is not tokenizer
    assert vars(first) == vars(again) and first.tokenizer.fingerprint == tokenizer.fingerprint
    assert (first.column, first.to, first.signed, first.threads, first.options) == (
        "a", "b", True, 2, {"allowed_special": "all"})
    assert pickle.dumps(first) == pickle.dumps(pickle.loads(sent)) == sent
    other = pickle.loads(pickle.dumps(Encoder(tokenizer, "c")))
    assert other.tokenizer is first.tokenizer and other.column == "c"
    found = []
    threads = [Thread(target=lambda: found.append(pickle.loads(sent).tokenizer)) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 16 and set(map(id, found)) == {id(first.tokenizer)}


def test_a_process_keeps_the_last_few(monkeypatch):
    monkeypatch.setattr(adapters, "_kept", type(adapters._kept)())
    sent = [pickle.dumps(Encoder(WordPiece(["[UNK]", *tokens]))) for tokens in ("a", "b", "c", "d", "e")]
    kept = [pickle.loads(one).tokenizer for one in sent[:4]]
    assert pickle.loads(sent[0]).tokenizer is kept[0]
    pickle.loads(sent[4])                       # takes the place of the one used longest ago, "b"
    assert [pickle.loads(sent[k]).tokenizer is kept[k] for k in (0, 2, 3, 1)] == [True, True, True, False]
    assert len(adapters._kept) == adapters.KEPT


def test_by_path(tmp_path):
    path = tmp_path / "vocab.txt"
    path.write_text("[UNK]\na\nb\n")
    tokenizer = WordPiece.from_file(path).by_path()
    sent = pickle.dumps(Encoder(tokenizer))
    assert len(sent) < 600 and Encoder(tokenizer)({"text": ["a b"]})["ids"] == [[1, 2]]
    code = "import pickle, sys; print(pickle.loads(sys.stdin.buffer.read())({'text': ['b a']})['ids'])"

    def elsewhere():
        return subprocess.run([sys.executable, "-c", code], input=sent, capture_output=True, check=False)
    assert elsewhere().stdout.strip() == b"[[2, 1]]"
    path.write_text("[UNK]\nb\na\n")
    assert b"makes another tokenizer than the one that was pickled" in elsewhere().stderr
    path.unlink()
    assert b"FileNotFoundError" in elsewhere().stderr


@both
def test_pickles_are_the_same_in_every_process(tokenizer):
    """What the cache of the datasets library goes by."""
    kind = type(tokenizer)
    code = (f"import pickle, hashlib; from {kind.__module__} import *; from subwordio.adapters import Encoder; "
            f"t = {kind.__name__}.from_file({tokenizer.origin[0]!r}); "
            "print(hashlib.sha256(pickle.dumps(Encoder(t))).hexdigest())")
    found = {subprocess.run([sys.executable, "-c", code], env={"PYTHONHASHSEED": str(seed)}, check=True,
                            capture_output=True).stdout for seed in (1, 2)}
    assert len(found) == 1
