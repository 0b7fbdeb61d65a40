"""Section 5.2: the automaton gives the longest suffix token.

Statement
    The automaton over the canonical tokens, whose states are their prefixes, is after s at the longest suffix of s that
    is a state; d is its length. With tokens inherited along failure links by states that are none, its token is the
    longest canonical token that s ends with, k; none if s ends with a symbol that is no atom. chain(k), by inheriting
    further, are all of them. The same is true for the canonical tokens of rank BPE.

Why
    Aho and Corasick: a suffix of sc that is a state is c or extends a suffix of s that is a state by c. A canonical
    suffix of s is a state, so it is a suffix of the longest one, and all its suffixes that are states are on its way of
    failure links, longest first.
"""
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_algorithms import Automaton, Normal
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import PQ, Dictionary, Tokenizer


# Predicate
def predicate(D: Dictionary, texts: list[str], automaton: Any, tokenize: Tokenizer = bpe.T) -> Any:
    """None if after each text the automaton tells its depth and its longest canonical suffix, else the first text."""
    for s in texts:
        found = automaton(s)
        expected = bpe.depth(D, s, tokenize), longest(D, s, tokenize)
        if found != expected:
            return worlds.shown(D), s, found, expected
    return None


def longest(D: Dictionary, s: str, tokenize: Tokenizer) -> str | None:
    """The longest canonical token that s ends with."""
    return max(bpe.chain(D, s, tokenize), key=len, default=None)


def compiled(N: Any) -> Any:
    """Depth and longest token by the compiled automaton of a normalized dictionary."""
    A: Any = incbpe.SuffixAutomaton(N)

    def read(s: str) -> tuple[int, str | None]:
        v = A.step_by(0, s)
        return A.symbols(v), A.longest_at(v)

    return read


def chains(D: Dictionary, chain: Any) -> Any:
    """None if `chain` gives the canonical suffixes of each canonical token, longest first, else the first token's."""
    return next(((worlds.shown(D), k, chain(k), bpe.chain(D, k)[::-1]) for k in bpe.preorder(D)
                 if chain(k) != bpe.chain(D, k)[::-1]), None)


def of_every_prefix(D: Dictionary, texts: list[str], longest_of_all: Any) -> Any:
    """None if the longest tokens of all prefixes of each text are told at once, else the text and what is told."""
    return next(((worlds.shown(D), s, longest_of_all(s)) for s in texts
                 if longest_of_all(s) != [longest(D, x, bpe.T) for x in bpe.prefixes(s)]), None)


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    layer = Compiled(D)
    return chains(D, layer.automaton.chain) or of_every_prefix(D, texts[-1:], layer.automaton.longest) or predicate(D, texts, compiled(layer.N)) or predicate(
        D, texts, compiled(layer.rank), PQ)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """All 1,957 lists of splits of a…aaaa on a…aaaaaaaaa, and one in ten of the 7,241 lists over {a, b}."""
    count = check.sweep(worlds.run_worlds(), lambda D: holds_compiled(D, worlds.RUNS), worlds.RUN_WORLDS, every,
                        len(worlds.RUNS))
    return count + check.sweep(worlds.pair_worlds(), lambda D: holds_compiled(D, worlds.WORDS), worlds.PAIR_WORLDS,
                               10 * every, len(worlds.WORDS))


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def plain(D: Dictionary, fault: str | None = None) -> Any:
    """Depth and longest token by the plain automaton."""
    A = Automaton(Normal(D), fault)

    def read(s: str) -> tuple[int, str | None]:
        state = ""
        for c in s:
            state = A.step(state, c)
        return len(state), A.token[state]

    return read


def test_control_longest_not_inherited() -> None:
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), plain(D, "longest not inherited")))
    assert found == ((("a", "a"), ("aa", "aa")), "aaa", (3, "a"), (3, "aa"))


def test_control_the_longest_token_taken_for_the_depth() -> None:
    """A state may be longer than the longest token that it ends with."""
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), lambda s: (len(plain(D)(s)[1]), plain(D)(s)[1])))
    assert found == ((("a", "a"), ("b", "aa")), "ba", (1, "a"), (2, "a"))


def test_control_all_suffixes_that_are_tokens() -> None:
    found = check.first(worlds.every_world(), lambda D: chains(
        D, lambda k: [z for z in reversed(bpe.suffixes(k)) if z in D.tokens]))
    assert found == ((("a", "a"), ("a", "ab"), ("aa", "b")), "aab", ["aab", "ab", "b"], ["aab", "b"])


def test_control_the_last_tokens_for_the_longest() -> None:
    found = check.first(worlds.every_world(), lambda D: of_every_prefix(
        D, worlds.texts(D), lambda s: [bpe.θ(D, x) for x in bpe.prefixes(s)]))
    assert found == ((("a", "a"),), "aaa", ["a", "aa", "a"])


# Limits
#   Symbols of one byte; texts in which a character is several bytes, and bytes that are no character, are in tests/.

if __name__ == "__main__":
    check.alone(__file__)
