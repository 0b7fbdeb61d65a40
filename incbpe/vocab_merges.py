"""`vocab.json` with `merges.txt`: names and ids, and the rules a line each, as GPT-2 was published.

Names are spelt in GPT-2's byte alphabet. The files do not say how texts are split: GPT-2's pattern, unless the caller
says otherwise.

Cost  linear in the size of the files.
"""
from __future__ import annotations

from incbpe.model import Config, Duplicates, Unicode
from incbpe.tokenizer_json import make_model
from subwordio.added import AddedToken
from subwordio.errors import FormatError
from subwordio.fields import Fields
from subwordio.files import StrPath, name_of, read_json_file, read_text_file
from subwordio.sections import read_vocab

__all__ = ["load_vocab_merges"]

VOCAB_JSON_LIMIT = 2**28        # bytes of a vocab.json
MERGES_TXT_LIMIT = 2**28        # bytes of a merges.txt


def load_vocab_merges(vocab: StrPath, merges: StrPath, *, pattern: str = "gpt2", unicode: Unicode = "tokenizers",
                      special_tokens: tuple[AddedToken, ...] = (), duplicates: Duplicates = "error",
                      vocab_sha256: str | None = None, merges_sha256: str | None = None) -> Config:
    """The tokenizer of two files.

    A line of merges.txt that begins with "#version" is a header. All others are rules, two names with one space
    between; "\\r" at a line's end is no part of it. An empty line, a name that is not in the vocabulary, a rule given
    twice: a `FormatError` that names the line.
    """
    value, notes = read_json_file(vocab, what="a vocab.json (an object of tokens and their ids)",
                                  limit=VOCAB_JSON_LIMIT, sha256=vocab_sha256)
    names, gaps = read_vocab(Fields({"vocab": value}, "", name_of(vocab)))
    if not names:
        raise FormatError(f"{name_of(vocab)}: holds no token")
    if gaps:
        notes = (*notes, f"{gaps} ids have no token")
    file = read_text_file(merges, what="a merges.txt (two tokens with a space between a line)", limit=MERGES_TXT_LIMIT,
                          sha256=merges_sha256)
    lines = file.text.split("\n")
    if lines[-1] == "":
        lines.pop()             # the end of the last line, not a line
    if "\r" in file.text:
        lines = [line.removesuffix("\r") for line in lines]
    made = make_model(names, lines, lambda i: f"{name_of(merges)}:{i + 1}", byte_level=True, added=special_tokens,
                      duplicates=duplicates, options={}, headers_from=1)
    return Config(made.model, unicode, pattern, added_tokens=special_tokens, unmatched=made.unmatched,
                  notes=(*notes, *file.notes, *made.notes))
