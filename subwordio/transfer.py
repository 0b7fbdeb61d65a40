"""Texts to ids and back, from file to file, for any tokenizer: the work of the commands encode, decode and count.

A record is a line, or a whole file where `document` is true. A document too is read in parts that end at line ends, so
that memory stays bounded whatever its size: a line end is white space, over which no token reaches, unless `whole` says
that one may.
"""
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from operator import add
from typing import Any, BinaryIO

from subwordio.errors import FormatError, TokenIdError
from subwordio.lines import PART, Part, open_texts, parts, total_size
from subwordio.output import output_file
from subwordio.progress import Progress, bar_wanted
from subwordio.records import Format, JsonSink, NpySink, Rows, Sink, TextSink, read_records

Tokenizer = Any        # has encode, encode_batch, count, decode, token and vocab_size


@dataclass(frozen=True, slots=True)
class Options:
    """What is read and how it is written."""

    paths: Sequence[str] = ()              # none, or "-": standard input
    output: str | None = None              # None, or "-": standard output
    form: Format = "text"
    document: bool = False                 # a record is a file, not a line
    whole: bool = False                    # a token may reach over a line end: hold a document whole
    tokens: bool = False
    offsets: bool = False
    special_tokens: bool = False
    quiet: bool = False

    @contextmanager
    def writing(self) -> Iterator[tuple[BinaryIO, Progress]]:
        """The output, and the progress bar of reading the inputs."""
        with output_file(self.output, self.paths) as file:
            bar = bar_wanted(file, sys.stderr)
            with Progress(total_size(self.paths), bar=bar, quiet=self.quiet) as progress:
                yield file, progress

    def reading(self, progress: Progress) -> Iterator[Iterator[Part]]:
        """The parts of each input file."""
        # Special tokens stand around a whole document, which then is as short as what a model is fed.
        whole = self.document and (self.whole or self.special_tokens)

        def advancing(file: BinaryIO, name: str) -> Iterator[Part]:
            for part in parts(file, name, None if whole else PART):
                yield part
                progress.advance(len(part.data))

        for name, file in open_texts(self.paths):
            yield advancing(file, name)


def encode_files(tokenizer: Tokenizer, options: Options) -> None:
    """Write the ids of every record, in order."""
    with ExitStack() as stack:
        file, progress = stack.enter_context(options.writing())
        sink = stack.enter_context(make_sink(file, tokenizer, options))
        for document in options.reading(progress):
            characters = 0
            for part in document:
                if not options.document:
                    for rows in line_rows(tokenizer, part, options):
                        sink.part(rows)
                        sink.end()
                else:
                    sink.part(part_rows(tokenizer, part, options, characters))
                    characters += len(part.data.decode()) if options.offsets else 0
                file.flush()
            if options.document:
                sink.end()


def make_sink(file: BinaryIO, tokenizer: Tokenizer, options: Options) -> Sink:
    if options.form == "npy":
        return NpySink(file)
    names = [name_of(tokenizer, id) for id in range(tokenizer.vocab_size)] if options.tokens else None
    if options.form == "arrow":
        from subwordio.arrowfile import ArrowSink  # needs an extra

        return ArrowSink(file, names, offsets=options.offsets)
    if options.form == "jsonl":
        return JsonSink(file, names, offsets=options.offsets)
    shown = names or map(str, range(tokenizer.vocab_size))
    return TextSink(file, [name.encode() for name in shown], offsets=options.offsets)


def name_of(tokenizer: Tokenizer, id: int) -> str:
    """The name of a token; "" where none has the id."""
    try:
        name: str = tokenizer.token(id)
    except TokenIdError:
        return ""
    return name


def line_rows(tokenizer: Tokenizer, part: Part, options: Options) -> Iterable[Rows]:
    """The tokens of each line of the part."""
    lines = part.lines()
    with part.naming_faults():
        if options.special_tokens or options.offsets:
            return [rows_of(tokenizer, line, options) for line in lines]
        return map(Rows, tokenizer.encode_batch(lines))


def part_rows(tokenizer: Tokenizer, part: Part, options: Options, characters: int) -> Rows:
    """The tokens of a part of a document, which `characters` characters precede."""
    with part.naming_faults():
        rows = rows_of(tokenizer, part.data, options)
    return Rows(rows.ids, [characters + i for i in rows.starts], [characters + i for i in rows.ends])


def rows_of(tokenizer: Tokenizer, text: bytes, options: Options) -> Rows:
    if not options.offsets:
        return Rows(tokenizer.encode(text, special_tokens=options.special_tokens))
    found = tokenizer.encode(text, special_tokens=options.special_tokens, offsets=True)
    return Rows(found.ids, found.starts, found.ends)


def decode_files(tokenizer: Tokenizer, options: Options) -> None:
    """Write the text of every record, a line each."""
    with output_file(options.output, options.paths) as file:
        for name, source in open_texts(options.paths):
            for line, ids in read_records(source, name, options.form):
                try:
                    text = tokenizer.decode(ids)
                except (ValueError, OverflowError) as error:
                    where = "row" if options.form == "arrow" else "line"
                    raise FormatError(f"{name}, {where} {line}: {error}") from error
                file.write(text.encode() + b"\n")
                file.flush()


def count_files(tokenizer: Tokenizer, options: Options, unknown: int | None = None) -> None:
    """Write how many tokens each record has, with the names of files and the sum of several.

    With `unknown`, the id of the unknown token, a second column says how many of them there are.
    """
    def counts(text: bytes) -> tuple[int, ...]:
        if unknown is None:
            return (tokenizer.count(text),)
        ids = tokenizer.encode(text)
        return len(ids), memoryview(ids).tolist().count(unknown)

    def row(numbers: Iterable[int], name: str = "") -> bytes:
        return "\t".join([*map(str, numbers), *([name] if name else [])]).encode(errors="surrogateescape") + b"\n"

    with options.writing() as (file, progress):
        nothing = [0] if unknown is None else [0, 0]
        total = nothing
        for document, path in zip(options.reading(progress), options.paths or [""], strict=True):
            record = nothing
            for part in document:
                with part.naming_faults():
                    found = [counts(text) for text in ([part.data] if options.document else part.lines())]
                if options.document:
                    record = list(map(add, record, found[0]))
                else:
                    file.writelines(map(row, found))
                    file.flush()
            if options.document:
                file.write(row(record, path))
                total = list(map(add, total, record))
        if options.document and len(options.paths) > 1:
            file.write(row(total, "total"))
