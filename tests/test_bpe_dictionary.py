"""The dictionary: what it takes, what it refuses and how, rank tables, duplicates."""
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models

from incbpe import Dictionary, DictionaryError, T, normalize, rank_bpe
from proofs.bpe_worlds import random_dictionaries, random_tables
from proofs.definitions import bpe as definition
from subwordio.errors import TokenIdError

TOKENS = ["a", "b", "c", "ab", "abc"]


def test_an_example():
    D = Dictionary(TOKENS, [("a", "b"), ["ab", "c"]])
    D.check()
    assert D.tokens == tuple(TOKENS) and D.merges == (("a", "b"), ("ab", "c"))
    assert (len(D), D.binary, "ab" in D, "ac" in D, D.id("abc"), D.token(3)) == (5, False, True, False, 4, "ab")
    assert repr(D) == "<Dictionary of 5 tokens of str, 2 rules>"


@pytest.mark.parametrize("tokens", [[], [""], ["a"], [b""], [b"a"], ["", "a", ""], ["é", "éé", "\ud800"],
                                    ["\0", "\0\0"]])
def test_small_ones(tokens):
    D = Dictionary(tokens, [])
    D.check()
    normalize(D).check()
    normalize(D, "rank").check()
    assert D.merges == () and T(D, "" if not D.binary else b"") == []


@pytest.mark.parametrize(("merges", "message"), [
    ([("a", "b"), ("a", "x")], r"merges\[1\]: in \('a', 'x'\) 'x' is not among the tokens"),
    ([("x", "a")], r"merges\[0\]: in \('x', 'a'\) 'x' is not among the tokens"),
    ([("a", "b"), ("b", "a")], r"merges\[1\]: 'ba', which \('b', 'a'\) makes, is not among the tokens"),
    ([("", "a")], r"merges\[0\]: in \('', 'a'\) a part is empty"),
    ([("a", "")], r"merges\[0\]: in \('a', ''\) a part is empty"),
    ([("a", "b"), ("ab", "c"), ("a", "b")], r"merges\[2\]: \('a', 'b'\) repeats merges\[0\] \(duplicates="),
])
def test_every_error_names_the_rule(merges, message):
    with pytest.raises(DictionaryError, match=message):
        Dictionary(TOKENS, merges)


@pytest.mark.parametrize(("tokens", "merges", "message"), [
    (["a", 1], [], r"tokens\[1\]: expected str, got int$"),
    (["a", b"b"], [], r"tokens\[1\]: expected str, got bytes \(tokens are all str, or all bytes\)"),
    ([b"a", "b"], [], r"tokens\[1\]: expected bytes, got str"),
    ([None], [], r"tokens\[0\]: expected str, got NoneType"),
    ("ab", [], "tokens: expected an ordered iterable, got str"),
    ({"a"}, [], "tokens: expected an ordered iterable, got set"),
    ({"a": 0}, [], "tokens: expected an ordered iterable, got dict"),
    (["a"], {("a", "a"): 0}, "merges: expected an ordered iterable, got dict"),
    (TOKENS, ["ab"], r"merges\[0\]: expected a pair of str, got 'ab'"),
    (TOKENS, [("a", "b", "c")], r"merges\[0\]: expected a pair of str"),
    (TOKENS, [("a", "b"), (b"ab", b"c")], r"merges\[1\]: expected a pair of str, as the tokens are"),
    (TOKENS, [("a", None)], r"merges\[0\]: expected a pair of str"),
])
def test_wrong_types(tokens, merges, message):
    with pytest.raises(TypeError, match=message):
        Dictionary(tokens, merges)


def test_wrong_types_of_what_is_asked():
    D = Dictionary(TOKENS, [])
    with pytest.raises(DictionaryError, match="'x' is not among the tokens"):
        D.id("x")
    with pytest.raises(DictionaryError, match="'' is not among the tokens"):
        D.id("")
    with pytest.raises(TypeError, match="expected str, as the tokens are, got bytes"):
        D.id(b"a")
    with pytest.raises(TokenIdError, match="5 is no token id: expected 0 to 4"):
        D.token(5)
    with pytest.raises(TokenIdError):
        D.token(-1)
    with pytest.raises(TypeError, match="id: expected an int, got str"):
        D.token("a")
    with pytest.raises(ValueError, match="duplicates: expected 'error', 'first' or 'last', got 'keep'"):
        Dictionary(TOKENS, [], duplicates="keep")
    with pytest.raises(TypeError, match="NoneType"):
        normalize(None)
    with pytest.raises(ValueError, match="semantics: expected 'equation' or 'rank', got 'pq'"):
        normalize(D, "pq")


def test_a_repeated_token():
    with pytest.raises(DictionaryError, match=r"tokens\[3\]: 'a' repeats tokens\[0\]"):
        Dictionary(["a", "", "", "a"], [])
    for duplicates, index in (("first", 0), ("last", 2)):
        D = Dictionary(["a", "aa", "a", "aa"], [("a", "a")], duplicates=duplicates)
        D.check()
        assert D.id("a") == index and D.id("aa") == index + 1 and T(D, "aaa") == ["aa", "a"]
        for semantics in ("equation", "rank"):
            N = normalize(D, semantics)
            N.check()
            assert N.n == 2 and N.is_canonical("aa") and N.pre("aa") == "a"


def test_a_repeated_pair_is_as_in_the_library_when_asked():
    """A repeated rule: the library lets the last place count."""
    tokens, merges = ["a", "b", "c", "ab", "bc", "abc"], [("a", "b"), ("b", "c"), ("ab", "c"), ("a", "b")]
    library = Tokenizer(models.BPE(vocab={t: i for i, t in enumerate(tokens)}, merges=merges))
    D = Dictionary(tokens, merges, duplicates="last")
    assert D.merges == (("b", "c"), ("ab", "c"), ("a", "b"))
    assert rank_bpe(D, "abc") == ["a", "bc"] == library.encode("abc").tokens
    D = Dictionary(tokens, merges, duplicates="first")
    assert D.merges == (("a", "b"), ("b", "c"), ("ab", "c"))
    assert rank_bpe(D, "abc") == ["abc"]


@given(st.lists(st.sampled_from([("a", "a"), ("a", "b"), ("aa", "b"), ("a", "ab"), ("b", "b")]), max_size=12))
def test_many_repeated_pairs(merges):
    tokens = ["a", "b", "aa", "ab", "aab", "bb"]
    first = list(dict.fromkeys(merges))
    last = list(reversed(dict.fromkeys(reversed(merges))))
    for duplicates, kept in (("first", first), ("last", last)):
        D = Dictionary(tokens, merges, duplicates=duplicates)
        D.check()
        assert list(D.merges) == kept
    if len(first) < len(merges):
        with pytest.raises(DictionaryError, match="repeats"):
            Dictionary(tokens, merges)


def test_rank_tables():
    D = Dictionary.from_ranks({b"ab": 7, b"abc": 9, b"bc": 8, b"c": -3})
    D.check()
    assert D.tokens[:4] == (b"c", b"ab", b"bc", b"abc") and len(D) == 4 + 255
    assert D.merges == ((b"a", b"b"), (b"b", b"c"), (b"a", b"bc"), (b"ab", b"c"))
    assert rank_bpe(D, b"abcab\xff") == [b"abc", b"ab", b"\xff"]
    assert len(Dictionary.from_ranks({})) == 256


@pytest.mark.parametrize(("ranks", "error", "message"), [
    ({b"a": 0, b"ab": 0}, DictionaryError, "b'ab' has rank 0, as an earlier token has"),
    ({b"": 4}, DictionaryError, "rank 4 belongs to an empty token"),
    ({"a": 0}, TypeError, "expected bytes and int, got 'a': 0"),
    ({b"a": 0.5}, TypeError, "expected bytes and int, got b'a': 0.5"),
    ({b"a": True}, TypeError, "expected bytes and int"),
    ([(b"a", 0)], TypeError, "expected a mapping of bytes to int, got list"),
])
def test_bad_rank_tables(ranks, error, message):
    with pytest.raises(error, match=message):
        Dictionary.from_ranks(ranks)


@given(random_tables())
def test_random_rank_tables(ranks):
    D = Dictionary.from_ranks({token.encode(): rank for token, rank in ranks.items()})
    D.check()
    assert [(x.decode(), y.decode()) for x, y in D.merges] == list(definition.splits(ranks).rules)


def test_texts_that_share_a_hash_are_told_apart():
    """Thue–Morse words collide under every polynomial hash modulo 2^64."""
    a, b = b"x", b"y"
    for _ in range(11):
        a, b = a + b, b + a
    D = Dictionary.from_ranks({a: 0, b: 1, a + b: 2, b"z" + a: 3, b + b"z": 4})
    assert D.merges == ((a, b), (b"z", a), (b, b"z"))
    D.check()


@given(random_dictionaries(), st.booleans())
def test_pickles_and_forms(W, binary):
    def spelt(token):
        return token.encode() if binary else token.translate(str.maketrans("abcd", "aé€😀"))
    D = Dictionary(map(spelt, sorted(W.tokens)), [tuple(map(spelt, rule)) for rule in W.rules])
    D.check()
    again = pickle.loads(pickle.dumps(D))
    again.check()
    assert (again.tokens, again.merges, again.binary) == (D.tokens, D.merges, D.binary)
    assert pickle.dumps(again) == pickle.dumps(pickle.loads(pickle.dumps(again)))
    for semantics in ("equation", "rank"):
        N = normalize(D, semantics)
        other = pickle.loads(pickle.dumps(N))
        assert (other.rules, other.form, other.n, other.proper) == (N.rules, N.form, N.n, N.proper)
