"""Algorithm 2: the tables are Definition 1.

Statement
    Breadth-first from r and r♯, with Lemma 5 at each edge, Algorithm 2 computes f(v) and F(v) of Definition 1 for every
    node; also where ♯ is itself a token, and with ♯ = ε, where r♯ = r is visited once.

Why
    Lemma 5 gives f and F of a node from those of its parent and, through h, of nodes that f reaches from there. All of
    these have a smaller |χ|, and breadth-first order has them ready.
"""
from typing import Any

from proofs import check, worlds
from proofs.algorithms import EndlessError
from proofs.compiled import Defined, both
from proofs.definitions.wordpiece import Vocabulary


# Predicate
def predicate(V: Vocabulary, layer: Any) -> Any:
    """None if the layer's tables are Definition 1 at every node, else the first node where they are not."""
    for v in sorted(layer.form.nodes(V)):
        expected = layer.form.f(V, v), layer.form.F(V, v)
        try:
            found = layer.table_f(v), layer.table_F(v)
        except EndlessError as error:
            return *worlds.shown(V), v, f"endless: {error}"
        if found != expected:
            return *worlds.shown(V), v, found, expected
    return None


def holds_compiled(V: Vocabulary) -> Any:
    """With one root and with two; that the compiled trie is the definition's is section 3.1."""
    return next(filter(None, (predicate(V, layer) for layer in both(V))), None)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in four of the 17,472 vocabularies of pieces and all 9,827 small ones, every node."""
    return check.sweep(
        (V for indicator in worlds.INDICATORS for V in worlds.every_piece_vocabulary(indicator)),
        holds_compiled, sum(worlds.PIECE_VOCABULARIES.values()), 4 * every
    ) + check.sweep(worlds.small_vocabularies(), holds_compiled, 9_827, every)


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_vocabularies())
def test_random(V: Vocabulary) -> None:
    for layer in both(V):
        layer.T.check()
        layer.tables.check()
    check.hold(holds_compiled(V))


# Control
def test_control_the_parents_pops_dropped() -> None:
    found = check.first(worlds.longer_pieces(), lambda V: predicate(V, Defined(V, 1, "F(u) dropped from F(v)")))
    assert found == (("##a", "a", "aaa"), "##", "aa", ("##a", []), ("##a", ["a"]))


def test_control_no_case_for_tokens() -> None:
    found = check.first(worlds.longer_pieces(), lambda V: predicate(V, Defined(V, 1, "no case χ_v in V")))
    assert found == ((), "##", "?", (None, []), ("##", ["?"]))


def test_control_sharp_as_a_token_of_the_one_trie() -> None:
    """♯ in V must leave r♯ without data: f(r♯) = r♯ would pop ♯ for ever."""
    assert check.first(worlds.every_string_vocabulary("a"), lambda V: predicate(
        V, Defined(V, 1, "♯ in V taken as a token at r♯"))) == (("a",), "a", "a", ("a", ["a"]), (None, []))


# Limits
#   One in four of the vocabularies of pieces is checked here; algorithm 1 reads words over the tables of all of them.

if __name__ == "__main__":
    check.alone(__file__)
