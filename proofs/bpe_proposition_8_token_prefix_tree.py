"""Proposition 8: the tokens of all prefixes are one tree, of which a model may see each row once.

Statement
    Let position i of s be a node, |s| + 1 in all, with i - |θ(s[:i])| for its parent and 0 for the root. Then T(s[:i]) are
    the θ on the way from the root to i, as many as i is deep. The rows that some prefixes need are the union of their
    ways, each once; and if each row attends to itself and to the rows above it, every chosen prefix attends to just its
    own tokens, each at its own place.

Why
    Equation 2 says that the tokens before the last are those of the prefix that the parent stands for. A row's way up
    is the same in whichever prefix the row is, so that one row serves them all.
"""
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary, Tokenizer


# Predicate
def predicate(D: Dictionary, texts: list[str], tree: Any, tokenize: Tokenizer = bpe.T) -> Any:
    """None if for each text the tree has the tokens, counts, parents and rows that the statement says, else the text
    and what is amiss.
    """
    for s in texts:
        P = tree(s)
        expected: list[list[str]] = [[], *(tokenize(D, x) for x in bpe.prefixes(s))]
        ends = range(len(s) + 1)
        if [P.tokens(i) for i in ends] != expected or [P.count(i) for i in ends] != [len(tokens) for tokens in expected]:
            return worlds.shown(D), s, [P.tokens(i) for i in ends], expected
        parents = [-1, *(i - len(expected[i][-1]) for i in ends[1:])]
        if P.parents != parents:
            return worlds.shown(D), s, P.parents, parents
        witness = rows_of(P.tree(list(ends)), s, expected)
        if witness is not None:
            return worlds.shown(D), s, *witness
    return None


def rows_of(tree: Any, s: str, expected: list[list[str]]) -> tuple[Any, ...] | None:
    """None if the rows of all prefixes of s are each node but the root once, and each mask a way; else what is amiss."""
    if tree.positions != list(range(1, len(s) + 1)):
        return "rows", tree.positions
    mask = tree.mask()
    for i, tokens in enumerate(expected):
        rows = [] if tree.ends[i] < 0 else [row for row, seen in enumerate(mask[tree.ends[i]]) if seen]
        if [tree.tokens[row] for row in rows] != tokens or [tree.depths[row] for row in rows] != list(range(len(rows))):
            return i, [tree.tokens[row] for row in rows], tokens
    return None


def some_prefixes(D: Dictionary, texts: list[str], tree: Any) -> Any:
    """None if the rows of every two prefixes are those of either, and no more; else the text, both, the rows and theirs."""
    for s in texts:
        P = tree(s)
        for i in range(len(s) + 1):
            j = (i * 2 + 1) % (len(s) + 1)
            rows = P.tree([i, j])
            needed = {len("".join(P.tokens(k)[:n + 1])) for k in (i, j) for n in range(P.count(k))}
            if rows.positions != sorted(needed) or [rows.path(0), rows.path(1)] != [P.tokens(i), P.tokens(j)]:
                return worlds.shown(D), s, (i, j), (rows.positions, rows.path(0), rows.path(1)), sorted(needed)
    return None


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    layer = Compiled(D)
    of_rules, of_ranks = (lambda s: incbpe.Prefixes(layer.N, s)), (lambda s: incbpe.Prefixes(layer.rank, s))
    return (predicate(D, texts, of_rules) or predicate(D, texts, of_ranks, bpe.PQ)
            or some_prefixes(D, texts[-8:], of_rules))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 20 of the 9,198 lists on their texts of the largest length, and all prefixes of these."""
    return check.sweep(worlds.every_world(), lambda D: holds_compiled(D, longest(D)), worlds.WORLDS, 20 * every, 32)


def longest(D: Dictionary) -> list[str]:
    """The texts of the largest length: all others are prefixes of them."""
    return worlds.texts(D)[-1:] if len(D.atoms) == 1 else worlds.texts(D)[-32:]


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
class Plain:
    """The tree by the definitions, with a fault."""

    def __init__(self, D: Dictionary, s: str, fault: str) -> None:
        self.D, self.s, self.fault = D, s, fault
        self.parents = [-1, *(i - len(self.tokens(i)[-1]) for i in range(1, len(s) + 1))]
        if fault == "a chain":
            self.parents = list(range(-1, len(s)))

    def tokens(self, i: int) -> list[str]:
        tokens = bpe.T(self.D, self.s[:i])
        return tokens[::-1] if self.fault == "not turned round" else tokens

    def count(self, i: int) -> int:
        return i if self.fault == "symbols counted" else len(self.tokens(i))

    def tree(self, chosen: list[int]) -> "Plain":
        """Rows for all positions from 1 on."""
        self.positions = list(range(self.fault != "a row for the root", len(self.s) + 1))
        self.ends = [i - 1 for i in chosen]
        self.depths = [self.count(i) - 1 for i in self.positions]
        return self

    def path(self, chosen: int) -> list[str]:
        return self.tokens(self.ends[chosen] + 1)

    def mask(self) -> list[list[bool]]:
        """Causal: each row sees all rows before it."""
        return [[j <= i for j in range(len(self.s))] for i in range(len(self.s))]


class Rows(Plain):
    """The same once more, with the θ of the positions for tokens, since a tree's tokens are a list."""

    def tree(self, chosen: list[int]) -> Any:
        found: Any = super().tree(chosen)
        found.tokens = [bpe.T(self.D, self.s[:i])[-1] for i in self.positions if i]
        return found


def test_control_every_row_before_it_seen() -> None:
    """The mask of an ordinary text: a row sees tokens of other prefixes too."""
    found = check.first(worlds.every_world(), lambda D: predicate(D, worlds.texts(D), lambda s: Rows(D, s, "causal")))
    assert found == ((("a", "a"),), "aa", 2, ["a", "aa"], ["aa"])


def test_control_a_chain_of_positions() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(D, worlds.texts(D), lambda s: Rows(D, s, "a chain")))
    assert found == ((("a", "a"),), "aa", [-1, 0, 1], [-1, 0, 0])


def test_control_rows_that_no_prefix_needs() -> None:
    found = check.first(worlds.every_world(), lambda D: some_prefixes(
        D, worlds.texts(D), lambda s: Plain(D, s, "all rows")))
    assert found == ((), "aa", (0, 1), ([1, 2], [], ["a"]), [1])


def test_control_tokens_read_back_and_not_turned_round() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda s: Rows(D, s, "not turned round")))
    assert found == ((), "ab", [[], ["a"], ["b", "a"]], [[], ["a"], ["a", "b"]])


def test_control_symbols_counted() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda s: Rows(D, s, "symbols counted")))
    assert found == ((("a", "a"),), "aa", [[], ["a"], ["aa"]], [[], ["a"], ["aa"]])


def test_control_a_row_for_the_root() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda s: Rows(D, s, "a row for the root")))
    assert found == ((), "a", "rows", [0, 1])


class Ways(Rows):
    """The same, and each row sees those of its way alone; with the text's symbols for tokens, or depths from 1."""

    def tree(self, chosen: list[int]) -> Any:
        found: Any = super().tree(chosen)
        if self.fault == "symbols":
            found.tokens = list(self.s)
        if self.fault == "depths from one":
            found.depths = [depth + 1 for depth in found.depths]
        return found

    def mask(self) -> list[list[bool]]:
        ways = [{len("".join(tokens[:n + 1])) for n in range(len(tokens))}
                for tokens in (bpe.T(self.D, x) for x in bpe.prefixes(self.s))]
        return [[position in way for position in self.positions] for way in ways]


def test_control_symbols_for_tokens() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(D, worlds.texts(D), lambda s: Ways(D, s, "symbols")))
    assert found == ((("a", "a"),), "aa", 2, ["a"], ["aa"])


def test_control_depths_from_one() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda s: Ways(D, s, "depths from one")))
    assert found == ((), "a", 1, ["a"], ["a"])


class Exchanged(Plain):
    """The rows of two prefixes, and the way of each for that of the other."""

    def tree(self, chosen: list[int]) -> "Plain":
        super().tree(chosen[::-1])
        self.positions = sorted({len("".join(self.tokens(k)[:n + 1])) for k in chosen for n in range(self.count(k))})
        return self


def test_control_the_ways_of_two_prefixes_exchanged() -> None:
    found = check.first(worlds.every_world(), lambda D: some_prefixes(
        D, worlds.texts(D), lambda s: Exchanged(D, s, "exchanged")))
    assert found == ((), "a", (0, 1), ([1], ["a"], []), [1])


# Limits
#   Prefixes of texts that are split into pieces, and offsets in characters, are in tests/.

if __name__ == "__main__":
    check.alone(__file__)
