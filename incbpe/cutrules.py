"""Where a text may be cut without looking further: places at which a piece ends whatever stands around.

A *window* is what is known of a place: the class of the character before it, and the classes of one or more behind it.
A piece that is in state q where the window begins ends there, or at its mark, or cannot be told to do either. The
windows used here are those of `cuts.h`:

    last blank      any character, then a blank and a character that is no white space
    white           one that is no white space, then white space that is no line break
    line end        a letter or digit, then a line break
    line begin      a line break, then one that is no white space; for some patterns not a slash
    indent          a line break, then white space without one, then one that is no white space
    turn            a letter, then a digit or sign; a digit, then a letter or sign; a sign, then a digit; of ASCII, and
                    no sign is an apostrophe
    apart           for some patterns: a sign, then a letter or a line break; of ASCII, and the sign is no apostrophe

What lies between two cuts is a *chunk*. For its pieces to depend on its own characters alone, every window must end
a piece in one and the same way: `close` says it by state. So the pieces of a chunk are read with `close` where a text's
would be with `at_end`, and those of a text are those of its chunks, one after the other (Proposition 24).
Only the machine is asked: a pattern for which this cannot be said has no rules.

So it must be that each window that is used ends a piece in state q as close[q] says, for each state in which it can
be met; that a piece of a text, taken for a chunk, is one piece; and that where close and at_end differ, white space
that is no line break comes last.

Cost  states × classes, once for each pattern
"""
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache

from incbpe.grammars import AT_MARK, CLASSES, HERE, LETTERS, WHITE, WIDTH, Machine, machine

SOLID = frozenset(CLASSES) - WHITE - {"newline"}        # no white space
LETTER = LETTERS - {"letter", "ſ"}                      # what ASCII letters are
ALNUM = LETTER | {"number"}
SIGN = {"other", "slash"}
TURNS = ((LETTER, SIGN | {"number"}), (frozenset({"number"}), LETTER | SIGN), (SIGN, {"number"}))


@dataclass(frozen=True)
class CutRules:
    """What `cuts.h` may cut, and how a chunk's last piece ends."""
    close: bytes            # by state: HERE or AT_MARK
    lines: bool             # at a line's beginning, and before its indentation
    slash: bool             # but not before a slash
    apart: bool             # signs stay apart from the letters and line breaks behind them
    alike: bool             # a text ends as a chunk does; else not where white space that is no line break comes last


def settled(m: Machine, q: int, behind: Iterable[str]) -> int | None:
    """How a piece in state q ends in front of characters of these classes: HERE, AT_MARK, or None: it may go on."""
    marked = q >= m.before                              # the mark is at the present place
    for k, cls in enumerate(behind):
        to = m.step[q * WIDTH + CLASSES.index(cls)]
        if to == AT_MARK:
            return HERE if marked else AT_MARK
        if to == HERE and k == 0:
            return HERE
        if to >= HERE or to >= m.before or (k > 0 and to >= m.plain):
            return None
        marked, q = marked or to >= m.plain, to
    return None


def after(m: Machine, classes: Collection[str]) -> set[int]:
    """The states that a piece may be in after a character of these classes."""
    columns = [CLASSES.index(cls) for cls in classes]
    states = {m.step[q * WIDTH + c] for q in range(len(m.states)) for c in columns}
    return {q for q in states if q < HERE}


def closing(m: Machine) -> dict[int, int] | None:
    """By state, how a piece ends in front of a blank and one that is no white space; None where it may go on."""
    close = {}
    for q in range(1, len(m.states)):
        ends = {settled(m, q, ("blank", cls)) for cls in SOLID}
        if len(ends) > 1 or None in ends:
            return None
        close[q] = ends.pop() or HERE
    return close


def ends_so(m: Machine, close: dict[int, int], before: Collection[str], windows: Iterable[tuple[str, ...]]) -> bool:
    """Whether these windows behind those characters end every piece as `close` says."""
    states, windows = after(m, before), list(windows)
    return all(settled(m, q, window) == close[q] for q in states for window in windows)


def indents(m: Machine, close: dict[int, int]) -> bool:
    """The same of any white space without a line break, then one that is none, behind a line break."""
    for first in after(m, {"newline"}):
        seen: set[int] = set()
        waiting: list[tuple[int, tuple[str, ...]]] = [(first, ())]
        while waiting:
            q, path = waiting.pop()
            for cls in WHITE:
                to = m.step[q * WIDTH + CLASSES.index(cls)]
                if to < HERE and (to in seen or to >= m.plain):
                    if to >= m.plain:
                        return False                    # the mark moves on
                    continue
                if to >= HERE:
                    if settled(m, first, (*path, cls)) != close[first]:
                        return False
                    continue
                seen.add(to)
                waiting.append((to, (*path, cls)))
                if any(settled(m, first, (*path, cls, last)) != close[first] for last in SOLID):
                    return False
    return True


def pieces_are_chunks(m: Machine, close: dict[int, int]) -> bool:
    """Whether a piece that ends in a text ends as a chunk too."""
    for q in range(1, len(m.states)):
        targets = m.step[q * WIDTH:q * WIDTH + len(CLASSES)]
        ends = HERE in targets or q >= m.before or any(m.plain <= to < m.before for to in targets)
        if ends and close[q] != HERE:
            return False
    return True


@cache
def rules(name: str) -> CutRules | None:
    """The rules of a named pattern, or None: its texts have no certain cuts.

    >>> rules("cl100k").lines, rules("gpt2").apart, rules("o200k").slash, rules("none")
    (True, True, True, None)
    """
    m = machine(name)
    close = closing(m)
    if close is None or not pieces_are_chunks(m, close):
        return None
    if not ends_so(m, close, SOLID, [(cls,) for cls in WHITE]) or not ends_so(m, close, ALNUM, [("newline",)]):
        return None
    if not all(ends_so(m, close, before, [(cls,) for cls in behind]) for before, behind in TURNS):
        return None
    slash = not ends_so(m, close, {"newline"}, [("slash",)])
    lines = ends_so(m, close, {"newline"}, [(cls,) for cls in SOLID - {"slash"}]) and indents(m, close)
    apart = ends_so(m, close, SIGN, [(cls,) for cls in LETTER | {"newline"}])
    other = {q for q in close if close[q] != m.at_end[q] and not (q >= m.before and m.at_end[q] == AT_MARK)}
    if other & after(m, set(CLASSES) - WHITE):
        return None
    closes = bytes([HERE, *(close[q] for q in range(1, len(m.states)))])
    return CutRules(closes, lines, lines and slash, apart, not other)
