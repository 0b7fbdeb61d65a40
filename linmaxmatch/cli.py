"""The command line `linmaxmatch`: encode, decode, count, trace, table, inspect.

Exit codes: 0 done; 1 the input was bad, one line on standard error says which, where and why; 2 wrong usage; 130
interrupted. A closed pipe ends quietly.
"""
import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Literal

from linmaxmatch.default import default_vocabulary_path
from linmaxmatch.failure import Tables, precompute
from linmaxmatch.trace import show, show_table
from linmaxmatch.trie import Trie
from linmaxmatch.vocabulary import Vocabulary, VocabularyError
from linmaxmatch.wordpiece import WordPiece
from subwordio.errors import FormatError
from subwordio.output import output_file
from subwordio.records import FORMATS
from subwordio.transfer import Options, count_files, decode_files, encode_files

UNKNOWN = "<unk>"      # the unknown token of a vocabulary given by --entries


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the return value is the exit code."""
    parser = make_parser()
    if sys.stdin is None or sys.stdout is None:
        return complain("standard input or output is closed")
    try:
        try:
            arguments = parser.parse_args(argv)
            arguments.run(arguments, parser)
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # What is still buffered has no reader; without this the interpreter would complain at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        return complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except MemoryError:
        return complain("not enough memory")
    except RecursionError:
        return complain("nested too deep")
    except (ValueError, OverflowError) as error:        # FormatError, TokenIdError and VocabularyError among them
        return complain(str(error))
    return 0


def complain(reason: str) -> int:
    print("linmaxmatch:", " ".join(reason.splitlines()), file=sys.stderr)
    return 1


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="linmaxmatch",
        description="WordPiece tokenization in linear time, and the paper's automaton step by step.",
        epilog="Without --vocab the vocabulary that the package ships is used: 8,000 entries, uncased.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {installed_version()}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    vocabulary = argparse.ArgumentParser(add_help=False)
    vocabulary.add_argument("--vocab", metavar="FILE", help="vocab.txt or tokenizer.json")
    vocabulary.add_argument("--unk-token", metavar="TOKEN", help="the unknown token of a vocab.txt (default: [UNK])")
    output = argparse.ArgumentParser(add_help=False)
    output.add_argument("-o", "--output", metavar="FILE", help="where to write (default: standard output)")
    engine = argparse.ArgumentParser(add_help=False, parents=[vocabulary])
    engine.add_argument("--normalizer", choices=["hf", "google", "tf", "none"],
                        help="whose text clean-up (default: hf, or what tokenizer.json says)")
    engine.add_argument("--cased", action="store_true", help="keep case and accents")
    engine.add_argument("--max-chars-per-word", type=cap, metavar="N", default=argparse.SUPPRESS,
                        help="longer words become the unknown token; 'none' lifts the cap (default: the normalizer's, "
                             "hf 100 characters)")
    files = argparse.ArgumentParser(add_help=False, parents=[output])
    files.add_argument("files", nargs="*", metavar="FILE", help="UTF-8 text; none or '-' is standard input")
    files.add_argument("--quiet", action="store_true", help="no progress bar and no speed")
    small = argparse.ArgumentParser(add_help=False, parents=[vocabulary])
    small.add_argument("--entries", nargs="+", metavar="TOKEN", help="a vocabulary given here, in place of --vocab")
    small.add_argument("--suffix-indicator", default="##", metavar="STRING", help="of --entries (default: ##)")
    small.add_argument("--roots", type=int, choices=[1, 2], default=1,
                       help="1: the paper's one trie (default); 2: suffix tokens under a root of their own")

    def command(name: str, run: Any, about: str, parents: list[argparse.ArgumentParser]) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=about, description=about, parents=parents)
        added.set_defaults(run=run)
        return added

    encode = command("encode", run_encode, "Token ids of text.", [files, records(document=False), engine])
    encode.add_argument("--format", choices=FORMATS, default="text",
                        help="text: a record a line; jsonl: a record an object; npy: all ids in one array, to a file")
    encode.add_argument("--tokens", action="store_true", help="tokens for ids (text), tokens beside ids (jsonl)")
    encode.add_argument("--offsets", action="store_true",
                        help="start and end of each token, in characters of the record")
    encode.add_argument("--special-tokens", action="store_true",
                        help="with the special tokens of the vocabulary's model")

    decode = command("decode", run_decode, "Text of token ids, a record a line. Lossy: case, accents and white space "
                     "went when the text was cleaned; offsets lead back to the text itself.", [files, engine])
    decode.add_argument("--format", choices=FORMATS, default="text", help="how the ids are given")

    count = command("count", run_count, "How many tokens text has, by file or by line.",
                    [files, records(document=True), engine])
    count.add_argument("--unknown", action="store_true", help="also how many of them are the unknown token: words that "
                       "the vocabulary cannot spell, or that are longer than the cap")

    trace = command("trace", run_trace, "Algorithm 1 on words, step by step: node, character, failure move, pops. "
                    "Words are matched as they are given.", [output, small])
    trace.add_argument("words", nargs="+", metavar="WORD")
    command("table", run_table, "f and F of every node of the trie.", [output, small])
    inspect = command("inspect", run_inspect, "What a vocabulary becomes: sizes, sum of |F|, depth, memory.",
                      [output, engine])
    inspect.add_argument("--format", choices=["text", "jsonl"], default="text")
    return parser


def records(document: bool) -> argparse.ArgumentParser:
    """What a record is. A parser of its own for each command, since parents share their defaults."""
    parser = argparse.ArgumentParser(add_help=False)
    unit = parser.add_mutually_exclusive_group()
    parser.set_defaults(document=document)
    unit.add_argument("--lines", dest="document", action="store_false", help="a record is a line")
    unit.add_argument("--document", action="store_true", help="a record is a whole file")
    return parser


def installed_version() -> str:
    try:
        return version("linmaxmatch-incbpe")
    except PackageNotFoundError:
        return "from a source folder, not installed"


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


def transfer_options(arguments: argparse.Namespace, tokenizer: WordPiece) -> Options:
    names = {"files": "paths", "format": "form"}
    given = {names.get(name, name): value for name, value in vars(arguments).items()}
    # Nothing but an added token can hold white space or take some with it, and so reach over a line end.
    whole = any(token.lstrip or token.rstrip or "\n" in token.content for token in tokenizer.options["added_tokens"])
    return Options(**{name: given[name] for name in Options.__dataclass_fields__ if name in given}, whole=whole)


def run_encode(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    if arguments.format == "npy":
        if arguments.output in (None, "-"):
            parser.error("--format npy needs --output FILE: the array's length stands at its beginning")
        if arguments.tokens or arguments.offsets:
            parser.error("--format npy holds ids alone: no --tokens, no --offsets")
    tokenizer = load(arguments, parser)
    if arguments.special_tokens:
        try:
            tokenizer.encode("", special_tokens=True)
        except ValueError as error:
            raise FormatError(f"{arguments.vocab}: {error}") from None
    encode_files(tokenizer, transfer_options(arguments, tokenizer))


def run_decode(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    tokenizer = load(arguments, parser)
    decode_files(tokenizer, transfer_options(arguments, tokenizer))


def run_count(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    tokenizer = load(arguments, parser)
    count_files(tokenizer, transfer_options(arguments, tokenizer),
                tokenizer.vocabulary.unk_id if arguments.unknown else None)


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
    for word in arguments.words:
        if any("\ud800" <= c <= "\udfff" for c in word):
            raise FormatError(f"{word!r}: not UTF-8")
    with output_file(arguments.output) as file:
        file.write(("\n\n".join(show(tables, word) for word in arguments.words) + "\n").encode())


def run_table(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    tables = notation(arguments)
    with output_file(arguments.output) as file:
        file.writelines(f"{line}\n".encode() for line in show_table(tables))


def run_inspect(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    tokenizer = load(arguments, parser)
    V = tokenizer.vocabulary
    facts = {**tokenizer.inspect(), "one_root": figures(precompute(Trie(V))),
             "two_roots": figures(precompute(Trie(V, roots=2)))}
    with output_file(arguments.output) as file:
        if arguments.format == "jsonl":
            file.write(json.dumps(facts, ensure_ascii=False, default=str).encode() + b"\n")
        else:
            file.writelines(f"{line}\n".encode() for line in indented(facts))


def figures(tables: Tables) -> dict[str, int]:
    """The sizes of Algorithm 2's result."""
    nodes = range(len(tables.trie))
    pops = [len(tables.F(v)) for v in nodes]
    return {"nodes": len(nodes), "sum_F": sum(pops), "max_F": max(pops),
            "nodes_without_f": sum(tables.f(v) is None for v in nodes),
            "depth": max(len(tables.trie.chi(v)) for v in nodes)}


def indented(facts: dict[str, Any], indent: str = "") -> Iterator[str]:
    """Names and values, a line each; what is inside another is indented."""
    width = max(map(len, facts), default=0)
    for name, value in facts.items():
        if isinstance(value, dict):
            yield f"{indent}{name}"
            yield from indented(value, indent + "  ")
        else:
            yield f"{indent}{name:{width}}  {value:,}" if type(value) is int else f"{indent}{name:{width}}  {value}"
