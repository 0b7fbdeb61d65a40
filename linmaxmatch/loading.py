"""From a file to the arguments of `WordPiece`."""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from os.path import splitext
from typing import Any

from linmaxmatch.vocab_txt import check_tokens, read_vocab_txt
from subwordio.files import StrPath, name_of
from subwordio.strings import Strings


def arguments_of(path: StrPath, sha256: str | None, options: Mapping[str, Any]
                 ) -> tuple[Strings | Sequence[str], dict[str, Any], tuple[str, ...]]:
    """The tokens and other arguments of the `WordPiece` in a file, a tokenizer.json if its name ends so; and notes."""
    if splitext(path)[1] == ".json":
        if options:
            raise TypeError(f"{', '.join(sorted(options))}: a tokenizer.json says it all, no option goes beside it")
        return of_tokenizer_json(path, sha256)
    strings, notes = read_vocab_txt(path, sha256=sha256)
    return strings, dict(options), notes


def explain(path: StrPath, tokens: Iterable[str], options: Mapping[str, Any]) -> None:
    """Say, with file and line, why these tokens of a vocab.txt were refused, if it is for what they are."""
    check_tokens(tuple(tokens), name_of(path), options.get("duplicates", "error"), options.get("unk_token", "[UNK]"))


def of_tokenizer_json(path: StrPath, sha256: str | None) -> tuple[Sequence[str], dict[str, Any], tuple[str, ...]]:
    # Only here: a vocab.txt needs none of this.
    from linmaxmatch.tokenizer_json import load_tokenizer_json

    config = load_tokenizer_json(path, sha256=sha256)
    cleaning: dict[str, Any] = {"normalizer": None}
    if config.normalizer is not None:
        cleaning = {"normalizer": "hf", "lowercase": config.normalizer.lowercase,
                    "strip_accents": config.normalizer.strip_accents, "clean_text": config.normalizer.clean_text,
                    "handle_chinese_chars": config.normalizer.handle_chinese_chars}
    return config.tokens[:config.model_vocab_size], {
        "suffix_indicator": config.continuing_subword_prefix, "unk_token": config.unk_token, **cleaning,
        "max_chars_per_word": config.max_input_chars_per_word, "added_tokens": config.added_tokens,
        "template": config.template, "truncation": config.truncation, "padding": config.padding,
        "cleanup": config.decoder is not None and config.decoder.cleanup,
        "decoder_prefix": None if config.decoder is None else config.decoder.prefix,
    }, config.notes
