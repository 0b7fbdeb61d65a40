"""Proposition 10: symbols taken back, and places to come back to, leave no trace.

Statement
    After any symbols were fed, k of them taken back (`pop`), and others fed, an incremental form has θ of every prefix
    of the text that is left, as if nothing else had been. `restore` comes back to a `checkpoint` as long as the symbols
    before it are still there; otherwise it refuses, even if the same symbols were fed again.

Why
    What is kept of a text is one θ and one state of the automaton for each prefix, and those of a prefix depend on it
    alone: the first so many are still right.
"""
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_algorithms import Normal, Search
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary


# Predicate
def predicate(D: Dictionary, texts: list[str], make: Any) -> Any:
    """None if going back by k from each text, for all k, and on by its first symbols, gives θ of the new text's
    prefixes, and checkpoints hold as stated; else the text, k and what is found.
    """
    for s in texts:
        for k in range(len(s) + 1):
            form = make()
            form.extend(s[:len(s) - k])
            here = form.checkpoint()
            form.extend(s[len(s) - k:])
            form.pop(k)
            form.extend(s[:2])
            text = s[:len(s) - k] + s[:2]
            expected = [bpe.θ(D, x) for x in bpe.prefixes(text)]
            if form.thetas() != expected:
                return worlds.shown(D), s, k, form.thetas(), expected
            form.restore(here)
            if form.thetas() != expected[:len(s) - k]:
                return worlds.shown(D), s, k, form.thetas(), expected[:len(s) - k]
            if k < len(s) and not refuses(form, here, s[len(s) - k - 1]):
                return worlds.shown(D), s, k, "restored", s[len(s) - k - 1]
    return None


def refuses(form: Any, here: Any, symbol: str) -> bool:
    """Whether a checkpoint is refused when its last symbol was taken back and fed again."""
    form.pop(1)
    form.extend(symbol)
    try:
        form.restore(here)
    except ValueError:
        return True
    return False


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    N = Compiled(D).N
    return next(filter(None, (predicate(D, texts, lambda way=way: incbpe.Incremental(N, way))
                              for way in ("centroid", "longest", "root"))), None)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 20 of the 9,198 lists, one in seven of their texts, three searches, back by every number of symbols."""
    return check.sweep(worlds.every_world(), lambda D: holds_compiled(D, worlds.texts(D)[::-7]), worlds.WORLDS,
                       20 * every, 8)


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(texts=1, longest=12, unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
class Plain:
    """An incremental form by the plain search, with a fault: the automaton's state runs on when symbols are taken back,
    a checkpoint is known by its length alone, or is looked at and not gone back to.
    """

    def __init__(self, N: Normal, fault: str) -> None:
        self.search, self.fault = Search(N), fault
        self.history: list[str | None] = [None]
        self.text = self.state = ""
        self.fed, self.stamps = 0, [0]

    def extend(self, s: str) -> None:
        for c in s:
            self.text += c
            self.fed += 1
            self.stamps.append(self.fed)
            self.state = self.search.automaton.step(self.state, c)
            k = self.search.automaton.token[self.state]
            t = len(self.text)
            whole = k is None or k == self.text or len(k) > t
            self.history.append((k or c)[-t:] if whole else self.search.search(k or c, self.history, t))

    def pop(self, k: int) -> None:
        t = len(self.text) - k
        self.text, self.history, self.stamps = self.text[:t], self.history[:t + 1], self.stamps[:t + 1]
        if self.fault != "the state not taken back":
            self.state = ""
            for c in self.text:
                self.state = self.search.automaton.step(self.state, c)

    def checkpoint(self) -> tuple[int, int]:
        return len(self.text), self.stamps[-1]

    def restore(self, here: tuple[int, int]) -> None:
        t, stamp = here
        if t > len(self.text) or (self.stamps[t] != stamp and self.fault != "by length"):
            raise ValueError(here)
        if self.fault != "not restored":
            self.pop(len(self.text) - t)

    def thetas(self) -> list[str | None]:
        return self.history[1:]


def plain(fault: str) -> Any:
    return check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda: Plain(Normal(D), fault)))


def test_control_the_state_of_the_automaton_not_taken_back() -> None:
    found = plain("the state not taken back")
    assert found == ((("a", "a"),), "ab", 1, ["a", "a", "b"], ["a", "aa", "b"])


def test_control_a_checkpoint_known_by_its_length() -> None:
    found = plain("by length")
    assert found == ((), "a", 0, "restored", "a")


def test_control_a_checkpoint_that_is_not_gone_back_to() -> None:
    found = plain("not restored")
    assert found == ((), "a", 0, ["a", "a"], ["a"])


# Limits
#   Equation 1's forms here; rank BPE's have the same two arrays.

if __name__ == "__main__":
    check.alone(__file__)
