"""Each symbol of the paper against its definition, on every node and character of small worlds."""
from hypothesis import given
from hypothesis import strategies as st

import linmaxmatch as compiled
from linmaxmatch import Trie, Vocabulary, original_wordpiece, precompute
from proofs.definitions import two_roots
from proofs.definitions import wordpiece as one_root
from proofs.worlds import random_vocabularies, random_words

SPACE = "\x01"          # plays ␣ where the trie is augmented: it is in no token of the random worlds


def node_name(T: Trie, v: int) -> object:
    """What the definitions call the node v: its string, or with two roots the root and the rest."""
    text = T.chi(v)
    if T.roots == 1:
        return text
    under_suffix = v == T.suffix_root != T.root or v in suffix_side(T)
    return two_roots.Rest(under_suffix, text[len(T.vocabulary.suffix_indicator):] if under_suffix else text)


def suffix_side(T: Trie) -> set[int]:
    """The nodes under a separate r♯."""
    if T.root == T.suffix_root:
        return set()
    side, front = set(), [T.suffix_root]
    symbols = {c for t in T.vocabulary.tokens for c in t}
    while front:
        side.update(front)
        front = [v for u in front for c in symbols if (v := T.delta(u, c)) is not None]
    return side


@given(random_vocabularies(), st.data())
def test_p_q_and_length(V, data):
    C = Vocabulary(sorted(V.tokens), V.suffix_indicator, V.unk_token)
    C.check()
    for w in data.draw(st.lists(random_words(V), min_size=1, max_size=4)):
        assert compiled.p(C, w) == one_root.p(V, w)
        assert compiled.q(C, w) == one_root.q(V, w)
        assert compiled.length(C, w) == one_root.length(V, w)


@given(random_vocabularies(), st.sampled_from([1, 2]))
def test_nodes_edges_and_failure_tables(V, roots):
    T = Trie(Vocabulary(sorted(V.tokens), V.suffix_indicator, V.unk_token), roots)
    tables = precompute(T)
    T.check()
    tables.check()
    paper = one_root if roots == 1 else two_roots
    name = {v: node_name(T, v) for v in range(len(T))}
    node = {name[v]: v for v in name}
    assert len(node) == len(T) and set(node) == set(paper.nodes(V))
    assert (name[T.root], name[T.suffix_root]) == paper.roots(V)
    symbols = sorted({c for t in V.tokens for c in t} | {"z"})
    for v in range(len(T)):
        for c in symbols:
            assert T.delta(v, c) == node.get(paper.delta(V, name[v], c))
            step = paper.h(V, name[v], c)
            assert compiled.h(T, v, c) == node.get(step)
            if step is not None:
                assert compiled.H(T, v, c) == paper.H(V, name[v], c)
        assert compiled.f(T, v) == tables.f(v) == node.get(paper.f(V, name[v]))
        assert compiled.F(T, v) == tables.F(v) == paper.F(V, name[v])


@given(random_vocabularies(), st.data())
def test_min_pop_and_lemmas_2_and_3(V, data):
    C = Vocabulary(sorted(V.tokens), V.suffix_indicator, V.unk_token)
    T = Trie(C)
    # The trie augmented by ␣ and ♯␣: they are the beginnings of two tokens that no text spells.
    ends = {SPACE * 2: None, V.suffix_indicator + SPACE * 2: None}      # one and the same where ♯ is empty
    augmented = Trie(Vocabulary([*C.tokens, *ends], V.suffix_indicator, V.unk_token))
    for w in data.draw(st.lists(random_words(V), min_size=1, max_size=4)):
        node = compiled.g(T, w)
        assert (None if node is None else T.chi(node)) == one_root.g(V, w)
        assert compiled.G(T, w) == one_root.G(V, w)
        for c in (*w[:2], "z"):
            if node is not None:
                assert compiled.g(T, w + c) == compiled.h(T, node, c)
                if compiled.g(T, w + c) is not None:
                    assert compiled.G(T, w + c) == compiled.G(T, w) + compiled.H(T, node, c)
        ended = compiled.g(augmented, w + SPACE)
        assert compiled.M(C, w) == ([V.unk_token] if ended is None else compiled.G(augmented, w + SPACE))


@given(random_vocabularies(), st.sampled_from([1, 2]))
def test_a_trie_of_bytes_has_the_same_language(V, roots):
    C = Vocabulary(sorted(V.tokens), V.suffix_indicator, V.unk_token)
    T = Trie(C, roots, symbols="bytes")
    T.check()
    precompute(T).check()
    left_out = {V.suffix_indicator} if roots == 1 else set()    # r♯ holds no token
    assert {T.token(v) for v in range(len(T))} - {None} == V.tokens - left_out
    for v in range(len(T)):
        if T.token(v) is not None:
            assert T.chi(v) == T.token(v).encode()


def test_aliases_are_the_same_functions():
    for letter, spelt in [("p", "longest_matching_prefix"), ("q", "rest_after_prefix"), ("M", "max_match"),
                          ("g", "min_pop_node"), ("G", "min_pop_tokens"), ("h", "one_step_node"),
                          ("H", "one_step_tokens"), ("f", "failure_link"), ("F", "failure_pops")]:
        assert getattr(compiled, letter) is getattr(compiled, spelt)
    tables = precompute(Trie(Vocabulary(["a", "<unk>"])))
    assert [tables.failure_link(v) for v in range(5)] == [tables.f(v) for v in range(5)]
    assert [tables.failure_pops(v) for v in range(5)] == [tables.F(v) for v in range(5)]


def test_the_example_of_the_paper():
    V = Vocabulary(["a", "abcd", "##b", "##bc", "##z", "<unk>"])
    T = Trie(V)
    shown = {T.chi(v): (None if compiled.f(T, v) is None else T.chi(compiled.f(T, v)), compiled.F(T, v))
             for v in range(len(T)) if not T.chi(v).startswith("<")}
    assert shown == {"": (None, []), "#": (None, []), "##": (None, []), "a": ("##", ["a"]), "ab": ("##b", ["a"]),
                     "abc": ("##bc", ["a"]), "abcd": ("##", ["abcd"]), "##b": ("##", ["##b"]),
                     "##bc": ("##", ["##bc"]), "##z": ("##", ["##z"])}
    assert original_wordpiece(V, "abcdz") == ["abcd", "##z"]
