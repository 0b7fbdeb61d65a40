"""Algorithm 1: LinMaxMatch is the original WordPiece.

Statement
    For every vocabulary and every word, LinMaxMatch over the tables of Algorithm 2 gives what the original WordPiece
    gives; with the paper's one trie if words that start with a non-empty ♯ are treated apart, with two roots always.

Why
    MatchLoop keeps (G(w), g(w)) of the part w that it has read (Lemmas 3 and 4), with Algorithm 2's f and F (Lemma 5);
    at ␣ it holds G(w␣) if it is at r or r♯, and else M is <unk> (Lemma 2). Definition 5 and the original WordPiece are
    the same but for words that start with ♯ (proposition 1).
"""
from typing import Any

import linmaxmatch as lmm
from proofs import check, worlds
from proofs.algorithms import algorithm_2, lin_max_match
from proofs.compiled import Roots, vocabulary
from proofs.definitions import wordpiece
from proofs.definitions.wordpiece import Vocabulary, original_wordpiece

WORDS = worlds.strings("ab", worlds.LONGEST_WORD)
SHORT = worlds.strings("ab", 5)


# Predicate
def predicate(V: Vocabulary, words: list[str], tokenizers: list[Any]) -> Any:
    """None if all tokenizers give what the original WordPiece gives for all words, else the first that does not."""
    for w in words:
        expected = original_wordpiece(V, w)
        for tokenize in tokenizers:
            if tokenize(w) != expected:
                return *worlds.shown(V), w, tokenize(w), expected
    return None


def compiled(V: Vocabulary, roots: tuple[Roots, ...] = (1, 2)) -> list[Any]:
    """LinMaxMatch of linmaxmatch, with one root and with two."""
    tables = [lmm.precompute(lmm.Trie(vocabulary(V), roots=number)) for number in roots]
    return [lambda w, tables=each: lmm.lin_max_match(tables, w) for each in tables]


def plain(V: Vocabulary, fault: str, form: Any = wordpiece) -> list[Any]:
    """Algorithm 1 in plain Python with a fault, over Algorithm 2's tables with the same fault."""
    tables = algorithm_2(V, form, fault)
    return [lambda w: lin_max_match(tables, w, fault)]


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """Every vocabulary of pieces with bodies over {a, b} up to length 2, for six ♯, and all 255 words up to length 7,
    with one root; with one and with two,
    every vocabulary of at most five strings over {a, b} up to length 3, for five ♯, and all 63 words up to length 5;
    and the 2,380 vocabularies of at most five long chains, and all 255 words up to length 7.
    """
    count = check.sweep(
        (V for indicator in worlds.INDICATORS for V in worlds.every_piece_vocabulary(indicator)),
        lambda V: predicate(V, WORDS, compiled(V, (1,))), sum(worlds.PIECE_VOCABULARIES.values()), every, len(WORDS))
    count += check.sweep(
        (V for indicator in worlds.STRING_INDICATORS for V in worlds.every_string_vocabulary(indicator)),
        lambda V: predicate(V, SHORT, compiled(V)), 17_365, every, len(SHORT))
    return count + check.sweep(
        worlds.long_chains(5), lambda V: predicate(V, WORDS, compiled(V)), 2_380, every, len(WORDS))


def test_exhaustive() -> None:
    assert (len(WORDS), len(SHORT)) == (255, 63)
    assert sum(worlds.PIECE_VOCABULARIES.values()) == 17_472
    exhaustive()


# Random
@worlds.given(worlds.st.one_of(worlds.random_worlds(), worlds.real_worlds()))
def test_random(world: tuple[Vocabulary, list[str]]) -> None:
    V, words = world
    check.hold(predicate(V, words, compiled(V)))


# Control
def test_control_special_case_only_for_the_word_sharp() -> None:
    """Algorithm 1 as published: a longer word that starts with ♯ comes out as <unk>."""
    assert check.first(worlds.every_piece_vocabulary("ab"), lambda V: predicate(
        V, SHORT, plain(V, "special case only for the word ♯"))) == (("a", "abba"), "ab", "aba", ["?"], ["a", "abba"])


def test_control_no_special_case() -> None:
    assert check.first(worlds.every_string_vocabulary("a"), lambda V: predicate(
        V, SHORT, plain(V, "no special case"))) == ((), "a", "a", [], ["?"])


def test_control_the_parents_pops_dropped() -> None:
    assert check.first(worlds.longer_pieces(), lambda V: predicate(
        V, SHORT, plain(V, "F(u) dropped from F(v)"))) == (("##a", "a", "aaa"), "##", "aa", ["##a"], ["a", "##a"])


def test_control_no_case_for_tokens() -> None:
    found = check.first(worlds.longer_pieces(), lambda V: predicate(V, SHORT, plain(V, "no case χ_v in V")))
    assert found == (("a",), "##", "a", ["?"], ["a"])


def test_control_the_node_at_the_end_ignored() -> None:
    assert check.first(worlds.longer_pieces(), lambda V: predicate(
        V, SHORT, plain(V, "the node at the end is not looked at"))) == (("aa",), "##", "a", [], ["?"])


# Limits
#   Longer words, longer tokens and larger alphabets are sampled only.

if __name__ == "__main__":
    check.alone(__file__)
