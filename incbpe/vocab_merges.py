"""`vocab.json` with `merges.txt`: names and ids, and the rules a line each, as GPT-2 was published.

Names are spelt in GPT-2's byte alphabet. The files do not say how texts are split: GPT-2's pattern, unless the caller
says otherwise.

Cost  linear in the size of the files.
"""
from __future__ import annotations

from incbpe.merges import HEADER, check_merges, pairs_of_strings
from incbpe.model import Config, Duplicates, Unicode
from incbpe.tokenizer_json import raw_model
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
    headers = [i for i, line in enumerate(lines) if line.startswith(HEADER)]
    rules = [line for line in lines if not line.startswith(HEADER)] if headers else lines

    def place(i: int) -> str:
        for index in headers:
            i += index <= i
        return f"{name_of(merges)}:{i + 1}"

    pairs = pairs_of_strings(rules, value, place)
    check_merges(pairs, value, place, duplicates)
    late = [i for i in headers if i]
    if late:
        notes = (*notes, f"line {late[0] + 1} and {len(late) - 1} more begin with {HEADER!r} and are no rules, as in "
                         "the tokenizers library")
    model, unmatched, more = raw_model(names, pairs, special_tokens, True, duplicates, {})
    return Config(model, unicode, pattern, added_tokens=special_tokens, unmatched=unmatched,
                  notes=(*notes, *file.notes, *more))
