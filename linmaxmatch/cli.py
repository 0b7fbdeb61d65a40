"""The command line `linmaxmatch`: encode, decode, count, corpus, view, trace, table, draw, inspect."""
import argparse
from collections.abc import Sequence
from typing import Any, Literal

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

UNKNOWN = "<unk>"      # the unknown token of a vocabulary given by --entries


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the return value is the exit code."""
    return run(make_parser(), argv)


def make_parser() -> argparse.ArgumentParser:
    commands = Commands(
        "linmaxmatch", "WordPiece tokenization in linear time, and the paper's automaton step by step.",
        "Without --vocab the vocabulary that the package ships is used: 8,000 entries, uncased.")
    vocabulary = argparse.ArgumentParser(add_help=False)
    vocabulary.add_argument("--vocab", metavar="FILE", help="vocab.txt or tokenizer.json")
    vocabulary.add_argument("--unk-token", metavar="TOKEN", help="the unknown token of a vocab.txt (default: [UNK])")
    engine = argparse.ArgumentParser(add_help=False, parents=[vocabulary])
    engine.add_argument("--normalizer", choices=["hf", "google", "tf", "none"],
                        help="whose text clean-up (default: hf, or what tokenizer.json says)")
    engine.add_argument("--cased", action="store_true", help="keep case and accents")
    engine.add_argument("--max-chars-per-word", type=cap, metavar="N", default=argparse.SUPPRESS,
                        help="longer words become the unknown token; 'none' lifts the cap (default: the normalizer's, "
                             "hf 100 characters)")
    small = argparse.ArgumentParser(add_help=False, parents=[vocabulary])
    small.add_argument("--entries", nargs="+", metavar="TOKEN", help="a vocabulary given here, in place of --vocab")
    small.add_argument("--suffix-indicator", default="##", metavar="STRING", help="of --entries (default: ##)")
    small.add_argument("--roots", type=int, choices=[1, 2], default=1,
                       help="1: the paper's one trie (default); 2: suffix tokens under a root of their own")

    count = commands.add_transfers(
        engine, load, reaches_over_lines, "Text of token ids, a record a line. Lossy: case, accents and white space "
        "went when the text was cleaned; offsets lead back to the text itself.")
    count.add_argument("--unknown", action="store_true", help="also how many of them are the unknown token: words that "
                       "the vocabulary cannot spell, or that are longer than the cap")
    add_corpus(commands, engine, load)
    commands.add_view(engine, load, lambda tokenizer: tokenizer.vocabulary.unk_id)
    trace = commands.add("trace", run_trace, "Algorithm 1 on words, step by step: node, character, failure move, pops. "
                         "Words are matched as they are given.", [output(), small])
    trace.add_argument("words", nargs="+", metavar="WORD")
    commands.add("table", run_table, "f and F of every node of the trie.", [output(), small])
    draw = commands.add("draw", run_draw, "A picture: the trie, Algorithm 2's failure links and pops, or Algorithm 4's "
                        "transducer.", [drawing(), small])
    draw.add_argument("structure", nargs="?", choices=["trie", "tables", "transducer"], default="tables")
    draw.add_argument("--word", metavar="WORD", help="only what Algorithm 1 passes on this word, and what is above it")
    commands.add_inspect(facts, "What a vocabulary becomes: sizes, sum of |F|, depth, memory.", engine)
    return commands.parser


def cap(text: str) -> int | None:
    """The value of --max-chars-per-word."""
    if text == "none":
        return None
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"expected a positive number or 'none', got {text!r}")
    return int(text)


def load(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> WordPiece:
    options: dict[str, Any] = {}
    if arguments.normalizer:
        options["normalizer"] = None if arguments.normalizer == "none" else arguments.normalizer
    if arguments.cased:
        options["lowercase"] = False
    if "max_chars_per_word" in arguments:
        options["max_chars_per_word"] = arguments.max_chars_per_word
    if arguments.unk_token is not None:
        options["unk_token"] = arguments.unk_token
    try:
        return WordPiece.from_file(arguments.vocab or default_vocabulary_path(), **options)
    except (FormatError, VocabularyError):
        raise
    except (TypeError, ValueError) as error:
        if options:                            # they do not go together, or not with what the file says itself
            parser.error(str(error))
        raise


def reaches_over_lines(tokenizer: WordPiece) -> bool:
    """Whether a token may: nothing but an added token can hold white space or take some with it."""
    return any(token.lstrip or token.rstrip or "\n" in token.content for token in tokenizer.options["added_tokens"])


def notation(arguments: argparse.Namespace) -> Tables:
    """Algorithm 2's tables of the vocabulary that trace and table are asked about."""
    roots: Literal[1, 2] = 2 if arguments.roots == 2 else 1
    if arguments.entries is None:
        options = {} if arguments.unk_token is None else {"unk_token": arguments.unk_token}
        V = WordPiece.from_file(arguments.vocab or default_vocabulary_path(), **options).vocabulary
        return precompute(Trie(V, roots=roots))
    # <unk> is no string of the paper's V: it stands in the trie only where it was given.
    given = UNKNOWN in arguments.entries
    V = Vocabulary([*arguments.entries, *([] if given else [UNKNOWN])], suffix_indicator=arguments.suffix_indicator,
                   unk_token=UNKNOWN)
    return precompute(Trie(V, roots=roots, keep=None if given else lambda token, body: token != UNKNOWN))


def run_trace(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    tables = notation(arguments)
    check_words(arguments.words)
    write_lines(arguments.output, ["\n\n".join(str(trace(tables, word)) for word in arguments.words)])


def run_table(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    write_lines(arguments.output, show_table(notation(arguments)))


def run_draw(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    tables = notation(arguments)
    if arguments.word is not None:
        check_words([arguments.word])
    structure: Any = tables if arguments.structure == "tables" else tables.trie
    if arguments.structure == "transducer":
        structure = Transducer(tables)
    write_drawing(arguments, structure, word=arguments.word)


def facts(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> dict[str, Any]:
    tokenizer = load(arguments, parser)
    V = tokenizer.vocabulary
    return {**tokenizer.inspect(), "one_root": figures(precompute(Trie(V))),
            "two_roots": figures(precompute(Trie(V, roots=2)))}


def figures(tables: Tables) -> dict[str, int]:
    """The sizes of Algorithm 2's result."""
    nodes = range(len(tables.trie))
    pops = [len(tables.F(v)) for v in nodes]
    return {"nodes": len(nodes), "sum_F": sum(pops), "max_F": max(pops),
            "nodes_without_f": sum(tables.f(v) is None for v in nodes),
            "depth": max(len(tables.trie.chi(v)) for v in nodes)}
