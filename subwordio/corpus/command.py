"""The command `corpus`: files of text in, shards of token ids out; and `corpus verify DIR`."""
import os
import sys
from typing import Any

from subwordio.commands import Arguments, Commands, Load, Parser
from subwordio.corpus.journal import MANIFEST, read_manifest
from subwordio.corpus.meter import Meter
from subwordio.corpus.recipe import FORMS, KINDS, MOST_DOCUMENT, SHARD, Recipe, bytes_in
from subwordio.corpus.run import make_corpus
from subwordio.corpus.verify import faults_of
from subwordio.errors import FormatError
from subwordio.lines import total_size

VERIFY = "verify"


def add_corpus(commands: Commands, engine: Parser, load: Load) -> None:
    """The command corpus, by the tokenizer that `load` gives."""
    def corpus(arguments: Arguments, parser: Parser) -> None:
        if arguments.inputs[:1] == [VERIFY] and arguments.out is None:
            if len(arguments.inputs) != 2:
                parser.error("corpus verify: of which folder?")
            for name, value in vars(arguments).items():
                if name not in ("inputs", "quiet") and value != adding.get_default(name):
                    flag = "document" if name == "whole_files" else name.replace("_", "-")
                    parser.error(f"corpus verify reads a corpus again: --{flag} says nothing there")
            verify(arguments.inputs[1])
            return
        if arguments.out is None:
            parser.error("corpus needs --out DIR")
        make(load(arguments, parser), arguments, parser.prog.partition(" ")[0])

    adding = commands.add("corpus", corpus, "Files of text as shards of token ids, by all cores, in bounded memory; or "
                          "`corpus verify DIR`: read a corpus again and check it.", [engine])
    adding.add_argument("inputs", nargs="*", metavar="IN", help="text, JSON lines (.jsonl) or Parquet, plain, gzip or "
                        "zstandard; none or '-' is standard input")
    adding.add_argument("--out", metavar="DIR", help="the folder of the shards; made if it is not there")
    adding.add_argument("--input", choices=KINDS, default="auto", help="what the inputs are (default: by their names)")
    adding.add_argument("--field", metavar="NAME", default="text", help="where the document is, in JSON lines and "
                        "Parquet (default: text)")
    unit = adding.add_mutually_exclusive_group()
    adding.set_defaults(whole_files=False)
    unit.add_argument("--lines", dest="whole_files", action="store_false", help="a document is a line (default)")
    unit.add_argument("--document", dest="whole_files", action="store_true", help="a document is a file of text")
    adding.add_argument("--format", choices=FORMS, default="bin", help="bin: flat ids and an index, as Megatron-LM "
                        "reads them (default); arrow, parquet: a row a document")
    adding.add_argument("--end-token", metavar="TOKEN", help="follows each document")
    adding.add_argument("--sequence-length", type=int, metavar="N", help="join documents, and cut them to N ids")
    adding.add_argument("--shard-size", metavar="SIZE", default=str(SHARD), help="most bytes of input in a shard "
                        "(default: 256MB)")
    adding.add_argument("--max-document", metavar="SIZE", default=str(MOST_DOCUMENT), help="a longer document is bad "
                        "input, so that memory is bounded (default: 16MB)")
    adding.add_argument("--threads", type=int, metavar="N", help="default: one for each processor")
    adding.add_argument("--on-error", choices=["stop", "skip"], default="stop", help="of damaged documents: stop at "
                        "the first (default), or leave them out and list them in the manifest")
    adding.add_argument("--resume", action="store_true", help="go on where an earlier run was stopped or killed")
    adding.add_argument("--quiet", action="store_true", help="no progress bar and no speed")


def make(tokenizer: Any, arguments: Arguments, prog: str) -> None:
    """Make the corpus that the arguments ask for."""
    end = None
    if arguments.end_token is not None:
        try:
            end = tokenizer.id(arguments.end_token)
        except (KeyError, ValueError) as error:
            raise FormatError(f"--end-token {arguments.end_token!r}: is no token of the vocabulary") from error
    recipe = Recipe(arguments.input, arguments.field, arguments.whole_files, arguments.format, end,
                    arguments.sequence_length, bytes_in(arguments.shard_size), bytes_in(arguments.max_document))
    total = total_size(arguments.inputs)
    with Meter(total, bar=sys.stderr.isatty(), quiet=arguments.quiet) as meter:
        made = make_corpus(tokenizer, arguments.inputs, arguments.out, recipe, threads=arguments.threads,
                           skip=arguments.on_error == "skip", resume=arguments.resume, meter=meter)
    if made.skipped:
        print(f"{prog}: {made.skipped} left out: {os.path.join(arguments.out, MANIFEST)} lists them", file=sys.stderr)


def verify(folder: str) -> None:
    """Check a corpus; FormatError where anything is wrong with it."""
    faults = list(faults_of(folder))
    for fault in faults[:-1]:
        print(fault, file=sys.stderr)
    if faults:
        raise FormatError(faults[-1])
    totals = read_manifest(folder)["totals"]
    print(f"{folder}: {totals['documents']} documents, {totals['tokens']} tokens: all as the manifest says")
