"""Proposition 3: the edge cases around ♯, each with its right answer.

Statement
    The rows of CASES: the word ♯, words that start with ♯ or with a part of it, ♯ as a token, the empty word, ♯ = ε, no
    suffix tokens, the empty string as an entry. LinMaxMatch and the transducer give the right answer with one root and
    with two.

Why
    The definition of record is the original WordPiece, which treats ♯ as nothing but what is put before later pieces.
    Each row follows from it by hand.
"""
from collections.abc import Callable
from typing import Any

import linmaxmatch as lmm
from proofs import check, worlds
from proofs.algorithms import algorithm_2, lin_max_match
from proofs.compiled import FORMS, Roots, vocabulary
from proofs.definitions import wordpiece
from proofs.definitions.wordpiece import Vocabulary, original_wordpiece

UNK = ["<unk>"]
Row = tuple[set[str], str, str, list[str]]
CASES: list[Row] = [
    # V, ♯, word, tokens
    ({"#", "###"}, "##", "##", ["#", "###"]),                 # the word ♯, as bert-base-uncased has it
    ({"##", "#", "###"}, "##", "##", ["##"]),                 # ... with ♯ in V
    ({"a"}, "##", "##", UNK),                                 # ... that cannot be matched
    ({"a"}, "a", "a", ["a"]),                                 # ... where ♯ is a letter
    ({"#", "###b"}, "##", "##b", ["#", "###b"]),              # a longer word that starts with ♯
    ({"#", "####"}, "##", "###", ["#", "####"]),
    ({"a", "abbb"}, "ab", "abb", ["a", "abbb"]),
    ({"##a", "##b"}, "##", "##ab", ["##a", "##b"]),           # ... where a token spelt ♯… matches: it is a literal
    ({"#", "##a"}, "##", "#a", ["#", "##a"]),                 # a proper part of ♯ is nothing special
    ({"##", "#", "###b"}, "##", "##b", UNK),                  # ♯ in V is a literal like any other, and greedy
    ({"##", "a"}, "##", "##a", UNK),
    ({"##", "a", "##b"}, "##", "ab", ["a", "##b"]),
    (set(), "##", "", []),                                    # the empty word
    ({"a", "##a"}, "", "", []),
    ({"a", "ab", "b"}, "", "abab", ["ab", "ab"]),             # ♯ = ε: plain MaxMatch
    ({"a", "ab", "abc"}, "", "abca", ["abc", "a"]),
    ({"a", "ab", "b"}, "##", "abab", UNK),                    # no suffix tokens
    ({"a", "ab", "b"}, "##", "ab", ["ab"]),
    ({"", "a", "##a"}, "##", "aa", ["a", "##a"]),             # the empty string as an entry
    ({"", "a"}, "", "aa", ["a", "a"]),
]


# Predicate
def predicate(rows: list[Row], tokenizer: Callable[[Vocabulary], Callable[[str], list[str]]]) -> Any:
    """None if a tokenizer gives every row's answer, else the first row with what it gives."""
    for tokens, sharp, w, expected in rows:
        found = tokenizer(Vocabulary(frozenset(tokens), sharp))(w)
        if found != expected:
            return sorted(tokens), sharp, w, found, expected
    return None


def compiled(roots: Roots) -> Callable[[Vocabulary], Callable[[str], list[str]]]:
    def tokenizer(V: Vocabulary) -> Callable[[str], list[str]]:
        tables = lmm.precompute(lmm.Trie(vocabulary(V), roots=roots))
        return lambda w: lmm.lin_max_match(tables, w)

    return tokenizer


def compiled_transducer(roots: Roots) -> Callable[[Vocabulary], Callable[[str], list[str]]]:
    return lambda V: lmm.Transducer(lmm.precompute(lmm.Trie(vocabulary(V), roots=roots))).tokenize


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """The 20 rows, by the definition, and by LinMaxMatch and the transducer with one root and with two."""
    tokenizers = [lambda V: lambda w: original_wordpiece(V, w), *map(compiled, FORMS), *map(compiled_transducer, FORMS)]
    return check.sweep(((row, tokenizer) for row in CASES for tokenizer in tokenizers),
                       lambda case: predicate([case[0]], case[1]), 100, every)


def test_exhaustive() -> None:
    assert len(CASES) == 20
    exhaustive()


# Random
@worlds.given(worlds.random_worlds())
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    """An empty entry, and the order of the ids, change nothing."""
    V, words = world
    entries = sorted(V.tokens)
    tables = [lmm.precompute(lmm.Trie(lmm.Vocabulary(tokens, V.suffix_indicator, V.unk_token)))
              for tokens in (entries, ["", *reversed(entries), ""])]
    check.hold(next(((*worlds.shown(V), w) for w in words
                     if lmm.lin_max_match(tables[0], w) != lmm.lin_max_match(tables[1], w)), None))


# Control
def plain(fault: str) -> Callable[[Vocabulary], Callable[[str], list[str]]]:
    return lambda V: lambda w: lin_max_match(algorithm_2(V, wordpiece, fault), w, fault)


def test_control_special_case_only_for_the_word_sharp() -> None:
    assert predicate(CASES, plain("special case only for the word ♯")) == (
        ["#", "###b"], "##", "##b", ["<unk>"], ["#", "###b"])


def test_control_no_special_case() -> None:
    assert predicate(CASES, plain("no special case")) == (["#", "###"], "##", "##", [], ["#", "###"])


# Limits
#   These are examples. Algorithm 1 and proposition 2 have the enumerations that hold them all.

if __name__ == "__main__":
    check.alone(__file__)
