"""Added tokens against the tokenizers library, against the definition, and against hostile sets of tokens."""
import re
import time

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from tokenizers import AddedToken as PeerToken
from tokenizers import Tokenizer, models, normalizers

import subwordio.added
import subwordio.automaton
from subwordio.added import AddedToken, AddedTokens
from subwordio.automaton import Automaton

UNKNOWN = 0     # in the peer's model, which knows no word: the text between two added tokens


def added(*contents: str, **flags: bool) -> list[AddedToken]:
    return [AddedToken(content, i + 1, **flags) for i, content in enumerate(contents)]


def peer(tokens: list[AddedToken], lowercase: bool = False) -> Tokenizer:
    """A tokenizer of the library that gives the text between added tokens as one unknown word."""
    tokenizer = Tokenizer(models.WordLevel({"?": UNKNOWN}, unk_token="?"))
    if lowercase:
        tokenizer.normalizer = normalizers.Lowercase()
    for token in tokens:
        flags = {name: getattr(token, name) for name in ("single_word", "lstrip", "rstrip", "normalized", "special")}
        tokenizer.add_tokens([PeerToken(token.content, **flags)])
        assert tokenizer.token_to_id(token.content) == token.id
    return tokenizer


def theirs(tokenizer: Tokenizer, text: str) -> list[tuple[int, int, int]]:
    """The library's segments, cut short where a token in white space that the one before took overlaps it."""
    encoding = tokenizer.encode(text, add_special_tokens=False)
    begins = [start for start, _ in encoding.offsets] + [len(text)]
    return [(start, min(stop, begins[k + 1]), encoding.ids[k]) for k, (start, stop) in enumerate(encoding.offsets)]


def ours(tokens: AddedTokens, text: str, allowed_special="all", lowercase: bool = False) -> list[tuple[int, int, int]]:
    """Both stages, offsets in characters. Lower-casing keeps the offsets of the characters used here."""
    found = []
    for start, stop, i in segments(tokens.matcher(allowed_special), text):
        if i is not None:
            found.append((start, stop, i))
            continue
        piece = text[start:stop].lower() if lowercase else text[start:stop]
        found.extend((start + a, start + b, UNKNOWN if j is None else j)
                     for a, b, j in segments(tokens.matcher(allowed_special, normalized=True), piece))
    return found


def segments(matcher, text: str):
    if matcher is None:
        return [(0, len(text), None)] if text else []
    index = [len(text[:i].encode()) for i in range(len(text) + 1)]
    return [(index.index(start), index.index(stop), i) for start, stop, i in matcher.segments(text)]


def ids(tokens: list[AddedToken], text: str, **options) -> list[int]:
    return [i for _, _, i in ours(AddedTokens(tokens), text, **options)]


# The cases from the field.

def test_b50_the_longest_of_overlapping_tokens_wins():
    assert ids(added("my1", "my12", "my123"), "my123my12my1") == [3, 2, 1]
    assert ids(added("A", "B", "BA"), "ABA") == [1, 3]
    assert ids(added("<s>", "</s>"), "<s></s>") == [1, 2]


def test_b51_fifty_thousand_tokens_load_in_a_second_and_match_in_linear_time():
    tokens = added(*[f"aaa{i}" for i in range(50_000)])
    began = time.process_time()
    matcher = AddedTokens(tokens).matcher()
    assert time.process_time() - began < 1
    assert [i for _, _, i in matcher.segments("aaa49999 aaa4999x")] == [50_000, None, 5000, None]


@pytest.mark.parametrize("contents, unit", [
    ([f"aaa{i}" for i in range(50_000)], "aaa"),
    (["a" * k for k in range(1, 400)], "a"),                        # all of a chain
    (["a", "a" * 5_000 + "b"], "a"),                                # forwards, each `a` looks 5,000 bytes ahead
    (["ba" + "a" * k + "c" for k in range(300)], "aab"),
])
def test_b51_hostile_nests_cost_time_linear_in_the_text(contents, unit):
    matcher = AddedTokens(added(*contents)).matcher()

    def fastest(n: int) -> float:
        text = (unit * n)[:n].encode()
        times = []
        for _ in range(3):
            began = time.process_time()
            matcher.segments(text)
            times.append(time.process_time() - began)
        return min(times)

    assert fastest(1_000_000) < 3 * 4 * fastest(250_000)    # four times the text; quadratic would be sixteen times


def test_b52_single_word():
    tokens = added("ab", single_word=True)
    assert ours(AddedTokens(tokens), "ab abx xab") == [(0, 2, 1), (2, 10, UNKNOWN)]
    assert ours(AddedTokens(tokens), "-ab-ab_") == [(0, 1, UNKNOWN), (1, 3, 1), (3, 7, UNKNOWN)]


def test_b52_a_dropped_candidate_is_not_replaced_by_a_shorter_one():
    tokens = [AddedToken("ab", 1), AddedToken("abc", 2, single_word=True)]
    for text in ("abcd", "abc", "abd"):
        assert ours(AddedTokens(tokens), text) == theirs(peer(tokens), text)
    assert ids(tokens, "abcd") == [UNKNOWN]


def test_b52_white_space_is_taken_by_the_token_that_asks_for_it():
    tokens = added("<x>", lstrip=True, rstrip=True)
    for text in ("a  <x> \n\t\x1c <x>  b", "\u00a0<x>\u2028\u0085<x>\x1c<x>\u3000\u200b<x>", " <x> <x> "):
        assert ours(AddedTokens(tokens), text) == theirs(peer(tokens), text)


def test_w29_special_tokens_are_plain_text_unless_allowed_and_match_their_exact_spelling():
    tokens = added("[CLS]", "[SEP]", special=True)
    text = "[CLS] jenna [SEP] [cls]"
    assert ids(tokens, text, allowed_special=()) == [UNKNOWN]
    assert ids(tokens, text, allowed_special=["[SEP]"]) == [UNKNOWN, 2, UNKNOWN]
    assert ours(AddedTokens(tokens), text) == theirs(peer(tokens), text)
    assert ids(tokens, text) == [1, UNKNOWN, 2, UNKNOWN]


def test_a_special_token_that_is_not_allowed_hides_nothing():
    tokens = [AddedToken("[CLS]", 1, special=True), AddedToken("CLS", 2)]
    assert ids(tokens, "[CLS]", allowed_special=()) == [UNKNOWN, 2, UNKNOWN]
    assert ids(tokens, "[CLS]", allowed_special="all") == [1]


def test_w30_special_text_is_matched_before_normalizing():
    tokens = [AddedToken("[UNK]", 1, special=True), AddedToken("Foo", 2, normalized=True)]
    known = AddedTokens(tokens, str.lower)
    assert ours(known, "[UNK] FOO [unk]", lowercase=True) == theirs(peer(tokens, lowercase=True), "[UNK] FOO [unk]")
    assert [i for _, _, i in ours(known, "[UNK] FOO [unk]", lowercase=True)] == [1, UNKNOWN, 2, UNKNOWN]


def test_tokens_that_normalize_alike_the_special_then_the_first_one_wins():
    tokens = [AddedToken("foo", 1, normalized=True), AddedToken("FOO", 2, normalized=True),
              AddedToken("Foo", 3, normalized=True, special=True)]
    known = AddedTokens(tokens, str.lower)
    assert ours(known, "fOo", lowercase=True) == [(0, 3, 3)]     # in the library, whichever its hash map gives first
    assert ours(known, "fOo", allowed_special=(), lowercase=True) == [(0, 3, 1)]
    assert ours(AddedTokens(tokens[:2], str.lower), "fOo", lowercase=True) == [(0, 3, 1)]


def test_a_token_inside_white_space_already_taken():
    after = [AddedToken("<x>", 1, rstrip=True), AddedToken(" b", 2)]
    assert ours(AddedTokens(after), "a<x> b c") == theirs(peer(after), "a<x> b c") == [
        (0, 1, UNKNOWN), (1, 4, 1), (4, 6, 2), (6, 8, UNKNOWN)]
    empty = [AddedToken(" ", 1, lstrip=True, rstrip=True)]
    assert ids(empty, "  ") == [i for _, _, i in theirs(peer(empty), "  ")] == [1]
    taken = [AddedToken("<x>", 1, rstrip=True), AddedToken(" ", 2, lstrip=True)]
    assert [i for _, _, i in AddedTokens(taken).matcher().segments("a<x>  b c")] == [None, 1, None, 2, None]


# Everything together, against the library.

characters = st.sampled_from(list("aabAB  _-<é\t\u3000"))
contents = st.text(characters, min_size=1, max_size=4)
flags = st.fixed_dictionaries({name: st.booleans() for name in
                               ("single_word", "lstrip", "rstrip", "normalized", "special")})


@st.composite
def token_sets(draw: st.DrawFn) -> list[AddedToken]:
    chosen = draw(st.lists(st.tuples(contents, flags), min_size=1, max_size=6, unique_by=lambda pair: pair[0]))
    tokens = [AddedToken(content, i + 1, **flag) for i, (content, flag) in enumerate(chosen)]
    normalized = [token.content.lower() for token in tokens if token.normalized]
    assume(len(set(normalized)) == len(normalized))     # which of equals wins, the library leaves to chance
    return tokens


@given(token_sets(), st.lists(st.text(characters, max_size=25), min_size=1, max_size=8), st.booleans())
@example([AddedToken("ab", 1), AddedToken("abc", 2, single_word=True)], ["abcd", "xab", "ab"], False)
@example([AddedToken("<", 1, rstrip=True), AddedToken("  ", 2)], ["<   a", "<     "], False)
def test_segments_equal_the_librarys(tokens, texts, lowercase):
    tokenizer, known = peer(tokens, lowercase), AddedTokens(tokens, str.lower if lowercase else None)
    for text in texts:
        try:
            expected = theirs(tokenizer, text)
        except BaseException as error:
            assert "AddedVocabulary bad split" in str(error)
            ours(known, text, lowercase=lowercase)
            continue
        assert ours(known, text, lowercase=lowercase) == expected, text


@given(st.lists(st.text(st.sampled_from("abé"), min_size=1, max_size=6), max_size=12),
       st.lists(st.booleans(), min_size=12, max_size=12), st.text(st.sampled_from("abé"), max_size=40))
def test_segments_equal_the_definition_for_every_choice_of_special_tokens(contents, special, text):
    contents = list(dict.fromkeys(contents))
    tokens = [AddedToken(content, i + 1, special=special[i]) for i, content in enumerate(contents)]
    chosen = [token.content for token in tokens if token.special][::2]
    counting = sorted((token for token in tokens if not token.special or token.content in chosen),
                      key=lambda token: -len(token.content))
    expected, rest = [], 0
    if counting:
        for match in re.finditer("|".join(re.escape(token.content) for token in counting), text):
            if match.start() > rest:
                expected.append((rest, match.start(), UNKNOWN))
            expected.append((*match.span(), next(t.id for t in tokens if t.content == match.group())))
            rest = match.end()
    if rest < len(text):
        expected.append((rest, len(text), UNKNOWN))
    assert ours(AddedTokens(tokens), text, chosen) == expected


@given(st.lists(st.binary(min_size=1, max_size=6).map(lambda b: bytes(c % 3 + 97 for c in b)), max_size=12))
def test_the_automaton_keeps_its_invariants(patterns):
    automaton = Automaton(patterns)
    automaton.check()
    text = b"".join(patterns)
    assert automaton.longest(text) == [
        (i, max((p for p in range(len(patterns)) if text.startswith(patterns[p], i)),
                key=lambda p: (len(patterns[p]), -p)))
        for i in range(len(text)) if any(text.startswith(p, i) for p in patterns)]


def word_runs() -> list[tuple[int, int]]:
    from pathlib import Path
    header = Path(subwordio.added.__file__).with_name("charclass.h").read_text()
    return [(int(first, 16), int(last, 16)) for first, last in re.findall(r"\{0x(\w+),0x(\w+)\}", header)]


def test_word_characters_are_the_librarys_at_both_ends_of_every_run(deep):
    tokens = [AddedToken("x", 1, single_word=True)]
    tokenizer, matcher = peer(tokens), AddedTokens(tokens).matcher()
    points = {c for run in word_runs() for end in run for c in (end - 1, end, end + 1)} if not deep else range(0x110000)
    points = [c for c in points if not 0xD800 <= c < 0xE000]
    assert len(points) > 1000
    after = tokenizer.encode_batch([f"x{chr(c)}" for c in points])
    before = tokenizer.encode_batch([f"{chr(c)}x" for c in points])
    for c, left, right in zip(points, after, before, strict=True):
        assert [i or UNKNOWN for _, _, i in matcher.segments(f"x{chr(c)}")] == left.ids, hex(c)
        assert [i or UNKNOWN for _, _, i in matcher.segments(f"{chr(c)}x")] == right.ids, hex(c)


def test_white_space_is_the_librarys(deep):
    tokens = [AddedToken("<", 1, lstrip=True, rstrip=True)]
    tokenizer, matcher = peer(tokens), AddedTokens(tokens).matcher()
    points = [c for c in range(0x110000 if deep else 0x3100) if not 0xD800 <= c < 0xE000 and c != ord("<")]
    for c, encoding in zip(points, tokenizer.encode_batch([f"{chr(c)}<{chr(c)}" for c in points]), strict=True):
        assert [i or UNKNOWN for _, _, i in matcher.segments(f"{chr(c)}<{chr(c)}")] == encoding.ids, hex(c)


# What is refused, and edges.

def test_bad_tokens_and_choices_are_refused():
    with pytest.raises(ValueError, match="added token 1: its content must not be empty"):
        AddedTokens(added(""))
    with pytest.raises(ValueError, match="the normalizer leaves nothing of it"):
        AddedTokens(added("\0", normalized=True), lambda text: text.replace("\0", ""))
    known = AddedTokens([*added("<s>", special=True), AddedToken("b", 2)])
    with pytest.raises(ValueError, match="'b' is no special token"):
        known.matcher(["b"])
    with pytest.raises(ValueError, match=r"expected \"all\" or a collection"):
        known.matcher("<s>")


def test_no_tokens_and_no_text():
    assert AddedTokens([]).matcher("all") is None
    assert AddedTokens(added("a", special=True)).matcher() is None
    assert AddedTokens(added("a")).matcher().segments("") == []
    assert AddedTokens(added("a")).matcher().segments(b"\0\0") == [(0, 2, None)]


def test_a_million_spaces_before_and_behind_tokens_are_read_once():
    tokens = AddedTokens([AddedToken(" ", 1, rstrip=True), AddedToken("<", 2, lstrip=True)])
    began = time.process_time()
    assert len(tokens.matcher().segments(" " * 300_000 + "<")) == 300_001
    assert time.process_time() - began < 5


def test_many_choices_of_special_tokens_are_all_right():
    tokens = added(*"abcdefg", special=True)
    known = AddedTokens(tokens)
    for choice in range(1, 2**7):
        allowed = [token.content for i, token in enumerate(tokens) if choice >> i & 1]
        assert "".join(token.content for token in tokens if (token.id,) in {
            (i,) for _, _, i in known.matcher(allowed).segments("abcdefg")}) == "".join(allowed)


def test_docstrings(doctests=(subwordio.added, subwordio.automaton)):
    import doctest
    for module in doctests:
        assert doctest.testmod(module) == (0, doctest.testmod(module).attempted)
        assert doctest.testmod(module).attempted > 0
