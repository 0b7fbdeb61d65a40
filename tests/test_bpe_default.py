"""The shipped BPE tokenizer: its form, that it is a proper dictionary, and that the script makes it anew."""
import json
import re
import runpy
from pathlib import Path

import pytest

from incbpe.default import default_tokenizer_path
from incbpe.dictionary import Dictionary
from incbpe.loading import load
from incbpe.model import ByteLevel
from incbpe.normalize import normalize
from subwordio.added import AddedToken

SCRIPT = Path(__file__).parents[1] / "scripts" / "train_default_vocab.py"


@pytest.fixture(scope="module")
def config():
    return load(default_tokenizer_path())


def test_its_form(config):
    assert config.model.size == 7_999
    assert config.added_tokens == (AddedToken("<|endoftext|>", 7_999, special=True),)
    assert (config.byte_level_regex, config.add_prefix_space, config.splits, config.normalizer) == (True, False, (), ())
    assert (config.decoder, config.template, config.trim, config.notes) == ((ByteLevel(),), None, None, ())
    assert not config.model.whole_piece
    assert config.unicode == "tokenizers"
    content = default_tokenizer_path().read_bytes()
    assert content.endswith(b"}\n")
    assert content.count(b"\n") == 1
    assert json.loads(content)["version"] == "1.0"


def test_its_tokens(config):
    tokens = config.model.tokens
    assert {token for token in tokens if len(token) == 1} == {bytes([b]) for b in range(256)}
    assert {len(token) for token in tokens[:256]} == {1}
    # each of the others is made by one rule, in the order of their ids
    assert [x + y for x, y in config.model.merges] == list(tokens[256:])
    assert len(set(tokens)) == len(tokens)
    assert not any(re.search(rb"bitch|fuck|nigg|shit\b", token, re.IGNORECASE) for token in tokens)


def test_it_is_proper(config):
    D = Dictionary(config.model.tokens, config.model.merges)
    N = normalize(D, semantics="rank")
    assert N.proper
    assert N.form == "rules"
    assert N.n == len(D)


def test_the_script_makes_it_anew(data):
    assert runpy.run_path(str(SCRIPT))["train_bpe"](data / "corpora") == default_tokenizer_path().read_text("utf-8")
