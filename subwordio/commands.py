"""What the command lines of both packages are made of: exit codes, shared options, and encode, decode and count.

Exit codes: 0 done; 1 the input was bad, one line on standard error says which, where and why; 2 wrong usage; 130
interrupted. A closed pipe ends quietly.
"""
import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from subwordio.errors import FormatError
from subwordio.facts import shown
from subwordio.flags import FlagParser, in_flags, refuse_beside
from subwordio.lines import open_texts
from subwordio.lines import parts as whole_files
from subwordio.output import naming, output_file
from subwordio.records import FORMATS
from subwordio.transfer import Options, Tokenizer, count_files, decode_files, encode_files
from subwordio.view import bordered, coloured, page, parts

Arguments = argparse.Namespace
Parser = argparse.ArgumentParser
Run = Callable[[Arguments, Parser], None]
Load = Callable[[Arguments, Parser], Tokenizer]


def run(parser: FlagParser, argv: Sequence[str] | None) -> int:
    """Run the command that the arguments name; the return value is the exit code."""
    if sys.stdin is None or sys.stdout is None:
        return complain(parser, "standard input or output is closed")
    try:
        with naming("standard output"):         # of other files that are full it is known which
            try:
                arguments = parser.parse_args(argv)
                arguments.run(arguments, arguments.parser)
            finally:
                sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # What is still buffered has no reader; without this the interpreter would complain at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        return complain(parser, f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except MemoryError:
        return complain(parser, "not enough memory")
    except RecursionError:
        return complain(parser, "nested too deep")
    except ImportError as error:                        # an extra that is not installed
        return complain(parser, str(error))
    except (ValueError, OverflowError) as error:        # all that bad input raises
        return complain(parser, str(error))
    return 0


def complain(parser: FlagParser, reason: str) -> int:
    print(f"{parser.prog}:", " ".join(in_flags(reason, parser.flags).splitlines()), file=sys.stderr)
    return 1


class Commands:
    """A command line in the making. Every option parser is made anew, since parsers that share a parent share defaults.

    `flags` says which option sets an argument that the library's errors may name (`FlagParser`).
    """

    def __init__(self, prog: str, description: str, epilog: str, flags: Mapping[str, str]) -> None:
        self.parser = FlagParser(prog=prog, description=description, epilog=epilog)
        self.parser.flags = flags
        self.parser.add_argument("--version", action="version", version=f"%(prog)s {installed_version()}")
        self.commands: Any = self.parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    def add(self, name: str, run: Run, about: str, parents: Sequence[Parser]) -> Parser:
        """A command that `run` carries out."""
        added: FlagParser = self.commands.add_parser(name, help=about, description=about, parents=list(parents))
        added.set_defaults(run=run, parser=added)       # so that wrong usage shows this command's
        added.flags = self.parser.flags
        return added

    def add_transfers(self, engine: Parser, load: Load, whole: Callable[[Any], bool], decode_about: str,
                      vocabulary: Parser) -> Parser:
        """The commands encode, decode and count, by the tokenizer that `load` gives; the parser of count is returned.

        `whole` says of a tokenizer whether a token may reach over a line end. `vocabulary` has those of the options
        of `engine` that say something of decoding.
        """
        def options(arguments: Arguments, tokenizer: Tokenizer) -> Options:
            names = {"files": "paths", "format": "form"}
            given = {names.get(name, name): value for name, value in vars(arguments).items()}
            return Options(**{name: given[name] for name in Options.__dataclass_fields__ if name in given},
                           whole=whole(tokenizer))

        def encode(arguments: Arguments, parser: Parser) -> None:
            check_encode(arguments, parser)
            tokenizer = load(arguments, parser)
            if arguments.special_tokens:
                try:
                    tokenizer.encode("", special_tokens=True)
                except ValueError as error:
                    raise FormatError(f"{arguments.vocab or 'the shipped vocabulary'}: {error}") from None
            encode_files(tokenizer, options(arguments, tokenizer))

        def decode(arguments: Arguments, parser: Parser) -> None:
            tokenizer = load(arguments, parser)
            decode_files(tokenizer, options(arguments, tokenizer))

        def count(arguments: Arguments, parser: Parser) -> None:
            tokenizer = load(arguments, parser)
            unknown = tokenizer.vocabulary.unk_id if vars(arguments).get("unknown") else None
            count_files(tokenizer, options(arguments, tokenizer), unknown)

        encoding = self.add("encode", encode, "Token ids of text.", [files(), records(document=False), engine])
        encoding.add_argument("--format", choices=FORMATS, default="text",
                              help="text: a record a line (default); jsonl: a record an object; npy: the ids of all "
                                   "records in one array, to a file, without a word of where one ends; arrow: a record "
                                   "a row of an Arrow IPC file (needs the extra [arrow])")
        encoding.add_argument("--tokens", action="store_true",
                              help="tokens for ids (text), tokens beside ids (jsonl, arrow)")
        encoding.add_argument("--offsets", action="store_true",
                              help="start and end of each token, in characters of the record")
        encoding.add_argument("--special-tokens", action="store_true",
                              help="with the special tokens of the vocabulary's model")
        decoding = self.add("decode", decode, decode_about, [files(), vocabulary])
        decoding.add_argument("--format", choices=FORMATS, default="text",
                              help="how the ids are given (default: text); those of a .npy are one record")
        return self.add("count", count, "How many tokens text has, by file or by line.",
                        [files(), records(document=True), engine])

    def add_view(self, engine: Parser, load: Load, unknown_of: Callable[[Any], int | None]) -> None:
        """The command view: a text with its tokens in colours. `unknown_of` gives the id of the unknown token."""
        def view(arguments: Arguments, parser: Parser) -> None:
            if arguments.html and len(arguments.files) > 1:
                parser.error("--html makes a page of one file")
            if arguments.html:
                refuse_beside(parser, arguments, "--html makes a page of its own colours", ["color"])
            tokenizer = load(arguments, parser)
            unknown = unknown_of(tokenizer)
            with output_file(arguments.output, arguments.files) as file:
                colour = {"always": True, "never": False}.get(arguments.color, file.isatty())
                for name, source in open_texts(arguments.files):
                    for part in whole_files(source, name, None):
                        with part.naming_faults():
                            encoding = tokenizer.encode(part.data, offsets=True)
                        found = parts(part.data, encoding, tokenizer.token, getattr(tokenizer, "token_bytes", None))
                        if arguments.html:
                            file.write(page(found, unknown, tokenizer.token, name).encode())
                        else:
                            file.write((coloured if colour else bordered)(found, unknown).encode())

        viewing = self.add("view", view, "Text with its tokens in colours; bars between them where there are none.",
                           [inputs(), engine])
        viewing.add_argument("--html", action="store_true", help="a page, on which each token says its id and offsets")
        viewing.add_argument("--color", choices=["auto", "always", "never"],
                             help="auto: colours on a terminal (default)")

    def add_inspect(self, facts: Callable[[Arguments, Parser], dict[str, Any]], about: str, engine: Parser) -> None:
        """The command inspect, which writes what `facts` gives, a mapping of sections (`shown`)."""
        def inspect(arguments: Arguments, parser: Parser) -> None:
            found = facts(arguments, parser)
            with output_file(arguments.output) as file:
                if arguments.format == "jsonl":
                    file.write(json.dumps(found, ensure_ascii=False).encode() + b"\n")
                else:
                    file.writelines(f"{line}\n".encode() for line in shown(found))

        inspecting = self.add("inspect", inspect, about, [output(), engine])
        inspecting.add_argument("--format", choices=["text", "jsonl"], default="text",
                                help="text: for people (default); jsonl: an object")


def drawing() -> Parser:
    """How to draw, and where to write it."""
    from subwordio.graph import MOST_NODES

    parser = Parser(add_help=False, parents=[output()])
    parser.add_argument("--most", type=int, metavar="N", default=MOST_NODES,
                        help=f"how many nodes at most, those nearest to the root first (default: {MOST_NODES})")
    parser.add_argument("--format", choices=["svg", "dot"], default="svg", help="dot: Graphviz's language")
    return parser


def write_drawing(arguments: Arguments, structure: Any, **options: Any) -> None:
    """A structure as the options of `drawing` ask for it."""
    if arguments.most < 1:
        raise FormatError(f"--most: expected at least 1, got {arguments.most}")
    picture = structure.draw(most=arguments.most, **options)
    write_lines(arguments.output, [picture.dot if arguments.format == "dot" else picture.svg])


def output() -> Parser:
    """Where to write."""
    parser = Parser(add_help=False)
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write (default, and '-': standard output)")
    return parser


def inputs() -> Parser:
    """What to read, and where to write."""
    parser = Parser(add_help=False, parents=[output()])
    parser.add_argument("files", nargs="*", metavar="FILE", help="UTF-8 text; none or '-' is standard input")
    return parser


def files() -> Parser:
    """The same, with a progress bar."""
    parser = Parser(add_help=False, parents=[inputs()])
    parser.add_argument("--quiet", action="store_true", help="no progress bar and no speed")
    return parser


def records(document: bool) -> Parser:
    """What a record is."""
    parser = Parser(add_help=False)
    unit = parser.add_mutually_exclusive_group()
    parser.set_defaults(document=document)
    default = {document: " (default)", not document: ""}
    unit.add_argument("--lines", dest="document", action="store_false", help=f"a record is a line{default[False]}")
    unit.add_argument("--document", action="store_true", help=f"a record is a whole file{default[True]}")
    return parser


def check_encode(arguments: Arguments, parser: Parser) -> None:
    """Refuse options that do not go together."""
    if arguments.format == "npy":
        if arguments.output in (None, "-"):
            parser.error("--format npy needs --output FILE: the array's length stands at its beginning")
        if arguments.tokens or arguments.offsets:
            parser.error("--format npy holds ids alone: no --tokens, no --offsets")


def installed_version() -> str:
    try:
        return version("linmaxmatch-incbpe")
    except PackageNotFoundError:
        return "from a source folder, not installed"


def write_lines(path: str | None, lines: Iterable[str]) -> None:
    """The lines as a file, or on standard output."""
    with output_file(path) as file:
        file.writelines(f"{line}\n".encode() for line in lines)


def check_words(words: Sequence[str]) -> None:
    """Refuse arguments that are not UTF-8."""
    for word in words:
        if any("\ud800" <= c <= "\udfff" for c in word):
            raise FormatError(f"{word!r}: not UTF-8")
