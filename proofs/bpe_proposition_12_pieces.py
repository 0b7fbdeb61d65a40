"""Proposition 12: eager output through a pre-tokenizer.

Statement
    A text is cut into pieces, and each is tokenized by itself. What PieceOutput releases after any bytes is a beginning
    of the tokens of the text with any continuation, it is never taken back, and in the end it is all of them, however
    the bytes come in. It is not enough to release the pieces but for the last: where the last piece ends may be
    undecided, and so may the one before it.

Why
    The patterns give back at most the last character of a run: at any time the open piece ends later, here, or at one
    mark. So there are a few texts for BPE at once, each with an eager output of its own, and what they all agree on is
    final (section 6 for each).
"""
from collections.abc import Callable
from functools import cache
from typing import Any

import incbpe
from incbpe.pretokenize import Splitter
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.definitions import bpe
from proofs.definitions.bpe import PQ, Dictionary

PATTERNS = ("gpt2", "cl100k", "o200k", "none")
SYMBOLS = "a '\n"
TEXTS = worlds.strings(SYMBOLS, 3, shortest=1)
CONTINUATIONS = worlds.strings(SYMBOLS, 2)
Released = Callable[[str], list[list[str]]]


# Predicate
def predicate(D: Dictionary, texts: list[str], splitter: Any, released: Released) -> Any:
    """None if after each symbol of each text what is out is a beginning of all that may come, and in the end all of it;
    else the text so far, a continuation, what is out and what the tokens are.
    """
    for s in texts:
        out: list[str] = []
        lists = released(s)
        for x, more in zip(bpe.prefixes(s), lists, strict=False):
            out = [*out, *more]
            for u in CONTINUATIONS:
                tokens = in_pieces(D, splitter, x + u)
                if tokens[:len(out)] != out:
                    return worlds.shown(D), x, u, out, tokens
        if [z for more in lists for z in more] != in_pieces(D, splitter, s):
            return worlds.shown(D), s, "", lists, in_pieces(D, splitter, s)
    return None


@cache
def splitters() -> list[Any]:
    return [Splitter(pattern) for pattern in PATTERNS]


@cache
def in_pieces(D: Dictionary, splitter: Any, text: str) -> list[str]:
    """The tokens of a text: of each of its pieces by itself."""
    return [z for piece in splitter.split(text) for z in PQ(D, piece)]


def compiled(D: Dictionary, splitter: Any, criterion: Any) -> Released:
    """PieceOutput, fed by bytes."""
    of_bytes = incbpe.Dictionary([z.encode() for z in sorted(D.tokens)],
                                 [(x.encode(), y.encode()) for x, y in D.rules])
    N = incbpe.normalize(of_bytes, "rank")

    def released(s: str) -> list[list[str]]:
        out = incbpe.PieceOutput(N, splitter, criterion)
        return [[z.decode() for z in more] for more in [*(out.feed(c.encode()) for c in s), out.finish()]]

    return released


def spaced_worlds() -> list[Dictionary]:
    """All ordered lists of at most two of ten rules over a, space and '."""
    return worlds.ordered_lists(worlds.SPACED_RULES, 2, SYMBOLS)


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    return next(filter(None, (predicate(D, texts, splitter, compiled(D, splitter, criterion))
                              for splitter in splitters()
                              for criterion in ("window", "chain", "maximal"))), None)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 12 of the 101 lists of at most two of ten rules over a, space and ': four patterns, three criteria, the
    84 texts up to length 3 over a, space, ' and a line feed, with 21 continuations each.
    """
    return check.sweep(spaced_worlds(), lambda D: holds_compiled(D, TEXTS), 101, 12 * every, len(TEXTS))


def test_exhaustive() -> None:
    assert (len(TEXTS), len(CONTINUATIONS)) == (84, 21)
    exhaustive()


# Random
@worlds.given(worlds.st.sampled_from(spaced_worlds()), worlds.st.text(worlds.st.sampled_from(SYMBOLS),
                                                                               min_size=1, max_size=8))
def test_random(D: Dictionary, text: str) -> None:
    check.hold(holds_compiled(D, [text]))


# Control
def all_but_the_last_piece(D: Dictionary, splitter: Any, s: str) -> list[list[str]]:
    """The tokens of the pieces that are not the last."""
    lists: list[list[str]] = []
    done = 0
    for x in bpe.prefixes(s):
        tokens = [z for piece in splitter.split(x)[:-1] for z in PQ(D, piece)]
        lists.append(tokens[done:])
        done = max(done, len(tokens))
    return [*lists, in_pieces(D, splitter, s)[done:]]


def test_control_all_but_the_last_piece() -> None:
    """The one before the last may still change: a line feed and a space are two pieces until a third comes."""
    splitter = Splitter("o200k")
    found = check.first(spaced_worlds(), lambda D: predicate(
        D, TEXTS, splitter, lambda s: all_but_the_last_piece(D, splitter, s)))
    assert found == ((("\n", " "),), "\n ", "\n", ["\n"], ["\n ", "\n"])


def test_control_one_text_for_all() -> None:
    """The text's tokens, as if it were not cut."""
    splitter = Splitter("gpt2")
    found = check.first(spaced_worlds(), lambda D: predicate(
        D, TEXTS, splitter, lambda s: [*([] for _ in s), PQ(D, s)]))
    assert found == ((("\n", "\n"),), "\n\na", "", [[], [], [], ["\n\n", "a"]], ["\n", "\n", "a"])


# Limits
#   Bytes below 128. What each pattern's pieces are, texts of any bytes, and pieces that are tokens as a whole, are in
#   tests/.

if __name__ == "__main__":
    check.alone(__file__)
