"""Proposition 9: what makes no vocabulary, node, symbol, position or option is refused, and the error names it.

Statement
    The rows of REFUSED: each call raises this class of error with this message. In every small vocabulary: a token that
    comes twice is refused with both its places, unless duplicates="last", which gives it the last one; a surrogate is
    refused wherever it stands; a word is a token or is refused by `id`; an id or a node is one below the length or is
    refused; <unk> must be there. The rows of SAID: what structures say of themselves.

Why
    The tables are read without checks of their own, and a wrong node would be read as another one. So everything is
    checked at the boundary, once.
"""
from collections.abc import Callable
from typing import Any

import linmaxmatch
from linmaxmatch.endtoend import EndToEnd
from proofs import check, worlds
from proofs.compiled import vocabulary
from proofs.definitions.wordpiece import Vocabulary
from proofs.refusals import Row, answer, first_wrong, refused
from subwordio.strings import Strings

V = linmaxmatch.Vocabulary(["a", "ab", "##b", "<unk>"])
T = linmaxmatch.Trie(V)
A: Any = T.delta(T.root, "a")
AB = T.delta(A, "b")
class Spelt(str):
    """A str that compares in its own way."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return 1


NAMES = {name: getattr(linmaxmatch, name) for name in dir(linmaxmatch) if not name.startswith("__")} | {
    "V": V, "T": T, "A": A, "AB": AB, "B": linmaxmatch.Trie(V, symbols="bytes"), "tables": linmaxmatch.precompute(T),
    "transducer": linmaxmatch.Transducer(linmaxmatch.precompute(T)), "EndToEnd": EndToEnd, "Spelt": Spelt}

ORDERED, LIMIT = "TypeError: tokens: expected an ordered iterable of str, got", 9 * len(T)
SHARP, UNK, CHARACTERS = "##", "<unk>", "characters"
REFUSED: list[Row] = [
    ("Vocabulary('abc')", f"{ORDERED} str"), ("Vocabulary(b'abc')", f"{ORDERED} bytes"),
    ("Vocabulary({'<unk>'})", f"{ORDERED} set"), ("Vocabulary({'<unk>': 0})", f"{ORDERED} dict"),
    ("Vocabulary(['<unk>', b'a'])", "TypeError: tokens[1]: expected str, got bytes"),
    ("Vocabulary(['<unk>'], 3)", "TypeError: suffix_indicator: expected str, got int"),
    ("Vocabulary(['<unk>'], unk_token=None)", "TypeError: unk_token: expected str, got NoneType"),
    ("Vocabulary(['<unk>'], duplicates='first')", "ValueError: duplicates: expected 'error' or 'last', got 'first'"),
    ("Vocabulary(['<unk>'], '\\ud800')",
     r"VocabularyError: suffix_indicator: '\ud800' holds a surrogate, which is no character"),
    ("Vocabulary(['a', ''], unk_token='')", "VocabularyError: unk_token: '' is not among the 2 tokens"),
    ("V.id(1)", "TypeError: expected str, got int"), ("V.token('a')", "TypeError: id: expected an int, got str"),
    ("Trie(V, roots=3)", "ValueError: roots: expected 1 or 2, got 3"),
    ("Trie(V, roots=0)", "ValueError: roots: expected 1 or 2, got 0"),
    ("Trie(V, literal_suffixes=False)", "ValueError: literal_suffixes: one root has suffix tokens under r only"),
    ("Trie(V, symbols='words')", "ValueError: symbols: expected 'characters' or 'bytes', got 'words'"),
    ("T.chi('a')", "TypeError: a node is an int, got str"),
    ("T.delta(0, 97)", "TypeError: a symbol is a str of one character, got int"),
    ("T.delta(0, 'ab')", "ValueError: a symbol is one character, got 'ab'"),
    ("T.delta(0, '')", "ValueError: a symbol is one character, got ''"),
    ("B.delta(0, 'a')", "TypeError: a symbol of a trie over bytes is an int, got str"),
    ("B.delta(0, 256)", "ValueError: 256 is no byte: expected 0 to 255"),
    ("B.delta(0, -1)", "ValueError: -1 is no byte: expected 0 to 255"),
    ("Tables(T, [(A, AB, 0)])", f"ValueError: given: f({A}) = {AB} is no dead node"),
    ("match_loop(tables, 'a', '0')", "TypeError: i: expected int, got str"),
    ("match_loop(tables, 'a', 2)", "IndexError: i: expected 0 to 1, got 2"),
    ("match_loop(tables, 'a', -1)", "IndexError: i: expected 0 to 1, got -1"),
    ("precompute_e2e(V, punctuation=1)", "TypeError: punctuation: expected a function of one character, got int"),
    ("precompute_e2e(V, 1, 'x')", "TypeError: punctuation: expected a function of one character, got int"),
    ("EndToEnd(V, len, 'x')", "TypeError: whitespace: expected a function of one character, got str"),
    ("Transducer(tables, limit=1.5)", "TypeError: limit: expected int, got float"),
    (f"Transducer(tables, limit={LIMIT - 1})",
     f"VocabularyError: {len(T)} nodes times 9 symbols: more than limit={LIMIT - 1} entries"),
    *((f"{function}({first}, 3)", "TypeError: expected str, got int") for function, first in (
        ("p", "V"), ("q", "V"), ("M", "V"), ("length", "V"), ("original_wordpiece", "V"), ("g", "T"), ("G", "T"),
        ("match_loop", "tables"), ("lin_max_match", "tables"), ("Transducer.tokenize", "transducer"))),
    *((f"{function}, {node})", f"IndexError: {node} is no node: expected 0 to {len(T) - 1}")
      for function in ("f(T", "F(T", "Tables.f(tables", "Tables.F(tables", "Trie.chi(T", "Trie.token(T")
      for node in (-1, len(T))),
    *((f"{function}, {len(T)}, 'a')", f"IndexError: {len(T)} is no node: expected 0 to {len(T) - 1}")
      for function in ("h(T", "H(T", "Trie.delta(T", "Transducer.delta_prime(transducer",
                       "Transducer.sigma_prime(transducer")),
]
"""The rows: at the edges of what is allowed where there are edges."""

SAID: list[Row] = [
    ("repr(V), len(V), V.nbytes > 0",
     f"gives {(f'<Vocabulary of 4 tokens, suffix_indicator={SHARP!r}, unk_token={UNK!r}>', 4, True)}"),
    ("repr(T), len(T)", f"gives {(f'<Trie of 11 nodes, roots=1, symbols={CHARACTERS!r}>', 11)}"),
    ("[type(t) is str for t in Vocabulary([Spelt('a'), '<unk>', Spelt('b')]).tokens]", "gives [True, True, True]"),
    ("Vocabulary([Spelt('a'), '<unk>']).id(Spelt('a'))", "gives 0"),
    ("repr(tables)", f"gives {f'<Tables of {T!r}, 4 pops stored>'!r}"),
    ("repr(Steps())", "gives '<Steps: 0 edges, 0 moves>'"),
    ("repr(transducer)", "gives '<Transducer of 11 nodes and 9 symbols, ␣ included>'"),
    ("repr(precompute_e2e(V, len, len))[:16]", "gives '<EndToEnd over <'"),
]
"""What structures say of themselves."""

Make = Callable[..., Any]


# Predicate
def predicate(world: Vocabulary, make: Make) -> Any:
    """None if a vocabulary made by `make` refuses what it must, with the right places; else what it does not."""
    tokens = sorted(world.tokens)
    rows, longest = [], max(map(len, tokens))
    for place, token in enumerate(tokens):
        again = [*tokens, token]
        rows.append((f"make({again}, sharp, unk)", f"VocabularyError: tokens[{len(tokens)}]: {token!r} repeats tokens[{place}] "
                     "(duplicates='last' lets the last id count)"))
        rows.append((f"make({again}, sharp, unk, 'last').id({token!r})", f"gives {len(tokens)}"))
        spoilt = [*tokens[:place], "a\udfff", *tokens[place:]]
        rows.append((f"make({spoilt}, sharp, unk)",
                     f"VocabularyError: tokens[{place}]: 'a\\udfff' holds a surrogate, which is no character"))
        rows.append((f"made.token({place}), made.id({token!r}), {token!r} in made", f"gives {token, place, True}"))
    rows += [(f"made.token({i})", f"TokenIdError: {i} is no token id: expected 0 to {len(tokens) - 1}")
             for i in (-1, len(tokens))]
    for word in (*worlds.strings("ab", 2), "?!"):
        if word not in world:
            rows.append((f"made.id({word!r})", f"VocabularyError: {word!r} is not in the vocabulary"))
            rows.append((f"{word!r} in made", "gives False"))
    rows.append(("make(sorted(tokens - {unk}), sharp, unk)",
                 f"VocabularyError: unk_token: {world.unk_token!r} is not among the {len(tokens) - 1} tokens"))
    rows.append(("len(made), made.unk_id, made.unk_token, made.suffix_indicator, made.longest",
                 f"gives {len(tokens), tokens.index(world.unk_token), world.unk_token, world.suffix_indicator, longest}"))
    rows.append(("make(Strings(sorted(tokens)), sharp, unk).tokens", f"gives {tuple(tokens)}"))
    return first_wrong(rows, {"make": make, "made": vocabulary(world), "tokens": world.tokens, "unk": world.unk_token,
                              "sharp": world.suffix_indicator, "Strings": Strings})


def holds_compiled(world: Vocabulary) -> Any:
    return predicate(world, linmaxmatch.Vocabulary)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """The rows, and the 2,424 vocabularies of at most two tokens."""
    refused(REFUSED + SAID, NAMES)
    return check.sweep(worlds.small_vocabularies(2), holds_compiled, worlds.small_vocabularies_count(2), every)


def test_exhaustive() -> None:
    assert answer("Transducer(tables, limit=LIMIT)", NAMES | {"LIMIT": LIMIT}).startswith("gives <Transducer of ")
    exhaustive()


# Random
@worlds.given(worlds.random_vocabularies())
def test_random(world: Vocabulary) -> None:
    check.hold(holds_compiled(world))


# Control
def test_control_duplicates_taken_without_a_word() -> None:
    def careless(tokens: list[str], sharp: str, unk: str, _: str = "error") -> Any:
        return linmaxmatch.Vocabulary(tokens, sharp, unk, "last")

    found = check.first(worlds.small_vocabularies(2), lambda world: predicate(world, careless))
    assert found == ("make(['?', '?'], sharp, unk)", "gives <Vocabulary of 2 tokens, suffix_indicator='', unk_token='?'>",
                     "VocabularyError: tokens[1]: '?' repeats tokens[0] (duplicates='last' lets the last id count)")


# Limits
#   What is too large for int32 tables (2**31 - 2 tokens, 2**30 nodes) is refused too; no such vocabulary is made here.

if __name__ == "__main__":
    check.alone(__file__)
