"""Proposition 6: where ♯ is exactly one mark, end to end needs two roots.

Statement
    Let ♯ be a single punctuation mark. In one trie r♯ is then the node of that mark, which must lead to r_p and be left
    by no edge, and which must be the root of all bodies of suffix tokens: both cannot be. With two roots, literals
    under r and bodies under r♯, Algorithm 3 is right.

Why
    With two roots the node of the mark under r and the root r♯ are two nodes. Suffix tokens are not spelt out under r,
    where their first character would be an edge that leaves the mark.
"""
from collections.abc import Callable
from typing import Any

from proofs import check, worlds
from proofs.algorithm_3_end_to_end import compiled, plain
from proofs.algorithms import EndlessError
from proofs.definitions.wordpiece import Vocabulary, split_then_match

TEXTS = worlds.texts(4)
INDICATORS = ("#", ".")


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
    """One in two of the 531 V of at most three of 11 or 12 candidates, ♯ one mark or the other; all 341 texts up to length 4."""
    return check.sweep((V for indicator in INDICATORS for V in worlds.every_text_vocabulary(indicator)),
                       lambda V: holds_compiled(V, TEXTS), 531, 2 * every, len(TEXTS))


def test_exhaustive() -> None:
    assert len(TEXTS) == 341
    exhaustive()


# Random
@worlds.given(worlds.random_text_worlds())
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    V, texts = world
    check.hold(holds_compiled(V, texts[:1]))


# Control
def test_control_one_trie() -> None:
    found = check.first(worlds.every_text_vocabulary("#"), lambda V: predicate(
        V, TEXTS, plain(V, "one trie where ♯ is a mark")))
    assert found == ((), "#", "#", [], ["?"])


# Limits
#   The tokenizer is made from two roots always (proposition 2); this is about the notation layer's one trie.

if __name__ == "__main__":
    check.alone(__file__)
