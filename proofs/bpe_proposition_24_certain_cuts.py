"""Proposition 24: a text's certain cuts, and what lies between them.

Statement
    A certain cut is a place that seven windows know (incbpe.cutrules): in front of the last blank before something other
    than white space; between an ASCII character that is none and white space that is no line break; between an ASCII
    letter or digit and a line break; for all patterns but GPT-2's, in front of what follows a line break, unless
    that is a slash where signs take slashes with them, and in front of white space that follows one and has none itself,
    before something other; where ASCII letters, digits and signs, but for apostrophes, turn into one another, except
    from a sign to a letter; and for GPT-2's pattern there too, and between such a sign and a line break. At a certain cut a piece ends, whatever stands around. What lies between two, a chunk, has
    the same pieces in every text. The last one has them too, except, with the pattern of cl100k, where it ends in white
    space that is no line break.

Why
    Up to the cut the machine is in some state. What the window shows ends the piece, at the cut or at the mark before it,
    and which of both depends on the state alone, not on the window. So the machine, read from one cut to the next, needs
    to know nothing else; and a piece begins at each cut, since it does so at the one before.
"""
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from incbpe.chunks import cuts as compiled_cuts
from incbpe.cutrules import rules
from incbpe.patterns import NAMES
from incbpe.pretokenize import Splitter
from proofs import bpe_worlds as worlds
from proofs import check
from subwordio.vectors import ways

PATTERNS = tuple(name for name in NAMES if name != "none")
LETTERS = "a. \n1/'"
TEXTS = worlds.strings(LETTERS, 5, shortest=1)
DRAWN = "aAsStlLrRveEZ129'/.,! \n\r\t\v\f\x1c\x85\u00a0\u1680\u2003\u2028\u202f\u205f\u3000\u00e9\u017f\u02b0\u4e2d\u0301\u0663\u3002\u2019\U0001f600"
INDENT = re.compile(r"[ \t\v\f]+[^\s]")
Cuts = Callable[[str, str], list[int]]
Seen = dict[tuple[str, str], tuple[list[str], str]]


# Predicate
def predicate(pattern: str, text: str, cuts: Cuts, seen: Seen) -> Any:
    """None if the text's pieces end at each cut, and each chunk has the pieces that it had before; else where they do not.

    `seen` is what chunks had so far, by pattern and chunk: their pieces, and the text.
    """
    pieces = splitter_of(pattern).split(text)
    ends, at = {0: 0}, 0
    for k, piece in enumerate(pieces):
        at += len(piece)
        ends[at] = k + 1
    places = cuts(pattern, text)
    for cut in places:
        if cut not in ends:
            return pattern, text, cut, pieces
    for begin, end in zip([0, *places], [*places, len(text)], strict=True):
        chunk, own = text[begin:end], pieces[ends.get(begin, 0):ends.get(end, 0)]
        if end == len(text) and pattern == "cl100k" and chunk[-1].isspace() and chunk[-1] not in "\r\n":
            continue
        before, where = seen.setdefault((pattern, chunk), (own, text))
        if before != own:
            return pattern, chunk, (where, before), (text, own)
    return None


@cache
def splitter_of(pattern: str) -> Any:
    return Splitter(pattern)


def defined(pattern: str, text: str) -> list[int]:
    """The certain cuts, window by window."""
    found = []
    lines, slash = pattern != "gpt2", pattern in ("o200k", "tekken")
    for i in range(1, len(text)):
        before, here, after = text[i - 1], text[i], text[i + 1:i + 2]
        last_blank = here == " " and after != "" and not white(after)
        white_space = before.isascii() and not white(before) and here in " \t\v\f"
        line_end = before.isascii() and before.isalnum() and here in "\r\n"
        line_begin = lines and before in "\r\n" and not white(here) and not (slash and here == "/")
        indent = lines and before in "\r\n" and INDENT.match(text, i) is not None
        turn = kind(before) + kind(here) in ("a0", "a.", "0a", "0.", ".0")
        apart = pattern == "gpt2" and kind(before) == "." and (kind(here) == "a" or here in "\r\n")
        if last_blank or white_space or line_end or line_begin or indent or turn or apart:
            found.append(i)
    return found


def kind(character: str) -> str:
    """a: an ASCII letter; 0: a digit; .: a sign but an apostrophe; else nothing."""
    if not character.isascii() or white(character) or character == "'":
        return ""
    return "a" if character.isalpha() else "0" if character.isdigit() else "."


def white(character: str) -> bool:
    """White space as the patterns have it: Python counts four controls too."""
    return character.isspace() and not "\x1c" <= character <= "\x1f"


def compiled(pattern: str, text: str) -> list[int]:
    """Those of cuts.h, by the quickest way, in characters."""
    spelt = text.encode()
    return [len(spelt[:cut].decode()) for cut in compiled_cuts(spelt, splitter_of(pattern), ways()[-1], 64)]


def holds(pattern: str, text: str, seen: Seen, cuts: Cuts = compiled) -> Any:
    """None if these cuts are those of the definition, and the statement holds; else where not."""
    found, right = cuts(pattern, text), defined(pattern, text)
    if found != right:
        return pattern, text, found, right
    return predicate(pattern, text, defined, seen)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 3 of the 19,607 texts up to length 5 over a letter, a sign, space, line feed, digit, slash and apostrophe,
    in all seven patterns.
    """
    seen: Seen = {}
    return check.sweep(TEXTS, lambda text: next(filter(None, (holds(pattern, text, seen) for pattern in PATTERNS)), None),
                       19_607, 3 * every, len(PATTERNS))


def test_exhaustive() -> None:
    assert (len(TEXTS), len(PATTERNS)) == (19_607, 7)
    exhaustive()


def test_the_machines_say_the_same() -> None:
    """What `cutrules` derives from the machines is what the statement says of the patterns."""
    for pattern in PATTERNS:
        found = rules(pattern)
        assert found is not None
        assert (found.lines, found.slash, found.apart, not found.alike) == (
            pattern != "gpt2", pattern in ("o200k", "tekken"), pattern == "gpt2", pattern == "cl100k")
    assert rules("none") is None


# Random
@worlds.given(worlds.st.sampled_from(PATTERNS), worlds.st.text(worlds.st.sampled_from(DRAWN), min_size=1, max_size=30),
              worlds.st.text(worlds.st.sampled_from(DRAWN), max_size=10))
def test_random(pattern: str, text: str, more: str) -> None:
    seen: Seen = {}
    for variant in (text, text + more, more + text, text + " " + text):
        if variant:
            check.hold(holds(pattern, variant, seen))


# Control
def refuted(pattern: str, cuts: Cuts) -> Any:
    seen: Seen = {}
    return check.first(TEXTS, lambda text: predicate(pattern, text, cuts, seen))


def test_control_before_the_first_of_two_spaces() -> None:
    """Of several spaces all but the last are one piece, which may have begun before."""
    assert refuted("cl100k", lambda pattern, text: [found.start() for found in re.finditer("(?<!^)  ", text)]) == (
        "cl100k", "   ", 1, ["   "])


def test_control_lines_of_gpt2() -> None:
    """GPT-2's pattern leaves the last line break to itself before a word, but not before a blank."""
    assert refuted("gpt2", lambda pattern, text: defined("cl100k", text)) == (
        "gpt2", " \n", (" \n", [" \n"]), (" \na", [" ", "\n"]))


def test_control_a_slash() -> None:
    """Signs take line breaks and slashes with them in o200k."""
    assert refuted("o200k", lambda pattern, text: defined("cl100k", text)) == ("o200k", ".\n/", 2, [".\n/"])


def test_control_from_a_sign_to_a_letter() -> None:
    """A word takes one sign with it."""
    def cuts(pattern: str, text: str) -> list[int]:
        return [i for i in range(1, len(text)) if text[i - 1:i + 1] == ".a"]

    assert refuted("llama3", cuts) == ("llama3", ".a", 1, [".a"])


def test_control_the_last_cut_left_out() -> None:
    """Not all cuts are found."""
    found = check.first(TEXTS, lambda text: holds("gpt2", text, {}, lambda pattern, text: defined(pattern, text)[:-1]))
    assert found == ("gpt2", "a.", [], [1])


def test_control_any_line_end() -> None:
    """A line break may belong to the sign before it."""
    assert refuted("qwen", lambda pattern, text: [i for i in range(1, len(text)) if text[i] == "\n"]) == (
        "qwen", ".\n", 1, [".\n"])


# Limits
#   The machines are checked against the published patterns in tests/, and so is every way of finding cuts.

if __name__ == "__main__":
    check.alone(__file__)
