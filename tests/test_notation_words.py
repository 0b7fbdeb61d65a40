"""One word: M, the original WordPiece, LinMaxMatch and the transducer against the definition of record."""
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linmaxmatch import (
    M,
    Steps,
    Transducer,
    Trie,
    Vocabulary,
    lin_max_match,
    match_loop,
    original_wordpiece,
    precompute,
)
from proofs.definitions import wordpiece as definition
from proofs.worlds import random_vocabularies, random_words

FORMS = [(roots, symbols) for roots in (1, 2) for symbols in ("characters", "bytes")]


def compiled(V: definition.Vocabulary) -> Vocabulary:
    return Vocabulary(sorted(V.tokens), V.suffix_indicator, V.unk_token)


def every_answer(V: Vocabulary, w: str) -> dict[object, list[str]]:
    """The tokens of w by each algorithm and form of trie."""
    answers: dict[object, list[str]] = {"original": original_wordpiece(V, w)}
    for form in FORMS:
        tables = precompute(Trie(V, *form))
        transducer = Transducer(tables)
        for structure in (tables.trie, tables, transducer):
            structure.check()
        answers[form] = lin_max_match(tables, w)
        answers["transducer", form] = transducer.tokenize(w)
    return answers


@pytest.mark.parametrize("name", ["wordpiece_words.json", "wordpiece_words_more.json"])
def test_vectors(vectors, name):
    cases = json.loads((vectors / name).read_text(encoding="utf-8"))["cases"]
    assert len(cases) >= 200
    for case in cases:
        V = Vocabulary(list(dict.fromkeys([*case["vocab"], "<unk>"])), case["suffix_indicator"])
        for how, answer in every_answer(V, case["input"]).items():
            assert answer == case["expected"], (how, case)


@pytest.mark.parametrize(("tokens", "indicator", "word", "expected"), [
    ("a abcd ##b ##bc ##z", "##", "abcdz", "abcd ##z"),         # the paper's example
    ("a abcd ##b ##bc ##z", "##", "abcz", "a ##bc ##z"),
    ("a abcd ##b ##bc ##z", "##", "abcdx", "<unk>"),
    ("# ###", "##", "##", "# ###"),                             # word = ♯
    ("# ## ###", "##", "##", "##"),
    ("a ##a", "##", "##", "<unk>"),
    ("# ###b", "##", "##b", "# ###b"),                          # word starts with ♯, longer
    ("# ####", "##", "###", "# ####"),
    ("a abbb", "ab", "abb", "a abbb"),
    ("##a ##b", "##", "##ab", "##a ##b"),                       # a literal token starts with ♯
    ("# ##a", "##", "#a", "# ##a"),                             # a proper part of ♯
    ("## # ###b", "##", "##b", "<unk>"),                        # ♯ ∈ V inside a longer word
    ("## a ##b", "##", "ab", "a ##b"),
    ("a b ##", "##", "", ""),                                   # the empty word
    ("a ab abc c", "", "abcab", "abc ab"),                      # ♯ = ""
    ("a ab", "##", "aa", "<unk>"),                              # no suffix tokens
    ("a ab", "##", "ab", "ab"),
    ("a", "a", "a", "a"),                                       # Definition 5 gives [] here
    ("a b ##b", "##", "a b", "<unk>"),                          # a space in a word is a character like others
    ("a\0 ##\0", "##", "a\0\0", "a\0 ##\0"),                    # NUL too
])
def test_cases(tokens, indicator, word, expected):
    V = Vocabulary([*tokens.split(" "), "", "", "<unk>"], indicator)
    for how, answer in every_answer(V, word).items():
        assert answer == [t for t in expected.split(" ") if t], how


@pytest.mark.parametrize("c", [" ", "\0", "\n", "\U0010ffff", "\xff"])
def test_no_character_ends_a_word(c):
    V = Vocabulary(["a", f"a{c}b", "##b", f"##b{c}", "<unk>"])
    for word, expected in (("a", ["a"]), ("ab", ["a", "##b"]), (f"ab{c}", ["a", f"##b{c}"]), (f"a{c}b", [f"a{c}b"]),
                           (f"a{c}", ["<unk>"])):
        for how, answer in every_answer(V, word).items():
            assert answer == expected, how


def test_definition_5_differs_from_the_original_only_after_the_indicator():
    V = Vocabulary(["a", "<unk>"], "a")
    assert M(V, "a") == [] and original_wordpiece(V, "a") == ["a"]
    V = Vocabulary(["a", "<unk>"], "")
    assert M(V, "") == original_wordpiece(V, "") == []


@given(st.data())
def test_random_words(data):
    V = data.draw(random_vocabularies())
    C = compiled(V)
    for w in data.draw(st.lists(random_words(V), min_size=1, max_size=4)):
        expected = definition.original_wordpiece(V, w)
        for how, answer in every_answer(C, w).items():
            assert answer == expected, (how, w, C.tokens)
        assert M(C, w) == definition.M(V, w)
        if C.suffix_indicator == "" or not w.startswith(C.suffix_indicator):
            assert M(C, w) == expected


TINY = st.sampled_from(["", "#", "##", "ab", "a", "@@"])


@given(TINY, st.sets(st.text("ab#", min_size=1, max_size=4), max_size=8),
       st.sets(st.text("ab#", max_size=3), max_size=8), st.lists(st.text("ab#@", max_size=9), min_size=1, max_size=4))
def test_tiny_alphabets(indicator, literals, bodies, words):
    V = definition.Vocabulary(frozenset(literals | {indicator + body for body in bodies} - {""}), indicator)
    C = compiled(V)
    for w in words:
        expected = definition.original_wordpiece(V, w)
        for how, answer in every_answer(C, w).items():
            assert answer == expected, (how, w, C.tokens)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n", [0, 1, 2, 100, 10_000])
def test_both_step_bounds_are_met(form, n):
    steps = Steps()
    tables = precompute(Trie(Vocabulary(["a", "##a", "<unk>"]), *form))
    assert lin_max_match(tables, "a" * n, steps) == (["a"] + ["##a"] * n)[:n]
    assert (steps.edges, steps.moves) == (n, n)


@pytest.mark.parametrize("n", [1, 2, 19, 20, 21, 1_000, 20_000])
def test_steps_where_backtracking_is_quadratic(n):
    long = "a" * 20 + "b"
    V = Vocabulary(["a", "##a", long, "##" + long, "<unk>"])
    for form in FORMS:
        steps = Steps()
        tokens = lin_max_match(precompute(Trie(V, *form)), "a" * n, steps)
        assert len(tokens) == n and steps.edges <= n and steps.moves <= n


@given(st.data())
def test_step_bounds(data):
    V = data.draw(random_vocabularies())
    for form in FORMS:
        tables = precompute(Trie(compiled(V), *form))
        for w in data.draw(st.lists(random_words(V), min_size=1, max_size=4)):
            n = len(w) if form[1] == "characters" else len(w.encode())
            steps = Steps()
            tokens, u, i = match_loop(tables, w, steps=steps)
            assert steps.edges == i <= n and steps.moves <= n
            popped = "".join(t.removeprefix(V.suffix_indicator) if k else t for k, t in enumerate(tokens))
            if not V.suffix_indicator or not w.startswith(V.suffix_indicator):
                rest = tables.trie.chi(u)
                spelt, indicator = (popped, V.suffix_indicator) if form[1] == "characters" else (
                    popped.encode(), V.suffix_indicator.encode())
                whole = w if form[1] == "characters" else w.encode()
                assert spelt + (rest.removeprefix(indicator) if tokens else rest) == whole[:i]


def test_match_loop_starts_where_it_is_told():
    tables = precompute(Trie(Vocabulary(["a", "abcd", "##b", "##bc", "##z", "<unk>"])))
    assert match_loop(tables, "xyabcz", 2) == (["a", "##bc", "##z"], tables.trie.suffix_root, 6)
    assert match_loop(tables, "xyabcz", 6) == ([], tables.trie.root, 6)
    assert match_loop(tables, "xyabcz", 0) == ([], tables.trie.root, 0)


def test_the_transducer_refuses_what_would_not_fit():
    tables = precompute(Trie(Vocabulary(["abc", "<unk>"])))
    with pytest.raises(ValueError, match="more than limit=10 entries"):
        Transducer(tables, limit=10)
    assert Transducer(tables).delta_prime(tables.trie.root, "é") is None
