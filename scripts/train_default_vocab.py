"""Train the vocabularies that the packages ship, WordPiece and byte-level BPE, from three public texts.

    python scripts/train_default_vocab.py FOLDER linmaxmatch/data/default-vocab.txt
    python scripts/train_default_vocab.py FOLDER incbpe/data/default-tokenizer.json

FOLDER holds english.txt, code.txt and sentences82.txt (linmaxmatch/data/PROVENANCE.md says what they are). The same
texts and the same release of the tokenizers library give the same bytes. The trainer numbers the characters in the
order of a hash table and breaks ties by number, so they are handed to it numbered already, as special tokens.
"""
import argparse
import json
import re
from collections import Counter
from pathlib import Path

from tokenizers import Tokenizer, decoders
from tokenizers.models import BPE, WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer, ByteLevel
from tokenizers.trainers import BpeTrainer, WordPieceTrainer

TEXTS = ("english.txt", "code.txt", "sentences82.txt")
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PRINTABLE = [chr(c) for c in range(0x21, 0x7F)]
SIZE = 8_000
END = "<|endoftext|>"        # the special token of the BPE vocabulary
COARSE = re.compile(r"\b(?:bitch|fuck|nigg|shit)", re.IGNORECASE)     # lines that a classroom need not learn from
RARE = 20          # a character outside ASCII must occur this often to be in the alphabet


def alphabet(lines: list[str]) -> list[str]:
    """Printable ASCII whole, so that no ASCII text is unknown; then what occurs often enough, in code point order."""
    counts: Counter[str] = Counter()
    clean = BertNormalizer(lowercase=True)
    for line in lines:
        counts.update(clean.normalize_str(line))
    often = {c for c, n in counts.items() if n >= RARE and not c.isspace()}
    return PRINTABLE + sorted(often.difference(PRINTABLE))


def lines_of(folder: Path) -> list[str]:
    return [line for name in TEXTS for line in (folder / name).read_text(encoding="utf-8").splitlines()
            if not COARSE.search(line)]


def train(folder: Path) -> list[str]:
    """The WordPiece tokens in the order of their ids."""
    lines = lines_of(folder)
    characters = alphabet(lines)
    tokenizer = Tokenizer(WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    trainer = WordPieceTrainer(
        vocab_size=SIZE, min_frequency=2, limit_alphabet=len(characters), initial_alphabet=characters,
        special_tokens=SPECIAL + characters + ["##" + c for c in characters], show_progress=False,
    )

    tokenizer.train_from_iterator((lines[i:i + 1000] for i in range(0, len(lines), 1000)), trainer)
    ids = tokenizer.get_vocab(with_added_tokens=True)
    return sorted(ids, key=ids.__getitem__)


def train_bpe(folder: Path) -> str:
    """The BPE tokenizer as a tokenizer.json: the 256 bytes, what training found, and one special token."""
    lines = lines_of(folder)
    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False)
    characters = sorted(ByteLevel.alphabet())
    trainer = BpeTrainer(vocab_size=SIZE - 1, min_frequency=2, initial_alphabet=characters, special_tokens=characters,
                         show_progress=False)
    tokenizer.train_from_iterator(("\n".join(lines[i:i + 1000]) + "\n" for i in range(0, len(lines), 1000)), trainer)
    trained = json.loads(tokenizer.to_str())["model"]
    whole = Tokenizer(BPE(trained["vocab"], list(map(tuple, trained["merges"]))))
    whole.pre_tokenizer = ByteLevel(add_prefix_space=False)
    whole.decoder = decoders.ByteLevel()
    whole.add_special_tokens([END])
    return whole.to_str() + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description="Train a shipped vocabulary.")
    parser.add_argument("texts", type=Path, help="the folder that holds " + ", ".join(TEXTS))
    parser.add_argument("output", type=Path, help="what to write: a vocab.txt of WordPiece, a tokenizer.json of BPE")
    arguments = parser.parse_args()
    if arguments.output.suffix == ".json":
        made = train_bpe(arguments.texts)
    else:
        made = "".join(token + "\n" for token in train(arguments.texts))
    arguments.output.write_text(made, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
