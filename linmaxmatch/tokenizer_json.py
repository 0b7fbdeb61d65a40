"""The `tokenizer.json` of the tokenizers library, for WordPiece models, as a typed `TokenizerConfig`.

What a file asks for and this package does not do is a `FormatError` that names the field; nothing is ignored.

Cost  linear in the size of the file.
"""
from __future__ import annotations

from dataclasses import dataclass

from linmaxmatch.vocabulary import VocabularyError
from subwordio.added import AddedToken
from subwordio.fields import Fields
from subwordio.files import StrPath, name_of, read_json_file
from subwordio.padding import Padding, Truncation
from subwordio.sections import only_one, read_added_tokens, read_padding, read_template, read_truncation, read_vocab
from subwordio.template import Template

__all__ = ["BertNormalizer", "TokenizerConfig", "WordPieceDecoder", "load_tokenizer_json"]

TOKENIZER_JSON_LIMIT = 2**29    # bytes of a tokenizer.json


@dataclass(frozen=True)
class BertNormalizer:
    """The four switches of BERT's text cleaning; `strip_accents` None follows `lowercase`."""

    clean_text: bool = True
    handle_chinese_chars: bool = True
    strip_accents: bool | None = None
    lowercase: bool = True


@dataclass(frozen=True)
class WordPieceDecoder:
    """How tokens are put together: `prefix` is taken off all but the first; `cleanup` closes up English punctuation."""

    prefix: str = "##"
    cleanup: bool = False


@dataclass(frozen=True)
class TokenizerConfig:
    """A tokenizer.json of a WordPiece model.

    `tokens` are the model's and the added ones by id; an id that nothing has holds "", which matches nothing.
    """

    tokens: tuple[str, ...]
    unk_token: str
    continuing_subword_prefix: str
    max_input_chars_per_word: int
    normalizer: BertNormalizer | None
    added_tokens: tuple[AddedToken, ...]
    template: Template
    decoder: WordPieceDecoder | None
    truncation: Truncation | None
    padding: Padding | None
    model_vocab_size: int           # how many ids, from 0 on, the model's own tokens span; the trie holds only those
    notes: tuple[str, ...]


def load_tokenizer_json(path: StrPath, *, sha256: str | None = None,
                        limit: int = TOKENIZER_JSON_LIMIT) -> TokenizerConfig:
    """The whole of a tokenizer.json (version 1.0) whose model is a WordPiece with BERT's pre-tokenizer.

    Ids that no token has (gaps) stay gaps, and a note says how many; an id twice, an id over 2²², an added token whose
    id is not the one that the tokenizers library would give it, a missing unknown token: errors.
    """
    name = name_of(path)
    value, notes = read_json_file(path, what="a tokenizer.json", limit=limit, sha256=sha256)
    top = Fields(value, "", name)
    top.one_of("version", "1.0")
    model = top.fields("model")
    model.one_of("type", "WordPiece")
    tokens, gaps = read_vocab(model)
    unk_token = model.string("unk_token")
    if unk_token not in model.mapping("vocab"):
        raise VocabularyError(f"{name}: model.unk_token: {unk_token!r} is not in model.vocab")
    prefix = model.string("continuing_subword_prefix")
    cap = model.integer("max_input_chars_per_word")
    model.finish()
    size = len(tokens)
    added = read_added_tokens(top, tokens, model.mapping("vocab"))
    if gaps:
        notes = (*notes, f"{gaps} ids of the model have no token")
    config = TokenizerConfig(
        tokens=tuple(tokens), unk_token=unk_token, continuing_subword_prefix=prefix, max_input_chars_per_word=cap,
        normalizer=read_normalizer(top), added_tokens=added, template=read_template(top, tokens),
        decoder=read_decoder(top), truncation=read_truncation(top), padding=read_padding(top), model_vocab_size=size,
        notes=notes)
    read_pre_tokenizer(top)
    top.finish()
    return config


def read_normalizer(top: Fields) -> BertNormalizer | None:
    if not top.has("normalizer"):
        return None
    part = only_one(top.fields("normalizer"), "normalizers")
    part.one_of("type", "BertNormalizer")
    normalizer = BertNormalizer(
        clean_text=part.boolean("clean_text"), handle_chinese_chars=part.boolean("handle_chinese_chars"),
        strip_accents=part.boolean("strip_accents") if part.has("strip_accents") else None,
        lowercase=part.boolean("lowercase"))
    part.finish()
    return normalizer


def read_pre_tokenizer(top: Fields) -> None:
    if not top.has("pre_tokenizer"):
        raise top.error("pre_tokenizer", "none is not supported; expected a BertPreTokenizer")
    part = only_one(top.fields("pre_tokenizer"), "pretokenizers")
    part.one_of("type", "BertPreTokenizer")
    part.finish()


def read_decoder(top: Fields) -> WordPieceDecoder | None:
    if not top.has("decoder"):
        return None
    part = only_one(top.fields("decoder"), "decoders")
    part.one_of("type", "WordPiece")
    decoder = WordPieceDecoder(part.string("prefix"), part.boolean("cleanup"))
    part.finish()
    return decoder
