"""The trie's own matters: how nodes are numbered, and strings that are no tokens."""
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linmaxmatch import Trie, Vocabulary, precompute
from proofs.worlds import random_vocabularies

FORMS = [(roots, symbols) for roots in (1, 2) for symbols in ("characters", "bytes")]


def by_insertion(strings):
    """The spellings in the order in which nodes come to be when the strings are put in one after the other."""
    return list(dict.fromkeys(s[:i] for s in strings for i in range(len(s) + 1)))


@given(random_vocabularies(), st.randoms())
def test_one_root_is_numbered_as_the_paper_numbers(V, chance):
    tokens = sorted(V.tokens)
    chance.shuffle(tokens)
    for symbols in ("characters", "bytes"):
        T = Trie(Vocabulary(tokens, V.suffix_indicator, V.unk_token), symbols=symbols)
        T.check()
        assert [T.chi(v) for v in range(len(T))] == by_insertion(map(spelling_of(T), [V.suffix_indicator, *tokens]))


def spelling_of(T):
    return str.encode if T.symbols == "bytes" else str


@given(random_vocabularies())
def test_two_roots_are_numbered_by_depth_and_spelling(V):
    T = Trie(Vocabulary(sorted(V.tokens), V.suffix_indicator, V.unk_token), roots=2)
    T.check()
    indicator = V.suffix_indicator
    bodies = {t[len(indicator):] for t in V.tokens if indicator and t.startswith(indicator) and t != indicator}
    under_r = {t[:i] for t in V.tokens for i in range(len(t) + 1)} | {""}
    under_suffix_root = {t[:i] for t in bodies for i in range(len(t) + 1)} | {""} if indicator else set()
    order = sorted([(len(s), 0, s) for s in under_r] + [(len(s), 1, s) for s in under_suffix_root])
    assert [T.chi(v) for v in range(len(T))] == [indicator * side + s for _, side, s in order]


@pytest.mark.parametrize("form", FORMS)
def test_further_strings_have_nodes_and_are_no_tokens(form):
    V = Vocabulary(["b", "ab", "##bc", "é", "<unk>"])
    plain, T = Trie(V, *form), Trie(V, *form, also=["aé", "", "b", "z", "##bcd"])
    T.check()
    precompute(T).check()
    spelt = lambda T: {(T.chi(v), T.token(v)) for v in range(len(T))}  # noqa: E731
    text = spelling_of(T)
    new = {(text(s), None) for s in ("aé", "z", "##bcd")}
    if T.symbols == "bytes":
        new.add((b"a\xc3", None))
    if T.roots == 2:
        assert len(T) == len(plain) + len(new)              # "##bcd" stands under r only
    else:
        assert spelt(T) == spelt(plain) | new
    assert T.token(T.delta(T.root, text("b")[0])) == "b"


@pytest.mark.parametrize("form", FORMS)
def test_every_edge_and_no_other(form):
    tokens = [f"{a}{b}" for a in "abcdefgh" for b in ("", "x", "é", "☃")] + ["##a", "##ab", "##é", "<unk>"]
    T = Trie(Vocabulary(tokens), *form)
    T.check()
    symbols = range(256) if T.symbols == "bytes" else [chr(c) for c in (*range(256), 0x2603, 0x10FFFF)]
    edges = {(u, c): v for u in range(len(T)) for c in symbols if (v := T.delta(u, c)) is not None}
    assert len(edges) == len(set(edges.values())) == len(T) - (1 if T.roots == 1 else 2)
    one = (lambda c: bytes([c])) if T.symbols == "bytes" else str
    assert all(T.chi(v) == T.chi(u) + one(c) for (u, c), v in edges.items())
