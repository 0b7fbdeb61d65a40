"""The successor forest with its valid ranges, and the trees of one token, as text to be read beside the paper.

`show_forest` writes all canonical tokens in preorder (Sections 3.4 and 4.3), `show_trees` the suffix-successor tree and
the centroid tree of one token (Sections 3.5 and 5.2).
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from incbpe.automaton import SuffixAutomaton
from incbpe.centroid import CentroidTree
from incbpe.normalize import Normalized
from incbpe.successor import SuccessorForest
from incbpe.sufsuc import SuffixSuccessorTree
from incbpe.trace import named

__all__ = ["show_forest", "show_trees"]

Token = Any            # str, or bytes where the dictionary is of bytes
INDENT = "  "
NOTHING = "-"


def show_forest(N: Normalized) -> Iterator[str]:
    """The successor forest, a token a line: below its right part, with its place, its rule, its left part, and the
    range of the places of the tokens that may stand before its right part. Siblings stand latest rule first.

    >>> from incbpe import Dictionary, normalize
    >>> N = normalize(Dictionary("a b ab bb abb".split(), [("a", "b"), ("b", "b"), ("ab", "b")]))
    >>> print(*show_forest(N), sep="\\n")
    5 tokens; a number outside all ranges: 5
    tin  tout  rule  pre  range   token
      0     1     -  -    all     a
      1     5     -  -    all     b
      2     3     2  ab   [4, 5)    abb
      3     4     1  b    [1, 3)    bb
      4     5     0  a    [0, 1)    ab
    """
    forest = SuccessorForest(N)
    rows = []
    depth: dict[Token, int] = {}
    for z in forest.preorder():
        (tin, tout), parent = forest.interval(z), forest.parent(z)
        depth[z] = 0 if parent is None else depth[parent] + 1
        rule, pre = (NOTHING, NOTHING) if parent is None else (str(N.prio(z)), named(N.pre(z)))
        rows.append((str(tin), str(tout), rule, pre, range_of(forest, z), INDENT * depth[z] + named(z)))
    titles = ("tin", "tout", "rule", "pre", "range", "token")
    widths = [max(len(title), *(len(row[column]) for row in rows)) for column, title in enumerate(titles)]
    yield f"{len(rows)} tokens; a number outside all ranges: {forest.OUTSIDE}"
    for row in (titles, *rows):
        right, left = row[:3], row[3:5]
        yield "  ".join([*map(str.rjust, right, widths), *map(str.ljust, left, widths[3:]), row[5]])


def range_of(forest: SuccessorForest, z: Token) -> str:
    """The valid range of a token; an atom's is everything."""
    lo, hi = forest.valid_range(z)
    return "all" if forest.parent(z) is None else f"[{lo}, {hi})"


def show_trees(N: Normalized, k: Token) -> Iterator[str]:
    """The chain of k, its suffix-successor tree with the valid ranges, and its centroid tree: under each centroid what
    is searched when it is not valid, and by which child when it is.

    >>> from incbpe import Dictionary, normalize
    >>> N = normalize(Dictionary("a b ab bb abb".split(), [("a", "b"), ("b", "b"), ("ab", "b")]))
    >>> print(*show_trees(N, "abb"), sep="\\n")
    token abb
    chain  abb bb b
    suffix-successor tree
      b      all
        bb   [1, 3)
        abb  [4, 5)
    centroid tree
      b
        valid, and bb too: bb
        valid, and abb too: abb
    """
    forest, automaton = SuccessorForest(N), SuffixAutomaton(N)
    tree = SuffixSuccessorTree(forest, automaton, k)
    yield f"token {named(k)}"
    yield "chain  " + " ".join(map(named, tree.chain()))
    yield "suffix-successor tree"
    rows = list(subtree(forest, tree, tree.chain()[-1], INDENT))
    width = max(len(token) for token, _ in rows)
    for token, between in rows:
        yield f"{token:{width}}  {between}"
    yield "centroid tree"
    yield from part(tree, CentroidTree(tree).outline(), "", INDENT)


def subtree(forest: SuccessorForest, tree: SuffixSuccessorTree, z: Token, indent: str) -> Iterator[tuple[str, str]]:
    """A node and what is below it: name and range of each. (The chain is no longer than the longest token.)"""
    yield indent + named(z), range_of(forest, z)
    for child in tree.children(z):
        yield from subtree(forest, tree, child, indent + INDENT)


def part(tree: SuffixSuccessorTree, outline: tuple[Token, Any, list[Any]], lead: str, indent: str) -> Iterator[str]:
    """A part of the centroid tree from its first centroid; `lead` says when it is searched."""
    centroid, above, below = outline
    yield f"{indent}{lead}{named(centroid)}"
    if above is not None:
        yield from part(tree, above, "not valid: ", indent + INDENT)
    for each in below:
        root = next(child for child in tree.children(centroid) if child in tokens_of(each))
        yield from part(tree, each, f"valid, and {named(root)} too: ", indent + INDENT)


def tokens_of(outline: tuple[Token, Any, list[Any]]) -> set[Token]:
    """The tokens of a part of a centroid tree."""
    centroid, above, below = outline
    return {centroid}.union(*map(tokens_of, ([above] if above else []) + below))
