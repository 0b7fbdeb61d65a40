"""The command line `linmaxmatch`: encode, decode, count, corpus, view, trace, table, draw, inspect."""
import argparse
from collections.abc import Sequence
from typing import Any, Literal

from linmaxmatch import inspect
from linmaxmatch.default import default_vocabulary_path
from linmaxmatch.failure import Tables, precompute
from linmaxmatch.trace import show_table, trace
from linmaxmatch.transducer import Transducer
from linmaxmatch.trie import Trie
from linmaxmatch.vocabulary import Vocabulary, VocabularyError
from linmaxmatch.wordpiece import WordPiece
from subwordio.commands import Commands, check_words, drawing, output, run, write_drawing, write_lines
from subwordio.corpus.command import add_corpus
from subwordio.errors import FormatError
from subwordio.files import is_saved
from subwordio.flags import FlagParser, refuse_beside

UNKNOWN = "<unk>"      # the unknown token of a vocabulary given by --entries
FLAGS = {"allowed_special": "--allow-special", "duplicates": "--duplicates", "lowercase": "--cased",
         "max_chars_per_word": "--max-chars-per-word", "normalizer": "--normalizer", "roots": "--roots",
         "special_tokens=True": "--special-tokens", "suffix_indicator": "--suffix-indicator",
         "unk_token": "--unk-token"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the return value is the exit code."""
    return run(make_parser(), argv)


def make_parser() -> FlagParser:
    commands = Commands(
        "linmaxmatch", "WordPiece tokenization in linear time, and the paper's automaton step by step.",
        "Without --vocab the vocabulary that the package ships is used: 8,000 entries, uncased.", FLAGS)
    vocabulary = argparse.ArgumentParser(add_help=False)
    vocabulary.add_argument("--vocab", metavar="FILE", help="vocab.txt, tokenizer.json, or what WordPiece.save wrote")
    vocabulary.add_argument("--unk-token", metavar="TOKEN", help="the unknown token of a vocab.txt (default: [UNK])")
    vocabulary.add_argument("--suffix-indicator", metavar="STRING", help="of a vocab.txt or --entries (default: ##)")
    vocabulary.add_argument("--duplicates", choices=["error", "last"],
                            help="last: of a token that is twice in a vocab.txt or --entries the last place counts "
                                 "(default: error)")
    tokenizer = argparse.ArgumentParser(add_help=False, parents=[vocabulary])
    tokenizer.add_argument("--normalizer", choices=["hf", "google", "tf", "none"],
                        help="whose text clean-up (default: hf, or what tokenizer.json says)")
    tokenizer.add_argument("--cased", action="store_true", help="keep case and accents")
    tokenizer.add_argument("--max-chars-per-word", type=cap, metavar="N", default=argparse.SUPPRESS,
                           help="longer words become the unknown token; 'none' lifts the cap (default: the "
                                "normalizer's, hf 100 characters)")
    engine = argparse.ArgumentParser(add_help=False, parents=[tokenizer])
    engine.add_argument("--allow-special", action="append", metavar="TOKEN", default=[],
                        help="a special token of a tokenizer.json that counts where the text spells it, or 'all' "
                             "(default: none does)")
    small = argparse.ArgumentParser(add_help=False, parents=[vocabulary])
    small.add_argument("--entries", nargs="+", metavar="TOKEN", help="a vocabulary given here, in place of --vocab")
    small.add_argument("--roots", type=int, choices=[1, 2], default=1,
                       help="1: the paper's one trie (default); 2: suffix tokens under a root of their own")

    count = commands.add_transfers(
        engine, tokenizer_of, reaches_over_lines, "Text of token ids, a record a line. Lossy: case, accents and white "
        "space went when the text was cleaned; offsets lead back to the text itself.", tokenizer)
    count.add_argument("--unknown", action="store_true", help="also how many of them are the unknown token: words that "
                       "the vocabulary cannot spell, or that are longer than the cap")
    add_corpus(commands, engine, tokenizer_of)
    commands.add_view(engine, tokenizer_of, lambda tokenizer: tokenizer.vocabulary.unk_id)
    trace = commands.add("trace", run_trace, "Algorithm 1 on words, step by step: node, character, failure move, pops. "
                         "Words are matched as they are given.", [output(), small])
    trace.add_argument("words", nargs="+", metavar="WORD")
    commands.add("table", run_table, "f and F of every node of the trie.", [output(), small])
    draw = commands.add("draw", run_draw, "A picture: the trie, Algorithm 2's failure links and pops, or Algorithm 4's "
                        "transducer.", [drawing(), small])
    draw.add_argument("structure", nargs="?", choices=["trie", "tables", "transducer"], default="tables")
    draw.add_argument("--word", metavar="WORD", help="only what Algorithm 1 passes on this word, and what is above it")
    commands.add_inspect(facts, "What a vocabulary becomes: sizes, sum of |F|, depth, memory.", tokenizer)
    return commands.parser


def cap(text: str) -> int | None:
    """The value of --max-chars-per-word."""
    if text == "none":
        return None
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"expected a positive number or 'none', got {text!r}")
    return int(text)


class Allowing:
    """A tokenizer in which some special tokens count; all else is as in the tokenizer itself."""

    def __init__(self, wp: WordPiece, allowed: Sequence[str]) -> None:
        self.wp = wp
        self.allowed: Any = "all" if list(allowed) == ["all"] else list(allowed)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.wp, name)

    def encode(self, text: bytes, **options: Any) -> Any:
        return self.wp.encode(text, allowed_special=self.allowed, **options)

    def encode_batch(self, texts: Sequence[bytes], threads: int | None = None) -> Any:
        return self.wp.encode_batch(texts, threads=threads, allowed_special=self.allowed)

    def count(self, text: bytes) -> int:
        return self.wp.count(text, allowed_special=self.allowed)


def tokenizer_of(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> Any:
    """The tokenizer that the options name, in which the special tokens count that they allow."""
    wp, allowed = load(arguments, parser), vars(arguments).get("allow_special")
    if not allowed:
        return wp
    found = Allowing(wp, allowed)
    found.count(b"")            # a token that is not special is an error before anything is read
    return found


def load(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> WordPiece:
    """The tokenizer that the options name."""
    options = options_of(vars(arguments))
    if arguments.vocab is not None and is_saved(arguments.vocab):
        if options:
            parser.error(f"{', '.join(options)}: {arguments.vocab} is a saved tokenizer, no option goes beside it")
        return WordPiece.load(arguments.vocab)
    try:
        return WordPiece.from_file(arguments.vocab or default_vocabulary_path(), **options)
    except (FormatError, VocabularyError):
        raise
    except (TypeError, ValueError) as error:
        if options:                            # they do not go together, or not with what the file says itself
            parser.error(str(error))
        raise


def options_of(given: dict[str, Any]) -> dict[str, Any]:
    """What the options say to `WordPiece.from_file`, where they say something."""
    names = ("normalizer", "unk_token", "suffix_indicator", "duplicates")
    options = {name: given[name] for name in names if given.get(name) is not None}
    if options.get("normalizer") == "none":
        options["normalizer"] = None
    if given.get("cased"):
        options["lowercase"] = False
    if "max_chars_per_word" in given:
        options["max_chars_per_word"] = given["max_chars_per_word"]
    return options


def reaches_over_lines(tokenizer: WordPiece) -> bool:
    """Whether a token may: nothing but an added token can hold white space or take some with it."""
    return any(token.lstrip or token.rstrip or "\n" in token.content for token in tokenizer.options["added_tokens"])


def notation(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> Tables:
    """Algorithm 2's tables of the vocabulary that trace and table are asked about."""
    roots: Literal[1, 2] = 2 if arguments.roots == 2 else 1
    if arguments.entries is None:
        return precompute(Trie(load(arguments, parser).vocabulary, roots=roots))
    refuse_beside(parser, arguments, "--entries are a vocabulary by themselves", ["vocab", "unk_token"])
    # <unk> is no string of the paper's V: it stands in the trie only where it was given.
    given = UNKNOWN in arguments.entries
    V = Vocabulary([*arguments.entries, *([] if given else [UNKNOWN])], unk_token=UNKNOWN,
                   **options_of(vars(arguments)))
    return precompute(Trie(V, roots=roots, keep=None if given else lambda token, body: token != UNKNOWN))


def run_trace(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    tables = notation(arguments, parser)
    check_words(arguments.words)
    write_lines(arguments.output, ["\n\n".join(str(trace(tables, word)) for word in arguments.words)])


def run_table(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    write_lines(arguments.output, show_table(notation(arguments, parser)))


def run_draw(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    tables = notation(arguments, parser)
    if arguments.word is not None:
        check_words([arguments.word])
    structure: Any = tables if arguments.structure == "tables" else tables.trie
    if arguments.structure == "transducer":
        structure = Transducer(tables)
    write_drawing(arguments, structure, word=arguments.word)


def facts(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> dict[str, Any]:
    return inspect.facts(load(arguments, parser))
