"""Section 3.3: the canonical rules are enough.

Statement
    Every token of every T(s) is canonical (T(z) = [z]) or a symbol that is no atom. The parts of a canonical token's
    canonical rule are canonical, so that there is one rule a token, and T with the canonical rules only, in the same
    order, is T. Normalizing D keeps exactly these rules.

Why
    A token of T(s) is an infix of T(s) (Lemma 3.1). On a canonical z its canonical rule fires last, on exactly the two
    tokens [x, y]; up to there T is T of a shorter list, and Lemma 3.1 gives T(x) = [x], T(y) = [y], which no later rule
    can change. By the same lemma for the list up to there, whatever is made on the way is made by its own canonical
    rule.
"""
from collections.abc import Callable
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_algorithms import Normal
from proofs.bpe_compiled import Compiled
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary, Rule


# Predicate
def predicate(D: Dictionary, texts: list[str], kept: list[Rule], tokenize: Any) -> Any:
    """None if `kept` has one rule for each canonical token, of canonical parts, and `tokenize`, which is T with these
    rules only, gives T; else what is wrong: a rule, or a text and both results.
    """
    canonical = bpe.canonical(D)
    made = [x + y for x, y in kept]
    wrong = [rule for rule, z in zip(kept, made, strict=True)
             if not canonical.issuperset((z, *rule)) or made.count(z) > 1]
    if wrong or len(made) != len(canonical) - len(D.atoms):
        return worlds.shown(D), wrong
    for s in texts:
        if tokenize(s) != bpe.T(D, s):
            return worlds.shown(D), s, tokenize(s), bpe.T(D, s)
    return None


def canonical_alone(D: Dictionary, texts: list[str], tokenize: Any) -> Any:
    """None if all tokens of each text are canonical, but for symbols that are none, else the first text with others."""
    return next(((worlds.shown(D), s, tokenize(s), bpe.canonical(D)) for s in texts
                 if not bpe.canonical(D).issuperset(set(tokenize(s)) & D.tokens)), None)


def holds_compiled(D: Dictionary, texts: list[str]) -> Any:
    kept: list[Rule] = Compiled(D).N.rules
    only = incbpe.Dictionary(sorted(D.tokens), kept)
    return (predicate(D, texts, kept, lambda s: incbpe.T(only, s))
            or canonical_alone(D, texts, lambda s: bpe.T(D, s)))


def holds_plain(D: Dictionary, fault: str) -> Any:
    kept = [D.rules[i] for i in sorted(Normal(D, fault).rule.values())]
    return predicate(D, worlds.texts(D), kept, lambda s: bpe.T(Dictionary(D.atoms, tuple(kept)), s))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """All 1,957 lists of splits of a…aaaa on a…aaaaaaaaa, and one in five of the 7,241 lists over {a, b}."""
    count = check.sweep(worlds.run_worlds(), lambda D: holds_compiled(D, worlds.RUNS), worlds.RUN_WORLDS, every,
                        len(worlds.RUNS))
    return count + check.sweep(worlds.pair_worlds(), lambda D: holds_compiled(D, worlds.WORDS), worlds.PAIR_WORLDS,
                               5 * every, len(worlds.WORDS))


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(unknown=True))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    check.hold(holds_compiled(*world))


# Control
def test_control_a_rule_kept_whose_token_is_not_canonical() -> None:
    found = check.first(worlds.every_world(), lambda D: holds_plain(D, "no walk"))
    assert found == ((("a", "a"), ("a", "aa")), [("a", "aa")])


def first_rules(D: Dictionary) -> list[Rule]:
    """For each canonical token the first rule of canonical parts that makes it, which may not be the one that fires."""
    canonical = bpe.canonical(D)
    rules = [rule for rule in D.rules if canonical.issuperset(("".join(rule), *rule))]
    return [rule for i, rule in enumerate(rules) if "".join(rule) not in map("".join, rules[:i])]


def test_control_the_first_rule_of_each_token() -> None:
    """Of the right size, with canonical parts: only the texts show that another rule fires first."""
    found = check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), first_rules(D), lambda s: bpe.T(Dictionary(D.atoms, tuple(first_rules(D))), s)))
    assert found == ((("a", "a"), ("a", "aa"), ("aa", "a")), "aaa", ["aa", "a"], ["aaa"])


def kept_as(choose: Callable[[Dictionary], list[Rule]]) -> Any:
    return check.first(worlds.every_world(), lambda D: predicate(
        D, worlds.texts(D), choose(D), lambda s: bpe.T(Dictionary(D.atoms, tuple(choose(D))), s)))


def test_control_the_first_rules_of_all() -> None:
    """As many rules as are canonical."""
    found = kept_as(lambda D: list(D.rules[:len(bpe.canonical(D)) - len(D.atoms)]))
    assert found == ((("a", "aa"), ("a", "a")), [("a", "aa")])


def test_control_no_rules() -> None:
    assert kept_as(lambda D: []) == ((("a", "a"),), [])


def test_control_a_whole_piece_that_is_not_canonical() -> None:
    found = check.first(worlds.every_world(), lambda D: canonical_alone(
        D, worlds.texts(D), lambda s: bpe.piece(D.tokens, s, bpe.T(D, s))))
    assert found == ((("a", "aa"),), "aa", ["aa"], frozenset({"a"}))


# Limits
#   Distinct rules only. That normalizing finds these rules without running T on every token is proposition 6.

if __name__ == "__main__":
    check.alone(__file__)
