"""Algorithm 3: end to end in one pass, with the corrections it needs.

Statement
    One pass over text and ␣, on the trie without the tokens that a split text cannot hold, with a node for each mark
    and no edge along ♯ from or into a mark, gives what splitting at white space and punctuation and then the original
    WordPiece give. A boundary is relative to the word's start; a word that starts with a ♯ without marks is treated
    apart; where ♯ is exactly one mark the trie has two roots.

Why
    MatchLoop can only stop early or at a boundary. A mark leads from r to a node whose failure link is the dead r_p:
    after it the loop stops, as after a word of one character. No edge but these reads a mark, so no piece spans one.
    Where the loop stopped at a boundary in r, r♯ or r_p all of the word was popped (algorithm 1); else it is <unk>.
"""
from collections.abc import Callable
from typing import Any

import linmaxmatch as lmm
from proofs import check, worlds
from proofs.algorithms import EndlessError, e2e_wordpiece
from proofs.compiled import vocabulary
from proofs.definitions.wordpiece import Vocabulary, split_then_match

TEXTS = worlds.texts(4)


# Predicate
def predicate(V: Vocabulary, texts: list[str], tokenize: Callable[[str], list[str]]) -> Any:
    """None if a tokenizer gives what splitting and matching give for all texts, else the first that it does not."""
    for text in texts:
        expected = split_then_match(V, text, worlds.is_punctuation, worlds.is_whitespace)
        try:
            found = tokenize(text)
        except EndlessError:
            return *worlds.shown(V), text, "endless", expected
        if found != expected:
            return *worlds.shown(V), text, found, expected
    return None


def compiled(V: Vocabulary) -> Callable[[str], list[str]]:
    E = lmm.precompute_e2e(vocabulary(V), punctuation=worlds.is_punctuation, whitespace=worlds.is_whitespace)
    return lambda text: lmm.e2e_wordpiece(E, text)


def holds_compiled(V: Vocabulary, texts: list[str]) -> Any:
    """A world takes milliseconds; an endless loop is given a minute."""
    return check.ending(60, lambda: predicate(V, texts, compiled(V)))


def plain(V: Vocabulary, fault: str | None) -> Callable[[str], list[str]]:
    return e2e_wordpiece(V, worlds.is_punctuation, worlds.is_whitespace, worlds.PUNCTUATION, fault)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in two of the 2,405 V of at most three of 9 to 13 candidates, for eight ♯ with and without marks; all 341 texts
    up to length 4 over a letter, two marks and a space. Propositions 4 to 7 look at each correction by itself.
    """
    return check.sweep(
        (V for indicator in worlds.TEXT_INDICATORS for V in worlds.every_text_vocabulary(indicator)),
        lambda V: holds_compiled(V, TEXTS), 2_405, 2 * every, len(TEXTS))


def test_exhaustive() -> None:
    assert len(TEXTS) == 341
    exhaustive()


# Random
@worlds.given(worlds.random_text_worlds())
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    V, texts = world
    check.hold(holds_compiled(V, texts))


# Control
def test_control_the_edge_along_sharp_not_cut() -> None:
    assert check.first(worlds.every_text_vocabulary("##"), lambda V: predicate(
        V, TEXTS, plain(V, "edge along ♯ not cut"))) == ((), "##", "##", [], ["?", "?"])


def test_control_boundary_where_i_is_positive() -> None:
    """A mark in front of the word is taken for the word's end: nothing is ever read again."""
    assert check.first(worlds.every_text_vocabulary("##"), lambda V: predicate(
        V, TEXTS, plain(V, "boundary where i > 0"))) == ((), "##", "#a", "endless", ["?", "?"])


def test_control_suffix_tokens_with_marks_kept() -> None:
    assert check.first(worlds.every_text_vocabulary("##"), lambda V: predicate(
        V, TEXTS, plain(V, "suffix tokens with marks kept"))) == (("###", "a"), "##", "a#", ["a", "###"], ["a", "?"])


def test_control_no_special_case_at_a_words_start() -> None:
    assert check.first(worlds.every_text_vocabulary("a"), lambda V: predicate(
        V, TEXTS, plain(V, "no special case at a word's start"))) == ((), "a", "a", [], ["?"])


# Limits
#   The marks and the white space of these worlds are parameters of the algorithm; which characters BERT counts as such
#   is not the paper's business and is tested with the normalizer.

if __name__ == "__main__":
    check.alone(__file__)
