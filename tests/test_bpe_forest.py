"""The successor forest, suffix-successor trees and centroid trees of small dictionaries against the definitions."""
import json

import pytest
from hypothesis import given

from incbpe import (
    CentroidTree,
    Dictionary,
    DictionaryError,
    SuccessorForest,
    SuffixAutomaton,
    SuffixSuccessorTree,
    normalize,
    theta,
)
from proofs.bpe_compiled import dictionary
from proofs.bpe_worlds import every_world, random_dictionaries, random_worlds
from proofs.definitions import bpe as definition


def small_worlds(deep: bool) -> list[definition.Dictionary]:
    return every_world()[::1 if deep else 23]


def forest_of(D: definition.Dictionary) -> SuccessorForest:
    forest = SuccessorForest(normalize(dictionary(D)))
    forest.check()
    return forest


def compare(D: definition.Dictionary) -> None:
    """Order, intervals and ranges as defined, and both tests of every pair, on the forest of D."""
    forest = forest_of(D)
    order = definition.preorder(D)
    assert tuple(forest.preorder()) == order and len(forest) == len(order)
    for z in order:
        assert forest.interval(z) == (definition.tin(D, z), definition.tout(D, z))
        assert forest.valid_range(z) == definition.valid_range(D, z)
        assert forest.parent(z) == definition.suc(D, z)
        assert forest.children(z) == definition.children(D, z)
        for w in [*order, None]:
            assert forest.valid(z, w) == forest.valid_by_walking(z, w) == definition.follows(D, z, w), (D, z, w)


def test_vectors(vectors):
    cases = json.loads((vectors / "bpe_theta.json").read_text(encoding="utf-8"))["cases"]
    assert len(cases) >= 200
    for case in cases:
        D = definition.Dictionary(frozenset(case["atoms"]), tuple(map(tuple, case["rules"])))
        forest = forest_of(D)
        assert {z: forest.interval(z)[0] for z in forest.preorder()} == case["dfs_in"]
        assert {z: list(forest.valid_range(z)) for z in forest.preorder() if len(z) > 1} == case["ranges"]


def test_small_worlds(deep):
    for D in small_worlds(deep):
        compare(D)


@given(random_dictionaries())
def test_random_dictionaries(D):
    compare(D)


def trees_of(D: definition.Dictionary) -> list[CentroidTree]:
    """The centroid tree of every canonical token, checked, and its suffix-successor tree too."""
    N = normalize(dictionary(D))
    forest, automaton, trees = SuccessorForest(N), SuffixAutomaton(N), []
    for k in forest.preorder():
        tree = SuffixSuccessorTree(forest, automaton, k)
        tree.check()
        trees.append(CentroidTree(tree))
        trees[-1].check()
    return trees


def compare_trees(D: definition.Dictionary, texts: list[str]) -> None:
    """The trees of every token; and θ by the tree of the longest token, within so many centroids."""
    trees = {centroids.tree.k: centroids for centroids in trees_of(D)}
    for k, centroids in trees.items():
        assert centroids.tree.chain()[::-1] == definition.chain(D, k) and len(centroids.tree) == len(centroids)
    for s in texts:
        last = theta(centroids.tree.forest.N, s)
        for t in range(1, len(s) + 1):
            k = max((z for z in trees if s[:t].endswith(z)), key=len, default=None)
            if k is None:
                continue
            history = [None, *(w if w in trees else None for w in last[:t - 1])]
            found, visits = trees[k].search(history)
            assert found == definition.θ(D, s[:t])
            assert visits <= len(trees[k]).bit_length()             # ⌊log₂⌋ + 1


def test_trees_of_small_worlds(deep):
    for D in small_worlds(deep):
        compare_trees(D, ["abbabaabb" if len(D.atoms) > 1 else "aaaaaaaaa"])


@given(random_worlds(unknown=True))
def test_trees_of_random_worlds(world):
    compare_trees(*world)


@pytest.mark.parametrize(("rules", "k", "parent", "children"), [
    ("a+a aa+aa aaaa+aa aaaa+a aaaaaa+a", "aaaaaaa", "a", "aa aaaaaaa aaaaa"),
    ("b+c c+bc cbc+bc b+bc cbcbc+bc", "cbcbcbc", "bc", "cbc cbcbcbc cbcbc"),
    ("b+b a+bb abb+b bb+abb abbb+abb", "abbbabb", "abb", "abbbabb bbabb"),
])
def test_ranges_need_not_be_ordered_by_length(rules, k, parent, children):
    D = definition.Dictionary(frozenset("abc"), tuple(tuple(rule.split("+")) for rule in rules.split()))
    centroids = {tree.tree.k: tree for tree in trees_of(D)}[k]
    assert centroids.tree.children(parent) == children.split()
    compare_trees(D, [u + k for u in ("", *definition.continuations(D, 2), k, k[1:])])


def runs(longest: int) -> Dictionary:
    """Every run of a's up to a length, by the rule that joins what is left of it."""
    rules: list[tuple[str, str]] = []
    for n in range(2, longest + 1):
        rules.append(tuple(definition.T(definition.Dictionary(frozenset("a"), tuple(rules)), "a" * n)))
    return Dictionary(["a" * n for n in range(1, longest + 1)], rules)


def letters(n: int) -> str:
    return "".join(map(chr, range(0x4E00, 0x4E00 + n)))


def way(longest: int) -> Dictionary:
    """All suffixes of a text of different letters, each the next shorter one and a letter: a tree without branches."""
    text = letters(longest)
    rules = [(text[i], text[i + 1:]) for i in range(longest - 2, -1, -1)]
    return Dictionary([*text, *(x + y for x, y in rules)], rules)


def star(longest: int) -> Dictionary:
    """The same text, where the last letter comes last: every suffix is a child of it."""
    text = letters(longest)
    rules = [(text[i], text[i + 1:-1]) for i in range(longest - 3, -1, -1)]
    rules += [(text[i:-1], text[-1]) for i in range(longest - 1)]
    return Dictionary([*text, *(x + y for x, y in rules)], rules)


@pytest.mark.parametrize("longest", [1, 2, 3, 4, 7, 8, 33, 64])
@pytest.mark.parametrize("shape", [runs, way, star])
def test_trees_of_every_shape(shape, longest):
    N = normalize(shape(longest))
    tokens, forest, automaton = N.dictionary.tokens, SuccessorForest(N), SuffixAutomaton(N)
    k = max(tokens, key=len)
    tree = CentroidTree(SuffixSuccessorTree(forest, automaton, k))
    tree.check()
    tree.tree.check()
    assert len(tree) == longest
    if shape is not runs:
        assert len(tree.tree.children(k[-1])) == (longest - 1 if shape is star else min(1, longest - 1))
    for s in (k, k + k, k[len(k) // 3:] + k, k[:len(k) // 2] + k):
        last = theta(N, s)
        found, visits = tree.search([None, *last[:-1]])
        assert found == last[-1] and visits <= longest.bit_length()


def test_roots_are_sorted_and_children_latest_first():
    D = Dictionary(["b", "a", "é", "bb", "ab", "éb"], [("b", "b"), ("a", "b"), ("é", "b")])
    forest = SuccessorForest(normalize(D))
    assert forest.preorder() == ["a", "b", "éb", "ab", "bb", "é"]
    assert forest.depth() == 1 and forest.OUTSIDE == 6
    assert repr(forest) == "<SuccessorForest of 6 tokens>" and forest.nbytes == 4 * 6 * 6


def test_what_is_not_there_is_named():
    N = normalize(Dictionary(["a", "b", "c", "ab", "abc", "bc"], [("a", "b"), ("b", "c"), ("a", "bc")]))
    forest, automaton = SuccessorForest(N), SuffixAutomaton(N)
    with pytest.raises(DictionaryError, match="'abc' is no canonical token"):
        forest.parent("abc")
    with pytest.raises(DictionaryError, match="'x' is not among the tokens"):
        forest.valid("ab", "x")
    with pytest.raises(TypeError, match="expected str"):
        forest.interval(b"ab")
    with pytest.raises(DictionaryError, match="'a' is no suffix of 'ab'"):
        SuffixSuccessorTree(forest, automaton, "ab").parent_of("a")
    with pytest.raises(ValueError, match="both of one Normalized"):
        SuffixSuccessorTree(forest, SuffixAutomaton(normalize(N.dictionary)), "ab")
    with pytest.raises(ValueError, match="1 entries, fewer than the symbols of 'ab'"):
        CentroidTree(SuffixSuccessorTree(forest, automaton, "ab")).search([None])


def test_the_pairs_form_has_no_forest():
    N = normalize(Dictionary(["a", "aa", "aaa"], [("aa", "a"), ("a", "a")]), "rank")
    assert N.form == "pairs"
    with pytest.raises(DictionaryError, match="form 'pairs'"):
        SuccessorForest(N)


def test_empty_and_bytes():
    assert SuccessorForest(normalize(Dictionary([], []))).preorder() == []
    forest = SuccessorForest(normalize(Dictionary([b"\xff", b"\x00", b"\xff\x00", b""], [(b"\xff", b"\x00")])))
    forest.check()
    assert forest.preorder() == [b"\x00", b"\xff\x00", b"\xff"]
