"""The command line `incbpe`: encode, decode, count, corpus, view, stream, trace, table, draw, inspect."""
import argparse
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from incbpe import inspect
from incbpe.automaton import SuffixAutomaton
from incbpe.bytepair import BPE
from incbpe.centroid import CentroidTree
from incbpe.default import default_tokenizer_path
from incbpe.dictionary import Dictionary
from incbpe.loading import is_json, load, load_pair
from incbpe.model import Config, Model
from incbpe.normalize import Normalized, normalize
from incbpe.patterns import NAMES
from incbpe.prefixes import Prefixes
from incbpe.special import SPECIAL_TOKENS
from incbpe.successor import SuccessorForest
from incbpe.sufsuc import SuffixSuccessorTree
from incbpe.table import show_forest, show_trees
from incbpe.trace import Tracer, dictionary_of, named
from subwordio.commands import Commands, check_words, drawing, inputs, output, run, write_drawing, write_lines
from subwordio.corpus.command import add_corpus
from subwordio.errors import FormatError
from subwordio.files import is_saved
from subwordio.flags import FlagParser, refuse_beside
from subwordio.lines import open_texts
from subwordio.output import output_file

BLOCK = 1 << 16        # bytes that a stream is fed at once, at most
FLAGS = {"allowed_special": "--allow-special", "criterion": "--criterion", "duplicates": "--duplicates",
         "merges": "--merges", "pattern": "--pattern", "search": "--search", "semantics": "--semantics",
         "special_tokens": "--specials", "special_tokens=True": "--special-tokens", "unicode": "--unicode",
         "vocab": "--vocab"}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the return value is the exit code."""
    return run(make_parser(), argv)


def make_parser() -> FlagParser:
    commands = Commands(
        "incbpe", "BPE tokenization by the last token of every prefix, and the paper's structures step by step.",
        "Without --vocab the tokenizer that the package ships is used: byte-level, 8,000 tokens.", FLAGS)
    vocabulary = argparse.ArgumentParser(add_help=False)
    vocabulary.add_argument("--vocab", metavar="FILE", help="a .tiktoken file, tokenizer.json, tekken.json, "
                            "vocab.json, or what BPE.save wrote")
    vocabulary.add_argument("--merges", metavar="FILE", help="the merges.txt of a vocab.json")
    vocabulary.add_argument("--duplicates", choices=["error", "last"],
                            help="last: of a pair that is twice in the merges the last place counts (default: error)")
    tokenizer = argparse.ArgumentParser(add_help=False, parents=[vocabulary])
    tokenizer.add_argument("--pattern", metavar="NAME", help="how text is split, for a file that does not say it: "
                           f"{', '.join(NAMES)}, or a regular expression")
    tokenizer.add_argument("--specials", metavar="NAME", help="the special tokens of a .tiktoken file, by the name of "
                           f"a model: {', '.join(SPECIAL_TOKENS)}")
    tokenizer.add_argument("--unicode", choices=["tiktoken", "tokenizers"],
                           help="whose classes of characters the pattern uses (default: by the file)")
    engine = argparse.ArgumentParser(add_help=False, parents=[tokenizer])
    engine.add_argument("--allow-special", action="append", metavar="TOKEN", default=[],
                        help="a special token that counts where the text spells it, or 'all' (default: none does)")
    small = argparse.ArgumentParser(add_help=False, parents=[vocabulary])
    small.add_argument("--rules", nargs="+", metavar="RULE", help="a dictionary of characters given here, in place of "
                       "--vocab: rules such as 'a b', the earliest first")
    small.add_argument("--semantics", choices=["rank", "equation"], default="rank",
                       help="rank: the pair of lowest rank first, as tokenizers do (default); equation: the paper's "
                            "equation 1, one pass a rule")

    commands.add_transfers(engine, tokenizer_of, lambda tokenizer: True, "Text of token ids, a record a line.",
                           tokenizer)
    add_corpus(commands, engine, tokenizer_of)
    commands.add_view(engine, tokenizer_of, lambda tokenizer: tokenizer.unk_id)
    stream = commands.add("stream", run_stream, "Token ids of text as soon as nothing that may follow can change them, "
                          "while it is typed or piped.", [inputs(), engine])
    stream.add_argument("--tokens", action="store_true", help="tokens for ids")
    stream.add_argument("--criterion", choices=["window", "chain", "maximal"], default="chain",
                        help="which tokens are certain: the paper's window, or more of them, at more cost")
    trace = commands.add("trace", run_trace, "The last token of every prefix: which tokens are tested, and why each is "
                         "it or is not. Texts are not split, and taken as they are given.", [output(), small])
    trace.add_argument("texts", nargs="+", metavar="TEXT")
    trace.add_argument("--search", choices=["longest", "root", "centroid", "pairs"],
                       help="in which order (default: the longest token first)")
    table = commands.add("table", run_table, "The successor forest with its valid ranges; of a token: its chain, "
                         "suffix-successor tree and centroid tree.", [output(), small])
    table.add_argument("tokens", nargs="*", metavar="TOKEN")
    draw = commands.add("draw", run_draw, "A picture: the successor forest or the automaton (all, or what leads to a "
                        "token), a token's suffix-successor tree or centroid tree, or the tokens of all prefixes of a "
                        "text.", [drawing(), small])
    draw.add_argument("structure", choices=["forest", "automaton", "suffixes", "centroids", "prefixes"])
    draw.add_argument("text", nargs="?", metavar="TOKEN|TEXT")
    draw.add_argument("--criterion", choices=["window", "chain", "maximal"],
                      help="of prefixes: which tokens are certain (default: the paper's window)")
    commands.add_inspect(facts, "What a vocabulary becomes: form, sizes, chains, depth, states, memory.", tokenizer)
    return commands.parser


class Allowing:
    """A tokenizer in which some special tokens count, and whose tokens have names without white space."""

    def __init__(self, bpe: BPE, allowed: Sequence[str]) -> None:
        self.bpe, self.vocab_size, self.decode, self.id = bpe, bpe.vocab_size, bpe.decode, bpe.id
        self.unk_id, self.token_bytes = bpe.config.model.unk_id, bpe.token_bytes
        self.allowed: Any = "all" if list(allowed) == ["all"] else list(allowed)

    def encode(self, text: bytes, **options: Any) -> Any:
        return self.bpe.encode(text, self.allowed, **options)

    @property
    def fingerprint(self) -> str:
        return self.bpe.fingerprint

    def encode_batch(self, texts: Sequence[bytes], threads: int | None = None) -> Any:
        return self.bpe.encode_batch(texts, threads=threads, allowed_special=self.allowed)

    def count(self, text: bytes) -> int:
        return self.bpe.count(text, allowed_special=self.allowed)

    def token(self, id: int) -> str:
        return named(self.bpe.token(id))


def tokenizer_of(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> Allowing:
    found = Allowing(engine_of(arguments, parser), vars(arguments).get("allow_special", ()))
    found.count(b"")            # a token that is not special is an error before anything is read
    return found


def engine_of(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> BPE:
    """The tokenizer that the options name."""
    return saved(arguments, parser) or BPE(config(arguments, parser, arguments.pattern))


def saved(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> BPE | None:
    """The tokenizer in the file that the options name, if it is one that `BPE.save` wrote."""
    if arguments.vocab is None or not is_saved(arguments.vocab):
        return None
    refuse_beside(parser, arguments, f"{arguments.vocab} is a saved tokenizer", [
        "merges", "pattern", "duplicates", "specials", "unicode"])
    return BPE.load(arguments.vocab)


def config(arguments: argparse.Namespace, parser: argparse.ArgumentParser, pattern: str | None) -> Config:
    """What the file that the options name says, and what they say beside it."""
    given = vars(arguments)
    options: dict[str, Any] = {
        "pattern": pattern, "special_tokens": given.get("specials"), "unicode": given.get("unicode"),
        "duplicates": arguments.duplicates or "error"}
    try:
        if arguments.merges is not None:
            if arguments.vocab is None:
                parser.error("--merges needs --vocab, the vocab.json")
            return load_pair(arguments.vocab, arguments.merges, **options)
        return load(arguments.vocab or default_tokenizer_path(), **options)
    except FormatError:
        raise
    except (TypeError, ValueError) as error:        # they do not go together, or not with what the file says itself
        parser.error(str(error))


def run_stream(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    tokenizer = tokenizer_of(arguments, parser)
    name = tokenizer.token if arguments.tokens else str
    with output_file(arguments.output, arguments.files) as file:
        for path, source in open_texts(arguments.files):
            stream = tokenizer.bpe.stream(allowed_special=tokenizer.allowed, criterion=arguments.criterion)
            lead = ""
            try:
                for ids in released(stream, source):
                    for id in ids:
                        file.write((lead + name(id)).encode())
                        lead = " "
                    file.flush()
            except ValueError as error:
                raise FormatError(f"{path}: {error}") from error
            file.write(b"\n")
            file.flush()


def released(stream: Any, source: BinaryIO) -> Iterator[Any]:
    """The ids that become certain with each block of what is read, and the rest at its end."""
    read = getattr(source, "read1", source.read)        # what is there now, so that a slow writer is answered
    while block := read(BLOCK):
        yield stream.feed(block)
    yield stream.finish()


def dictionary(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> Dictionary:
    """The dictionary that trace and table are asked about: no text is split."""
    if arguments.rules is not None:
        refuse_beside(parser, arguments, "--rules are a dictionary by themselves", ["vocab", "merges", "duplicates"])
        return dictionary_of(arguments.rules)
    found = saved(arguments, parser)
    return dictionary_in(whole(arguments, parser).model if found is None else found.model)


def whole(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> Config:
    """What a file says; a rank table that is not to be split by any pattern needs none."""
    table = arguments.vocab is not None and arguments.merges is None and not is_json(arguments.vocab)
    return config(arguments, parser, vars(arguments).get("pattern") or ("none" if table else None))


def dictionary_in(model: Model) -> Dictionary:
    if model.merges is None:
        return Dictionary.from_ranks(
            {token: i for i, token in enumerate(model.tokens) if isinstance(token, bytes) and token})
    return Dictionary(model.tokens, model.merges, duplicates=model.duplicates)


def normalized(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> Normalized:
    return normalize(dictionary(arguments, parser), arguments.semantics)


def spelt(N: Normalized, texts: Sequence[str]) -> list[Any]:
    """Arguments as texts over the dictionary's symbols."""
    check_words(texts)
    return [text.encode() if N.dictionary.binary else text for text in texts]


def run_trace(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    N = normalized(arguments, parser)
    tracer = Tracer(N, arguments.search)
    write_lines(arguments.output, ["\n\n".join(str(tracer.trace(text)) for text in spelt(N, arguments.texts))])


def run_table(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    N = normalized(arguments, parser)
    if not arguments.tokens:
        write_lines(arguments.output, show_forest(N))
        return
    write_lines(arguments.output, ["\n\n".join("\n".join(show_trees(N, k)) for k in spelt(N, arguments.tokens))])


def run_draw(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    if arguments.text is None and arguments.structure in ("suffixes", "centroids", "prefixes"):
        missing = "text" if arguments.structure == "prefixes" else "token"
        parser.error(f"draw {arguments.structure}: of which {missing}?")
    if arguments.structure != "prefixes":
        refuse_beside(parser, arguments, f"draw {arguments.structure} shows no output", ["criterion"])
    N = normalized(arguments, parser)
    text: Any = None if arguments.text is None else spelt(N, [arguments.text])[0]
    if arguments.structure == "prefixes":
        write_drawing(arguments, Prefixes(N, text), criterion=arguments.criterion or "window")
        return
    forest, automaton = SuccessorForest(N), SuffixAutomaton(N)
    if arguments.structure in ("forest", "automaton"):
        write_drawing(arguments, forest if arguments.structure == "forest" else automaton, token=text)
        return
    tree = SuffixSuccessorTree(forest, automaton, text)
    write_drawing(arguments, tree if arguments.structure == "suffixes" else CentroidTree(tree))


def facts(arguments: argparse.Namespace, parser: argparse.ArgumentParser) -> dict[str, Any]:
    bpe = saved(arguments, parser)
    if bpe is not None:
        return inspect.facts(bpe, bpe.normalized())
    found = whole(arguments, parser)
    return inspect.facts(BPE(found), normalize(dictionary_in(found.model), "rank"))
