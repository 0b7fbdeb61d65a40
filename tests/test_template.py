"""Post-processor templates against the tokenizers library."""
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from subwordio.template import PLAIN, Special, Template, Text

WORDS = 40
ids = st.lists(st.integers(0, WORDS - 1), max_size=8)
specials = st.builds(Special, st.lists(st.integers(0, WORDS - 1), min_size=1, max_size=3).map(tuple), st.integers(0, 3))


@st.composite
def templates(draw: st.DrawFn) -> Template:
    single = [*draw(st.lists(specials, max_size=3)), Text(0, draw(st.integers(0, 3)))]
    pair = [*draw(st.lists(specials, max_size=3)), Text(0, draw(st.integers(0, 3))), Text(1, draw(st.integers(0, 3)))]
    return Template(tuple(draw(st.permutations(single))), tuple(draw(st.permutations(pair))))


def peer(template: Template | None = None) -> Tokenizer:
    tokenizer = Tokenizer(models.WordLevel({str(i): i for i in range(WORDS)}, unk_token="0"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    if template is None:
        return tokenizer
    names: dict[tuple[int, ...], str] = {}

    def piece(part):
        if isinstance(part, Text):
            return {"Sequence": {"id": "AB"[part.sequence], "type_id": part.type_id}}
        return {"SpecialToken": {"id": names.setdefault(part.ids, f"s{len(names)}"), "type_id": part.type_id}}

    state = json.loads(tokenizer.to_str())
    state["post_processor"] = {
        "type": "TemplateProcessing", "single": [piece(part) for part in template.single],
        "pair": [piece(part) for part in template.pair],
        "special_tokens": {name: {"id": name, "ids": spelt, "tokens": [str(i) for i in spelt]}
                           for spelt, name in names.items()}}
    return Tokenizer.from_str(json.dumps(state))


def theirs(tokenizer: Tokenizer, a, b, special_tokens):
    spelt = [" ".join(map(str, each)) for each in (a, b) if each is not None]
    encoding = tokenizer.encode(*spelt, add_special_tokens=special_tokens)
    return encoding.ids, encoding.type_ids


@given(templates(), ids, st.none() | ids, st.booleans())
def test_template_processing_is_the_librarys(template, a, b, special_tokens):
    tokenizer = peer(template)
    assert template.apply(a, b, special_tokens) == theirs(tokenizer, a, b, special_tokens)
    for pair in (False, True):
        assert template.num_added(pair) == tokenizer.num_special_tokens_to_add(pair)


@given(ids, st.none() | ids, st.booleans())
def test_bert_processing_is_the_librarys(a, b, special_tokens):
    tokenizer, template = peer(), Template.bert(1, 2)
    tokenizer.post_processor = processors.BertProcessing(("2", 2), ("1", 1))
    assert template.apply(a, b, special_tokens) == theirs(tokenizer, a, b, special_tokens)
    assert [template.num_added(pair) for pair in (False, True)] == [2, 3]


@given(ids, st.none() | ids)
def test_no_post_processor(a, b):
    assert PLAIN.apply(a, b) == theirs(peer(), a, b, True)


def test_w53_an_empty_second_text_is_a_second_text():
    assert Template.bert(1, 2).apply([5], []) == ([1, 5, 2, 2], [0, 0, 0, 1])
    assert Template.bert(1, 2).apply([5]) == ([1, 5, 2], [0, 0, 0])


@pytest.mark.parametrize("single, pair, message", [
    ((), (Text(0), Text(1)), "single: each text must take part exactly once, got texts none"),
    ((Text(1),), (Text(0), Text(1)), "single: .* got texts B"),
    ((Text(0), Text(0)), (Text(0), Text(1)), "single: .* got texts A, A"),
    ((Text(0),), (Text(0),), "pair: .* got texts A"),
    ((Text(0),), (Text(0), Text(2)), "pair: .* got texts A, 2"),
])
def test_a_template_must_use_each_text_once(single, pair, message):
    with pytest.raises(ValueError, match=message):
        Template(single, pair)


def test_docstrings():
    import doctest

    import subwordio.template
    assert doctest.testmod(subwordio.template).failed == 0
    assert doctest.testmod(subwordio.template).attempted > 0
