"""Vocabularies read without an object for each token: the same as one by one, and left alone where not plain."""
import json
import random
from dataclasses import replace

import pytest

from incbpe import BPE, Dictionary
from incbpe.cells import Cells
from incbpe.loading import load
from incbpe.plainjson import Ids, Names, plain_model
from incbpe.spelt import Spelt
from incbpe.tokenizer_json import read_tokenizer_json
from incbpe.tokentrie import TokenTrie
from subwordio.files import json_value


def spellings(rng):
    """Tokens that begin alike, with zeros, of every length around eight; empty ones; some given twice."""
    alphabet = rng.choice([b"a\0", b"ab", b"abc\xff"])
    return [bytes(rng.choices(alphabet, k=rng.choice([0, 1, 2, 7, 8, 9, 15, 16, 17, 40]))) for _ in range(
        rng.choice([1, 2, 5, 60, 300]))]


def test_the_order_of_spelt_tokens():
    rng = random.Random(5)
    twice = 0
    for _ in range(200):
        tokens = spellings(rng)
        spelt = Spelt(tokens)
        spelt.check()
        first, repeated = {}, None
        for i, token in enumerate(tokens):
            if token and first.setdefault(token, i) != i and repeated is None:
                repeated = (first[token], i)
        assert spelt.repeated() == repeated
        twice += repeated is not None
    assert 20 < twice < 190


def test_spelt_tokens_are_a_sequence():
    tokens = (b"b", b"", b"a\0")
    spelt = Spelt(tokens)
    assert spelt == tokens
    assert tokens == spelt
    assert spelt == list(tokens)
    assert spelt != (b"b", b"")
    assert spelt != 3
    assert (len(spelt), spelt.n, spelt.given, spelt[-1], spelt[1:]) == (3, 3, 2, b"a\0", (b"", b"a\0"))
    assert hash(spelt) == hash(tokens) and Spelt(spelt) == spelt and "3 tokens" in repr(spelt)
    with pytest.raises(IndexError):
        spelt[3]
    with pytest.raises(TypeError, match=r"tokens\[1\]: expected bytes, got str"):
        Spelt([b"a", "b"])


def test_all_splits_of_random_rank_tables():
    rng = random.Random(6)
    splits = 0
    for _ in range(100):
        tokens = list(dict.fromkeys(token for token in spellings(rng) if token))
        D = Dictionary.from_ranks({token: rank for rank, token in enumerate(tokens)})
        D.check()
        known = set(tokens) | {bytes((b,)) for b in range(256)}
        expected = [(z[:k], z[k:]) for z in tokens for k in range(1, len(z)) if z[:k] in known and z[k:] in known]
        assert list(D.merges) == expected
        splits += len(expected)
        Cells(TokenTrie(Spelt(tokens))).check(Spelt(tokens))
    assert splits > 500


def small(vocab=None, merges=("a b", "ab a"), **model):
    """A tokenizer.json of characters."""
    vocab = {"a": 0, "b": 1, "ab": 2, "aba": 3, "é\"\\": 4} if vocab is None else vocab
    return {"version": "1.0", "added_tokens": [], "normalizer": None, "pre_tokenizer": None, "post_processor": None,
            "decoder": None, "model": {"type": "BPE", "vocab": vocab, "merges": list(merges), **model}}


def both(data):
    """The Config as the file is read in parts, and as it is read one by one."""
    plain = plain_model(data, 0)
    assert plain is not None
    parts = read_tokenizer_json(json_value(plain.rest.decode(), "x"), "x", plain=plain)
    return parts, read_tokenizer_json(json_value(data.decode(), "x"), "x")


@pytest.mark.parametrize("form", [{}, {"ensure_ascii": False}, {"indent": 1}, {"separators": (",", ":")}])
@pytest.mark.parametrize("arrays", [False, True])
def test_plain_files_read_as_one_by_one(form, arrays):
    merges = (["a", "b"], ["ab", "a"]) if arrays else ("a b", "ab a")
    parts, whole = both(json.dumps(small(merges=merges), **form).encode())
    assert parts == whole and parts.model.merges == (("a", "b"), ("ab", "a"))
    assert parts.model.tokens == ("a", "b", "ab", "aba", "é\"\\")
    parts.model.merges.check()
    assert len(parts.model.merges) == 2 and parts.model.merges[-1] == ("ab", "a") == parts.model.merges[1:][0]
    assert hash(parts.model.merges) == hash(tuple(parts.model.merges)) and "2 rules" in repr(parts.model.merges)


@pytest.mark.parametrize("name", ["llama2", "llama3"])
def test_real_files_read_as_one_by_one(data, name):
    path = data / f"vocabs/{name}-tokenizer.json"
    parts, whole = both(path.read_bytes())
    assert load(path) == replace(whole, notes=load(path).notes) == replace(parts, notes=load(path).notes)
    one, other = BPE(parts), BPE(whole)
    assert one.fingerprint == other.fingerprint and one.encode("Hi, naïve 東京!") == other.encode("Hi, naïve 東京!")
    assert {**one.inspect(), "cache": 0} == {**other.inspect(), "cache": 0}


SMALL = json.dumps(small())
NOT_PLAIN = {
    "ids out of order": json.dumps(small(vocab={"b": 1, "a": 0, "ab": 2})),
    "a gap": json.dumps(small(vocab={"a": 0, "b": 2}, merges=())),
    "no names": json.dumps(small(vocab={}, merges=())),
    "an empty name": json.dumps(small(vocab={"": 0, "a": 1}, merges=())),
    "a name twice": SMALL.replace('"aba": 3', '"a": 3'),
    "a name twice, spelt in two ways": SMALL.replace('"aba": 3', '"\\u0061": 3'),
    "a surrogate": SMALL.replace('"aba": 3', '"\\ud800": 3'),
    "an unknown escape": SMALL.replace('"aba": 3', '"\\x": 3'),
    "a control character": SMALL.replace('"aba": 3', '"\x01": 3'),
    "a fraction": SMALL.replace('"aba": 3', '"aba": 3.0'),
    "a zero in front": SMALL.replace('"aba": 3', '"aba": 03'),
    "a missing colon": SMALL.replace('"aba": 3', '"aba" 3'),
    "a long name": json.dumps(small(vocab={"a": 0, "b": 1, "a" * 20000: 2}, merges=())),
    "a comma at the end": SMALL.replace("4}", "4,}"),
    "vocab twice": SMALL.replace('"merges"', '"vocab": {"a": 0}, "merges"'),
    "merges twice": SMALL.replace('"merges"', '"merges": [], "merges"'),
    "model twice": SMALL[:-1] + ', "model": {}}',
    "merges before vocab": SMALL.replace('"type": "BPE"', '"merges": []').replace(
        '"merges": ["a b", "ab a"]', '"type": "BPE"'),
    "no merges": SMALL.replace('"merges"', '"merge"'),
    "no model": SMALL.replace('"model"', '"models"'),
    "an unknown part": json.dumps(small(merges=["a c"])),
    "an unknown product": json.dumps(small(merges=["b a"])),
    "no space": json.dumps(small(merges=["ab"])),
    "two spaces": json.dumps(small(merges=["a  b"])),
    "a space in front": json.dumps(small(merges=[" a b"])),
    "nothing behind the space": json.dumps(small(merges=["a "])),
    "a pair twice": json.dumps(small(merges=["a b", "ab a", "a b"])),
    "both kinds": json.dumps(small(merges=["a b", ["ab", "a"]])),
    "three names": json.dumps(small(merges=[["a", "b", "a"]])),
    "one name": json.dumps(small(merges=[["a"]])),
    "a comma behind the merges": SMALL.replace('"ab a"]', '"ab a",]'),
    "a header": json.dumps(small(vocab={"#version": 0, "a": 1, "#versiona": 2}, merges=["#version a"])),
    "an array": "[]", "nothing": "", "cut short": SMALL[:-30], "cut in the names": SMALL[:SMALL.index('"aba"') + 2],
}


@pytest.mark.parametrize("what", NOT_PLAIN)
def test_what_is_not_plain_is_left_alone(what):
    assert plain_model(SMALL.encode(), 0) is not None and NOT_PLAIN[what] != SMALL
    assert plain_model(NOT_PLAIN[what].encode(), 0) is None


def test_ids_and_names_of_a_plain_file():
    plain = plain_model(b"\xef\xbb\xbf" + SMALL.encode(), 3)
    ids, names = Ids(plain), Names(plain)
    assert ("ab" in ids, "c" in ids, ids["aba"], ids.get("b"), ids.get("c"), ids.get("c", -1), len(ids)) == (
        True, False, 3, 1, None, -1, 5)
    with pytest.raises(KeyError):
        ids["c"]
    names.append("more")
    assert (len(names), names[4], names[5]) == (6, 'é"\\', "more")
    assert json.loads(plain.rest)["model"] == {"type": "BPE", "vocab": {}, "merges": []}
    assert plain.uses([3]) and not plain.uses([4]) and not plain.uses([])


def test_byte_names_that_spell_no_bytes_are_left_to_the_general_reader():
    plain = plain_model(json.dumps(small(vocab={"a": 0, "Ġ": 1, "日": 2}, merges=())).encode(), 0)
    assert plain.spelt_bytes() is None
    plain = plain_model(json.dumps(small(vocab={"a": 0, "Ġ": 1, "ÿŃ": 2}, merges=())).encode(), 0)
    assert plain.spelt_bytes() == (b"a", b" ", b"\xff\xad")
