"""Proposition 11: what is built keeps its numbered invariants.

Statement
    In every world, each structure of the notation layer fulfils the invariants I1, I2, … that its module states:
    vocabulary, trie (one root or two, over characters or bytes), failure tables, transducer, and the trie and tables of
    Algorithm 3. `check()` derives them anew from the structure's own arrays.

Why
    Each statement about the tables is read off by way of these invariants: that edges are in order, that a parent has a
    smaller number, that F(v) and χ of f(v) give back χ_v. Right answers do not need them all: a structure can be
    damaged where no word of a small world leads.
"""
import pickle
from typing import Any

import linmaxmatch as lmm
from proofs import check, worlds
from proofs.compiled import vocabulary
from proofs.definitions.wordpiece import Vocabulary


def structures(V: Vocabulary) -> list[Any]:
    """Everything that is built of a vocabulary."""
    made = vocabulary(V)
    tries = [lmm.Trie(made, roots, symbols) for roots in (1, 2) for symbols in ("characters", "bytes")]
    tables = [lmm.precompute(T) for T in tries]
    end_to_end = [lmm.precompute_e2e(made), lmm.precompute_e2e(made, worlds.is_punctuation, worlds.is_whitespace)]
    return [made, pickle.loads(pickle.dumps(made)), *tries, *tables, *map(lmm.Transducer, tables), *end_to_end]


def combs() -> list[Vocabulary]:
    """é, ♯é and one long run of é: F of each node on the run has a token for each é, so that the pool must grow."""
    return [Vocabulary(frozenset({"é", "##é", "é" * n}), "##", worlds.UNK) for n in range(1, 41)]


# Predicate
def predicate(V: Vocabulary, made: list[Any]) -> Any:
    """None if each structure's check holds, else which it is and what the check says."""
    for structure in made:
        try:
            structure.check()
        except AssertionError as error:
            return *worlds.shown(V), type(structure).__name__, str(error)
    return None


def holds_compiled(V: Vocabulary) -> Any:
    return predicate(V, structures(V))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """40 vocabularies with many pops; the 2,424 vocabularies of at most two tokens, and one in ten of those of the end-to-end texts."""
    count = check.sweep(reversed(combs()), holds_compiled, 40, every)
    count += check.sweep(worlds.small_vocabularies(2), holds_compiled, worlds.small_vocabularies_count(2), every)
    for indicator in worlds.TEXT_INDICATORS:
        candidates = len(worlds.text_tokens(indicator))
        count += check.sweep(worlds.every_text_vocabulary(indicator), holds_compiled,
                             worlds.vocabularies_count(candidates, 3), 10 * every)
    return count


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_vocabularies())
def test_random(V: Vocabulary) -> None:
    check.hold(holds_compiled(V))


# Control
def test_control_what_is_a_mark_changed_behind_its_back() -> None:
    """The one damage that can be done from without: the function that says what a mark is answers otherwise later."""
    def damaged(V: Vocabulary) -> Any:
        marks = {"."}
        made = lmm.precompute_e2e(vocabulary(V), marks.__contains__, worlds.is_whitespace)
        marks.add("#")
        return predicate(V, [made])

    found = check.first((V for sharp in worlds.TEXT_INDICATORS for V in worlds.every_text_vocabulary(sharp)), damaged)
    assert found == (("#",), "", "EndToEnd", "I1 does not hold: 1")


# Limits
#   The invariants are read by the code whose work they describe; what they mean is in the other statements.

if __name__ == "__main__":
    check.alone(__file__)
