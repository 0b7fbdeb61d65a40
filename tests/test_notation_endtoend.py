"""Algorithm 3 against splitting and then matching."""
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linmaxmatch import Vocabulary, e2e_wordpiece, is_punctuation, is_whitespace, precompute_e2e
from proofs import worlds
from proofs.definitions import wordpiece as definition
from proofs.worlds import random_text_worlds


def compiled(V: definition.Vocabulary) -> Vocabulary:
    return Vocabulary(sorted(V.tokens), V.suffix_indicator, V.unk_token)


@pytest.mark.parametrize("name", ["wordpiece_text.json", "wordpiece_text_more.json"])
def test_vectors(vectors, name):
    cases = json.loads((vectors / name).read_text(encoding="utf-8"))["cases"]
    assert len(cases) > 150
    for case in cases:
        V = Vocabulary(list(dict.fromkeys([*case["vocab"], "<unk>"])), case["suffix_indicator"])
        E = precompute_e2e(V, case["punctuation"].__contains__, " \t\r\n".__contains__)
        E.check()
        assert e2e_wordpiece(E, case["input"]) == case["expected"], case


@pytest.mark.parametrize(("tokens", "indicator", "text", "expected"), [
    (". a", "##", ".z", ". <unk>"),                             # C1
    ("# ## ### ##a #a", "##", "##", "# #"),                     # C2
    ("# ## ### ##a #a", "##", "#a", "# <unk>"),
    ("a ##a # ##a#", "##", "aa# ##a", "a ##a # # # a"),
    ("a a#b a#c c", "a#", "a#b c", "a <unk> <unk> c"),          # ♯ with a mark inside
    ("b", "#", "b", "b"),                                       # C3
    ("b #b #", "#", "bb #b bb#", "b #b # b b #b #"),
    ("a", "##", "a«b»a", "a <unk> <unk> <unk> a"),              # C4: marks without a node
    ("« a", "##", "a«a", "a « a"),
    ("a abbb", "ab", "abb ab a", "a abbb <unk> a"),             # C5
    ("a b ##b", "##", "\tab \n\u3000a ", "a ##b a"),
    ("a ##.", "##", "a.", "a <unk>"),                           # a suffix piece that is one mark
    ("a ### #", "##", "a#", "a #"),
    ("a .", "", "a.a..", "a . a . ."),                          # ♯ = ""
    ("a", "##", "", ""),
    ("a", "##", " \n ", ""),
    ("a a\tb ##a\tb", "##", "a a\tb", "a a <unk>"),             # white space in a token
    ("x a b##c", "b#", "x b#c", "x <unk> <unk> <unk>"),
])
def test_cases(tokens, indicator, text, expected):
    V = Vocabulary([*dict.fromkeys(tokens.split(" ")), "<unk>"], indicator)
    E = precompute_e2e(V)
    E.check()
    assert e2e_wordpiece(E, text) == expected.split()


def test_two_roots_exactly_where_the_indicator_is_one_mark():
    roots = {"#": 2, "##": 1, "": 1, "a": 1, "«": 2, "a#": 1}
    assert {indicator: precompute_e2e(Vocabulary(["<unk>"], indicator)).roots for indicator in roots} == roots


@given(random_text_worlds(), st.sampled_from(["#.-", "#", "", "a#", " #"]), st.sampled_from([" ", " b", ""]))
def test_random_texts(world, marks, blanks):
    V, texts = world
    E = precompute_e2e(compiled(V), marks.__contains__, blanks.__contains__)
    E.check()
    marks = "".join(c for c in marks if c not in blanks)        # white space wins
    for text in texts:
        words = "".join("\0" if c in blanks else f"\0{c}\0" if c in marks else c for c in text).split("\0")
        expected = [piece for word in words for piece in definition.original_wordpiece(V, word)]
        assert e2e_wordpiece(E, text) == expected, (E.vocabulary.tokens, text)


TINY = st.sampled_from(["", "#", "##", "ab", "a", "@@", "a#", "#a", "a b", " "])


@given(TINY, st.sets(st.text("ab#@ ", min_size=1, max_size=4), max_size=8),
       st.sets(st.text("ab# ", max_size=3), max_size=8),
       st.lists(st.text("ab#@ z«", max_size=12), min_size=1, max_size=5))
def test_tiny_alphabets(indicator, literals, bodies, texts):
    V = definition.Vocabulary(frozenset(literals | {indicator + body for body in bodies} - {""}), indicator)
    E = precompute_e2e(compiled(V))
    E.check()
    for text in [*texts, indicator, *(indicator + text for text in texts)]:
        assert e2e_wordpiece(E, text) == definition.split_then_match(V, text, is_punctuation, is_whitespace)


@pytest.mark.parametrize("indicator", worlds.TEXT_INDICATORS)
def test_every_small_world(indicator):
    texts = worlds.texts(4)
    for V in worlds.every_text_vocabulary(indicator, most=2):
        E = precompute_e2e(compiled(V), worlds.is_punctuation, worlds.is_whitespace)
        for text in texts:
            assert e2e_wordpiece(E, text) == definition.split_then_match(
                V, text, worlds.is_punctuation, worlds.is_whitespace), (V, text)


def test_long_texts_of_one_kind():
    E = precompute_e2e(Vocabulary(["a", "##a", "#", "<unk>"]))
    n = 200_000
    assert e2e_wordpiece(E, "#" * n) == ["#"] * n
    assert e2e_wordpiece(E, "a" * n) == ["a"] + ["##a"] * (n - 1)
    assert e2e_wordpiece(E, "z" * n) == ["<unk>"]
    assert e2e_wordpiece(E, "a" * n + "z") == ["<unk>"]
    assert e2e_wordpiece(E, " " * n) == []


def test_predicates():
    assert all(is_punctuation(c) == (33 <= ord(c) < 127 and not c.isalnum()) for c in map(chr, range(128)))
    assert is_punctuation("—") and not is_punctuation("°") and not is_punctuation("é")
    with pytest.raises(TypeError, match="punctuation: expected a function of one character, got str"):
        precompute_e2e(Vocabulary(["<unk>"]), punctuation=".")
    with pytest.raises(TypeError, match="expected str, got bytes"):
        e2e_wordpiece(precompute_e2e(Vocabulary(["<unk>"])), b"a")
