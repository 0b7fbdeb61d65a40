"""Vocabulary files of WordPiece models: `vocab.txt`, and the `tokenizer.json` of the tokenizers library."""
from linmaxmatch.tokenizer_json import BertNormalizer, TokenizerConfig, WordPieceDecoder, load_tokenizer_json
from linmaxmatch.vocab_txt import VocabFile, load_vocab_txt

__all__ = ["BertNormalizer", "TokenizerConfig", "VocabFile", "WordPieceDecoder", "load_tokenizer_json",
           "load_vocab_txt"]
