"""The small worlds on which the statements are checked: everything up to a size, and random ones beyond it.

A world is a vocabulary and the strings to try on it. Enumerations are ordered by size: by the total length of the
tokens, then by their number, then alphabetically; strings by length, then alphabetically. So the first counterexample
that a sweep meets is a smallest one, and always the same one. The functions named `*_count` say how many worlds an
enumeration has by arithmetic; the checks assert that they met as many.
"""
import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache, wraps
from itertools import combinations, product
from math import comb
from pathlib import Path
from typing import Any

from linmaxmatch import default_vocabulary_path
from linmaxmatch.vocab_txt import load_vocab_txt
from proofs import kinds
from proofs.definitions.wordpiece import Vocabulary

try:
    from hypothesis import given as drawn
    from hypothesis import strategies as st
except ModuleNotFoundError:
    from proofs.without_hypothesis import given as drawn  # type: ignore[no-redef]
    from proofs.without_hypothesis import st  # type: ignore[no-redef]

__all__ = ["given", "st", "strings"]  # the statements and bpe_worlds take them from here


def given(*strategies: Any) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Hypothesis's `given`, by which the kinds of all worlds drawn are counted."""

    def decorate(test: Callable[..., None]) -> Callable[[], None]:
        @wraps(test)
        def counted(*worlds: Any, **named: Any) -> None:
            kinds.note(Path(test.__code__.co_filename).stem, (*worlds, *named.values()))
            test(*worlds, **named)

        decorated: Callable[[], None] = drawn(*strategies)(counted)  # type: ignore[no-untyped-call]
        return decorated

    return decorate


UNK = "?"
"""The token <unk> of the enumerated worlds: one character, which no enumerated string holds."""

LETTERS = "ab"
OUTSIDE = ("#", "##", "###")
INSIDE = ("a", "ab")
INDICATORS = ("", *OUTSIDE, *INSIDE)
"""The suffix indicators of the enumerations: empty, of letters that no word holds, of letters that words hold."""


def strings(alphabet: str, longest: int, shortest: int = 0) -> list[str]:
    """All strings over an alphabet, shortest first.

    >>> strings("ab", 2)
    ['', 'a', 'b', 'aa', 'ab', 'ba', 'bb']
    """
    return ["".join(letters) for length in range(shortest, longest + 1) for letters in product(alphabet, repeat=length)]


@cache
def by_size(candidates: tuple[str, ...], most: int | None = None) -> list[tuple[str, ...]]:
    """All sets of at most `most` of the candidates, smallest first."""
    largest = len(candidates) if most is None else most
    sets = [chosen for size in range(largest + 1) for chosen in combinations(sorted(candidates), size)]
    return sorted(sets, key=lambda tokens: (sum(map(len, tokens)), len(tokens), tokens))


def vocabularies(candidates: Iterable[str], indicator: str, most: int | None = None) -> Iterator[Vocabulary]:
    """A vocabulary from each set of at most `most` of the candidates, smallest first."""
    for tokens in by_size(tuple(sorted(set(candidates))), most):
        yield Vocabulary(frozenset(tokens), indicator, UNK)


def vocabularies_count(candidates: int, most: int | None = None) -> int:
    """How many sets of at most `most` there are of so many candidates."""
    return sum(comb(candidates, size) for size in range((candidates if most is None else min(most, candidates)) + 1))


# ------------------------------------------------------------------------------- every V of short pieces over {a, b}

def pieces(indicator: str, longest: int = 2) -> list[str]:
    """Literal and suffix tokens with bodies over {a, b} up to a length.

    >>> len(pieces("##")), len(pieces("a")), len(pieces(""))
    (12, 10, 6)
    """
    bodies = strings(LETTERS, longest, shortest=1)
    return sorted({*bodies, *(indicator + body for body in bodies)})


PIECE_VOCABULARIES = {"": 2**6, "#": 2**12, "##": 2**12, "###": 2**12, "a": 2**10, "ab": 2**12}
"""How many vocabularies of pieces there are, by ♯. ♯ = `a` makes two suffix tokens of two literals: `aa`, `ab`."""

LONGEST_WORD = 7
WORDS = 2**8 - 1
"""All words over {a, b} up to length 7."""


def every_piece_vocabulary(indicator: str) -> Iterator[Vocabulary]:
    """Every V of literal and suffix tokens with bodies over {a, b} up to length 2."""
    return vocabularies(pieces(indicator), indicator)


# --------------------------------------------------------------------- any strings as tokens: ♯ in V, parts of ♯, …

STRING_INDICATORS = ("", "a", "aa", "ab", "aaa")
STRING_CANDIDATES = 14


def every_string_vocabulary(indicator: str, most: int | None = 5) -> Iterator[Vocabulary]:
    """Every V of at most `most` strings over {a, b} up to length 3, where ♯ is made of these letters too.

    So ♯ may be a token, tokens may be proper parts of ♯, literal tokens may begin as ♯ does, and words too.
    """
    return vocabularies(strings(LETTERS, 3, shortest=1), indicator, most)


LONGER_CANDIDATES = 28


def longer_pieces(most: int = 3) -> Iterator[Vocabulary]:
    """Every V of at most `most` literal and suffix tokens with bodies up to length 3: nodes two deep that are no token.
    """
    return vocabularies(pieces("##", 3), "##", most)


LONG_CHAINS = ("a", "b", "aaaa", "aaab", "aabb", "abab", "aaabb", "##a", "##b", "##ab", "##aaa", "##aaab", "##abab")
"""Tokens of four and more letters over short ones: only then can F(v) hold two tokens, since a rest of one character
is a node if it can be popped."""


def long_chains(most: int = 5) -> Iterator[Vocabulary]:
    """Every V of at most `most` of them: F of several tokens, and several failure moves for one character."""
    return vocabularies(LONG_CHAINS, "##", most)


def small_vocabularies(most: int = 3) -> Iterator[Vocabulary]:
    """The worlds of the lemmas: at most `most` tokens from each family, over all its indicators, and long chains."""
    for indicator in INDICATORS:
        yield from vocabularies(pieces(indicator), indicator, most)
    for indicator in STRING_INDICATORS:
        yield from every_string_vocabulary(indicator, most)
    yield from longer_pieces(most)
    yield from long_chains(most + 2)


def small_vocabularies_count(most: int = 3) -> int:
    """How many there are: 9,827 of at most three tokens (five of the long chains).

    >>> small_vocabularies_count(), small_vocabularies_count(2)
    (9827, 2424)
    """
    return (sum(vocabularies_count(len(pieces(indicator)), most) for indicator in INDICATORS)
            + len(STRING_INDICATORS) * vocabularies_count(STRING_CANDIDATES, most)
            + vocabularies_count(LONGER_CANDIDATES, most) + vocabularies_count(len(LONG_CHAINS), most + 2))


def shown(V: Vocabulary) -> tuple[tuple[str, ...], str]:
    """A vocabulary as a witness shows it: its tokens, <unk> left out, and ♯."""
    return tuple(sorted(V.tokens - {V.unk_token})), V.suffix_indicator


# ------------------------------------------------------------------------------------------------- end to end

PUNCTUATION = "#."
MARKED_LETTERS = "a"
TEXT_INDICATORS = ("", "#", "##", "###", "a", "a#", "#a", ".#")


def is_punctuation(c: str) -> bool:
    """The punctuation of the text worlds."""
    return c in PUNCTUATION


def is_whitespace(c: str) -> bool:
    """The white space of the text worlds."""
    return c == " "


def text_tokens(indicator: str) -> list[str]:
    """Candidates for end-to-end vocabularies: words, marks, suffix tokens of both, and tokens that mix them.

    >>> text_tokens("##")
    ['#', '##', '###', '##.', '##a', '##aa', '#a', '.', '..', 'a', 'a#', 'aa']
    """
    plain = ["a", "aa", "#", "##", "###", ".", "..", "#a", "a#"]
    return sorted({*plain, *(indicator + body for body in ("a", "aa", "#", "."))})


def every_text_vocabulary(indicator: str, most: int = 3) -> Iterator[Vocabulary]:
    """Every V of at most `most` of the end-to-end candidates."""
    return vocabularies(text_tokens(indicator), indicator, most)


def texts(longest: int) -> list[str]:
    """All texts over a letter, two punctuation marks and a space."""
    return strings(MARKED_LETTERS + PUNCTUATION + " ", longest)


SPACED_TOKENS = ("a", "a a", " a", "#", "##", "###", "##a", "##a#", "##a a", "a#", "#a")
"""Tokens that no word can be, and tokens of which a word cannot be made since a mark is always a word by itself."""


def spaced_vocabularies(most: int = 3) -> Iterator[Vocabulary]:
    """Every V of at most `most` of them."""
    return vocabularies(SPACED_TOKENS, "##", most)


# ------------------------------------------------------------------------------------------------- random worlds

RANDOM_INDICATORS = ("", "#", "##", "###", "a", "aa", "ab", "aba", "@", "Ġ", "##b")
UNKNOWN = "zé\0"

OWN: dict[str, Any] = {}
"""Strategies that stand in for the random ones below while a vocabulary of one's own is checked."""


@st.composite
def random_vocabularies(draw: st.DrawFn) -> Vocabulary:
    """Vocabularies whose tokens nest, overlap and repeat letters, some letters missing, ♯ inside tokens or a token."""
    if OWN:
        return draw(OWN["vocabularies"])  # type: ignore[no-any-return]
    alphabet = draw(st.sampled_from(["a", "ab", "abc", "ab#", "abcd", "aé漢"]))
    indicator = draw(st.sampled_from(RANDOM_INDICATORS))
    letters = st.sampled_from(alphabet)
    bodies = draw(st.lists(st.text(letters, min_size=1, max_size=3), max_size=5))
    for _ in range(draw(st.integers(0, 6))):
        if bodies:
            first, second = draw(st.sampled_from(bodies)), draw(st.sampled_from(bodies))
            grown = [first + second, first[:-1] + second, first + first, second[1:] + first]
            bodies.append(draw(st.sampled_from(grown))[:12] or first)
    run = draw(st.integers(0, 6))
    tokens = {"a" * run} - {""}
    for body in bodies:
        tokens.update(draw(st.sampled_from([[body], [indicator + body], [body, indicator + body],
                                            [body[:1] + indicator + body[1:]]])))
    if draw(st.integers(0, 3)) == 0:
        tokens.update(indicator[:k] for k in range(1, len(indicator) + 1) if draw(st.booleans()))
    return Vocabulary(frozenset(tokens), indicator, draw(st.sampled_from(["<unk>", "[UNK]", "ab", UNK])))


def bodies_after(V: Vocabulary) -> list[str]:
    """What may follow a first piece: the bodies of the suffix tokens."""
    sharp = V.suffix_indicator
    return sorted(t[len(sharp):] for t in V.tokens if t.startswith(sharp) and t != sharp)


@st.composite
def covered_words(draw: st.DrawFn, V: Vocabulary) -> str:
    """A token and then bodies of suffix tokens: WordPiece may still miss it, since it takes longest pieces."""
    later = bodies_after(V)
    rest = draw(st.lists(st.sampled_from(later), max_size=6)) if later else []
    return draw(st.sampled_from(sorted(V.tokens))) + "".join(rest)


@st.composite
def random_words(draw: st.DrawFn, V: Vocabulary, longest: int = 40) -> str:
    """Words that V covers or nearly covers: also parts of tokens, letters, ♯ (at the start too), unknown characters."""
    sharp = V.suffix_indicator
    word = draw(covered_words(V))
    change = draw(st.integers(0, 6))
    if change == 1:
        word = sharp + word
    elif change == 2:
        word = sharp[:1] + word
    elif change == 3:
        word = word[:draw(st.integers(0, len(word)))]
    elif change == 4:
        letters = sorted({c for t in V.tokens for c in t}) + list(UNKNOWN) + [sharp]
        at = draw(st.integers(0, len(word)))
        word = word[:at] + draw(st.sampled_from(letters)) + word[at:]
    elif change == 5:
        any_order = st.sampled_from(sorted(V.tokens | {sharp} | set(bodies_after(V))))
        word = "".join(draw(st.lists(any_order, max_size=6)))
    elif change == 6:
        word = sharp + word[:draw(st.integers(0, 1))]
    return word[:longest]


@st.composite
def random_worlds(draw: st.DrawFn, words: int = 5) -> tuple[Vocabulary, list[str]]:
    """A random vocabulary and random words for it."""
    V = draw(random_vocabularies())
    return V, draw(st.lists(random_words(V), min_size=1, max_size=words))


@cache
def real_tokens() -> tuple[str, ...]:
    """The tokens of bert-base-uncased where it is at hand, else of the vocabulary that comes with the package."""
    file = Path(os.environ.get("TOKENIZER_DATA", ""), "vocabs", "bert-base-uncased-vocab.txt")
    return load_vocab_txt(file if file.exists() else default_vocabulary_path()).tokens


@st.composite
def real_worlds(draw: st.DrawFn, words: int = 5) -> tuple[Vocabulary, list[str]]:
    """Some tokens of a real vocabulary with all those that are parts of them, a few of these left out; words of them."""
    if OWN:
        return draw(random_worlds(words))
    tokens = real_tokens()
    whole = "".join(draw(st.lists(st.sampled_from(tokens), min_size=1, max_size=2))).replace("##", "")[:9]
    parts = {whole[i:j] for i in range(len(whole)) for j in range(i + 1, len(whole) + 1)}
    found = sorted(t for t in real_set() if t.removeprefix("##") in parts)
    V = Vocabulary(frozenset(t for t in found if draw(st.integers(0, 4))) | {whole[:1]}, "##", "[UNK]")
    return V, [whole, *draw(st.lists(random_words(V), min_size=1, max_size=words))]


@cache
def real_set() -> frozenset[str]:
    """The real tokens of at most eight characters: longer ones are parts of few."""
    return frozenset(t for t in real_tokens() if len(t.removeprefix("##")) <= 8)


@st.composite
def random_text_worlds(draw: st.DrawFn) -> tuple[Vocabulary, list[str]]:
    """A vocabulary with marks in and around its tokens, and texts of its tokens, marks, spaces and unknowns."""
    indicator = draw(st.sampled_from((*TEXT_INDICATORS, "##a", "@", "a.b", "-")))
    plain = st.text(st.sampled_from("aab"), min_size=1, max_size=3)
    mixed = st.text(st.sampled_from("ab#.-"), min_size=1, max_size=4)
    literal, body = st.one_of(plain, plain, st.sampled_from("#.-"), mixed), st.one_of(plain, plain, mixed)
    tokens = set(draw(st.lists(literal, max_size=8))) | {indicator + x for x in draw(st.lists(body, max_size=6))}
    V = Vocabulary(frozenset(tokens), indicator, draw(st.sampled_from(["<unk>", "#", "a"])))
    if OWN:
        V = draw(OWN["vocabularies"])
    part = st.one_of(covered_words(V), covered_words(V), st.just(" "), st.sampled_from("ab#.- z"),
                     st.sampled_from([" ", "  ", ".z", "##", "#a", "...", "a.", indicator]))
    return V, draw(st.lists(st.lists(part, max_size=9).map("".join), min_size=1, max_size=4))
