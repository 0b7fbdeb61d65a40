"""The splitter against the libraries whose patterns it follows, and against its own machine read one step at a time."""
import itertools
import json
import pickle
import random
import re
from collections.abc import Callable, Iterator

import pytest
import tiktoken
from tiktoken_ext import openai_public
from tokenizers import Regex, normalizers
from tokenizers.pre_tokenizers import ByteLevel, Sequence, Split

from incbpe.classes import SINGLE, Classes
from incbpe.grammars import AFTER, AT_MARK, CLASSES, HERE, WIDTH, Machine, State, compiled, machine
from incbpe.patterns import NAMES, PUBLISHED, named
from incbpe.pretokenize import Splitter

SCALARS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
EVERYTHING = "".join(map(chr, SCALARS))
# One character of each class, some of them of several bytes.
EACH = ["!", "/", "'", "\u0301", " ", "\u3000", "\n", "5", "Ж", "б", "日", "s", "l", "v", "e", "T", "L", "R", "E", "ſ"]
AROUND = ["", "a", "A", "日", "5", "!", "'", " ", "\n"]
CLASS_OF = Classes().of_character
BYTES = {bytes([byte]): byte for byte in range(256)}
OF_TIKTOKEN = ("gpt2", "cl100k", "o200k")
OF_TOKENIZERS = ("gpt2", "llama3", "qwen", "qwen35", "o200k", "tekken")
PATTERNS = tuple(name for name in NAMES if name != "none")
CORPORA = ("english", "multilingual", "code")
MARK = "<|cut|>"


def by_tiktoken(regex: str, texts: list[str]) -> list[list[str]]:
    """Its pieces of each text: with every substring in the vocabulary, each piece is one token."""
    parts = {text[i:k].encode() for text in texts for i in range(len(text)) for k in range(i + 1, len(text) + 1)}
    ranks = BYTES | {part: 256 + k for k, part in enumerate(sorted(part for part in parts if len(part) > 1))}
    cut = 256 + len(parts)
    encoding = tiktoken.Encoding("test", pat_str=regex, mergeable_ranks=ranks, special_tokens={MARK: cut})
    token = {rank: part.decode() for part, rank in ranks.items() if part in parts}
    pieces: list[list[str]] = [[]]
    for k in encoding.encode(MARK.join(texts), allowed_special="all"):
        if k == cut:
            pieces.append([])
        else:
            pieces[-1].append(token[k])
    return pieces


def by_tokenizers(regex: str, texts: list[str]) -> list[list[str]]:
    """Its pieces of each text; a cut between two texts splits them before the pattern is run."""
    cutting = Sequence([Split(MARK, "isolated"), Split(Regex(regex), "isolated")])
    cut = [piece for piece, _ in Split(Regex(regex), "isolated").pre_tokenize_str(MARK)]
    pieces: list[list[str]] = [[]]
    found = [piece for piece, _ in cutting.pre_tokenize_str(MARK.join(texts))]
    k = 0
    while k < len(found):
        if found[k:k + len(cut)] == cut:
            pieces.append([])
            k += len(cut)
        else:
            pieces[-1].append(found[k])
            k += 1
    return pieces


LIBRARIES: dict[str, Callable[[str, list[str]], list[list[str]]]] = {
    "tiktoken": by_tiktoken, "tokenizers": by_tokenizers}
PAIRS = [("tiktoken", name) for name in OF_TIKTOKEN] + [("tokenizers", name) for name in OF_TOKENIZERS]


def read_by_machine(m: Machine, text: str) -> tuple[list[str], int]:
    """The pieces by the machine's table alone, and how many characters it looked at."""
    cls = [CLASSES.index(CLASS_OF(c)) for c in text]
    pieces, start, looks = [], 0, 0
    while start < len(text):
        state, mark, i = 0, start, start
        end = None
        while i < len(text) and end is None:
            looks += 1
            to = m.step[state * WIDTH + cls[i]]
            if to >= HERE:
                end = {HERE: i, AFTER: i + 1}.get(to, mark)
            elif to >= m.plain:
                mark = i if to < m.before else i + 1
            state, i = to, i + 1
        if end is None:
            end = len(text) if m.at_end[state] == HERE else mark
        pieces.append(text[start:end])
        start = end
    return pieces, looks


def sample(texts: Iterator[str], share: float, seed: int) -> list[str]:
    rng = random.Random(seed)
    return [text for text in texts if share >= 1 or rng.random() < share]


# What each code point is -------------------------------------------------------------------------------------------

def ask_tiktoken(regex: str) -> set[str]:
    encoding = tiktoken.Encoding("test", pat_str=regex, mergeable_ranks=BYTES, special_tokens={})
    return set(bytes(encoding.encode_ordinary(EVERYTHING)).decode())


def ask_tokenizers(regex: str) -> set[str]:
    return set(EVERYTHING) - set(normalizers.Replace(Regex(regex), "").normalize_str(EVERYTHING))


@pytest.fixture(scope="module")
def by_class() -> dict[str, set[str]]:
    Classes().check()
    found: dict[str, set[str]] = {name: set() for name in CLASSES}
    for c in EVERYTHING:
        found[CLASS_OF(c)].add(c)
    return found


@pytest.mark.parametrize("ask", [ask_tiktoken, ask_tokenizers])
def test_every_code_point_is_what_both_engines_take_it_for(by_class, ask):
    of = lambda *names: set().union(*(by_class[name] for name in names))        # noqa: E731
    capitals, small = ("upper", "S", "L", "R", "E"), ("lower", "s", "l", "r", "e", "ſ")
    both = of("letter", "mark")
    assert ask(r"\p{N}") == of("number")
    assert ask(r"\s") == of("blank", "space", "newline")
    assert ask(r"[^\s\p{L}\p{N}]") == of("other", "slash", "quote", "mark")
    assert ask(r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]") == of(*capitals) | both
    assert ask(r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]") == of(*small) | both
    assert ask(r"\p{M}") == of("mark")
    assert ask("(?i:[sdmt])") == of("s", "S", "ſ")
    assert all(by_class[name] == set(characters) for name, characters in SINGLE.items())


def test_a_class_is_asked_of_one_character():
    for wrong in ("", "ab", "\ud800"):
        with pytest.raises(ValueError, match="one character"):
            Classes().of_character(wrong)


# Splitting ---------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("library", "name"), PAIRS)
def test_every_short_text_of_one_character_a_class(library, name, deep):
    texts = ["".join(text) for k in (1, 2, 3, 4) for text in itertools.product(EACH, repeat=k)]
    texts = sample(iter(texts), 1 if deep else 0.1, 1)
    splitter = Splitter(name, library)
    for k in range(0, len(texts), 20_000):
        part = texts[k:k + 20_000]
        expected = LIBRARIES[library](PUBLISHED[name][0], part)
        assert [splitter.split(text) for text in part] == expected


@pytest.mark.parametrize(("library", "name"), PAIRS)
def test_every_code_point_in_every_surrounding(library, name, deep):
    """c, cc and xcy; in `make test` a seeded hundredth of the code points, each in some of the surroundings."""
    rng, splitter = random.Random(name), Splitter(name, library)
    points = EVERYTHING if deep else rng.sample(EVERYTHING, len(EVERYTHING) // 100)
    for k in range(0, len(points), 1_000):
        texts = [c for point in points[k:k + 1_000] for c in (point, point * 2)]
        for point in points[k:k + 1_000]:
            around = [x + point + y for x in AROUND for y in AROUND if x or y]
            texts += around if deep else rng.sample(around, 6)
        assert [splitter.split(text) for text in texts] == LIBRARIES[library](PUBLISHED[name][0], texts)


@pytest.mark.parametrize(("library", "name"), PAIRS)
def test_runs_of_characters_of_every_length(library, name, deep):
    """Letters without case and others, of one to four bytes; ideographs that are passed at a look, and those beside."""
    alphabet = "א\u07ca日一\u3400\u4dff\u9fbf\u9fff\ua000𠀀éЖ٣½\u0301!\u3001😀 \n\u3000aA5'"
    rng, splitter = random.Random(f"{library} {name}"), Splitter(name, library)
    texts = []
    for _ in range(100_000 if deep else 1_500):
        few = rng.choices(alphabet, k=rng.choice([2, 3, 5]))
        texts.append("".join(rng.choice(few) * rng.choice([1, 1, 2, 3]) for _ in range(rng.randint(1, 12))))
    assert [splitter.split(text) for text in texts] == LIBRARIES[library](PUBLISHED[name][0], texts)


@pytest.mark.parametrize("name", OF_TOKENIZERS)
@pytest.mark.parametrize("corpus", CORPORA)
def test_whole_texts_against_tokenizers(data, deep, name, corpus):
    text = (data / "corpora" / f"{corpus}.txt").read_text(encoding="utf-8")
    text = text if deep else text[:300_000]
    expected = [piece for piece, _ in Split(Regex(PUBLISHED[name][0]), "isolated").pre_tokenize_str(text)]
    assert Splitter(name, "tokenizers").split(text) == expected


@pytest.mark.parametrize("name", OF_TIKTOKEN)
@pytest.mark.parametrize("corpus", CORPORA)
def test_whole_texts_against_tiktoken(data, deep, name, corpus):
    """With our pieces and the unions of neighbours as its vocabulary, equal splitting gives one token a piece."""
    text = (data / "corpora" / f"{corpus}.txt").read_text(encoding="utf-8")
    pieces = [piece.encode() for piece in Splitter(name).split(text if deep else text[:300_000])]
    unions = {a + b for a, b in itertools.pairwise(pieces)}
    ranks = dict(BYTES)
    for part in sorted(unions | set(pieces)):
        ranks.setdefault(part, len(ranks))
    encoding = tiktoken.Encoding("test", pat_str=PUBLISHED[name][-1], mergeable_ranks=ranks, special_tokens={})
    assert encoding.encode_ordinary(b"".join(pieces).decode()) == [ranks[piece] for piece in pieces]


@pytest.mark.parametrize("name", NAMES)
def test_the_table_alone_gives_the_same(name):
    rng, splitter = random.Random(name), Splitter(name)
    splitter.check()
    for _ in range(500):
        few = rng.choices([*EACH, "\t"], k=rng.randint(1, 5))
        longest = rng.choice([1, 20])       # runs of one character are passed eight bytes at a time
        text = "".join(c * rng.randint(1, longest) for c in rng.choices(few, k=rng.randint(0, 30)))
        pieces, _ = read_by_machine(machine(name), text)
        assert splitter.split(text) == pieces
        assert splitter.split(text.encode()) == [piece.encode() for piece in pieces]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", [
    "a", "A", "日", "\u0301", " ", "\n", "'", "'l", "5", "!", "/", "é", "\u3000", "日A", "\n ", "\n\u3000", "a'l",
    "A日", "a ", " \n", "!\n/", "Ab", "日 ",
])
def test_hostile_runs_are_linear(name, text):
    """At most four looks a character; in C the same table is read, and the pieces are the same."""
    for long in (text * 3_000, text[0] + text[1:] * 3_000, text[0] * 3_000 + text[1:], "日" + text * 3_000 + "\n"):
        pieces, looks = read_by_machine(machine(name), long)
        assert looks <= 4 * len(long)
        assert Splitter(name).split(long) == pieces


def test_a_quadratic_reading_would_be_seen():
    """Blanks one by one, each only after a look at all that follow."""
    states = [State("start", HERE).on(["blank"], "first"), State("word", HERE),
              State("first", HERE, AFTER).on(["blank"], "run"),
              State("run", AT_MARK, None, AT_MARK).on(["blank"], "run")]
    pieces, looks = read_by_machine(compiled("quadratic", states), " " * 300)
    assert pieces == [" "] * 300 and looks > 4 * 300


@pytest.mark.parametrize(("name", "text", "pieces"), [
    ("gpt2", "Hello, y'all  'tis", ["Hello", ",", " y", "'", "all", " ", " '", "tis"]),
    ("cl100k", "camelCaseHTTPServer", ["camelCaseHTTPServer"]),
    ("o200k", "camelCaseHTTPServer", ["camel", "Case", "HTTPServer"]),
    ("cl100k", "don't DON'T", ["don", "'t", " DON", "'T"]),
    ("o200k", "don't DON'T", ["don't", " DON'T"]),
    ("cl100k", "a  \n  ", ["a", "  \n  "]),                 # tiktoken 0.14 cuts nothing at the end of a text
    ("llama3", "a  \n  ", ["a", "  \n", "  "]),
    ("cl100k", "a  \n  b", ["a", "  \n", " ", " b"]),
    ("qwen", "1234", ["1", "2", "3", "4"]),
    ("llama3", "12345", ["123", "45"]),
    ("llama3", "x'ſx", ["x", "'ſ", "x"]),                   # ſ is an s where case is ignored
    ("gpt2", "x'ſx", ["x", "'", "ſx"]),
    ("qwen", "e\u0301t", ["e", "\u0301t"]),
    ("qwen35", "e\u0301t", ["e\u0301t"]),
    ("o200k", "日ABC", ["日", "ABC"]),
    ("o200k", "日ABCd", ["日ABCd"]),
    ("o200k", "!\n/\n/x", ["!\n/\n/", "x"]),
    ("tekken", "don't 12", ["don", "'t", " ", "1", "2"]),
    ("none", "a b\n", ["a b\n"]),
])
def test_cases(name, text, pieces):
    assert Splitter(name).split(text) == pieces
    assert Splitter(name).split(text.encode()) == [piece.encode() for piece in pieces]


@pytest.mark.parametrize("name", NAMES)
def test_the_empty_text_has_no_piece(name):
    assert Splitter(name).split("") == [] and Splitter(name).split(b"") == []


@pytest.mark.parametrize(("data", "pieces"), [
    (b"a\xffb", [b"a", b"\xffb"]),                      # one U+FFFD before a letter: a prefix
    (b"a\xff\xfeb", [b"a", b"\xff\xfeb"]),              # a run is one U+FFFD, however long
    (b"a\xe6\x97", [b"a", b"\xe6\x97"]),                # the text ends inside a character
    (b"\xed\xa0\x80", [b"\xed\xa0\x80"]),               # a surrogate
    (b"\xf0\x9f\x98!", [b"\xf0\x9f\x98!"]),
    (b" \x80\n", [b" \x80\n"]),
    (b"a\xed\xa0\x80\xed\xb0\x80b", [b"a", b"\xed\xa0\x80\xed\xb0\x80b"]),     # two surrogates, one run
    (b"a\xf4\x90\x80\x80\xc0\x80\xf5b", [b"a", b"\xf4\x90\x80\x80\xc0\x80\xf5b"]),
])
def test_ill_formed_bytes_are_split_as_u_fffd_and_kept(data, pieces):
    assert Splitter("cl100k").split(data) == pieces


@pytest.mark.parametrize("name", NAMES)
def test_random_bytes_against_python_s_decoder(name, deep):
    """Where Python's decoder finds runs of ill-formed bytes, put one U+FFFD for each, split, and put the bytes back."""
    rng, splitter = random.Random(name), Splitter(name)
    parts = [c.encode() for c in EACH] + [bytes([byte]) for byte in (*range(0x80, 0x100, 5), 0xED, 0xE0, 0xF0, 0xF4)]
    for _ in range(50_000 if deep else 1_000):
        few = rng.choices(parts, k=6)
        given = b"".join(rng.choices(few, k=rng.randint(0, 12)))
        text = given.decode("utf-8", "surrogateescape")
        runs = iter(re.findall("[\udc80-\udcff]+", text))
        expected = ["".join(next(runs) if c == "\ufffd" else c for c in piece).encode("utf-8", "surrogateescape")
                    for piece in splitter.split(re.sub("[\udc80-\udcff]+", "\ufffd", text))]
        assert splitter.split(given) == expected


def test_surrogates():
    assert Splitter("cl100k").split("a\ud83d\ude00") == ["a", "😀"]
    assert Splitter("cl100k").split("a\ud83d!") == ["a", "\ufffd!"]
    with pytest.raises(TypeError):
        Splitter("cl100k").split(bytearray(b"a"))       # type: ignore[call-overload]


# Names -------------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("name", "regex"), [(name, regex) for name in NAMES for regex in PUBLISHED[name]])
def test_every_spelling_of_a_name_is_one_grammar(name, regex):
    assert named(regex) == named(regex, "tiktoken") == name
    texts = ["".join(text) for k in (1, 2, 3) for text in itertools.product(EACH, repeat=k)]
    splitter = Splitter(regex)
    assert splitter.pattern == name and splitter.regex == PUBLISHED[name][0]
    texts = sample(iter(texts), 0.2, 2)
    assert [splitter.split(text) for text in texts] == by_tiktoken(regex, texts)
    if named(regex, "tokenizers"):
        assert [splitter.split(text) for text in texts] == by_tokenizers(regex, texts)


def test_spellings_that_oniguruma_reads_otherwise():
    possessive = PUBLISHED["cl100k"][0]
    assert by_tokenizers(possessive, ["1234"]) == [["1234"]] != by_tiktoken(possessive, ["1234"])
    assert named(possessive, "tokenizers") is None
    with pytest.raises(ValueError, match="published regular expression"):
        Splitter(possessive, "tokenizers")
    assert Splitter("cl100k", "tokenizers").split("1234") == ["123", "4"]


def test_the_patterns_of_tiktoken(monkeypatch):
    for load in ("load_tiktoken_bpe", "data_gym_to_mergeable_bpe_ranks"):
        monkeypatch.setattr(openai_public, load, lambda *args, **options: {})
    found = {name: named(make()["pat_str"]) for name, make in openai_public.ENCODING_CONSTRUCTORS.items()}
    assert found == {"gpt2": "gpt2", "r50k_base": "gpt2", "p50k_base": "gpt2", "p50k_edit": "gpt2",
                     "cl100k_base": "cl100k", "o200k_base": "o200k", "o200k_harmony": "o200k"}


def test_the_pattern_of_llama_3(data):
    file = json.loads((data / "vocabs" / "llama3-tokenizer.json").read_text(encoding="utf-8"))
    split = file["pre_tokenizer"]["pretokenizers"][0]
    assert named(split["pattern"]["Regex"], "tokenizers") == "llama3"


def test_byte_level_by_itself_is_gpt2(data):
    text = (data / "corpora" / "multilingual.txt").read_text(encoding="utf-8")[:100_000]
    whole = ByteLevel(add_prefix_space=False, use_regex=True)
    expected = [text[start:end] for _, (start, end) in whole.pre_tokenize_str(text)]
    assert Splitter("gpt2", "tokenizers").split(text) == expected


def test_what_is_not_known():
    assert named(r"\w+") is None and named("gpt2") is None
    with pytest.raises(ValueError, match=r"pattern: expected one of gpt2, .* got 'gpt3'"):
        Splitter("gpt3")
    with pytest.raises(ValueError, match="unicode: expected one of tiktoken, tokenizers, got 'icu'"):
        Splitter("gpt2", "icu")
    with pytest.raises(ValueError, match="unicode"):
        named("x", "icu")
    with pytest.raises(ValueError, match="pattern"):
        machine("gpt3")
    with pytest.raises(TypeError):
        Splitter(None)                                  # type: ignore[arg-type]


@pytest.mark.parametrize("name", NAMES)
def test_pickling(name):
    splitter = pickle.loads(pickle.dumps(Splitter(name, "tokenizers")))
    assert repr(splitter) == f"Splitter({name!r}, unicode='tokenizers')"
    splitter.check()
