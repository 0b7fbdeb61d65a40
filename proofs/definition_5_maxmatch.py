"""Definition 5: MaxMatch, M(w).

Statement
    M(w) = [] if w is ε or ♯; [<unk>] if p_w = ε; else [p_w] + M(q_w), and the whole is [<unk>] as soon as one step has
    p = ε.

Why
    This is the greedy rule said once more with p and q. Each step shortens what is left (Definition 2), so it ends. A
    vocabulary may hold <unk> as a piece like any other, so that a failure has to be told from a piece spelt so.
"""
from collections.abc import Callable
from typing import Any

import linmaxmatch as lmm
from proofs import check, worlds
from proofs.compiled import vocabulary
from proofs.definitions import wordpiece
from proofs.definitions.wordpiece import Vocabulary

STRINGS = worlds.strings("ab", 4)


# Predicate
def predicate(V: Vocabulary, words: list[str], M: Callable[[str], list[str]]) -> Any:
    """None if M is the definition's on all words, else the first word for which it is not."""
    return next(((*worlds.shown(V), w, M(w), wordpiece.M(V, w)) for w in words if M(w) != wordpiece.M(V, w)), None)


def compiled_agrees(V: Vocabulary, words: list[str]) -> Any:
    compiled = vocabulary(V)
    return check.ending(60, lambda: predicate(V, words, lambda w: lmm.M(compiled, w)))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in two of the 9,827 small vocabularies, the 31 strings over {a, b} up to length 4, alone and behind ♯."""
    return check.sweep(
        worlds.small_vocabularies(), lambda V: compiled_agrees(V, STRINGS + [V.suffix_indicator + w for w in STRINGS]),
        9_827, 2 * every, 2 * len(STRINGS))


def test_exhaustive() -> None:
    assert len(STRINGS) == 31
    exhaustive()


# Random
@worlds.given(worlds.random_worlds())
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    check.hold(compiled_agrees(*world))


# Control
def test_control_pieces_kept_before_a_failure() -> None:
    """Only what cannot be matched becomes <unk>: the pieces before it stay."""

    def M(V: Vocabulary, w: str) -> list[str]:
        if w in ("", V.suffix_indicator):
            return []
        return [wordpiece.p(V, w), *M(V, wordpiece.q(V, w))] if wordpiece.p(V, w) else [V.unk_token]

    found = check.first(worlds.longer_pieces(), lambda V: predicate(V, STRINGS, lambda w: M(V, w)))
    assert found == (("a",), "##", "aa", ["a", "?"], ["?"])


def test_control_unknown_told_by_its_spelling() -> None:
    """A rest that is [<unk>] taken for a failure, although <unk> is a piece of the word."""

    def M(V: Vocabulary, w: str) -> list[str]:
        if w in ("", V.suffix_indicator):
            return []
        rest = M(V, wordpiece.q(V, w)) if wordpiece.p(V, w) else [V.unk_token]
        return rest if rest == [V.unk_token] else [wordpiece.p(V, w), *rest]

    named = (Vocabulary(V.tokens - {V.unk_token}, "", "a") for V in worlds.every_piece_vocabulary(""))
    assert check.first(named, lambda V: predicate(V, STRINGS, lambda w: M(V, w))) == ((), "", "aa", ["a"], ["a", "a"])


# Limits
#   Vocabularies beyond the sizes named are sampled only. Where M is the original WordPiece, and where it is not, is
#   proposition 1.

if __name__ == "__main__":
    check.alone(__file__)
