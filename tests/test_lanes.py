"""Words side by side: the ids of Algorithm 1 on each word, in every way, whatever is beside it."""
import itertools
import random
from collections.abc import Iterator

import pytest

from linmaxmatch import WordPiece, lanes
from linmaxmatch.lanes import side_by_side
from subwordio.vectors import ways

LETTERS = "abcd\u0434\u4e2d"
# Of several lengths, nested and overlapping, with states between that are no tokens; d is no token inside a word.
TOKENS = ["[UNK]", "a", "b", "c", "d", "\u0434", "abcab", "aaaab", "\u4e2d\u0434", "##a", "##b", "##c", "##ab",
          "##bcabc", "##aaab", "##\u0434", "##\u4e2d", "##\u0434\u0434\u4e2d"]


@pytest.fixture(params=ways())
def way(request: pytest.FixtureRequest) -> Iterator[int]:
    lanes.use_way(request.param)
    yield request.param
    lanes.use_way(ways()[-1])


def word(draw: random.Random) -> str:
    letters = draw.choice([LETTERS, "ab", "abc", "a", "\u0434\u4e2d", "d" + LETTERS, "z"])
    return "".join(draw.choices(letters, k=draw.choice([1, 1, 2, 3, 5, 8, 13, 30, 70])))


def expected(tokenizer: WordPiece, words: list[str], cap: int | None, in_bytes: bool) -> list[int]:
    ids: list[int] = []
    for one in words:
        too_long = cap is not None and len(one.encode() if in_bytes else one) > cap
        ids += [0] if too_long else tokenizer.encode_word(one)
    return ids


@pytest.mark.parametrize("tokens", [TOKENS, TOKENS[:9], ["[UNK]", "a"]], ids=["all", "no suffixes", "one"])
@pytest.mark.parametrize(("cap", "in_bytes"), [(None, False), (5, False), (5, True)])
def test_each_stretch_gets_the_ids_of_its_words(tokens: list[str], cap: int | None, in_bytes: bool) -> None:
    """Stretches of no word or of many, fewer or more of them than there are lanes."""
    tokenizer, draw = WordPiece(tokens, normalizer=None), random.Random(len(tokens))
    for n, most in itertools.product((0, 1, 2, 7, 8, 9, 16, 17, 31, 33, 70), (1, 3, 9)):
        stretches = [[word(draw) for _ in range(draw.randrange(most + 1))] for _ in range(n)]
        given = ["".join(f"{one} " for one in words).encode() for words in stretches]
        for by in ways():
            ids, steps = side_by_side(tokenizer.layout, given, by, cap=cap, cap_in_bytes=in_bytes)
            assert ids == [expected(tokenizer, words, cap, in_bytes) for words in stretches]
            assert steps <= 2 * sum(map(len, given))


def test_every_way_takes_the_same_steps() -> None:
    tokenizer, draw = WordPiece(TOKENS, normalizer=None), random.Random(5)
    given = ["".join(f"{word(draw)} " for _ in range(20)).encode() for _ in range(50)]
    assert len({side_by_side(tokenizer.layout, given, by)[1] for by in ways()}) == 1


def test_what_is_no_stretch_or_way() -> None:
    layout = WordPiece(TOKENS).layout
    for stretches, by in (([b"a"], 0), ([b"a ", b"b"], 0), ([b"a "], 9), ([b"a "], -1)):
        with pytest.raises(ValueError, match="side_by_side"):
            side_by_side(layout, stretches, by)
    with pytest.raises(ValueError, match="way"):
        lanes.use_way(9)


@pytest.mark.parametrize("options", [{}, {"max_chars_per_word": 20}, {"max_chars_per_word": None},
                                     {"split_unknown": True}, {"suffix_indicator": ""}, {"normalizer": "tf"}])
def test_texts_without_a_table(way: int, options: dict[str, object]) -> None:
    """Of few bytes and of many; with long words between, so long that their text is not shared out."""
    tokenizer = WordPiece(TOKENS, cache=0, **options)  # type: ignore[arg-type]
    draw = random.Random(11)
    for n, longest in itertools.product((1, 90, 300, 2000), (0, 150, 3000)):
        words = [word(draw) for _ in range(n)]
        if longest:
            words[draw.randrange(n)] = draw.choice("a\u0434z") * longest
        ids = [i for one in words for i in tokenizer.encode(one)]
        assert tokenizer.encode(" ".join(words)) == ids


def test_the_table_comes_once_it_pays() -> None:
    """Not before a quarter of its bytes was encoded without one, or a sixteenth in short texts."""
    for text, part in (("ab " * 20_000, 4), ("ab " * 30, 16)):
        tokenizer = WordPiece(TOKENS, cache=part * 10 * len(text))
        for _ in range(10):
            assert tokenizer.encode(text)
            assert tokenizer.inspect()["cache"]["tables"] == 0
        tokenizer.encode(text)
        assert tokenizer.inspect()["cache"]["tables"] == 1
