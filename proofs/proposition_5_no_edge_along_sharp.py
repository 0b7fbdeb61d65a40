"""Proposition 5: where ♯ holds a mark, its way in the trie is cut.

Statement
    In one trie the spelling of ♯ stands under r. If ♯ begins with a mark, the edge by which its way leaves that mark
    must be cut; if its first mark comes later, the edge into that mark. Otherwise texts such as ## and #a come out
    wrong, since the loop runs along ♯ into r♯, as if a piece had been taken.

Why
    A mark is a word by itself: no word is longer that holds one. The edge that leaves a leading mark, and an edge from
    letters into a mark, read what no word has. A leading mark's own node must stay: the mark is a word.
"""
from collections.abc import Callable, Iterator
from typing import Any

from proofs import check, worlds
from proofs.algorithm_3_end_to_end import compiled, plain
from proofs.algorithms import EndlessError
from proofs.definitions.wordpiece import Vocabulary, split_then_match

TEXTS = worlds.strings("#a", 5)
INDICATORS = ("##", "###", "#a", "a#", "aa#", "a##", "#a#")
CANDIDATES = ("a", "aa", "#", "##", "aaa")
"""Besides these, ♯ with a, with aa and with # behind it."""


def every_vocabulary(indicator: str) -> Iterator[Vocabulary]:
    """Every V of at most three of the candidates."""
    return worlds.vocabularies({*CANDIDATES, *(indicator + body for body in ("a", "aa", "#"))}, indicator, 3)


# Predicate
def predicate(V: Vocabulary, texts: list[str], tokenize: Callable[[str], list[str]]) -> Any:
    """None if each text comes out as in two passes, else the first that does not."""
    for text in texts:
        expected = split_then_match(V, text, worlds.is_punctuation, worlds.is_whitespace)
        try:
            found = tokenize(text)
        except EndlessError:
            return *worlds.shown(V), text, "endless", expected
        if found != expected:
            return *worlds.shown(V), text, found, expected
    return None


def holds_compiled(V: Vocabulary, texts: list[str]) -> Any:
    """An endless loop is given a minute."""
    return check.ending(60, lambda: predicate(V, texts, compiled(V)))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """Every V of at most three of seven or eight candidates, for seven ♯ that hold a mark; all 63 texts up to length 5
    over a mark and a letter.
    """
    return check.sweep((V for indicator in INDICATORS for V in every_vocabulary(indicator)),
                       lambda V: holds_compiled(V, TEXTS), 651, every, len(TEXTS))


def test_exhaustive() -> None:
    assert len(TEXTS) == 63
    exhaustive()


# Random
@worlds.given(worlds.random_text_worlds())
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    V, texts = world
    check.hold(holds_compiled(V, texts[:1]))


# Control
def plainly(indicator: str, fault: str) -> Any:
    return check.first(every_vocabulary(indicator), lambda V: predicate(V, TEXTS, plain(V, fault)))


def test_control_no_edge_cut() -> None:
    assert plainly("##", "edge along ♯ not cut") == ((), "##", "##", [], ["?", "?"])
    assert plainly("a#", "edge along ♯ not cut") == ((), "a#", "a#", [], ["?", "?"])


def test_control_the_edge_into_the_mark_cut_always() -> None:
    assert plainly("##", "the edge into the mark cut always") == ((), "##", "#", "endless", ["?"])


# Limits
#   Where ♯ is exactly one mark there is no edge to cut: proposition 6.

if __name__ == "__main__":
    check.alone(__file__)
