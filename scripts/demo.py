"""What the package does, on one page:  python scripts/demo.py [FILE]

The paper's example step by step, a text file by the shipped vocabulary with its speed, the same words by the paper's
own algorithm, and what the checks of the paper's statements said.
"""
import argparse
import sys
import time
from pathlib import Path

from linmaxmatch import Trie, Vocabulary, lin_max_match, precompute
from linmaxmatch.default import default_vocabulary_path
from linmaxmatch.trace import show
from linmaxmatch.wordpiece import WordPiece

sys.path.append(str(Path(__file__).parents[1]))         # where `proofs` lies; it is not installed

UNK = "<unk>"
SHOWN = 12             # tokens
LONG = 8_000_000       # bytes of text to time
ROUNDS = 5


def paper_example() -> None:
    print("1. The paper's example: V = {a, abcd, ##b, ##bc, ##z}\n")
    vocabulary = Vocabulary(["a", "abcd", "##b", "##bc", "##z", UNK])
    tables = precompute(Trie(vocabulary, keep=lambda token, body: token != UNK))
    print(show(tables, "abcdz"), show(tables, "abcz"), sep="\n\n")


def tokenize_file(wordpiece: WordPiece, path: Path, text: str) -> None:
    ids = wordpiece.encode(text)
    size = len(text.encode())
    print(f"\n2. {path.name}: {size:,} bytes, {len(ids):,} tokens of the shipped vocabulary\n")
    print("tokens ", *map(wordpiece.token, ids[:SHOWN]), *["…"] * (len(ids) > SHOWN))
    print("ids    ", *ids[:SHOWN], *["…"] * (len(ids) > SHOWN))
    if size:
        print(f"speed   {speed(wordpiece, text, size):.0f} MB/s, best of {ROUNDS}, one thread, "
              f"the text repeated to {LONG / 1e6:.0f} MB")


def speed(wordpiece: WordPiece, text: str, size: int) -> float:
    document = text * -(-LONG // size)
    seconds = []
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        wordpiece.encode(document)
        seconds.append(time.perf_counter() - begin)
    return size * (len(document) // len(text)) / min(seconds) / 1e6


def compare_layers(wordpiece: WordPiece, text: str) -> bool:
    """Whether the engine's tokens of the text are those of the paper's algorithm, word by word."""
    tables = precompute(Trie(wordpiece.vocabulary))
    words = wordpiece.normalizer.words(text)
    by_paper = [wordpiece.id(token) for word in words for token in lin_max_match(tables, word)]
    same = by_paper == list(wordpiece.encode(text))
    print(f"\n3. The paper's algorithm on the same {len(words):,} words: {'the same ids' if same else 'OTHER IDS'}")
    return same


def check_statements() -> bool:
    from proofs import summary

    print("\n4. The paper's statements, on a sample of the small vocabularies (make proofs: on all)\n")
    said = summary()
    print(said)
    return said.endswith("all hold")


def main() -> int:
    parser = argparse.ArgumentParser(description="What the package does, on one page.")
    parser.add_argument("file", nargs="?", type=Path, default=Path("README.md"), help="the text to tokenize")
    path = parser.parse_args().file
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        parser.error(f"{path}: {error}")
    wordpiece = WordPiece.from_file(default_vocabulary_path())
    paper_example()
    tokenize_file(wordpiece, path, text)
    return 0 if compare_layers(wordpiece, text) and check_statements() else 1


if __name__ == "__main__":
    sys.exit(main())
