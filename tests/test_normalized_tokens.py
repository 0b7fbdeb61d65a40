"""Added tokens of all kinds through WordPiece: ids, offsets and counts equal to the tokenizers library's."""
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from tokenizers import AddedToken as PeerToken
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

from linmaxmatch import WordPiece
from subwordio.added import AddedToken

LETTERS = "abcdefgh"
VOCABULARY = ["[UNK]", *LETTERS, *(f"##{c}" for c in LETTERS), "ab", "##cd", "-", "[", "]", "你", "?"]
# lowercase, strip_accents, clean_text, handle_chinese_chars
OPTIONS = [(True, None, True, True), (False, None, True, True), (True, False, True, False), (False, True, True, True),
           (True, True, False, True), (False, False, False, False)]
FLAGS = ("special", "single_word", "lstrip", "rstrip", "normalized")


def pair(added, options):
    """WordPiece and the library's tokenizer, of one vocabulary, with the same added tokens and the same cleaning."""
    new = [content for content, _ in added if content not in VOCABULARY]
    every = [*VOCABULARY, *new]
    tokens = [AddedToken(content, every.index(content), **flags) for content, flags in added]
    names = ("lowercase", "strip_accents", "clean_text", "handle_chinese_chars")
    cleaning = dict(zip(names, options, strict=True)) if options else {"normalizer": None, "max_chars_per_word": 100}
    ours = WordPiece(VOCABULARY, added_tokens=tokens, **cleaning)
    theirs = Tokenizer(models.WordPiece({token: i for i, token in enumerate(VOCABULARY)}, unk_token="[UNK]"))
    if options:
        theirs.normalizer = normalizers.BertNormalizer(**cleaning)
    theirs.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    theirs.add_tokens([PeerToken(content, **flags) for content, flags in added])
    return ours, theirs


def check(ours, theirs, text):
    expected = theirs.encode(text, add_special_tokens=False)
    assert ours.encode(text, allowed_special="all") == expected.ids
    encoding = ours.encode(text, allowed_special="all", offsets=True)
    assert encoding.ids == expected.ids
    begins = [start for start, _ in expected.offsets] + [len(text)]
    for k, (start, stop) in enumerate(expected.offsets):
        assert encoding.starts[k] == start
        assert encoding.ends[k] in (stop, min(stop, begins[k + 1]))     # the library lets some added tokens overlap
    assert ours.encode_batch([text], allowed_special="all")[0] == expected.ids
    if not any(token.special for token in ours.added.tokens):
        assert ours.count(text) == len(expected.ids)


@pytest.mark.parametrize("content", ["COVID", "Été", "foo bar", "x-y", "你", "[NEW]", " a ", "a\u0301b", "ab"])
@pytest.mark.parametrize("options", [*OPTIONS, None])
def test_one_normalized_token_in_many_texts(content, options):
    ours, theirs = pair([(content, {"normalized": True})], options)
    for text in (content, content * 3, f"a{content}b", content.upper(), content.lower(), f" {content} ",
                 f"a {content},b", f"{content[:1]}\u200b{content[1:]}", f"{content[:1]} {content[1:]}",
                 f"x\u0301{content}\u0301b你{content}", "\u3000".join([content] * 2), f"{content}\0\0{content}[]", ""):
        check(ours, theirs, text)


characters = st.sampled_from([*"abcAB [-]éİß你각\0\t\u0301\u200b\u3000", "e\u0301"])
contents = st.lists(characters, min_size=1, max_size=4).map("".join)
flags = st.fixed_dictionaries({name: st.booleans() for name in FLAGS})


texts = st.lists(st.lists(characters, max_size=20).map("".join), min_size=1, max_size=6)


@given(st.lists(st.tuples(contents, flags), min_size=1, max_size=5, unique_by=lambda item: item[0]),
       st.sampled_from([*OPTIONS, None]), texts)
@example([("a", dict.fromkeys(FLAGS, False) | {"normalized": True})], OPTIONS[0], ["a\u0301a", "bab"])
def test_any_added_tokens_in_any_text(added, options, texts):
    normalize = normalizers.BertNormalizer(lowercase=options[0], strip_accents=options[1], clean_text=options[2],
                                           handle_chinese_chars=options[3]).normalize_str if options else str
    spelt = [normalize(content) for content, flags in added if flags["normalized"]]
    assume(all(spelt) and len(set(spelt)) == len(spelt))    # empty ones are refused, and of equals chance decides
    ours, theirs = pair(added, options)
    for text in [*texts, " ".join(content for content, _ in added), "".join(content for content, _ in added)]:
        try:
            theirs.encode(text)
        except BaseException as error:
            assert "AddedVocabulary bad split" in str(error)
            continue
        check(ours, theirs, text)


def test_a_token_of_which_cleaning_leaves_nothing_is_refused():
    with pytest.raises(ValueError, match="the normalizer leaves nothing of it"):
        WordPiece(VOCABULARY, added_tokens=[AddedToken("\u200b", len(VOCABULARY), normalized=True)])
