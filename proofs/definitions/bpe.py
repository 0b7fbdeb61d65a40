"""Incremental BPE Tokenization (arXiv 2605.30813), read aloud.

A token *is* its string, a list of tokens is a list of strings, and no result is ∅ but None. Every symbol is a function
of exactly the paper's arguments and is as slow as its definition. Where a statement also speaks of rank BPE, the last
argument says which of the two tokenizers is meant; left out, it is T of equation (1).

Notation   D dictionary · r = (x, y) a rule, i its index · s a text · φ a list of tokens · z a token, also w, x, y
           T_r, T_D, PQ · θ(s) · pre(z), suc(z), prio(z) · tin, tout · b a position in s · d the automaton's depth
"""
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise, product

Rule = tuple[str, str]


@dataclass(frozen=True)
class Dictionary:
    """D: the atoms Σ, each one symbol, and the rules r_i = (x_i, y_i) in order, each of which makes x_i y_i.

    >>> D = Dictionary(frozenset("ab"), (("a", "b"),))
    >>> sorted(D.tokens)
    ['a', 'ab', 'b']
    """

    atoms: frozenset[str]
    rules: tuple[Rule, ...]

    @property
    def tokens(self) -> frozenset[str]:
        """V: the atoms, and the parts and products of all rules."""
        return self.atoms | {t for x, y in self.rules for t in (x, y, x + y)}


Tokenizer = Callable[[Dictionary, str], list[str]]


def suffixes(s: str) -> list[str]:
    """All non-empty suffixes of s, shortest first.

    >>> suffixes("abc")
    ['c', 'bc', 'abc']
    """
    return [s[start:] for start in reversed(range(len(s)))]


def prefixes(s: str) -> list[str]:
    """All non-empty prefixes of s, shortest first."""
    return [s[:end] for end in range(1, len(s) + 1)]


# ------------------------------------------------------------------------------------------- T_r, T_D: equation (1)

def apply_rule(rule: Rule, tokens: list[str]) -> list[str]:
    """T_r(φ): one pass from left to right that replaces each adjacent x, y by xy; what it makes it does not look at.

    >>> apply_rule(("a", "a"), ["a", "a", "a"])
    ['aa', 'a']
    """
    made, i = [], 0
    while i < len(tokens):
        if tuple(tokens[i:i + 2]) == rule:
            made.append(tokens[i] + tokens[i + 1])
            i += 2
        else:
            made.append(tokens[i])
            i += 1
    return made


def T(D: Dictionary, s: str) -> list[str]:
    """T_D(s), equation (1): every rule once, in order, on the symbols of s. A symbol that is no atom stays alone.

    >>> T(Dictionary(frozenset("a"), (("aa", "a"), ("a", "a"))), "aaa")
    ['aa', 'a']
    """
    tokens = list(s)
    for rule in D.rules:
        tokens = apply_rule(rule, tokens)
    return tokens


# --------------------------------------------------------------------------------------------------------- rank BPE

def lowest_pair(D: Dictionary, tokens: list[str]) -> int | None:
    """Where the leftmost adjacent pair of lowest rank begins; None if no adjacent pair is a rule."""
    pairs = list(pairwise(tokens))
    ranked = [(D.rules.index(pair), place) for place, pair in enumerate(pairs) if pair in D.rules]
    return min(ranked)[1] if ranked else None


def PQ(D: Dictionary, s: str) -> list[str]:
    """PQ(s), rank BPE: merge the leftmost pair of lowest rank, again and again, until no pair is a rule.

    >>> PQ(Dictionary(frozenset("a"), (("aa", "a"), ("a", "a"))), "aaa")
    ['aaa']
    """
    tokens = list(s)
    while (place := lowest_pair(D, tokens)) is not None:
        tokens = [*tokens[:place], tokens[place] + tokens[place + 1], *tokens[place + 2:]]
    return tokens


def proper(D: Dictionary) -> bool:
    """Whether D is proper: both tokenizers agree on every token of D."""
    return all(PQ(D, z) == T(D, z) for z in D.tokens)


# ---------------------------------------------------------------------------------------- θ, and the canonical tokens

def θ(D: Dictionary, s: str, tokenize: Tokenizer = T) -> str | None:
    """θ(s): the last token of T(s); None if s is empty."""
    return tokenize(D, s)[-1] if s else None


theta = θ


@cache
def canonical(D: Dictionary, tokenize: Tokenizer = T) -> frozenset[str]:
    """The canonical tokens: those z with T(z) = [z].

    >>> sorted(canonical(Dictionary(frozenset("a"), (("a", "a"), ("a", "aa")))))
    ['a', 'aa']
    """
    return frozenset(z for z in D.tokens if tokenize(D, z) == [z])


def rules_fired(D: Dictionary, s: str) -> list[int]:
    """The indices of the rules that changed something when T_D was run on s, in order."""
    tokens, fired = list(s), []
    for i, rule in enumerate(D.rules):
        after = apply_rule(rule, tokens)
        if after != tokens:
            fired.append(i)
        tokens = after
    return fired


def rules_merged(D: Dictionary, s: str) -> list[int]:
    """The indices of the rules by which rank BPE merged s, in order."""
    tokens, merged = list(s), []
    while (place := lowest_pair(D, tokens)) is not None:
        merged.append(D.rules.index((tokens[place], tokens[place + 1])))
        tokens = [*tokens[:place], tokens[place] + tokens[place + 1], *tokens[place + 2:]]
    return merged


@cache
def prio(D: Dictionary, z: str, tokenize: Tokenizer = T) -> int | None:
    """prio(z): the index of z's canonical rule, which is the rule that fired last on z; None for an atom.

    >>> prio(Dictionary(frozenset("ab"), (("b", "b"), ("a", "b"), ("ab", "b"), ("a", "bb"))), "abb")
    3
    """
    fired = rules_fired(D, z) if tokenize is T else rules_merged(D, z)
    return fired[-1] if fired else None


def pre(D: Dictionary, z: str, tokenize: Tokenizer = T) -> str | None:
    """pre(z): the left part of z by its canonical rule; None for an atom."""
    i = prio(D, z, tokenize)
    return None if i is None else D.rules[i][0]


def suc(D: Dictionary, z: str, tokenize: Tokenizer = T) -> str | None:
    """suc(z): the right part of z by its canonical rule; None for an atom."""
    i = prio(D, z, tokenize)
    return None if i is None else D.rules[i][1]


def only_canonical_rules(D: Dictionary) -> Dictionary:
    """D with the canonical rules of its canonical tokens only, in the same order."""
    kept = sorted(i for z in canonical(D) if (i := prio(D, z)) is not None)
    return Dictionary(D.atoms, tuple(D.rules[i] for i in kept))


# ------------------------------------------------------------------------------ the successor forest (Section 3.4)

def root_path(D: Dictionary, z: str) -> list[str]:
    """z, suc(z), suc(suc(z)), … down to an atom: the path from z to its root.

    >>> root_path(Dictionary(frozenset("ab"), (("b", "b"), ("a", "bb"))), "abb")
    ['abb', 'bb', 'b']
    """
    after = suc(D, z)
    return [z] if after is None else [z, *root_path(D, after)]


def children(D: Dictionary, y: str) -> list[str]:
    """The children of y in the successor forest, those z with suc(z) = y: the latest rule first."""
    return sorted((z for z in canonical(D) if suc(D, z) == y), key=lambda z: -(prio(D, z) or 0))


def below(D: Dictionary, y: str) -> list[str]:
    """y and all its descendants, depth first in preorder."""
    return [y] + [z for child in children(D, y) for z in below(D, child)]


@cache
def preorder(D: Dictionary) -> tuple[str, ...]:
    """The successor forest depth first in preorder: roots in sorted order, children latest rule first."""
    return tuple(z for root in sorted(canonical(D)) if suc(D, root) is None for z in below(D, root))


def tin(D: Dictionary, z: str | None) -> int:
    """tin(z): the place of z in preorder. "None", and whatever is no canonical token, come after all.

    >>> D = Dictionary(frozenset("ab"), (("b", "b"), ("a", "bb")))
    >>> [tin(D, z) for z in ("a", "b", "bb", "abb", None, "?")]
    [0, 1, 2, 3, 4, 4]
    """
    order = preorder(D)
    return order.index(z) if z in order else len(order)


def tout(D: Dictionary, z: str) -> int:
    """tout(z): the place behind the last descendant of z."""
    return tin(D, z) + len(below(D, z))


# ----------------------------------------------------------------- valid suffix tokens (Definition 4.1, Section 4.3)

def chain(D: Dictionary, s: str, tokenize: Tokenizer = T) -> list[str]:
    """chain(s): the canonical tokens that s ends with, shortest first.

    >>> chain(Dictionary(frozenset("ab"), (("b", "b"), ("a", "bb"))), "aabb")
    ['b', 'bb', 'abb']
    """
    return [z for z in suffixes(s) if z in canonical(D, tokenize)]


def w(D: Dictionary, z: str, s: str) -> str | None:
    """w_z(s) = θ(s without suc(z)), for a token z that s ends with and that is no atom."""
    after = suc(D, z)
    assert after is not None and s.endswith(z)
    return θ(D, s[:-len(after)])


def follows(D: Dictionary, z: str, last: str | None) -> bool:
    """Whether z is valid where w_z is `last`: it is x = pre(z), or lies below x by a child of x later than z is.

    An atom is always valid.
    """
    x, i = pre(D, z), prio(D, z)
    if i is None or last == x:
        return True
    if last not in canonical(D):
        return False
    path = root_path(D, last)
    if x not in path:
        return False
    c = path[path.index(x) - 1]
    c_prio = prio(D, c)
    assert c_prio is not None
    return c_prio > i


def valid(D: Dictionary, z: str, s: str) -> bool:
    """valid(z, s), Definition 4.1: the prefix last-token condition.

    >>> D = Dictionary(frozenset("a"), (("a", "a"),))
    >>> valid(D, "aa", "aa"), valid(D, "aa", "aaa")
    (True, False)
    """
    return suc(D, z) is None or follows(D, z, w(D, z, s))


def valid_range(D: Dictionary, z: str) -> tuple[int, int]:
    """(lo, hi): z is valid iff lo <= tin(w) < hi (Section 4.3). For an atom, all numbers.

    >>> valid_range(Dictionary(frozenset("ab"), (("b", "b"), ("a", "bb"))), "abb")
    (0, 1)
    """
    x, i = pre(D, z), prio(D, z)
    if x is None or i is None:
        return 0, len(preorder(D)) + 1
    too_early = [c for c in children(D, x) if (prio(D, c) or 0) <= i]
    return tin(D, x), tin(D, too_early[0]) if too_early else tout(D, x)


def in_range(D: Dictionary, z: str, last: str | None) -> bool:
    """Whether z is valid where w_z is `last`, by the range."""
    lo, hi = valid_range(D, z)
    return lo <= tin(D, last) < hi


# ----------------------------------------------------------------------- rank BPE on any list: the pair test (P5)

def pairs_with(D: Dictionary, left: str | None, z: str, tokenize: Tokenizer = PQ) -> bool:
    """Whether z stays whole behind `left`: tokenize(left z) = [left, z]. Nothing on the left is no obstacle."""
    return left is None or tokenize(D, left + z) == [left, z]


def pair_search(D: Dictionary, s: str, tokenize: Tokenizer = PQ) -> list[str]:
    """All canonical suffixes z of s with z = s, or that pair with θ(s without z); P5 says that there is one.

    >>> pair_search(Dictionary(frozenset("a"), (("aa", "a"), ("a", "a"))), "aaaa")
    ['a']
    """
    return [z for z in chain(D, s, tokenize) if pairs_with(D, θ(D, s[:-len(z)], tokenize), z, tokenize)]


# ------------------------------------------------------------------------------------------- eager output (Section 6)

def extended(D: Dictionary, x: str, tokenize: Tokenizer = T) -> list[str]:
    """The canonical tokens that x is a proper prefix of."""
    return sorted(z for z in canonical(D, tokenize) if z.startswith(x) and z != x)


def depth(D: Dictionary, s: str, tokenize: Tokenizer = T) -> int:
    """d: the length of the longest suffix of s with which a canonical token begins; the automaton's depth after s."""
    return max((len(x) for x in suffixes(s) if any(z.startswith(x) for z in canonical(D, tokenize))), default=0)


def window(D: Dictionary, s: str, tokenize: Tokenizer = T) -> list[int]:
    """The b of the window criterion, the paper's: all of [|s| - d, |s|]."""
    return list(range(len(s) - depth(D, s, tokenize), len(s) + 1))


def chain_ends(D: Dictionary, s: str, tokenize: Tokenizer = T) -> list[int]:
    """The b of the chain criterion: |s|, and those b where s[b:] is a proper prefix of a canonical token."""
    return [b for b in range(len(s)) if extended(D, s[b:], tokenize)] + [len(s)]


def maximal_ends(D: Dictionary, s: str, tokenize: Tokenizer = T) -> list[int]:
    """The b of the maximal criterion: |s|, and those b where a canonical z properly extends s[b:], θ(s[:b] z) = z."""
    return [b for b in range(len(s))
            if any(θ(D, s[:b] + z, tokenize) == z for z in extended(D, s[b:], tokenize))] + [len(s)]


ENDS = {"window": window, "chain": chain_ends, "maximal": maximal_ends}
"""The positions where the last token that begins within s may begin, by criterion."""


def common_prefix(lists: list[list[str]]) -> list[str]:
    """The tokens with which all the lists begin.

    >>> common_prefix([["a", "b", "c"], ["a", "b"], ["a", "b", "d"]])
    ['a', 'b']
    """
    shortest = min(lists, key=len)
    agreed = [k for k in range(len(shortest) + 1) if all(tokens[:k] == shortest[:k] for tokens in lists)]
    return shortest[:max(agreed)]


def eager(D: Dictionary, s: str, criterion: str, tokenize: Tokenizer = T) -> list[str]:
    """The tokens released after s: those with which T(s[:b]) begins for every b of the criterion.

    The `reference` is what the authors' code releases: of the window's, those that end before |s| - d, for good.

    >>> D = Dictionary(frozenset("b"), (("b", "b"),))
    >>> [len(eager(D, "bb", criterion)) for criterion in ("reference", "window", "chain", "maximal")]
    [0, 0, 0, 1]
    """
    if criterion == "reference":
        return max(([], *(strictly_before_the_window(D, x, tokenize) for x in prefixes(s))), key=len)
    return common_prefix([tokenize(D, s[:b]) for b in ENDS[criterion](D, s, tokenize)])


def strictly_before_the_window(D: Dictionary, s: str, tokenize: Tokenizer = T) -> list[str]:
    """The tokens that the window criterion releases and that end strictly before |s| - d."""
    tokens = eager(D, s, "window", tokenize)
    return [z for k, z in enumerate(tokens) if len("".join(tokens[:k + 1])) < len(s) - depth(D, s, tokenize)]


def continuations(D: Dictionary, longest: int) -> Iterator[str]:
    """All strings of atoms up to a length, shortest first."""
    return ("".join(u) for length in range(longest + 1) for u in product(sorted(D.atoms), repeat=length))


def agreed(D: Dictionary, s: str, longest: int, tokenize: Tokenizer = T) -> list[str]:
    """The tokens with which T(su) begins for every continuation u up to a length: all that can be said after s."""
    return common_prefix([tokenize(D, s + u) for u in continuations(D, longest)])


# ------------------------------------------------------------------------------------ rank tables (P2) and pieces (P3)

Ranks = dict[str, int]


def splits(ranks: Ranks) -> Dictionary:
    """The list of all splits of each token of a rank table, by rank. Each symbol is an atom, in the table or not.

    >>> splits({"a": 0, "ab": 1}).rules
    (('a', 'b'),)
    """
    atoms = frozenset(c for t in ranks for c in t)
    parts = atoms | set(ranks)
    return Dictionary(atoms, tuple((t[:k], t[k:]) for t in sorted(ranks, key=lambda t: ranks[t])
                                   for k in range(1, len(t)) if t[:k] in parts and t[k:] in parts))


def merge_by_rank(ranks: Ranks, s: str) -> list[str]:
    """What a rank table does to a piece: join the leftmost adjacent two that make the token of lowest rank, and again.

    >>> merge_by_rank({"a": 0, "aaaa": 1, "aa": 2}, "aaaaa")
    ['aaaa', 'a']
    """
    tokens = list(s)
    while True:
        joined = [x + y for x, y in pairwise(tokens)]
        ranked = [(ranks[z], place) for place, z in enumerate(joined) if z in ranks]
        if not ranked:
            return tokens
        place = min(ranked)[1]
        tokens = [*tokens[:place], joined[place], *tokens[place + 2:]]


def piece(tokens: frozenset[str], s: str, merged: list[str]) -> list[str]:
    """A piece with the whole-piece shortcut: itself if it is a token, else what merging made of it.

    >>> piece(frozenset({"aca"}), "aca", ["a", "c", "a"])
    ['aca']
    """
    return [s] if s in tokens else merged
