"""Proposition 25: while a text repeats, so does θ.

Statement
    Let L be the length of the longest canonical token, s a text, θ_t the last token of its first t symbols, and q > 0,
    t - q >= L. If θ_{t-j} = θ_{t-q-j} for all j < L, and s goes on behind t as it did behind t - q, then θ goes on as it
    did, for as long. So the tokens of a long run of anything are known from where θ was once seen to repeat, and the
    tokenizer, which looks for that where most longest suffix tokens are not valid, gives what rank BPE gives.

Why
    The last symbols of L tokens that agree are L symbols that agree, so with one more symbol on both sides the longest
    suffix token is the same, and so is its chain. What a token of the chain asks for is θ at most L symbols earlier, which
    agrees too: the same ones are valid (Theorem 4.2, Proposition 5), and θ is the same. By induction it goes on.
"""
from collections.abc import Callable
from typing import Any

import incbpe
from proofs import bpe_worlds as worlds
from proofs import check
from proofs.bpe_compiled import Compiled, dictionary
from proofs.definitions import bpe
from proofs.definitions.bpe import Dictionary

RUNS = ["a" * 18]
LONG_RUNS = ["a" * 1400]
LONG_WORDS = ["a" * 1100 + "b" + "a" * 1200 + "ba", "b" * 5 + "aab" * 500 + "abb" * 400]
"""Long enough for the tokenizer to look for repetitions, which end, and begin anew."""
WORDS = ["ab" * 7, "aab" * 5, "abb" * 4 + "ab", "a" * 6 + "b" * 6, "abaab" * 3]
Thetas = Callable[[str], list[str | None]]
Holds = Callable[[list[str | None], int, int, int], bool]


def longest(D: Dictionary) -> int:
    return max(map(len, bpe.canonical(D)))


def agree(θ: list[str | None], t: int, q: int, window: int) -> bool:
    """The hypothesis."""
    return all(θ[t - j] == θ[t - q - j] for j in range(window))


# Predicate
def predicate(D: Dictionary, texts: list[str], thetas: Thetas, window: int, hypothesis: Holds = agree) -> Any:
    """None if θ repeats as long as the text does wherever the hypothesis holds; else the first place where it does not."""
    for s in texts:
        θ: list[str | None] = [None, *thetas(s)]
        for t in range(window + 1, len(s)):
            for q in range(1, t - window + 1):
                if hypothesis(θ, t, q, window):
                    v = t + 1
                    while v <= len(s) and s[v - 1] == s[v - 1 - q]:
                        if θ[v] != θ[v - q]:
                            return worlds.shown(D), s, (t, q, v), θ[v], θ[v - q]
                        v += 1
    return None


def encoded(D: Dictionary, texts: list[str], encode: Callable[[str], list[str]]) -> Any:
    """None if each text's tokens are those of rank BPE; else the first text, the place, and what they are there."""
    made = dictionary(D)
    for s in texts:
        found, wanted = encode(s), incbpe.rank_bpe(made, s)
        if found != wanted:
            k = next(k for k in range(len(wanted) + 1) if found[:k + 1] != wanted[:k + 1])
            return worlds.shown(D), len(s), k, found[k:k + 1], wanted[k:k + 1]
    return None


def tokenizer(D: Dictionary) -> Callable[[str], list[str]]:
    """The compiled tokenizer over characters."""
    names = sorted(D.tokens)
    made: Any = incbpe.BPE(incbpe.Config(incbpe.Model(tuple(names), D.rules), "tokenizers", "none"))
    return lambda s: [names[i] for i in made.encode(s)]


def holds_compiled(D: Dictionary, texts: list[str], long: list[str]) -> Any:
    layer = Compiled(D)
    for N in (layer.N, layer.rank):
        def thetas(s: str, N: Any = N) -> list[str | None]:
            inc = incbpe.Incremental(N)
            inc.extend(s)
            found: Any = inc.thetas()
            return list(found)

        window = max(len(z) for z in D.tokens if N.is_canonical(z))
        witness = predicate(D, texts, thetas, window)
        if witness is not None:
            return witness
    return encoded(D, long, tokenizer(D))


# Exhaustive
def exhaustive(every: int = 1) -> int:
    """One in ten of the 1,957 lists of splits of a…aaaa, and one in 50 of the 7,241 lists over {a, b}."""
    count = check.sweep(worlds.run_worlds(), lambda D: holds_compiled(D, RUNS, LONG_RUNS), worlds.RUN_WORLDS, 10 * every,
                        len(RUNS) + len(LONG_RUNS))
    return count + check.sweep(worlds.pair_worlds(), lambda D: holds_compiled(D, WORDS, LONG_WORDS), worlds.PAIR_WORLDS,
                               50 * every, len(WORDS) + len(LONG_WORDS))


def test_exhaustive() -> None:
    exhaustive()


# Random
@worlds.given(worlds.random_worlds(texts=2))
def test_random(world: tuple[Dictionary, list[str]]) -> None:
    D, texts = world
    check.hold(holds_compiled(D, [(s * 40)[:40 + len(s)] for s in texts], [(s * 1300)[:1300 + len(s)] for s in texts]))


# Control
def wrong(hypothesis: Holds = agree, less: int = 0) -> Any:
    return check.first(worlds.every_world(), lambda D: predicate(
        D, RUNS if len(D.atoms) == 1 else WORDS, lambda s: [bpe.θ(D, x) for x in bpe.prefixes(s)], max(longest(D) - less, 1),
        hypothesis))


def test_control_a_window_two_symbols_short() -> None:
    """One is enough but for the pair search, which asks for θ before the whole token."""
    assert wrong(less=2) == ((("a", "a"), ("b", "aa")), "aabaabaabaabaab", (4, 3, 5), "baa", "aa")


def test_control_the_text_alone() -> None:
    """A text that repeats for so long, whatever its tokens."""
    assert wrong(lambda θ, t, q, window: all((θ[t - j] or "")[-1:] == (θ[t - q - j] or "")[-1:] for j in range(window))
                 ) == ((("a", "a"),), "a" * 18, (3, 1, 4), "aa", "a")


def test_control_going_on_by_the_longest_token() -> None:
    """As if a run were cut into longest tokens, from its beginning on."""
    def encode(D: Dictionary, s: str) -> list[str]:
        z = max(bpe.canonical(D), key=lambda z: (len(z), z))
        return [z] * (len(s) // len(z)) + incbpe.rank_bpe(dictionary(D), s[len(s) // len(z) * len(z):])

    assert check.first(worlds.run_worlds(), lambda D: encoded(D, RUNS, lambda s: encode(D, s))) == (
        (("a", "a"), ("aa", "a")), 18, 0, ["aaa"], ["aa"])


# Limits
#   Texts of about 2,700 symbols in the small worlds; longer ones, and tokens of 4,096, are in tests/ and benchmarks/.

if __name__ == "__main__":
    check.alone(__file__)
