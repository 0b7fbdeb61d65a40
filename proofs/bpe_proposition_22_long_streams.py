"""Proposition 22: long streams, and what they keep.

Statement
    However long a text is, what eager output releases is T of it in the end, the incremental form has its tokens, and
    the memory of an eager output does not grow with it: it is that of what is not final and of the longest token,
    within a factor. A place that the caller holds keeps everything behind it; when it is let go, the tokens come and the
    memory is given back.

Why
    A position is stored as long as the backlog, or θ of a later one, may need it. Arrays grow by doubling when they are
    full, and move to their front, or shrink, when most of them is no longer needed.
"""
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_compiled import Compiled
from proofs.bpe_proposition_20_long_texts import grown_text
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary

LENGTH = 1_500
LETTERS = {1: "a" * LENGTH, 2: grown_text(LENGTH)}
MOST_BYTES = 20_000
"""Bytes that a stream of short tokens may keep: some arrays of at least 256 entries, once doubled."""
PER_SYMBOL = 100
"""... and for each symbol of the longest token, twice which is kept."""
CRITERIA: tuple[Any, ...] = ("window", "chain", "maximal")


def text_of(D: Dictionary) -> str:
    return LETTERS[len(D.atoms)]


def doubled(most: int, backwards: bool) -> Dictionary:
    """a, aa, aaaa, … up to 2**most symbols, each of two halves; `backwards` the longest first, none of which is made."""
    rules = [("a" * 2**k, "a" * 2**k) for k in range(most)]
    return worlds.dictionary(*(reversed(rules) if backwards else rules), atoms="ab")


def doubled_worlds() -> list[Dictionary]:
    return [doubled(most, backwards) for most in range(10, -1, -1) for backwards in (False, True)]


# Predicate
def predicate(D: Dictionary, s: str, t: str, e: Any) -> Any:
    """None if a stream held at its beginning for s, and then let go for t, gives T of both, and keeps little."""
    expected = bpe.T(D, s + t)
    out = []
    for k, c in enumerate(s):
        out += e.feed(c, [0])
        if 250 <= k < 260:                  # arrays of 256 entries are full
            e.check()
    if out or e.final or e.nbytes < 8 * len(s):
        return worlds.shown(D), "held", len(out), e.final, e.nbytes
    for c in t:
        out += e.feed(c)
    if e.nbytes > MOST_BYTES + PER_SYMBOL * max(map(len, D.tokens)):
        return worlds.shown(D), "let go", e.nbytes
    if out != expected[:len(out)] or e.final != len("".join(out)):
        return worlds.shown(D), "released", e.final
    return None if out + e.finish() == expected else (worlds.shown(D), "in the end", e.final)


def holds_compiled(D: Dictionary, s: str, t: str) -> Any:
    N = Compiled(D).N
    inc: Any = incbpe.Incremental(N)
    for c in s + t:
        inc.feed(c)
    assert inc.tokens() == incbpe.Prefixes(N, s + t).tokens() == incbpe.T(N.dictionary, s + t)
    return next(filter(None, (predicate(D, s, t, incbpe.EagerOutput(N, criterion)) for criterion in CRITERIA)), None)


def holds_twice(D: Dictionary) -> Any:
    return holds_compiled(D, text_of(D), text_of(D))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 40 of the 1,957 lists of splits of a…aaaa, and one in 200 of the 7,241 lists over {a, b}, 1,500 symbols
    twice; and 22 dictionaries with tokens of up to 1,024 symbols, a's and then b's.
    """
    count = check.sweep(worlds.run_worlds(), holds_twice, worlds.RUN_WORLDS, 40 * every)
    count += check.sweep(worlds.pair_worlds(), holds_twice, worlds.PAIR_WORLDS, 200 * every)
    return count + check.sweep(doubled_worlds(), lambda D: holds_compiled(D, "a" * LENGTH, "b" * LENGTH), 22,
                               every)


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_dictionaries().filter(lambda D: len(D.atoms) in LETTERS and D.atoms <= {"a", "b"}))
def test_random(D: Dictionary) -> None:
    check.hold(holds_twice(D))


# Control
class Hoarder:
    """A stream that keeps all it has read, and releases nothing before the end."""

    def __init__(self, D: Dictionary) -> None:
        self.D, self.s = D, ""
        self.final = 0

    @property
    def nbytes(self) -> int:
        return 16 * len(self.s)

    def check(self) -> None:
        """Nothing is stored in arrays."""

    def feed(self, c: str, _: Any = ()) -> list[str]:
        self.s += c
        return []

    def finish(self) -> list[str]:
        return bpe.T(self.D, self.s)


def test_control_everything_kept() -> None:
    assert check.first(worlds.run_worlds(), lambda D: predicate(D, text_of(D), text_of(D), Hoarder(D))) == ((), "let go", 48_000)


class Wrong(Hoarder):
    """A stream that stores what is held and lets it go; it releases single symbols then, and has one fault."""

    def __init__(self, D: Dictionary, fault: str) -> None:
        super().__init__(D)
        self.fault, self.released, self.held = fault, 0, True

    @property
    def nbytes(self) -> int:
        return 8 * len(self.s) if self.held and self.fault != "not stored" else 0

    def feed(self, c: str, held: Any = ()) -> list[str]:
        self.s += c
        self.held = bool(held)
        if self.held:
            self.final = len(self.s) if self.fault == "final though held" else 0
            return [c] if self.fault == "out though held" else []
        if self.fault in ("symbols", "final not told"):
            self.released += 1
            self.final = self.released if self.fault == "symbols" else 0
            return [self.s[self.released - 1]]
        return []

    def finish(self) -> list[str]:
        return super().finish()[self.released:]


def streamed(fault: str) -> Any:
    return check.first(worlds.run_worlds(), lambda D: predicate(D, "aab", "baa", Wrong(D, fault)))


def test_control_out_though_it_is_held() -> None:
    assert streamed("out though held") == ((), "held", 3, 0, 24)


def test_control_final_though_it_is_held() -> None:
    assert streamed("final though held") == ((), "held", 0, 3, 24)


def test_control_not_stored() -> None:
    assert streamed("not stored") == ((), "held", 0, 0, 0)


def test_control_symbols_released() -> None:
    assert streamed("symbols") == ((("a", "a"),), "released", 3)


def test_control_the_final_symbols_not_counted() -> None:
    assert streamed("final not told") == ((), "released", 0)


# Limits
#   Nothing here is timed. That the work for a symbol is bounded is in costs 4 and 5.

if __name__ == "__main__":
    check.alone(__file__)
