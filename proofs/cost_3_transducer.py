"""Cost 3: the transducer has |T| (|Σ| + 1) entries and takes n + 1 look-ups.

Statement
    Tabulated over the characters that occur in T, and ␣, δ′ and σ′ have exactly |T| (|Σ| + 1) entries, Σ being those
    characters. A word of n characters is read by n + 1 look-ups at most, ␣ included: no failure move is made.

Why
    One entry for each node and column. Each look-up reads one character of w␣, and ∅ ends the reading.
"""
from collections.abc import Callable
from typing import Any

import linmaxmatch as lmm
from proofs import check, worlds
from proofs.compiled import Compiled, both
from proofs.definitions import wordpiece
from proofs.definitions.wordpiece import Vocabulary, original_wordpiece

WORDS = [w for w in worlds.strings("ab", 5) if len(w) > 3]
Read = Callable[[str], tuple[list[str], int]]


# Predicate
def predicate(V: Vocabulary, words: list[str], read: Read) -> Any:
    """None if each word's tokens are read in n + 1 look-ups at most, else the first word with both."""
    for w in words:
        tokens, looked_up = read(w)
        if tokens != original_wordpiece(V, w) or looked_up > len(w) + 1:
            return *worlds.shown(V), w, tokens, looked_up
    return None


def entries(layer: Compiled, number: int) -> Any:
    """None if so many entries are as many as are built: one fewer is refused; else the world and the number."""
    try:
        lmm.Transducer(layer.tables, number)
    except lmm.VocabularyError:
        return *worlds.shown(layer.V), "too few", number
    try:
        lmm.Transducer(layer.tables, number - 1)
    except lmm.VocabularyError:
        return None
    return *worlds.shown(layer.V), "too many", number


def nodes_by_columns(layer: Compiled) -> int:
    """|T| (|Σ| + 1)."""
    nodes = layer.form.nodes(layer.V)
    occurring = {(v if isinstance(v, str) else v.text)[-1:] for v in nodes} - {""}
    return len(nodes) * (len(occurring) + 1)


def look_ups(layer: Compiled) -> Read:
    """Reading by δ′ and σ′, one look-up a character, as the paper writes it. One root: words without ♯ in front."""
    machine = lmm.Transducer(layer.tables)

    def read(w: str) -> tuple[list[str], int]:
        u: Any = layer.T.root
        tokens: list[str] = []
        for k, c in enumerate([*w, None]):
            after = machine.delta_prime(u, c)
            if after is None:
                return [layer.V.unk_token], k + 1
            tokens += machine.sigma_prime(u, c)
            u = after
        return tokens, len(w) + 1

    return read


def holds_compiled(V: Vocabulary, words: list[str]) -> Any:
    for layer in both(V):
        special = layer.form is wordpiece and V.suffix_indicator != ""
        ordinary = [w for w in words if not (special and w.startswith(V.suffix_indicator))]
        witness = predicate(V, ordinary, look_ups(layer)) or entries(layer, nodes_by_columns(layer))
        if witness is not None:
            return witness
    return None


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in 12 of the 9,827 small vocabularies: the entries, and 48 words of length 4 and 5."""
    return check.sweep(worlds.small_vocabularies(), lambda V: holds_compiled(V, WORDS), 9_827, 12 * every, len(WORDS))


def test_exhaustive() -> None:
    assert len(WORDS) == 48
    exhaustive()


# Random
@worlds.given(worlds.random_worlds())
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def failure_moves(V: Vocabulary) -> Read:
    """The same by δ and failure links: each δ that is looked up counts."""
    layer = Compiled(V, 1)

    def read(w: str) -> tuple[list[str], int]:
        u: Any = layer.T.root
        tokens: list[str] = []
        looked_up = 0
        for c in w:
            looked_up += 1
            while layer.T.delta(u, c) is None:
                link = layer.tables.f(u)
                if link is None:
                    return [V.unk_token], looked_up
                tokens += layer.tables.F(u)
                u, looked_up = link, looked_up + 1
            u = layer.T.delta(u, c)
        while layer.tables.f(u) is not None:
            tokens += layer.tables.F(u)
            u, looked_up = layer.tables.f(u), looked_up + 1
        return tokens if u == layer.T.suffix_root else [V.unk_token], looked_up

    return read


def test_control_failure_moves_look_up_more() -> None:
    found = check.first(worlds.longer_pieces(), lambda V: predicate(V, worlds.strings("ab", 3, shortest=1), failure_moves(V)))
    assert found == (("##a", "a"), "##", "aa", ["a", "##a"], 4)


def test_control_no_column_for_the_space() -> None:
    def without(V: Vocabulary) -> int:
        return nodes_by_columns(Compiled(V, 1)) - len(wordpiece.nodes(V))

    found = check.first(worlds.longer_pieces(), lambda V: entries(Compiled(V, 1), without(V)))
    assert found == ((), "##", "too few", 8)


def test_control_the_last_pops_lost() -> None:
    def read(V: Vocabulary, w: str) -> tuple[list[str], int]:
        tokens, looked_up = look_ups(Compiled(V, 1))(w)
        return tokens[:-1], looked_up

    found = check.first(worlds.longer_pieces(), lambda V: predicate(V, ["a", "b"], lambda w: read(V, w)))
    assert found == ((), "##", "a", [], 1)


# Limits
#   The tokens of σ′ take room besides: O(m) an entry at most. A lazily filled table is not built here.

if __name__ == "__main__":
    check.alone(__file__)
