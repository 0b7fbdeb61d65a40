"""The engine: cases that users met, kinds of input, errors, threads, pickling; equality with the notation layer."""
import gc
import json
import os
import pickle
import threading
import unicodedata

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from linmaxmatch import (
    Steps,
    Trie,
    Vocabulary,
    VocabularyError,
    WordPiece,
    match_loop,
    original_wordpiece,
    precompute,
)
from subwordio import AddedToken, Padding, TokenIdError

UNK = "[UNK]"


def wp(*tokens, **options):
    return WordPiece([UNK, *tokens], **options)


def spelt(tokenizer, word):
    return [tokenizer.token(i) for i in tokenizer.encode_word(word)]


# The definition, on small worlds

tokens = st.text("ab#", max_size=4)
indicators = st.sampled_from(["", "#", "##", "a", "ab", "é"])


@given(st.lists(tokens, unique=True, max_size=8), indicators, st.text("abc#é", max_size=12))
def test_encode_word_is_original_wordpiece(vocabulary, indicator, word):
    V = Vocabulary([UNK, *vocabulary, *(indicator + t for t in vocabulary if indicator + t not in vocabulary)],
                   indicator, UNK)
    engine = WordPiece(V.tokens, indicator)
    assert spelt(engine, word) == original_wordpiece(V, word)
    engine.check()
    edges, moves = engine.steps(word)
    assert edges <= len(word.encode()) and moves <= len(word.encode())


@given(st.lists(st.text("aéü漢#", min_size=1, max_size=3), unique=True, max_size=8), st.text("aéü漢#xß中", max_size=12))
def test_characters_of_several_bytes(vocabulary, word):
    V = Vocabulary([UNK, *vocabulary, *("##" + t for t in vocabulary if "##" + t not in vocabulary)], "##", UNK)
    assert spelt(WordPiece(V.tokens), word) == original_wordpiece(V, word)


@pytest.mark.parametrize("long", ["aaaab", "ababab", "aaaaa", "abaabc", "éééa"])
def test_words_that_fail_again_and_again(long):
    """Failure moves back to the state that failed, and what follows them: ids and steps of the notation layer."""
    letters = sorted(set(long))
    V = Vocabulary([UNK, *letters, *("##" + c for c in letters[:2]), long, "##" + long, "##aa"], "##", UNK)
    engine, tables = WordPiece(V.tokens), precompute(Trie(V, roots=2, symbols="bytes"))
    words = [long[0] * n + end for n in range(12) for end in ("", "b", "ba", "c", "x", "bab", "éa", "é", long)]
    words += [(long[:-1] * n)[:size] + end for n in range(4) for size in (-1, -2, None) for end in ("", "b", "x", long)]
    for word in words:
        counted = Steps()
        match_loop(tables, word, steps=counted)
        assert spelt(engine, word) == original_wordpiece(V, word), word
        assert engine.steps(word) == (counted.edges, counted.moves), word


def split_unknown(V, word):
    """Original WordPiece in which a character that nothing matches is <unk>, and the next one stands behind it."""
    out, i = [], 0
    while i < len(word):
        indicator = V.suffix_indicator if i else ""
        ends = [j for j in range(len(word), i, -1) if indicator + word[i:j] in V]
        out.append(V.id(indicator + word[i:ends[0]]) if ends else V.unk_id)
        i = ends[0] if ends else i + 1
    return out


@given(st.lists(st.text("aébc", min_size=1, max_size=3), unique=True, max_size=8), indicators,
       st.text("aébcxü漢", max_size=12))
def test_split_unknown(vocabulary, indicator, word):
    V = Vocabulary([UNK, *vocabulary, *(indicator + t for t in vocabulary[::2] if indicator + t not in vocabulary)],
                   indicator, UNK)
    engine = WordPiece(V.tokens, indicator, normalizer=None, split_unknown=True)
    assert engine.encode_word(word) == split_unknown(V, word)
    full = engine.encode(word, offsets=True)
    assert full.ids == split_unknown(V, word)
    assert "".join(word[s:e] for s, e in zip(full.starts, full.ends, strict=True)) == word


@pytest.mark.parametrize("name", ["wordpiece_words.json", "wordpiece_words_more.json"])
def test_vectors_of_words(vectors, name):
    for case in json.loads((vectors / name).read_text())["cases"]:
        engine = WordPiece([*case["vocab"], "<unk>"], case["suffix_indicator"], "<unk>")
        assert spelt(engine, case["input"]) == case["expected"], case


@pytest.mark.parametrize("name", ["wordpiece_text.json", "wordpiece_text_more.json"])
def test_vectors_of_text(vectors, name):
    """Where the vectors' punctuation is that of BERT for the characters that occur, the engine is end to end."""
    ascii_punctuation = {c for c in map(chr, range(33, 127)) if not c.isalnum()}
    compared = 0
    for case in json.loads((vectors / name).read_text())["cases"]:
        if (ascii_punctuation & set(case["input"])) <= set(case["punctuation"]):
            engine = WordPiece([*case["vocab"], "<unk>"], case["suffix_indicator"], "<unk>", normalizer=None)
            assert engine.tokenize(case["input"]) == case["expected"], case
            compared += 1
    assert compared > 150


# Cases from the field

def test_w01_the_unknown_token_may_stand_anywhere():
    for size in range(1, 40):
        for at in {0, size // 2, size - 1}:
            names = [f"t{i}" for i in range(size)]
            names[at] = UNK
            assert WordPiece(names).encode("zzz") == [at]


def test_w02_nothing_of_the_callers_list_is_kept_by_reference():
    vocabulary = [UNK] + ["wo" + "rd" * n for n in range(1, 50)]
    engine = WordPiece(vocabulary)
    vocabulary.clear()
    gc.collect()
    assert engine.tokenize("wordrd") == ["wordrd"]


def test_w04_w08_w09_a_word_over_the_cap_is_one_unknown_over_all_of_it():
    engine = wp("a", "##a", "hello", "##hello")
    assert len(engine.encode("a" * 100)) == 100
    full = engine.encode("a" * 101, offsets=True)
    assert (full.ids, full.starts, full.ends) == ([0], [0], [101])
    assert len(engine.encode("Hello" * 20)) == 20 and engine.encode("Hello" * 21) == [0]
    assert len(wp("a", "##a", max_chars_per_word=None).encode("a" * 1000)) == 1000
    assert wp("a", "##a", max_chars_per_word=3).encode("aaa aaaa") == [1, 2, 2, 0]
    assert len(wp("é", "##é", strip_accents=False).encode("é" * 100)) == 100


def test_the_caps_of_the_profiles():
    assert len(wp("a", "##a", normalizer="google").encode("a" * 200)) == 200
    assert wp("a", "##a", normalizer="google").encode("a" * 201) == [0]
    kana = wp("ア", "##ア", normalizer="tf")
    assert len(kana.encode("ア" * 33)) == 33 and kana.encode("ア" * 34) == [0]      # 100 bytes
    assert len(wp("a", "##a", normalizer=None).encode("a" * 5000)) == 5000


def test_w05_one_text_and_a_batch_of_one_agree():
    engine = wp("great", "##est")
    assert engine.encode("greatest") == [1, 2]
    assert engine.encode_batch(["greatest"]) == [[1, 2]]


def test_w06_unknown_characters():
    words = ("hel", "##lo", "##me")
    assert spelt(wp(*words), "hello!me") == [UNK]
    engine = wp(*words, split_unknown=True)
    assert engine.encode_word("hello!me") == [1, 2, 0, 3]
    assert wp(*words, split_unknown=True).tokenize("hello€me") == ["hel", "##lo", "##[UNK]", "##me"]
    full = engine.encode("hello€me", offsets=True)
    assert list(zip(full.starts, full.ends, strict=True)) == [(0, 3), (3, 5), (5, 6), (6, 8)]


def test_w22_words_may_leave_nothing():
    full = wp("foo", "bar").encode("foo \ufffd bar", offsets=True)
    assert (full.starts, full.ends) == ([0, 6], [3, 9])
    assert wp("foo").encode("\U000fe4fa") == []


def test_w25_a_suffix_token_does_not_begin_a_word():
    engine = wp("a", "##k")
    assert engine.tokenize("ak") == ["a", "##k"] and engine.tokenize("a k") == ["a", UNK]


def test_w29_text_that_looks_like_a_special_token_is_text():
    engine = wp("[CLS]", "[SEP]", "[", "cls", "]", "jenna")
    assert engine.tokenize("[CLS] jenna") == ["[", "cls", "]", "jenna"]
    assert engine.tokenize("[cls]") == ["[", "cls", "]"]


def test_w43_w50_the_indicator_in_text_and_as_a_word():
    engine = wp("##", "#", "###", "##b", "b", "##c")
    assert engine.tokenize("##b") == ["#", "#", "b"]
    assert spelt(engine, "##b") == ["##b"]
    assert spelt(engine, "##") == ["##"]
    assert spelt(engine, "####") == ["###", "###"]
    assert spelt(engine, "##bc") == ["##b", "##c"]
    assert spelt(wp("#"), "##") == [UNK]
    assert spelt(wp("a", "###"), "a##") == ["a", "###", "###"]
    assert spelt(wp("#", "##"), "###") == [UNK]


@pytest.mark.parametrize("bad", [None, float("nan"), 3, 2.5, ["a"], ("a",), {"a"}, object(), bytearray(b"a")])
def test_w52_what_is_no_text(bad):
    engine = wp("a")
    kind = type(bad).__name__
    for call in (engine.encode, engine.encode_word, engine.count, engine.tokenize, engine.spans, engine.steps):
        with pytest.raises(TypeError, match=kind):
            call(bad)
    with pytest.raises(TypeError, match=rf"texts\[1\].*{kind}"):
        engine.encode_batch(["a", bad, "b"])
    with pytest.raises(TypeError, match=rf"texts\[2\].*{kind}"):
        engine.encode_padded(["a", "a", bad], max_length=4, special_tokens=False)


def test_w53_nothing_to_tokenize():
    engine = wp("a", "[CLS]", "[SEP]")
    assert engine.encode("") == [] and engine.encode("   ") == [] and engine.encode(b"") == []
    assert engine.encode_batch([]) == [] and engine.encode_batch(["", " "]) == [[], []]
    assert engine.encode_word("") == []
    assert engine.encode("a", "", special_tokens=True) == [2, 1, 3, 3]
    assert engine.encode("a", special_tokens=True) == [2, 1, 3]
    ids, mask, types = engine.encode_padded(["a"], [""])
    assert (ids.tolist(), mask.tolist(), types.tolist()) == ([[2, 1, 3, 3]], [[1] * 4], [[0, 0, 0, 1]])


def test_rows_are_filled_with_the_vocabularys_own_pad_token():
    engine = wp("a", "[CLS]", "[SEP]", "[PAD]")
    assert engine.encode_padded(["a", "a a"])[0].tolist() == [[2, 1, 3, 4], [2, 1, 1, 3]]
    assert engine.encode_padded(["a", "a a"], padding=Padding(pad_id=0))[0].tolist() == [[2, 1, 3, 0], [2, 1, 1, 3]]
    assert engine.encode_padded(["a"], padding=Padding(5))[0].tolist() == [[2, 1, 3, 4, 4]]
    assert wp("a", "[PAD]", padding=Padding(3)).encode_padded(["a"])[0].tolist() == [[1, 2, 2]]


def test_rows_are_not_filled_and_nothing_is_put_around_without_being_told_with_what():
    engine = wp("a")
    for call, text in ((engine.encode, "a"), (engine.encode_padded, ["a"])):
        with pytest.raises(ValueError, match=r"special_tokens=True: the vocabulary has no \[CLS\] and \[SEP\]"):
            call(text, special_tokens=True)
    assert engine.encode_padded(["a", "b"])[0].tolist() == [[1], [0]]
    for options in ({}, {"padding": None}, {"special_tokens": False}):
        with pytest.raises(ValueError, match=r"^texts\[1\]: a row of 1 ids is to be filled up to 2, and no pad token"):
            engine.encode_padded(["a a", "b"], **options)
    assert engine.encode_padded(["a a", "b"], padding=Padding(pad_id=9))[0].tolist() == [[1, 1], [0, 9]]


# Ids back to tokens

def test_an_id_that_names_no_token_is_shown_with_the_range_of_ids():
    engine = WordPiece([UNK, "", "a"], added_tokens=[AddedToken("<x>", 5)])
    assert [engine.token(id) for id in (0, 2, 5, numpy.int64(5))] == [UNK, "a", "<x>", "<x>"]
    for id, told in ((1, "it is one of the unused ids of 0 to 5"), (4, "it is one of the unused ids of 0 to 5"),
                     (6, "ids are 0 to 5"), (-1, "ids are 0 to 5")):
        for call, where in ((engine.token, ""), (lambda id: engine.decode([2, id]), "ids[1]: ")):
            with pytest.raises(TokenIdError) as found:
                call(id)
            assert str(found.value) == f"{where}{id} names no token: {told}"


NO_LISTS = [
    ([[1], None], r"^lists\[1\]: expected ids, got None"), (["a"], r"^lists\[0\]: expected ids, got str"),
    ([1], r"^lists\[0\]: expected ids, got int: decode takes a single list"), ([["a"]], r"^lists\[0\]: ids"),
]


def test_many_lists_are_decoded_as_one_by_one(data):
    engine = WordPiece.from_file(data / "vocabs" / "all-minilm-l6-v2-tokenizer.json")
    lists = engine.encode_batch((data / "corpora" / "sentences82.txt").read_text().split("\n")[:200])
    for options in ({}, {"cleanup": True}, {"skip_special_tokens": True}):
        expected = [engine.decode(ids, **options) for ids in lists]
        assert engine.decode_batch(lists, **options) == engine.decode_batch(iter(lists.tolist()), **options) == expected
    assert engine.decode_batch([[101, 1037, 102], []], skip_special_tokens=True) == ["a", ""]
    with pytest.raises(TokenIdError, match=r"^lists\[1\]: ids\[0\]: 30522 names no token: ids are 0 to 30521$"):
        engine.decode_batch([[1], [30522]])
    for wrong, told in NO_LISTS:
        with pytest.raises(TypeError, match=told):
            engine.decode_batch(wrong)
    for call in (engine.decode, engine.decode_batch):
        with pytest.raises(TypeError, match="expected an iterable of (ints|lists of ids), got int$"):
            call(5)


def test_equal_tokenizers_are_those_of_one_content(tmp_path):
    engine = wp("a", "##b")
    engine.save(tmp_path / "saved")
    same = [engine, wp("a", "##b", cache=0), WordPiece.load(tmp_path / "saved"), pickle.loads(pickle.dumps(engine))]
    assert all(a == b and hash(a) == hash(b) for a in same for b in same) and len(set(same)) == 1
    other = wp("a", "##b", lowercase=False)
    assert other != engine and len({engine, other}) == 2
    assert engine != engine.fingerprint and engine.__eq__(3) is NotImplemented


# Kinds of text

def test_str_and_bytes_are_alike():
    engine = wp("cafe", "漢", "##s")
    for text in ["cafés 漢", "\ud83d\udc4d cafe", "", "a\x00b"]:
        raw = text.encode("utf-16", "surrogatepass").decode("utf-16").encode()
        assert engine.encode(text) == engine.encode(raw)
    with pytest.raises(ValueError, match="5"):
        engine.encode(b"cafe \xff")


def test_surrogates():
    engine = wp("\U0001f44d", "\ufffd", clean_text=False)
    assert engine.encode("\ud83d\udc4d") == [1] == engine.encode("\U0001f44d")
    assert engine.encode("\ud83d") == [2]
    assert engine.encode("\ud83d\udc4d x", offsets=True).starts == [0, 3]


def test_long_and_hostile_texts():
    engine = wp("a", "##a")
    assert engine.encode(" " * 10**6) == []
    assert engine.encode("\x00" * 10**6) == []
    assert engine.encode("\u0301" * 10**6) == []
    assert len(engine.encode("a " * 10**5)) == 10**5
    assert engine.encode("a" * 10**6) == [0]
    assert engine.encode("!" * 10**5) == [0] * 10**5
    lifted = wp("a", "##a", max_chars_per_word=None)
    assert len(lifted.encode("a" * 10**6)) == 10**6
    assert lifted.steps("a" * 10**6) == (10**6, 10**6)      # n edges and n moves: the bounds are met


def test_fifty_megabytes_in_one_word():
    engine = wp("a", "##a", "##b", max_chars_per_word=None)
    text = "ab" * (25 * 2**20)
    assert engine.count(text) == len(text)
    assert wp("a").count(text) == 1


def test_count_and_its_limit():
    engine = wp("a", "b")
    text = "a b " * 50_000
    assert engine.count(text) == 100_000
    for limit in (0, 1, 99_999, 100_000, 10**9):
        assert engine.count(text, limit=limit) == min(100_000, limit + 1)
    with pytest.raises(ValueError, match="limit=-1"):
        engine.count(text, limit=-1)
    with pytest.raises(TypeError, match="limit"):
        engine.count(text, limit=1.5)


@pytest.mark.parametrize("size", [0, 1, 2, 63, 64, 65, 100_000])
@pytest.mark.parametrize("threads", [None, 1, 3])
def test_batches_of_all_sizes(size, threads):
    engine = wp("a", "b", "##c")
    texts = ["a bc c"[: i % 7] for i in range(size)]
    lists = engine.encode_batch(texts, threads=threads)
    assert len(lists) == size
    assert all(lists[i] == engine.encode(texts[i]) for i in range(0, size, 1 + size // 500))


# Vocabularies and options

def test_vocabulary_errors():
    with pytest.raises(VocabularyError, match=r"\[UNK\]"):
        WordPiece(["a"])
    with pytest.raises(VocabularyError, match="'a'"):
        WordPiece([UNK, "a", "a"])
    assert WordPiece([UNK, "a", "b", "a"], duplicates="last").encode("a b") == [3, 2]
    with pytest.raises(TypeError):
        WordPiece([UNK, 3])
    with pytest.raises(ValueError, match="max_chars_per_word=-1"):
        wp("a", max_chars_per_word=-1)
    with pytest.raises(TypeError, match="max_chars_per_word"):
        wp("a", max_chars_per_word=True)
    with pytest.raises(ValueError, match="normalizer|profile"):
        wp("a", normalizer="spacy")


def test_a_vocabulary_whose_failure_pops_would_fill_the_memory():
    with pytest.raises(VocabularyError, match="failure pops need more than 134217728 entries"):
        wp("a", "##a", "a" * 17_000 + "b")          # Σ|F| is about m²/2


def test_ids_and_tokens():
    engine = wp("a", "##b")
    assert [engine.token(i) for i in range(engine.vocab_size)] == [UNK, "a", "##b"]
    assert engine.id("##b") == 2
    for bad in (3, -1, 10**12):
        with pytest.raises(TokenIdError, match=str(bad)):
            engine.token(bad)
    with pytest.raises(ValueError, match="zz"):
        engine.id("zz")
    assert engine.decode([1, 2, 1]) == "ab a"
    with pytest.raises(TokenIdError, match="7"):
        engine.decode([1, 7])


def test_it_does_not_change():
    engine = wp("a")
    engine.__init__([UNK])
    assert engine.tokenize("a") == ["a"]
    with pytest.raises(AttributeError):
        engine.options = {}


def test_there_is_no_partly_built_tokenizer():
    class Silent(WordPiece):
        def __init__(self, *arguments):
            pass

    with pytest.raises(TypeError):
        Silent()
    with pytest.raises(TypeError):
        WordPiece.__new__(WordPiece)
    assert Silent([UNK, "a"]).encode("a") == [1]


@pytest.mark.parametrize(("tokens", "error"), [
    (["x"], "added_tokens.0.: expected an AddedToken, got str"),
    ([AddedToken("z", 0)], "0 is the id of"),
    ([AddedToken("z", 2), AddedToken("y", 2)], "2 is the id of 'z'"),
    ([AddedToken("z", 2), AddedToken("z", 3)], "added twice"),
    ([AddedToken("a", 5)], "the vocabulary gives it 1"),
    ([AddedToken("z", 2**31)], "limit"),
])
def test_added_tokens_that_do_not_fit(tokens, error):
    with pytest.raises((TypeError, VocabularyError), match=error):
        WordPiece([UNK, "a"], added_tokens=tokens)


@pytest.mark.parametrize(("arguments", "error"), [
    (("z", -1), ValueError), (("z", 2**32), ValueError), (("z", "5"), TypeError), ((5, 2), TypeError),
    (("\ud800", 2), ValueError), (("z", 2, "no"), TypeError)])
def test_what_is_no_added_token(arguments, error):
    with pytest.raises(error):
        AddedToken(*arguments)


def test_added_tokens_from_an_iterator_survive_pickling():
    engine = WordPiece([UNK, "a"], added_tokens=iter([AddedToken("z", 2)]))
    assert engine.encode("z") == [2] == pickle.loads(pickle.dumps(engine)).encode("z")


def test_a_huge_cap_is_no_cap():
    assert len(wp("a", "##a", max_chars_per_word=2**70).encode("a" * 500)) == 500


def test_nfc_takes_what_the_others_take():
    engine = wp("é", normalizer="google", lowercase=False, nfc=True)
    assert engine.encode("e\u0301") == [1]
    for bad in ("abc", b"abc", 5):
        with pytest.raises(TypeError, match="texts"):
            engine.encode_batch(bad)
    marks = "\u0301\u0316\u0344\u0f73" * 500
    assert engine.normalizer.words("e" + marks) == WordPiece(
        [UNK], normalizer="google", lowercase=False).normalizer.words(unicodedata.normalize("NFC", "e" + marks))
    assert engine.encode("\u0301\u0316" * 100_000) == [0]          # in linear time


def test_special_tokens_need_a_template():
    with pytest.raises(ValueError, match="CLS"):
        wp("a").encode("a", special_tokens=True)
    full = wp("a", "[CLS]", "[SEP]").encode("a", "a", special_tokens=True, offsets=True)
    assert full.ids == [2, 1, 3, 1, 3]
    assert list(zip(full.starts, full.ends, strict=True)) == [(0, 0), (0, 1), (0, 0), (0, 1), (0, 0)]


# Sharing

def test_pickles_are_equal_in_every_run_and_make_the_same_tokenizer(data, tmp_path):
    path = data / "vocabs" / "bert-base-uncased-vocab.txt"
    engine, again = WordPiece.from_file(path), WordPiece.from_file(path)
    assert pickle.dumps(engine) == pickle.dumps(again)
    copy = pickle.loads(pickle.dumps(engine))
    assert copy.encode("unaffable café!") == engine.encode("unaffable café!")
    assert copy.fingerprint == engine.fingerprint != WordPiece.from_file(path, lowercase=False).fingerprint
    whole = WordPiece.from_file(data / "vocabs" / "all-minilm-l6-v2-tokenizer.json")
    copy = pickle.loads(pickle.dumps(whole))
    assert copy.options == whole.options and copy.fingerprint == whole.fingerprint


def test_w35_what_reading_changed_is_said(tmp_path):
    path = tmp_path / "vocab.txt"
    path.write_bytes(b"\xef\xbb\xbf[UNK]\r\na\r\n")
    engine = WordPiece.from_file(path)
    assert engine.tokens == (UNK, "a")
    assert any("byte order mark" in note for note in engine.notes) and engine.inspect()["notes"] == list(engine.notes)


def test_by_path(tmp_path):
    path = tmp_path / "vocab.txt"
    path.write_text("[UNK]\na\n")
    small = pickle.dumps(WordPiece.from_file(path).by_path())
    assert len(small) < 500
    assert pickle.loads(small).encode("a") == [1]
    path.write_text("[UNK]\nb\na\n")
    with pytest.raises(ValueError, match="fingerprint"):
        pickle.loads(small)
    path.unlink()
    with pytest.raises(FileNotFoundError):
        pickle.loads(small)
    with pytest.raises(ValueError, match="not read from a file"):
        wp("a").by_path()


def test_one_object_in_many_threads(data):
    engine = WordPiece.from_file(data / "vocabs" / "bert-base-uncased-vocab.txt")
    lines = (data / "corpora" / "multilingual.txt").read_text(encoding="utf-8").split("\n")[:300]
    expected = [list(engine.encode(line)) for line in lines]
    wrong = []

    def work(k):
        for line, ids in zip(lines[k:] + lines[:k], expected[k:] + expected[:k], strict=True):
            if engine.encode(line) != ids or engine.encode(line, offsets=True).ids != ids:
                wrong.append(line)
            if engine.count(line) != len(ids):
                wrong.append(line)
        if engine.encode_batch(lines, threads=2) != expected:
            wrong.append("batch")

    threads = [threading.Thread(target=work, args=(k,)) for k in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_fork_after_a_batch():
    engine = wp("a", "##b")
    engine.encode_batch(["ab a " * 1000] * 400, threads=2)
    child = os.fork()
    if child == 0:
        os._exit(0 if engine.encode_batch(["ab"] * 1000, threads=2)[999] == [1, 2] else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


# Against the tokenizers library, on small random vocabularies and texts that mean to break

def library(vocabulary, **options):
    tokenizer = Tokenizer(models.WordPiece({t: i for i, t in enumerate(vocabulary)}, unk_token=UNK,
                                           max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.BertNormalizer(**options)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer


words = st.text("abAé\u0301İ漢カガ한ΣςßǅŒ-_'.$#°\u200b\u00ad\ufffd\x00\t\n\u3000\u2028 \U0001d165\U0001d16d\u1b44",
                max_size=30)


@given(st.lists(st.text("abé漢カ한σ-.'#", min_size=1, max_size=3), unique=True, max_size=10), words,
       st.booleans(), st.sampled_from([None, True, False]), st.booleans(), st.booleans())
def test_random_texts_equal_the_library(vocabulary, text, lowercase, strip_accents, clean_text, chinese):
    vocabulary = list(dict.fromkeys([UNK, *vocabulary, *("##" + t for t in vocabulary)]))
    options = {"lowercase": lowercase, "strip_accents": strip_accents, "clean_text": clean_text,
               "handle_chinese_chars": chinese}
    expected = library(vocabulary, **options).encode(text, add_special_tokens=False)
    full = WordPiece(vocabulary, **options).encode(text, offsets=True)
    assert full.ids == expected.ids
    assert list(zip(full.starts, full.ends, strict=True)) == expected.offsets
    assert full.words == expected.word_ids


@pytest.mark.parametrize(("option", "value", "kind"), [
    *((name, value, "a bool") for name in ("lowercase", "clean_text", "handle_chinese_chars", "split_unknown", "nfc",
                                           "cleanup") for value in ("no", 1, None)),
    ("strip_accents", 1, "a bool or None"), ("normalizer", 3, "a str or None"), ("decoder_prefix", 3, "a str or None"),
    ("added_tokens", 3, "an iterable"), ("template", "bert", "a Template or None"),
    ("truncation", 2, "a Truncation or None"), ("padding", 2, "a Padding or None"),
])
def test_options_of_a_wrong_type(option, value, kind):
    with pytest.raises(TypeError, match=f"^{option}: expected {kind}, got {type(value).__name__}$"):
        WordPiece(["[UNK]", "a"], **{option: value})


def test_tokens_of_a_wrong_type():
    with pytest.raises(TypeError, match="^tokens: expected an iterable, got NoneType$"):
        WordPiece(None)
    assert not hasattr(WordPiece(["[UNK]"]), "take_added")


@pytest.mark.parametrize("option", ["truncation", "padding"])
def test_options_of_encode_padded_of_a_wrong_type(option):
    with pytest.raises(TypeError, match=option):
        wp("a").encode_padded(["a"], special_tokens=False, **{option: True})
