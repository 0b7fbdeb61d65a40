"""Decoding against the WordPiece decoder of the tokenizers library, and ids that name nothing."""
from types import SimpleNamespace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tokenizers import AddedToken as PeerToken
from tokenizers import Tokenizer, decoders, models

from linmaxmatch.decoding import decode, join_tokens, tokens_of
from subwordio.added import AddedToken
from subwordio.errors import TokenIdError
from subwordio.ids import TokenIds


def tokenizer(tokens, added=(), prefix="##"):
    return SimpleNamespace(tokens=tuple(tokens), options={"decoder_prefix": prefix, "added_tokens": tuple(added)})


def peer(tokens, added=(), prefix="##", cleanup=False) -> Tokenizer:
    known = Tokenizer(models.WordPiece({token: i for i, token in enumerate(tokens)}, unk_token=tokens[0]))
    for token in added:
        known.add_tokens([PeerToken(token.content, special=token.special, normalized=False)])
    known.decoder = decoders.WordPiece(prefix, cleanup)
    return known


def test_w39_a_leading_suffix_token_keeps_its_marker_and_later_ones_lose_it():
    assert join_tokens(["##en"]) == "##en"
    assert join_tokens(["tok", "##en"]) == "token"
    assert join_tokens(["##en", "##en"]) == "##enen"
    assert join_tokens(["a", "####"]) == "a##"


def test_w41_do_not_stays_do_not():
    tokens = ["[UNK]", "i", "do", "not", "don", "'", "t", "."]
    for cleanup in (False, True):
        text = decode(tokenizer(tokens), [1, 2, 3, 7], cleanup=cleanup)
        assert text == peer(tokens, cleanup=cleanup).decode([1, 2, 3, 7])
        assert text == ("i do not." if cleanup else "i do not .")
    assert decode(tokenizer(tokens), [1, 7]) == "i ."       # off by default


def test_b24_an_added_token_is_decoded_verbatim():
    tokens = ["[UNK]", "a"]
    added = [AddedToken("special token", 2), AddedToken(" \u00a0é\0", 3), AddedToken("[X]", 4, special=True)]
    known = tokenizer([*tokens, *(token.content for token in added)], added)
    assert decode(known, [1, 2, 1]) == "a special token a"
    for skip in (False, True):
        assert decode(known, [4, 2, 3, 4, 1], skip_special_tokens=skip) == peer(tokens, added).decode(
            [4, 2, 3, 4, 1], skip_special_tokens=skip)


pieces = st.text(st.sampled_from(list("#ab .?!,'nmtdo sver")), min_size=1, max_size=5)
whole = st.sampled_from(["do not", "n't", "'m", "'s", "'ve", "'re", "'", " ' ", ".", "##", "##.", "## do not",
                         " do not", "n't do not 's", " '  ' "])


@given(st.lists(pieces | whole, min_size=1, max_size=8, unique=True), st.lists(pieces | whole, max_size=4, unique=True),
       st.sampled_from(["##", "#", "", "a"]), st.tuples(st.booleans(), st.booleans()), st.data())
@example(["do not", "a"], [" ' "], "##", (True, False), None)
def test_text_equals_the_librarys(tokens, more, prefix, options, data):
    cleanup, skip = options
    added = [AddedToken(content, len(tokens) + i, special=i % 2 == 0)
             for i, content in enumerate(content for content in more if content not in tokens)]
    every = [*tokens, *(token.content for token in added)]
    ids = data.draw(st.lists(st.integers(0, len(every) - 1), max_size=8)) if data else [1, 0, 2, 0]
    expected = peer(tokens, added, prefix, cleanup).decode(ids, skip_special_tokens=skip)
    assert decode(tokenizer(every, added, prefix), ids, skip_special_tokens=skip, cleanup=cleanup) == expected


@pytest.mark.parametrize("bad", [3, -1, 2**32, 2**70])
def test_an_id_that_names_no_token_is_an_error_naming_id_and_position(bad):
    with pytest.raises(TokenIdError, match=rf"ids\[1\]: {bad} names no token: ids are 0 to 2"):
        tokens_of(["a", "b", "c"], [0, bad])


def test_an_empty_entry_names_no_token():
    with pytest.raises(TokenIdError, match=r"ids\[0\]: 1 names no token"):
        tokens_of(["a", "", "c"], [1])


@pytest.mark.parametrize("bad, name", [(None, "NoneType"), ("0", "str"), (0.5, "float"), ([0], "list")])
def test_what_is_no_int_is_a_type_error(bad, name):
    with pytest.raises(TypeError, match=rf"ids\[1\]: expected int, got {name}"):
        tokens_of(["a"], [0, bad])
    with pytest.raises(TypeError, match="^expected an iterable of ints, got str"):
        tokens_of(["a"], "00")


def test_any_iterable_of_ints():
    import numpy
    arrays = numpy.array([1, 0]), numpy.array([1, 0], dtype="uint8")
    for ids in ([1, 0], (1, 0), TokenIds([1, 0]), iter([1, 0]), *arrays):
        assert tokens_of(["a", "b"], ids) == ["b", "a"]
    assert decode(tokenizer(["a"]), []) == ""
