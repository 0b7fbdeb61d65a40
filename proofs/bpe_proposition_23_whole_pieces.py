"""Proposition 23: by "maximal", through a pre-tokenizer too, all is released that every continuation agrees on.

Statement
    PieceOutput by "maximal" releases, after any text, exactly what the tokens of all its continuations have in common.
    Where a piece that is a token is that token, also if no rules make it, what it releases is still safe, for every
    criterion, and in the end it is all of it. Bytes may come in any parts, also within a character.

Why
    The runs are the texts that the open piece may become. A run counts the tokens with which the splitter lets a piece
    go on, and no others; where one run may end, the next joins in. A piece that may become a token as a whole is held
    back until it cannot.
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

LETTERS = {"gpt2": "a \n'", "cl100k": "a \n7", "o200k": "aA \n"}
UNMADE = ("a a", "aaa", "  ", "\n\n", " \n", "A a", "'aa")
"""Tokens that no rules make: only a whole piece can be one."""
CRITERIA: tuple[Any, ...] = ("window", "chain", "maximal")
REACH = 3


@cache
def splitter_of(pattern: str) -> Any:
    return Splitter(pattern)


@cache
def encode(D: Dictionary, unmade: tuple[str, ...], pattern: str, text: str) -> tuple[str, ...]:
    """The tokens of a text: of each piece by itself, which is one token if it is one of `unmade`."""
    return tuple(z for piece in splitter_of(pattern).split(text)
                 for z in ([piece] if unmade and (piece in unmade or piece in D.tokens) else PQ(D, piece)))


def agreed(D: Dictionary, unmade: tuple[str, ...], pattern: str, text: str) -> list[str]:
    """What the tokens of all continuations begin with."""
    return bpe.common_prefix([list(encode(D, unmade, pattern, text + u)) for u in worlds.strings(LETTERS[pattern], REACH)])


# Predicate
def predicate(D: Dictionary, unmade: tuple[str, ...], pattern: str, s: str, fed: Callable[[str], list[list[str]]],
              exactly: bool) -> Any:
    """None if what is out after each symbol is safe, and, if asked for, all that is, and T in the end; else where not."""
    lists = fed(s)
    out: list[str] = []
    for x, more in zip(bpe.prefixes(s), lists, strict=False):
        out = [*out, *more]
        common = agreed(D, unmade, pattern, x)
        if out != common[:len(out)] or (exactly and out != common):
            return worlds.shown(D), pattern, x, out, common
    out += lists[-1]
    expected = list(encode(D, unmade, pattern, s))
    return None if out == expected else (worlds.shown(D), pattern, s, out, expected)


def compiled(D: Dictionary, unmade: tuple[str, ...], pattern: str, criterion: Any) -> Callable[[str], list[list[str]]]:
    """PieceOutput, a symbol at a time."""
    made = incbpe.Dictionary([z.encode() for z in sorted({*D.tokens, *unmade})],
                             [(x.encode(), y.encode()) for x, y in D.rules])
    out: Any = incbpe.PieceOutput(incbpe.normalize(made, "rank"), splitter_of(pattern), criterion, bool(unmade))

    def fed(s: str) -> list[list[str]]:
        return [[z.decode() for z in more] for more in [*(out.feed(c.encode()) for c in s), out.finish()]]

    return fed


def holds_compiled(D: Dictionary, pattern: str, texts: list[str]) -> Any:
    for unmade in ((), UNMADE):
        for criterion in CRITERIA:
            fed = compiled(D, unmade, pattern, criterion)
            for s in texts:
                witness = predicate(D, unmade, pattern, s, fed, criterion == "maximal" and not unmade)
                if witness is not None:
                    return witness
    return None


@cache
def spaced_worlds(pattern: str) -> list[Dictionary]:
    """All ordered lists of at most two of ten rules over the letters of a pattern."""
    one, *others = list(LETTERS[pattern])
    rules = [(one, one), (" ", one), (" ", " "), ("\n", "\n"), (" ", one + one), (others[0], others[-1]),
             (others[-1], one), ("  ", one), (one, " "), (" ", "  ")]
    return worlds.ordered_lists(tuple(rules), 2, LETTERS[pattern])


def texts(pattern: str) -> list[str]:
    """Texts of five symbols, one in 53 of them, and two with a mark between blanks, with all their prefixes."""
    one = LETTERS[pattern][0]
    return [f"{one}{one}\n ", f"{one}{one} \n", *worlds.strings(LETTERS[pattern], 5, shortest=5)[::53]]


SPACES = tuple(rule for length in (2, 3, 4) for rule in worlds.splits_of(" " * length))[:4]
SPACED = ["    a", "a   a ", "  a  ", "a     "]


def runs_of_spaces() -> list[Dictionary]:
    """All ordered lists of at most three of four rules that make runs of spaces: with them the mark moves on and on."""
    return worlds.ordered_lists(SPACES, 3, "a ")


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 13 of the 101 lists of at most two of ten rules, for each of three patterns, on 22 texts of up to five
    symbols; and one in four of 41 lists of rules for runs of spaces.
    """
    return check.sweep(reversed(runs_of_spaces()), lambda D: holds_compiled(D, "gpt2", SPACED), 41, 4 * every,
                       len(SPACED)) + sum(check.sweep(spaced_worlds(pattern), lambda D, p=pattern: holds_compiled(D, p, texts(p)),  # type: ignore[misc]
                           101, 13 * every, 22) for pattern in LETTERS)


def test_exhaustive() -> None:
    assert {len(texts(pattern)) for pattern in LETTERS} == {22}
    exhaustive()


def test_a_character_in_parts() -> None:
    """Nothing is said of an incomplete character; a token that ends within one is held back with it."""
    tokens = [bytes((b,)) for b in range(256)] + ["日".encode(), "日本".encode(), b" a", "字".encode()[:2]]
    N = incbpe.normalize(incbpe.Dictionary.from_ranks({token: rank for rank, token in enumerate(tokens)}), "rank")
    text = "a日本 a日字a ".encode() + b"\xe6\x97a" + "日".encode()[:1]
    for pattern in LETTERS:
        expected = [z for piece in splitter_of(pattern).split(text) for z in incbpe.rank_bpe(N.dictionary, piece)]
        for criterion in CRITERIA:
            for step in (1, 2, 5, len(text)):
                out: Any = incbpe.PieceOutput(N, splitter_of(pattern), criterion)
                found = [z for k in range(0, len(text), step) for z in out.feed(text[k:k + step])]
                assert found == expected[:len(found)] and found + out.finish() == expected


# Random
@worlds.given(worlds.st.sampled_from(sorted(LETTERS)), worlds.st.data())
def test_random(pattern: str, data: Any) -> None:
    D = data.draw(worlds.st.sampled_from(spaced_worlds(pattern)))
    check.hold(holds_compiled(D, pattern, [data.draw(worlds.st.text(LETTERS[pattern], min_size=1, max_size=7))]))


# Control
def test_control_what_the_window_releases() -> None:
    """Safe, and not all."""
    found = check.first(spaced_worlds("gpt2"), lambda D: predicate(
        D, (), "gpt2", "aa a", compiled(D, (), "gpt2", "window"), exactly=True))
    assert found == ((), "gpt2", "a", [], ["a"])


def test_control_whole_pieces_forgotten() -> None:
    found = check.first(spaced_worlds("gpt2"), lambda D: predicate(
        D, UNMADE, "gpt2", "aaa", compiled(D, (), "gpt2", "chain"), exactly=False))
    assert found == ((), "gpt2", "a", ["a"], [])


# Limits
#   Continuations of up to three symbols. With whole pieces a little more than needed may be held back.

if __name__ == "__main__":
    check.alone(__file__)
