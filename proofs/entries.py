"""Which entries of a vocabulary no text is given, as lines: how many for each reason, the first of them, and what their
text is given instead; and for some of the others a text that reaches them.

What is said is checked: each text that is named is run through the tokenizer, and no entry that is said never to be
given may come out of the texts drawn for the statements.
"""
import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from proofs import bpe_entries, vocabulary_check, wordpiece_entries

SHOWN = 6
REACHED = 8
TEXTS = 3_000
SEED = 7


@dataclass
class Entries:
    """The entries by what becomes of them."""

    total: int
    reached: int
    never: dict[str, list[Any]] = field(default_factory=dict)
    """by reason, in words: the entries that no text is given, or none that was tried"""
    instead: dict[Any, list[Any]] = field(default_factory=dict)
    """what the text of some of these is given"""
    words: dict[Any, str] = field(default_factory=dict)
    """texts for some of the entries that are not given for their own text alone"""
    wrong: list[str] = field(default_factory=list)
    """what is said above and does not stand the check"""
    tried: str = ""

    def lines(self) -> list[str]:
        count = self.total - self.reached
        said = [f"{self.reached:,} of {self.total:,} entries are given to some text; {count:,} are not"
                + (f", {self.tried}" if self.tried and count else "")]
        for reason, some in self.never.items():
            shown = ", ".join(self.shown(entry) for entry in some[:SHOWN])
            said.append(f"  {len(some):,}: {reason}\n      {shown}{', …' * (len(some) > SHOWN)}")
        if self.words:
            said.append("some that need another text than their own: "
                        + ", ".join(f"{readable(entry)} in {text!r}" for entry, text in self.words.items()))
        return said + [f"  WRONG: {line}" for line in self.wrong]

    def shown(self, entry: Any) -> str:
        given = self.instead.get(entry)
        return readable(entry) + (f" (its text: {' '.join(map(readable, given))})" if given is not None else "")


def readable(entry: Any) -> str:
    """An entry as it reads: bytes that are UTF-8 as their text.

    >>> print(readable("é".encode()), readable("é".encode()[:1]))
    'é' b'\\xc3'
    """
    if isinstance(entry, bytes):
        try:
            return repr(entry.decode())
        except UnicodeDecodeError:
            return repr(entry)
    return repr(entry)


def by_reason(entries: Iterable[Any], reason: Callable[[Any], str], names: dict[str, str]) -> dict[str, list[Any]]:
    """The entries by reason, those with most entries first."""
    found: dict[str, list[Any]] = {}
    for entry in entries:
        found.setdefault(names[reason(entry)], []).append(entry)
    return dict(sorted(found.items(), key=lambda item: -len(item[1])))


def of_wordpiece(subject: Any) -> Entries:
    """The entries of a WordPiece vocabulary: exact, by the trie with two roots."""
    tokenizer, V, one = subject.loaded.tokenizer, subject.part, subject.ones[1]
    longest = tokenizer.options.get("max_chars_per_word")
    characters = wordpiece_entries.Characters(tokenizer.normalizer)
    words = wordpiece_entries.shortest_words(one, characters, longest if isinstance(longest, int) else None)
    names = dict.fromkeys(token for token in tokenizer.vocabulary.tokens if token)
    left = [token for token in names if token not in words and token != V.unk_token]
    sharp = V.suffix_indicator
    found = Entries(len(names), len(names) - len(left), by_reason(
        left, lambda token: wordpiece_entries.reason(token, sharp, characters, longest), wordpiece_entries.REASONS))
    later = sorted((len(words[token]) - len(token), token) for token in words if token.startswith(sharp) and sharp)
    found.words = {token: words[token] for _, token in spread(later, REACHED)}
    found.wrong += [f"{word!r} is not given {token!r}" for token, word in words.items()
                    if token not in tokenizer.tokenize(word)]
    never = set(left)
    chance, some = random.Random(SEED), vocabulary_check.words(V)
    for text in (" ".join(chance.choices(some, k=5)) for _ in range(TEXTS)):
        found.wrong += [f"{text!r} is given {token!r}" for token in tokenizer.tokenize(text) if token in never]
    return found


def of_bpe(subject: Any) -> Entries:
    """The entries of a BPE vocabulary: found in a text, or not in any that was tried."""
    bpe, one = subject.loaded.tokenizer, subject.ones[0]
    model = bpe.model           # made anew whenever it is asked for
    tokens: list[Any] = list(model.tokens)
    added = {token.id for token in bpe.config.added_tokens}
    ids = [i for i, token in enumerate(tokens) if token and i not in added and i != model.unk_id]
    search = bpe_entries.search(bpe, ids)
    left = [i for i in ids if i not in search.texts]
    found = Entries(len(ids), len(ids) - len(left), tried=f"as far as {search.tried:,} texts tell")
    for reason, some in by_reason(left, lambda i: bpe_entries.reason(bpe, model, one, i), bpe_entries.REASONS).items():
        found.never[reason] = [tokens[i] for i in some]
        for i in [i for i in some[:SHOWN] if search.lacks.isdisjoint(bpe.decode_bytes([i]))]:
            found.instead[tokens[i]] = [bpe.token(j) for j in encoded(bpe, bpe_entries.spelling(bpe, i))]
    other = [i for i in ids if i in search.texts and search.texts[i] != bpe_entries.spelling(bpe, i)]
    found.words = {tokens[i]: search.texts[i] for i in spread(other, REACHED)}
    found.wrong += [f"{search.texts[i]!r} is not given {tokens[i]!r}" for i in ids[::max(1, len(ids) // TEXTS)]
                    if i in search.texts and i not in bpe.encode(search.texts[i])]
    never = {i for i in left if bpe_entries.reason(bpe, model, one, i) != "no utf-8"}
    chance = random.Random(SEED)
    spelled = [text for i in ids if isinstance(text := bpe_entries.spelling(bpe, i), str)
               and search.lacks.isdisjoint(text.encode())]
    for text in ("".join(chance.choices(spelled, k=6)) for _ in range(TEXTS)):
        found.wrong += [f"{text!r} is given {tokens[i]!r}" for i in bpe.encode(text) if i in never]
    return found


def spread(some: list[Any], most: int) -> list[Any]:
    """At most so many of a list, the last among them, all equally far apart."""
    step = -(-len(some) // most) if some else 1
    return some[::-1][::step][::-1]


def encoded(bpe: Any, text: Any) -> list[int]:
    return list(bpe.encode(text) if isinstance(text, str) else bpe.encode_bytes(text))
