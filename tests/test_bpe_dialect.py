"""A caller's own pattern gives tiktoken's and the tokenizers library's pieces, or is refused by name and place."""
import random

import pytest
import tiktoken
from tokenizers import Regex, Tokenizer, models, pre_tokenizers

from incbpe import BPE, Config, Model
from incbpe.dialect import translated
from incbpe.model import Split

RANKS = tuple(bytes((b,)) for b in range(256)) + (b"he", b"ll", b"hell", b"wo", b"wor", b" w", b"ab", b"ae")
ALIKE = (r"[a-z&&[^aeiou]]+|[\s\S]", r"[a[bc]]+|[\s\S]", r"[\p{L}&&[^\p{Lu}]]+|\s+|[\s\S]", r"[]a]+|[\s\S]",
         r"[^]a]+|[\s\S]", r"[\[&]+|[\s\S]", r"\p{N}{1,3}|[\s\S]", r"[a\-z]+|[\s\S]", r"[[a-z]&&[^x-z]]+|[\s\S]")
ONLY_TIKTOKEN = (r"[\p{L}--[aeiou]]+|[\s\S]", r"[a-m~~h-z]+|[\s\S]")


def texts():
    draw = random.Random(3)
    yield "hello world"
    for _ in range(150):
        yield "".join(draw.choices("abhewolrdxz &-[]~|09ÉéЖж東\n", k=draw.randint(0, 20)))


@pytest.mark.parametrize("pattern", ALIKE + ONLY_TIKTOKEN)
def test_the_ids_of_tiktoken(pattern):
    own = BPE(Config(Model(RANKS, None, whole_piece=True), "tiktoken", pattern))
    other = tiktoken.Encoding("own", pat_str=pattern, mergeable_ranks={token: i for i, token in enumerate(RANKS)},
                              special_tokens={})
    for text in texts():
        assert list(own.encode(text)) == other.encode_ordinary(text), text


@pytest.mark.parametrize("pattern", ALIKE)
def test_the_pieces_of_the_tokenizers_library(pattern):
    own = BPE(Config(Model(RANKS, None), "tokenizers", splits=(Split(pattern),)))
    library = Tokenizer(models.BPE())
    library.pre_tokenizer = pre_tokenizers.Split(Regex(pattern), "isolated")
    for text in texts():
        pieces = [piece for piece, _ in library.pre_tokenizer.pre_tokenize_str(text)]
        assert list(own.encode(text)) == [id for piece in pieces for id in own.encode(piece)], text


@pytest.mark.parametrize(("pattern", "unicode", "message"), [
    (r"a\h", "tiktoken", r"pattern: \h at 1: a hexadecimal digit there, a space here: 'a\\h'"),
    (r"[\H]", "tokenizers", r"pattern: \H at 1: no hexadecimal digit there, no space here: '[\\H]'"),
    (r"\N", "tiktoken", r"pattern: \N at 0: not a line end there, a named character here: '\\N'"),
    (r"a\Kb", "tiktoken", r"pattern: \K at 1: not what both mean alike: 'a\\Kb'"),
    (r"[[:alpha:]]+", "tokenizers", "pattern: [: at 1: a class of ASCII there, of Unicode here: '[[:alpha:]]+'"),
    (r"[a-z--b]", "tokenizers", "pattern: -- at 4: not an operation on sets there: '[a-z--b]'"),
    (r"[a||b]", "tiktoken", "pattern: || at 2: not an operation on sets there: '[a||b]'"),
])
def test_what_means_another_thing_is_refused(pattern, unicode, message):
    with pytest.raises(ValueError) as error:
        translated(pattern, unicode)
    assert str(error.value) == message
    with pytest.raises(ValueError, match="pattern: "):
        BPE(Config(Model(RANKS, None), unicode, pattern))


@pytest.mark.parametrize("pattern", [r"\\h", r"\[a||b]", "a--b", r"[\-\-]"])
def test_what_only_looks_like_it_is_not(pattern):
    assert translated(pattern, "tokenizers") == pattern
