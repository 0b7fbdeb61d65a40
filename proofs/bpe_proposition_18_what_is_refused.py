"""Proposition 18: what makes no dictionary, rule, token, state, position or option is refused, and the error names it.

Statement
    The rows of REFUSED: each call raises this class of error with this message. In every small dictionary: a rule that
    stands twice is refused with both its places; so is one with a part, or a product, that is no token, a token that
    comes twice, and a text that is not made as the tokens are; a token, an id, a rule or a state is one that there is,
    or is refused. The rows of SAID: what structures say of themselves, and calls that are just not refused.

Why
    The tables are read without checks of their own, and a wrong index would be read as another one. So everything is
    checked at the boundary, once.
"""
import pickle
from collections.abc import Callable
from typing import Any

import incbpe
from incbpe.boundary import Boundary
from incbpe.bpe import trace
from incbpe.pairs import Pairs
from incbpe.pieceoutput import PieceOutput
from incbpe.pretokenize import Splitter
from incbpe.theta import Machine
from incbpe.unstable import Answers, Follow, Unstable
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.definitions.bpe import Dictionary
from proofs.refusals import Row, first_wrong, refused

D = incbpe.Dictionary(["a", "b", "ab"], [("a", "b")])
BYTES = incbpe.Dictionary([b"a", b"b", b"ab"], [(b"a", b"b")])
N, BYTEWISE = incbpe.normalize(D), incbpe.normalize(BYTES)
DEAD = incbpe.normalize(incbpe.Dictionary(["a", "aa", "aaa"], [("a", "a")]))
"""Its token aaa is the product of no rule, and so not canonical."""
SPLITTER = Splitter("gpt2")
FOREST, AUTOMATON = incbpe.SuccessorForest(N), incbpe.SuffixAutomaton(N)
NAMES = {name: getattr(incbpe, name) for name in dir(incbpe) if not name.startswith("__")} | {
    "D": D, "B": BYTES, "N": N, "NB": BYTEWISE, "dead": DEAD, "A": AUTOMATON, "S": FOREST, "splitter": SPLITTER,
    "tree": incbpe.SuffixSuccessorTree(FOREST, AUTOMATON, "ab"), "Pairs": Pairs, "Answers": Answers, "Follow": Follow,
    "Boundary": Boundary, "Machine": Machine, "trace": trace, "pairs": incbpe.normalize(incbpe.Dictionary(
        ["a", "aa", "aaa"], [("aa", "a"), ("a", "a")]), "rank"),
    "Unstable": Unstable, "PieceOutput": PieceOutput}

PAIR = "TypeError: merges[0]: expected a pair of str"
AB, RULES, CENTROID, WINDOW = "ab", "rules", "centroid", "window"
REFUSED: list[Row] = [
    ("Dictionary('ab', [])", "TypeError: tokens: expected an ordered iterable, got str"),
    ("Dictionary({'a'}, [])", "TypeError: tokens: expected an ordered iterable, got set"),
    ("Dictionary(['a'], {('a', 'a'): 0})", "TypeError: merges: expected an ordered iterable, got dict"),
    ("Dictionary(['a'], [], duplicates='all')",
     "ValueError: duplicates: expected 'error', 'first' or 'last', got 'all'"),
    ("Dictionary(['a', 1], [])", "TypeError: tokens[1]: expected str, got int"),
    ("Dictionary(['a', b'b'], [])", "TypeError: tokens[1]: expected str, got bytes (tokens are all str, or all bytes)"),
    ("Dictionary([b'a', 'b'], [])", "TypeError: tokens[1]: expected bytes, got str (tokens are all str, or all bytes)"),
    ("Dictionary(['a'], ['aa'])", f"{PAIR}, got 'aa'"),
    ("Dictionary(['a'], [('a', 'a', 'a')])", f"{PAIR}, got ('a', 'a', 'a')"),
    ("Dictionary(['a'], [('a',)])", f"{PAIR}, got ('a',)"),
    ("Dictionary(['a'], [('a', b'a')])", f"{PAIR}, as the tokens are, got ('a', b'a')"),
    ("Dictionary(['a'], [(b'a', 'a')])", f"{PAIR}, as the tokens are, got (b'a', 'a')"),
    ("Dictionary([b'a'], [('a', b'a')])", "TypeError: merges[0]: expected a pair of bytes, as the tokens are, got ('a', b'a')"),
    ("Dictionary(['a'], [('a', '')])", "DictionaryError: merges[0]: in ('a', '') a part is empty"),
    ("Dictionary(['a'], [('', 'a')])", "DictionaryError: merges[0]: in ('', 'a') a part is empty"),
    ("Dictionary.from_ranks([b'a'])", "TypeError: ranks: expected a mapping of bytes to int, got list"),
    ("Dictionary.from_ranks({'a': 0})", "TypeError: ranks: expected bytes and int, got 'a': 0"),
    ("Dictionary.from_ranks({b'a': '0'})", "TypeError: ranks: expected bytes and int, got b'a': '0'"),
    ("Dictionary.from_ranks({b'a': 0, b'': 1})", "DictionaryError: ranks: rank 1 belongs to an empty token"),
    ("Dictionary.from_ranks({b'a': 1, b'b': 0, b'c': 1})", "DictionaryError: ranks: b'c' has rank 1, as an earlier token has"),
    ("D.id(b'a')", "TypeError: expected str, as the tokens are, got bytes"),
    ("B.id('a')", "TypeError: expected bytes, as the tokens are, got str"),
    ("D.id('')", "DictionaryError: '' is not among the tokens"),
    ("D.token('a')", "TypeError: id: expected an int, got str"),
    ("T(D, b'a')", "TypeError: expected str, as the tokens are, got bytes"),
    ("rank_bpe(B, 'a')", "TypeError: expected bytes, as the tokens are, got str"),
    ("apply_rule(D, 'a', [])", "TypeError: a rule is an int, got str"),
    ("normalize(D, 'merge')", "ValueError: semantics: expected 'equation' or 'rank', got 'merge'"),
    ("SuffixAutomaton(N).chain('aa')", "DictionaryError: 'aa' is not among the tokens"),
    ("SuffixAutomaton(dead).chain('aaa')", "DictionaryError: 'aaa' is no canonical token"),
    ("SuccessorForest(dead).parent('aaa')", "DictionaryError: 'aaa' is no canonical token"),
    ("A.symbols('0')", "TypeError: a state is an int, got str"),
    *((f"A.{method}({v})", f"IndexError: {v} is no state: expected 0 to {AUTOMATON.states - 1}")
      for v in (-1, AUTOMATON.states) for method in ("symbols", "longest_at", "failure_link")),
    ("SuffixSuccessorTree(S, SuffixAutomaton(dead), 'a')",
     "ValueError: forest and automaton: expected both of one Normalized"),
    ("tree.parent_of('a')", "DictionaryError: 'a' is no suffix of 'ab'"),
    ("tree.children('?')", "DictionaryError: '?' is not among the tokens"),
    ("CentroidTree(tree).search([None])", "ValueError: history: 1 entries, fewer than the symbols of 'ab'"),
    ("Pairs(D).pair('a', 'c')", "DictionaryError: 'c' is not among the tokens"),
    ("Pairs(dead.dictionary).pair('a', 'aaa')", "DictionaryError: 'aaa' is not canonical"),
    ("Pairs(dead.dictionary).pair('aaa', 'a')", "DictionaryError: 'aaa' is not canonical"),
    ("Unstable(dead).pair('a', 'aaa')", "DictionaryError: 'aaa' is not canonical"),
    ("Unstable(dead).pair('aaa', 'a')", "DictionaryError: 'aaa' is not canonical"),
    ("Answers(Unstable(N), Follow())", "ValueError: what may follow is known of bytes only"),
    ("Prefixes(N, b'a')", "TypeError: expected str, as the tokens are, got bytes"),
    ("Prefixes(N, 'ab').tokens('1')", "TypeError: a position is an int, got str"),
    ("Prefixes(N, 'ab').tokens(3)", "IndexError: position 3: expected 0 to 2"),
    ("Prefixes(N, 'ab').count(-1)", "IndexError: position -1: expected 0 to 2"),
    ("Prefixes(N, 'ab').longest_within('1')", "TypeError: max_tokens: expected an int, got str"),
    ("Prefixes(N, 'ab').longest_within(-1)", "ValueError: max_tokens: expected 0 or more, got -1"),
    ("Prefixes(N, 'ab').split(0)", "ValueError: max_tokens: expected 1 or more, got 0"),
    ("Incremental(N, 'best')", "ValueError: search: expected 'centroid', 'longest', 'root' or 'pairs', got 'best'"),
    ("Incremental(N, 'pairs')", "DictionaryError: search 'pairs': the form 'rules' of this dictionary has another"),
    ("Incremental(N).feed('')", "ValueError: a symbol is one character, got ''"),
    ("Incremental(N).feed('ab')", "ValueError: a symbol is one character, got 'ab'"),
    ("Incremental(NB).feed(256)", "ValueError: 256 is no byte: expected 0 to 255"),
    ("Incremental(NB).feed(-1)", "ValueError: -1 is no byte: expected 0 to 255"),
    ("Incremental(NB).feed(b'ab')", "ValueError: a symbol is one byte, got b'ab'"),
    ("Incremental(N).pop('1')", "TypeError: k: expected an int, got str"),
    ("Incremental(N).pop()", "ValueError: k: expected 0 to 0, the symbols fed, got 1"),
    ("Incremental(N).pop(-1)", "ValueError: k: expected 0 to 0, the symbols fed, got -1"),
    ("Incremental(N).restore(Incremental(N).checkpoint())", "ValueError: the checkpoint is of another text"),
    ("EagerOutput(N, 'late')", "ValueError: criterion: expected window, chain, maximal, got 'late'"),
    ("EagerOutput(N).feed('ab')", "ValueError: symbol: expected one, got 'ab'"),
    ("EagerOutput(N).feed('')", "ValueError: symbol: expected one, got ''"),
    ("EagerOutput(N).feed('a', [2])", "ValueError: position 2 is no possible end any more"),
    ("EagerOutput(N).feed('a', [-1])", "ValueError: position -1 is no possible end any more"),
    ("EagerOutput(N).feed('a', ['1'])", "TypeError: a position is an int, got str"),
    ("EagerOutput(N).finish(1)", "ValueError: position 1 is no possible end"),
    ("EagerOutput(N).finish(-1)", "ValueError: position -1 is no possible end"),
    ("[ended := EagerOutput(N), ended.extend('ab', goes_on=False), ended.feed('a')]",
     "ValueError: the text was said to end by position 2, and cannot go on"),
    ("SuccessorForest(pairs)", "DictionaryError: form 'pairs': the dictionary has no successor forest, since a pair of "
     "tokens holds or not by itself there"),
    ("Incremental(pairs, 'root')", "DictionaryError: search 'root': the form 'pairs' of this dictionary has another"),
    ("trace(D, 'ab', 'late')", "ValueError: semantics: expected 'equation' or 'rank', got 'late'"),
    ("PieceOutput(N, splitter)", "DictionaryError: a stream of bytes needs a dictionary of bytes, got one of str"),
    ("EagerOutput(N).feed(b'a')", "TypeError: expected str, as the tokens are, got bytes"),
]
"""The rows: at the edges of what is allowed where there are edges."""

SAID: list[Row] = [
    ("repr(D), len(D)", "gives ('<Dictionary of 3 tokens of str, 1 rules>', 3)"),
    ("repr(B)", "gives '<Dictionary of 3 tokens of bytes, 1 rules>'"),
    ("repr(N)", f"gives {f'<Normalized {D!r}: 3 canonical tokens by equation, form {RULES!r}>'!r}"),
    ("repr(Boundary(D)), repr(Pairs(D))", f"gives {(f'<Boundary of {D!r}>', f'<Pairs of {D!r}>')}"),
    ("repr(A), len(A), A.nbytes", "gives ('<SuffixAutomaton of 4 states, 3 rows, 3 blocks>', 4, 464)"),
    ("repr(S), len(S), S.nbytes, S.depth()", "gives ('<SuccessorForest of 3 tokens>', 3, 72, 1)"),
    ("Machine(N).nbytes > S.nbytes + A.nbytes, Machine(pairs).nbytes > 0", "gives (True, True)"),
    ("repr(tree), len(tree)", f"gives {(f'<SuffixSuccessorTree of {AB!r}, 2 nodes>', 2)}"),
    ("repr(CentroidTree(tree)), len(CentroidTree(tree))", f"gives {(f'<CentroidTree of {AB!r}, 2 nodes>', 2)}"),
    ("repr(Incremental(N)), len(Incremental(N))", f"gives {(f'<Incremental of 0 symbols, search={CENTROID!r}>', 0)}"),
    ("repr(Prefixes(N, 'ab?')), len(Prefixes(N, 'ab?'))", "gives ('<Prefixes of 3 symbols, 2 tokens>', 3)"),
    ("repr(Unstable(N)), repr(Answers(Unstable(N)))",
     f"gives {(f'<Unstable of {N!r}>', '<Answers, 0 of them asked for anew>')}"),
    ("repr(EagerOutput(N)), EagerOutput(N).nbytes > 0",
     f"gives {(f'<EagerOutput by {WINDOW!r}: 0 symbols read, 0 of them final>', True)}"),
    ("repr(PieceOutput(NB, splitter)), PieceOutput(NB, splitter).nbytes > 0",
     "gives ('<PieceOutput: 0 bytes read, 0 of them final>', True)"),
    ("EagerOutput(NB).feed(97), Incremental(NB).feed(97), Incremental(NB).feed(255)", "gives ([], b'a', b'\\xff')"),
    ("[ended := EagerOutput(N), ended.extend('ab', [0], False), ended.finish(0)][1:]", "gives [[], []]"),
    ("[ended := EagerOutput(N), ended.extend('ab', goes_on=False)][1:]", "gives [['ab']]"),
]
"""What structures say of themselves, and calls at the edge of what is refused."""

Make = Callable[..., Any]


# Predicate
def predicate(world: Dictionary, make: Make) -> Any:
    """None if a dictionary made by `make` refuses what it must, with the right places; else what it does not."""
    tokens, rules = sorted(world.tokens), list(world.rules)
    hint = "(duplicates='last' lets the last place count)"
    rows = [(f"made.token({i})", f"TokenIdError: {i} is no token id: expected 0 to {len(tokens) - 1}")
            for i in (-1, len(tokens))]
    rows += [(f"apply_rule(made, {i}, [])", f"IndexError: {i} is no rule: expected 0 to {len(rules) - 1}")
             for i in (-1, len(rules))]
    for place, token in enumerate(tokens):
        rows.append((f"make({[*tokens, token]}, [])",
                     f"DictionaryError: tokens[{len(tokens)}]: {token!r} repeats tokens[{place}] {hint}"))
        rows.append((f"made.token({place}), made.id({token!r}), {token!r} in made", f"gives {token, place, True}"))
        rows.append((f"make(tokens, [({token!r}, '!')])",
                     f"DictionaryError: merges[0]: in ({token!r}, '!') '!' is not among the tokens"))
        rows.append((f"make(tokens, [('!', {token!r})])",
                     f"DictionaryError: merges[0]: in ('!', {token!r}) '!' is not among the tokens"))
    for place, (x, y) in enumerate(rules):
        rows.append((f"make(tokens, {[*rules, (x, y)]})",
                     f"DictionaryError: merges[{len(rules)}]: {(x, y)!r} repeats merges[{place}] {hint}"))
        rows.append((f"apply_rule(made, {place}, [{x!r}, {y!r}])", f"gives {[x + y]}"))
    for x, y in ((x, y) for x in tokens for y in tokens if x + y not in world.tokens):
        rows.append((f"make(tokens, [{(x, y)!r}])",
                     f"DictionaryError: merges[0]: {x + y!r}, which {(x, y)!r} makes, is not among the tokens"))
        rows.append((f"made.id({x + y!r})", f"DictionaryError: {x + y!r} is not among the tokens"))
    rows.append(("len(made), made.merges, made.binary", f"gives {len(tokens), world.rules, False}"))
    rows.append(("loads(dumps(made)).tokens, loads(dumps(made)).merges", f"gives {tuple(tokens), world.rules}"))
    names = {"make": make, "made": incbpe.Dictionary(tokens, rules), "tokens": tokens, "apply_rule": incbpe.apply_rule,
             "loads": pickle.loads, "dumps": pickle.dumps}
    return first_wrong(rows, names)


def holds_compiled(world: Dictionary) -> Any:
    return predicate(world, incbpe.Dictionary)


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """The rows, and one in ten of the 9,198 small dictionaries."""
    refused(REFUSED + SAID, NAMES)
    return check.sweep(worlds.every_world(), holds_compiled, worlds.WORLDS, 10 * every)


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_dictionaries())
def test_random(world: Dictionary) -> None:
    check.hold(holds_compiled(world))


# Control
def test_control_duplicates_taken_without_a_word() -> None:
    def careless(tokens: list[str], rules: list[Any]) -> Any:
        return incbpe.Dictionary(tokens, rules, duplicates="last")

    found = check.first(worlds.every_world(), lambda world: predicate(world, careless))
    assert found == ("make(['a', 'a'], [])", "gives <Dictionary of 2 tokens of str, 0 rules>",
                     "DictionaryError: tokens[1]: 'a' repeats tokens[0] (duplicates='last' lets the last place count)")


# Limits
#   What is too large for int32 tables (2**28 tokens, rules or bytes) is refused too; no such dictionary is made here.

if __name__ == "__main__":
    check.alone(__file__)
