"""The normalizer's surface: cases from the field, options, errors, offsets, linear time."""
import pickle
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linmaxmatch.normalizer import Normalizer

HF, CASED = Normalizer(), Normalizer(lowercase=False)
GOOGLE, TF = Normalizer("google"), Normalizer("tf")


# One test per row of the table of cases; the letters are the row's part.

def test_W03_C1_control_vanishes_or_splits():
    text = "shoot\x97 TOO"
    assert HF.words(text) == GOOGLE.words(text) == TF.words(text) == ["shoot", "too"]
    assert HF.words("sh\x97oot") == GOOGLE.words("sh\x97oot") == ["shoot"]
    assert TF.words("sh\x97oot") == ["sh", "oot"]


@pytest.mark.parametrize("profile", ["hf", "google", "tf", None])
@pytest.mark.parametrize("separator", ["\n", "\t", "\r", "\r\n"])
def test_W11_line_ends_and_tabs_are_spaces(profile, separator):
    end = 3 + len(separator)
    assert Normalizer(profile).words_with_offsets(f"one{separator}line") == [("one", 0, 3), ("line", end, end + 4)]


@pytest.mark.parametrize("profile", ["hf", "google", "tf", None])
def test_W12_ascii_symbols_are_words_and_other_symbols_are_letters(profile):
    words = Normalizer(profile).words
    assert words("a$b") == ["a", "$", "b"]
    assert words("a<b a^b") == ["a", "<", "b", "a", "^", "b"]
    assert words("5°") == ["5°"]


def test_W13_voiced_kana_lose_their_mark_unless_accents_stay():
    assert HF.words("が") == GOOGLE.words("が") == TF.words("が") == ["か"]
    assert Normalizer(strip_accents=False).words("が") == ["が"]


def test_W15_cased_text_is_not_composed_unless_asked():
    composed, decomposed = "\u00e1", "a\u0301"
    for profile in ("hf", "google", "tf"):
        words = Normalizer(profile, lowercase=False).words
        assert (words(composed), words(decomposed)) == ([composed], [decomposed])
    slow = Normalizer("google", lowercase=False, nfc=True)
    assert slow.words(composed) == slow.words(decomposed) == [composed]


def test_W16_stripping_changes_letters_unless_accents_stay():
    assert HF.words("ş й") == ["s", "и"]
    assert Normalizer(strip_accents=False).words("Ş Й") == ["ş", "й"]


@pytest.mark.parametrize("profile", ["hf", "google"])
@pytest.mark.parametrize(("lowercase", "strip_accents", "word"), [
    (True, None, "e"), (False, None, "É"), (True, False, "é"), (False, True, "E"), (True, True, "e"),
    (False, False, "É")])
def test_W17_strip_accents_follows_lowercase_only_when_unset(profile, lowercase, strip_accents, word):
    normalize = Normalizer(profile, lowercase=lowercase, strip_accents=strip_accents)
    assert normalize.words("É") == [word]
    assert normalize.strip_accents == (lowercase if strip_accents is None else strip_accents)


def test_W18_stripping_decomposes_first():
    assert HF.words("\u00e9") == HF.words("e\u0301") == ["e"]


def test_W19_every_nonspacing_mark_goes():
    assert HF.words("ザ") == ["サ"]
    assert HF.words("\u05e9\u05c1\u05b8") == ["\u05e9"]
    assert HF.words("\u0628\u064b") == ["\u0628"]


def test_W22_some_text_has_no_word():
    assert HF.words_with_offsets("foo \ufffd bar") == [("foo", 0, 3), ("bar", 6, 9)]
    assert HF.words("\U000fe4fa") == HF.words_with_offsets("\U000fe4fa") == []
    assert GOOGLE.words("\U000fe4fa") == ["\U000fe4fa"]


@pytest.mark.parametrize("profile", ["hf", "google", "tf"])
def test_W23_kana_are_not_isolated(profile):
    assert Normalizer(profile).words("カナ漢字") == ["カナ", "漢", "字"]


def test_W24_the_block_that_one_table_leaves_out():
    assert HF.words("\U0002b820a") == ["\U0002b820a"]
    assert GOOGLE.words("\U0002b820a") == TF.words("\U0002b820a") == ["\U0002b820", "a"]
    assert HF.words("\U0002b920a") == ["\U0002b920", "a"]


def test_W25_a_space_starts_a_word():
    assert (HF.words("ak"), HF.words("a k")) == (["ak"], ["a", "k"])


def test_W47_next_line_file_separator_line_separator():
    texts = ["one\x85line", "one\x1cline", "one\u2028line"]
    assert [HF.words(text) for text in texts] == [["oneline"], ["oneline"], ["one", "line"]]
    assert [GOOGLE.words(text) for text in texts] == [["oneline"], ["oneline"], ["one", "line"]]
    assert [TF.words(text) for text in texts] == [["one", "line"]] * 3
    assert [Normalizer(None).words(text) for text in texts] == [["one", "line"], ["one\x1cline"], ["one", "line"]]


def test_W48_lower_case_and_case_folding():
    text = "ß ﬁ ＡＢ ΑΣ ½"
    assert HF.words(text) == ["ß", "ﬁ", "ａｂ", "ασ", "½"]
    assert GOOGLE.words(text) == ["ß", "ﬁ", "ａｂ", "ας", "½"]
    assert TF.words(text) == ["ss", "fi", "ab", "ασ", "1⁄2"]


def test_punctuation_is_seen_after_normalization():
    assert HF.words("a≠b") == ["a", "=", "b"]
    assert CASED.words("a≠b") == ["a≠b"]


def test_the_table_of_each_profile_names_its_source():
    assert HF.sources == Normalizer(None).sources == {
        "tables_hf.h": "tokenizers 0.23.3: BertNormalizer, NFD and BertPreTokenizer, asked about every code point"}
    assert "Unicode 14.0.0" in GOOGLE.sources["tables_google.h"]
    assert "tensorflow-text 2.21.1" in TF.sources["tables_tf.h"]


@pytest.mark.parametrize(("profile", "options"), [
    ("hf", {"nfc": True}), ("google", {"clean_text": False}), ("tf", {"strip_accents": False}),
    ("tf", {"handle_chinese_chars": False}), ("tf", {"nfc": True}), (None, {"nfc": True}),
    (None, {"strip_accents": True}), ("tf", {"lowercase": False, "strip_accents": True})])
def test_an_option_that_the_profile_lacks_is_an_error(profile, options):
    with pytest.raises(ValueError, match=rf"^{list(options)[-1]}=.*{profile!r} has no such option"):
        Normalizer(profile, **options)


def test_an_unknown_profile_is_an_error():
    with pytest.raises(ValueError, match="normalizer: expected 'hf', 'google', 'tf' or None, got 'bert'"):
        Normalizer("bert")
    with pytest.raises(TypeError):
        Normalizer(colour=True)


def test_what_a_profile_does_anyway_may_be_said():
    Normalizer("tf", lowercase=False, strip_accents=False, clean_text=False)
    assert Normalizer(None, False, False, False, False).words("É\x1c漢!") == ["É\x1c漢", "!"]


@pytest.mark.parametrize("text", [None, 1.5, ["a"], bytearray(b"a")])
def test_other_types_are_errors(text):
    for normalize in (HF, Normalizer("google", nfc=True)):
        with pytest.raises(TypeError, match=type(text).__name__):
            normalize.words(text)


@pytest.mark.parametrize("normalize", [HF, Normalizer("google", nfc=True)], ids=["hf", "nfc"])
def test_ill_formed_bytes_are_an_error_that_names_the_offset(normalize):
    with pytest.raises(ValueError, match="4"):
        normalize.words("éé".encode() + b"\xff")


def test_bytes_are_text_and_surrogates_are_characters():
    assert HF.words("Héllo".encode()) == ["hello"]
    assert HF.words_with_offsets("Hé !".encode()) == [("he", 0, 2), ("!", 3, 4)]
    assert HF.words_with_offsets("a\ud83d\udc4d b") == [("a\U0001f44d", 0, 3), ("b", 4, 5)]
    # a lone one is U+FFFD, which cleaning removes
    assert GOOGLE.words("a\ud83db") == HF.words("a\ud83db") == ["ab"]
    assert Normalizer("google", nfc=True).words("é\ud83db") == ["eb"]


def test_empty_texts_have_no_words():
    for profile in ("hf", "google", "tf", None):
        for text in ("", " ", "  \n", "\u3000"):
            assert Normalizer(profile).words(text) == Normalizer(profile).words_with_offsets(text) == []


def test_offsets_cover_the_source_of_each_word():
    assert HF.words_with_offsets("\u200bÉ\u0301a\u200b b") == [("ea", 1, 4), ("b", 6, 7)]
    assert TF.words_with_offsets("½ \ufdfa!")[0] == ("1⁄2", 0, 1)
    assert {(start, end) for _, start, end in TF.words_with_offsets("\ufdfa")} == {(0, 1)}
    assert GOOGLE.words_with_offsets("ΑΣ. ΑΣ") == [("ας", 0, 2), (".", 2, 3), ("ας", 4, 6)]
    # a run of marks, sorted: its characters take the run's sources in order, as the tokenizers library has it
    assert HF.words_with_offsets("!\u0301\u0302\U0001d165!") == [("!", 0, 1), ("\U0001d165", 1, 2), ("!", 4, 5)]


@given(st.lists(st.sampled_from("aÉ\u0301\U0001d1651,. \u200b漢각ΣΑ'\u0323\u1dfa\n"), max_size=60).map("".join),
       st.integers(0, 20), st.sampled_from(["hf", "google", "tf", None]))
def test_parts_are_whole_words_and_together_the_text(text, limit, profile):
    normalize = Normalizer(profile)
    for offsets, whole in ((False, normalize.words(text)), (True, normalize.words_with_offsets(text))):
        parts = normalize.parts(text, limit, offsets=offsets)
        assert [word for part in parts for word in part] == whole
        for part in parts[:-1]:
            words = [word[0] for word in part] if offsets else part
            assert len(" ".join([*words, ""]).encode()) >= limit
            assert words


def test_parts_of_a_long_text_are_short():
    for text in ("word, " * 5000, "λόγος! " * 5000, "漢" * 20_000, "e\u0301\U0001d165. " * 5000):
        for offsets in (False, True):
            sizes = [len(part) for part in HF.parts(text, 1000, offsets=offsets)]
            assert len(sizes) > 10
            assert max(sizes) <= 2 * min(sizes[:-1])


def test_composing_keeps_no_offsets_and_says_so():
    with pytest.raises(ValueError, match="nfc"):
        Normalizer("google", nfc=True).words_with_offsets("a")


@pytest.mark.parametrize("normalize", [HF, CASED, GOOGLE, TF, Normalizer(None)], ids=str)
def test_the_maps_hold_their_invariants(normalize):
    normalize.check()


@pytest.mark.parametrize("normalize", [Normalizer("google", False, True, nfc=True), Normalizer(None), TF, CASED],
                         ids=str)
def test_a_copy_is_equal(normalize):
    copy = pickle.loads(pickle.dumps(normalize))
    assert copy.options == normalize.options
    assert copy.profile == normalize.profile
    assert repr(copy) == repr(normalize)


@pytest.mark.parametrize(("profile", "unit"), [
    ("hf", "\u0301"), ("hf", "\U0001d165"), ("hf", "\u0301\U0001d165\u0327"), ("hf", "a"), ("hf", "\u08d4\U0001d165"),
    ("hf", "각"),
    ("tf", "\ufdfa"), ("google", "\u0301"), ("google", "\U0001d165\u0323"), ("google", "Σ'"),
    ("google", "Σ\u200b'"), ("google", "ΑΣ''''"), ("google", "'''''''''''''''Σ"),
    ("google", "Σ"), ("hf", "!"), ("hf", " "), ("hf", "\0")])
@pytest.mark.parametrize("aligned", [False, True])
def test_hostile_runs_cost_linear_time(profile, unit, aligned):
    normalize = Normalizer(profile)

    def seconds(size: int) -> float:
        text = "Α" + unit * (size // len(unit)) + "Σ" * (profile == "google")
        best = float("inf")
        for _ in range(3):
            start = time.process_time()
            (normalize.words_with_offsets if aligned else normalize.words)(text)
            best = min(best, time.process_time() - start)
        return best

    small, large = seconds(20_000), seconds(160_000)
    assert large < 24 * max(small, 2e-4), f"8 times the text took {large / small:.1f} times as long"


@pytest.mark.parametrize("removed", ["", "\0", "\u200b", "\x7f\ufffd"])
def test_marks_are_sorted_across_what_cleaning_removes(removed):
    assert HF.words(f"\u08d4{removed}\U0001d165") == ["\U0001d165\u08d4"]
    assert HF.words("\u08d4a\U0001d165") == ["\u08d4a\U0001d165"]


def test_a_million_marks_are_sorted():
    marks = "\u08d4\U0001d165\u0327" * 333_334       # classes 230 (kept by these old tables), 216 (Mc), 202
    want = "a" + "\U0001d165" * 333_334 + "\u08d4" * 333_334 + "b"
    assert HF.words("a" + marks + "b") == [want]
    assert HF.words_with_offsets("a" + marks + "b") == [(want, 0, 1_000_004)]
