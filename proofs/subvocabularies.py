"""Random worlds out of one vocabulary: closed parts of it, which the statements check as they check any random world.

The definitions are too slow for a real vocabulary as a whole. So a few tokens are drawn, short ones as often as long
ones, and with them comes every token of the vocabulary that lies inside them (and inside two of them side by side):
that part is *closed*, so that its tokens are what the whole vocabulary makes of them. Now and then one or two entries
are left out again. While `worlds.OWN` holds these strategies, all strategies of the worlds draw from them.

Symbols of a BPE dictionary are renamed a, b, c, … in their order, since only their equality and order matter; `LEGEND`
holds the names of the last world drawn, which after a failure is the one that is shown.
"""
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from proofs import bpe_worlds, worlds
from proofs.definitions.bpe import Dictionary, Rule
from proofs.definitions.wordpiece import Vocabulary
from proofs.worlds import st

LONGEST_WORD = 14
LONGEST_TOKENS = (1, 2, 2, 3, 3, 4, 6, 8, 12)
"""How long the drawn tokens may be: one of these, drawn first."""
NAMES = string.ascii_letters + string.digits

LEGEND: dict[str, str] = {}
"""What the symbols of the last BPE world stand for."""
DRAWN = [0]
"""How many worlds were drawn of the vocabulary."""


class Lengths:
    """Tokens by length: those up to a length are the beginning of a list."""

    def __init__(self, tokens: Sequence[Any], length: Callable[[Any], int] = len) -> None:
        self.tokens = sorted(tokens, key=lambda token: (length(token), token))
        self.up_to = {longest: sum(length(token) <= longest for token in tokens) for longest in LONGEST_TOKENS}

    def some(self, draw: Any, most: int) -> list[Any]:
        """Between one and so many tokens up to a length that is drawn too; all lengths alike where none is so short."""
        count = self.up_to[draw(st.sampled_from(LONGEST_TOKENS))] or len(self.tokens)
        return [self.tokens[draw(st.integers(0, count - 1))] for _ in range(draw(st.integers(1, most)))]


def inside(text: Any) -> set[Any]:
    """All non-empty infixes of a text."""
    return {text[i:j] for i in range(len(text)) for j in range(i + 1, len(text) + 1)}


# --------------------------------------------------------------------------------------------------- WordPiece

def sub_vocabularies(V: Vocabulary) -> Any:
    """A strategy of closed parts of a WordPiece vocabulary, with its ♯ and its unknown token."""
    sharp = V.suffix_indicator
    by_length = Lengths(sorted(V.tokens - {""}), lambda token: len(token.removeprefix(sharp)))

    @st.composite
    def drawn(draw: st.DrawFn) -> Vocabulary:
        DRAWN[0] += 1
        bodies = [token.removeprefix(sharp) or token for token in by_length.some(draw, 3)]
        parts = inside("".join(bodies)[:LONGEST_WORD])
        closed = sorted({token for part in parts for token in (part, sharp + part) if token in V.tokens})
        return Vocabulary(frozenset(without_some(draw, closed)), sharp, V.unk_token)

    return drawn()


def without_some(draw: Any, entries: list[Any]) -> list[Any]:
    """All entries, or now and then all but one or two."""
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
        if entries:
            entries = [*entries[:(k := draw(st.integers(0, len(entries) - 1)))], *entries[k + 1:]]
    return entries


# --------------------------------------------------------------------------------------------------------- BPE

class Source:
    """A dictionary of rules in order, indexed by what they make."""

    def __init__(self, tokens: Sequence[Any], rules: Sequence[tuple[Any, Any]]) -> None:
        self.ranks: dict[Any, int] = {token: i for i, token in enumerate(tokens) if token}
        self.rules_of: dict[Any, list[tuple[int, Any, Any]]] = {}
        for i, (x, y) in enumerate(rules):
            self.rules_of.setdefault(x + y, []).append((i, x, y))
        self.by_length = Lengths(list(self.ranks))

    def closed(self, draw: Any) -> tuple[list[Any], set[Any]]:
        """The tokens inside some drawn ones, by their ids, and the symbols of them."""
        some = self.by_length.some(draw, 3)
        parts = set().union(*map(inside, some))
        if len(some) > 1 and sum(map(len, some[:2])) <= LONGEST_WORD:
            parts |= inside(some[0] + some[1])
        tokens = sorted((part for part in parts if part in self.ranks), key=lambda token: self.ranks[token])
        return tokens, {part for part in parts if len(part) == 1}


def renamed(symbols: set[Any]) -> Callable[[Any], str]:
    """Tokens with the symbols renamed a, b, c, … in their order."""
    names: dict[Any, str] = dict(zip(sorted(symbols), NAMES, strict=False))
    LEGEND.clear()
    LEGEND.update({name: repr(symbol) for symbol, name in names.items()})
    return lambda token: "".join(names[token[i:i + 1]] for i in range(len(token)))


def sub_dictionaries(source: Source) -> Any:
    """A strategy of closed parts of a dictionary: all its rules between tokens that lie inside the drawn ones."""
    @st.composite
    def drawn(draw: st.DrawFn) -> Dictionary:
        DRAWN[0] += 1
        tokens, symbols = source.closed(draw)
        name = renamed(symbols)
        rules = sorted(rule for token in tokens for rule in source.rules_of.get(token, ()))
        kept: list[Rule] = [(name(x), name(y)) for _, x, y in without_some(draw, rules)]
        return Dictionary(frozenset(map(name, symbols)), tuple(kept))

    return drawn()


def sub_tables(source: Source) -> Any:
    """A strategy of closed parts of a rank table; of a list of rules: its tokens in the order of their ids."""
    @st.composite
    def drawn(draw: st.DrawFn) -> Mapping[str, int]:
        DRAWN[0] += 1
        tokens, symbols = source.closed(draw)
        name = renamed(symbols)
        return {name(token): rank for rank, token in enumerate(without_some(draw, tokens))}

    return drawn()


# ----------------------------------------------------------------------------------------- in place of the others

@contextmanager
def drawing_from(vocabulary: Vocabulary | Source) -> Iterator[None]:
    """While it lasts, the worlds' strategies draw parts of this vocabulary."""
    if isinstance(vocabulary, Source):
        own = bpe_worlds.OWN
        strategies = {"dictionaries": sub_dictionaries(vocabulary), "tables": sub_tables(vocabulary)}
    else:
        own = worlds.OWN
        strategies = {"vocabularies": sub_vocabularies(vocabulary)}
    own.update(strategies)
    DRAWN[0] = 0
    try:
        yield
    finally:
        own.clear()
