"""Equation 2: T(s) is T of what is before its last token, and that token.

Statement
    θ(s) is the last token of T(s). For every s that is not empty, T(s) = T(s without θ(s)) ⊕ [θ(s)]; so the θ of all
    prefixes hold the tokenizations of all prefixes, and T(s) is read back from the end. The same is true of rank BPE.

Why
    All tokens but the last are a prefix of T(s), and by Lemma 3.1 a prefix of T(s) is T of its own text.
"""
from collections.abc import Callable
from functools import cache
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_algorithms import read_back
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary

Function = Callable[[str], list[str]]


# Predicate
def predicate(D: Dictionary, texts: list[str], tokenize: Function, last: Callable[[str], str]) -> Any:
    """None if each text's tokens are read back from the last tokens of its prefixes, else the first text's not."""
    for s in texts:
        history = [None, *(last(x) for x in bpe.prefixes(s))]
        if read_back(history) != tokenize(s):
            return worlds.shown(D), s, read_back(history), tokenize(s)
    return None


def paths(D: Dictionary, texts: list[str], tokenize: Function, tree: Callable[[str], Any]) -> Any:
    """None if the path of each prefix in the text's tree is its tokens, and no two rows have the same path; else the
    first text, its paths, and the tokens.
    """
    for s in texts:
        rows, wanted = tree(s), [tokenize(x) for x in ("", *bpe.prefixes(s))]
        found = [rows.path(i) for i in range(len(s) + 1)]
        names = sorted({z for tokens in wanted for z in tokens})
        shared = incbpe.IdTree.of([[names.index(z) for z in tokens] for tokens in wanted])
        by_id = [[names[k] for k in shared.path(i)] for i in range(len(s) + 1)]
        if not found == by_id == wanted or not len(rows) == len(shared) == len(set(map(tuple, wanted)) - {()}):
            return worlds.shown(D), s, found, wanted
    return None


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    layer = Compiled(D)
    for N, tokenize in ((layer.N, cache(layer.T)), (layer.rank, cache(layer.PQ))):
        def last(s: str, tokenize: Function = tokenize) -> str:
            return tokenize(s)[-1]

        def tree(s: str, N: Any = N) -> Any:
            return incbpe.Prefixes(N, s).tree(range(len(s) + 1))

        witness = predicate(D, texts, tokenize, last) or paths(D, texts, tokenize, tree)
        if witness is not None:
            return witness
    return None


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """All 1,957 lists of splits of a…aaaa on a…aaaaaaaaa, and one in five of the 7,241 lists over {a, b}."""
    count = check.sweep(worlds.run_worlds(), lambda D: holds_compiled(D, worlds.RUNS), worlds.RUN_WORLDS, every,
                        len(worlds.RUNS))
    return count + check.sweep(worlds.pair_worlds(), lambda D: holds_compiled(D, worlds.WORDS), worlds.PAIR_WORLDS,
                               5 * every, len(worlds.WORDS))


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def test_control_the_longest_token_taken_for_the_last() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda s: bpe.T(D, s), lambda s: bpe.chain(D, s)[-1]))
    assert found == ((("a", "a"),), "aaa", ["a", "aa"], ["aa", "a"])


def test_control_a_row_for_each_token_of_the_text() -> None:
    """The tokens of the text alone taken for the tree of all its prefixes."""
    def tree(D: Dictionary) -> Callable[[str], Any]:
        def of(s: str) -> Any:
            tokens = bpe.T(D, s)
            ends = [sum(len("".join(tokens[:k])) <= i for k in range(1, len(tokens) + 1)) - 1 for i in range(len(s) + 1)]
            rows = list(range(len(tokens)))
            return incbpe.TokenTree(rows, list(tokens), rows, [row - 1 for row in rows], rows, ends)
        return of

    found = check.first(worlds.every_world(), lambda D: paths(
        D, worlds.texts(D), lambda s: bpe.T(D, s), tree(D)))
    assert found == ((("a", "a"),), "aa", [[], [], ["aa"]], [[], ["a"], ["aa"]])


def test_control_the_whole_piece_shortcut() -> None:
    """With the shortcut of P3 a prefix may be one token that the text does not have: not read back, but looked up."""
    def shortcut(D: Dictionary, s: str) -> list[str]:
        return bpe.piece(D.tokens, s, bpe.T(D, s))

    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda s: shortcut(D, s), lambda s: shortcut(D, s)[-1]))
    assert found == ((("a", "aa"),), "aaaa", ["aaa", "a"], ["a", "a", "a", "a"])


def test_control_the_tree_of_equation_1_for_rank_bpe() -> None:
    found = check.first(worlds.every_world(), lambda D: paths(
        D, worlds.texts(D), lambda s: bpe.PQ(D, s), lambda s: incbpe.Prefixes(Compiled(D).N, s).tree(range(len(s) + 1))))
    assert found == ((("a", "ab"), ("a", "b")), "aab", [[], ["a"], ["a", "a"], ["a", "ab"]], [[], ["a"], ["a", "a"], ["aab"]])


def test_control_a_row_for_each_prefix_of_two_texts() -> None:
    """More rows than paths: those of a longer text."""
    class Longer:
        def __init__(self, D: Dictionary, s: str) -> None:
            self.tree = incbpe.Prefixes(Compiled(D).N, s + s[0]).tree(range(len(s) + 2))

        def __len__(self) -> int:
            return len(self.tree)

        def path(self, i: int) -> Any:
            return self.tree.path(i)

    found = check.first(worlds.every_world(), lambda D: paths(
        D, worlds.texts(D), lambda s: bpe.T(D, s), lambda s: Longer(D, s)))
    assert found == ((), "a", [[], ["a"]], [[], ["a"]])


# Limits
#   The θ of this file is the last token of the whole text's tokens; that the incremental forms find the same without
#   them is checked in section 5 and proposition 5.

if __name__ == "__main__":
    check.alone(__file__)
